-- Workers that die, hang, fail, or end before the others: the run ends on all, and says why.
local shell = require 'test.support.shell'
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

-- Rank 1 sends th a signal, once all have come and what they print has had time to come through.
local function signal(name)
   return ([[
      distributed.barrier()
      if rank == 1 then
         os.execute 'sleep 1; kill -%s $(ps -o ppid= -p $(ps -o ppid= -p $PPID))'
      end
      os.execute 'sleep 60'
      print 'went on'
   ]]):format(name)
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

   it('is stopped while its process ends is killed, and named', function()
      local output, status = workers.run(2, [[
         local ffi = require 'ffi'
         ffi.cdef 'int raise(int signal);'
         distributed.barrier()
         local last = newproxy(true)
         if rank == 2 then
            getmetatable(last).__gc = function() ffi.C.raise(19) end
            kept = last
         end
      ]], '--timeout 1', 'timeout 60')
      assert.matches('th: rank 2 %(process %d+%) has been stopped for 3 s, and is killed', output)
      assert.equal(1, select(2, output:gsub('has been stopped', '')))
      assert.not_equal(0, status)
      assert.not_equal(124, status)
   end)

   it('is stopped at the end of a run whose timeout is no whole number', function()
      local output = workers.run(2, [[
         distributed.barrier()
         if rank == 2 then os.execute 'kill -STOP $PPID' end
      ]], '', 'TH_TIMEOUT=0.5 timeout 60')
      assert.matches('has been stopped for 3 s, and is killed', output, 1, true)
   end)

   it('is interrupted by a signal to th alone', function()
      local output, status = workers.run(2, signal 'INT', '', 'timeout 50')
      assert.equal(130, status)
      assert.not_matches('went on', output)
   end)

   it('is stopped for less than that goes on', function()
      workers.passes(2, [[
         distributed.barrier()
         if rank == 2 then
            os.execute('(sleep 2.5; kill -CONT $PPID) & kill -STOP $PPID')
         end
         distributed.barrier()
      ]], '--timeout 4')
   end)

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

-- Whether a process goes within two seconds: mpirun does not wait for the kernel.
local function gone(pid)
   for _ = 1, 20 do
      local stat = io.open('/proc/' .. pid .. '/stat')
      if not stat or stat:read('*a'):match '%) [ZX]' then
         return true
      end
      stat:close()
      shell.run 'sleep 0.1'
   end
   return false
end

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

   it('ends with th, which says by which signal', function()
      for name, wanted in pairs { TERM = 143, INT = 130 } do
         local output, status = workers.run(2, [[
            io.stdout:write(('pid %d\n'):format(io.open('/proc/self/stat'):read '*n'))
            io.stdout:flush()
         ]] .. signal(name), '', 'timeout 50')
         assert.equal(wanted, status)
         local count = 0
         for pid in output:gmatch 'pid (%d+)' do
            assert.is_true(gone(pid))
            count = count + 1
         end
         assert.equal(2, count)
      end
   end)

   it('that somebody interrupts is not started again', function()
      local output, status = workers.run(2, signal 'INT', '--restarts 2', 'timeout 50')
      assert.equal(130, status)
      assert.not_matches('restart', output)
   end)
end)
