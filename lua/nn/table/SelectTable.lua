--- One entry of a table: a tensor, or a table again.
--
-- The gradients by the other entries are zeros.
-- @classmod nn.SelectTable
-- @example nn.SelectTable(-1):forward { torch.ones(2), torch.zeros(3) } --> { 0, 0, 0 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local SelectTable = nn.declare('nn.SelectTable', 'nn.Routing', {
   arguments = 'index  any  of the entry: a number, counted from the end if negative, or a key',
   text = '({index})',
})

function SelectTable:__initialize()
   self.output, self.gradInput = torch.Tensor(), {}
end

-- The key of the entry in this input.
local function place(self, x)
   local i = self.index
   if torch.type(x) ~= 'table' then
      check.fail(self, 'input is %s, expected a table', check.describe(x))
   elseif type(i) == 'number' and i < 0 then
      i = #x + i + 1
   end
   if x[i] == nil then
      check.fail(self, 'input is %s, expected a table with an entry %s', check.list(x),
         tostring(self.index))
   end
   return i
end

function SelectTable:__computeOutput(_, x)
   return x[place(self, x)]
end

function SelectTable:__computeGradInput(gx, x, g)
   local i = place(self, x)
   gx = nested.zeros(gx, x)
   gx[i] = nn.utils.recursiveCopy(gx[i], g)
   return gx
end
