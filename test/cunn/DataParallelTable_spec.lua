local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local cutorch = require 'cutorch'

local function messageOf(f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   return message
end

-- A layer whose operations every CUDA build has: y = w * x, by element-wise products of small
-- integers, so that sums of any order give the same bits.
local spec = {}
local Scale = torch.class('spec.Scale', 'nn.Module', spec)
function Scale:__init(features)
   nn.Module.__init(self)
   self.weight = torch.range(1, features)
   self.gradWeight = torch.DoubleTensor(features):fill(0)
end
local function rows(x, f)
   for i = 1, x:size(1) do
      f(i, x[i])
   end
end
function Scale:updateOutput(input)
   self.output:resizeAs(input)
   rows(input, function(i, x) self.output[i]:cmul(x, self.weight) end)
   return self.output
end
function Scale:updateGradInput(input, gradOutput)
   self.gradInput:resizeAs(input)
   rows(gradOutput, function(i, g) self.gradInput[i]:cmul(g, self.weight) end)
   return self.gradInput
end
function Scale:accGradParameters(input, gradOutput, scale)
   rows(input, function(i, x) self.gradWeight:addcmul(scale or 1, x, gradOutput[i]) end)
end
function Scale:zeroGradParameters() -- by a copy: every CUDA build has that
   self.gradWeight:copy(torch.FloatTensor(self.gradWeight:size()):zero())
end

describe('nn.DataParallelTable #cuda', function()
   local devices, single, parallel, input, gradOutput

   before_each(function()
      cutorch.setDevice(1)
      devices = {}
      for id = 1, cutorch.getDeviceCount() do
         devices[id] = id
      end
      single = spec.Scale(4):cuda()
      parallel = nn.DataParallelTable(1):add(single:clone(), devices)
      input = torch.range(1, 28):remainder(5):view(7, 4):float():cuda()
      gradOutput = torch.range(1, 28):remainder(3):view(7, 4):float():cuda()
   end)

   it('computes what one device computes, bit for bit', function()
      for round = 1, 2 do
         assert.same(single:forward(input):totable(), parallel:forward(input):totable())
         assert.same(single:backward(input, gradOutput):totable(),
            parallel:backward(input, gradOutput):totable())
         local w, g = parallel:parameters()
         assert.same(single.gradWeight:totable(), g[1]:totable(), 'after round ' .. round)
         assert.equal(1, w[1]:getDevice())
         assert.equal(1, parallel.output:getDevice())
      end
   end)

   it('gives the others the parameters of the first before each forward', function()
      for _ = 1, 3 do
         for _, net in ipairs { single, parallel } do
            net:zeroGradParameters()
            net:forward(input)
            net:backward(input, gradOutput)
            net:updateParameters(0.5)
         end
      end
      assert.same(single:forward(input):totable(), parallel:forward(input):totable())
      for _, replica in ipairs(parallel.modules) do
         assert.same(single.weight:totable(), replica.weight:totable())
      end
   end)

   it('gives the others what anybody writes to the parameters, and nothing else', function()
      local replica = parallel.modules[#devices]
      local function agrees()
         local y = parallel:forward(input)
         single.weight:copy(parallel:get(1).weight)
         assert.is_true(y:equal(single:forward(input)))
         assert.is_true(replica.weight:float():equal(single.weight:float()))
      end
      agrees()
      parallel:get(1).weight:fill(0) -- by an operation
      agrees()
      parallel:get(1).weight[2] = 5 -- by an element
      agrees()
      parallel:get(1).weight:set(torch.CudaTensor(4):fill(7)) -- by giving it other memory
      agrees()
      local flat, gradients = parallel:getParameters()
      flat:fill(3)
      agrees()
      gradients:fill(1)
      parallel:updateParameters(2)
      agrees()
      -- What nobody writes is not copied again.
      parallel:forward(input)
      replica.weight:fill(100)
      parallel:forward(input)
      assert.equal(100, replica.weight[1])
      parallel.needsSync = true
      parallel:forward(input)
      assert.is_true(replica.weight[1] ~= 100)
   end)

   it('works with parameters in one tensor', function()
      parallel = nn.DataParallelTable(1, true):add(single:clone(), devices)
      local w, g = parallel:getParameters()
      assert.same({ 4 }, w:size():totable())
      parallel:zeroGradParameters()
      parallel:forward(input)
      parallel:backward(input, gradOutput, 2)
      single:backward(input, gradOutput, 2)
      assert.same(single.gradWeight:totable(), g:totable())
      w:add(-1, g)
      single.weight:add(-1, single.gradWeight)
      assert.same(single:forward(input):totable(), parallel:forward(input):totable())
   end)

   it('takes batches on the CPU, batches of fewer samples than devices, and tables', function()
      assert.same(single:forward(input):totable(), parallel:forward(input:float()):totable())
      local one = input:narrow(1, 3, 1)
      assert.same(single:forward(one):totable(), parallel:forward(one):totable())
      single:zeroGradParameters()
      single:backward(one, gradOutput:narrow(1, 3, 1))
      parallel:zeroGradParameters()
      parallel:backward(one, gradOutput:narrow(1, 3, 1))
      assert.same(single.gradWeight:totable(), parallel:get(1).gradWeight:totable())
      local batch = require 'cunn.batch'
      local cut = { input, { input:select(2, 1), n = input } }
      local parts = {}
      for i, range in ipairs(batch.ranges(7, 3)) do
         parts[i] = batch.part(nil, cut, 1, range)
      end
      local joined = batch.join(nil, parts, 1, 'x')
      assert.same(input:totable(), joined[1]:totable())
      assert.same(input:select(2, 1):totable(), joined[2][1]:totable())
      assert.same(input:totable(), joined[2].n:totable())
   end)

   it('cuts as evenly as possible', function()
      local ranges = require('cunn.batch').ranges
      assert.same({ { 1, 3 }, { 4, 3 }, { 7, 4 } }, ranges(10, 3))
      assert.same({ { 1, 1 }, { 2, 1 } }, ranges(2, 4))
   end)

   it('steps without changing the gradients', function()
      parallel:forward(input)
      parallel:zeroGradParameters()
      parallel:accUpdateGradParameters(input, gradOutput, 0.5)
      single:zeroGradParameters()
      single:accGradParameters(input, gradOutput)
      single:updateParameters(0.5)
      assert.same(single.weight:totable(), parallel:get(1).weight:totable())
      assert.same({ 0, 0, 0, 0 }, parallel:get(1).gradWeight:totable())
   end)

   it('adds up the gradients of what layers share once', function()
      local first = spec.Scale(4)
      local second = first:clone('weight', 'gradWeight')
      local net = nn.Sequential():add(first):add(second):cuda()
      single, parallel = net, nn.DataParallelTable(1):add(net:clone(), devices)
      for _, module in ipairs { single, parallel } do
         module:forward(input)
         module:zeroGradParameters()
         module:backward(input, gradOutput)
      end
      assert.same(first.gradWeight:totable(), parallel:get(1):get(2).gradWeight:totable())
      parallel:accUpdateGradParameters(input, gradOutput, 0.5)
      local stepped = first.weight:clone():add(-0.5, first.gradWeight):totable()
      assert.same(stepped, parallel:get(1):get(1).weight:totable())
      assert.same(first.gradWeight:totable(), parallel:get(1):get(1).gradWeight:totable())
   end)

   it('is cloned, saved and loaded with its devices', function()
      parallel:forward(input)
      parallel:clearState()
      local clone = parallel:clone()
      local loaded = torch.deserialize(torch.serialize(parallel))
      for _, net in ipairs { clone, loaded } do
         assert.same(devices, net.gpuAssignments)
         assert.equal(#devices, #net.modules)
         assert.equal(#devices, net:get(#devices).weight:getDevice())
         assert.same(parallel:forward(input):totable(), net:forward(input):totable())
      end
   end)

   it('is cloned and loaded with the fields that are false', function()
      parallel:evaluate()
      assert.is_false(parallel:clone().train)
      assert.is_false(torch.deserialize(torch.serialize(parallel)).train)
   end)

   it('converts to other CUDA types and stays on its devices', function()
      parallel:type 'torch.CudaDoubleTensor'
      assert.equal('torch.CudaDoubleTensor', parallel:type())
      assert.equal(#devices, parallel:get(#devices).weight:getDevice())
      local y = parallel:forward(input:cudaDouble())
      assert.equal('torch.CudaDoubleTensor', torch.typename(y))
      assert.matches('get(1)', messageOf(parallel.float, parallel), 1, true)
   end)

   it('tells what is wrong', function()
      local cases = {
         { 'from 1 on', nn.DataParallelTable },
         { ('there are 1 to %d'):format(#devices), parallel.add, nn.DataParallelTable(1), single,
            { #devices + 1 } },
         { 'listed twice', parallel.add, nn.DataParallelTable(1), single, { 1, 1 } },
         { 'a list of devices', parallel.add, nn.DataParallelTable(1), single, 'all' },
         { 'model:cuda()', parallel.add, nn.DataParallelTable(1), spec.Scale(4), { 1 } },
         { 'no module yet', parallel.forward, nn.DataParallelTable(1), input },
         { 'a table of tensors, got number', parallel.forward, parallel, 3 },
         { 'dimension 1', parallel.forward, parallel, torch.CudaTensor() },
         { 'numbers must agree', parallel.forward, parallel, { input, input:narrow(1, 1, 2) } },
         { 'needs the forward', parallel.backward, nn.DataParallelTable(1):add(single, { 1 }),
            input, gradOutput },
         { 'cannot share', parallel.share, parallel, single, 'weight' },
      }
      for _, case in ipairs(cases) do
         local message = messageOf(unpack(case, 2))
         assert.matches(case[1], message, 1, true)
         assert.matches('nn.DataParallelTable', message, 1, true)
      end
      parallel:forward(input)
      assert.matches('gradOutput has 2 samples, input has 7', messageOf(parallel.backward, parallel,
         input, gradOutput:narrow(1, 1, 2)), 1, true)
      assert.equal(1, cutorch.getDevice())
   end)

   it('names the whole input when a part of it is refused', function()
      local net = nn.DataParallelTable(1):add(nn.Linear(3, 2):cuda(), { 1, 2 })
      local message = messageOf(net.forward, net, torch.DoubleTensor(4, 3))
      assert.matches('nn.Linear: input is a torch.CudaDoubleTensor', message, 1, true)
      assert.matches('the whole input is a torch.DoubleTensor of size 4x3', message, 1, true)
      local outer = nn.Sequential():add(nn.Identity()):add(net)
      message = messageOf(outer.forward, outer, torch.FloatTensor(4, 5))
      assert.matches(': net.2.1: nn.Linear: ', message, 1, true)
      assert.not_matches('stack traceback', message, 1, true)
      assert.matches('input is 2x5, expected N x 3', message, 1, true)
      assert.matches('the whole input is a torch.FloatTensor of size 4x5', message, 1, true)
      message = messageOf(net.add, net, nn.Tanh, { 3 })
      assert.matches('nn.DataParallelTable: got the class nn.Tanh', message, 1, true)
   end)
end)
