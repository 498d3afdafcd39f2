local torch = require 'torch'
local fused = require 'test.support.fused'
local texts = require 'test.support.walks.random_texts'

local difference, isCompiled, randn = fused.difference, fused.isCompiled, fused.randn
local each, unary = fused.each, fused.unary

describe('functions of torch.fuse', function()
   fused.prepare(setup, teardown, before_each)

   it('has the operators of Lua, in their order', function()
      local lines, names, values = {}, {}, { a = 2.5, b = -1.25, c = 0.75 }
      for i, text in ipairs {
         'a + b * c', 'a - b - c', 'a / b / c', '-a ^ 2', 'a ^ -b', '2 ^ 3 ^ c', '(a - b) * c',
         'a * -b', 'a % b', 'b % a', '- -a', 'a - -b + 1e-1 * .5 - 0x10', 'a % c * b + 2',
         '(a + b) ^ 2 - a ^ 3', 'a ^ -1',
      } do
         names[i], lines[i] = 'r' .. i, ('r%d = %s'):format(i, text)
      end
      local source = table.concat(lines, '; ')
      local globals = setmetatable({}, { __index = values })
      setfenv(assert(loadstring(source)), globals)()
      local results = { torch.fuse(source, { results = names, arguments = { 'a', 'b', 'c' } })(
         torch.DoubleTensor(3):fill(2.5), torch.DoubleTensor(3):fill(-1.25), 0.75) }
      for i, name in ipairs(names) do
         assert.near(globals[name], results[i][2], 1e-14 * math.abs(globals[name]) + 1e-15,
            lines[i])
      end
   end)

   it('has comparisons, and or not, and where', function()
      local a, b = torch.DoubleTensor { 1, 2, 3, 0 }, torch.DoubleTensor { 2, 2, 2, 0 }
      local names = { 'lt', 'le', 'gt', 'ge', 'eq', 'ne', 'other', 'both', 'one', 'no', 'pick' }
      local results = { torch.fuse([[
         lt = a < b
         le = a <= b; gt = a > b   -- a comment
         ge = a >= b; eq = a == b; ne = a ~= b; other = a != b
         both = a > 1 and b
         one = a > 2 or b < 1
         no = not (a < 2) + 0 * (a +
            b)
         pick = where(a, a + b, -1)
      ]], { results = names })(a, b) }
      local expected = {
         { 1, 0, 0, 0 }, { 1, 1, 0, 1 }, { 0, 0, 1, 0 }, { 0, 1, 1, 1 }, { 0, 1, 0, 1 },
         { 1, 0, 1, 0 }, { 1, 0, 1, 0 }, { 0, 1, 1, 0 }, { 0, 0, 1, 1 }, { 0, 1, 1, 0 },
         { 3, 4, 5, -1 },
      }
      for i, name in ipairs(names) do
         assert.same(expected[i], results[i]:totable(), name)
      end
   end)

   -- Every function of one argument, in two texts: what the operation of its name gives.

   it('has functions that are the operations of their names', function()
      assert.truthy(#unary > 35)
      for _, range in ipairs { { -0.95, 0.95 }, { 0.1, 8 } } do
         local x = torch.DoubleTensor(37):uniform(range[1], range[2])
         for first = 1, #unary, 20 do
            local f = torch.fuse(each(first, first + 19))
            assert.truthy(isCompiled(f, x))
            local results = { f(x) }
            for k, r in ipairs(results) do
               local name = unary[first + k - 1]
               local y = torch[name](x)
               local same = r:eq(y):sum() == r:nElement() -- NaN where both have none
               local finite = y:eq(y)
               assert.equal(0, r:eq(r):ne(finite):sum(), name)
               assert.truthy(same or difference(r:maskedSelect(finite), y:maskedSelect(finite))
                  < 1e-13, name)
            end
         end
      end
   end)

   it('has functions of several arguments', function()
      local a, b = randn(50), randn(50)
      local names = { 'max', 'min', 'atan2', 'fmod', 'rem', 'pow', 'lerp', 'prelu', 'elu', 'clamp',
         'threshold' }
      local results = { torch.fuse([[
         max = max(a, b); min = min(a, b); atan2 = atan2(a, b); fmod = fmod(a, b)
         rem = remainder(a, b); pow = pow(abs(a), b); lerp = lerp(a, b, 0.25)
         prelu = prelu(a, 0.1); elu = elu(a, 0.5); clamp = clamp(a, -1, 0.5)
         threshold = threshold(a, 0.25, -3)
      ]], { results = names })(a, b) }
      local slope = torch.DoubleTensor(50):fill(0.1)
      local expected = { torch.cmax(a, b), torch.cmin(a, b), torch.atan2(a, b), torch.cfmod(a, b),
         torch.cremainder(a, b), torch.cpow(torch.abs(a), b), torch.lerp(a, b, 0.25),
         torch.cmul(a, a:gt(0):double() + torch.cmul(a:le(0):double(), slope)),
         torch.where(a:gt(0), a, (torch.exp(a) - 1) * 0.5), torch.clamp(a, -1, 0.5),
         torch.where(a:gt(0.25), a, -3) }
      for i, name in ipairs(names) do
         assert.truthy(difference(results[i], expected[i]) < 1e-14, name)
      end
   end)

   it('gives the same for random texts as Lua and as operations', function()
      for seed = 1, 6 do
         math.randomseed(seed)
         local text, names = texts.text(6, 4)
         local a, b, c = randn(4, 5), randn(5), randn(4, 1)
         local options = { results = names, arguments = { 'a', 'b', 'c' } }
         local f = torch.fuse(text, options)
         assert.truthy(isCompiled(f, a, b, c))
         local results = { f(a, b, c) }
         options.compile = false
         local composed = { torch.fuse(text, options)(a, b, c) }
         for i = 1, 4 do
            for j = 1, 5 do
               local expected = texts.evaluate(text, names, a[i][j], b[j], c[i][1])
               for k = 1, #names do
                  local message = ('seed %d, r%d\n%s'):format(seed, k, text)
                  assert.near(expected[k], results[k][i][j], 1e-11, message)
                  assert.near(expected[k], composed[k][i][j], 1e-11, message)
               end
            end
         end
      end
   end)

   it('knows -0 from 0', function()
      for _, compile in ipairs { true, false } do
         local a = torch.DoubleTensor { 1, 2 }
         local f = torch.fuse('y = a / -0; z = a * 0 / -inf', { results = { 'y', 'z' },
            compile = compile })
         local y, z = f(a)
         assert.equal(-math.huge, y[1])
         assert.equal(-math.huge, 1 / z[1])
      end
   end)

   it('takes long texts', function()
      local long = torch.fuse('y = b' .. (' + a'):rep(1000))
      assert.equal(1000, long(torch.zeros(1), torch.ones(1))[1])
      local inside = coroutine.wrap(function()
         return torch.fuse('y = ' .. ('tanh('):rep(100) .. 'b' .. (' + a'):rep(800)
            .. (')'):rep(100))(torch.zeros(1), torch.zeros(1))
      end)
      assert.equal(0, inside()[1])
   end)
end)
