-- Recording that is switched, and coroutines that come and go meanwhile.
local torch = require 'torch'
local raises = require 'test.support.raises'

describe('recording', function()
   it('is as it was while a function under noGrad waits', function()
      local seen = {}
      local thread = coroutine.wrap(function(...)
         local sum = torch.noGrad(function(a, b)
            seen[1] = torch.isGradEnabled()
            local c = coroutine.yield(a + b)
            seen[2] = torch.isGradEnabled()
            return a + b + c
         end, ...)
         seen[3] = torch.isGradEnabled()
         return sum
      end)
      assert.equal(3, thread(1, 2))
      assert.is_true(torch.isGradEnabled())
      assert.equal(13, torch.noGrad(thread, 10))
      assert.same({ false, false, false }, seen)
      assert.is_true(torch.isGradEnabled())
   end)

   it('is as it was when nobody goes on', function()
      coroutine.wrap(function() torch.noGrad(coroutine.yield) end)()
      assert.is_true(torch.isGradEnabled())
      coroutine.wrap(function() torch.autograd(coroutine.yield)(torch.ones(1)) end)()
      assert.is_true(torch.isGradEnabled())
   end)

   it('is as it was after errors, in coroutines, too', function()
      raises('mine', torch.noGrad, error, 'mine')
      raises('mine', coroutine.wrap(function() torch.noGrad(error, 'mine') end))
      assert.is_true(torch.isGradEnabled())
   end)

   it('is not left to a hook that yields', function()
      local thread = coroutine.wrap(function()
         local y = torch.ones(2):requiresGrad() * 2
         y:hook(function() coroutine.yield() end)
         y:sum():backward()
      end)
      raises('a function that it called yields; a pass cannot wait for that', thread)
      assert.is_true(torch.isGradEnabled())
   end)
end)

describe('a Variable that is written to', function()
   local x, y
   before_each(function()
      x = torch.ones(2, 3):requiresGrad()
      y = x * 2
   end)

   it('keeps its sizes where there are views', function()
      local row = y:select(1, 1)
      raises('writes a result of 4x4 into a Variable of 2x3, of which there are views', torch.mul,
         y, torch.ones(4, 4), 3)
      assert.same({ 2, 3 }, y:size():totable())
      raises('writes a result of 4x4 into a Variable of 3, a view of another', torch.mul, row,
         torch.ones(4, 4), 3)
      assert.same({ 3 }, row:size():totable())
      raises('writes a result of 4x4 into a Variable of 2x3, unrecorded', torch.noGrad, torch.mul,
         x * 2, torch.ones(4, 4), 3)
   end)

   it('takes those of the result where there are none', function()
      local a = torch.ones(4, 4):requiresGrad()
      torch.mul(y, a, 3)
      y:sum():backward()
      assert.is_nil(x.grad)
      assert.equal(48, a.grad:sum())
   end)

   it('shows its elements in another form when it is resized', function()
      local w = torch.range(1, 6)
      y:resize(3, 2)
      assert.same({ 3, 2 }, y:size():totable())
      torch.cmul(y, w:view(3, 2)):sum():backward()
      assert.same((w * 2):view(2, 3):totable(), x.grad:totable())
      -- a tensor that shows the same elements still does
      x:zeroGrad()
      local z = x * 3
      local row = z:select(1, 2)
      z:resizeAs(torch.zeros(6))
      z:mul(10)
      torch.cmul(row, torch.Tensor { 1, 2, 3 }):sum():backward()
      assert.same({ { 0, 0, 0 }, { 30, 60, 90 } }, x.grad:totable())
      raises('a Variable of 3x2 keeps its sizes', y.resize, y, 7)
      raises('a Variable of 2x3 keeps its sizes', x.resize, x, 3, 2)
      local t = (x * 2):t()
      raises('a Variable of 3x2 keeps its sizes', t.resize, t, 6)
   end)

   it('may be the operand that its derivative reads', function()
      -- y = 2 x, then y^3 + 1, times x: (8 x^3 + 1) x
      local v = torch.Tensor { 1, 2, 3 }:requiresGrad()
      local r = v * 2
      r:pow(3):add(1):cmul(v):sum():backward()
      assert.same({ 33, 257, 865 }, v.grad:totable()) -- 32 x^3 + 1
      v:zeroGrad()
      r = v * 1
      r:cmul(r)
      r:sum():backward()
      assert.same({ 2, 4, 6 }, v.grad:totable())
      r = torch.exp(v)
      r:add(1)
      raises('the derivative of exp reads r', function() r:sum():backward() end)
   end)

   it('as a leaf remains one when it is set to other memory', function()
      raises('set: changes a Variable that backward() gives', x.set, x, torch.zeros(2, 3))
      torch.noGrad(function()
         raises('a Variable of 2x3 keeps its sizes, these are 2', x.set, x, torch.zeros(2))
         raises('a Variable of 2x3 keeps its sizes', x.resize, x, 7)
         x:set(torch.zeros(2, 3))
      end)
      assert.is_true(x:isVariable())
      torch.noGrad(function()
         x:set(torch.zeros(9):storage(), 2, torch.LongStorage { 2, 3 })
      end)
      assert.is_true(x:isVariable())
      x:sum():backward()
      assert.same({ { 1, 1, 1 }, { 1, 1, 1 } }, x.grad:totable())
   end)
end)
