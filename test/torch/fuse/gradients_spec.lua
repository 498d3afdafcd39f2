local torch = require 'torch'
local fused = require 'test.support.fused'
local raises = require 'test.support.raises'
local texts = require 'test.support.walks.random_texts'

local difference, each, randn, unary = fused.difference, fused.each, fused.randn, fused.unary

describe('gradients of torch.fuse', function()
   fused.prepare(setup, teardown, before_each)

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

   it('has the same gradients in a loop, of calls whose record takes no lists', function()
      local f = torch.fuse('s = a * b + c; d = a / b', { results = { 's', 'd' } })
      local p, q, g = randn(5), randn(5), randn(5)
      local a, b = p:clone():requiresGrad(), q:clone():requiresGrad()
      for i = 1, 200 do
         local c = i % 2 == 0 and randn(5):requiresGrad() or randn(5)
         local s, d = f(a, b, c)
         assert.is_true(s:isVariable())
         torch.backward({ s, d }, { g, g })
         assert.truthy(difference(a.grad, torch.cmul(g, q + torch.cinv(q))) < 1e-13)
         assert.truthy(difference(b.grad, torch.cmul(g, p - torch.cdiv(p, torch.cmul(q, q))))
            < 1e-13)
         assert.equal(i % 2 == 0, c.grad ~= nil)
         if c.grad then
            assert.equal(0, (c.grad - g):abs():max())
            c.grad:zero() -- and g stays
         end
         a.grad, b.grad = nil, nil
      end
      -- Each has a gradient of its own, also where they are the same numbers.
      p, q = randn(3), randn(3)
      local x, y = p:clone():requiresGrad(), q:clone():requiresGrad()
      torch.fuse 'z = x + y' (x, y):sum():backward()
      x.grad:add(1)
      assert.same({ 2, 2, 2 }, x.grad:totable())
      assert.same({ 1, 1, 1 }, y.grad:totable())
      -- The last operand alone.
      local product, last = torch.fuse 'z = x * y', q:clone():requiresGrad()
      for i = 1, 3 do
         product(p, last):sum():backward()
         assert.truthy(difference(last.grad, p * i) < 1e-14)
      end
      -- A slope that keeps a Variable's history, and one that is added to what is there.
      local square = torch.fuse 'z = x * x * y'
      x.grad = nil
      torch.grad(square(x, y):sum(), x, { createGraph = true }):sum():backward()
      assert.truthy(difference(x.grad, q * 2) < 1e-14)
      square(x, y):sum():backward()
      assert.truthy(difference(x.grad, q * 2 + torch.cmul(p, q) * 2) < 1e-14)
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
      raises('backward: the derivative of torch.fuse reads what it kept, a tensor of 4 that was '
         .. 'changed in place since', function() y:sum():backward() end)
      torch.noGrad(function()
         assert.is_false(f(a, b, mask):isVariable())
      end)
      local x = randn(4):requiresGrad()
      local into = torch.DoubleTensor(4)
      f(into, x, b, mask)
      into:sum():backward()
      assert.truthy(difference(x.grad, b + mask:double()) < 1e-15)
   end)

   it('leaves Variables their sizes, whichever result they are, also unrecorded', function()
      local f = torch.fuse('p = a + b; q = a - b', { results = { 'p', 'q' } })
      local x, a, b = randn(3):requiresGrad(), randn(4), randn(4)
      torch.noGrad(function()
         raises('a Variable of 3', f, x, torch.DoubleTensor(), a, b)
         raises('a Variable of 3', f, torch.DoubleTensor(), x, a, b)
         f(torch.DoubleTensor(), x, randn(3):fill(3), randn(3):fill(1))
      end)
      assert.same({ 2, 2, 2 }, x:totable())
      assert.is_true(x:isLeaf() and x:isVariable())
   end)
end)
