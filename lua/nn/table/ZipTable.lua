--- Rows as columns: { { a1, a2 }, { b1, b2 } } becomes { { a1, b1 }, { a2, b2 } }.
-- @classmod nn.ZipTable
-- @usage nn.ZipTable():forward { { a1, a2 }, { b1, b2 } } -- { { a1, b1 }, { a2, b2 } }
-- @example
-- local x = nn.ZipTable():forward { { torch.Tensor { 1 }, 2 }, { torch.Tensor { 3 }, 4 } }
-- x[2] --> { 2, 4 }

local nn = require 'nn'
local check = require 'nn.check'

local ZipTable = nn.declare('nn.ZipTable', 'nn.Routing', {})

local function zip(self, rows, name)
   check.entries(self, rows, name, 1, 'table or more')
   check.entries(self, rows[1], name .. ' 1', 0)
   local columns = {}
   for k = 1, #rows[1] do
      columns[k] = {}
   end
   for i = 1, #rows do
      check.entries(self, rows[i], ('%s %d'):format(name, i), #columns, 'entries')
      for k = 1, #columns do
         columns[k][i] = rows[i][k]
      end
   end
   return columns
end

function ZipTable:__computeOutput(_, x)
   return zip(self, x, 'input')
end

function ZipTable:__computeGradInput(_, _, g)
   return zip(self, g, 'gradOutput')
end
