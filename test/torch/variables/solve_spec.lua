-- Least squares and shortest solutions on Variables, against differences.
local torch = require 'torch'
local raises = require 'test.support.raises'

describe('the gradient of gels', function()
   for name, sizes in pairs { ['least squares'] = { 5, 3 }, ['a shortest solution'] = { 3, 5 },
      ['a square matrix'] = { 3, 3 } } do
      it(('of %s agrees with differences, twice'):format(name), function()
         torch.manualSeed(3)
         local m, n = unpack(sizes)
         local a = torch.randn(m, n):add(2, torch.eye(m, n)):requiresGrad()
         for _, b in ipairs { torch.randn(m, 2):requiresGrad(), torch.randn(m):requiresGrad() } do
            local function f(right, matrix)
               return (torch.gels(right, matrix))
            end
            assert.is_true(torch.gradcheck(f, { b, a }))
            assert.is_true(torch.gradgradcheck(f, { b, a }))
            assert.is_true(torch.gradcheck(function(matrix) return f(b:detach(), matrix) end, a))
         end
      end)
   end

   it('does not go by way of the factors', function()
      local a = torch.eye(3):requiresGrad()
      local _, factors = torch.gels(torch.ones(3), a)
      raises('gels: its factors have no derivative; those of torch.qr have',
         function() factors:sum():backward() end)
   end)
end)
