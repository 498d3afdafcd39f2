--- One module on several devices: each takes a part of the batch.
--
-- Every device has a replica of the module. `forward` cuts the input along `dimension`, runs the
-- replicas, and joins their outputs on the first device; `backward` does so with the gradients, and
-- adds the replicas' parameter gradients to those of the first, in the order of the devices. The
-- parameters are the first replica's; the others get them before the next `forward`.
-- @classmod nn.DataParallelTable
-- @usage net = nn.DataParallelTable(1):add(model:cuda(), { 1, 2, 3, 4 })

local torch = require 'torch'
local nn = require 'nn'
local th = require 'torch.ffi'
local cutorch = require 'cutorch'
local batch = require 'cunn.batch'

local Table, Container = torch.class('nn.DataParallelTable', 'nn.Container', nn)

local function fail(message, ...)
   th.raise('nn.DataParallelTable: ' .. message:format(...))
end

--- @int dimension the one that counts samples: 1 for N x ...
-- @bool[opt=false] flattenParams keep each replica's parameters in one tensor, so that they are
-- copied in one piece
-- @bool[opt=false] useNCCL accepted for scripts written for Torch7; copies between devices are
-- CUDA's own, and sums have a fixed order
function Table:__init(dimension, flattenParams, useNCCL)
   Container.__init(self)
   if type(dimension) ~= 'number' or dimension < 1 then
      fail('the dimension to split must be a number from 1 on, got %s', tostring(dimension))
   end
   self.dimension = dimension
   self.flattenParams = flattenParams or false
   self.useNCCL = useNCCL or false
   self.gpuAssignments = {}
   self.needsSync = false
   self.train = true
end

-- Call a method of a replica on its device.
local function call(self, i, method, ...)
   local id, module = self.gpuAssignments[i], self.modules[i]
   return cutorch.withDevice(id, self.rethrowErrors, self, module, i, method, ...)
end

-- --- replicas -----------------------------------------------------------------------------------

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

local function replicate(self, module, gpus)
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
   replicate(self, module, gpus)
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

-- --- forward and backward -----------------------------------------------------------------------

local function cut(self, whole, ranges)
   local parts = {}
   for i, range in ipairs(ranges) do
      parts[i] = cutorch.withDevice(self.gpuAssignments[i], batch.part, nil, whole, self.dimension,
         range)
   end
   return parts
end

local function gather(self, r, parts, name)
   return cutorch.withDevice(self.gpuAssignments[1], batch.join, r, parts, self.dimension, name)
end

function Table:updateOutput(input)
   if #self.modules == 0 then
      fail 'it has no module yet; give it one with add(module, gpus)'
   elseif self.needsSync then
      self:syncParameters()
   end
   local count = batch.size(input, self.dimension, 'input')
   self.ranges_ = batch.ranges(count, #self.modules)
   self.inputs_ = cut(self, input, self.ranges_)
   local outputs = {}
   for i, part in ipairs(self.inputs_) do
      outputs[i] = call(self, i, 'updateOutput', part)
   end
   self.output = gather(self, self.output, outputs, 'the output')
   return self.output
end

-- The parts of gradOutput for the input's parts.
local function cutGradient(self, input, gradOutput)
   if not self.inputs_ then
      fail 'backward needs the forward before it'
   end
   local n = batch.size(gradOutput, self.dimension, 'gradOutput')
   local last = self.ranges_[#self.ranges_]
   local count = batch.size(input, self.dimension, 'input')
   if n ~= count or count ~= last[1] + last[2] - 1 then
      fail('gradOutput has %d samples, input has %d, and the last forward had %d', n, count,
         last[1] + last[2] - 1)
   end
   self.gradOutputs_ = cut(self, gradOutput, self.ranges_)
   return self.gradOutputs_
end

local function joinGradInput(self, parts)
   if self.gradInput and parts[1] then
      self.gradInput = gather(self, self.gradInput, parts, 'gradInput')
   end
   return self.gradInput
end

local function gradients(self)
   local all = self:moduleParameters()
   for i = 1, #all do
      all[i] = all[i][2]
   end
   return all
end

-- The other replicas add up from 0, and the first receives their sums in the order of the devices.
local function clearOthers(self)
   for i = 2, #self.modules do
      call(self, i, 'zeroGradParameters')
   end
end

local function sumGradients(self, parts)
   local all = gradients(self)
   cutorch.withDevice(self.gpuAssignments[1], function()
      for i = 2, parts do
         for k, g in ipairs(all[i]) do
            all[1][k]:add(g.new():resizeAs(g):copy(g))
         end
      end
   end)
   self.needsSync = true
end

function Table:updateGradInput(input, gradOutput)
   local results = {}
   for i, part in ipairs(cutGradient(self, input, gradOutput)) do
      results[i] = call(self, i, 'updateGradInput', self.inputs_[i], part)
   end
   return joinGradInput(self, results)
end

function Table:accGradParameters(input, gradOutput, scale)
   local parts = cutGradient(self, input, gradOutput)
   clearOthers(self)
   for i, part in ipairs(parts) do
      call(self, i, 'accGradParameters', self.inputs_[i], part, scale or 1)
   end
   sumGradients(self, #parts)
end

function Table:backward(input, gradOutput, scale)
   local results, parts = {}, cutGradient(self, input, gradOutput)
   clearOthers(self)
   for i, part in ipairs(parts) do
      results[i] = call(self, i, 'backward', self.inputs_[i], part, scale or 1)
   end
   sumGradients(self, #parts)
   return joinGradInput(self, results)
end

--- parameters <- parameters - lr * gradient, the gradients left as they were.
function Table:accUpdateGradParameters(input, gradOutput, lr)
   local parameters, own = self:parameters()
   local before = {}
   for k, g in ipairs(own or {}) do
      before[k] = g:clone()
      g:zero()
   end
   self:accGradParameters(input, gradOutput, 1)
   for k, p in ipairs(parameters or {}) do
      p:add(-lr, own[k])
      own[k]:copy(before[k])
   end
   self.needsSync = true
end

-- --- the rest of a module's contract ------------------------------------------------------------

function Table:zeroGradParameters()
   for i = 1, #self.modules do
      call(self, i, 'zeroGradParameters')
   end
end

function Table:updateParameters(learningRate)
   call(self, 1, 'updateParameters', learningRate)
   self.needsSync = true
end

function Table:reset(stdv)
   call(self, 1, 'reset', stdv)
   self.needsSync = true
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
      call(self, i, 'type', typename, i == 1 and cache or nil)
   end
   self._type = typename
   if self.flattenedParams then
      self:flattenParameters()
   end
   return self
end

-- Forget parts and outputs.
function Table:dropBuffers()
   self.ranges_, self.inputs_, self.gradOutputs_ = nil, nil, nil
   local name = self._type:match '^torch%.Cuda' and self._type or 'torch.CudaTensor'
   local new = torch.getmetatable(name).new
   self.output, self.gradInput = new(), self.gradInput and new()
end

function Table:clearState()
   for i = 1, #self.modules do
      call(self, i, 'clearState')
   end
   self:dropBuffers()
   return self
end

-- Files hold the first replica; the others are made again on reading.
local TRANSIENT = { ranges_ = true, inputs_ = true, gradOutputs_ = true, flattenedParams = true }

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
   local module, gpus = fields.modules[1], fields.gpuAssignments
   for key, value in pairs(fields) do
      self[key] = value
   end
   self.modules, self.gpuAssignments = {}, {}
   -- A machine with fewer devices takes larger parts of the batch on each.
   local count, present = cutorch.getDeviceCount(), {}
   for _, id in ipairs(gpus) do
      if id <= count then
         present[#present + 1] = id
      end
   end
   if module then
      replicate(self, module, #present > 0 and present or { 1 })
   end
end

function Table:__tostring__()
   return ('%s: devices %s x %s'):format(torch.type(self), table.concat(self.gpuAssignments, ', '),
      tostring(self.modules[1]))
end
