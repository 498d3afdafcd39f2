--- The input with one more dimension, of size 1; a view.
-- @classmod nn.Unsqueeze
-- @example nn.Unsqueeze(2):forward(torch.Tensor(4, 3)):size() --> { 4, 1, 3 }

local nn = require 'nn'
local check = require 'nn.check'
local C = require('torch.ffi').C

local Unsqueeze = nn.declare('nn.Unsqueeze', 'nn.SameElements', {
   arguments = [[
      pos           integer  which dimension the new one shall be, in one sample
      numInputDims  integer? dimensions of one sample: those in front of them are the batch's
   ]],
   text = '(dim {pos})',
})

--- Say how many dimensions one sample has.
-- @int[opt] numInputDims
-- @return self
function Unsqueeze:setNumInputDims(numInputDims)
   self.numInputDims = numInputDims
   return self
end

--- Which dimension of the output is the new one.
-- @tparam Tensor input
function Unsqueeze:_getActualPosition(input)
   local before = self.numInputDims and input:dim() - self.numInputDims or 0
   local at = self.pos + before
   if before < 0 or at < 1 or at > input:dim() + 1 then
      check.fail(self, 'input is %s, expected %d dimensions or more', check.describe(input),
         self.numInputDims or self.pos - 1)
   end
   return at
end

function Unsqueeze:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   check.status(self, C.TH_unsqueeze(y, x, self:_getActualPosition(x) - 1))
   return y
end
