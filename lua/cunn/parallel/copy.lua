--- nn.DataParallelTable: copies, other types, files.
-- @module cunn.parallel.copy
local torch = require 'torch'
local nn = require 'nn'
local th = require 'torch.ffi'

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
   self.ranges_, self.inputs_, self.gradOutputs_ = nil, nil, nil
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
local TRANSIENT = { ranges_ = true, inputs_ = true, gradOutputs_ = true, flattenedParams = true,
   synced_ = true }

function Table:write(file)
   local fields = {}
   for key, value in pairs(self) do
      if not TRANSIENT[key] then
         fields[key] = value
      end
   end
   fields.modules = { self.modules[1] }
   file:writeObject(fields)
end

function Table:read(file)
   local fields = file:readObject()
   if type(fields) ~= 'table' or type(fields.modules) ~= 'table'
      or type(fields.gpuAssignments) ~= 'table' then
      error('the fields of a ' .. torch.type(self) .. ' are missing', 0)
   end
   local module, gpus = fields.modules[1], fields.gpuAssignments
   for key, value in pairs(fields) do
      self[key] = value
   end
   self.modules, self.gpuAssignments = {}, {}
   if module then
      self:replicateAgain(module, gpus)
   end
end

function Table:__tostring__()
   return ('%s: devices %s x %s'):format(torch.type(self), table.concat(self.gpuAssignments, ', '),
      tostring(self.modules[1]))
end
