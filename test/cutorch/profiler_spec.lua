-- Profiles of work on devices: times of events, memory of each device.
local torch = require 'torch'
local cjson = require 'cjson'
local cuda = require 'test.support.cuda'

if not cuda.available then
   return
end
local cutorch = require 'cutorch'

local function row(rows, name)
   for _, r in ipairs(rows) do
      if r.name == name then
         return r
      end
   end
   error('no row ' .. name)
end

describe('torch.profiler on devices', function()
   local p, seconds
   setup(function()
      local x = torch.CudaTensor(300, 300):fill(1)
      cutorch.synchronize()
      local before, after
      p = torch.profiler(function()
         before = cutorch.Event(true)
         for _ = 1, 3 do
            x:tanh()
         end
         local y = x * x
         after = cutorch.Event(true)
         cutorch.synchronize()
         torch.ones(10):add(1)
         return y:clone():t():sum()
      end)
      seconds = before:elapsed(after) * 1e-3
   end)

   it('has the time that the device works', function()
      local rows = p:rows 'operation'
      local worked = row(rows, 'tanh').device + row(rows, 'addmm').device
      assert.truthy(worked > 0)
      assert.truthy(worked <= seconds * 1.01 + 2e-5) -- they lie between two events
      assert.equal(0, row(rows, 'add_value').device)
      assert.equal(0, row(rows, 'transpose').device)
      assert.matches('device ms', p:table(), 1, true)
   end)

   it('has a track for each device, where work follows work', function()
      local tracks, spans, last = {}, 0, 0
      for _, event in ipairs(cjson.decode(p:trace()).traceEvents) do
         if event.name == 'thread_name' then
            tracks[event.tid] = event.args.name
         elseif event.cat == 'device' and event.name == 'tanh' then
            assert.equal('cuda:1', tracks[event.tid])
            assert.truthy(event.ts >= last - 1)
            last = event.ts + event.dur
            spans = spans + 1
         end
      end
      assert.equal(3, spans)
   end)

   it('has the memory of each device', function()
      local found = {}
      for _, r in ipairs(p:rows 'memory') do
         found[r.place] = (found[r.place] or 0) + r.allocated
      end
      assert.truthy(found['cuda:1'] >= 2 * 4 * 300 * 300)
      assert.matches('memory of cuda:1', p:memoryGraph(nil, 'cuda:1'), 1, true)
   end)

   it('waits for what many operations left to do', function()
      local x = torch.CudaTensor(10):fill(1)
      local many = torch.profiler(function()
         for _ = 1, 5000 do
            x:add(1)
         end
      end)
      local r = row(many:rows 'operation', 'add_value')
      assert.equal(5000, r.calls)
      assert.truthy(r.device > 0)
   end)
end)
