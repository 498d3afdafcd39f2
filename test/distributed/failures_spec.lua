-- Workers that die, hang, fail, or end before the others: the run ends on all, and says why.
local clock = require 'torch.clock'
local workers = require 'test.support.workers'

if not workers.available then
   return
end

-- Rank 2 does `what` in the middle of operations; the output, the status, and how long it took.
local function with(what, options)
   local begun = clock.now()
   local output, status = workers.run(2, ([[
      local ffi = require 'ffi'
      ffi.cdef 'int raise(int signal);'
      for i = 1, 40 do
         distributed.allReduce(torch.ones(100))
         if rank == 2 and i == 20 then %s end
      end
   ]]):format(what), options or '--timeout 10')
   return output, status, clock.now() - begun
end

describe('a worker that', function()
   for name, row in pairs {
      ['is killed'] = { 'ffi.C.raise(9)', 'exited on signal 9' },
      ['is stopped'] = { 'ffi.C.raise(19)', 'rank 2 has not come within 3 s',
         '--timeout 3' },
      ['raises an error'] = { "error 'my mistake'", 'my mistake' },
      ['ends before the others'] = { 'os.exit(0, true)', 'rank 2 at the end of its script' },
   } do
      it(name .. ' ends the run on all, with the cause', function()
         local output, status, seconds = with(row[1], row[3])
         assert.not_equal(0, status)
         assert.matches(row[2], output, 1, true)
         assert.is_true(seconds < 30) -- what is promised, not what is measured
      end)
   end

   it('dies is started again with the others, as often as was said', function()
      local output, status = workers.run(2, [[
         local environment = require 'distributed.environment'
         if environment.restarts() < 2 and rank == 2 then os.exit(3) end
         distributed.barrier()
         if rank == 1 then print('run ' .. environment.restarts()) end
      ]], '--restarts 3')
      assert.equal(0, status)
      assert.matches('th: the run has ended with status 3; restart 2 of 3', output, 1, true)
      assert.matches('\nrun 2\n', output, 1, true)
   end)
end)
