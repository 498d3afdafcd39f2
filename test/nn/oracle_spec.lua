-- Layers and criterions against PyTorch's, in double: oracle.py has written oracle.lua.
local torch = require 'torch'
local nn = require 'nn'
local oracle = require 'test.nn.oracle'

-- A Lua expression's value; what names stand for in oracle.py.
local function value(text)
   local f = assert(loadstring('return ' .. text))
   return setfenv(f, {
      nn = nn, torch = torch,
      W3 = torch.Tensor { 0.5, 2, 1 }, W4 = torch.Tensor { 0.5, 2, 1, 0.25 },
   })()
end

-- Both round in the last digits, and sum in other orders.
local function near(expected, got, what, tolerance)
   assert.same(expected:size():totable(), got:size():totable())
   local scale = math.max(1, expected:clone():abs():max())
   local difference = (expected - got):abs():max()
   assert.is_true(difference <= (tolerance or 1e-13) * scale,
      ('%s differs by %g'):format(what, difference))
end

-- Whose gradients PyTorch computes with 1/alpha and 1/6 in float.
local in_float = { ['nn.CELU(0.7)'] = 3e-8, ['nn.HardSigmoid()'] = 3e-8 }

describe('PyTorch agrees with', function()
   for _, case in ipairs(oracle.layers) do
      it(case.make, function()
         local layer, x, g = value(case.make), torch.Tensor(case.x), torch.Tensor(case.g)
         layer:evaluate()
         near(torch.Tensor(case.y), layer:forward(x), 'the output')
         near(torch.Tensor(case.gx), layer:backward(x, g), 'gradInput', in_float[case.make])
      end)
   end

   for i, case in ipairs(oracle.losses) do
      it(('%s (loss %d)'):format(case.make, i), function()
         local criterion, target, sizes = value(case.make), value(case.target), value(case.sizes)
         local x = {}
         for k, numbers in ipairs(case.x) do
            x[k] = torch.Tensor(numbers)
         end
         local input = #x > 1 and x or x[1]
         assert.near(case.loss, (criterion:forward(input, target, sizes)),
            1e-10 * math.max(1, math.abs(case.loss)))
         local gx = criterion:backward(input, target, sizes)
         gx = #x > 1 and gx or { gx }
         for k, numbers in ipairs(case.gx) do
            near(torch.Tensor(numbers), gx[k], ('gradInput %d'):format(k), 1e-10)
         end
      end)
   end
end)
