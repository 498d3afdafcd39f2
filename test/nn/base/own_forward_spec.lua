-- Classes that write `forward` themselves, on Variables: against their own backward.
local torch = require 'torch'
local nn = require 'nn'

-- y = factor * w x, with its way back as the class says.
local function define(name, way_back)
   local Layer = torch.class(name, 'nn.Module', {})
   function Layer:__init(n)
      nn.Module.__init(self)
      self.weight, self.gradWeight = torch.randn(n), torch.zeros(n)
   end
   function Layer:forward(input, factor)
      self.factor = factor or 1
      self.output:resizeAs(input):copy(input):cmul(self.weight):mul(self.factor)
      return self.output
   end
   way_back(Layer)
   return Layer
end

local function gradient(self, gradOutput)
   self.gradInput:resizeAs(gradOutput):cmul(gradOutput, self.weight):mul(self.factor)
   return self.gradInput
end

local function both(Layer)
   function Layer:updateGradInput(_, gradOutput)
      return gradient(self, gradOutput)
   end
   function Layer:accGradParameters(input, gradOutput, scale)
      self.gradWeight:add((scale or 1) * self.factor, torch.cmul(input, gradOutput))
   end
end

local function backward(Layer)
   function Layer:backward(input, gradOutput, scale)
      self.gradWeight:add((scale or 1) * self.factor, torch.cmul(input, gradOutput))
      return gradient(self, gradOutput)
   end
end

local function check(layer)
   local x, g = torch.randn(3), torch.randn(3)
   layer:zeroGradParameters()
   layer:forward(x, 3)
   local gx = layer:backward(x, g):clone()
   local gw = layer.gradWeight:clone()
   layer:zeroGradParameters()
   local v = x:clone():requiresGrad()
   local first, second = layer:forward(v, 3), layer:forward(v, 2) -- another waits meanwhile
   assert.is_true(first:isVariable())
   torch.cmul(first, g):sum():backward()
   assert.is_true((v.grad - gx):abs():max() < 1e-14)
   assert.is_true((layer.gradWeight - gw):abs():max() < 1e-14)
   torch.cmul(second, g):sum():backward()
   assert.is_true((v.grad - gx * (5 / 3)):abs():max() < 1e-14)
   layer:zeroGradParameters()
   torch.grad(torch.cmul(layer:forward(v, 3), g):sum(), v)
   assert.equal(0, layer.gradWeight:abs():max())
   layer:requiresGrad()
   torch.cmul(layer:forward(x, 3), g):sum():backward() -- plain, but marked
   assert.is_true((layer.gradWeight - gw):abs():max() < 1e-14)
end

describe('a class with a forward of its own', function()
   it('is recorded, with both parts of its way back or one for both', function()
      local Both = define('nn.OwnForwardSpecBoth', both)
      torch.ones(1):requiresGrad() -- there are Variables by now
      check(Both.new(3))
      check(define('nn.OwnForwardSpecBackward', backward).new(3))
      check(torch.deserialize(torch.serialize(Both.new(3))))
   end)

   it('is recorded while something hangs on nn.seam, and before and after', function()
      local Layer = define('nn.OwnForwardSpecSeam', both)
      local seen = 0
      local layer = Layer.new(3)
      for _ = 1, 2 do
         local off = nn.seam.attach(function(call, object, method, ...)
            seen = seen + (method == 'forward' and rawequal(object, layer) and 1 or 0)
            return call(object, ...)
         end)
         check(layer)
         off()
         check(layer)
      end
      assert.is_true(seen > 0)
   end)

   it('goes on to what is recorded where it has no way back', function()
      local Scaled, parent = torch.class('nn.OwnForwardSpecScaled', 'nn.Linear', {})
      function Scaled:forward(input)
         return parent.forward(self, input * 2) * 3
      end
      local layer, x = Scaled.new(2, 2), torch.randn(4, 2):requiresGrad()
      layer:zeroGradParameters()
      layer:forward(x):sum():backward()
      local ones = torch.ones(4, 2)
      assert.is_true((x.grad - ones * layer.weight * 6):abs():max() < 1e-13)
      assert.is_true((layer.gradWeight - ones:t() * x:detach() * 6):abs():max() < 1e-13)
   end)

   it('may be a criterion', function()
      local Weighted = torch.class('nn.OwnForwardSpecLoss', 'nn.Criterion', {})
      function Weighted:forward(input, target, factor)
         self.factor = factor
         self.output = factor * torch.pow(input - target, 2):sum()
         return self.output
      end
      function Weighted:backward(input, target, factor)
         assert(factor == self.factor)
         self.gradInput:resizeAs(input):add(input, -1, target):mul(2 * factor)
         return self.gradInput
      end
      local x, t = torch.randn(3):requiresGrad(), torch.randn(3)
      local loss = Weighted.new():forward(x, t, 5)
      assert.is_near(5 * torch.pow(x:detach() - t, 2):sum(), loss:item(), 1e-13)
      loss:backward()
      assert.is_true((x.grad - (x:detach() - t) * 10):abs():max() < 1e-13)
   end)
end)
