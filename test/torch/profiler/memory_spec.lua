-- Memory in profiles: tensors of known sizes, taken and given back on known lines.
local torch = require 'torch'
local memory = require 'torch.profiler.memory'
local raises = require 'test.support.raises'

local function here()
   local info = debug.getinfo(2, 'Sl')
   return ('%s:%d'):format(info.short_src, info.currentline)
end

local function by_line(profile)
   local rows = {}
   for _, r in ipairs(profile:rows 'memory') do
      rows[r.name] = r
   end
   return rows
end

describe('memory of a profile', function()
   local first, second, profile, kept
   setup(function()
      local before = torch.ByteTensor(50000)
      collectgarbage()
      collectgarbage()
      profile = torch.profiler(function()
         first = here(); local a, b = torch.ByteTensor(100000), torch.ByteTensor(1000)
         a:set() b:set() -- their storages go
         for _ = 1, 2 do
            second = here(); kept = torch.ByteTensor(3000)
         end
         before:resize(60000)
         before:set()
      end)
   end)

   it('is counted by the line that took it', function()
      local rows = by_line(profile)
      assert.equal(2, rows[first].count)
      assert.equal(101000, rows[first].allocated)
      assert.equal(101000, rows[first].peak) -- when most was in use
      assert.equal(0, rows[first].left)
      assert.equal(2, rows[second].count)
      assert.equal(6000, rows[second].allocated)
      assert.equal(0, rows[second].peak)
      assert.truthy(rows[second].left >= kept:nElement()) -- the other one is garbage
      assert.equal('cpu', rows[first].place)
      assert.equal(101000, (memory.peak(profile, 'cpu')))
   end)

   it('changes as it is taken and given back', function()
      local seen = {}
      memory.walk(profile, 'cpu', function(event, line, live)
         seen[#seen + 1] = { tonumber(event.bytes), line, live }
      end)
      assert.same({ 100000, first, 100000 }, seen[1])
      assert.same({ 1000, first, 101000 }, seen[2])
      assert.same({ -100000, first, 1000 }, seen[3])
      assert.same({ -1000, first, 0 }, seen[4])
      assert.same({ 3000, second, 3000 }, seen[5])
   end)

   it('says what an operation took', function()
      local x, r = torch.ones(1000), torch.Tensor()
      local p = torch.profiler(function() r:add(x, 1) end)
      for _, row in ipairs(p:rows 'operation') do
         assert.equal(row.name == 'add_value' and 8000 or 0, row.allocated)
      end
   end)

   it('is in the summary', function()
      assert.matches('98.6 KiB more of cpu at most', tostring(profile), 1, true)
   end)

   it('is drawn for a place that has some', function()
      raises('nothing was taken in cuda:7; there is memory of cpu', profile.memoryGraph, profile,
         nil, 'cuda:7')
      assert.matches(first, profile:memoryGraph(), 1, true)
      assert.matches('98.6 KiB at most', profile:memoryGraph(), 1, true)
   end)
end)
