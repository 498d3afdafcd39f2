-- nn.DataParallelTable: the replicas, their parameters, and which device has which.

local torch = require 'torch'
local nn = require 'nn'
local th = require 'torch.ffi'
local cutorch = require 'cutorch'

local Table = nn.DataParallelTable

local function fail(message, ...)
   th.raise('nn.DataParallelTable: ' .. message:format(...))
end

-- Whether a module's parameters are on a device; one without parameters is at home everywhere.
local function isOn(module, id)
   for _, p in ipairs((module:parameters()) or {}) do
      if p.device_type ~= th.C.TH_CUDA then
         fail('its parameters are %ss; convert the module first: model:cuda()', torch.typename(p))
      elseif p:getDevice() ~= id then
         return false
      end
   end
   return true
end

-- Append replicas of a module, one for each device.
function Table:replicate(module, gpus)
   for _, id in ipairs(gpus) do
      local replica = module
      if #self.modules > 0 or not isOn(module, id) then
         replica = cutorch.withDevice(id, module.clone, module)
      end
      table.insert(self.modules, replica)
      table.insert(self.gpuAssignments, id)
   end
   self._type = module:type()
   cutorch.withDevice(self.gpuAssignments[1], function()
      local new = torch.getmetatable(self._type).new
      self.output, self.gradInput = new(), new()
   end)
   if self.flattenParams then
      self:flattenParameters()
   end
end

--- Put a module on devices. The module itself serves on the first if it is there.
-- @param module of a CUDA type
-- @tparam table gpus device numbers; the first one has the parameters and the output
-- @return self
function Table:add(module, gpus)
   gpus = type(gpus) == 'number' and { gpus } or gpus
   if type(gpus) ~= 'table' or #gpus == 0 then
      fail('add expects a module and a list of devices such as {1, 2}, got %s', torch.type(gpus))
   end
   local count, seen = cutorch.getDeviceCount(), {}
   for _, id in ipairs(self.gpuAssignments) do
      seen[id] = true
   end
   for _, id in ipairs(gpus) do
      if type(id) ~= 'number' or id < 1 or id > count or id % 1 ~= 0 then
         fail('device %s does not exist: there are 1 to %d', tostring(id), count)
      elseif seen[id] then
         fail('device %d is listed twice; a replica needs a device of its own', id)
      end
      seen[id] = true
   end
   isOn(module, gpus[1])
   self:replicate(module, gpus)
   return self
end

--- Torch7 ran replicas in threads of their own; here one thread keeps all devices busy, because
-- operations return before they are done.
-- @func[opt] initFunc what a thread would have run first; run here
-- @return self
function Table:threads(initFunc)
   if initFunc then
      initFunc()
   end
   return self
end

--- Let each replica have its parameters in one tensor. Earlier results of getParameters go stale.
function Table:flattenParameters()
   self.flattenParams = true
   self.flattenedParams = {}
   for i, module in ipairs(self.modules) do
      self.flattenedParams[i] = { cutorch.withDevice(self.gpuAssignments[i], module.getParameters,
         module) }
   end
end

--- The first replica's parameters and gradients, each in one tensor.
function Table:getParameters()
   self:flattenParameters()
   return self.flattenedParams[1][1], self.flattenedParams[1][2]
end

--- The parameters and gradients of each replica: a list of { parameters, gradients }.
function Table:moduleParameters()
   local result = {}
   for i, module in ipairs(self.modules) do
      if self.flattenedParams then
         local flat = self.flattenedParams[i]
         result[i] = { { flat[1] }, { flat[2] } }
      else
         local parameters, gradients = module:parameters()
         result[i] = { parameters or {}, gradients or {} }
      end
   end
   return result
end

--- The first replica's.
function Table:parameters()
   local first = self.modules[1]
   if first then
      return first:parameters()
   end
end

--- Copy the first replica's parameters to the others.
function Table:syncParameters()
   local all = self:moduleParameters()
   for i = 2, #all do
      for k, p in ipairs(all[i][1]) do
         p:copy(all[1][1][k])
      end
   end
   self.needsSync = false
end
