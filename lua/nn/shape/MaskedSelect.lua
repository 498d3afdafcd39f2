--- The elements of a tensor where a mask has 1, as a vector: `{ x, mask }` gives
-- `x:maskedSelect(mask)`. The mask is a ByteTensor (CudaByteTensor) of x's size; its gradient is
-- zero.
-- @classmod nn.MaskedSelect
-- @example nn.MaskedSelect():forward { torch.Tensor { 5, 6 }, torch.ByteTensor { 0, 1 } } --> { 6 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local positions = require 'nn.base.positions'
local C = require('torch.ffi').C

local MaskedSelect = nn.declare('nn.MaskedSelect', { input = 'any' })

function MaskedSelect:__initialize()
   self.gradInput = { self.gradInput }
end

-- Torch7 makes the table with the first gradient.
function MaskedSelect:__upgrade(_)
   if torch.isTensor(self.gradInput) then
      self.gradInput = { self.gradInput }
   end
end

local function read(self, input)
   if type(input) ~= 'table' or #input ~= 2 then
      check.fail(self, 'input is %s, expected { tensor, ByteTensor }', check.describe(input))
   end
   local x, mask = input[1], input[2]
   check.any_tensor(self, x, 'input 1')
   if not check.suits(mask, C.TH_BYTE, x) then
      check.fail(self, 'the mask is %s, expected a ByteTensor beside the input',
         torch.isTensor(mask) and torch.typename(mask) or check.describe(mask))
   end
   check.count(self, mask, x, 'the mask')
   return x, mask
end

function MaskedSelect:__computeOutput(y, input)
   local x, mask = read(self, input)
   return ops.masked_select(self, check.buffer(y, x), x, mask)
end

function MaskedSelect:__computeGradInput(gradInput, input, g)
   local x, mask = read(self, input)
   check.tensor(self, x, g, 'gradOutput')
   gradInput[1] = ops.masked_copy(self, check.buffer(gradInput[1], x):resizeAs(x):zero(), mask, g)
   gradInput[2] = positions.gradient(self, gradInput[2], mask)
   return gradInput
end
