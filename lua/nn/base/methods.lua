--- The methods of declared classes: `updateOutput` and its kin, made of checks and the class's own
-- `__computeOutput`, `__computeGradInput`, `__computeGradParameters`.
--
-- Each class has functions of its own, written out for its declaration: what a class does not use
-- costs nothing, and LuaJIT compiles each class's way by itself.
-- @module nn.base.methods

local torch = require 'torch'
local registry = require 'torch.class.registry'
local check = require 'nn.check'
local code = require 'nn.base.code'
local device = require 'nn.base.device'
local refusal = require 'nn.base.refusal'
local seam = require 'nn.base.seam'
local shape = require 'nn.base.shape'
local th = require 'torch.ffi'
local types = require 'torch.types'

local C = th.C

local M = {}

local CHUNK = code.source()

-- ${...} is there only where the declaration asks for it.
local LAYER = [[
local check_input, check_backward, missing, add_batch, drop_batch, batch_dims, accumulator,
   is_replaced, by_parts, types, elsewhere, there, writable = ...
local M = {}

function M:updateOutput(input)
   check_input(self, input)
   ${validate self:VALIDATE(input)}
   local output = self.output
   if output == nil then missing(self, 'output') end
   ${inplace if self.inplace then output:set(writable(input)) end}
   ${batch local single = input.ndim < batch_dims
   if single then input = add_batch(input) end}
   output = self:__computeOutput(output, input)
   ${batch if single then output = drop_batch(output) end}
   self.output = output
   return output
end

function M:updateGradInput(input, gradOutput)
   local gradInput = self.gradInput
   if not gradInput then
      return
   end
   check_backward(self, input, gradOutput)
   ${validate self:VALIDATE(input)}
   ${inplace if self.inplace then gradInput:set(writable(gradOutput)) end}
   ${batch local single = input.ndim < batch_dims
   if single then input, gradOutput = add_batch(input), add_batch(gradOutput) end}
   gradInput = self:__computeGradInput(gradInput, input, gradOutput)
   ${batch if single then gradInput = drop_batch(gradInput) end}
   self.gradInput = gradInput
   return gradInput
end

function M:accGradParameters(input, gradOutput, scale)
   check_backward(self, input, gradOutput)
   ${validate self:VALIDATE(input)}
   ${gradient if self.GRADIENT == nil then missing(self, 'GRADIENT') end}
   ${batch if input.ndim < batch_dims then
      input, gradOutput = add_batch(input), add_batch(gradOutput)
   end}
   self:__computeGradParameters(input, gradOutput, scale or 1)
end

${joint local own_gradient, own_parameters = M.updateGradInput, accumulator or M.accGradParameters
function M:backward(input, gradOutput, scale)
   if types.several and elsewhere(input) then
      return there(M.backward, self, input, gradOutput, scale)
   end
   if self.updateGradInput ~= own_gradient or self.accGradParameters ~= own_parameters then
      if is_replaced(self, own_gradient, own_parameters) then
         return by_parts(self, input, gradOutput, scale)
      end
   end
   check_backward(self, input, gradOutput)
   ${validate self:VALIDATE(input)}
   ${batch local single = input.ndim < batch_dims
   if single then input, gradOutput = add_batch(input), add_batch(gradOutput) end}
   local gradInput = self:__computeBackward(self.gradInput, input, gradOutput, scale or 1)
   ${batch if single and gradInput then gradInput = drop_batch(gradInput) end}
   self.gradInput = gradInput
   return gradInput
end}

return M]]

local CRITERION = [[
local check_any_input, check_input, read_target, buffer, beside, refusal = ...
local M = {}

function M:updateOutput(input, target)
   check_any_input(self, input)
   target = read_target(self, target, input)
   local loss, second = self:__computeOutput(buffer(self, input), input, target)
   if type(loss) ~= 'number' then
      loss = loss[1]
   end
   self.output = loss
   if loss ~= loss and refusal.stands then
      self:__refuseNaN(input, target)
   end
   if second then
      return loss, second
   end
   return loss
end

function M:updateGradInput(input, target)
   check_input(self, input)
   target = read_target(self, target, input)
   local gradInput = self:__computeGradInput(beside(self.gradInput, input), input, target)
   self.gradInput = gradInput
   return gradInput
end

return M]]

local function expand(template, wanted)
   return (template:gsub('%$(%b{})', function(part)
      local name, inner = part:match '^{(%a+)%s+(.*)}$'
      return wanted[name] and expand(inner, wanted) or ''
   end))
end

local texts = {} -- what they are written for -> methods: most classes are like another

-- The methods of a layer; `wanted` has names of its own in the place of VALIDATE and GRADIENT.
local function layer_text(wanted)
   local key = ('%s %s %s %s %s'):format(wanted.batch, wanted.joint, wanted.inplace,
      wanted.validate, wanted.gradient)
   texts[key] = texts[key] or expand(LAYER, wanted):gsub('VALIDATE', wanted.validate or '')
      :gsub('GRADIENT', wanted.gradient or '')
   return texts[key]
end

-- --- layers -------------------------------------------------------------------------------------

local function no_check() end

-- The checks of a layer whose input is a list of tensors, `wanted` of them where that is given.
local function table_checks(own, wanted)
   local function input(self, list, before)
      if torch.type(list) ~= 'table' or #list == 0 or (wanted and #list ~= wanted) then
         check.fail(self, 'input is %s, expected a table of %stensors%s', check.list(list),
            wanted and wanted .. ' ' or '', before and check.advice(list) or '')
      end
      if self[own] == nil then
         check.missing(self, own)
      end
      for i = 1, #list do
         check.tensor(self, self[own], list[i], 'input', i)
      end
   end
   return input, function(self, list, gradOutput)
      input(self, list, true)
      check.tensor(self, self[own], gradOutput, 'gradOutput')
   end
end

local function layer_checks(declaration)
   local own = declaration.own or 'output'
   if declaration.input == 'any' then
      return no_check, no_check
   elseif declaration.input == 'table' then
      return table_checks(own, declaration.tensors)
   end
   return shape.compile(own, declaration.input, declaration.output)
end

local function takes(declaration, field)
   for _, argument in ipairs(declaration.arguments) do
      if argument.field == field then
         return true
      end
   end
end

local GRADIENTS = { weight = 'gradWeight', bias = 'gradBias' }
local NO_TENSOR = { table = true, any = true }

-- Whether a layer, or a class derived from its own, has another way to one of its gradients:
-- scripts freeze a layer by `layer.accGradParameters = function() end`.
local function is_replaced(layer, own_gradient, own_parameters)
   return seam.plain(layer.updateGradInput) ~= own_gradient
      or seam.plain(layer.accGradParameters) ~= own_parameters
end

-- `weighted`: whether the class has parameters; others inherit `accGradParameters` of `root`.
local function layer_methods(declaration, weighted, root)
   local check_input, check_backward = layer_checks(declaration)
   local wanted = {
      batch = declaration.batch, joint = declaration.joint, validate = declaration.validate,
      -- A table of tensors is the class's own matter.
      inplace = takes(declaration, 'inplace') and not NO_TENSOR[declaration.input],
      gradient = GRADIENTS[declaration.own],
   }
   local own = code.run(layer_text(wanted), CHUNK, check_input, check_backward, check.missing,
      shape.add_batch, shape.drop_batch, declaration.batch and shape.batch_dims(declaration.input),
      not weighted and seam.plain(root.accGradParameters), is_replaced, seam.plain(root.backward),
      types, device.elsewhere, device.there, check.writable)
   own.__checkInput, own.__checkBackward = check_input, check_backward
   return own
end

-- --- criterions ---------------------------------------------------------------------------------

local function first_of(input)
   return torch.isTensor(input) and input or input[1]
end

-- Targets of an element type beside the input: the user's own, or `self.target` with their values.
local function typed_targets(self, target, input, dtype, wanted)
   local x = first_of(input)
   if check.suits(target, dtype, x) then
      return target
   end
   local buffer = self.target
   if not check.suits(buffer, dtype, x) then
      buffer = th.likeType(x, dtype)
      self.target = buffer
   end
   if type(target) == 'number' then
      buffer:resize(1):fill(target)
   elseif torch.isTensor(target) then
      buffer:resize(target:size()):copy(target)
   else
      check.fail(self, 'target is %s, expected %s', check.given(target), wanted)
   end
   return buffer
end

local targets = {
   any = function(_, target)
      return target
   end,
   classes = function(self, target, input)
      check.predictions(self, first_of(input))
      return typed_targets(self, target, input, C.TH_LONG, 'a class number or a tensor of them')
   end,
   signs = function(self, target, input)
      return typed_targets(self, target, input, first_of(input).dtype, '1, -1 or a tensor of them')
   end,
   tensor = function(self, target, input)
      check.predictions(self, input)
      check.same_type(self, input, 'input', target, 'target')
      check.count(self, target, input, 'target')
      return target
   end,
}

-- Where a loss is computed: one element of the input's type, beside it.
local function loss_buffer(self, input)
   local x = first_of(input)
   local buffer = self.output_tensor
   if not check.suits(buffer, x.dtype, x) then
      buffer = th.like(x):resize(1)
      self.output_tensor = buffer
   end
   return buffer
end

-- A criterion has no device of its own: gradInput follows the input.
local function beside(gradInput, input)
   return gradInput.device == input.device and gradInput or th.like(input)
end

-- The same for a table of tensors; a new criterion's gradInput is a tensor.
local function beside_each(gradInput, list)
   local gradients = torch.isTensor(gradInput) and {} or gradInput
   for i, x in ipairs(list) do
      gradients[i] = check.suits(gradients[i], x.dtype, x) and gradients[i] or th.like(x)
   end
   return gradients
end

-- The checks of a criterion whose input is a table of `wanted` tensors, alike in type and size.
local function tuple_checks(own, wanted)
   local function any(self, list)
      if torch.type(list) ~= 'table' or #list ~= wanted then
         local came = torch.type(list) == 'table' and ('a table of %d'):format(#list)
         check.fail(self, 'input is %s, expected a table of %d tensors',
            came or check.describe(list), wanted)
      end
      check.any_tensor(self, list[1], 'input 1')
      for i = 2, wanted do
         check.same_type(self, list[1], 'first', list[i], 'input', i)
         check.count(self, list[i], list[1], 'input', i)
      end
   end
   return function(self, list)
      any(self, list)
      if self[own] == nil then
         check.missing(self, own)
      end
      check.tensor(self, first_of(self[own]), list[1], 'input', 1)
   end, any
end

local function criterion_methods(declaration)
   local own = declaration.own or 'gradInput'
   local target = targets[declaration.target or 'tensor']
   -- The loss is computed for any type, as in Torch7; the gradient is of the criterion's type.
   if declaration.input == 'table' then
      local check_input, check_any = tuple_checks(own, declaration.tensors)
      return code.run(CRITERION, CHUNK, check_any, check_input, target, loss_buffer, beside_each,
         refusal)
   end
   local check_input, _, check_any = shape.compile(own, declaration.input)
   return code.run(CRITERION, CHUNK, check_any, check_input, target, loss_buffer, beside, refusal)
end

-- --- classes ------------------------------------------------------------------------------------

local written = setmetatable({}, { __mode = 'k' }) -- functions made here

local function descends(Class, name)
   while Class do
      if registry.names[Class] == name then
         return Class
      end
      Class = registry.parents[Class]
   end
end

-- Whether a class may get a method: the one it would inherit is the root's, or was made here.
local function may_replace(Parent, name, root)
   local inherited = seam.plain(registry.lookup(Parent, name))
   return inherited == nil or inherited == seam.plain(rawget(root, name)) or written[inherited]
end

--- The methods of a class that is to be made, without those that an ancestor defines by hand.
-- @param Parent
-- @tparam table declaration complete
-- @return name -> function
function M.of(Parent, declaration)
   local own, root
   if descends(Parent, 'nn.Criterion') then
      own, root = criterion_methods(declaration), descends(Parent, 'nn.Criterion')
   elseif descends(Parent, 'nn.Container') then
      return {}
   else
      local weighted = descends(Parent, 'nn.Weighted')
      root = descends(Parent, 'nn.Module')
      own = layer_methods(declaration, weighted, root)
      if not weighted then
         own.accGradParameters = nil -- Module's does nothing
      end
   end
   for name, f in pairs(own) do
      written[f] = true
      own[name] = may_replace(Parent, name, root) and f or nil
   end
   return own
end

return M
