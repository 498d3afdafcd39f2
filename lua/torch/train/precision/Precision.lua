--- Mixed precision: a network of floats whose products are computed in bfloat16 or half.
--
-- The weights, their gradients, the statistics and the optimiser's state stay float, and so does
-- what `precision/types` names; the other layers compute in the type that comes to them. While it
-- is attached, calls of the network's layers go by way of `nn.seam`: a layer that computes in the
-- lower type does it by a twin whose weights are those of the layer, rounded once after each step,
-- and whose gradients are added to the layer's. Containers with branches get and give float. The
-- network's output is float. Source: Micikevicius et al., "Mixed precision training", ICLR 2018
-- (arXiv:1710.03740).
-- @classmod train.Precision
-- @example
-- local nn, train = require 'nn', require 'torch.train'
-- local net = nn.Sequential():add(nn.Linear(4, 3)):add(nn.LogSoftMax()):float()
-- local precision = train.Precision(net, 'bfloat16')
-- precision:attach()
-- local y = net:forward(torch.FloatTensor(2, 4):fill(1))
-- torch.type(net:get(1).output), torch.type(y) --> 'torch.BFloat16Tensor', 'torch.FloatTensor'
-- precision:detach()

local torch = require 'torch'
local nested = require 'nn.nested'
local nn = require 'nn'
local device = require 'nn.base.device'
local casts = require 'torch.train.precision.casts'
local roles = require 'torch.train.precision.roles'
local twins = require 'torch.train.precision.twins'
local train = require 'torch.train.module'
local options = require 'torch.options'

local cast, cast_like, some_float = casts.cast, casts.cast_like, casts.some_float

local Precision = torch.class('train.Precision', train)

local NAMES = {
   ['torch.FloatTensor'] = { bfloat16 = 'torch.BFloat16Tensor', half = 'torch.HalfTensor' },
   ['torch.CudaTensor'] = { bfloat16 = 'torch.CudaBFloat16Tensor', half = 'torch.CudaHalfTensor' },
}
local WEAK = { __mode = 'k' }

--- @param model nn.Module of floats, on the CPU or a CUDA device; an nn.DataParallelTable: each
-- replica then has layers of its own in the lower type; or a distributed.Pipeline, whose stages
-- hand tensors of the lower type on
-- @string name 'bfloat16' or 'half'
-- @raise "train.Precision: the model is a torch.DoubleTensor, expected floats: model:float()"
function Precision:__init(model, name)
   if not torch.isTypeOf(model, 'nn.Module') then
      options.fail('train.Precision: expected a network, got %s', options.describe(model))
   end
   options.value('train.Precision', 'precision', name, { 'bfloat16', 'half' })
   if not NAMES[model:type()] then
      options.fail('train.Precision: the model is a %s, expected floats: model:float() or '
         .. 'model:cuda()',
         model:type())
   end
   self.model, self.float, self.low = model, model:type(), NAMES[model:type()][name]
   self.memory = setmetatable({}, WEAK) -- layer -> what belongs to it
end

local function remembered(self, module)
   local memory = self.memory[module]
   if not memory then
      memory = {}
      self.memory[module] = memory
   end
   memory.casts = memory.casts or { input = {}, output = {}, gradOutput = {}, gradInput = {} }
   return memory
end

-- --- calls --------------------------------------------------------------------------------------

-- The type that a layer computes in.
local function target_of(self, role, input)
   if role == 'low' then
      return self.low
   elseif role == 'any' and not some_float(self, input) then
      return casts.some(self, input) and self.low or self.float
   end
   return self.float
end

-- What a module has in its field is a cast, or its twin's: it writes to its own.
local function own_buffer(memory, module, field)
   local own = memory['own_' .. field]
   if own == nil then
      own = memory.fresh[field]
   end
   if own ~= nil and module[field] ~= nil then
      module[field] = own
   end
end

local function run_forward(self, call, module, role, input)
   local memory = remembered(self, module)
   memory.source, memory.target = input, target_of(self, role, input)
   memory.fresh = memory.fresh
      or { output = rawget(module, 'output'), gradInput = rawget(module, 'gradInput') }
   memory.input = (role == 'passing') and input
      or cast(self, input, memory.target, memory.casts.input)
   local output
   if role == 'passing' or role == 'branching' then
      own_buffer(memory, module, 'output')
      output = call(module, memory.input)
      memory.own_output = output
   elseif memory.target == self.low then
      self.inside = true
      output = twins.forward(memory, module, self.low, memory.input)
      self.inside = false
   else
      own_buffer(memory, module, 'output')
      self.inside = true
      output = call(module, memory.input)
      self.inside = false
      memory.own_output = output
   end
   memory.output = output
   if self.edge[module] then
      output = cast(self, output, self.float, memory.casts.output)
   end
   module.output = output
   return output
end

local function run_backward(self, call, module, role, method, input, gradOutput, scale)
   local memory = remembered(self, module)
   if not rawequal(memory.source, input) then
      memory.source = input
      memory.input = role == 'passing' and input
         or cast(self, input, memory.target or self.float, memory.casts.input)
   end
   local g = cast_like(self, gradOutput, memory.output, memory.casts.gradOutput)
   local gradInput
   if role == 'passing' or role == 'branching' then
      own_buffer(memory, module, 'gradInput')
      gradInput = call(module, memory.input, g, scale)
      memory.own_gradInput = gradInput
   elseif memory.target == self.low then
      self.inside = true
      gradInput = twins.backward(memory, module, method, memory.input, g, scale)
      self.inside = false
   else
      own_buffer(memory, module, 'gradInput')
      self.inside = true
      gradInput = call(module, memory.input, g, scale)
      self.inside = false
      memory.own_gradInput = gradInput
   end
   if method == 'accGradParameters' then
      return
   end
   gradInput = cast_like(self, gradInput, input, memory.casts.gradInput)
   if module.gradInput ~= nil then
      module.gradInput = gradInput
   end
   return gradInput
end

local FORWARD = { forward = true, updateOutput = true }
local BACKWARD = { backward = true, updateGradInput = true, accGradParameters = true }

local function finish(self, module, ...)
   self.busy[module] = nil
   return ...
end

local function seen(self, call, module, method, ...)
   local role = self.roles[module]
   if self.inside or not role or self.busy[module] then
      return call(module, ...)
   elseif FORWARD[method] then
      self.busy[module] = true
      return finish(self, module, run_forward(self, call, module, role, ...))
   elseif BACKWARD[method] then
      self.busy[module] = true
      return finish(self, module, run_backward(self, call, module, role, method, ...))
   end
   options.fail('train.Precision: %s:%s is not done in lower precision; use forward and backward',
      torch.typename(module), method)
end

local function in_float(self, buffer)
   if nested.is_table(buffer) then
      return cast(self, buffer, self.float, {})
   end
   return buffer.new():type(self.float)
end

-- Buffers of the lower type are no use to a layer of floats. New ones are where they were: a
-- replica's on its device.
local function give_back(self, module)
   for _, name in ipairs { 'output', 'gradInput' } do
      local buffer = rawget(module, name)
      if nested.is_table(buffer)
         or torch.isTensor(buffer) and torch.typename(buffer) == self.low then
         if device.elsewhere(buffer) then
            module[name] = device.there(in_float, self, buffer)
         else
            module[name] = in_float(self, buffer)
         end
      end
   end
end

-- A copy of a stage, for another micro-batch: its layers' weights of the lower type are those of
-- the stage's layers.
local function adopt(self, copy, stage)
   local layers = stage:listModules()
   for i, module in ipairs(copy:listModules()) do
      local layer = layers[i]
      if self.roles[layer] then
         self.roles[module], self.edge[module] = self.roles[layer], self.edge[layer]
         remembered(self, module).base = remembered(self, layer)
         give_back(self, module) -- it was copied with buffers that belonged to a twin
      end
   end
end

local function is_pipeline(model)
   return torch.isTypeOf(model, 'distributed.Pipeline')
end

--- From now on the network computes in the lower type.
-- @return whether it did not before
function Precision:attach()
   self.inside, self.busy = false, {}
   if self.off then
      return false
   end
   roles.assign(self)
   if is_pipeline(self.model) then
      self.model:__watchCopies(function(copy, stage)
         adopt(self, copy, stage)
      end)
   end
   for _, memory in pairs(self.memory) do
      memory.twin = nil -- options of layers may have changed
   end
   self.off = nn.seam.attach(function(call, module, method, ...)
      return seen(self, call, module, method, ...)
   end)
   return true
end

--- Let go of what belongs to the last batch, so that the network can be saved.
function Precision:release()
   for module, memory in pairs(self.memory) do
      memory.source, memory.input, memory.output, memory.casts = nil, nil, nil, nil
      memory.wide = nil
      memory.fresh, memory.own_output, memory.own_gradInput = nil, nil, nil
      give_back(self, module)
   end
end

--- The network computes in float again.
function Precision:detach()
   if self.off then
      self.off()
      self.off = nil
      if is_pipeline(self.model) then
         self.model:__watchCopies(nil)
      end
      self:release()
   end
end
