local ffi = require 'ffi'
local torch = require 'torch'
local environment = require 'test.support.environment'
local C = require('torch.ffi').C
local functions = require 'torch.fuse.functions'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local texts = require 'test.support.walks.random_texts'

-- The largest difference, in units of the larger of 1 and the value.
local function difference(x, y)
   local scale = torch.abs(y):cmax(1)
   return (x - y):abs():cdiv(scale):max()
end

-- Where there is a compiler, its code is what is tested.
local function isCompiled(f, ...)
   local language = select(1, ...).device_type == 0 and 'c' or 'c++'
   local how, reason = f:how(...)
   return how == 'compiled' or not require('torch.native.compiler').find(language)
      or reason:find 'clang', reason
end

local function randn(...)
   return torch.randn(...):double()
end

describe('torch.fuse', function()
   setup(environment.ownCache)
   teardown(environment.withoutOwnCache)
   before_each(function()
      torch.manualSeed(3)
      math.randomseed(3)
   end)

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
   local unary = {}
   for _, list in ipairs { functions.rows, functions.formulas } do
      for name, entry in pairs(list) do
         local operands = entry.operands or #functions.parameters(entry)
         if operands == 1 and not entry.hidden and name ~= 'not' then
            unary[#unary + 1] = name
         end
      end
   end
   table.sort(unary)
   local operation = { neg = 'neg' }

   local function each(first, last)
      local lines, names = {}, {}
      for i = first, math.min(last, #unary) do
         names[#names + 1] = 'r' .. i
         lines[#lines + 1] = ('r%d = %s(a)'):format(i, unary[i])
      end
      return table.concat(lines, '\n'), { results = names }
   end

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
               local y = torch[operation[name] or name](x)
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

   -- --- tensors ---------------------------------------------------------------------------------

   it('reads and writes tensors as they lie', function()
      local f = torch.fuse 'y = a * b - sigmoid(c) + d'
      local function expected(a, b, c, d)
         local shape = { 6, 7, 5 }
         return torch.cmul(a:expand(unpack(shape)), b:expand(unpack(shape)))
            - torch.sigmoid(c:expand(unpack(shape))) + d
      end
      local a = randn(5, 7, 6):transpose(1, 3)
      local b = randn(6, 14, 10):unfold(2, 1, 2):select(4, 1):narrow(3, 2, 5)
      local c = randn(7, 1)
      local y = randn(6, 5, 14):transpose(2, 3):narrow(2, 3, 7)
      local before = y:storage():size()
      local wide = torch.DoubleTensor(1, 1, 1):expand(6, 7, 5)
      assert.truthy(difference(f(a, b, c:view(1, 7, 1), 2), expected(a, b, c:view(1, 7, 1), 2))
         < 1e-14)
      assert.equal(y, (f(y, a, b, c, 0.5)))
      assert.equal(before, y:storage():size())
      assert.truthy(difference(y, expected(a, b, c:view(1, 7, 1), 0.5)) < 1e-14)
      assert.equal(6 * 7 * 5, f(wide, a, b, c):nElement()) -- a, b, c are the last three names
   end)

   it('gives an element the same bits wherever it stands', function()
      local f = torch.fuse 'y = tanh(a) * exp(b) + log1p(abs(a)) / 3'
      local a, b = torch.randn(100003):float(), torch.randn(100003):float()
      local whole = f(a, b)
      for _, n in ipairs { 1, 2, 15, 16, 17, 63, 100 } do
         for _, first in ipairs { 1, 2, 77 } do
            local part = f(a:narrow(1, first, n), b:narrow(1, first, n))
            assert.equal(0, (part - whole:narrow(1, first, n)):abs():max())
         end
      end
      local strided = torch.FloatTensor(100003, 2)
      strided:select(2, 1):copy(a)
      assert.equal(0, (f(strided:select(2, 1), b) - whole):abs():max())
      local threads = torch.getnumthreads()
      torch.setnumthreads(threads == 1 and 2 or 1)
      local again = f(a, b)
      torch.setnumthreads(threads)
      assert.equal(0, (again - whole):abs():max())
   end)

   it('writes past the caches what no cache holds', function()
      local n = 10000019 -- 160 MB: more than any cache is taken to hold
      local f = torch.fuse('s = a + 2 * b; d = a - b', { results = { 's', 'd' } })
      local a, b = torch.FloatTensor(n):uniform(), torch.FloatTensor(n):uniform()
      local s, d = f(a, b)
      assert.equal(0, (d - (a - b)):abs():max())
      assert.truthy((s - a - b - b):abs():max() < 1e-6)
      f(a, s, a, b) -- onto an operand
      assert.truthy((a - s):max() > 0)
      assert.equal(0, (s - d):abs():max())
   end)

   it('computes half and bfloat16 in float', function()
      local f = torch.fuse 'y = a * b + tanh(a) / 7'
      for _, name in ipairs { 'half', 'bfloat16' } do
         local a, b = torch.randn(6, 41)[name](torch.randn(6, 41)), torch.randn(41)
         b = b[name](b)
         local y = f(a, b)
         assert.truthy(isCompiled(f, a, b))
         assert.equal(torch.type(a), torch.type(y))
         local exact = f(a:float(), b:float())
         assert.equal(0, (y:float() - exact[name](exact):float()):abs():max())
      end
   end)

   it('reads masks and labels as numbers', function()
      local x = randn(9)
      local mask, label = x:gt(0), torch.LongTensor(9):random(3)
      local y = torch.fuse 'y = where(mask, x, 0) + label' (mask, x, label)
      assert.truthy(difference(y, torch.relu(x) + label:double()) < 1e-15)
      raises('torch.fuse: label is a 9 LongTensor; it computes in floating point: convert it, as '
         .. 'in label:double()', torch.fuse 'y = label + 1', label)
   end)

   it('writes into what it is given', function()
      local f = torch.fuse 'y = 2 * a + b'
      local a, b, y = randn(8), randn(8), torch.DoubleTensor()
      local expected = a * 2 + b
      assert.equal(y, (f(y, a, b)))
      assert.equal(0, (y - expected):abs():max())
      local kept = a:clone()
      f(a, a, b)
      assert.equal(0, (a - expected):abs():max())
      -- A result that lies over other elements of an operand.
      local memory = randn(9)
      local x = memory:narrow(1, 1, 8)
      local should = x * 2 + b
      f(memory:narrow(1, 2, 8), x, b)
      assert.equal(0, (memory:narrow(1, 2, 8) - should):abs():max())
      -- One that has to grow, over an operand.
      local small = kept:narrow(1, 1, 1)
      should = small:expand(8) * 2 + b
      f(small, small, b)
      assert.equal(0, (small - should):abs():max())
      assert.same({ 8 }, small:size():totable())
      -- Results between each other's elements, and in one place, where the last one stays.
      local both = torch.fuse('s = a + b; d = a - b', { results = { 's', 'd' } })
      local columns, c = torch.DoubleTensor(8, 2), randn(8)
      both(columns:select(2, 1), columns:select(2, 2), c, b)
      assert.equal(0, (columns:select(2, 1) - (c + b)):abs():max())
      assert.equal(0, (columns:select(2, 2) - (c - b)):abs():max())
      both(y, y, c, b)
      assert.equal(0, (y - (c - b)):abs():max())
   end)

   it('reads every operand before it writes a result', function()
      for _, compile in ipairs { true, false } do
         local f = torch.fuse('old = w\n w = w - rate * g',
            { results = { 'w', 'old' }, arguments = { 'w', 'g', 'rate' }, compile = compile })
         local w, old, g = torch.ones(3), torch.zeros(3), torch.ones(3)
         f(w, old, w, g, 0.5)
         assert.same({ 0.5, 0.5, 0.5 }, w:totable())
         assert.same({ 1, 1, 1 }, old:totable())
         local swap = torch.fuse('x = b; y = a',
            { results = { 'x', 'y' }, arguments = { 'a', 'b' }, compile = compile })
         local a, b = torch.DoubleTensor { 1, 2 }, torch.DoubleTensor { 3, 4 }
         swap(a, b, a, b)
         assert.same({ 3, 4 }, a:totable())
         assert.same({ 1, 2 }, b:totable())
         -- Over parts of each other, and one that has to grow over its operand.
         local memory = torch.DoubleTensor { 1, 2, 3, 4, 5 }
         local first, last = memory:narrow(1, 1, 4), memory:narrow(1, 2, 4)
         local copy = torch.fuse('s = x + y; r = x',
            { results = { 's', 'r' }, arguments = { 'x', 'y' }, compile = compile })
         local r = torch.DoubleTensor()
         copy(last, r, first, 10)
         assert.same({ 1, 11, 12, 13, 14 }, memory:totable())
         assert.same({ 1, 2, 3, 4 }, r:totable())
         local small = torch.DoubleTensor { 7, 8, 9 }:narrow(1, 2, 1)
         copy(r, small, small, torch.DoubleTensor { 1, 2 })
         assert.same({ 9, 10 }, r:totable())
         assert.same({ 8, 8 }, small:totable())
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

   it('updates several tensors at once', function()
      local step = torch.fuse([[
         m = beta * m + (1 - beta) * g
         v = 0.99 * v + 0.01 * g ^ 2
         w = w - rate * m / (sqrt(v) + 1e-8)
      ]], { results = { 'm', 'v', 'w' } })
      assert.same({ 'beta', 'm', 'g', 'v', 'w', 'rate' }, step:arguments())
      local g = torch.DoubleTensor { 1, -2 }
      local m, v, w = torch.zeros(2):double(), torch.zeros(2):double(), torch.ones(2):double()
      step(m, v, w, 0.9, m, g, v, w, 0.5)
      assert.near(0.1, m[1], 1e-15)
      assert.near(0.04, v[2], 1e-15)
      assert.near(1 - 0.5 * 0.1 / (0.1 + 1e-8), w[1], 1e-14)
   end)

   it('takes any number of arguments', function()
      local names, values = {}, {}
      for i = 1, 40 do
         names[i], values[i] = 'a' .. i, torch.DoubleTensor(2):fill(i)
      end
      local f = torch.fuse('y = ' .. table.concat(names, ' + '))
      assert.same({ 820, 820 }, f(unpack(values)):totable())
      assert.equal('more than 32 arguments and results', select(2, f:how(unpack(values))))
   end)

   it('takes arguments by name', function()
      local f = torch.fuse 'y = a - b'
      local a, b, y = randn(3), randn(3), torch.DoubleTensor()
      assert.equal(0, (f { b = b, a = a } - (a - b)):abs():max())
      assert.equal(y, (f { y = y, a = a, b = 2 }))
      assert.equal(0, (y - (a - 2)):abs():max())
   end)

   it('is told to those who watch, and moves versions', function()
      local f = torch.fuse 'y = a * 2 + 1'
      local a, y = randn(4), torch.DoubleTensor(4)
      f(y, a)
      local version = y.store.version[0]
      local calls = torch.calls(function() f(y, a) end)
      assert.equal(version + 1, y.store.version[0])
      if f:how(a) == 'compiled' and a.device_type == 0 then
         assert.equal('fused', calls[1].name)
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

   it('compiles later what it could not compile at first', function()
      local f, a = torch.fuse(('y = a * %.17g'):format(os.time() + math.random())), torch.ones(2)
      if not isCompiled(torch.fuse 'y = 2 * a', a) or torch.fuse 'y = 2 * a':how(a) ~= 'compiled'
         or a.device_type ~= C.TH_CPU then
         return
      end
      environment.set('TMPDIR', '/nowhere')
      local how, reason = f:how(a)
      environment.restore 'TMPDIR'
      assert.equal('composed', how)
      assert.matches('no folder can be made in /nowhere', reason, 1, true)
      f(a)
      assert.equal('compiled', (f:how(a)))
   end)

   it('is saved as its text', function()
      local f = torch.fuse('s = a + b; d = a - b', { results = { 'd', 's' } })
      local copy = torch.deserialize(torch.serialize(f))
      local a, b = randn(3), randn(3)
      local d, s = copy(a, b)
      assert.equal(0, (d - (a - b)):abs():max() + (s - (a + b)):abs():max())
      assert.equal(tostring(f), tostring(copy))
      local path = os.tmpname()
      torch.save(path, f)
      -- Where nobody has made one yet.
      assert.equal('torch.Fused\n', (shell.run(([[%s -e 'print(torch.type(torch.load("%s")))']])
         :format(os.getenv 'TH_EXECUTABLE', path))))
      os.remove(path)
      assert.equal('torch.Fused: d, s = f(a, b)\n   s = a + b; d = a - b', tostring(f))
   end)

   -- --- gradients -------------------------------------------------------------------------------

   it('has gradients of gradients, for broadcast sizes too', function()
      local f = torch.fuse('y = a * tanh(b) + c * where(a > b, exp(a), b * b); z = y / (1 + b * b)',
         { results = { 'y', 'z' } })
      local inputs = { randn(2, 3):requiresGrad(), randn(3):requiresGrad(),
         randn(2, 1):requiresGrad() }
      assert.is_true(torch.gradcheck(f, inputs))
      assert.is_true(torch.gradgradcheck(f, inputs))
      assert.is_true(torch.gradcheck(function(a, b) return f(a, b, 0.5) end,
         { inputs[1], inputs[2] }))
   end)

   it('has the derivatives of its functions', function()
      for first = 1, #unary, 20 do
         local x = torch.DoubleTensor(5):uniform(0.1, 0.9):requiresGrad()
         local f = torch.fuse(each(first, first + 19))
         assert.is_true(torch.gradcheck(f, x))
         assert.is_true(torch.gradgradcheck(f, x))
      end
      local f = torch.fuse([[
         r1 = max(a, b); r2 = min(a, b); r3 = atan2(a, b); r4 = fmod(a, b); r5 = a % b
         r6 = abs(a) ^ b; r7 = lerp(a, b, a); r8 = prelu(a, b); r9 = elu(a, b)
         r10 = clamp(a, b, 0.5); r11 = threshold(a, b, a)
      ]], { results = { 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8', 'r9', 'r10', 'r11' } })
      local inputs = { randn(12):requiresGrad(), randn(12):requiresGrad() }
      assert.is_true(torch.gradcheck(f, inputs))
      assert.is_true(torch.gradgradcheck(f, inputs))
   end)

   it('has finite derivatives of its activations far from 0', function()
      local names = { 'elu(x, 1)', 'elu(x, 0.5)', 'selu(x)', 'softplus(x)', 'logsigmoid(x)',
         'sigmoid(x)', 'tanh(x)', 'silu(x)', 'mish(x)', 'gelu(x)', 'gelu_tanh(x)', 'softsign(x)',
         'tanhshrink(x)', 'prelu(x, 0.25)', 'relu(x)', 'hardswish(x)', 'hardsigmoid(x)' }
      -- Those where x is far above 0; far below, all but these are 0.
      local above = { 1, 1, 1.0507009873554805, 1, 0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0 }
      local below = { ['logsigmoid(x)'] = 1, ['tanhshrink(x)'] = 1, ['prelu(x, 0.25)'] = 0.25 }
      for _, compile in ipairs { true, false } do
         for i, name in ipairs(names) do
            local x = torch.FloatTensor { -1000, -120, 120, 1000 }:requiresGrad()
            torch.fuse('y = ' .. name, { compile = compile })(x):sum():backward()
            for place, expected in ipairs { below[name] or 0, below[name] or 0, above[i],
               above[i] } do
               assert.near(expected, x.grad[place], 1e-3, name .. ' at place ' .. place)
            end
         end
      end
      local x, slope = torch.DoubleTensor { -3, -1e-9, 0, 1e-9, 3, 800 }:requiresGrad(), 1.5
      torch.fuse('y = elu(x, slope)')(x, slope):sum():backward()
      for i, expected in ipairs { 1.5 * math.exp(-3), 1.5, 1.5, 1, 1, 1 } do
         assert.near(expected, x.grad[i], 1e-8)
      end
   end)

   it('has the slope of the operation where a root is 0', function()
      for _, name in ipairs { 'rsqrt', 'sqrt' } do
         local x, y = torch.DoubleTensor { 0, -0, 4 }:requiresGrad(),
            torch.DoubleTensor { 0, -0, 4 }:requiresGrad()
         torch.fuse(('y = %s(x)'):format(name))(x):sum():backward()
         torch[name](y):sum():backward()
         assert.same(y.grad:totable(), x.grad:totable(), name)
      end
   end)

   it('has the gradients of random texts', function()
      for seed = 11, 14 do
         math.randomseed(seed)
         local text, names = texts.text(4, 3)
         local f = torch.fuse(text, { results = names, arguments = { 'a', 'b', 'c' } })
         local inputs = { randn(2, 2):requiresGrad(), randn(2):requiresGrad(),
            randn(1):requiresGrad() }
         assert.is_true(torch.gradcheck(f, inputs), text)
         local slow = torch.fuse(text, { results = names, arguments = { 'a', 'b', 'c' },
            compile = false })
         for i = 1, 3 do
            local function gradient(g)
               local total = 0
               for _, y in ipairs { g(unpack(inputs)) } do
                  total = y:sum() + total
               end
               return torch.grad(total, inputs[i])
            end
            local one, two = gradient(f), gradient(slow)
            one, two = torch.isTensor(one) and one or one[1], torch.isTensor(two) and two or two[1]
            assert.truthy(difference(one, two) < 1e-12, text)
         end
      end
   end)

   it('finds gradients of what is needed alone, and notices changes', function()
      local f = torch.fuse 'y = a * b + where(mask, a, 0)'
      local a, b = randn(4):requiresGrad(), randn(4)
      local mask = torch.ByteTensor { 1, 0, 1, 0 }
      f(a, b, mask):sum():backward()
      assert.truthy(difference(a.grad, b + mask:double()) < 1e-15)
      assert.is_nil(b.grad)
      local y = f(a, b, mask)
      b:add(1)
      raises('', function() y:sum():backward() end)
      torch.noGrad(function()
         assert.is_false(f(a, b, mask):isVariable())
      end)
      local x = randn(4):requiresGrad()
      local into = torch.DoubleTensor(4)
      f(into, x, b, mask)
      into:sum():backward()
      assert.truthy(difference(x.grad, b + mask:double()) < 1e-15)
   end)

   -- --- errors ----------------------------------------------------------------------------------

   it('shows where a text goes wrong', function()
      for text, message in pairs {
         ['y = a * )'] = "expected a name, a number or (, got ')' (line 1, column 9)\n"
            .. '   y = a * )\n           ^',
         ['t = a\ny = tahn(t)'] = "there is no function 'tahn'; near: tan, tanh (line 2, column "
            .. '5)\n' .. '   y = tahn(t)\n       ^',
         ['y = a b'] = "expected an operator or the end of the statement, got 'b' (line 1, column",
         ['y = (a + b'] = "expected ')' to close the parenthesis, got the end (line 1, column 11)",
         ['y = tanh(a, b)'] = 'tanh takes 1 argument, got 2 (line 1, column 5)',
         ['y = a - mean(a)'] = "'mean' is made of many elements, and here each is by itself: let",
         ['y = Phi(a)'] = "there is no function 'Phi'",
         ['y = where(a, b)'] = 'where takes 3 arguments, got 2',
         ['a + b'] = "expected '=' behind 'a': statements are NAME = EXPRESSION, got '+'",
         ['t = a + 1; y = a'] = "'t' is made here and never used; name it among the results",
         ['y = 3'] = 'there is no argument: nothing here is made of a tensor',
         ['  -- nothing'] = 'there is no statement',
         ['y = a @ b'] = "'@' has no meaning here (line 1, column 7)",
         ['y = ' .. ('('):rep(300) .. 'a' .. (')'):rep(300)]
            = 'the expression is nested deeper than 150',
         ['y = a' .. (' + a'):rep(20000)] = 'the expression has more than 1000 operators in a row; '
            .. 'take temporary names (line 1, column',
      } do
         raises('torch.fuse: ' .. message, torch.fuse, text)
      end
      raises("'betta' is not made before this place, and none of the arguments a, beta; near: beta",
         torch.fuse, 'y = a * betta', { arguments = { 'a', 'beta' } })
      raises("the result 'yy1' is never made; near: y1", torch.fuse, 'y1 = a', { results = 'yy1' })
      raises("torch.fuse: there is no option 'result'; near: results", torch.fuse, 'y = a',
         { result = 'y' })
      raises("the option 'results' has 3 at place 1, expected names", torch.fuse, 'y = a',
         { results = { 3 } })
      raises("expected a text such as \"y = a * tanh(b) + c\", got nil", torch.fuse)
   end)

   it('refuses any other text with an error of its own', function()
      local words = { 'a', 'b', 'y', 'where', 'tanh', 'max', 'clamp', '1', '.5e', '2.', '0x', 'e9',
         '=', '==', '~=', '<', '+', '-', '--', '*', '/', '%', '^', '(', ')', '(', ')', ',', ';',
         '\n', 'and', 'or', 'not', '=', ' ', '\0', '\255', '"', 'end', 'y = a', 'Phi', 'pi' }
      local accepted = 0
      for seed = 1, 3000 do
         math.randomseed(seed)
         local list = { math.random(2) == 1 and 'y = ' or '' }
         for i = 2, math.random(2, 12) do
            list[i] = words[math.random(#words)]
         end
         local text = table.concat(list, math.random(2) == 1 and ' ' or '')
         local ok, message = pcall(torch.fuse, text)
         accepted = accepted + (ok and 1 or 0)
         assert.truthy(ok or message:find('torch.fuse: ', 1, true), ('%q: %s'):format(text,
            tostring(message)))
      end
      assert.truthy(accepted > 50, accepted)
   end)

   it('has a core that refuses calls which no text makes', function()
      local loop = ffi.cast('TH_Loop', ffi.cast('void *', 1)) -- never called
      local x, cut = torch.FloatTensor(4), torch.FloatTensor()
      if x.device_type ~= C.TH_CPU then
         return
      end
      local function call(fields)
         local results = ffi.new('TH_Tensor *[40]')
         local operands = ffi.new('const TH_Tensor *[40]')
         for i = 0, 39 do
            results[i], operands[i] = x, fields.operand or x
         end
         operands[1] = fields.second
         assert.equal(C.TH_ERROR, C.TH_runLoop(ffi.new('TH_LoopCall', {
            loop = fields.loop, dtype = fields.dtype or C.TH_FLOAT, cost = 1,
            result_count = fields.results or 1, operand_count = fields.operands or 1,
            results = results, operands = operands,
         })))
         return ffi.string(C.TH_lastError())
      end
      assert.matches('needs a loop, a result and an operand', call {})
      assert.matches('needs a loop', call { loop = loop, operands = 0 })
      assert.matches('takes 32 tensors at most, got 33', call { loop = loop, operands = 32 })
      assert.matches('computes in float or double', call { loop = loop, dtype = C.TH_HALF })
      assert.matches('a tensor is missing', call { loop = loop, operands = 2 })
      assert.matches('an operand is empty', call { loop = loop, operand = cut })
      assert.matches('sizes 4 and 3 do not agree', call { loop = loop, operands = 2,
         second = torch.FloatTensor(3) })
   end)

   it('refuses arguments by their names', function()
      local f = torch.fuse 'y = a * tanh(b) + c'
      local a, b, c = randn(3, 5), randn(5), randn(3, 1)
      raises('torch.fuse: 2 arguments, expected 3: f(a, b, c), c is missing', f, a, b)
      raises('torch.fuse: 5 arguments, expected 3: f(a, b, c)', f, a, a, b, c, c)
      raises("torch.fuse: c is a table, expected a tensor or a number", f, a, b, {})
      raises("torch.fuse: the argument 'c' is missing: f(a, b, c)", f, { a = a, b = b })
      raises("torch.fuse: there is no argument 'cc': f(a, b, c)", f,
         { a = a, b = b, c = c, cc = c })
      raises('torch.fuse: sizes do not agree: a is 3x5, b is 4, c is 3x1; from the last dimension '
         .. 'on they must be equal or 1', f, a, randn(4), c)
      raises('torch.fuse: a is a 3x5 DoubleTensor, b a 5 FloatTensor; convert one, as in '
         .. 'b:typeAs(a)', f, a, b:float(), c)
      raises('torch.fuse: b is empty', f, a, torch.DoubleTensor(), c)
      raises('torch.fuse: all arguments are numbers, expected a tensor among them', f, 1, 2, 3)
      raises('torch.fuse: the result y is a 3x5 FloatTensor, the arguments are DoubleTensors', f,
         a:float(), a, b, c)
   end)
end)
