-- Functions with a derivative of their own, functions that are computed again, and whom both hold.
local torch = require 'torch'
local raises = require 'test.support.raises'
local functions = require 'torch.variables.functions'
local account = require('torch.ffi').C.TH_account()

local exp = torch.Function {
   forward = function(context, x)
      local y = torch.exp(x)
      context:save(y)
      return y
   end,
   backward = function(context, g)
      return torch.cmul(g, (context:saved()))
   end,
}

describe('torch.Function', function()
   local x
   before_each(function()
      x = torch.Tensor { 1, 2 }:requiresGrad()
   end)

   it('keeps nil in its place, and nothing but tensors', function()
      local seen
      local f = torch.Function {
         forward = function(context, t)
            context:save(nil, t, nil)
            return t * 2
         end,
         backward = function(context, g)
            seen = { n = select('#', context:saved()), context:saved() }
            return g * 2
         end,
      }
      f(x):sum():backward()
      assert.equal(3, seen.n)
      assert.is_nil(seen[1])
      assert.same({ 1, 2 }, seen[2]:totable())
      local wrong = torch.Function {
         forward = function(context) context:save(3) end, backward = print,
      }
      raises('context:save was given a number as argument 1, expected tensors or nil', wrong, x)
   end)

   it('that keeps its result has gradients of gradients', function()
      local one = torch.Tensor { 1 }:requiresGrad()
      local d = torch.grad(torch.cmul(exp(one), one), one, { createGraph = true })
      -- (x e^x)'' = (2 + x) e^x
      assert.near(3 * math.exp(1), torch.grad(d, one):item(), 1e-12)
      assert.is_true(torch.gradgradcheck(function(t) return torch.cmul(exp(t), t) end, x))
   end)

   it('must give gradients of the tensors\' types and sizes', function()
      local function giving(change)
         return torch.Function {
            forward = function(_, t) return t * 2 end,
            backward = function(_, g) return change(g) end,
         }(x):sum()
      end
      raises('that backward gave is a torch.FloatTensor, its tensor a torch.DoubleTensor',
         x.backward, giving(function(g) return g:float() end))
      raises('gradient 1 that backward gave is 1x2, its tensor 2', x.backward,
         giving(function(g) return g:view(1, 2) end))
      raises('gradient 1 that backward gave is a number', x.backward,
         giving(function() return 1 end))
      assert.is_nil(x.grad)
   end)

   it('must give no more gradients than it takes tensors', function()
      local function giving(...)
         local more = { ... }
         return torch.Function {
            forward = function(_, t) return t * 2 end,
            backward = function(_, g) return g * 2, unpack(more, 1, 2) end,
         }(x):sum()
      end
      raises('backward gave 2 gradients for 1 tensor: one for each tensor that forward takes',
         x.backward, giving(torch.ones(2)))
      giving(nil, nil):backward() -- as some return for arguments that are no tensors
      assert.same({ 2, 2 }, x.grad:totable())
   end)

   it('may write into the gradients that it is given', function()
      local double = torch.Function {
         forward = function(_, t) return t * 2 end,
         backward = function(_, g) return g:cmul(torch.Tensor { 2, 3 }) end,
      }
      local w = torch.zeros(2):requiresGrad()
      ;(double(x) + w):sum():backward()
      assert.same({ 2, 3 }, x.grad:totable())
      assert.same({ 1, 1 }, w.grad:totable())
   end)
end)

describe('torch.checkpoint', function()
   local x, w, f
   before_each(function()
      x, w = torch.Tensor { 1, 2 }:requiresGrad(), torch.Tensor { 3, 4 }:requiresGrad()
      f = function(t) return torch.cmul(t, w) end
   end)

   it('accumulates nothing within torch.grad', function()
      local g = torch.grad(torch.checkpoint(f, x):sum(), x)
      assert.same({ 3, 4 }, g:totable())
      assert.is_nil(w.grad)
      assert.is_nil(x.grad)
   end)

   it('is the function itself where no argument is a Variable', function()
      local y = torch.checkpoint(f, torch.ones(2))
      assert.is_true(y:isVariable())
      y:sum():backward()
      assert.same({ 1, 1 }, w.grad:totable())
   end)

   it('draws the same random numbers again, and leaves the generator where it was', function()
      local ones = torch.ones(100):requiresGrad()
      local y = torch.checkpoint(function(t)
         return torch.cmul(t, t.new():resizeAs(t):bernoulli(0.5))
      end, ones)
      local state = torch.getRNGState()
      y:sum():backward()
      assert.same(y:totable(), ones.grad:totable())
      assert.is_true(state:eq(torch.getRNGState()):all())
   end)

   it('gives tensors where the function alone gives a number', function()
      local y = torch.checkpoint(function(t) return torch.cmul(t, t):sum() end, x)
      y:backward()
      assert.equal(5, y:item())
      assert.same({ 2, 4 }, x.grad:totable())
   end)
end)

-- Bytes that n calls of f leave behind.
local function left(f)
   for _ = 1, 3 do
      f()
   end
   collectgarbage()
   collectgarbage()
   functions.sweep()
   local before = account.made
   for _ = 1, 20 do
      f()
   end
   collectgarbage()
   collectgarbage()
   functions.sweep()
   return tonumber(account.made - before)
end

describe('what nobody has any more is given back', function()
   it('with a result that its function keeps', function()
      collectgarbage()
      collectgarbage()
      local count = functions.count()
      assert.equal(0, left(function() exp(torch.ones(1000):requiresGrad()) end))
      assert.equal(count, functions.count())
   end)

   it('with gradients that have gradients', function()
      assert.equal(0, left(function()
         torch.pow(torch.ones(1000):requiresGrad(), 3):sum():backward { createGraph = true }
      end))
      assert.equal(0, left(function()
         local x = torch.ones(1000):requiresGrad()
         local y = torch.pow(x, 3):retainGrad()
         torch.pow(y, 2):sum():backward { createGraph = true }
         x:zeroGrad()
      end))
   end)

   it('with hooks that mention a result, once backward has passed it', function()
      collectgarbage()
      collectgarbage()
      local count = functions.count()
      for _ = 1, 10 do
         local y = torch.ones(10):requiresGrad() * 2
         y:hook(function(g) return g * y:nElement() end)
         y:sum():backward()
      end
      collectgarbage()
      collectgarbage()
      assert.equal(count, functions.count())
   end)
end)

it('hooks may take themselves off', function()
   local x = torch.ones(2):requiresGrad()
   local calls = {}
   local off
   off = x:hook(function()
      calls[#calls + 1] = 1
      off()
   end)
   x:hook(function() calls[#calls + 1] = 2 end)
   local last = x:hook(function() calls[#calls + 1] = 3 end)
   x:hook(function() last() end)
   x:sum():backward()
   x:sum():backward()
   assert.same({ 1, 2, 3, 2 }, calls)
end)
