local torch = require 'torch'
local raises = require 'test.support.raises'
local functions = require 'torch.variables.functions'

local function near(expected, tensor, tolerance)
   assert.is_true((tensor:detach() - torch.Tensor(expected)):abs():max() <= (tolerance or 1e-9),
      tostring(tensor))
end

describe('a Variable', function()
   local x
   before_each(function()
      x = torch.Tensor { 1, 2, 3 }:requiresGrad()
   end)

   it('is a tensor of the same class with the same methods', function()
      assert.equal('torch.DoubleTensor', torch.type(x))
      assert.is_true(x:isVariable())
      assert.is_true((x + 1):isVariable())
      assert.is_false(x:gt(0):isVariable())
      assert.is_false(torch.ones(2):isVariable())
      assert.is_true(x:isLeaf())
      assert.is_false((x * 2):isLeaf())
   end)

   it('accumulates the gradient of each backward', function()
      torch.cmul(x, x):sum():backward()
      near({ 2, 4, 6 }, x.grad)
      torch.cmul(x, x):sum():backward()
      near({ 4, 8, 12 }, x.grad)
      x:zeroGrad()
      assert.is_nil(x.grad)
      x.grad = torch.Tensor { 10, 20, 30 }
      ;(x * 2):sum():backward()
      near({ 12, 22, 32 }, x.grad)
   end)

   it('gives Variables where plain tensors give numbers', function()
      for _, name in ipairs { 'sum', 'mean', 'prod', 'min', 'max', 'var', 'std', 'norm' } do
         local y = x[name](x)
         assert.is_true(y:isVariable(), name)
         assert.near(x:detach()[name](x:detach()), y:item(), 1e-12)
      end
      assert.equal(14, x:dot(x):item())
      assert.equal(2, x[2]:item())
      assert.equal(2, torch.noGrad(function() return x[2] end))
      assert.equal(6, x:detach():sum())
   end)

   it('may be used several times', function()
      local y = x * 2
      local z = torch.cmul(y, y) + y
      z:sum():backward()
      near({ 10, 18, 26 }, x.grad)
   end)

   it('is not written while calls are recorded', function()
      raises('writes into a Variable that backward() gives a gradient', x.add, x, 1)
      raises('writes into a view of a Variable', function() x[1] = 5 end)
      torch.noGrad(function() x:add(1) end)
      near({ 2, 3, 4 }, x)
      raises('keeps its sizes', x.resize, x, 4)
   end)

   it('prints, converts to tables and saves as its elements', function()
      assert.equal(tostring(x:detach()), tostring(x))
      assert.same({ 1, 2, 3 }, x:totable())
      local copy = torch.deserialize(torch.serialize(x))
      near({ 1, 2, 3 }, copy)
      assert.is_false(copy:isVariable())
   end)

   it('goes through conversions', function()
      local y = x:float()
      y:backward(torch.FloatTensor { 1, 2, 3 })
      near({ 1, 2, 3 }, x.grad)
   end)

   it('is no integer', function()
      raises('LongTensor has no gradient; convert it first', torch.LongTensor(2).requiresGrad,
         torch.LongTensor(2))
   end)
end)

describe('changes in place', function()
   local x
   before_each(function()
      x = torch.Tensor { 1, 2, 3, 4 }:requiresGrad()
   end)

   it('of a result are recorded', function()
      local y = x * 2
      y:add(1):mul(3)
      y:backward(torch.ones(4))
      near({ 6, 6, 6, 6 }, x.grad)
   end)

   it('of a view reach the whole, and its other views', function()
      local y = x * 1
      local left, all = y:narrow(1, 1, 2), y:view(2, 2)
      left:mul(10)
      y:narrow(1, 2, 1):fill(0)
      local z = torch.cmul(all, all):sum()
      z:backward()
      near({ 200, 0, 6, 8 }, x.grad)
   end)

   it('of the whole reach a view', function()
      local y = x * 1
      local part = y:narrow(1, 2, 2)
      y:mul(5)
      part:sum():backward()
      near({ 0, 5, 5, 0 }, x.grad)
   end)

   it('by indexes make a plain tensor follow', function()
      local y = torch.zeros(2, 4)
      y[1] = x * 2
      y[{ 2, { 1, 2 } }] = x[{ { 3, 4 } }]
      y[{ 2, 4 }] = 9
      assert.is_true(y:isVariable())
      y:backward(torch.Tensor { { 1, 1, 1, 1 }, { 10, 100, 0, 1 } })
      near({ 2, 2, 12, 102 }, x.grad)
   end)

   it('into part of a plain tensor, which would not know, are refused', function()
      local text = 'into a view of a plain tensor, which would not know of it'
      local y = torch.ones(4, 4)
      raises('copy: writes what has a gradient ' .. text, function() y:select(1, 2):copy(x) end)
      raises(text, function() y[{ {}, 1 }]:copy(x) end)
      raises(text, function() y:narrow(1, 1, 1):add(x) end)
      raises(text, function() y[2]:cmul(x) end)
      raises(text, function() y:t():copy(torch.expand(x:view(1, 4), 4, 4)) end)
      raises(text, function() y:t():add(torch.expand(x:view(1, 4), 4, 4)) end)
      assert.equal(16, y:sum()) -- nothing was written
      torch.noGrad(function() y:select(1, 2):copy(x) end)
      local whole = torch.zeros(2, 4):requiresGrad(false)
      whole:select(1, 2):copy(x * 2)
      whole:sum():backward()
      near({ 2, 2, 2, 2 }, x.grad)
      local r, buffer = torch.zeros(4), torch.zeros(9)
      r:copy(x * 3):sum():backward() -- all of its memory
      torch.mul(buffer, x, 5):sum():backward() -- nothing of it is kept
      near({ 10, 10, 10, 10 }, x.grad)
   end)

   it('of what a derivative reads are noticed', function()
      local y = torch.exp(x)
      y:add(1)
      raises('the derivative of exp reads r, a tensor of 4 that was changed in place since',
         function() y:sum():backward() end)
      local w = torch.ones(4)
      local z = torch.cmul(x, w)
      w[1] = 7
      raises('the derivative of cmul reads y', function() z:sum():backward() end)
   end)

   it('are named with both lines in anomaly mode', function()
      local ok, message = pcall(torch.detectAnomaly, function()
         local y = torch.exp(x)
         y:add(1)
         y:sum():backward()
      end)
      assert.is_false(ok)
      local first, second = message:match
         'of exp %([^()]*_spec.lua:(%d+)%).*by add_value %([^()]*_spec.lua:(%d+)%)'
      assert.equal(1, tonumber(second) - tonumber(first))
   end)
end)

describe('backward', function()
   it('says what is missing', function()
      local x = torch.ones(3):requiresGrad()
      raises('only a tensor of one element can begin without a gradient', x.backward, x * 2)
      raises('is no Variable', torch.ones(1).backward, torch.ones(1))
      raises('does not depend on a Variable', function()
         local y = torch.Variable(torch.zeros(1), false)
         y:backward()
      end)
      raises('the gradient is 2, the tensor 3', x.backward, x * 2, torch.ones(2))
      raises('no such option: retain', x.backward, x * 2, torch.ones(3), { retain = true })
   end)

   it('gives the graph back, unless it shall be retained', function()
      local x = torch.ones(3):requiresGrad()
      local y = torch.exp(x):sum()
      y:backward { retainGraph = true }
      y:backward()
      raises('the graph was given back by an earlier backward()', y.backward, y)
   end)

   it('reaches an operation without derivative', function()
      local _, factor = torch.geqrf(torch.eye(3):requiresGrad())
      raises('has no derivative: made of or for reflectors', function() factor:sum():backward() end)
   end)

   it('gives memory back without the collector', function()
      local account = require('torch.ffi').C.TH_account()
      collectgarbage()
      collectgarbage 'stop'
      local x = torch.FloatTensor(1000000):fill(1):requiresGrad()
      local y = x
      for _ = 1, 3 do
         y = torch.tanh(y)
      end
      y = y:sum()
      local before = account.made
      y:backward()
      local after = account.made
      collectgarbage 'restart'
      -- the gradient is new; nothing else is left of the way back
      assert.is_true(after - before < 4.5e6, after - before)
   end)

   it('goes back through a graph of any depth', function()
      local x = torch.ones(1):requiresGrad()
      local y = x
      for _ = 1, 200000 do
         y = y + 1
      end
      y:backward()
      assert.equal(1, x.grad[1])
   end)
end)

describe('hooks', function()
   it('see gradients, change them, and are taken off', function()
      local x = torch.ones(2):requiresGrad()
      local y = x * 3
      local seen
      local off = y:hook(function(g)
         seen = g:clone()
         return g * 2
      end)
      ;(y * 5):sum():backward { retainGraph = true }
      near({ 5, 5 }, seen)
      near({ 30, 30 }, x.grad)
      off()
      x:zeroGrad()
      ;(y * 5):sum():backward()
      near({ 15, 15 }, x.grad)
      raises('hook: the tensor needs no gradient', torch.ones(1).hook, torch.ones(1), print)
   end)

   it('are forgotten with their tensor', function()
      collectgarbage()
      local before = functions.count()
      for _ = 1, 10 do
         local y = torch.ones(2):requiresGrad() * 2
         y:hook(function() end)
      end
      collectgarbage()
      collectgarbage()
      assert.is_true(functions.count() <= before)
   end)

   it('that fail let backward fail with their error', function()
      local y = torch.ones(2):requiresGrad() * 2
      y:hook(function() error('mine', 0) end)
      raises('mine', function() y:sum():backward() end)
   end)
end)

describe('torch.grad', function()
   it('gives gradients of results too, and accumulates none', function()
      local x = torch.Tensor { 1, 2 }:requiresGrad()
      local y = x * 3
      local z = torch.cmul(y, y):sum()
      local gy, gx = unpack(torch.grad(z, { y, x }))
      near({ 6, 12 }, gy)
      near({ 18, 36 }, gx)
      assert.is_nil(x.grad)
   end)

   it('gives gradients of gradients', function()
      local x = torch.Tensor { 2 }:requiresGrad()
      local d = torch.grad(torch.pow(x, 4), x, { createGraph = true })
      local dd = torch.grad(d, x, { createGraph = true })
      local ddd = torch.grad(dd, x)
      assert.equal(32, d:item())
      assert.equal(48, dd:item())
      assert.equal(48, ddd:item())
   end)

   it('says which input has no part', function()
      local x, y = torch.ones(1):requiresGrad(), torch.ones(1):requiresGrad()
      raises('the outputs do not depend on input 2', torch.grad, x * 2, { x, y })
      assert.is_false(torch.grad(x * 2, { x, y }, { allowUnused = true })[2])
      raises('is no Variable that needs a gradient', torch.grad, x * 2, torch.ones(1))
   end)
end)

describe('functions of the script', function()
   local cube = torch.Function {
      forward = function(context, x)
         context:save(x)
         return torch.pow(x, 3)
      end,
      backward = function(context, g)
         local x = context:saved()
         return torch.cmul(g, torch.pow(x, 2)) * 3
      end,
   }

   it('have gradients, and those have gradients', function()
      local x = torch.randn(4):requiresGrad()
      assert.is_true(torch.gradcheck(cube, x))
      assert.is_true(torch.gradgradcheck(cube, x))
   end)

   it('notice changes of what they keep', function()
      local x = torch.ones(2):requiresGrad() * 1
      local y = cube(x)
      x:add(1)
      raises('reads what it kept, a tensor of 2 that was changed in place since',
         function() y:sum():backward() end)
   end)

   it('that are computed again give the same', function()
      local x, w = torch.randn(5):requiresGrad(), torch.randn(5):requiresGrad()
      local function f(t) return torch.tanh(torch.cmul(t, w)) * 2 end
      torch.checkpoint(f, x):sum():backward()
      local gx, gw = x.grad:clone(), w.grad:clone()
      x:zeroGrad()
      w:zeroGrad()
      f(x):sum():backward()
      near(gx, x.grad, 0)
      near(gw, w.grad, 0)
   end)
end)

describe('torch.gradcheck', function()
   it('finds a wrong derivative', function()
      local wrong = torch.Function {
         forward = function(_, x) return x * 2 end,
         backward = function(_, g) return g * 3 end,
      }
      raises('d output 1[1] / d input 1[1] is 3, by differences 2', torch.gradcheck, wrong,
         torch.ones(2):requiresGrad())
   end)
end)

describe('torch.detectAnomaly', function()
   it('names the operation that made the first NaN, and its line', function()
      raises('log: made the first NaN, in r (', torch.detectAnomaly, function()
         return torch.log(torch.Tensor { -1 }:requiresGrad())
      end)
      local x = torch.zeros(1):requiresGrad()
      raises('the derivative of pow (', torch.detectAnomaly, function()
         torch.cmul(torch.pow(x, 0.5), torch.zeros(1)):sum():backward()
      end)
      assert.is_false(torch.detectAnomaly(false))
   end)
end)

describe('torch.detectAnomaly', function()
   it('leaves the script\'s hook and the compiler as they were', function()
      local lines = 0
      local compiled = jit.status()
      local hook = { debug.gethook() }
      debug.sethook(function() lines = lines + 1 end, 'l')
      torch.detectAnomaly(function()
         local x = torch.ones(1)
         return x
      end)
      local within = lines
      assert.is_function((debug.gethook()))
      debug.sethook(unpack(hook, 1, 3))
      assert.is_true(within > 1)
      assert.equal(compiled, (jit.status()))
      if compiled then
         jit.off()
         torch.detectAnomaly(function() end)
         local after = jit.status()
         jit.on()
         assert.is_false(after)
      end
   end)

   it('blames no operation for what was written past them', function()
      raises('was changed in place since, by no operation;', torch.detectAnomaly, function()
         local x, p = torch.ones(2):requiresGrad(), torch.ones(2)
         local y = torch.cmul(x, p)
         p:storage():fill(3)
         y:sum():backward()
      end)
   end)
end)

describe('Lua functions of elements', function()
   it('are refused on Variables, whose gradient they would end', function()
      local x = torch.Tensor { 2, 3 }:requiresGrad()
      local function square(v) return v * v end
      local y = x * 1
      raises('apply: the tensor is a Variable, and the derivative of a Lua function is not known',
         y.apply, y, square)
      raises('apply: the tensor is a Variable', x.apply, x, square)
      local function second(_, v) return v end
      raises('map: the tensor is a Variable', torch.ones(2).map, torch.ones(2), x, second)
      raises('map2: the tensor is a Variable', torch.ones(2).map2, torch.ones(2), torch.ones(2), x,
         second)
      near({ 4, 9 }, torch.noGrad(y.apply, y, square))
      near({ 4, 9 }, x:detach():clone():apply(square))
   end)
end)

describe('factors of a matrix', function()
   local function squares(u, s, v)
      return torch.cmul(u, u), s, v and torch.cmul(v, v) -- without the signs, which are LAPACK's
   end

   for _, sizes in ipairs { { 4, 4 }, { 5, 3 }, { 3, 5 } } do
      it(('of %d x %d have derivatives'):format(unpack(sizes)), function()
         local a = torch.randn(unpack(sizes)):requiresGrad()
         assert.is_true(torch.gradcheck(function(x) return squares(torch.svd(x)) end, { a }))
         if sizes[1] >= sizes[2] then
            assert.is_true(torch.gradcheck(torch.qr, { a }))
            assert.is_true(torch.gradgradcheck(torch.qr, { a }))
         end
      end)
   end

   it('say which have none', function()
      local tall, wide = torch.randn(4, 2):requiresGrad(), torch.randn(2, 4):requiresGrad()
      local u = torch.svd(tall, 'A')
      raises('the singular vectors of a null space', function() u:sum():backward() end)
      local q = torch.qr(wide)
      raises('a matrix with more columns than rows, 2 x 4', function() q:sum():backward() end)
   end)
end)

describe('gradcheck', function()
   it('compares several results, and gradients of several operands', function()
      local a, b = torch.randn(3):requiresGrad(), torch.randn(3):requiresGrad()
      local function f(x)
         return torch.cmul(x, x), torch.exp(x), torch.pow(x, 3)
      end
      assert.is_true(torch.gradcheck(f, { a }))
      assert.is_true(torch.gradgradcheck(torch.cmul, { a, b }))
      local wrong = torch.Function {
         forward = function(context, x)
            context:save(x)
            return x * 3
         end,
         backward = function(_, g) return g * 2 end,
      }
      raises('d output 2[1] / d input 1[1] is 2, by differences 3', torch.gradcheck,
         function(x) return torch.exp(x), wrong(x) end, { a })
   end)
end)
