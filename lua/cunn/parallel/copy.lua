--- nn.DataParallelTable: copies, other types, files.
-- @module cunn.parallel.copy
local torch = require 'torch'
local nn = require 'nn'
local th = require 'torch.ffi'
local cutorch = require 'cutorch'

local Table = nn.DataParallelTable

local function fail(message, ...)
   th.raise('nn.DataParallelTable: ' .. message:format(...))
end

function Table.share()
   fail 'its replicas are on several devices and cannot share tensors; use get(1)'
end

--- A deep copy, on the same devices.
function Table:clone(...)
   if select('#', ...) > 0 then
      fail 'its replicas are on several devices: clone() shares no tensors; use get(1):clone(...)'
   end
   return nn.Module.clone(self)
end

--- Convert to another CUDA type.
function Table:type(typename, cache)
   if not typename then
      return self._type
   elseif not typename:match '^torch%.Cuda' then
      fail('cannot become a %s; for the module on the CPU: model:get(1):clone():float()', typename)
   end
   self:dropBuffers()
   for i = 1, #self.modules do
      self:callReplica(i, 'type', typename, i == 1 and cache or nil)
   end
   self._type = typename
   if self.flattenedParams then
      self:flattenParameters()
   end
   return self
end

--- Forget parts and outputs.
function Table:dropBuffers()
   self.count_, self.inputs_, self.gradOutputs_ = nil, nil, nil
   local name = self._type:match '^torch%.Cuda' and self._type or 'torch.CudaTensor'
   local new = torch.getmetatable(name).new
   self.output, self.gradInput = new(), self.gradInput and new()
end

function Table:clearState()
   for i = 1, #self.modules do
      self:callReplica(i, 'clearState')
   end
   self:dropBuffers()
   return self
end

-- Files hold the first replica; the others are made again on reading.
local TRANSIENT = { count_ = true, inputs_ = true, gradOutputs_ = true, flattenedParams = true,
   synced_ = true, impl = true }

-- As Torch7 counts the layouts of its files. Since 2 the list of devices comes before the fields.
Table.__version = 3

--- Write to a file as Torch7 does: the list of devices, then the fields, with the first replica.
function Table:__write(file)
   local fields = {}
   for key, value in pairs(self) do
      if not TRANSIENT[key] then
         fields[key] = value
      end
   end
   fields.modules = { self.modules[1] }
   file:writeObject(self.gpuAssignments)
   file:writeObject(fields)
end

-- How many devices are to take part, whatever the file says; nil: those that it names.
local function assignments(gpus)
   local count = nn.DataParallelTable.deserializeNGPUs
   if not count then
      return gpus
   end
   local list = {}
   for id = 1, count do
      list[id] = id
   end
   return list
end

local function is_list(gpus)
   return type(gpus) == 'table' and type(gpus[1] or 1) == 'number' and not gpus.modules
end

-- What the first device does: parameters come to lie on the current one.
local function fields_of(file, gpus)
   local first = gpus[1]
   if type(first) == 'number' and first >= 1 and first <= cutorch.getDeviceCount() then
      return cutorch.withDevice(first, file.readObject, file)
   end
   return file:readObject()
end

--- Read from a file that this library or Torch7 wrote. The module comes to the devices that it was
-- on, as far as they are here; `nn.DataParallelTable.deserializeNGPUs = n` puts it on the first n
-- instead.
function Table:__read(file)
   local gpus = file:readObject()
   local fields = gpus
   if is_list(gpus) then
      gpus = assignments(gpus)
      fields = fields_of(file, gpus)
   elseif type(fields) == 'table' and is_list(fields.gpuAssignments) then
      gpus = assignments(fields.gpuAssignments)
   end
   if type(fields) ~= 'table' or type(fields.modules) ~= 'table' or not is_list(gpus) then
      error('the fields of a ' .. torch.type(self) .. ' are missing', 0)
   end
   for key, value in pairs(fields) do
      if not TRANSIENT[key] then
         self[key] = value
      end
   end
   self.modules, self.gpuAssignments = {}, {}
   self.impl = nn.DataParallelTable.Basic(self)
   if fields.modules[1] then
      self:replicateAgain(fields.modules[1], gpus)
   end
end

function Table:__tostring__()
   return ('%s: devices %s x %s'):format(torch.type(self), table.concat(self.gpuAssignments, ', '),
      tostring(self.modules[1]))
end
