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

local needs = th.C.TH_Variable_needsGradient

local M = {}

local OTHER = 'its forward, run once more and recorded, does not give the gradient of its '
   .. 'backward: it draws numbers, or its gradient is not the derivative'

-- Where a tensor's elements are, as a key.
local function elements_of(t)
   return ('%s %s'):format(tostring(t.store), tostring(t.offset))
end

-- A copy that keeps nothing of earlier calls but what it has drawn, and its parameters as leaves.
local function copy_of(worker, is_frozen)
   local copy, noises = worker:clone(), {}
   twins.each(copy, function(part)
      if torch.isTensor(part.noise) then
         noises[part] = part.noise:clone()
      end
   end)
   twins.each(copy, function(part)
      if part.clearState and not part.modules then -- containers may let modules go
         part:clearState()
      end
      if part.inplace then
         part.inplace = false
      end
      if noises[part] then
         part.noise, part.again = noises[part], true
      end
   end)
   local leaves = {}
   if copy.parameters then
      local still = {}
      twins.each(copy, function(part)
         for _, p in ipairs(is_frozen(part) and part:parameters() or {}) do
            still[p] = true
         end
      end)
      local mine = copy:parameters()
      local parameters, gradients = worker:parameters()
      local leaf_of = {}
      for i, p in ipairs(mine or {}) do
         if not still[p] and not leaf_of[elements_of(p)] then
            local leaf = parameters[i]:detach():requiresGrad()
            leaf.grad = gradients[i]
            leaf_of[elements_of(p)] = leaf
            leaves[#leaves + 1] = leaf
         end
      end
      local function set(p)
         local leaf = leaf_of[elements_of(p)]
         if leaf and leaf:isSameSizeAs(p) then
            p:set(leaf) -- recorded: a view of the leaf
         end
      end
      twins.each(copy, function(part) -- several may share one
         for _, p in ipairs(part.parameters and part:parameters() or {}) do
            set(p)
         end
      end)
   end
   return copy, leaves
end

-- Whether the gradients are those of the layer's own backward.
local function agree(found, expected)
   local tolerance = torch.typename(found):find 'Double' and 1e-7 or 1e-3
   found, expected = found:detach():double(), expected:double()
   if not found:isSameSizeAs(expected) then
      return false
   end
   local distance = torch.abs(found - expected):max()
   return distance <= tolerance * math.max(1, torch.abs(expected):max())
end

-- The outputs of a copy, recorded. `careful`: its derivatives read copies, whatever it writes over
-- later on; and since layers that write their output part by part want it known as one into which
-- Variables are written, it is that, of its sizes at once.
local function outputs_of(copy, input, again, gradient, careful)
   if not careful then
      return again(copy, input)
   elseif torch.isTensor(copy.output) then
      copy.output = gradient:detach():clone():zero():requiresGrad(false)
   end
   local before = th.C.TH_Gradient_copy(true)
   local ok, list = pcall(again, copy, input)
   th.C.TH_Gradient_copy(before)
   if not ok then
      error(list, 0)
   end
   return list
end

local function find(worker, input, variables, gradients, again, is_frozen, careful)
   local copy, leaves = copy_of(worker, is_frozen)
   local roots, given = {}, {}
   for i, y in ipairs(outputs_of(copy, input, again, gradients[1], careful)) do
      if needs(y) then
         roots[#roots + 1], given[#given + 1] = y, gradients[i]
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
      if not found[i] then
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
         why = why or 'its forward cannot be recorded (' .. tostring(found):gsub('\n.*', '') .. ')'
      else
         local list, wrong = {}, false
         for k, i in ipairs(places) do
            list[i] = found[k] or expected[i]:clone():zero()
            wrong = wrong or not agree(list[i], expected[i])
         end
         if not wrong then
            return list
         end
      end
   end
   return nil, why or OTHER
end

--- The outputs of a layer's forward. A layer that detaches what it is given has `__recorded`.
function M.outputs(copy, input)
   local f = copy.__recorded or copy.updateOutput
   return nested.tensors(f(copy, input))
end

return M
