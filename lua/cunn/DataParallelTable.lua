--- One module on several devices: each takes a part of the batch.
--
-- Every part has a replica of the module. `forward` cuts the input along `dimension`, runs the
-- replicas, and joins their outputs on the first device; `backward` does so with the gradients, and
-- adds the replicas' parameter gradients to those of the first, in the order of the parts. The
-- parameters are the first replica's; the others get them with the next `forward`, whoever wrote
-- them.
--
-- In deterministic mode (`cutorch.setOptions { deterministic = true }`) outputs and gradients
-- depend on the number of parts, not on where they are computed: with as many parts, one device
-- and four of its kind give the same bits.
-- @classmod nn.DataParallelTable
-- @example
-- local model = nn.Linear(3, 2):cuda()
-- local devices = torch.range(1, cutorch.getDeviceCount()):totable()
-- local net = nn.DataParallelTable(1):add(model, devices)
-- #net:forward(torch.CudaTensor(8, 3):zero()) --> { 8, 2 }
-- local same = nn.DataParallelTable(1):add(model:clone(), { 1 }, 4) -- the same cut, on one device
-- #same:forward(torch.CudaTensor(8, 3):zero()) --> { 8, 2 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local cutorch = require 'cutorch'
local batch = require 'cunn.batch'
local random = require 'cunn.parallel.random'

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
   local number = tonumber(dimension)
   if not number or number < 1 then
      fail('the dimension to split must be a number from 1 on, got %s', tostring(dimension))
   end
   self.dimension = math.floor(number)
   self.flattenParams = flattenParams or false
   self.useNCCL = useNCCL or false
   self.gpuAssignments = {}
   self.needsSync = false -- true: copy the parameters in any case
   self.train = true
end

--- Call a method of a replica on its device.
function Table:callReplica(i, method, ...)
   local id, module = self.gpuAssignments[i], self.modules[i]
   return cutorch.withDevice(id, self.rethrowErrors, self, module, i, method, ...)
end

require 'cunn.parallel.replicas'

-- --- forward and backward -----------------------------------------------------------------------

local function deterministic()
   return cutorch.getOptions().deterministic
end

-- Libraries may choose an algorithm by how memory is aligned: in deterministic mode every part has
-- memory of its own, as on a device that the batch is not on.
local function cut(self, whole, ranges)
   local parts, own = {}, deterministic()
   for i, range in ipairs(ranges) do
      parts[i] = cutorch.withDevice(self.gpuAssignments[i], batch.part, nil, whole, self.dimension,
         range, own)
   end
   return parts
end

-- What a replica's error says of its input is about a part; add what the user gave.
local function explain(err, input, part)
   Container.__explain(err, torch.isTensor(input)
      and ('\n(nn.DataParallelTable: the whole input is a %s of size %s; the module was given '
         .. 'a part of it, as a %s)'):format(torch.typename(input), check.describe(input),
         torch.typename(part)) or '')
end

-- The outputs of the parts.
local function runParts(self, parts)
   local outputs = {}
   local seed = deterministic() and cutorch.withDevice(self.gpuAssignments[1], random.take)
   for i, part in ipairs(parts) do
      if seed then
         outputs[i] = cutorch.withDevice(self.gpuAssignments[i], random.with, seed + i,
            self.callReplica, self, i, 'updateOutput', part)
      else
         outputs[i] = self:callReplica(i, 'updateOutput', part)
      end
   end
   return outputs
end

local function runForward(self, input, parts)
   local ok, outputs = pcall(runParts, self, parts)
   return ok and outputs or explain(outputs, input, parts[1])
end

local function gather(self, r, parts, name)
   return cutorch.withDevice(self.gpuAssignments[1], batch.join, r, parts, self.dimension, name)
end

function Table:updateOutput(input)
   if #self.modules == 0 then
      fail 'it has no module yet; give it one with add(module, gpus)'
   elseif #self.modules > 1 and self:hasNewParameters() then
      self:syncParameters()
   end
   local count = batch.size(input, self.dimension, 'input')
   self.ranges_ = batch.ranges(count, #self.modules)
   self.inputs_ = cut(self, input, self.ranges_)
   self.output = gather(self, self.output, runForward(self, input, self.inputs_), 'the output')
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

-- The other replicas add up from 0, and the first receives their sums in the order of the parts.
local function clearOthers(self)
   for i = 2, #self.modules do
      self:callReplica(i, 'zeroGradParameters')
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
end

--- What the three of a backward pass have in common.
-- @string method 'updateGradInput', 'accGradParameters', or 'backward' for both
-- @return gradInput, but after accGradParameters
function Table:__backward(method, input, gradOutput, scale)
   local results, parts = {}, cutGradient(self, input, gradOutput)
   local accumulates = method ~= 'updateGradInput'
   if accumulates then
      clearOthers(self)
   end
   for i, part in ipairs(parts) do
      results[i] = self:callReplica(i, method, self.inputs_[i], part, scale or 1)
   end
   if accumulates then
      sumGradients(self, #parts)
   end
   if method ~= 'accGradParameters' then
      return joinGradInput(self, results)
   end
end

function Table:updateGradInput(input, gradOutput)
   return self:__backward('updateGradInput', input, gradOutput)
end

function Table:accGradParameters(input, gradOutput, scale)
   self:__backward('accGradParameters', input, gradOutput, scale)
end

function Table:backward(input, gradOutput, scale)
   return self:__backward('backward', input, gradOutput, scale)
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
end

-- --- the rest of a module's contract ------------------------------------------------------------

function Table:zeroGradParameters()
   for i = 1, #self.modules do
      self:callReplica(i, 'zeroGradParameters')
   end
end

function Table:updateParameters(learningRate)
   self:callReplica(1, 'updateParameters', learningRate)
end

function Table:reset(stdv)
   self:callReplica(1, 'reset', stdv)
end

require 'cunn.parallel.copy'
