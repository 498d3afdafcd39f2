local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

-- { sum = ab, parts = { a + b, double = 2a } }
local function combine(x)
   return {
      product = torch.cmul(x.first, x.rest.b), parts = { x.first + x.rest.b, double = x.first * 2 },
   }
end

describe('nn.Lambda', function()
   local a, b, g

   before_each(function()
      a, b, g = torch.randn(3), torch.randn(3), {}
      for i = 1, 3 do
         g[i] = torch.randn(3)
      end
   end)

   local function check(first, second)
      local function near(x, y)
         assert.is_true((x - y):abs():max() < 1e-14)
      end
      near(torch.cmul(g[1], b:detach()) + g[2] + g[3] * 2, first)
      near(torch.cmul(g[1], a:detach()) + g[2], second)
   end

   it('takes and gives tables with names', function()
      local layer = nn.Lambda(combine)
      local input = { first = a, rest = { b = b } }
      local output = layer:forward(input)
      assert.is_false(output.parts.double:isVariable())
      assert.equal(0, (output.parts.double - a * 2):norm())
      local gradInput = layer:backward(input, { product = g[1], parts = { g[2], double = g[3] } })
      check(gradInput.first, gradInput.rest.b)
      raises('gradOutput is nil', layer.backward, layer, input,
         { product = g[1], parts = { g[2] } })
      raises('a table like the output', layer.backward, layer, input, { product = g[1] })
   end)

   it('goes back through the function once', function()
      local times = 0
      local once = torch.Function {
         forward = function(_, x) return x * 2 end,
         backward = function(_, gradient)
            times = times + 1
            return gradient * 2
         end,
      }
      local w = torch.randn(3)
      local layer = nn.Lambda(function(x, weight) return torch.cmul(once(x), weight) end, { w })
      layer:zeroGradParameters()
      layer:forward(a)
      local gradInput = layer:backward(a, g[1], 0.5)
      assert.equal(1, times)
      assert.is_true((gradInput - torch.cmul(g[1], w) * 2):abs():max() < 1e-14)
      assert.is_true((layer.gradWeights[1] - torch.cmul(g[1], a)):abs():max() < 1e-14)
   end)

   it('has gradients of gradients', function()
      local layer = nn.Lambda(function(x, weight) return torch.cmul(torch.pow(x, 3), weight) end,
         { torch.randn(3) })
      assert.is_true(torch.gradgradcheck(function(x) return layer:forward(x) end,
         { a:requiresGrad() }))
   end)

   it('takes and gives them as Variables', function()
      a:requiresGrad()
      b:requiresGrad()
      local output = nn.Lambda(combine):forward { first = a, rest = { b = b } }
      local loss = output.product:dot(g[1]) + output.parts[1]:dot(g[2])
         + output.parts.double:dot(g[3])
      loss:backward()
      check(a.grad, b.grad)
   end)
end)
