--- The i-th module gets the i-th entry of the input; the output is the table of their outputs.
-- @classmod nn.ParallelTable
-- @usage nn.ParallelTable():add(nn.Linear(2, 5)):add(nn.Tanh()):forward { x, y }
-- @example
-- local net = nn.ParallelTable():add(nn.Square()):add(nn.Abs())
-- net:forward { torch.Tensor { 2 }, torch.Tensor { -3 } }[2] --> { 3 }

local nn = require 'nn'
local check = require 'nn.check'

local ParallelTable = nn.declare('nn.ParallelTable', 'nn.Branches', {})

function ParallelTable:__initialize()
   self.output, self.gradInput = {}, {}
end

function ParallelTable:__inputOf(input, i)
   if type(input) ~= 'table' or input[i] == nil then
      check.fail(self, 'input is %s, expected a table with an entry for each of %d modules',
         type(input) == 'table' and ('a table of %d'):format(#input) or check.describe(input),
         #self.modules)
   end
   return input[i]
end
