local torch = require 'torch'
local shell = require 'test.support.shell'
local tds = require 'tds'
local elem = require 'tds.elem'
local ffi = require 'ffi'
local raises = require 'test.support.raises'

local function run(code)
   return shell.run(('%s -e %s'):format(os.getenv 'TH_EXECUTABLE', shell.quoted(code)))
end

describe('tds.Hash', function()
   it('does what a table does, step by step', function()
      local random = torch.Generator()
      torch.manualSeed(random, 1)
      local hash, table_ = tds.Hash(), {}
      local count = 0
      for _ = 1, 20000 do
         local k = torch.random(random, 1, 500)
         if k % 3 == 0 then
            k = 'key ' .. k
         elseif k % 3 == 1 then
            k = -k / 4
         end
         local v = nil
         local what = torch.random(random, 1, 5)
         if what == 1 then
            v = torch.random(random, 1, 1000)
         elseif what == 2 then
            v = ('text '):rep(torch.random(random, 0, 4))
         elseif what == 3 then
            v = what == torch.random(random, 1, 5)
         end
         count = count + (v ~= nil and 1 or 0) - (table_[k] ~= nil and 1 or 0)
         hash[k], table_[k] = v, v
         assert(#hash == count and hash[k] == v)
      end
      local seen = 0
      for k, v in pairs(hash) do
         assert(table_[k] == v)
         seen = seen + 1
      end
      assert.equal(count, seen)
      for k, v in pairs(table_) do
         assert(hash[k] == v)
      end
   end)

   it('has the keys that a table has', function()
      local hash = tds.Hash()
      hash[0], hash[1e300], hash[true], hash[false], hash[''] = 1, 3, 4, 5, 6
      hash[-0] = 2
      hash['a\0b'], hash.a, hash['1'], hash[1] = 7, 8, 9, 10
      assert.same({ 2, 3, 4, 5, 6, 7, 8, 9, 10, 9 },
         { hash[0], hash[1e300], hash[true], hash[false], hash[''], hash['a\0b'], hash.a, hash['1'],
           hash[1], #hash })
      hash.b = false
      assert.is_false(hash.b)
      assert.is_nil(hash[2])
      raises('NaN (not a number) cannot be a key', function()
         hash[0 / 0] = 1
      end)
      raises('nil cannot be a key', function()
         return hash[nil]
      end)
   end)

   it('gives keys in the order in which they came, and lets them go on the way', function()
      local hash = tds.Hash()
      for i = 1, 100 do
         hash[(i * 37) % 101] = i
      end
      local expected = 1
      for k, v in pairs(hash) do
         assert(v == expected)
         expected = expected + 1
         hash[k] = v % 2 == 0 and v or nil
      end
      assert.same({ 101, 50 }, { expected, #hash })
   end)

   it('holds tensors, storages and functions', function()
      local x, s = torch.ones(4, 3), torch.FloatStorage(5):fill(2)
      local hash = tds.Hash()
      hash.view, hash.s = x:select(2, 2), s
      hash.view:fill(7)
      hash.s[1] = 9
      assert.same({ 4 * 7 + 8, 9 }, { x:sum(), s[1] })
      assert.same({ 'torch.DoubleTensor', 'torch.FloatStorage' },
         { torch.type(hash.view), torch.type(hash.s) })
      hash[x] = 'tensor'
      assert.equal('tensor', hash[x])
      assert.equal('tensor', hash[x:view(4, 3)])
      assert.is_nil(hash[x:t()])
      local up = 4
      hash.f = function(a)
         return a + up
      end
      assert.equal(7, hash.f(3))
      x = nil -- luacheck: ignore 311
      collectgarbage()
      collectgarbage()
      assert.equal(28, hash.view:sum())
   end)

   it('gives memory back', function()
      local account = require('torch.ffi').C.TH_account()
      collectgarbage()
      collectgarbage()
      local before = account.made
      local hash = tds.Hash()
      for i = 1, 20 do
         hash[i] = torch.DoubleTensor(10000)
         hash[torch.DoubleTensor(10000)] = i
      end
      hash[3] = nil
      hash[4] = 5
      collectgarbage()
      collectgarbage()
      assert.equal(38 * 80000, account.made - before)
      hash = nil -- luacheck: ignore 311
      collectgarbage()
      collectgarbage()
      assert.equal(before, account.made)
   end)

   it('is made of tables, and of another', function()
      local hash = tds.Hash { a = 1, list = { 1, 2, { x = 3 } } }
      assert.same({ 'tds.Vec', 'tds.Hash', 3 },
         { torch.type(hash.list), torch.type(hash.list[3]), hash.list[3].x })
      local copy = tds.Hash(hash)
      copy.a = 2
      assert.same({ 1, 2 }, { hash.a, copy.a })
      raises('expected nothing, a table or a tds.Hash, got number', tds.Hash, 5)
      raises('a table cannot be stored', function()
         hash.x = {}
      end)
      raises('a thread cannot be stored', function()
         hash[1] = coroutine.create(print)
      end)
   end)

   it('nests as deep as a file goes, and deeper', function()
      local first = tds.Hash()
      local h = first
      for _ = 1, 200000 do
         h.next = tds.Hash()
         h = h.next
      end
      h = nil -- luacheck: ignore 311
      first = nil -- luacheck: ignore 311
      collectgarbage()
      collectgarbage()
   end)
end)

describe('tds.Vec', function()
   it('does what a list does', function()
      local vec = tds.Vec(4, 'five', nil, true)
      assert.same({ 4, 'five', true, 4 }, { vec[1], vec[2], vec[4], #vec })
      assert.is_nil(vec[3])
      assert.is_nil(vec[5])
      assert.is_nil(vec[0])
      vec[6] = 6
      vec:insert('last')
      vec:insert(1, 'first')
      assert.equal('first|4|five|nil|true|nil|6|last', vec:concat '|')
      vec:remove(2)
      vec:remove()
      assert.equal('five nil', vec:concat(' ', 2, 3))
      assert.equal('first,five', vec:concatstorage(',', 1, 2):string())
      vec:resize(2)
      assert.equal(2, #vec)
      vec:remove(5)
      vec:resize(0)
      vec:remove()
      assert.equal(0, #vec)
      assert.equal('', vec:concat())
   end)

   it('is walked through with nil', function()
      local got = {}
      for _, walk in ipairs { pairs, ipairs } do
         for i, v in walk(tds.Vec(1, nil, 'c')) do
            got[#got + 1] = i .. tostring(v)
         end
      end
      assert.same({ '11', '2nil', '3c', '11', '2nil', '3c' }, got)
   end)

   it('sorts numbers, texts, and anything by a comparison', function()
      local random = torch.randperm(1000)
      local vec = tds.Vec(random:totable())
      vec:sort()
      for i = 1, 1000 do
         assert(vec[i] == i)
      end
      vec:sort(function(a, b)
         return a > b
      end)
      for i = 1, 1000 do
         assert(vec[i] == 1001 - i)
      end
      local compare = ffi.cast('int (*)(const tds_elem *, const tds_elem *)', function(a, b)
         return a.number - b.number
      end)
      vec:sort(compare)
      compare:free()
      assert.same({ 1, 2, 1000 }, { vec[1], vec[2], vec[1000] })
      local texts = tds.Vec('b', 'a\0', '', 'a', 'ab')
      texts:sort()
      assert.same({ '', 'a', 'a\0', 'ab', 'b' },
         { texts[1], texts[2], texts[3], texts[4], texts[5] })
      local tensors = tds.Vec(torch.ones(3), torch.ones(1), torch.ones(2))
      tensors:sort(function(a, b)
         return a:size(1) < b:size(1)
      end)
      assert.same({ 1, 2, 3 }, { #tensors[1]:totable(), #tensors[2]:totable(), tensors[3]:sum() })
      raises('numbers alone or strings alone have an order', tensors.sort, tensors)
      raises('expected a function, got number', tensors.sort, tensors, 1)
      raises('mine', vec.sort, vec, function()
         error 'mine'
      end)
      assert.equal(1000, #vec)
   end)

   it('is left alone by a sort whose comparison changes it', function()
      local message = 'changed meanwhile, by the comparison or another thread'
      for _, change in ipairs {
         function(vec) vec[1] = 9 end,
         function(vec) vec:resize(3) end,
         function(vec) vec:sort() end,
      } do
         local vec, expected = tds.Vec(5, 2, 1), tds.Vec(5, 2, 1)
         change(expected)
         local function lua(a, b)
            change(vec)
            return a < b
         end
         raises(message, vec.sort, vec, lua)
         assert.equal(expected:concat ' ', vec:concat ' ')
         vec = tds.Vec(5, 2, 1)
         local compare = ffi.cast('int (*)(const tds_elem *, const tds_elem *)', function(a, b)
            change(vec)
            return a.number - b.number
         end)
         raises(message, vec.sort, vec, compare)
         compare:free()
         assert.equal(expected:concat ' ', vec:concat ' ')
      end
   end)

   it('is as it was, and of use, when an error leaves a C comparison', function()
      local vec, calls = tds.Vec(3, 1, 4, 1, 5), 0
      local compare = ffi.cast('int (*)(const tds_elem *, const tds_elem *)', function()
         calls = calls + 1
         return calls < 4 and -1 or error 'mine'
      end)
      raises('mine', vec.sort, vec, compare)
      compare:free()
      assert.equal('3 1 4 1 5', vec:concat ' ')
      vec:sort()
      assert.equal('1 1 3 4 5', vec:concat ' ')
   end)

   it('keeps elements that a C comparison calls equal in their order', function()
      local vec, expected = tds.Vec(), {}
      for i = 1, 1000 do
         vec[i] = (i * 7) % 10 + i / 2000 -- the whole part is compared
      end
      for whole = 0, 9 do
         for i = 1, 1000 do
            if (i * 7) % 10 == whole then
               expected[#expected + 1] = whole + i / 2000
            end
         end
      end
      local compare = ffi.cast('int (*)(const tds_elem *, const tds_elem *)', function(a, b)
         return math.floor(a.number) - math.floor(b.number)
      end)
      vec:sort(compare)
      compare:free()
      for i = 1, 1000 do
         assert.equal(expected[i], vec[i])
      end
   end)

   it('says which index or element is wrong', function()
      local vec = tds.Vec()
      for _, index in ipairs { 0, -1, 1.5, 0 / 0, 2 ^ 60, 'x', true } do
         raises('an index is a whole number from 1 on, got', function()
            vec[index] = 1
         end)
      end
      raises('a table cannot be stored', vec.insert, vec, {})
      raises('a value is missing', vec.insert, vec)
      raises("the table has the key 'a'", tds.Vec, { a = 1 })
      raises('the separator is a string', vec.concat, vec, {})
      raises('got -1', vec.resize, vec, -1)
      assert.equal(0, #vec)
   end)
end)

describe('tds', function()
   it('prints as a table of its own', function()
      local vec = tds.Vec(4, 'text', tds.Hash { foo = 'bar' }, nil)
      assert.equal([[
tds.Vec[4]{
    1 : 4
    2 : text
    3 : tds.Hash[1]{
            foo : bar
        }
    4 : nil
}]], tostring(tds.Vec(4, 'text', tds.Hash { foo = 'bar' }, nil)))
      assert.equal('tds.Vec[0]{\n}', tostring(tds.Vec()))
      assert.equal('tds.AtomicCounter{3}', tostring(tds.AtomicCounter(3)))
      for i = 1, 2000 do
         vec[i] = i
      end
      assert.matches('... (1000 more)', tostring(vec), 1, true)
   end)

   for _, mode in ipairs { 'binary', 'ascii' } do
      it(('is saved and loaded, %s'):format(mode), function()
         local x = torch.rand(3)
         local hash = tds.Hash { list = { 1, 'two', true }, [5] = 'five' }
         hash.x, hash.c = x, tds.AtomicCounter(9)
         local y = torch.deserialize(torch.serialize({ hash, hash, x }, mode), mode)
         assert.same({ 4, 3, 'two', 'five', 9 },
            { #y[1], #y[1].list, y[1].list[2], y[1][5], y[1].c:get() })
         assert.same(x:totable(), y[1].x:totable())
         y[1].new = 1
         assert.equal(1, y[2].new)
         assert.is_nil(hash.new)
         y[3]:zero()
         assert.equal(0, y[1].x:sum())
      end)
   end

   it('is saved once, wherever it is held', function()
      local shared, hash = tds.Vec(1, 2), tds.Hash()
      hash.a, hash.b, hash.counter, hash.own = shared, shared, tds.AtomicCounter(1), hash
      hash.again = hash.counter
      local back = torch.deserialize(torch.serialize { hash, hash.a })
      back[2][1] = 7
      back[1].counter:inc()
      back[1].own.new = 5
      assert.same({ 7, 7, 2, 5 },
         { back[1].a[1], back[1].b[1], back[1].again:get(), back[1].new })
      assert.equal(1, shared[1])
      assert.is_true(torch.isequal(hash.a, shared))
      assert.is_false(torch.isequal(hash.a, tds.Vec(1, 2)))
      hash.own, back[1].own = nil, nil -- containers are counted, and circles not found

      local chain = tds.Vec(1)
      for _ = 1, 20 do -- of two places each, and a million at the end
         chain = tds.Vec(chain, chain)
      end
      assert.is_true(#torch.serialize(chain) < 10000)
   end)

   it('prints what holds itself', function()
      local hash, vec = tds.Hash(), tds.Vec()
      hash.vec, vec[1], vec[2] = vec, hash, vec
      local text = 'tds.Hash[1]{\n    vec : tds.Vec[2]{\n'
         .. '              1 : tds.Hash[1]{ ... } (it holds itself)\n'
         .. '              2 : tds.Vec[2]{ ... } (it holds itself)\n          }\n}'
      assert.equal(text, tostring(hash))
      assert.equal(text, tostring(hash)) -- nothing is left behind
      vec[2], vec[1] = nil, nil
   end)

   it('prints once what is in several places', function()
      local vec, hash = tds.Vec(7), tds.Hash()
      for i, value in ipairs { vec, vec, tds.Vec(), tds.Vec() } do
         hash[('abcd'):sub(i, i)] = value
      end
      assert.equal('tds.Hash[4]{\n    a : tds.Vec[1]{\n            1 : 7\n        }\n'
         .. '    b : tds.Vec[1]{ ... } (as above)\n'
         .. '    c : tds.Vec[0]{\n        }\n    d : tds.Vec[0]{\n        }\n}', tostring(hash))
      for _ = 1, 100 do -- 2^100 places at the end
         vec = tds.Vec(vec, vec)
      end
      local _, count = tostring(vec):gsub('as above', '')
      assert.equal(100, count)
   end)

   it('tells whether two handles are of one container', function()
      local vec = tds.Vec(1)
      local hash = tds.Hash { count = tds.AtomicCounter() }
      hash.a, hash.b = vec, vec
      for _, pair in ipairs { { hash.a, hash.b }, { hash.a, vec }, { hash.count, hash.count } } do
         assert.is_true(pair[1] == pair[2])
         assert.is_false(pair[1] ~= pair[2])
      end
      for _, other in ipairs { tds.Vec(1), hash, torch.ones(1), 1, '1', {}, false, print } do
         assert.is_false(vec == other)
         assert.is_false(other == vec)
      end
      assert.is_false(vec == hash.missing)
      assert.is_false(hash.missing == vec)
   end)

   it('takes no more from a file than is there', function()
      local bytes = torch.serialize(tds.Vec(1, 2, 3))
      for n = 1, #bytes - 1 do
         assert.is_false((pcall(torch.deserialize, bytes:sub(1, n))))
      end
      local at = bytes:find('\3\0\0\0\0\0\0\0', 1, true)
      local huge = bytes:sub(1, at - 1) .. ('\255'):rep(7) .. '\127' .. bytes:sub(at + 8)
      raises('the data end', torch.deserialize, huge)
   end)

   it('counts', function()
      local c = tds.AtomicCounter()
      assert.equal(0, c:get())
      c:inc()
      c:inc()
      assert.equal(2, c:get())
      c:set(-100)
      assert.equal(-100, c:get())
      raises('expected a whole number, got string', c.set, c, 'x')
      raises('expected a whole number, got 1.5', tds.AtomicCounter, 1.5)
   end)

   it('has its older names', function()
      assert.equal(tds.Hash, tds.hash)
      assert.equal(tds.Vec, tds.vec)
      assert.equal(tds.AtomicCounter, tds.atomic_counter)
   end)

   it('may be used by finalizers', function()
      local hash, other, vec = tds.Hash(), tds.Hash(), tds.Vec()
      for i = 1, 100 do
         hash[i], other[i], vec[i] = torch.ones(3), torch.ones(5), ('text %d'):format(i)
      end
      other.text, other.short, other.number = ('y'):rep(1000), 'short', -1
      local function finalized()
         local proxy = newproxy(true)
         getmetatable(proxy).__gc = function()
            assert(other[1]:size(1) == 5 and other.text)
            assert(other.short == 'short' and other.number == -1)
            other[other[2]] = other[1]
         end
      end
      for round = 1, 5000 do
         finalized()
         local i = round % 100 + 1
         assert(hash[i]:size(1) == 3 and vec[i] == ('text %d'):format(i))
         hash[i], vec[i] = hash[i], vec[i]
         if round % 500 == 0 then
            for _, text in pairs(vec) do
               assert(text:match '^text')
            end
            for key, x in pairs(hash) do
               assert(type(key) == 'number' and x:size(1) == 3)
            end
         end
      end
      collectgarbage()
      assert.equal(3, hash[1]:sum())
      assert.equal(5, other[1]:sum())
   end)

   it('is empty to finalizers that run behind its own, when the state ends', function()
      local output, code = run([[
         local tds = require 'tds'
         local vec, hash = tds.Vec('text', 1), tds.Hash { key = 'text' }
         local counter = tds.AtomicCounter(3)
         for _ = 1, 100 do
            local proxy = newproxy(true)
            getmetatable(proxy).__gc = function()
               io.write(tostring(vec[1] or 'none'), tostring(hash.key or 'none'), ' ')
               vec[1], hash.key = vec[1], hash.key
               vec:resize(#vec)
               counter:inc()
            end
         end
      ]])
      assert.equal(0, code, output)
      assert.equal(('nonenone '):rep(100), output)
   end)

   it('holds texts of every length', function()
      local vec, hash = tds.Vec(), tds.Hash()
      local lengths = { 0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 239, 240, 241, 255, 256, 257, 5000 }
      for i, n in ipairs(lengths) do
         local text = ('a\0b\255'):rep(math.ceil(n / 4)):sub(1, n)
         vec[i], hash[i], hash[text] = text, text, i
         assert.equal(text, vec[i])
         assert.equal(text, hash[i])
         assert.equal(i, hash[text])
      end
      for i, n in ipairs(lengths) do
         assert.equal(n, #vec[i])
         assert.equal(vec[i], hash[i])
         vec[i] = hash[i] .. '.'
         assert.equal(n + 1, #vec[i])
      end
      vec[1], vec[2], vec[3] = true, false, nil
      assert.same({ true, false }, { vec[1], vec[2] })
      assert.is_nil(vec[3])
   end)

   it('learns C types', function()
      ffi.cdef 'typedef struct { double x, y; } tds_spec_Point;'
      ffi.cdef 'void *malloc(size_t); void free(void *);'
      local Point = ffi.metatype('tds_spec_Point', { __index = {} })
      local before = elem.type
      elem.type = function(object)
         return ffi.istype(Point, object) and 'Point' or before(object)
      end
      elem.addctype('Point', ffi.C.free, function(p)
         local copy = ffi.cast('tds_spec_Point *', ffi.C.malloc(ffi.sizeof(Point)))
         copy[0] = p
         return copy, ffi.C.free
      end, function(pointer)
         return Point(ffi.cast('tds_spec_Point *', pointer)[0])
      end)
      local vec = tds.Vec(Point(1, 2), Point(3, 4))
      vec:remove(1)
      assert.same({ 3, 4 }, { vec[1].x, vec[1].y })
      elem.type = before
      raises('a cdata cannot be stored', vec.insert, vec, ffi.new 'int[2]')
   end)
end)
