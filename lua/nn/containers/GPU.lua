--- A module on a device of its own: inputs are copied there, outputs to `outdevice`, gradients to
-- where the input came from.
--
-- As long as the net is on the CPU everything passes through; the module moves when the net is
-- converted to a CUDA type. `getParameters` gives lists then, a vector for each device, on which
-- `optim.groups { optim.adam }` steps; `net:zeroGradParameters()` and `optim.clipGradNorm` do what
-- one vector's methods would.
-- @classmod nn.GPU
-- @usage
-- net = nn.Sequential():add(nn.GPU(nn.Linear(10000, 10000), 1))
-- net:add(nn.GPU(nn.Linear(10000, 10000), 2, 1)):cuda() -- the output is on device 1 again

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local passes = require 'nn.containers.passes'
local types = require 'torch.types'
local raise = require('torch.errors').raise
local C = require('torch.ffi').C

local GPU, Decorator = nn.declare('nn.GPU', 'nn.Decorator', {
   arguments = [[
      ...
      device     size           of the module, from 1 on
      outdevice  size = device  of its output
   ]],
})

-- --- devices ------------------------------------------------------------------------------------

local function is_cuda(x)
   return torch.isTensor(x) and x.device_type ~= C.TH_CPU
end

local function is_cuda_type(typename)
   return math.floor((types.numbers[typename] or 0) / 16) ~= C.TH_CPU
end

-- The device of a nest, by its first tensor; nil on the CPU.
local function device_of(nest)
   local x = nested.first(nest)
   return is_cuda(x) and x:getDevice() or nil
end

-- f(...) with a device as the current one; a CPU build has no cutorch.
local function on(device, f, ...)
   return require('cutorch').withDevice(device, f, ...)
end

-- To be called with x's new device as the current one.
local function copy(old, x, device)
   if not is_cuda(x) then
      return x
   elseif torch.typename(old) ~= torch.typename(x) or old:getDevice() ~= device then
      old = x.new()
   end
   return old:resize(x:size()):copy(x)
end

-- A nest on a device: itself, or a copy in the field `name`.
local function moved(self, name, nest, device)
   if not device or device_of(nest) == device then
      return nest
   end
   self[name] = on(device, nested.into, copy, self[name], nest, device)
   return self[name]
end

--- The device of all tensors of a module, or of a table: those inside other nn.GPU are left out.
-- @param obj
-- @int[opt] device the one they must be on
-- @treturn int nil where there is no CUDA tensor
-- @raise "nn.GPU: a tensor is on device 2, others are on device 1"
function GPU.recursiveModuleDevice(obj, device) -- into objects, too, which nests do not look into
   if type(obj) == 'table' and not torch.isTypeOf(obj, 'nn.GPU') then
      for _, value in pairs(obj) do
         device = GPU.recursiveModuleDevice(value, device)
      end
   elseif is_cuda(obj) and obj:nElement() > 0 then
      if device and device ~= obj:getDevice() then
         raise(('nn.GPU: a tensor is on device %d, others are on device %d'):format(
            obj:getDevice(), device))
      end
      device = obj:getDevice()
   end
   return device
end

--- Copy a nest of tensors; each goes to the device of its counterpart.
-- @param[opt] dst tensors to copy into
-- @param src tensor or nested table of tensors
-- @param proto a nest of the same structure
-- @return dst, made anew where it does not fit
function GPU.recursiveSetDevice(dst, src, proto)
   return nested.zip(function(old, pair)
      local device = device_of(pair[2])
      return device and on(device, copy, old, pair[1], device) or pair[1]
   end, dst, { src, proto })
end

-- The CPU's class of the same elements.
local function host_type(typename)
   return types.names[types.numbers[typename] % 16]
end

--- Move the module to a device. Tensors elsewhere that shared its memory do so no longer.
-- @int[opt] device default: the one it shall be on
-- @return self
function GPU:setDevice(device)
   self.device = device or self.device
   local module, typename = self.modules[1], self._type
   if is_cuda_type(typename) then
      module:type(torch.typename(torch[host_type(typename) .. 'Tensor'].new()))
      on(self.device, module.type, module, typename)
   end
   return self
end

--- Convert; the module's tensors come to be on its device.
function GPU:type(typename, cache)
   if typename and is_cuda_type(typename) then
      return on(self.device, Decorator.type, self, typename, cache)
   end
   return Decorator.type(self, typename, cache)
end

function GPU:__initialize(module)
   Decorator.__initialize(self, module)
   local typename = module:type()
   if typename and typename ~= self._type then
      self:type(typename)
   end
   if typename and is_cuda_type(typename) then
      self:setDevice()
   end
end

--- The module's parameters and gradients, each in one tensor on its device.
-- @treturn Tensor parameters, 1-D
-- @treturn Tensor gradients, 1-D
function GPU:getParameters()
   if is_cuda_type(self._type) then
      return on(self.device, Decorator.getParameters, self)
   end
   return Decorator.getParameters(self)
end

--- Write the type and the device, then the fields, as Torch7 does.
-- @tparam torch.File file
function GPU:write(file)
   file:writeObject { self._type, self.device }
   Decorator.write(self, file)
end

--- Read what `write` wrote.
-- @tparam torch.File file
-- @int version
function GPU:read(file, version)
   file:readObject()
   Decorator.read(self, file, version)
end

-- Files are read onto the current device.
function GPU:__upgrade(_)
   local device = GPU.recursiveModuleDevice(self.modules[1])
   if device and device ~= self.device then
      self:setDevice()
   end
end

-- --- the passes ---------------------------------------------------------------------------------

-- Call a method of the module on its device.
function GPU:__pass(method, input, gradOutput, factor)
   local home = device_of(input)
   if not home then
      return Decorator.__pass(self, method, input, gradOutput, factor)
   end
   local gx = on(self.device, Decorator.__pass, self, method,
      moved(self, '_input', input, self.device),
      gradOutput and moved(self, '_gradOutput', gradOutput, self.device), factor)
   return passes.gives_gradient[method] and gx and moved(self, '_gradInput', gx, home) or nil
end

function GPU:updateOutput(input)
   local y
   if device_of(input) then
      y = on(self.device, Decorator.updateOutput, self, moved(self, '_input', input, self.device))
   else
      y = Decorator.updateOutput(self, input)
   end
   self.output = moved(self, '_output', y, device_of(y) and self.outdevice)
   return self.output
end

GPU.__buffers = { '_input', '_output', '_gradOutput', '_gradInput' }

function GPU:__tostring__()
   return ('%s(%d) @ %s'):format(torch.type(self), self.device, tostring(self.modules[1]))
end
