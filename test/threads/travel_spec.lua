-- What goes to the threads with a job, and comes back with its results.
local torch = require 'torch'
local threads = require 'threads'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local with = require('test.support.pools').with

-- Messages as ever, but a thread that has written a job's results, a list with a tensor, then does
-- something of its own.
local function scheme_that(does)
   return ([[
      local shared = require 'threads.sharedserialize'
      return { load = shared.load, parcelOf = shared.parcelOf, save = function(object, ...)
         local bytes = shared.save(object, ...)
         if object.n and torch.isTensor(object[1]) and rawget(_G, '__threadid') then
            %s
         end
         return bytes
      end }
   ]]):format(does)
end

-- f(pool) while messages are written by a module of this text; no parcels are left then.
local function with_scheme(text, f)
   local parcels = require('threads.ffi').C.threads_parcel_count
   local before, count = threads.Threads.serialization(), parcels()
   shell.with_folder(function(folder)
      local path = package.path
      package.path = folder .. '/?.lua;' .. path
      package.loaded.own_scheme = nil
      threads.Threads.serialization 'own_scheme'
      local pool = threads.Threads(1) -- has this path
      package.path = path
      local ok, message = pcall(f, pool)
      threads.Threads.serialization(before)
      assert(ok, message)
      assert.equal(count, parcels())
   end, { ['own_scheme.lua'] = text })
end

describe('what travels with jobs', function()
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

   it('says when results cannot travel', function()
      with(1, function(pool)
         pool:addjob(function()
            return coroutine.create(print)
         end)
         raises('Unwritable object <thread> at results[1]', pool.synchronize, pool)
      end)
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

   -- As if it were stopped when its results are written and nobody has them yet.
   it('drops what the results of a job share that is stopped before it is done', function()
      with_scheme(scheme_that "error('stopped here', 0)", function(pool)
         local x = torch.zeros(10)
         for _ = 1, 3 do
            pool:addjob(function()
               return x
            end)
            raises('stopped here', pool.synchronize, pool)
         end
         pool:terminate()
      end)
   end)

   -- Either ends the thread where it is: no code of the worker's comes after.
   for way, ending in pairs {
      ['is stopped in compiled code'] = 'while true do end',
      ['ends itself'] = "require('ffi').cdef 'void pthread_exit(void *)' "
         .. "require('ffi').C.pthread_exit(nil)",
   } do
      it('drops what the results share of a thread that ' .. way .. ' as it writes them', function()
         with_scheme(scheme_that('object[1][1] = 1 ' .. ending), function(pool)
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
         end)
      end)
   end
end)
