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
local wholes_of = require('torch.sharing').wholes
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
   self.impl = nn.DataParallelTable.Basic(self)
end

--- Call a method of a replica on its device.
function Table:callReplica(i, method, ...)
   local id, module = self.gpuAssignments[i], self.modules[i]
   return cutorch.withDevice(id, self.rethrowErrors, self, module, i, method, ...)
end

require 'cunn.parallel.executors'
require 'cunn.parallel.parts'
require 'cunn.parallel.replicas'

-- --- forward and backward -----------------------------------------------------------------------

local function deterministic()
   return cutorch.getOptions().deterministic
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

function Table:updateOutput(input)
   if #self.modules == 0 then
      fail 'it has no module yet; give it one with add(module, gpus)'
   elseif #self.modules > 1 and self:hasNewParameters() then
      self:syncParameters()
   end
   self.count_ = batch.size(input, self.dimension, 'input')
   self.inputs_ = self:_distribute({}, input)
   self.output = self:_concat(self.output, runForward(self, input, self.inputs_))
   return self.output
end

-- The parts of gradOutput for the input's parts.
local function cutGradient(self, input, gradOutput)
   if not self.inputs_ then
      fail 'backward needs the forward before it'
   end
   local n = batch.size(gradOutput, self.dimension, 'gradOutput')
   local count = batch.size(input, self.dimension, 'input')
   if n ~= count or count ~= self.count_ then
      fail('gradOutput has %d samples, input has %d, and the last forward had %d', n, count,
         self.count_)
   end
   self.gradOutputs_ = self:_distribute({}, gradOutput)
   return self.gradOutputs_
end

local function joinGradInput(self, parts)
   if self.gradInput and parts[1] then
      self.gradInput = self:_concat(self.gradInput, parts)
   end
   return self.gradInput
end

-- The other replicas add up from 0, and the first receives their sums in the order of the parts.
local function clearOthers(self)
   for i = 2, #self.modules do
      self:callReplica(i, 'zeroGradParameters')
   end
end

-- The gradients of the first replicas, a list for each.
local function gradients(self, count)
   local lists = {}
   for i, pair in ipairs(self:moduleParameters()) do
      lists[i] = i <= count and pair[2] or nil
   end
   return lists
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
      self:_reduce(gradients(self, #parts))
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
   local wholes, before = wholes_of(own or {}), {}
   for k, g in ipairs(own or {}) do
      if wholes[k] == k then
         before[k] = g:clone()
         g:zero()
      end
   end
   self:accGradParameters(input, gradOutput, 1)
   for k, p in ipairs(parameters or {}) do
      if wholes[k] == k then
         p:add(-lr, own[k])
         own[k]:copy(before[k])
      end
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
