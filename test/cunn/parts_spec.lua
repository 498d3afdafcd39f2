-- nn.DataParallelTable's inner parts, as subclasses and scripts of Torch7's days use them; files.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local cutorch = require 'cutorch'

describe('Of nn.DataParallelTable #cuda', function()
   local net, input, gpus

   before_each(function()
      cutorch.setDevice(1)
      gpus = { 1, math.min(2, cutorch.getDeviceCount()) }
      gpus[2] = gpus[2] ~= gpus[1] and gpus[2] or nil
      net = nn.DataParallelTable(1):add(nn.Linear(3, 2):cuda(), gpus, 2)
      input = torch.range(1, 15):view(5, 3):cuda()
   end)

   it('_distribute gives each device its part and _concat puts parts together', function()
      local parts = net:_distribute({}, { input, input:select(2, 1) })
      assert.equal(2, #parts)
      assert.same({ 2, 3 }, parts[1][1]:size():totable())
      assert.same({ 3 }, parts[2][2]:size():totable())
      assert.equal(net.gpuAssignments[2], parts[2][1]:getDevice())
      local whole = net:_concat(nil, parts)
      assert.same(input:totable(), whole[1]:totable())
      assert.same(input:select(2, 1):totable(), whole[2]:totable())
      assert.equal(1, whole[1]:getDevice())
      assert.equal(1, #net:_distribute({}, input:narrow(1, 1, 1)), 'no part is empty')
   end)

   it('_distributeTensorRecursive gives a part, _concatTensorRecursive joins them', function()
      local parts = {}
      for i = 1, 4 do
         parts[i] = net:_distributeTensorRecursive(nil, input, i, 4)
      end
      assert.same({ { 10, 11, 12 }, { 13, 14, 15 } }, parts[4]:totable())
      local whole = net:_concatTensorRecursive(torch.CudaTensor(), parts)
      assert.same(input:totable(), whole:totable())
      assert.is_nil(net:_distributeTensorRecursive(nil, input, 6, 6))
   end)

   it('_broadcast and _reduce move lists of tensors between replicas', function()
      local lists = {}
      for i = 1, 2 do
         lists[i] = cutorch.withDevice(net.gpuAssignments[i], function()
            return { torch.CudaTensor(2):fill(i), torch.CudaTensor(1):fill(10 * i) }
         end)
      end
      net:_reduce(lists)
      assert.same({ 3, 3 }, lists[1][1]:totable())
      assert.same({ 30 }, lists[1][2]:totable())
      assert.same({ 2, 2 }, lists[2][1]:totable())
      net:_broadcast(lists)
      assert.same({ 3, 3 }, lists[2][1]:totable())
      assert.same({ 30 }, lists[2][2]:totable())
   end)

   it('a subclass changes what is cut, joined and added', function()
      local mine, called = {}, {}
      local Mine = torch.class('mine.Parallel', 'nn.DataParallelTable', mine)
      for _, name in ipairs { '_distribute', '_concat', '_broadcast', '_reduce' } do
         Mine[name] = function(self, ...)
            called[name] = (called[name] or 0) + 1
            return nn.DataParallelTable[name](self, ...)
         end
      end
      local other = mine.Parallel(1):add(net:get(1):clone(), gpus, 2)
      assert.same(net:forward(input):totable(), other:forward(input):totable())
      assert.same(net:backward(input, net.output):totable(),
         other:backward(input, net.output):totable())
      assert.same({ _distribute = 2, _concat = 2, _broadcast = 1, _reduce = 1 }, called)
   end)

   it('_reflattenReplicaParameters puts an exchanged replica in line', function()
      local flat = net:getParameters()
      net.modules[2] = cutorch.withDevice(net.gpuAssignments[2], function()
         return nn.Linear(3, 2):cuda()
      end)
      net:_reflattenReplicaParameters()
      flat:fill(1)
      assert.same(torch.ones(5, 2):totable(), net:forward(input:clone():zero()):totable())
      assert.same({ 1, 1 }, net:get(2).bias:totable())
      assert.equal(8, net.flattenedParams[2][1]:nElement())
   end)

   it('impl runs a function on the replicas', function()
      assert.equal('nn.DataParallelTable.Basic', torch.type(net.impl))
      local function where(replica, i)
         assert.equal(net:get(i), replica)
         return { i, cutorch.getDevice() }
      end
      local all = { { 1, net.gpuAssignments[1] }, { 2, net.gpuAssignments[2] } }
      assert.same(all, net.impl:exec(where))
      assert.same({ all[1] }, net.impl:exec(where, 1))
      local begun = 0
      assert.equal(net, net:threads(function()
         begun = begun + 1
      end))
      assert.equal(1, begun)
      assert.equal('nn.DataParallelTable.Threads', torch.type(net.impl))
      assert.is_true(torch.isTypeOf(net.impl, 'nn.DataParallelTable.Basic'))
      assert.same(all, net.impl:exec(where))
      net.impl:close()
   end)

   it('files are written as Torch7 does, and read back', function()
      local function written()
         local file = torch.MemoryFile()
         net:getParameters()
         net:backward(input, net:forward(input))
         net:__write(file)
         file:seek(1)
         return file
      end
      local file = written()
      assert.same(net.gpuAssignments, file:readObject())
      local fields = file:readObject()
      assert.equal(1, #fields.modules)
      for _, name in ipairs { 'impl', 'count_', 'inputs_', 'gradOutputs_', 'flattenedParams',
         'synced_' } do
         assert.truthy(net[name], name)
         assert.is_nil(fields[name], name)
      end
      local again = nn.DataParallelTable(1)
      again:__read(written(), 3)
      assert.same(net:forward(input):totable(), again:forward(input):totable())
      assert.equal('nn.DataParallelTable.Basic', torch.type(again.impl))
   end)

   -- The head of an object in an ASCII file: its kind, index, version and class.
   local function read_as(version, ...)
      local file = torch.MemoryFile()
      file:writeInt(4)
      file:writeInt(1000)
      for _, text in ipairs { 'V ' .. version, 'nn.DataParallelTable' } do
         file:writeInt(#text)
         file:writeChar(torch.CharStorage():string(text))
      end
      for i = 1, select('#', ...) do
         file:writeObject((select(i, ...)))
      end
      file:seek(1)
      return file:readObject()
   end

   it('files of all of Torch7\'s layouts are read', function()
      local first = net:get(1)
      local basic = nn.DataParallelTable.Basic()
      local p, g = first:clone():getParameters()
      local fields = { dimension = 1, modules = { first }, flattenedParams = { { p, g } },
         inputGpu = {}, gradOutputGpu = {}, outputGpu = {}, gradInputGpu = {}, needsSync = false,
         impl = basic, train = true, _type = 'torch.CudaTensor', useNCCL = false }
      local y = net:forward(input):totable()
      for version = 2, 3 do
         local read = read_as(version, { 1, 2 }, fields)
         assert.same(y, read:forward(input):totable())
         assert.equal(read, read.impl.dpt)
      end
      fields.gpuAssignments, fields.modules = { 1, 2 }, { first, first:clone() }
      assert.same(y, read_as(1, fields):forward(input):totable())
      nn.DataParallelTable.deserializeNGPUs = 1
      local ok, alone = pcall(read_as, 3, { 1, 2 }, fields)
      nn.DataParallelTable.deserializeNGPUs = nil
      assert.is_true(ok)
      assert.same({ 1 }, alone.gpuAssignments)
      assert.same(y, alone:forward(input):totable())
      local bad, message = pcall(read_as, 3, { 'one' }, 3)
      assert.is_false(bad)
      assert.matches('the fields of a nn.DataParallelTable are missing', message, 1, true)
   end)

   it('files are read on the first of their devices, whichever is the current one', function()
      local probes, seen = {}, {}
      local Probe = torch.class('probes.Probe', probes)
      function Probe.__write() end
      function Probe.__read()
         seen[#seen + 1] = cutorch.getDevice()
      end
      local fields = { dimension = 1, modules = { net:get(1) }, _type = 'torch.CudaTensor',
         probe = setmetatable({}, Probe) }
      local last = gpus[#gpus]
      for _, first in ipairs(gpus) do
         cutorch.withDevice(last, read_as, 3, { first }, fields)
      end
      assert.same(gpus, seen)
   end)
end)
