local torch = require 'torch'
local threads = require 'threads'
local raises = require 'test.support.raises'
local with = require('test.support.pools').with

describe('threads.Threads', function()
   it('does jobs elsewhere and ends them here', function()
      with(3, function(pool)
         local factor, sum, here = 10, 0, tostring(jit.opt)
         for i = 1, 20 do
            pool:addjob(function(a, b)
               return a * factor + b, __threadid, tostring(jit.opt) -- luacheck: ignore 113
            end, function(result, id, there)
               sum = sum + result
               assert.is_true(id >= 1 and id <= 3)
               assert.are_not.equal(here, there)
            end, i, 1)
         end
         pool:synchronize()
         assert.equal(10 * 210 + 20, sum)
         assert.is_false(pool:hasjob())
      end)
   end)

   it('passes nil and any number of results', function()
      with(1, function(pool)
         local got
         pool:addjob(function(...)
            return select('#', ...), nil, ...
         end, function(...)
            got = { n = select('#', ...), ... }
         end, nil, 2, nil)
         pool:synchronize()
         assert.same({ n = 5, [1] = 3, [4] = 2 }, got)
      end)
   end)

   it('runs init functions in order, and gives what the last one returned', function()
      with(2, function(_, results)
         assert.same({ { n = 2, 10, 'b' }, { n = 2, 20, 'b' } }, results)
      end, function(id)
         number = id * 10 -- luacheck: ignore 111
      end, function()
         return number, 'b' -- luacheck: ignore 113
      end)
   end)

   it('gives jobs to threads by number in specific mode', function()
      with(3, function(pool)
         assert.is_false(pool:specific())
         assert.is_true(pool:specific(true))
         local got = {}
         for i = 1, 9 do
            pool:addjob(i % 3 + 1, function()
               return __threadid -- luacheck: ignore 113
            end, function(id)
               got[i] = id
            end)
         end
         pool:synchronize()
         assert.same({ 2, 3, 1, 2, 3, 1, 2, 3, 1 }, got)
         raises('from 1 to 3; got 4', pool.addjob, pool, 4, function() end)
         raises('from 1 to 3; got function', pool.addjob, pool, function() end)
         raises('from 1 to 3; got nil', pool.acceptsjob, pool)
         assert.is_true(pool:acceptsjob(3))
         assert.is_false(pool:specific(false))
      end)
   end)

   it('tells when a job would have to wait', function()
      with(2, function(pool)
         local mutex = threads.Mutex()
         mutex:lock()
         local added = 0
         while pool:acceptsjob() and added < 100 do
            pool:addjob(function()
               mutex:lock()
               mutex:unlock()
            end)
            added = added + 1
         end
         assert.is_true(added >= 2 and added <= 4) -- two that wait for the mutex, two in the queue
         assert.is_true(pool:hasjob())
         mutex:unlock()
         pool:synchronize()
         assert.is_true(pool:acceptsjob())
         mutex:free()
      end)
   end)

   it('takes all results that are there at once', function()
      with(1, function(pool)
         local done = {}
         pool:allow(4) -- with room for all
         for i = 1, 3 do
            pool:addjob(function() return i end, function(j) done[#done + 1] = j end)
         end
         while require('threads.ffi').C.threads_pool_results(pool.handle) < 3 do
            require('sys').sleep(0.001)
         end
         assert.equal(3, pool:dojobs())
         assert.same({ 1, 2, 3 }, done)
         raises('threads: dojobs: there is no job to wait for', pool.dojobs, pool)
      end)
      local pool = threads.Threads(1)
      pool:addjob(function() end, function() pool:terminate() end)
      assert.equal(1, pool:dojobs()) -- though its end callback has ended the pool
      raises('threads: dojobs: the pool was terminated', pool.dojobs, pool)
   end)

   it('holds jobs back until they are allowed', function()
      with(2, function(pool)
         local done = {}
         pool:allow(3)
         for i = 1, 40 do -- more than there would be room for
            pool:addjob(function() return i end, function(j) done[#done + 1] = j end)
         end
         local function take(n)
            for _ = 1, n do
               pool:dojob()
            end
            table.sort(done)
            assert.equal(n, #done)
            assert.equal(n, done[n])
         end
         take(3)
         require('sys').sleep(0.05)
         assert.equal(0, require('threads.ffi').C.threads_pool_results(pool.handle))
         pool:allow(4)
         pool:dojob()
         assert.equal(4, done[4])
         pool:allow(math.huge)
         pool:synchronize()
         assert.equal(40, #done)
         raises('expected how many jobs may begin, got nil', pool.allow, pool)
      end)
      with(1, function(pool) -- threads that end do not wait for what is held back
         pool:allow(0)
         pool:addjob(function() end)
         pool:cancel()
         assert.is_false(pool:hasjob())
      end)
   end)

   it('wakes a thread for each job that is allowed, though others have not begun yet', function()
      local former, begun = threads.Threads.serialization(), torch.LongTensor(2)
      threads.Threads.serialization 'threads.sharedserialize'
      finally(function() threads.Threads.serialization(former) end)
      with(2, function(pool)
         local function meet(i)
            local sys = require 'sys'
            local start = sys.clock()
            begun[i] = 1
            while begun[3 - i] == 0 and sys.clock() - start < 5 do
               sys.sleep(0.0005)
            end
            return begun[3 - i]
         end
         for round = 1, 4 do
            begun:zero()
            pool:allow(2 * round - 2)
            local met = 0
            for i = 1, 2 do
               pool:addjob(meet, function(other) met = met + other end, i)
            end
            require('sys').sleep(0.2) -- longer than threads look for jobs by themselves
            if round % 2 == 0 then -- one after the other, or both at once
               pool:allow(2 * round - 1)
            end
            pool:allow(2 * round)
            pool:synchronize()
            assert.equal(2, met)
         end
      end)
   end)

   it('says what is wrong with its arguments', function()
      raises('the number of threads must be a whole number from 1 on, got 0', threads.Threads, 0)
      raises('the number of threads must be a whole number from 1 on, got nil', threads.Threads)
      raises('init function 1 must be a function, got number', threads.Threads, 1, 5)
      with(1, function(pool)
         raises('the job must be a function, got nil', pool.addjob, pool)
         raises('the end callback must be a function, got number', pool.addjob, pool,
            function() end, 5)
         raises('there is no job to wait for', pool.dojob, pool)
         raises('expected true or false, got number', pool.specific, pool, 1)
         local co = coroutine.create(print)
         raises('Unwritable object <thread> at job.callback.co', pool.addjob, pool, function()
            return co
         end)
         raises('its class has no write method', pool.addjob, pool, function()
            return pool
         end)
         assert.is_false(pool:hasjob())
      end)
      raises('expected the name of a module, got number', threads.Threads.serialization, 1)
      raises('must return a table with the functions save and load', threads.Threads.serialization,
         'paths')
   end)

   it('is called by its module, and goes when nobody has it', function()
      local parcels = require('threads.ffi').C.threads_parcel_count
      local before = parcels()
      local x = torch.zeros(3)
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads(2)
      pool:addjob(function()
         x:add(1)
      end)
      pool = nil -- luacheck: ignore 311
      collectgarbage() -- ends the pool, which does its jobs first
      collectgarbage()
      threads.Threads.serialization 'threads.serialize'
      assert.equal(3, x:sum())
      assert.equal(before, parcels())
   end)

   it('tells a child of fork that it has no threads', function()
      local ffi = require 'ffi'
      ffi.cdef 'int fork(void); void _exit(int status); int waitpid(int, int *, int);'
      with(1, function(pool)
         local pid = ffi.C.fork()
         if pid == 0 then
            local ok, message = pcall(pool.addjob, pool, function() end)
            ffi.C._exit(not ok and message:find('a child of fork', 1, true) and 5 or 6)
         end
         local status = ffi.new 'int[1]'
         ffi.C.waitpid(pid, status, 0)
         assert.equal(5 * 256, status[0])
      end)
   end)
end)
