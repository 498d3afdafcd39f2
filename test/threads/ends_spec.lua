-- Errors of jobs, jobs that are stopped, and the ends of pools and programs.
local torch = require 'torch'
local threads = require 'threads'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local with = require('test.support.pools').with

local th = os.getenv 'TH_EXECUTABLE'

describe('jobs and pools that end', function()
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
         assert.matches('ends_spec.lua:%d+: a mistake', message)
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
      raises('thread 2: test/threads/ends_spec.lua', threads.Threads, 2, function(id)
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
end)
