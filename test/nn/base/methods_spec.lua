-- What the methods that are written for each layer do around its own.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

local function clone(nest)
   return torch.isTensor(nest) and nest:clone() or { nest[1]:clone(), nest[2]:clone() }
end

describe('a layer in place', function()
   -- Layer and twin that is not in place; those that draw draw the same.
   local function pairs_of_layers()
      return {
         { nn.ELU(0.3, true), nn.ELU(0.3) }, { nn.LeakyReLU(0.2, true), nn.LeakyReLU(0.2) },
         { nn.HardTanh(-0.3, 0.3, true), nn.HardTanh(-0.3, 0.3) },
         { nn.MulConstant(3, true), nn.MulConstant(3) },
         { nn.AddConstant(3, true), nn.AddConstant(3) },
         { nn.Dropout(0.5, false, true), nn.Dropout(0.5) },
         { nn.RReLU(0.1, 0.3, true), nn.RReLU(0.1, 0.3) },
      }
   end

   local function check(there, here, x, g)
      local before, wanted = clone(x), clone(g)
      torch.manualSeed(4)
      local y = there:forward(clone(x)):clone()
      local gx = there:backward(clone(x), g:clone())
      torch.manualSeed(4)
      numbers.same(y, here:forward(x), 1e-14)
      local own = here:backward(x, g)
      if torch.isTensor(gx) then
         gx, own, x, before = { gx }, { own }, { x }, { before }
      end
      numbers.same(gx[1], own[1], 1e-14)
      numbers.same(before[1], x[1])
      numbers.same(wanted, g)
   end

   it('leaves alone what is expanded, where several elements are one in memory', function()
      local x = torch.Tensor { { -0.5 }, { 0.2 } }:expand(2, 3)
      local g = torch.Tensor { { 0.7, -1.5, 2 } }:expand(2, 3)
      for _, layers in ipairs(pairs_of_layers()) do
         check(layers[2], layers[1], x, g)
      end
      check(nn.CAddTable(), nn.CAddTable(true), { x, torch.rand(2, 3) }, g)
   end)

   it('behind nn.Replicate, whose output is expanded, sees each element once', function()
      local x = torch.Tensor { -1, 2 }
      local net = nn.Sequential():add(nn.Replicate(3)):add(nn.LeakyReLU(0.5, true))
      numbers.equal({ { -0.5, 2 }, { -0.5, 2 }, { -0.5, 2 } }, net:forward(x))
      numbers.equal({ 1.5, 3 }, net:backward(x, torch.ones(3, 2)))
   end)
end)
