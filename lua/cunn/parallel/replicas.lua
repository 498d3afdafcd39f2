--- nn.DataParallelTable: the replicas, their parameters, and which device has which.
-- @module cunn.parallel.replicas
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
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

-- The device of each part: neighbouring parts together, as evenly as possible.
local function spread(gpus, parts)
   local result = {}
   for i = 1, parts do
      result[i] = gpus[math.ceil(i * #gpus / parts)]
   end
   return result
end

--- Append replicas of a module, one for each device in the list.
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
-- @int[opt] parts into how many a batch is cut: default one for each device. With more, a device
-- has a replica for each of its parts and runs them one after the other.
-- @return self
function Table:add(module, gpus, parts)
   check.module(self, module)
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
         fail('device %d is listed twice; for several parts on a device give their number: '
            .. 'add(module, gpus, parts)', id)
      end
      seen[id] = true
   end
   parts = parts or #gpus
   if type(parts) ~= 'number' or parts < #gpus or parts % 1 ~= 0 then
      fail('parts is %s, expected a number of at least %d: one for each device', tostring(parts),
         #gpus)
   end
   isOn(module, gpus[1])
   self:replicate(module, spread(gpus, parts))
   return self
end

--- What a file holds, on the devices that are here: where some are missing the others take larger
-- parts, or, where devices had several parts, more of them.
function Table:replicateAgain(module, gpus)
   local count, listed, present = cutorch.getDeviceCount(), {}, {}
   local devices = 0
   for _, id in ipairs(gpus) do
      if not listed[id] then
         listed[id] = true
         devices = devices + 1
         if id <= count then
            present[#present + 1] = id
         end
      end
   end
   if #present == 0 then
      present[1] = 1
   end
   local parts = #gpus > devices and #gpus or #present
   self:replicate(module, spread(present, parts))
end

--- Torch7 ran replicas in threads of their own; here one thread keeps all devices busy, because
-- operations return before they are done.
-- @func[opt] initFunc what a thread would have run first; run here
-- @return self
function Table:threads(initFunc)
   self.impl:close()
   self.impl = nn.DataParallelTable.Threads(self, initFunc)
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

--- The replicas' parameters in one tensor each again, after a replica was changed or exchanged.
-- The first replica's stay where they are, and so does what getParameters gave. Nothing where
-- parameters are not kept flat.
function Table:_reflattenReplicaParameters()
   if self.flattenedParams then
      for i = 2, #self.modules do
         self.flattenedParams[i] = { self:callReplica(i, 'getParameters') }
      end
      self.needsSync = true
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

-- What memory the first replica's parameters have, and how often it was written: storages count
-- their writes, whoever makes them. A list of addresses and counts, by turns.
local function writes(parameters)
   local list = {}
   for i, p in ipairs(parameters) do
      local store = p.store
      if store ~= nil then
         list[2 * i - 1], list[2 * i] = tonumber(ffi.cast('intptr_t', store)), store.version[0]
      else
         list[2 * i - 1], list[2 * i] = 0, 0
      end
   end
   return list
end

local function first_parameters(self)
   local flat = self.flattenedParams
   return flat and { flat[1][1] } or self:parameters() or {}
end

--- Whether the first replica's parameters have been written since the others got them.
function Table:hasNewParameters()
   local known = self.synced_
   if self.needsSync or not known then
      return true
   end
   local now = writes(first_parameters(self))
   for i = 1, math.max(#now, #known) do
      if now[i] ~= known[i] then
         return true
      end
   end
   return false
end

--- Copy the first replica's parameters to the others. `forward` does so where they have been
-- written since.
function Table:syncParameters()
   local parameters = {}
   for i, pair in ipairs(self:moduleParameters()) do
      parameters[i] = pair[1]
   end
   self:_broadcast(parameters)
   self.synced_ = writes(first_parameters(self))
   self.needsSync = false
end
