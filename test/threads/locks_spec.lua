local torch = require 'torch'
local threads = require 'threads'
local Queue = require 'threads.queue'
local raises = require 'test.support.raises'

describe('threads.Mutex', function()
   it('lets one thread in', function()
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads.Threads(4)
      threads.Threads.serialization 'threads.serialize'
      local mutex, x = threads.Mutex(), torch.LongStorage { 0 }
      local id = mutex:id()
      for _ = 1, 4 do
         pool:addjob(function()
            local same = require('threads').Mutex(id)
            for _ = 1, 500 do
               same:lock()
               x[1] = x[1] + 1
               same:unlock()
            end
            same:free()
         end)
      end
      pool:terminate()
      assert.equal(2000, x[1])
      mutex:free()
      raises('there is none with the id ' .. id, threads.Mutex, id)
      raises('it was freed', mutex.lock, mutex)
   end)

   it('says what would never end', function()
      local mutex = threads.Mutex()
      mutex:lock()
      raises('this thread has locked it already', mutex.lock, mutex)
      mutex:unlock()
      raises('it is not locked', mutex.unlock, mutex)
      raises('there is none with the id x', threads.Mutex, 'x')
      raises('cannot leave its process', torch.serialize, mutex)
      mutex:free()
   end)
end)

describe('threads.Condition', function()
   it('wakes who waits', function()
      local mutex, condition = threads.Mutex(), threads.Condition()
      local thread = threads.Thread(([[
         local threads = require 'threads'
         local mutex, condition = threads.Mutex(%d), threads.Condition(%d)
         mutex:lock() -- not before the other waits
         mutex:unlock()
         condition:signal()
         mutex:free()
         condition:free()
      ]]):format(mutex:id(), condition:id()))
      mutex:lock()
      condition:wait(mutex)
      raises('this thread has locked it already', mutex.lock, mutex)
      mutex:unlock()
      thread:free()
      raises('expected a threads.Mutex that is locked, got nil', condition.wait, condition)
      raises('it is not locked', condition.wait, condition, mutex)
      mutex:free()
      condition:free()
   end)
end)

describe('threads.Thread', function()
   it('runs code, and raises its error when it is waited for', function()
      local name = os.tmpname()
      local thread = threads.Thread(('local f = io.open(%q, "w") f:write "done" f:close()'):format(
         name))
      assert.is_number(thread:id())
      thread:free()
      local file = io.open(name)
      assert.equal('done', file:read '*a')
      file:close()
      os.remove(name)
      raises('it was freed', thread.free, thread)
      local failing = threads.Thread 'error "no"'
      raises('no', failing.free, failing)
      raises('threads.Thread: ', threads.Thread, 'for')
      raises('expected Lua code as a string, got nil', threads.Thread)
   end)
end)

describe('threads.safe', function()
   it('lets one thread into a function', function()
      threads.Threads.serialization 'threads.sharedserialize'
      local pool = threads.Threads(3)
      threads.Threads.serialization 'threads.serialize'
      local x = torch.zeros(20000)
      local add = threads.safe(function(n)
         for i = 1, 4 do
            x:narrow(1, (i - 1) * 5000 + 1, 5000):add(n)
         end
         return n, nil
      end)
      local results = 0
      for _ = 1, 30 do
         pool:addjob(add, function(...)
            results = results + select('#', ...)
         end, 2)
      end
      pool:terminate()
      assert.same({ 60, 60, 60 }, { x:min(), x:max(), results })
   end)

   it('unlocks after an error, and takes a mutex', function()
      local mutex = threads.Mutex()
      local f = threads.safe(function()
         error 'inside'
      end, mutex)
      raises('inside', f)
      raises('inside', f)
      mutex:free()
      raises('the first argument must be a function, got nil', threads.safe)
      raises('the second argument is a threads.Mutex, got number', threads.safe, print, 1)
   end)
end)

describe('threads.queue', function()
   it('takes jobs from any thread to any other', function()
      local pool = threads.Threads(2)
      local queue = Queue(2)
      for i = 1, 2 do
         pool:addjob(function()
            for k = 1, 3 do
               queue:addjob(function(a)
                  return a + i, k
               end, 10 * k)
            end
         end)
      end
      local sum = 0
      for _ = 1, 6 do
         local a, k = queue:dojob()
         sum = sum + a + k
      end
      assert.equal(2 * 60 + 3 + 6 + 12, sum)
      pool:terminate()
      assert.equal(0, queue:size())
      raises('the job must be a function, got nil', queue.addjob, queue)
      raises('the size must be a whole number from 1 on, got 0', Queue, 0)
   end)
end)
