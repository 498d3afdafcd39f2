-- A tensor's class as scripts see it: the metatable of its objects.
local torch = require 'torch'

describe('getmetatable', function()
   it('of a tensor or storage is its class', function()
      local x = torch.FloatTensor(2)
      assert.equal(torch.getmetatable('torch.FloatTensor'), getmetatable(x))
      assert.equal('torch.FloatTensor', getmetatable(x).__typename)
      assert.equal('torch.FloatStorage', getmetatable(x:storage()).__typename)
      assert.equal('function', type(getmetatable(x).add))
   end)

   it('of anything else is what Lua says', function()
      local mt = {}
      assert.equal(mt, getmetatable(setmetatable({}, mt)))
      assert.equal('mine', getmetatable(setmetatable({}, { __metatable = 'mine' })))
      assert.equal(string, getmetatable('').__index)
      assert.equal('ffi', getmetatable(3LL))
      assert.is_nil(getmetatable {})
      assert.is_nil(getmetatable(nil))
   end)
end)

describe('elementSize', function()
   it('is known to objects and to classes', function()
      for name, bytes in pairs { Byte = 1, Half = 2, Int = 4, Float = 4, Long = 8, Double = 8 } do
         for _, kind in ipairs { 'Tensor', 'Storage' } do
            local class = torch[name .. kind]
            assert.same({ bytes, bytes }, { class.elementSize(), class(2):elementSize() }, name)
         end
      end
   end)
end)

describe('type', function()
   it('is userdata for what is userdata in Torch7', function()
      for _, x in ipairs {
         torch.FloatTensor(2), torch.LongStorage(2), torch.Tensor(), torch.Generator(),
         torch.LongStorage(),
      } do
         assert.equal('userdata', type(x), torch.type(x))
      end
   end)

   it('of anything else is what Lua says', function()
      assert.same({ 'number', 'string', 'table', 'nil', 'boolean', 'function', 'cdata', 'cdata' }, {
         type(1), type '', type({}), type(nil), type(true), type(type), type(1LL),
         type(torch.FloatTensor(2):cdata()),
      })
      assert.is_false((pcall(type))) -- no argument at all
   end)

   it('does so in compiled code', function()
      local things, count = { torch.Tensor(1), 1, torch.LongStorage(1), '', {} }, 0
      for i = 1, 500 do
         if type(things[i % 5 + 1]) == 'userdata' then
            count = count + 1
         end
      end
      assert.equal(200, count)
   end)
end)

describe('the operators of a class', function()
   local class = torch.getmetatable('torch.ShortTensor')

   after_each(function()
      class.__index__, class.__newindex__ = nil, nil
   end)

   it('__index__ can be wrapped', function()
      local plain = class.__index__
      class.__index__ = function(self, key)
         if key == 'middle' then
            return self[2], true
         end
         return plain(self, key)
      end
      local x = torch.ShortTensor { 1, 2, 3 }
      assert.same({ 2, 3, 6 }, { x.middle, x[3], x:sum() })
      assert.is_nil(x.other)
      assert.same({ 2, 3 }, x[{ { 2, 3 } }]:totable())
      assert.is_nil(torch.IntTensor { 1, 2, 3 }.middle) -- another class
      class.__index__ = nil
      assert.is_nil(x.middle)
   end)

   it('__newindex__ can be wrapped', function()
      local plain = class.__newindex__
      local log = {}
      class.__newindex__ = function(self, key, value)
         log[#log + 1] = key
         if key == 'all' then
            self:fill(value)
            return true
         end
         return plain(self, key, value)
      end
      local x = torch.ShortTensor(3)
      x.all = 4
      x[2] = 5
      x[{ { 3 } }] = 6
      assert.same({ 4, 5, 6 }, x:totable())
      assert.same({ 'all', 2, { { 3 } } }, log)
      local ok, message = pcall(function() x.name = 1 end)
      assert.is_false(ok)
      assert.matches('the class torch.ShortTensor cannot be indexed', message, 1, true)
   end)

   it('can be put in place through the constructor too, and reach code that is compiled', function()
      local x, sum = torch.ShortTensor { 1, 2 }, 0
      local function total()
         sum = 0
         for _ = 1, 200 do
            sum = sum + x[1]
         end
         return sum
      end
      assert.equal(200, total())
      local plain = class.__index__
      torch.ShortTensor.__index__ = function(self, key)
         if key == 1 then
            return 10, true
         end
         return plain(self, key)
      end
      assert.equal(2000, total())
   end)

   it('are taken under Lua\'s names before Torch7\'s', function()
      local names = { '__mul', '__unm', '__len', '__tostring', '__call' }
      local before = {}
      for _, name in ipairs(names) do
         before[name] = class[name]
         rawset(class, name, function(a, b)
            return { name, a, b }
         end)
      end
      local x, other = torch.ShortTensor { 2, 3 }, {}
      local results = { x * other, -x, #x, x(5), x * 2, 2 * x }
      local mul = before.__mul(x, 2)
      for _, name in ipairs(names) do
         rawset(class, name, before[name])
      end
      for i, name in ipairs { '__mul', '__unm', '__len', '__call', '__mul', '__mul' } do
         assert.equal(name, results[i][1])
      end
      assert.equal(other, results[1][3])
      assert.equal(5, results[4][3])
      assert.equal(2, results[6][2])
      -- What was there before is the built-in operator, not the new one again.
      assert.same({ 4, 6 }, mul:totable())
      assert.same({ 4, 6 }, (x * 2):totable())
   end)
end)
