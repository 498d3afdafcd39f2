-- Gradients where a formula divides by zero, or several elements are the greatest. The values are
-- PyTorch's (2.15) for the same calls: torch.max, torch.norm, ... on doubles with requires_grad.
local torch = require 'torch'
local raises = require 'test.support.raises'

local huge = math.huge

local function gradient(values, f)
   local x = torch.Tensor(values):requiresGrad()
   local y = f(x)
   y = y:nElement() > 1 and y:sum() or y
   y:backward()
   return x.grad:totable()
end

describe('the gradient of', function()
   for name, case in pairs {
      ['max at infinity'] = { { 1, huge }, function(x) return x:max() end, { 0, 1 } },
      ['min at -infinity'] = { { 1, -huge }, function(x) return x:min() end, { 0, 1 } },
      ['norm(inf) of equal ones'] = {
         { 2, -2, 1 }, function(x) return x:norm(huge) end, { 0.5, -0.5, 0 },
      },
      ['norm(inf) along a dimension'] = {
         { { 2, -2, 1 }, { 0, 3, 1 } }, function(x) return x:norm(huge, 2) end,
         { { 0.5, -0.5, 0 }, { 0, 1, 0 } },
      },
      ['norm(0.5) with a zero'] = { { 0, 4 }, function(x) return x:norm(0.5) end, { 0, 1 } },
      ['pow(x, 0) at 0'] = { { 0, 1 }, function(x) return torch.pow(x, 0) end, { 0, 0 } },
      ['cpow at 0^0'] = {
         { 0, 0, 2 }, function(x) return torch.cpow(x, torch.Tensor { 0, 1, 3 }) end, { 0, 1, 12 },
      },
      ['pow(0, x)'] = { { 0, 1, 2 }, function(x) return torch.pow(0, x) end, { 0, 0, 0 } },
      ['atan2(0, 0)'] = {
         { 0 }, function(x) return torch.atan2(x, torch.Tensor { 0 }) end, { 0 },
      },
      ['clamp at its bounds'] = {
         { 0, 0.5, 1, 2 }, function(x) return torch.clamp(x, 0, 1) end, { 0, 1, 0, 0 },
      },
      ['cumprod with zeros'] = {
         { 2, 0, 3, 4, 0, 5 }, function(x) return torch.cumprod(x, 1) end, { 1, 32, 0, 0, 0, 0 },
      },
   } do
      it(name, function()
         assert.same(case[3], gradient(case[1], case[2]))
      end)
   end
end)

it('goes back through cumprod with a zero in a number of calls that grows with n', function()
   local function calls(n)
      local x = torch.ones(n)
      x[2] = 0
      local y = torch.cumprod(x:requiresGrad(), 1):sum()
      return #torch.calls(function() y:backward() end)
   end
   local small, large = calls(20), calls(40)
   assert.is_true(large < 2.2 * small, ('%d calls for 20, %d for 40'):format(small, large))
end)

it('refuses the eigenvalues alone, whose derivative reads the vectors', function()
   if torch.DoubleTensor(1).device_type ~= 0 then
      return -- LAPACK's operations are the CPU's alone
   end
   local x = torch.Tensor { { 2, 1 }, { 1, 3 } }:requiresGrad()
   local e = torch.symeig(x)
   raises('symeig without eigenvectors has no derivative', e.backward, e:sum())
   assert.is_true(torch.gradcheck(function(a)
      return (torch.symeig(a + a:t(), 'V'))
   end, x))
end)
