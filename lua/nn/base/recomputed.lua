--- Gradients of gradients through layers and criterions.
--
-- A layer's `backward` is its own matter and leaves no record. Where a pass is recorded itself
-- (createGraph), a copy of the layer runs forward once more with all that it computes recorded, and
-- the input's gradient is found by going back through that. Its parameters are Variables meanwhile,
-- whose gradients are added to the layer's own. What comes must be what `backward` gave: layers
-- that draw numbers, or whose gradient is no derivative, have no gradient of it.
-- @module nn.base.recomputed
local torch = require 'torch'
local pass = require 'torch.variables.pass'
local nested = require 'nn.nested'
local twins = require 'nn.base.twins'
local th = require 'torch.ffi'
local raise = require('torch.errors').raise

local C = th.C
local needs = C.TH_Variable_needsGradient

local M = {}

local REAL = { [C.TH_DOUBLE] = true, [C.TH_FLOAT] = true, [C.TH_HALF] = true,
   [C.TH_BFLOAT16] = true }

local function is_real(y)
   return torch.isTensor(y) and REAL[y.dtype] or false
end

local OTHER = 'its forward, run once more and recorded, does not give the gradient of its '
   .. 'backward: it draws numbers, or its gradient is not the derivative'

-- Where a tensor's elements are and in which order, as a key.
local function elements_of(t)
   return ('%s %s %s %s'):format(tostring(t.store), tostring(t.offset),
      table.concat(t:size():totable(), 'x'), table.concat(t:stride():totable(), ' '))
end

-- The parameters of a copy as leaves: views of the worker's, to whose gradients theirs are added.
-- Each tensor has its own, so that those which share elements, transposed or whole, each add their
-- part.
local function leaves_of(copy, worker, is_frozen)
   local leaves, still, leaf_of, at = {}, {}, {}, {}
   twins.each(copy, function(part)
      for _, p in ipairs(is_frozen(part) and part:parameters() or {}) do
         still[p] = true
      end
   end)
   local parameters, gradients = worker:parameters()
   for i, p in ipairs(copy:parameters() or {}) do
      if not still[p] and not leaf_of[p] then
         local leaf = parameters[i]:detach():requiresGrad()
         leaf.grad = gradients[i]
         leaf_of[p], leaves[#leaves + 1] = leaf, leaf
         at[elements_of(p)] = leaf
      end
   end
   twins.each(copy, function(part) -- several may share one, and those within may have views
      for _, p in ipairs(part.parameters and not is_frozen(part) and part:parameters() or {}) do
         leaf_of[p] = leaf_of[p] or not still[p] and at[elements_of(p)] or nil
      end
   end)
   for p, leaf in pairs(leaf_of) do
      p:set(leaf) -- recorded: a view of the leaf
   end
   return leaves
end

local function copied(t)
   return t:clone()
end

-- A copy that keeps nothing of earlier calls but what it has drawn, and its parameters as leaves.
-- Draws are in the field that the class names in `__drawn`, or in `noise`; with `again` the layer
-- takes those, and leaves alone what a call counts or moves. What has a forward for the record
-- (`__recorded`) has that alone, wherever it is. `careful`: layers that write their output part by
-- part want it known as one into which Variables are written: each is that, of its sizes at once.
local function copy_of(worker, is_frozen, careful)
   local copy, draws, sizes = worker:clone(), {}, {}
   twins.each(copy, function(part)
      sizes[part] = careful and torch.isTensor(part.output) and part.output:size()
      local drawn = part[part.__drawn or 'noise']
      if torch.isTensor(drawn) or nested.is_table(drawn) then
         draws[part] = nested.map(copied, drawn)
      end
   end)
   twins.each(copy, function(part)
      if part.clearState and not part.modules then -- containers may let modules go
         part:clearState()
      end
      if part.inplace then
         part.inplace = false
      end
      if draws[part] then
         part[part.__drawn or 'noise'] = draws[part]
      end
      if sizes[part] then
         part.output = part.output.new():resize(sizes[part]):zero():requiresGrad(false)
      end
      part.again = true
      if part.__recorded then
         rawset(part, 'updateOutput', part.__recorded)
      end
   end)
   return copy, copy.parameters and leaves_of(copy, worker, is_frozen) or {}
end

-- How far apart gradients may be that are the same: part of the largest element expected, however
-- small. Where everything cancels only rounding is left: so many units of the gradients that came.
local TOLERANCE = { [C.TH_DOUBLE] = 1e-7, [C.TH_FLOAT] = 1e-3 }
local UNIT = { [C.TH_DOUBLE] = 2 ^ -52, [C.TH_FLOAT] = 2 ^ -23, [C.TH_HALF] = 2 ^ -10,
   [C.TH_BFLOAT16] = 2 ^ -7 }
local ROUNDING = 16

local function largest(t)
   return t:nElement() > 0 and torch.abs(t:detach():double()):max() or 0
end

-- Whether a gradient is that of the layer's own backward; `scale` is the largest element of the
-- gradients that came.
local function agree(found, expected, scale)
   if not found:isSameSizeAs(expected) then
      return false
   end
   local dtype = found.dtype
   local unit = UNIT[dtype] or 0
   local distance = largest(found:detach():double() - expected:detach():double())
   return distance <= (TOLERANCE[dtype] or ROUNDING * unit) * largest(expected)
      + ROUNDING * unit * scale
end

local function ignores_input(part)
   return part.__ignoresInput or nil
end

-- The outputs of a copy, recorded. `careful`: its derivatives read copies, whatever it writes over
-- later on.
local function outputs_of(copy, input, again, careful)
   local copies, fills = th.C.TH_Gradient_copy(careful), th.C.TH_Gradient_fillViews(true)
   local ok, list = pcall(again, copy, input)
   th.C.TH_Gradient_copy(copies)
   th.C.TH_Gradient_fillViews(fills)
   if not ok then
      error(list, 0)
   end
   return list
end

-- Whether some part has recorded what it computes from a leaf. No output may be made of that, as
-- where an nn.SelectTable takes another one.
local function is_read(copy, leaf)
   local roots, zeros = {}, {}
   twins.each(copy, function(part)
      local y = part.output
      if torch.isTensor(y) and needs(y) then
         roots[#roots + 1], zeros[#zeros + 1] = y, y:detach():clone():zero()
      end
   end)
   return pass.several(roots, zeros, { leaf }, true, true)[1]
end

local function find(worker, input, variables, gradients, again, is_frozen, careful)
   local copy, leaves = copy_of(worker, is_frozen, careful)
   local roots, given = {}, {}
   for i, y in ipairs(outputs_of(copy, input, again, careful)) do
      if needs(y) then
         roots[#roots + 1], given[#given + 1] = y, gradients[i]
      elseif gradients[i] and is_real(y) and not twins.each(copy, ignores_input) then
         raise(('output %d is written past the record'):format(i))
      end
   end
   if #roots == 0 then
      return {}
   end
   local wanted = { unpack(variables) }
   for i, leaf in ipairs(leaves) do
      wanted[#variables + i] = leaf
   end
   local found = pass.several(roots, given, wanted, true, true)
   for i = #wanted, #variables + 1, -1 do
      if not found[i] and not is_read(copy, wanted[i]) then
         raise 'what it computes from its parameters is written past the record'
      end
      found[i] = nil
   end
   local function keep() -- leaves count as long as somebody has them
      return nil, leaves
   end
   for _, g in ipairs(found) do
      if g and needs(g) then
         g:hook(keep)
      end
   end
   return found
end

--- Recorded gradients of a call's inputs.
-- @param worker the layer or criterion that has computed the call
-- @param input nest of the call's inputs, with their history
-- @tparam table inputs the same as a list
-- @tparam table gradients of the outputs, with their history
-- @tparam table expected what the layer's own backward gives for each input, or nil
-- @tparam function again again(copy, input): the list of the outputs of the copy's forward
-- @tparam function is_frozen is_frozen(part): its parameters are not to learn
-- @return list as `inputs`, and nil; or nil and why there are none
function M.gradients(worker, input, inputs, gradients, expected, again, is_frozen)
   local variables, places = {}, {}
   for i, x in ipairs(inputs) do
      if needs(x) and expected[i] then
         variables[#variables + 1], places[#places + 1] = x, i
      end
   end
   if #variables == 0 then
      return {}
   end
   local why
   for _, careful in ipairs { false, true } do
      local ok, found = pcall(find, worker, input, variables, gradients, again, is_frozen, careful)
      if not ok then
         local cause = tostring(found):gsub('In [^\n]* module of [^\n]*:\n', ''):gsub('\n.*', '')
         why = why or ('its forward cannot be recorded (%s)'):format(cause)
      else
         local list, wrong, scale = {}, false, 0
         for _, g in pairs(gradients) do
            scale = math.max(scale, g and largest(g) or 0)
         end
         for k, i in ipairs(places) do
            list[i] = found[k] or expected[i]:clone():zero()
            wrong = wrong or not agree(list[i], expected[i], scale)
         end
         if not wrong then
            return list
         end
      end
   end
   return nil, why or OTHER
end

--- The outputs of a layer's forward.
function M.outputs(copy, input)
   return nested.tensors(copy:updateOutput(input))
end

return M
