-- What is particular to each; their values are compared in oracle_spec, their gradients walked.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'

local function x()
   return torch.Tensor { { -2, -0.5, 0 }, { 0.25, 0.5, 7 } }
end

local function g()
   return torch.Tensor { { 1, 2, 3 }, { 4, 5, 6 } }
end

describe('a layer in place', function()
   local makers = {
      ELU = { 0.3 }, CELU = { 0.3 }, SELU = {}, LeakyReLU = { 0.2 }, ReLU6 = {}, ReLU = {},
      HardTanh = { -0.3, 0.3 }, Threshold = { 0.1, -1 },
   }
   for name, arguments in pairs(makers) do
      it('writes over its operands what it computes elsewhere: nn.' .. name, function()
         local list = { unpack(arguments) }
         list[#list + 1] = true
         local there, here = nn[name](unpack(arguments)), nn[name](unpack(list))
         local input, gradOutput = x(), g()
         local y = there:forward(x()):clone()
         assert.equal(torch.pointer(input:storage()), torch.pointer(here:forward(input):storage()))
         assert.is_true(input:equal(y))
         local gx = there:backward(x(), g())
         assert.equal(torch.pointer(gradOutput:storage()),
            torch.pointer(here:backward(input, gradOutput):storage()))
         assert.is_true(gradOutput:equal(gx))
      end)
   end

   it('refuses numbers with which the output would not tell the gradient', function()
      raises('in-place processing requires negval (-1) of at least 0', nn.LeakyReLU, -1, true)
      raises('in-place processing requires value', nn.Threshold, 0, 1, true)
   end)
end)

describe('a transfer function', function()
   it('has a slope of 1 or 0 further out than any input should be', function()
      local far = torch.FloatTensor { 1e8, 1e12, 1e20, 3e38, -1e12, -3e38 }
      for _, name in ipairs { 'GELU', 'SiLU', 'Mish', 'HardSwish', 'ReLU', 'SoftPlus', 'ELU' } do
         local layer = nn[name]():float()
         layer:forward(far)
         numbers.same(torch.FloatTensor { 1, 1, 1, 1, 0, 0 },
            layer:backward(far, torch.ones(6):float()), 1e-6)
      end
   end)

   it('stays finite far out, and so does its gradient', function()
      local far = torch.FloatTensor { -1e4, -100, 100, 1e4 }
      local at = {
         LogSigmoid = { -1e4, -100, 0, 0 }, SiLU = { 0, 0, 100, 1e4 }, Mish = { 0, 0, 100, 1e4 },
         GELU = { 0, 0, 100, 1e4 }, HardSwish = { 0, 0, 100, 1e4 }, SoftSign = { -1, -1, 1, 1 },
         ELU = { -1, -1, 100, 1e4 }, TanhShrink = { -1e4 + 1, -99, 99, 1e4 - 1 },
      }
      for name, wanted in pairs(at) do
         local layer = nn[name]():type(far:type())
         local y = layer:forward(far)
         local gx = layer:backward(far, far:clone():fill(1))
         for i = 1, 4 do
            assert.near(wanted[i], y[i], 1e-4 * math.abs(far[i]), name)
            assert.is_true(gx[i] >= -1e-6 and gx[i] <= 1, name)
         end
      end
   end)

   it('computes 16-bit numbers too', function()
      for _, name in ipairs { 'ELU', 'GELU', 'HardTanh', 'PReLU', 'SoftShrink', 'RReLU' } do
         local layer, half = nn[name](), nn[name]():type 'torch.HalfTensor'
         layer:evaluate()
         half:evaluate()
         local y, yh = layer:forward(x()), half:forward(x():type 'torch.HalfTensor')
         numbers.same(y, yh:double(), 4e-3)
         numbers.same(layer:backward(x(), g()),
            half:backward(x():type 'torch.HalfTensor', g():type 'torch.HalfTensor'):double(), 4e-3)
      end
   end)

   it('keeps its numbers in the fields of Torch7, and prints them', function()
      assert.equal('nn.ELU (alpha:0.300000)', tostring(nn.ELU(0.3)))
      assert.equal('nn.LeakyReLU(0.01)', tostring(nn.LeakyReLU()))
      assert.equal('nn.RReLU (l:0.125000, u:0.333333)', tostring(nn.RReLU()))
      local layer = nn.HardTanh(-2, 3, true)
      assert.same({ -2, 3, true }, { layer.min_val, layer.max_val, layer.inplace })
      assert.same({ 0.5, 0.5 }, { nn.HardShrink().lambda, nn.SoftShrink().lambda })
      assert.same({ 3, 0.25 }, { nn.Power(3).pow, nn.Sqrt(0.25).eps })
      assert.same({ 0.1, 0.2 }, { nn.RReLU(0.1, 0.2).lower, nn.RReLU(0.1, 0.2).upper })
   end)

   it('refuses what it cannot be made of', function()
      raises('nn.Power: power is nil, expected a number: nn.Power(power)', nn.Power)
      raises('nn.Clamp: max_value is nil, expected a number', nn.Clamp, 1)
      raises('nn.HardTanh: min_value is 1, expected less than max_value, which is 1', nn.HardTanh,
         1, 1)
      raises('nn.RReLU: slopes from 0.5 to 0.25, expected 0 <= l <= u', nn.RReLU, 0.5, 0.25)
      raises('nn.CReLU: nInputDims is nil, expected a number', nn.CReLU)
   end)
end)

describe('nn.HardTanh', function()
   it('gives the gradient without a forward pass, 0 at the limits', function()
      numbers.equal({ { 0, 2, 3 }, { 4, 0, 0 } }, nn.HardTanh(-2, 0.5):backward(x(), g()))
   end)
end)

describe('nn.Sqrt', function()
   it('has the gradient 0 where the output is 0', function()
      local layer, input = nn.Sqrt(), torch.Tensor { 0, 4 }
      numbers.equal({ 0, 2 }, layer:forward(input))
      numbers.equal({ 0, 0.25 }, layer:backward(input, torch.ones(2)))
   end)
end)

describe('nn.PReLU', function()
   it('has a slope for each plane, all 0.25 at first', function()
      local layer = nn.PReLU(2)
      numbers.equal({ 0.25, 0.25 }, layer.weight)
      layer.weight:copy(torch.Tensor { 0.5, 10 })
      local image = torch.Tensor { { { -1, 2 } }, { { -3, 4 } } }
      numbers.equal({ { { -0.5, 2 } }, { { -30, 4 } } }, layer:forward(image))
      layer:zeroGradParameters()
      numbers.equal({ { { 0.5, 1 } }, { { 10, 1 } } }, layer:backward(image, torch.ones(2, 1, 2)))
      numbers.equal({ -1, -3 }, layer.gradWeight)
      layer:reset()
      numbers.equal({ 0.25, 0.25 }, layer.weight)
   end)

   it('refuses other planes', function()
      raises('nn.PReLU: input is 4x3, expected 2 planes: 2x..., or N x 2 x ...', function()
         nn.PReLU(2):forward(torch.Tensor(4, 3))
      end)
   end)
end)

describe('nn.RReLU', function()
   it('draws slopes between its numbers, and takes their mean in evaluation', function()
      local layer, ones = nn.RReLU(0.2, 0.6), torch.Tensor(1000):fill(-1)
      local y = layer:forward(ones)
      assert.is_true(y:min() >= -0.6 and y:max() <= -0.2)
      assert.near(-0.4, y:mean(), 0.02) -- 6 standard deviations
      assert.is_true(y:std() > 0.05)
      assert.is_true(layer:backward(ones, ones):equal(y)) -- the slopes that were drawn
      layer:evaluate()
      assert.near(-0.4, layer:forward(ones):max(), 1e-15)
      layer:training()
      numbers.equal({ 0.5, 2 }, layer:forward(torch.Tensor { 0.5, 2 }))
   end)
end)

describe('nn.CReLU', function()
   it('doubles the first dimension of a sample', function()
      numbers.equal({ 0, 2, 1, 0 }, nn.CReLU(1):forward(torch.Tensor { -1, 2 }))
      assert.same({ 2, 6, 4, 5 }, nn.CReLU(3):forward(torch.randn(2, 3, 4, 5)):size():totable())
      assert.same({ 6, 4, 5 }, nn.CReLU(3):forward(torch.randn(3, 4, 5)):size():totable())
   end)
end)

describe('nn.GatedLinearUnit', function()
   it('refuses a dimension without halves', function()
      raises('nn.GatedLinearUnit: input is 3x5, expected an even size of dimension 2', function()
         nn.GatedLinearUnit():forward(torch.Tensor(3, 5))
      end)
   end)
end)
