local torch = require 'torch'
local results = require 'trepl.results'
local raises = require 'test.support.raises'

local function collect()
   collectgarbage()
   collectgarbage()
end

describe('results', function()
   local meta

   before_each(function()
      meta = getmetatable(_G)
      local copy = {}
      for event, f in pairs(meta or {}) do
         copy[event] = f
      end
      setmetatable(_G, copy)
      results.install()
   end)

   after_each(function()
      setmetatable(_G, meta)
   end)

   it('are _, _LAST and _RESULTS', function()
      results.keep(7)
      results.keep 'x'
      assert.same({ 'x', 'x' }, { _G._, _G._LAST })
      local n = results.count()
      assert.equal('x', _G._RESULTS[n])
      assert.equal(7, _G._RESULTS[n - 1])
      assert.equal(n, #_G._RESULTS)
      assert.equal('x', _G._RESULTS[#_G._RESULTS])
      raises('_RESULTS is read only', function() _G._RESULTS[1] = 2 end)
      results.keep(_G._RESULTS)
      assert.equal(_G._RESULTS, _G._)
   end)

   it('take the names back that a script used', function()
      rawset(_G, '_', 'mine')
      assert.equal('mine', _G._)
      results.keep(8)
      assert.equal(8, _G._)
   end)

   it('leave nil out', function()
      results.keep(9)
      local n = results.count()
      results.keep(nil)
      assert.equal(n, results.count())
      assert.equal(9, _G._)
   end)

   it('are kept when they are small, and a hundred of them', function()
      results.keep(torch.Tensor { 1, 2 })
      local place = results.count()
      collect()
      assert.equal(2, _G._:nElement())
      for i = 1, 100 do
         results.keep(i)
      end
      assert.is_nil(_G._RESULTS[place])
      assert.equal(1, _G._RESULTS[place + 1])
   end)

   it('are gone over by pairs and ipairs, from the oldest that is there', function()
      local function places(over)
         local found = {}
         for place, value in over(_G._RESULTS) do
            found[#found + 1] = place
            assert.equal(_G._RESULTS[place], value)
         end
         return found
      end
      for i = 1, 150 do
         results.keep(i)
      end
      local last = results.count()
      local found = places(pairs)
      assert.same(found, places(ipairs))
      assert.same({ 100, last - 99, last }, { #found, found[1], found[100] })
      results.keep(torch.Tensor(2 ^ 18))
      results.keep 'x'
      collect()
      found = places(pairs)
      assert.same({ 99, last - 97, last, last + 2 }, { #found, found[1], found[98], found[99] })
   end)

   it('keep no large memory alive', function()
      results.keep(torch.Tensor(2 ^ 18)) -- 2 MiB
      results.keep { net = { weight = torch.Tensor(2 ^ 18) } }
      local n = results.count()
      assert.is_not_nil(_G._RESULTS[n - 1])
      collect()
      assert.is_nil(_G._RESULTS[n - 1])
      assert.is_nil(_G._RESULTS[n])
      assert.is_nil(_G._)
   end)

   it('are there as long as somebody else holds them', function()
      local t = torch.Tensor(2 ^ 18)
      results.keep(t)
      collect()
      assert.equal(2 ^ 18, _G._:nElement())
   end)

   it('are heavy by what they share, not by what they show', function()
      assert.is_true(results.is_heavy(torch.Tensor(2 ^ 18):narrow(1, 1, 2)))
      assert.is_false(results.is_heavy(torch.Tensor()))
      assert.is_false(results.is_heavy(torch.FloatStorage(3)))
      assert.is_true(results.is_heavy(torch.FloatStorage(2 ^ 19)))
      assert.is_true(results.is_heavy(('x'):rep(10)) == false)
   end)

   it('let the record of a computed tensor go, and keep its elements', function()
      local x = torch.Variable(torch.ones(2 ^ 18))
      local loss = (torch.cmul(x, x) * 2):sum(1) -- held, whenever Lua collects
      results.keep(loss)
      results.keep { loss = torch.cmul(x, x):sum(1) }
      results.keep(torch.cmul(x, x))
      results.keep(torch.Variable(torch.ones(2)))
      local n = results.count()
      _G._RESULTS[n - 3]:backward()
      assert.equal(4, x.grad[1])
      loss = nil -- luacheck: ignore 311
      collect()
      assert.same({ 2 ^ 19 }, _G._RESULTS[n - 3]:totable())
      assert.is_false(_G._RESULTS[n - 3]:isVariable())
      assert.is_nil(_G._RESULTS[n - 2])
      assert.is_nil(_G._RESULTS[n - 1])
      assert.is_true(_G._RESULTS[n]:isVariable())
   end)

   it('give the memory back that a record has kept', function()
      local account = require('torch.ffi').C.TH_account()
      collect()
      local before = account.made
      local x = torch.Variable(torch.ones(2 ^ 18)) -- 2 MiB
      results.keep(torch.cmul(x, x):sum(1))
      x = nil -- luacheck: ignore 311
      assert.is_true(account.made - before > 2 ^ 21)
      collect()
      assert.is_true(account.made - before < 2 ^ 10)
      assert.equal(2 ^ 18, _G._[1])
   end)

   it('are heavy by what functions and C data hold', function()
      local large, small = torch.Tensor(2 ^ 18), { 1 }
      assert.is_true(results.is_heavy(function() return large end))
      assert.is_false(results.is_heavy(function() return small end))
      assert.is_true(results.is_heavy(require('ffi').new('char[?]', 2 ^ 21)))
      assert.is_false(results.is_heavy(1LL))
   end)

   it('are heavy when nobody can say in a moment what they hold', function()
      local long, own = {}, {}
      for i = 1, 2000 do
         long[i] = i
      end
      own.own = own
      assert.is_true(results.is_heavy(long))
      assert.is_false(results.is_heavy(own))
   end)

   local cuda = require 'test.support.cuda'
   local on_device = cuda.available and it or pending
   on_device('keep nothing on a device alive', function()
      results.keep(torch.CudaTensor(3))
      results.keep { torch.CudaTensor(3) }
      local n = results.count()
      collect()
      assert.same({}, { _G._RESULTS[n - 1], _G._RESULTS[n] })
   end)
end)
