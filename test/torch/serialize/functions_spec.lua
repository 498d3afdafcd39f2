local torch = require 'torch'
local raises = require 'test.support.raises'
local t7 = require 'test.support.t7'

local copyOf = t7.copyOf
local messageOf = t7.messageOf
local quietly = t7.quietly

describe('functions in files', function()
   it('run as before, with their upvalues', function()
      local a, b = 2, { 3 }
      local f = copyOf(function(x, ...)
         return a * x + b[1], ...
      end)
      assert.same({ 13, 'y', 'z' }, { f(5, 'y', 'z') })
   end)

   it('share upvalues among closures, and can refer to themselves', function()
      local count = 0
      local function step()
         count = count + 1
         return count
      end
      local function get()
         return count
      end
      local function factorial(n)
         return n == 0 and 1 or n * factorial(n - 1)
      end
      local copy = copyOf { step, get, factorial, step }
      assert.equal(copy[1], copy[4])
      copy[1]()
      copy[1]()
      assert.equal(2, copy[2]())
      assert.equal(0, count)
      assert.equal(120, copy[3](5))
   end)

   it('are not run by loading', function()
      local ran = false
      rawset(_G, 't7testRan', function()
         ran = true
      end)
      local f = copyOf(function()
         t7testRan() -- luacheck: ignore 113
      end)
      assert.is_false(ran)
      f()
      assert.is_true(ran)
      rawset(_G, 't7testRan', nil)
   end)

   it('become placeholders on request, which are saved unchanged', function()
      local n = 5
      local bytes = torch.serialize { f = function() return n end }
      local t = torch.deserialize(bytes, 'binary', { loadFunctions = false })
      assert.matches('loadFunctions', messageOf(t.f), 1, true)
      assert.equal(#bytes, #torch.serialize(t)) -- fields may change places
      assert.equal(5, torch.deserialize(torch.serialize(t)).f())
      local path = os.tmpname()
      torch.save(path, t)
      assert.matches('loadFunctions', messageOf(torch.load(path, nil, nil,
         { loadFunctions = false }).f), 1, true)
      assert.equal(5, torch.load(path).f())
      os.remove(path)
   end)

   it('whose bytecode is damaged become placeholders, and cannot harm by loading', function()
      local bytes = torch.serialize(function(a)
         local t = { 1, 2.5, x = 'y', nested = { true } }
         for k, v in pairs(t) do
            a[k] = v
         end
         return function() return a, 12LL, 1e300 end
      end)
      local state, kept, placeholders = 7, 0, 0
      local function random(n)
         state = (state * 16807) % 2147483647
         return state % n + 1
      end
      quietly(function()
         for _ = 1, 3000 do
            local at = 12 + random(#bytes - 12)
            local byte = string.char(random(256) - 1)
            local damaged = bytes:sub(1, at - 1) .. byte .. bytes:sub(at + 1)
            local ok, f = pcall(torch.deserialize, damaged)
            if ok and type(f) == 'function' then
               if debug.getinfo(f, 'S').source:match 'serialize/functions.lua$' then
                  placeholders = placeholders + 1
                  raises('this function could not be loaded from ', f)
               else -- its instructions may be damaged: calling it is not safe
                  kept = kept + 1
                  assert.matches(damaged:sub(13, 100), torch.serialize(f), 1, true)
               end
            end
         end
      end)
      assert.is_true(kept > 100)
      assert.is_true(placeholders > 100)
   end)
end)
