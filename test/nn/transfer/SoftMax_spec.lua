local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

-- By definition, over the given dimension, with plain Lua numbers.
local function reference(x, dim)
   local y = x:clone()
   local size = x:size(dim)
   local first = x:select(dim, 1)
   local total = first:clone():zero()
   for i = 1, size do
      local e = x:select(dim, i):clone():exp()
      y:select(dim, i):copy(e)
      total:add(e)
   end
   for i = 1, size do
      y:select(dim, i):cdiv(total)
   end
   return y
end

describe('nn.SoftMax and nn.LogSoftMax', function()
   local shapes = { { { 4, 5 }, 2 }, { { 3, 2, 2 }, 1 }, { { 2, 3, 2, 2 }, 2 } }

   for _, case in ipairs(shapes) do
      local shape, dim = torch.LongStorage(case[1]), case[2]
      it(('sum over dimension %d of %d'):format(dim, #case[1]), function()
         torch.manualSeed(4)
         local x = torch.randn(shape)
         numbers.same(reference(x, dim), nn.SoftMax():forward(x), 1e-14)
         numbers.same(reference(x, dim):log(), nn.LogSoftMax():forward(x), 1e-14)
      end)

      it(('have the gradients of central differences in %d dimensions'):format(#case[1]), function()
         gradcheck(nn.SoftMax(), torch.randn(shape))
         gradcheck(nn.LogSoftMax(), torch.randn(shape))
      end)
   end

   it('take one sample', function()
      numbers.equal({ 0.25, 0.75 }, nn.SoftMax():forward(torch.Tensor { 0, math.log(3) }), 1e-15)
      gradcheck(nn.SoftMax(), torch.randn(5))
      gradcheck(nn.LogSoftMax(), torch.randn(5))
   end)

   it('do not overflow', function()
      -- e^0 and log(1) by any library: a unit in the last place
      numbers.equal({ 0, 1 }, nn.SoftMax():forward(torch.Tensor { -1000, 1000 }), 1e-15)
      numbers.equal({ -2000, 0 }, nn.LogSoftMax():forward(torch.Tensor { -1000, 1000 }), 1e-12)
   end)

   it('refuse inputs of five dimensions', function()
      local _, err = pcall(function() nn.LogSoftMax():forward(torch.Tensor(1, 1, 1, 1, 1)) end)
      assert.matches('SoftMax_spec.*nn.LogSoftMax: input is 1x1x1x1x1, expected N x C or C or ',
         err)
      _, err = pcall(function() nn.SoftMax():forward(torch.Tensor()) end)
      assert.matches('nn.SoftMax: input is empty', err)
   end)
end)
