-- Workers that die, hang, fail, or end before the others: the run ends on all, and says why.
local workers = require 'test.support.workers'

if not workers.available then
   return
end

-- Rank 2 does `what` in the middle of operations; the output and the status.
local function with(what, options)
   return workers.run(2, ([[
      local ffi = require 'ffi'
      ffi.cdef 'int raise(int signal);'
      for i = 1, 40 do
         distributed.allReduce(torch.ones(100))
         if rank == 2 and i == 20 then %s end
      end
   ]]):format(what), options or '--timeout 10')
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
         local output, status = with(row[1], row[3])
         assert.not_equal(0, status)
         assert.matches(row[2], output, 1, true)
      end)
   end

   for name, row in pairs {
      ['does not come to make a group'] = { 'distributed.group { 1, 2 }',
         'rank 2 has not come within 1 s[^\n]*this is rank 1 at group of the ranks 1, 2' },
      ['does not send what is waited for'] = { 'distributed.receive(torch.ones(3), 2)',
         'rank 2 has not come within 1 s[^\n]*this is rank 1 at receive of a 3 DoubleTensor' },
      ['does not take what is sent'] = { 'distributed.send(torch.ones(1000000), 2)',
         'rank 2 has not come within 1 s[^\n]*this is rank 1 at send of a 1000000 DoubleTensor' },
      ['does not come where nobody meets before'] = {
         'distributed.init { check = false } distributed.allReduce(torch.ones(3))',
         'elements have been on their way for [%d.]+ s' },
   } do
      it(name .. ' is named, and the run ends though the script goes on', function()
         local output, status = workers.run(2, ([[
            distributed.barrier()
            if rank == 2 then os.execute 'sleep 15' end
            local ok, message = pcall(function() %s end)
            io.stderr:write(tostring(ok), ' ', tostring(message), '\n')
            collectgarbage() collectgarbage()
            io.stderr:write('then ', select(2, pcall(distributed.barrier)), '\n')
         ]]):format(row[1]), '--timeout 1')
         assert.matches('false [^\n]*' .. row[2], output)
         assert.matches('then [^\n]*' .. row[2], output) -- nothing can be gone on with
         assert.matches('distributed: rank 1 ends: [^\n]*' .. row[2], output)
         assert.not_equal(0, status)
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

describe('a process', function()
   it('that ends while its tensors are on their way keeps their memory until they have come',
      function()
         workers.passes(2, [[
            local path = os.tmpname()
            local x = torch.FloatTensor(torch.FloatStorage(path, true, 1000000)):fill(rank)
            os.remove(path)
            distributed.barrier()
            if rank == 2 then os.execute 'sleep 1' end
            local work = distributed.allReduce(x, { async = true })
            if rank == 2 then assert(work:wait():min() == 3 and x:max() == 3) end
         ]])
      end)

   it('may have children, which end by themselves', function()
      workers.passes(2, [[
         local ffi = require 'ffi'
         ffi.cdef 'int fork(void); int waitpid(int pid, int *status, int options);'
         distributed.barrier()
         local child = ffi.C.fork()
         if child == 0 then os.exit(0) end
         local status = ffi.new 'int[1]'
         assert(ffi.C.waitpid(child, status, 0) == child and status[0] == 0)
         distributed.barrier()
      ]])
   end)

   it('that somebody interrupts is not started again', function()
      local output, status = workers.run(2, "distributed.barrier() os.execute 'sleep 60'",
         '--restarts 2', 'timeout --preserve-status -s INT 3')
      assert.equal(130, status)
      assert.not_matches('restart', output)
   end)
end)
