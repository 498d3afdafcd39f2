local torch = require 'torch'
local raises = require 'test.support.raises'

describe('types', function()
   it('convert by C casts', function()
      local t = torch.DoubleTensor { 300, -1, 2.9, -2.9 }
      assert.same({ 44, 255, 2, 254 }, t:byte():totable())
      assert.same({ 44, -1, 2, -2 }, t:char():totable())
      assert.same({ 300, -1, 2, -2 }, t:int():totable())
      assert.same({ 300, -1, 2, -2 }, t:type('torch.LongTensor'):totable())
   end)

   -- Cut off towards 0, then the low bits: modulo 2^bits. Beyond 64 bits, and for NaN, the bits of
   -- the smallest 64-bit integer: only its own type has room for the one that is set.
   local BITS = { Byte = 8, Char = 8, Short = 16, Int = 32, Long = 64 }
   local function cut(v, name)
      local bits = BITS[name]
      if not (v >= -2 ^ 63 and v < 2 ^ 63) then
         return bits == 64 and -2 ^ 63 or 0
      end
      local whole = v < 0 and math.ceil(v) or math.floor(v)
      if bits == 64 then
         return whole
      end
      local low = whole % 2 ^ bits
      return name ~= 'Byte' and low >= 2 ^ (bits - 1) and low - 2 ^ bits or low
   end

   it('cut numbers that are out of range by one rule, whatever the way', function()
      local values = { 3e9, -3e9, 2 ^ 31, -2 ^ 31, -2 ^ 31 - 1, 2 ^ 32 + 5.75, 300.9, -1.9, 128,
         -129, 65536 + 7, 1e15 + 1, 2 ^ 62, 2 ^ 63, -2 ^ 63, 2 ^ 64, 1e19, -1e300, math.huge,
         -math.huge, 0 / 0 }
      for name in pairs(BITS) do
         local class = torch[name .. 'Tensor']
         local function new(...)
            return class(...)
         end
         local ways = {
            conversion = function(v) return torch.DoubleTensor { v }:type(class():type())[1] end,
            ['conversion of many'] = function(v)
               return torch.DoubleTensor(77):fill(v):type(class():type())[77]
            end,
            ['strided copy'] = function(v)
               local x = torch.DoubleTensor(9, 2):fill(v)
               return new(9, 2):copy(x)[{ 9, 2 }] + 0 * new(9):copy(x:select(2, 2))[9]
            end,
            element = function(v)
               local x = new(1)
               x[1] = v
               return x[1]
            end,
            ['element of a matrix'] = function(v)
               local x = new(2, 2)
               x[{ 2, 1 }] = v
               return x[{ 2, 1 }]
            end,
            ['storage'] = function(v)
               local s = new(1):storage()
               s[1] = v
               return s[1]
            end,
            table = function(v) return new { v }[1] end,
            fill = function(v) return new(40):fill(v)[40] end,
            ['strided fill'] = function(v) return new(5, 5):t():fill(v)[{ 5, 5 }] end,
            apply = function(v) return new(1):apply(function() return v end)[1] end,
            operand = function(v) return new(40):zero():add(v)[40] end,
            ['mask fill'] = function(v)
               local x = new(1):zero()
               return x:maskedFill(x:eq(0), v)[1]
            end,
            ['index fill'] = function(v)
               return new(1):indexFill(1, torch.LongTensor { 1 }, v)[1]
            end,
         }
         for way, f in pairs(ways) do
            for _, v in ipairs(values) do
               assert.equal(cut(v, name), f(v), ('%s of %g, %s'):format(name, v, way))
            end
         end
         for _, v in ipairs(values) do -- floats: as what they are
            local x = torch.FloatTensor { v }
            assert.equal(cut(x[1], name), x:type(class():type())[1])
         end
      end
   end)

   it('a tensor of the wanted type is returned itself', function()
      local t = torch.FloatTensor(2)
      assert.is_true(rawequal(t, t:float()))
      assert.is_true(rawequal(t, t:type 'torch.FloatTensor'))
      assert.equal('torch.FloatTensor', t:type())
      assert.equal('torch.FloatTensor', torch.IntTensor(2):typeAs(t):type())
   end)

   it('the default type makes torch.Tensor and what constructors return', function()
      assert.equal('torch.DoubleTensor', torch.getdefaulttensortype())
      torch.setdefaulttensortype 'torch.FloatTensor'
      local made, zeros = torch.Tensor(2):type(), torch.zeros(2):type()
      torch.setdefaulttensortype 'torch.DoubleTensor'
      assert.equal('torch.FloatTensor', made)
      assert.equal('torch.FloatTensor', zeros)
      raises("setdefaulttensortype: wanted the name of a type, got the class: 'torch.",
         torch.setdefaulttensortype, torch.FloatTensor)
      raises("type: wanted the name of a type, got the class: 'torch.IntTensor' is its name",
         torch.Tensor(1).type, torch.Tensor(1), torch.IntTensor)
      raises('setdefaulttensortype: torch.NoTensor is not a tensor type',
         torch.setdefaulttensortype, 'torch.NoTensor')
   end)

   it('halves round to nearest even', function()
      assert.equal(2048, torch.HalfTensor({ 2049 })[1])
      assert.equal(2052, torch.HalfTensor({ 2051 })[1])
      assert.equal(math.huge, torch.HalfTensor({ 65520 })[1])
      assert.equal(65504, torch.HalfTensor({ 65519 })[1])
      assert.equal(2 ^ -24, torch.HalfTensor({ 2 ^ -24 })[1])
      assert.equal(256, torch.BFloat16Tensor({ 257 })[1])
   end)
end)

describe('storages', function()
   it('have bounds', function()
      local s = torch.FloatStorage { 1, 2, 3 }
      assert.equal(3, #s)
      assert.equal(2, s[2])
      local ok, message = pcall(function() return s[4] end)
      assert.is_false(ok)
      assert.matches('4 is out of bounds of a storage of 3 elements', message)
      raises('0 is out of bounds of a storage of 3 elements', function() s[0] = 1 end)
   end)

   it('share, view, grow and convert', function()
      local s = torch.DoubleStorage { 1, 2, 3, 4 }
      local view = torch.DoubleStorage(s, 2, 2)
      view[1] = 9
      assert.equal(9, s[2])
      raises('resize: a storage cannot grow from 4 to 1000 elements while other storages view it',
         s.resize, s, 1000)
      assert.same({ 1, 9, 3, 4 }, s:totable())
      assert.same({ 1, 9, 3, 4 }, s:type('torch.IntStorage'):totable())
      local grown = torch.DoubleStorage({ 1, 2 }):resize(1000)
      assert.equal(2, grown[2])
      assert.same({ 5, 5 }, torch.IntStorage(2):fill(5):totable())
      assert.equal(s, torch.DoubleTensor(s):storage())
   end)

   it('hold text', function()
      local s = torch.CharStorage():string 'hello'
      assert.equal(5, #s)
      assert.equal(104, s[1])
      assert.equal('hello', s:string())
   end)

   it('map files', function()
      local name = os.tmpname()
      local s = torch.FloatStorage(name, true, 10)
      s:fill(3)
      assert.equal(3, torch.FloatStorage(name, false)[10])
      assert.equal(10, #torch.FloatStorage(name))
      os.remove(name)
      local ok, message = pcall(torch.FloatStorage, '/nonexistent/file')
      assert.is_false(ok)
      assert.matches('cannot open /nonexistent/file', message)
   end)
end)

describe('apply and map', function()
   it('visit elements in row-major order; nil keeps one', function()
      local seen = {}
      local t = torch.range(1, 4):view(2, 2):t()
      t:apply(function(x)
         seen[#seen + 1] = x
         return x > 2 and -x or nil
      end)
      assert.same({ 1, 3, 2, 4 }, seen)
      assert.same({ { 1, -3 }, { 2, -4 } }, t:totable())
   end)

   it('work for every type', function()
      for _, name in ipairs { 'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Float',
         'Double' } do
         local t = torch.factory('torch.' .. name .. 'Tensor')():resize(3):fill(2)
         t:apply(function(x) return x + 1 end)
         t:map(t:clone(), function(x, y) return x * y end)
         t:map2(t, t, function(x, y, z) return x + y - z end)
         assert.same({ 9, 9, 9 }, t:totable(), name)
      end
   end)

   it('raise what the function raises, and refuse other results', function()
      local t = torch.ones(2)
      assert.has_error(function() t:apply(function() error('mine', 0) end) end, 'mine')
      local ok, message = pcall(t.apply, t, function() return 'x' end)
      assert.is_false(ok)
      assert.matches('must return a number or nil, got string', message)
   end)
end)

describe('conversion to CUDA', function()
   if torch.CudaTensor then
      return
   end
   it('says what to require', function()
      for _, method in ipairs { 'cuda', 'cudaDouble', 'cudaHalf' } do
         local _, message = pcall(function() torch.Tensor(3)[method](torch.Tensor(3)) end)
         local wanted = 'convert_spec.lua:%d+: ' .. method .. ": .*require 'cutorch' first"
         assert.matches(wanted, message)
      end
      local _, message = pcall(function() torch.Tensor(3):type 'torch.CudaTensor' end)
      assert.matches("convert_spec.lua:%d+: type: there is no torch.CudaTensor yet", message)
      _, message = pcall(function() torch.Tensor(3):type 'torch.Foo' end)
      assert.matches('convert_spec.lua:%d+: type: torch.Foo is not a tensor type', message)
   end)
end)

describe('memory outside the heap', function()
   it('makes the collector run', function()
      local th = require 'torch.ffi'
      collectgarbage()
      local before = tonumber(th.C.TH_liveBytes(0)[0])
      for _ = 1, 1000 do
         torch.FloatTensor(2 ^ 18)
      end
      assert.is_true(tonumber(th.C.TH_liveBytes(0)[0]) - before < 200 * 2 ^ 20)
   end)
end)
