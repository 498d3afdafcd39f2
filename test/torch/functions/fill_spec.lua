local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*fill_spec%.lua:%d+: ', message)
end

describe('filled tensors', function()
   it('zeros, ones, eye, range, linspace, logspace', function()
      assert.same({ { 0, 0 } }, torch.zeros(1, 2):totable())
      assert.same({ 1, 1, 1 }, torch.ones(torch.LongStorage { 3 }):totable())
      assert.same({ { 1, 0, 0 }, { 0, 1, 0 } }, torch.eye(2, 3):totable())
      assert.same({ 2, 4, 6 }, torch.range(2, 7, 2):totable())
      assert.same({ 3, 2, 1 }, torch.range(3, 1, -1):totable())
      assert.same({ 0, 0.25, 0.5, 0.75, 1 }, torch.linspace(0, 1, 5):totable())
      assert.equal(100, torch.linspace(0, 1):nElement())
      assert.near(100, torch.logspace(0, 2, 3)[3], 1e-11)
   end)

   it('of a type named last, or into a given tensor', function()
      assert.equal('torch.IntTensor', torch.zeros(2, 'torch.IntTensor'):type())
      assert.equal('torch.LongTensor', torch.range(1, 3, 1, 'torch.LongTensor'):type())
      local r = torch.FloatTensor(7)
      assert.equal(r, torch.ones(r, 2))
      assert.same({ 1, 1 }, r:totable())
      assert.equal(r, r:zeros(3))
      assert.same({ 0, 0, 0 }, r:totable())
   end)

   -- As in Torch7, where a nil is an argument, and no number.
   it('and new or resized ones are refused a nil among the sizes, at the end too', function()
      for name, f in pairs {
         Tensor = torch.Tensor, zeros = torch.zeros, ones = torch.ones, rand = torch.rand,
         resize = function(...) return torch.Tensor(5, 5):resize(...) end,
      } do
         refused(name .. ': size 1 is nil, wanted a number', function() f(nil) end)
         refused(name .. ': size 1 is nil, wanted a number', function() f(nil, 2) end)
         refused(name .. ': size 2 is nil, wanted a number', function() f(3, nil) end)
         refused(name .. ': size 2 is nil, wanted a number', function() f(3, nil, 2) end)
         refused(name .. ': size 4 is nil, wanted a number', function() f(1, 2, 3, nil, nil) end)
         assert.same({ 3 }, f('3'):size():totable())
         assert.same({ 2, 1, 1, 1, 1, 1, 1, 2 }, f(2, 1, 1, 1, 1, 1, 1, 2):size():totable())
         assert.same({ 4, 5 }, f(torch.LongStorage { 4, 5 }, nil):size():totable())
      end
   end)

   -- Other libraries give the type so; here it would be dropped without a word.
   it('are refused a name among the sizes, beside or in their list', function()
      for name, f in pairs { zeros = torch.zeros, randn = torch.randn } do
         refused(name .. ": sizes have a field 'dtype'; a type is given behind them", function()
            f { 3, dtype = 'float' }
         end)
         refused(name .. ": sizes have a field 'dtype'", function() f(3, { dtype = 'float' }) end)
      end
      refused("resize: sizes have a field 'type'", function()
         torch.Tensor(5):resize { 1, type = 'float' }
      end)
      assert.same({ 3, 2 }, torch.zeros { n = 2, 3, 2 }:size():totable()) -- table.pack's
   end)

   it('zero and fill of strided views touch nothing else', function()
      local t = torch.ones(2, 3)
      t:select(2, 2):fill(5)
      t:t():narrow(1, 1, 1):zero()
      assert.same({ { 0, 5, 1 }, { 0, 5, 1 } }, t:totable())
   end)
end)

describe('copy', function()
   local types = { 'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Float', 'Double' }

   it('converts between every pair of types and layouts', function()
      for _, from in ipairs(types) do
         for _, to in ipairs(types) do
            local source = torch.factory('torch.' .. from .. 'Tensor')():resize(3, 50)
            for i = 1, 3 do
               for j = 1, 50 do
                  source[i][j] = (i * 50 + j) % 120
               end
            end
            local flat = torch.factory('torch.' .. to .. 'Tensor')():resize(3, 50):copy(source)
            local turned = torch.factory('torch.' .. to .. 'Tensor')():resize(50, 3)
            turned:t():copy(source)
            for i = 1, 3 do
               for j = 1, 50 do
                  assert.equal((i * 50 + j) % 120, flat[i][j])
                  assert.equal((i * 50 + j) % 120, turned[j][i])
               end
            end
         end
      end
   end)

   it('needs only equal element counts', function()
      local t = torch.DoubleTensor(3, 2):copy(torch.range(1, 6):view(2, 3))
      assert.same({ { 1, 2 }, { 3, 4 }, { 5, 6 } }, t:totable())
      refused('copy: sizes do not match: a tensor of size 2 has 2 elements and one of '
         .. 'size 3 has 3', function()
         torch.DoubleTensor(2):copy(torch.DoubleTensor(3))
      end)
   end)

   it('of overlapping ranges reads before it writes', function()
      local t = torch.range(1, 6)
      t:narrow(1, 2, 5):copy(t:narrow(1, 1, 5))
      assert.same({ 1, 1, 2, 3, 4, 5 }, t:totable())
   end)
end)

describe('joining and reshaping', function()
   it('cat goes along a dimension, the last by default', function()
      local a, b = torch.ones(2, 2), torch.zeros(2, 1)
      assert.same({ { 1, 1, 0 }, { 1, 1, 0 } }, torch.cat(a, b):totable())
      assert.same({ 1, 2, 3 }, torch.cat(torch.range(1, 2), torch.range(3, 3)):totable())
      assert.same({ { 1, 3 }, { 2, 4 } },
         torch.cat(torch.range(1, 2), torch.range(3, 4), 2):totable())
      assert.same({ 4, 2 }, torch.cat({ a, a }, 1):size():totable())
      local r = torch.DoubleTensor()
      assert.equal(r, torch.cat(r, a, a, 1))
      assert.same({ 4, 2 }, torch.cat({ a, torch.DoubleTensor(), a }, 1):size():totable())
   end)

   it('reshape and repeatTensor copy', function()
      local t = torch.range(1, 4)
      local r = t:reshape(2, 2)
      r:zero()
      assert.equal(1, t[1])
      assert.same({ { 1, 2, 1, 2 }, { 1, 2, 1, 2 } },
         torch.range(1, 2):repeatTensor(2, 2):totable())
      assert.same({ { 1, 1 }, { 1, 1 }, { 2, 2 }, { 2, 2 } },
         torch.cat(torch.ones(1, 2), torch.ones(1, 2) * 2, 1):view(2, 1, 2):repeatTensor(1, 2, 1)
            :view(4, 2):totable())
      refused('reshape: a tensor of 4 elements cannot become 3x2', function() t:reshape(3, 2) end)
   end)

   it('diag, tril, triu', function()
      assert.same({ { 1, 0 }, { 0, 2 } }, torch.diag(torch.range(1, 2)):totable())
      assert.same({ 1, 4 }, torch.range(1, 4):view(2, 2):diag():totable())
      assert.same({ 2 }, torch.range(1, 4):view(2, 2):diag(1):totable())
      assert.same({ { 1, 0 }, { 3, 4 } }, torch.tril(torch.range(1, 4):view(2, 2)):totable())
      assert.same({ { 1, 2 }, { 0, 4 } }, torch.range(1, 4):view(2, 2):triu():totable())
   end)

   it('is refused for bad arguments', function()
      refused('range: ', function() torch.range(1, 5, -1) end)
      refused('zeros: sizes are missing', function() torch.zeros() end)
      refused('zeros: torch.NoTensor is not a tensor type', function()
         torch.zeros(2, 'torch.NoTensor')
      end)
      refused('zeros: float is not a tensor type; torch.FloatTensor is one', function()
         torch.zeros(2, 'float')
      end)
      refused('cat: the list of tensors is empty', function() torch.cat {} end)
      refused('cat: ', function() torch.cat(torch.ones(2, 2), torch.ones(3, 3), 1) end)
      for _, dim in ipairs { 0, -2 } do
         refused('cat: dimension %-?%d out of range; dimensions count from 1', function()
            torch.cat({ torch.ones(2, 3), torch.ones(2, 3) }, dim)
         end)
      end
   end)
end)
