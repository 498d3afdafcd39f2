local torch = require 'torch'
local raises = require 'test.support.raises'
local grad = require('torch').autograd

describe('torch.grad of a function', function()
   local function loss(p, x, t)
      local y = p.layers[1].weight * x + p.layers[1].bias
      return torch.pow(torch.tanh(y) - t, 2):sum(), y
   end

   it('gives gradients nested as the parameters, and what the function gives', function()
      torch.manualSeed(1)
      local p = { layers = { { weight = torch.randn(2, 3), bias = torch.randn(2) } }, name = 'p' }
      local x, t = torch.randn(3), torch.randn(2)
      local g, l, y = torch.grad(loss)(p, x, t)
      assert.equal(2, y:nElement())
      assert.is_false(p.layers[1].weight:isVariable())
      for _, name in ipairs { 'weight', 'bias' } do
         local w = p.layers[1][name]:view(-1)
         for i = 1, w:nElement() do
            local before = w[i]
            w[i] = before + 1e-6
            local high = loss(p, x, t)
            w[i] = before - 1e-6
            local low = loss(p, x, t)
            w[i] = before
            assert.near((high - low) / 2e-6, g.layers[1][name]:view(-1)[i], 1e-6)
         end
      end
      assert.near(loss(p, x, t), l:item(), 1e-12)
   end)

   it('may be applied to what it gives', function()
      local function cube(x) return torch.pow(x, 3):sum() end
      local slope = grad(cube, { createGraph = true })
      local curvature = grad(function(x) return slope(x):sum() end)
      assert.same({ 12, 18 }, curvature(torch.Tensor { 2, 3 }):totable())
   end)

   it('leaves positions and classes among the parameters as they are', function()
      local rows = torch.LongTensor { 2, 2 }
      local g = grad(function(p) return p.table:index(1, p.rows):sum() end) {
         table = torch.ones(3, 2), rows = rows }
      assert.same({ { 0, 0 }, { 2, 2 }, { 0, 0 } }, g.table:totable())
      assert.is_nil(g.rows)
   end)

   it('says what a function must give', function()
      raises('expected a tensor of one element', grad(function(x) return x * 2 end), torch.ones(2))
      raises('has no tensor', grad(function() return 1 end), {})
      raises('has no tensor of floating-point numbers', grad(function(x) return x:sum() end),
         torch.LongTensor { 1 })
   end)
end)
