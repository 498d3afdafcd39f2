--- Layers and criterions on Variables: `forward` of a Variable records one node, whose way back is
-- the layer's own `updateGradInput` and `accGradParameters`.
--
--    if types.variables and on_variables(self, input) then
--       return forward_variables(self, input)
--    end
--
-- `types.variables` is set when a program makes the first Variable: without any there is nothing to
-- ask. What a layer keeps from `forward` for its `backward` belongs to one call. So a layer that is
-- used again before backward has passed works by a twin, which shares its parameters and their
-- gradients.
-- @module nn.base.variables

local torch = require 'torch'
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'
local errors = require 'torch.errors'
local check = require 'nn.check'
local nested = require 'nn.nested'
local th = require 'torch.ffi'

local type = type -- torch puts its own in the global's place

local C, is_tensor, raise = th.C, th.isTensor, errors.raise
local needs = C.TH_Variable_needsGradient

local tensors_of = nested.tensors

local M = {}

local marked = setmetatable({}, { __mode = 'k' }) -- module whose parameters count as Variables
local busy = setmetatable({}, { __mode = 'k' }) -- modules whose backward has not passed
local twins = setmetatable({}, { __mode = 'k' }) -- module -> list of its twins

local function has_variable(x)
   if is_tensor(x) then
      return x.flags ~= 0 and needs(x)
   elseif type(x) == 'table' then
      for _, item in pairs(x) do
         if has_variable(item) then
            return true
         end
      end
   end
   return false
end

--- Whether a call with this input is to be recorded.
function M.concerns(module, input)
   return C.TH_Gradient_recording() and (marked[module] ~= nil or has_variable(input))
end

local function detached(t)
   return t:detach()
end

local function plain(x)
   return nested.map(detached, x)
end

local SHARED = { 'running_mean', 'running_var' }

local function share(twin, module)
   local own, gradients = twin:parameters()
   local parameters, sums = module:parameters()
   for i = 1, own and #own or 0 do
      own[i]:set(parameters[i])
      gradients[i]:set(sums[i])
   end
   local list, originals = twin:listModules(), module:listModules()
   for i = 1, #list do
      for _, name in ipairs(SHARED) do
         if is_tensor(list[i][name]) then
            list[i][name]:set(originals[i][name])
         end
      end
      list[i].train = originals[i].train
   end
end

-- The module, or a twin of it that has nothing to remember.
local function idle(module)
   functions.sweep()
   if not busy[module] then
      return module
   end
   local list = twins[module] or {}
   twins[module] = list
   for _, twin in ipairs(list) do
      if not busy[twin] then
         if twin.parameters then
            share(twin, module)
         end
         return twin
      end
   end
   local twin = module:clone()
   if twin.parameters then
      share(twin, module)
   end
   list[#list + 1] = twin
   return twin
end

-- Gradients that a layer has computed past the record: going on from them is an error.
local function sealed(object, g, along)
   if not C.TH_Gradient_recording() then
      return g
   end
   local copy = g:clone()
   functions.record(function()
      raise(('%s: gradients of gradients do not go through layers; a function of Variables '
         .. '(torch.tanh, x * w, ...) has them'):format(torch.type(object)))
   end, { copy }, along, {})
   return copy
end

-- Sparse layers give a gradient for each feature there is, whatever features the input has.
local function check_form(object, gradient, input)
   if not C.TH_isSameSize(gradient, input) then
      raise(('%s: its gradInput is %s where the input is %s: a form of its own, so the input '
         .. 'cannot be a Variable; give it plain tensors, and mark the parameters: '
         .. 'layer:requiresGrad()')
         :format(torch.type(object), check.describe(gradient), check.describe(input)))
   end
end

-- A node of `object` from inputs to outputs; back(input, gradients, accumulate) gives the gradient
-- of the input, nested as that is.
local function record(object, worker, input, outputs, sources, back)
   local saved = tensors_of(input)
   local kept = {}
   for i, t in ipairs(saved) do
      kept[i] = t:detach()
   end
   local shape = nested.with(input, kept)
   busy[worker] = true
   local function derive(run, turn)
      local gradients, inputs = {}, {}
      for i = 1, turn.outputs do
         gradients[i] = pass.gradient(run, i - 1)
      end
      for i = 1, #saved do
         inputs[i] = pass.saved(run, i)
      end
      local plainGradients = plain(gradients)
      local result = torch.noGrad(back, nested.with(shape, plain(inputs)), plainGradients,
         turn.leaves)
      local list = tensors_of(result)
      local along = {}
      for _, g in ipairs(gradients) do
         along[#along + 1] = g
      end
      for _, x in ipairs(inputs) do
         along[#along + 1] = x
      end
      for i = 1, #saved do
         if C.TH_Backward_needs(run, i - 1) and list[i] then
            check_form(object, list[i], saved[i])
            th.check(C.TH_Backward_give(run, i - 1, sealed(object, list[i], along)))
         end
      end
   end
   local inputs = saved
   if sources then
      inputs = { unpack(saved) }
      for _, t in ipairs(sources) do
         inputs[#inputs + 1] = t
      end
   end
   local recorded = functions.record(derive, outputs, inputs, saved, function()
      busy[worker] = nil
   end)
   if not recorded then
      busy[worker] = nil
   end
end

--- module:forward(input) as a node of the record.
-- @return output, nested as the module's
function M.forward(module, input)
   local worker = idle(module)
   local from = plain(input)
   local output = torch.noGrad(worker.forward, worker, from)
   local shown = plain(output)
   if worker ~= module then
      module.output = output
   end
   -- A module whose parameters are Variables is recorded whatever its input is.
   local sources = marked[module] and { marked[module] } or nil
   record(module, worker, input, tensors_of(shown), sources, function(x, gradients, accumulate)
      local gradOutput = nested.with(shown, gradients)
      worker:updateGradInput(x, gradOutput)
      if accumulate then
         worker:accGradParameters(x, gradOutput, 1)
      end
      return worker.gradInput
   end)
   return shown
end

--- criterion:forward(input, target) as a node: the loss as a Variable of one element.
-- @param ... what else the criterion's forward takes
function M.loss(criterion, input, target, ...)
   local worker = idle(criterion)
   local wanted, others = plain(target), { ... }
   local loss = torch.noGrad(worker.forward, worker, plain(input), wanted, ...)
   criterion.output = loss
   local result = tensors_of(input)[1]:detach()
   result = result.new(1):fill(loss)
   record(criterion, worker, input, { result }, nil, function(x, gradients)
      local gradInput = worker:updateGradInput(x, wanted, unpack(others))
      return nested.map(function(g)
         return g * gradients[1]:item()
      end, gradInput)
   end)
   return result
end

--- Say whether a module's parameters count as Variables: whether `forward` of plain tensors is
-- recorded, too.
function M.mark(module, on)
   marked[module] = on and torch.Tensor(1):fill(0):requiresGrad() or nil
end

return M
