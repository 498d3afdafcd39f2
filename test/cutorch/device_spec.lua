local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local cutorch = require 'cutorch'

local function messageOf(f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   return message
end

describe('devices #cuda', function()
   local count

   setup(function()
      count = cutorch.getDeviceCount()
   end)

   before_each(function()
      cutorch.setDevice(1)
   end)

   it('take numbers as text, and cut fractions off', function()
      cutorch.setDevice(tostring(count))
      assert.equal(count, cutorch.getDevice())
      assert.equal(count, torch.CudaTensor(1):getDevice())
      cutorch.setDevice(1.9)
      assert.equal(1, cutorch.getDevice())
      assert.equal(1, torch.CudaTensor(1):getDevice())
      assert.equal(count, cutorch.withDevice(tostring(count), cutorch.getDevice))
      assert.equal(cutorch.getDeviceProperties(1).name, cutorch.getDeviceProperties('1').name)
      local seed = cutorch.initialSeed()
      cutorch.manualSeed('4')
      assert.equal(4, cutorch.initialSeed())
      cutorch.manualSeed(seed)
      assert.matches('setDevice: the device must be a number, got string',
         messageOf(cutorch.setDevice, 'first'), 1, true)
   end)

   it('count from 1', function()
      assert.equal(1, cutorch.getDevice())
      for id = 1, count do
         cutorch.setDevice(id)
         assert.equal(id, cutorch.getDevice())
         assert.equal(id, torch.CudaTensor(3):getDevice())
         assert.equal(id, torch.CudaTensor(3):storage():getDevice())
         assert.equal(id, torch.FloatTensor(3):cuda():getDevice())
      end
   end)

   it('are as many as the environment says when simulated', function()
      if cutorch.isSimulated() then
         assert.equal(tonumber(os.getenv 'THC_SIM_DEVICES'), count)
      end
   end)

   it('refuse a number that is none of theirs, and stay on the current one', function()
      local wrong = ('device %d does not exist'):format(count + 1)
      assert.matches(wrong, messageOf(cutorch.setDevice, count + 1), 1, true)
      assert.matches('device 0 does not exist', messageOf(cutorch.setDevice, 0), 1, true)
      assert.matches('must be a number, got string', messageOf(cutorch.setDevice, 'first'), 1, true)
      assert.matches(wrong, messageOf(cutorch.getDeviceProperties, count + 1), 1, true)
      assert.matches(wrong, messageOf(cutorch.getMemoryUsage, count + 1), 1, true)
      assert.equal(1, cutorch.getDevice())
   end)

   it('withDevice returns the results and the former device, also after an error', function()
      local a, b, c = cutorch.withDevice(count, function(x)
         return cutorch.getDevice(), nil, x
      end, 'x')
      assert.same({ count, nil, 'x' }, { a, b, c })
      assert.equal(1, cutorch.getDevice())
      assert.matches('enough', messageOf(cutorch.withDevice, count, function()
         error 'enough'
      end), 1, true)
      assert.equal(1, cutorch.getDevice())
      local object = {}
      assert.equal(object, messageOf(cutorch.withDevice, count, error, object))
   end)

   it('tell their properties and memory', function()
      local p = cutorch.getDeviceProperties(1)
      assert.is_string(p.name)
      for _, name in ipairs { 'major', 'totalGlobalMem', 'multiProcessorCount', 'warpSize' } do
         assert.is_true(p[name] > 0, name)
      end
      assert.equal(3, #p.maxGridSize)
      local free, total = cutorch.getMemoryUsage()
      assert.is_true(free > 0 and free <= total)
      assert.equal(p.totalGlobalMem, total)
   end)

   it('give access to each other', function()
      if count > 1 then
         cutorch.setPeerToPeerAccess(1, 2, true)
         assert.is_true(cutorch.getPeerToPeerAccess(1, 2))
         cutorch.setPeerToPeerAccess(1, 2, false)
         assert.is_false(cutorch.getPeerToPeerAccess(1, 2))
      end
      assert.is_true(cutorch.getPeerToPeerAccess(1, 1))
   end)

   it('copy to each other', function()
      local x = torch.range(1, 5000):view(50, 100):float()
      local there = x:t():cuda()
      for id = 1, count do
         local copy = cutorch.withDevice(id, function()
            return torch.CudaTensor(100, 50):copy(there)
         end)
         assert.equal(id, copy:getDevice())
         assert.is_true(copy:float():equal(x:t():contiguous()))
         there = copy
      end
   end)

   it('refuse operands of two devices, or of a device and the CPU', function()
      local a, b = torch.CudaTensor { 1, 2 }, torch.FloatTensor { 1, 2 }
      assert.matches('CPU and CUDA', messageOf(a.add, a, b), 1, true)
      assert.matches('CPU and CUDA', messageOf(b.cmul, b, a), 1, true)
      if count > 1 then
         local c = cutorch.withDevice(2, torch.CudaTensor, { 3, 4 })
         assert.matches('devices 1 and 2', messageOf(a.cmul, a, c), 1, true)
      end
      assert.same({ 1, 2 }, a:totable())
      assert.same({ 1, 2 }, b:totable())
      assert.matches('cannot be made from', messageOf(torch.CudaTensor, b), 1, true)
   end)
end)

describe('memory of a device #cuda', function()
   it('counts what tensors hold, and gives back what they do not', function()
      collectgarbage()
      collectgarbage()
      local before = cutorch.memoryStatistics()
      local x = torch.CudaTensor(1000, 1000)
      local with = cutorch.memoryStatistics()
      assert.is_true(with.requested.current - before.requested.current >= 4e6)
      assert.is_true(with.allocated.current >= with.requested.current)
      assert.is_true(with.reserved.current >= with.allocated.current)
      assert.is_true(#with.classes > 0)
      assert.equal(1000, x:size(1))
      x = nil -- luacheck: ignore 311
      collectgarbage()
      collectgarbage()
      assert.equal(before.requested.current, cutorch.memoryStatistics().requested.current)
      local reserved = cutorch.memoryStatistics().reserved.current
      local freed = cutorch.emptyCache()
      assert.equal(reserved - freed, cutorch.memoryStatistics().reserved.current)
      assert.is_true(freed >= 4e6)
   end)

   it('has a limit, and its error says what is wrong', function()
      local reserved = cutorch.memoryStatistics().reserved.current
      cutorch.setMemoryLimit(reserved + 2 ^ 22)
      local message = messageOf(torch.CudaTensor, 2 ^ 24)
      assert.matches('out of memory', message:lower(), 1, true)
      assert.matches('device_spec.lua', message, 1, true)
      cutorch.setMemoryLimit(0)
      assert.equal(2 ^ 24, torch.CudaTensor(2 ^ 24):nElement())
   end)

   it('is collected and asked for again when it has run out', function()
      collectgarbage()
      collectgarbage()
      cutorch.emptyCache()
      cutorch.setMemoryLimit(cutorch.memoryStatistics().reserved.current + 2 ^ 25)
      collectgarbage 'stop'
      for _ = 1, 20 do -- each needs half of it; nothing but a collection frees the former ones
         torch.CudaTensor(2 ^ 22)
      end
      collectgarbage 'restart'
      cutorch.setMemoryLimit(0)
   end)

   it('remembers lines and tells all in a snapshot', function()
      cutorch.keepHistory(100)
      local x = torch.CudaTensor(12345)
      local line = debug.getinfo(1, 'l').currentline - 1
      local json = cutorch.memorySnapshot()
      cutorch.keepHistory(0)
      assert.equal(12345, x:nElement())
      assert.matches('device_spec.lua:' .. line, json, 1, true)
      assert.is_nil(debug.gethook())
   end)

   it('is written as JSON and as a page', function()
      local x = torch.CudaTensor(4321)
      for extension, first in pairs { json = '{', html = '<!DOCTYPE html>' } do
         local name = os.tmpname() .. '.' .. extension
         local json = cutorch.memorySnapshot(1, name)
         local file = io.open(name)
         local text = file:read '*a'
         file:close()
         os.remove(name)
         assert.equal(first, text:sub(1, #first))
         assert.matches('"requested":17284', json, 1, true)
         assert.matches(extension == 'json' and json or 'data-bytes="17408"', text, 1, true)
      end
      assert.equal(4321, x:nElement())
      local message = messageOf(cutorch.memorySnapshot, 1, '/nowhere/x.json')
      assert.matches('cannot write', message, 1, true)
   end)

   it('tells of pinned and of the CPU\'s memory too', function()
      local host = torch.FloatTensor(123456)
      assert.matches('"requested":493824', cutorch.memorySnapshot(cutorch.HOST), 1, true)
      assert.matches('{', cutorch.memorySnapshot(cutorch.PINNED), 1, true)
      assert.equal(123456, host:nElement())
   end)

   it('is taken in ranges or in segments', function()
      local before = cutorch.getMemoryRanges()
      for _, on in ipairs { false, before } do -- some devices have no ranges
         cutorch.setMemoryRanges(on)
         assert.equal(on, cutorch.getMemoryRanges())
         assert.equal(1000, torch.CudaTensor(1000):nElement())
      end
      assert.matches('expected a boolean', messageOf(cutorch.setMemoryRanges, 1), 1, true)
      assert.matches('does not exist', messageOf(cutorch.getMemoryRanges, 0), 1, true)
   end)

   it('records what a function allocates', function()
      local name = os.tmpname()
      cutorch.recordAllocations(name, function(mark)
         for _ = 1, 2 do
            torch.CudaTensor(1234)
            mark()
         end
      end, 1, { 'name: test' })
      local text = io.open(name):read '*a'
      assert.equal('# name: test\n', text:sub(1, 13))
      local _, allocations = text:gsub('a 4936\n', '')
      local _, marks = text:gsub('m\n', '')
      assert.same({ 2, 2 }, { allocations, marks })
      local message = messageOf(cutorch.recordAllocations, name, function()
         error('enough', 0)
      end)
      assert.equal('enough', message)
      assert.equal(0, #require('cutorch.json').read(cutorch.memorySnapshot()).history)
      os.remove(name)
      assert.matches('cannot write', messageOf(cutorch.recordAllocations, '/nowhere/x', print),
         1, true)
   end)
end)

describe('streams and events #cuda', function()
   before_each(function()
      cutorch.setDevice(1)
      cutorch.reserveStreams(3)
   end)
   after_each(function()
      cutorch.setDefaultStream()
   end)

   it('number from 0, the default one', function()
      assert.equal(0, cutorch.getStream())
      assert.is_true(cutorch.getNumStreams() >= 3)
      cutorch.setStream(2)
      assert.equal(2, cutorch.getStream())
      cutorch.setDefaultStream()
      assert.equal(0, cutorch.getStream())
      assert.matches('stream 1000 does not exist', messageOf(cutorch.setStream, 1000), 1, true)
      assert.matches('must be a number, got nil', messageOf(cutorch.setStream), 1, true)
   end)

   it('keep the order that waiting gives', function()
      local x = torch.FloatTensor(1000):fill(1):cuda()
      for round = 1, 10 do
         cutorch.setStream(1)
         x:mul(2)
         cutorch.streamWaitFor(2, { 1 })
         cutorch.setStream(2)
         x:add(1)
         cutorch.streamBarrier { 1, 2, 3 }
         cutorch.setStream(3)
         x:mul(0.5):add(-0.5) -- (2 x + 1) / 2 - 1/2 = x
         cutorch.streamBarrier { 1, 2, 3 }
         if round == 10 then
            cutorch.streamSynchronize(3)
         end
      end
      assert.equal(1, x:float():min())
      assert.equal(1, x:float():max())
   end)

   it('keep the order that events give, between devices', function()
      local count = cutorch.getDeviceCount()
      local x = torch.FloatTensor(1000):fill(3):cuda()
      cutorch.setStream(1)
      x:mul(7)
      local event = cutorch.Event()
      assert.equal('cutorch.Event', torch.typename(event))
      cutorch.setStream(2)
      event:waitOn()
      x:add(1)
      event:record():synchronize()
      assert.is_true(event:query())
      assert.equal(22, x[500])
      if count > 1 then -- another device's stream waits, and has what came before
         x:mul(2)
         event:record():waitOn(2)
         local y = cutorch.withDevice(2, function() return torch.CudaTensor(1000):copy(x) end)
         assert.equal(44, y[500])
      end
      cutorch.streamWaitForMultiDevice(count, 1, { { 2 } })
      cutorch.streamBarrierMultiDevice { [1] = { 0, 2 }, [count] = { 1 } }
      cutorch.synchronizeAll()
   end)

   it('tell the time between two events', function()
      local start = cutorch.Event(true)
      torch.FloatTensor(100):fill(1):cuda():mul(2)
      local stop = cutorch.Event(true)
      stop:synchronize()
      assert.is_true(start:elapsed(stop) >= 0)
   end)
end)

describe('the generators of devices #cuda', function()
   it('have seeds and states of their own', function()
      cutorch.manualSeed(7)
      assert.equal(7, cutorch.initialSeed())
      local state = cutorch.getRNGState()
      assert.equal('torch.ByteTensor', torch.typename(state))
      cutorch.manualSeed(8)
      assert.is_false(state:equal(cutorch.getRNGState()))
      cutorch.setRNGState(state)
      assert.equal(7, cutorch.initialSeed())
      assert.is_true(state:equal(cutorch.getRNGState()))
      cutorch.manualSeedAll(3)
      for id = 1, cutorch.getDeviceCount() do
         assert.equal(3, cutorch.withDevice(id, cutorch.initialSeed))
      end
      assert.equal(cutorch.seedAll(), cutorch.initialSeed())
      assert.matches('expected a ByteTensor', messageOf(cutorch.setRNGState, 3), 1, true)
      local seeds = torch.initialSeed()
      cutorch.manualSeed(99)
      assert.equal(seeds, torch.initialSeed())
   end)

   it('draw the same numbers from the same state', function()
      cutorch.manualSeed(5)
      local x = torch.CudaTensor(1000):uniform()
      cutorch.manualSeed(5)
      assert.is_true(x:float():equal(torch.CudaTensor(1000):uniform():float()))
      assert.is_false(x:float():equal(torch.CudaTensor(1000):uniform():float()))
   end)
end)

describe('options of the libraries #cuda', function()
   it('are read and changed by name', function()
      local before = cutorch.getOptions()
      cutorch.setOptions { deterministic = not before.deterministic }
      assert.equal(not before.deterministic, cutorch.getOptions().deterministic)
      cutorch.setOptions(before)
      assert.same(before, cutorch.getOptions())
      local message = messageOf(cutorch.setOptions, { speed = true })
      assert.matches('unknown option speed', message, 1, true)
      assert.matches('tf32 is a boolean', messageOf(cutorch.setOptions, { tf32 = 1 }), 1, true)
   end)

   it('count the convolutions that cuDNN ran', function()
      if not cutorch.cudnnVersion() then
         return
      end
      local net = require 'nn'.SpatialConvolution(2, 3, 3, 3):type 'torch.CudaTensor'
      local x = torch.CudaTensor(1, 2, 5, 5):uniform()
      local before = cutorch.vendorCounts()
      net:backward(x, net:forward(x):clone())
      local after = cutorch.vendorCounts()
      assert.equal(before.ran + 3, after.ran)
      assert.equal(before.declined, after.declined)
      cutorch.setOptions { cudnn = false }
      net:forward(x)
      cutorch.setOptions { cudnn = true }
      assert.equal(after.ran, cutorch.vendorCounts().ran)
   end)
end)
