local torch = require 'torch'
local threads = require 'threads'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'

-- f(pool), and the pool's end whatever becomes of it.
local function with(n, f, ...)
   local pool, results = threads.Threads(n, ...)
   local ok, message = pcall(f, pool, results)
   pool:cancel()
   pool:terminate()
   if not ok then
      error(message, 0)
   end
end

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

   it('has globals of each thread, and upvalues of the job', function()
      with(1, function(pool)
         local up, got = 1, {}
         for _ = 1, 2 do
            pool:addjob(function()
               up = up + 1
               count = (count or 0) + 1 -- luacheck: ignore 111 113
               return up, count -- luacheck: ignore 113
            end, function(...)
               got[#got + 1] = { ... }
            end)
         end
         pool:synchronize()
         assert.same({ { 2, 1 }, { 2, 2 } }, got)
         assert.equal(1, up)
      end)
   end)

   it('shares an upvalue between the functions of a job', function()
      with(1, function(pool)
         local x, got = 1, nil
         local function inc()
            x = x + 1
         end
         pool:addjob(function()
            inc()
            return x
         end, function(result)
            got = result
         end)
         pool:synchronize()
         assert.equal(2, got)
      end)
   end)

   it('takes libraries in upvalues by their names', function()
      with(1, function(pool)
         local floor, zeros, got = math.floor, torch.zeros, nil
         pool:addjob(function()
            return floor(2.5) + zeros(3):size(1) + torch.ones(2):sum()
         end, function(result)
            got = result
         end)
         pool:synchronize()
         assert.equal(7, got)
      end)
   end)

   it('takes libraries for jobs and arguments by their names, too', function()
      local function apply(f, ...)
         return f(...)
      end
      with(1, function(pool)
         local got = {}
         local function keep(...)
            got[#got + 1] = { ... }
         end
         pool:addjob(math.floor, keep, 2.5)
         pool:addjob(apply, keep, math.max, 1, 3)
         pool:addjob(torch.isTensor, keep, torch.ones(1))
         pool:addjob(apply, keep, torch.type, torch.ones(1))
         pool:addjob(tostring, keep, 7)
         pool:synchronize()
         assert.same({ { 2 }, { 3 }, { true }, { 'torch.DoubleTensor' }, { '7' } }, got)
      end, math.abs)
   end)

   it('takes objects of classes that can be called, and no other tables', function()
      local call = { __call = function()
         return 5
      end }
      local message = 'the metatable does not travel to another thread; give a function'
      with(1, function(pool)
         raises('threads: addjob: the job is a table', pool.addjob, pool, setmetatable({}, call))
         raises(message, pool.addjob, pool, setmetatable({}, call))
         raises('threads.Threads: init function 1 is a table', threads.Threads, 1,
            setmetatable({}, call))
         local queue = require 'threads.queue'(1)
         raises('threads.Queue: addjob: the job is a table', queue.addjob, queue,
            setmetatable({}, call))
         local got
         pool:addjob(require('nn').Identity(), function(x)
            got = x
         end, torch.ones(2))
         pool:addjob(function() end, setmetatable({}, call)) -- stays here
         pool:synchronize()
         assert.same({ 1, 1 }, got:totable())
      end, function()
         require 'nn'
      end)
   end)

   for _, serialize in ipairs { 'threads.serialize', 'threads.sharedserialize' } do
      it('holds nothing of a job that is done: ' .. serialize, function()
         local former = threads.Threads.serialization()
         threads.Threads.serialization(serialize)
         local seen = setmetatable({}, { __mode = 'v' })
         with(1, function(pool)
            local function add()
               local upvalue, argument = torch.ones(2), { torch.ones(2) }
               seen.upvalue, seen.argument = upvalue, argument
               pool:addjob(function(x)
                  return upvalue:sum() + x[1]:sum()
               end, nil, argument)
            end
            add()
            pool:synchronize()
            collectgarbage()
            collectgarbage()
            assert.same({}, seen)
         end)
         threads.Threads.serialization(former)
      end)
   end

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

   it('keeps an error for synchronize, with the stack on the thread', function()
      with(1, function(pool)
         local done = 0
         pool:addjob(function()
            local function culprit()
               error 'a mistake'
            end
            culprit()
            return 1
         end, function()
            done = done + 1
         end)
         pool:dojob()
         assert.is_true(pool:haserror())
         local message = raises('thread 1: ', pool.synchronize, pool)
         assert.matches('Threads_spec.lua:%d+: a mistake', message)
         assert.matches('culprit', message, 1, true)
         assert.is_nil(message:match 'worker.lua')
         assert.is_false(pool:haserror())
         assert.equal(0, done)
         pool:addjob(function()
            return 5
         end, function(x)
            done = done + x
         end)
         pool:synchronize()
         assert.equal(5, done)
      end)
   end)

   it('counts further errors', function()
      with(2, function(pool)
         for _ = 1, 3 do
            pool:addjob(function()
               error 'one of them'
            end)
         end
         raises('(2 more jobs have failed)', pool.synchronize, pool)
      end)
   end)

   it("raises an end callback's error where it is waited for", function()
      with(1, function(pool)
         pool:addjob(function() end, function()
            error({ code = 7 })
         end)
         local ok, problem = pcall(pool.synchronize, pool)
         assert.same({ false, 7 }, { ok, problem.code })
         pool:synchronize()
      end)
   end)

   it('lets an end callback yield', function()
      with(1, function(pool)
         local got = {}
         local loop = coroutine.wrap(function()
            for i = 1, 3 do
               pool:addjob(function()
                  return i
               end, coroutine.yield)
            end
            pool:synchronize()
         end)
         for value in loop do
            got[#got + 1] = value
         end
         assert.same({ 1, 2, 3 }, got)
      end)
   end)

   it('fails as a whole when an init function does', function()
      raises('thread 2: test/threads/Threads_spec.lua', threads.Threads, 2, function(id)
         if id == 2 then
            error 'not this one'
         end
      end)
   end)

   it('notices a thread that dies', function()
      local pool = threads.Threads(1)
      pool:addjob(function()
         local ffi = require 'ffi'
         ffi.cdef 'void pthread_exit(void *);'
         ffi.C.pthread_exit(nil)
      end)
      raises('thread 1 has ended: its code has ended the thread', pool.synchronize, pool)
      raises('thread 1 has ended', pool.addjob, pool, function() end)
      pool:terminate()
   end)

   it('stops jobs: those that wait, that run, that catch errors, that are compiled', function()
      local jobs = {
         function()
            while true do
               tostring {}
            end
         end,
         function()
            while true do
               pcall(function()
                  while true do
                     tostring {}
                  end
               end)
            end
         end,
      }
      with(2, function(pool)
         local ended = 0
         for i = 1, 4 do
            pool:addjob(jobs[i % 2 + 1], function()
               ended = ended + 1
            end)
         end
         pool:cancel()
         assert.is_false(pool:hasjob())
         assert.is_false(pool:haserror())
         pool:addjob(function() end, function()
            ended = ended + 10
         end)
         pool:synchronize()
         assert.equal(10, ended)
      end)
      local pool = threads.Threads(1)
      pool:addjob(function()
         local x = 0
         while true do
            x = x + 1
         end
      end)
      require('sys').sleep(0.05) -- it is compiled by then
      pool:cancel()
      assert.is_false(pool:hasjob())
      pool:terminate()
   end)

   it('leaves what others compute alone when it is cancelled', function()
      with(1, function(computing)
         local products
         computing:addjob(function()
            local a = torch.ones(800, 800)
            local sum = 0
            for _ = 1, 10 do
               sum = sum + torch.mm(a, a):sum()
            end
            return sum
         end, function(sum)
            products = sum
         end)
         for _ = 1, 5 do
            with(1, function(pool)
               pool:addjob(function()
                  while true do end -- luacheck: ignore 542
               end)
               require('sys').sleep(0.02)
               pool:cancel()
            end)
         end
         computing:synchronize()
         assert.equal(10 * 800 ^ 3, products)
      end)
   end)

   it('is not used any more by addjob when an end callback has ended it', function()
      local pool = threads.Threads(1)
      pool:addjob(function() end, function()
         pool:terminate()
      end)
      raises('addjob: the pool was terminated', function()
         for _ = 1, 5 do
            pool:addjob(function()
               require('sys').sleep(0.02)
            end)
         end
      end)
   end)

   it('treats results that cannot be loaded as a job that failed', function()
      local parcels = require('threads.ffi').C.threads_parcel_count
      local before, scheme = parcels(), threads.Threads.serialization()
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads.Threads(1, function()
         torch.class 'threads_spec_OnlyThere'
      end)
      threads.Threads.serialization(scheme)
      local results = {}
      for i = 1, 3 do
         pool:addjob(function()
            local object = i == 2 and threads_spec_OnlyThere() or i -- luacheck: ignore 113
            return { torch.Tensor { i }, object }
         end, function(result)
            results[#results + 1] = result[1][1]
         end)
      end
      raises('thread 1: its results cannot be loaded here: ', pool.synchronize, pool)
      assert.same({ 1, 3 }, results)
      assert.is_false(pool:hasjob())
      assert.equal(before, parcels())
      pool:terminate()
   end)

   it('lets go of the bytes of results that cannot be loaded', function()
      local function resident() -- MiB
         local file = assert(io.open '/proc/self/statm')
         local _, pages = file:read('*n', '*n')
         file:close()
         return pages / 256
      end
      local pool = threads.Threads(1, function()
         torch.class 'threads_spec_OnlyThere'
      end)
      local function results(count)
         for _ = 1, count do
            pool:addjob(function()
               return { ('x'):rep(2 ^ 24), threads_spec_OnlyThere() } -- luacheck: ignore 113
            end)
            raises('its results cannot be loaded here: ', pool.synchronize, pool)
            collectgarbage()
         end
      end
      results(3) -- pools of memory have what they keep
      local before = resident()
      results(12)
      assert.is_true(resident() - before < 100)
      pool:terminate()
   end)

   it('drops what jobs share that were never sent or never read', function()
      local before = threads.Threads.serialization()
      threads.Threads.serialization 'threads.sharedserialize'
      finally(function()
         threads.Threads.serialization(before)
      end)
      local parcels = require('threads.ffi').C.threads_parcel_count
      local count = parcels()
      local x = torch.zeros(10)
      local pool = threads.Threads(1)
      for _ = 1, 20 do
         pcall(pool.addjob, pool, function()
            return x:size(1)
         end, function()
            error 'a bad callback'
         end)
      end
      while pool:hasjob() do
         pcall(pool.synchronize, pool)
      end
      for round = 1, 40 do
         pool:addjob(function()
            local t = x:size(1)
            while true do
               t = t + 1
            end
         end)
         if round % 2 == 0 then
            require('sys').sleep(0.002)
         end
         pool:cancel()
         if not pcall(pool.addjob, pool, function() end) then
            pool = threads.Threads(1)
         end
      end
      pool:cancel()
      pool:terminate()
      assert.equal(count, parcels())
   end)

   it('unlocks what a job had locked', function()
      local mutex = threads.Mutex()
      local locked = threads.safe(function()
         while true do end -- luacheck: ignore 542
      end, mutex)
      with(1, function(pool)
         pool:addjob(locked)
         require('sys').sleep(0.05)
         pool:cancel()
         mutex:lock()
         mutex:unlock()
      end)
      with(1, function(pool)
         pool:addjob(function()
            mutex:lock()
            error 'on the way'
         end)
         raises('on the way', pool.synchronize, pool)
         mutex:lock()
         mutex:unlock()
      end)
      local thread = threads.Thread(([[require('threads').Mutex(%d):lock()]]):format(mutex:id()))
      thread:free()
      mutex:lock()
      mutex:unlock()
      mutex:free()
   end)

   it('lets the process end', function()
      local script = os.tmpname()
      finally(function()
         os.remove(script)
      end)
      local function run(code)
         local file = assert(io.open(script, 'w'))
         file:write("local threads = require 'threads'\nlocal pool = threads.Threads(1)\n", code)
         file:close()
         local sys = require 'sys'
         local before = sys.clock()
         local status = os.execute(('sleep 5 | timeout 20 "%s" %s; exit $?'):format(th, script))
         return status, sys.clock() - before
      end
      assert.equal(0, (run 'pool:addjob(function() while true do end end)'))
      -- Whose status it is: a job ends the process while its main thread reads.
      local status = run 'pool:addjob(function() os.exit(3) end) io.read "*l"'
      assert.equal(3, math.floor(status / 256))
      run [[
         local ffi = require 'ffi'
         ffi.cdef 'int fork(void); int waitpid(int, int *, int);'
         local before = require('sys').clock()
         local child = ffi.C.fork()
         if child == 0 then
            os.exit(0)
         end
         ffi.C.waitpid(child, nil, 0)
         assert(require('sys').clock() - before < 0.8)
         pool:terminate()
      ]]
   end)

   it('names functions by the library that they are of', function()
      local optim = require 'optim'
      rawset(_G, 'threads_spec_floor', math.floor)
      rawset(torch, 'threads_spec_clip', optim.clipGradNorm)
      finally(function()
         rawset(_G, 'threads_spec_floor', nil)
         rawset(torch, 'threads_spec_clip', nil)
      end)
      local round, clip = math.floor, optim.clipGradNorm
      with(1, function(pool)
         local got
         pool:addjob(function()
            return round(2.5), type(clip)
         end, function(...)
            got = { ... }
         end)
         pool:synchronize()
         assert.same({ 2, 'function' }, got)
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

   it('says when results cannot travel', function()
      with(1, function(pool)
         pool:addjob(function()
            return coroutine.create(print)
         end)
         raises('Unwritable object <thread> at results[1]', pool.synchronize, pool)
      end)
   end)

   it('stops all when Ctrl-C is pressed while it is waited for', function()
      shell.with_folder(function(folder)
         local output, status = shell.run(([[
            cd %s && exec %s script.lua & child=$!
            while ! test -e %s/ready; do sleep 0.05; done
            kill -INT $child; wait $child]]):format(folder, th, folder))
         assert.matches('interrupted', output)
         assert.matches('script.lua:%d+', output)
         assert.is_nil(output:match 'not reached')
         assert.equal(1, status)
      end, { ['script.lua'] = [[
         local threads = require 'threads'
         local pool = threads.Threads(3)
         pool:addjob(function()
            io.open('ready', 'w'):close()
            local x = 0
            while true do x = x + 1 end
         end)
         pool:addjob(function() while true do tostring {} end end)
         pool:addjob(function() require('sys').sleep(1000) end)
         pool:addjob(function() print 'not reached' end)
         pool:synchronize()
         print 'not reached' ]] })
   end)

   it('does not keep a program from ending', function()
      for _, script in ipairs {
         'os.exit(4)', 'pool:addjob(function() os.exit(4) end) pool:synchronize()',
      } do
         shell.with_folder(function(folder)
            local _, status = shell.run(('%s %s/script.lua'):format(th, folder))
            assert.equal(4, status)
         end, { ['script.lua'] = [[
            local pool = require('threads').Threads(2)
            pool:addjob(function() while true do tostring {} end end) ]] .. script })
      end
   end)

   it('ends once', function()
      local pool = threads.Threads(1)
      local done
      pool:addjob(function()
         return true
      end, function(x)
         done = x
      end)
      assert.is_true(pool:isrunning())
      pool:terminate()
      assert.is_true(done)
      assert.is_false(pool:isrunning())
      pool:terminate()
      raises('the pool was terminated', pool.addjob, pool, function() end)
      assert.matches('terminated', tostring(pool))
   end)

   it('ends with an error when a job has failed, but it ends', function()
      local pool = threads.Threads(1)
      pool:addjob(function()
         error 'too late'
      end)
      raises('too late', pool.terminate, pool)
      assert.is_false(pool:isrunning())
   end)

   -- As if it were stopped when its results are written and nobody has them yet.
   it('drops what the results of a job share that is stopped before it is done', function()
      local parcels = require('threads.ffi').C.threads_parcel_count
      local before, count = threads.Threads.serialization(), parcels()
      finally(function()
         threads.Threads.serialization(before)
      end)
      shell.with_folder(function(folder)
         local path = package.path
         package.path = folder .. '/?.lua;' .. path
         threads.Threads.serialization 'stopped_scheme'
         local pool = threads.Threads(1) -- has this path
         package.path = path
         local x = torch.zeros(10)
         for _ = 1, 3 do
            pool:addjob(function()
               return x
            end)
            raises('stopped here', pool.synchronize, pool)
         end
         pool:terminate()
         assert.equal(count, parcels())
      end, { ['stopped_scheme.lua'] = [[
         local shared = require 'threads.sharedserialize'
         return { load = shared.load, parcelOf = shared.parcelOf, save = function(object, ...)
            local bytes = shared.save(object, ...)
            if object.n and torch.isTensor(object[1]) and rawget(_G, '__threadid') then
               error('stopped here', 0)
            end
            return bytes
         end }
      ]] })
   end)

   -- Either ends the thread where it is: no code of the worker's comes after.
   for way, ending in pairs {
      ['is stopped in compiled code'] = 'while true do end',
      ['ends itself'] = "require('ffi').cdef 'void pthread_exit(void *)' "
         .. "require('ffi').C.pthread_exit(nil)",
   } do
      it('drops what the results share of a thread that ' .. way .. ' as it writes them', function()
         local parcels = require('threads.ffi').C.threads_parcel_count
         local before, count = threads.Threads.serialization(), parcels()
         finally(function()
            threads.Threads.serialization(before)
         end)
         shell.with_folder(function(folder)
            local path = package.path
            package.path = folder .. '/?.lua;' .. path
            threads.Threads.serialization 'ending_scheme'
            local pool = threads.Threads(1) -- has this path
            package.path = path
            local x = torch.zeros(10)
            pool:addjob(function()
               return x
            end)
            repeat
               require('sys').sleep(0.02)
            until x[1] == 1 -- its results are written
            require('sys').sleep(0.05)
            pool:cancel()
            pcall(pool.terminate, pool)
            assert.equal(count, parcels())
         end, { ['ending_scheme.lua'] = ([[
            local shared = require 'threads.sharedserialize'
            return { load = shared.load, parcelOf = shared.parcelOf, save = function(object, ...)
               local bytes = shared.save(object, ...)
               if object.n and torch.isTensor(object[1]) and rawget(_G, '__threadid') then
                  object[1][1] = 1
                  %s
               end
               return bytes
            end }
         ]]):format(ending) })
      end)
   end

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
