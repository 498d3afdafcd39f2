-- Variables of one element where functions take numbers, against differences and against numbers.
local torch = require 'torch'
local raises = require 'test.support.raises'

describe('a Variable of one element stands for a number in', function()
   local p, q, out
   before_each(function()
      torch.manualSeed(1)
      p, q, out = torch.rand(2, 3):add(0.5), torch.rand(2, 3), torch.Tensor()
   end)

   -- With a number, and with a Variable of its value: the same result. The gradient: differences.
   local CASES = {
      mul = function(x, v) return torch.mul(x, v) end,
      div = function(x, v) return torch.div(x, v) end,
      fmod = function(x, v) return torch.fmod(x, v) end,
      remainder = function(x, v) return torch.remainder(x, v) end,
      ['pow, as the exponent'] = function(x, v) return torch.pow(x, v) end,
      ['pow, as the base'] = function(x, v) return torch.pow(v, x) end,
      ['clamp, above'] = function(x, v) return torch.clamp(x, 0, v) end,
      lerp = function(x, v) return torch.lerp(x, q, v) end,
      fill = function(x, v) return (x * 1):fill(v) end,
      ['mul into a result'] = function(x, v) return torch.mul(out, x, v) end,
      ['div of another tensor'] = function(x, v) return torch.Tensor():div(x, v) end,
      ['mul in place'] = function(x, v) return (x * 1):mul(v) end,
      add = function(x, v) return torch.add(x, v) end,
      ['add, scaled'] = function(x, v) return (x * 1):csub(v):add(x) end,
      ['add in place'] = function(x, v) return (x * 1):add(v) end,
      ['add to a row'] = function(x, v) return x:select(1, 1):clone():add(v) end,
      csub = function(x, v) return torch.csub(x, v) end,
      ['an element'] = function(x, v)
         local y = x * 1
         y[{ 1, 2 }] = v
         return y
      end,
      ['a row'] = function(x, v)
         local y = x * 1
         y[1] = v
         return y
      end,
      ['a region'] = function(x, v)
         local y = x * 1
         y[{ {}, { 1, 2 } }] = v
         return y
      end,
      ['the elements of a mask'] = function(x, v)
         local y = x * 1
         y[x:gt(0.8)] = v
         return y
      end,
      ['pow in place'] = function(x, v) return (x * 1):pow(v) end,
   }

   for name, f in pairs(CASES) do
      it(name, function()
         local v = torch.Tensor { 0.8 }:requiresGrad()
         local wanted = f(p, 0.8)
         out = torch.Tensor()
         local got = f(p, v)
         assert.is_true((got:detach() - wanted):abs():max() < 1e-12)
         out = torch.Tensor()
         assert.is_true(torch.gradcheck(function(x, w)
            out = torch.Tensor()
            return f(x, w)
         end, { p:clone():requiresGrad(), v }))
      end)
   end

   it('no call under noGrad, and none that has no number', function()
      local v = torch.Tensor { 2 }:requiresGrad()
      raises('div: invalid arguments', torch.noGrad, torch.div, p, v)
      raises('div: invalid arguments', torch.div, p, torch.Tensor { 2 })
      raises('div: invalid arguments', torch.div, p, torch.ones(2):requiresGrad())
   end)
end)
