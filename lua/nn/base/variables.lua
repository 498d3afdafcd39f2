--- Layers and criterions on Variables: `forward` of a Variable records one node, whose way back is
-- the layer's own `updateGradInput` and `accGradParameters`.
--
--    if types.variables and on_variables(self, input) then
--       return forward_variables(self, input)
--    end
--
-- `types.variables` is set when a program makes the first Variable: without any there is nothing to
-- ask. Which object computes a call while others wait for backward: nn.base.twins.
-- @module nn.base.variables

local torch = require 'torch'
local functions = require 'torch.variables.functions'
local own_forward = require 'nn.base.own_forward'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'
local errors = require 'torch.errors'
local check = require 'nn.check'
local nested = require 'nn.nested'
local recomputed = require 'nn.base.recomputed'
local twins = require 'nn.base.twins'
local th = require 'torch.ffi'

local type = type -- torch puts its own in the global's place

local C, is_tensor, raise = th.C, th.isTensor, errors.raise
local needs = C.TH_Variable_needsGradient
local each = twins.each
local tensors_of = nested.tensors

local M = {}

-- module -> whether its parameters count as Variables; false: they are not to learn
local marks = setmetatable({}, { __mode = 'k' })
local anchor -- a leaf for calls that are recorded without a Variable in their input
local learning, frozen = false, false -- whether anything was ever marked so

local function is_variable(x)
   return is_tensor(x) and x.flags ~= 0 and needs(x)
end

local function learns(part)
   return marks[part] or nil
end

local function is_marked(object)
   return learning and each(object, learns) or false
end

--- Whether a call with this input is to be recorded. Where it is not, and an earlier call waits for
-- what it would write over, that goes on elsewhere.
function M.concerns(object, input)
   if C.TH_Gradient_recording() and (nested.any(is_variable, input) or is_marked(object)) then
      return true
   end
   twins.make_room(object)
   return false
end

local function detached(t)
   return t:detach()
end

local function plain(x)
   return nested.map(detached, x)
end

local function copied(t)
   return t:detach():clone()
end

-- --- recording ----------------------------------------------------------------------------------

-- Gradients that a layer has computed past the record: going on from them is an error.
local function sealed(object, g, along, why)
   local copy = g:clone()
   functions.record(function()
      raise(('%s: gradients of gradients do not go through it, since %s; a function of Variables '
         .. '(torch.tanh, x * w, ...) has them'):format(torch.type(object), why))
   end, { copy }, along, {})
   return copy
end

local function is_still(part)
   return marks[part] == false
end

-- Layers may have a gradient of another form, as one for each feature there is, whatever features
-- the input has; then `__ofVariables` gives that of the input's form.
local function check_form(object, gradient, input)
   if not C.TH_isSameSize(gradient, input) or gradient:type() ~= input:type() then
      raise(('%s: its gradInput is %s where the input is %s: a form of its own, so the input '
         .. 'cannot be a Variable; give it plain tensors, and mark the parameters: '
         .. 'layer:requiresGrad()')
         :format(torch.type(object), check.describe(gradient), check.describe(input)))
   end
end

-- A node of `object` from inputs to outputs; back(worker, input, gradients, accumulate) gives the
-- gradient of the input, nested as that is; again(copy, input) the outputs of a forward that is
-- recorded. `read`: what else the way back reads. The closure holds no output: that would hold the
-- node, which holds the closure.
local function record(object, worker, input, outputs, read, sources, back, again)
   local inputs = tensors_of(input)
   local count, form, name = #inputs, nested.form(input), torch.type(object)
   local saved = { unpack(inputs) }
   for i = 1, #read do
      saved[count + i] = read[i]
   end
   for i = 1, #sources do
      inputs[count + i] = sources[i]
   end
   local call = twins.wait(worker, object)
   local function derive(run, turn)
      th.check(C.TH_Backward_check(run))
      local gradients, tensors, along = {}, {}, {}
      for i = 1, turn.outputs do
         gradients[i] = pass.gradient(run, i - 1, true) -- layers may work in place
         along[i] = gradients[i]
      end
      for i = 1, count do
         tensors[i] = pass.saved(run, i)
         along[#along + 1] = tensors[i]
      end
      local own = nested.map(C.TH_Gradient_recording() and copied or detached, gradients)
      local list = tensors_of(recording.with(false, twins.back, call, back,
         nested.with(form, plain(tensors)), own, turn.leaves))
      local recorded, why
      for i = 1, count do
         if C.TH_Backward_needs(run, i - 1) and list[i] then
            check_form(object, list[i], tensors[i])
         else
            list[i] = false
         end
      end
      if C.TH_Gradient_recording() then
         recorded, why = recomputed.gradients(call.worker, nested.with(form, tensors), tensors,
            gradients, list, again, is_still)
      end
      for i = 1, count do
         local g = recorded and recorded[i] or list[i]
         if g then
            th.check(C.TH_Backward_give(run, i - 1, why and sealed(object, g, along, why) or g))
         end
      end
   end
   local function ending()
      twins.leave(call)
   end
   if not functions.record(derive, outputs, inputs, saved, ending, name) then
      ending()
   end
end

-- --- layers -------------------------------------------------------------------------------------

-- Whether forward may write over the input: a layer in place, before which nothing has made memory
-- of its own.
local function writes_input(module)
   if module.inplace then
      return true
   end
   local modules = type(module.modules) == 'table' and module.modules or {}
   local sequence = torch.type(module) == 'nn.Sequential'
   for i = 1, #modules do
      if writes_input(modules[i]) then
         return true
      elseif sequence and modules[i].weight then
         return false
      end
   end
   return false
end

local function is_frozen(part, list)
   if marks[part] == false then
      list[#list + 1] = part
   end
end

local function nothing() end

-- module:accGradParameters(...), in which parts that are not to learn have no share.
local function accumulate_some(still, module, input, gradient)
   local own = {}
   for i, part in ipairs(still) do
      own[i] = rawget(part, 'accGradParameters')
      rawset(part, 'accGradParameters', nothing)
   end
   local ok, err = pcall(module.accGradParameters, module, input, gradient, 1)
   for i, part in ipairs(still) do
      rawset(part, 'accGradParameters', own[i])
   end
   if not ok then
      error(err, 0)
   end
end

local function renormalises(part)
   return part.maxNorm and true or nil
end

-- The parameters, which must not change before backward. Layers that renormalise theirs in forward
-- (nn.LookupTable) do not read them on the way back.
local function parameters_of(module)
   return not each(module, renormalises) and module.parameters and module:parameters() or {}
end

-- The gradient by the input of an object that has written one of the two methods.
local function gradient_of(object, ...)
   local writes = own_forward.writes
   if writes(object, 'backward') and not writes(object, 'updateGradInput') then
      return object:backward(...)
   end
   return object:updateGradInput(...)
end

--- module:forward(input) as a node of the record.
-- @param ... what else the module's forward takes
-- @return output, nested as the module's
function M.forward(module, input, ...)
   local worker = twins.idle(module)
   if worker ~= module then
      M.copy_marks(worker, module)
   end
   local in_place = writes_input(worker)
   local given = nested.map(in_place and copied or detached, input)
   local output = recording.with(false, worker.forward, worker, given, ...)
   local shown = plain(output)
   local form = nested.form(shown)
   local kept = in_place and given
   local others = nested.any(is_variable, input) and worker.__ofVariables
   local function back(object, x, gradients, accumulate)
      local gradOutput = nested.with(form, gradients)
      x = kept or x -- what forward has made of it
      local list = {}
      if frozen then
         each(object, is_frozen, list)
      end
      if accumulate and #list == 0 then
         object:backward(x, gradOutput, 1)
      else
         gradient_of(object, x, gradOutput, 0)
         if accumulate and list[1] ~= object then
            accumulate_some(list, object, x, gradOutput)
         end
      end
      return others and others(object, x, gradOutput) or object.gradInput
   end
   local sources = is_marked(module) and { anchor } or {}
   record(module, worker, input, tensors_of(shown), parameters_of(worker), sources, back,
      recomputed.outputs)
   return shown
end

--- criterion:forward(input, target) as a node: the loss as a Variable of one element.
-- @param ... what else the criterion's forward takes
function M.loss(criterion, input, target, ...)
   local worker = twins.idle(criterion)
   local wanted, others = plain(target), { ... }
   local loss = recording.with(false, worker.forward, worker, plain(input), wanted, ...)
   local result = tensors_of(input)[1]:detach()
   result = result.new(1):fill(loss)
   record(criterion, worker, input, { result }, tensors_of(wanted), {},
      function(object, x, gradients)
         local factor = gradients[1]:item()
         return nested.map(function(g)
            return g * factor
         end, gradient_of(object, x, wanted, unpack(others)))
      end, function(copy, x)
         local y = copy:updateOutput(x, wanted, unpack(others))
         return { is_tensor(y) and y or copy.output_tensor } -- where others compute their number
      end)
   return result
end

--- Say whether parameters count as Variables, of a module and of all inside it: whether `forward`
-- of plain tensors is recorded, too. False: they are not to learn.
function M.mark(module, on)
   anchor = anchor or torch.Tensor(1):fill(0):requiresGrad()
   learning, frozen = learning or on, frozen or not on
   each(module, function(part)
      marks[part] = on
   end)
end

--- The same marks for a copy of a module.
function M.copy_marks(copy, module)
   marks[copy] = marks[module]
   local mine, others = copy.modules, module.modules
   for i = 1, type(others) == 'table' and type(mine) == 'table' and #others or 0 do
      M.copy_marks(mine[i], others[i])
   end
end

return M
