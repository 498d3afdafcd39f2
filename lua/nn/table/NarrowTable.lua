--- Some entries of a table, in a row: the output is a table of them.
--
-- The gradients by the other entries are zeros.
-- @classmod nn.NarrowTable
-- @example #nn.NarrowTable(2, 3):forward(torch.ones(5, 2):split(1)) --> 3

local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local NarrowTable = nn.declare('nn.NarrowTable', 'nn.Routing', {
   arguments = [[
      offset  size      the first entry
      length  size = 1  how many
   ]],
})

function NarrowTable:__computeOutput(_, x)
   check.entries(self, x, 'input', self.offset + self.length - 1, 'or more entries')
   local y = {}
   for i = 1, self.length do
      y[i] = x[self.offset + i - 1]
   end
   return y
end

function NarrowTable:__computeGradInput(gx, x, g)
   check.entries(self, x, 'input', self.offset + self.length - 1, 'or more entries')
   check.entries(self, g, 'gradOutput', self.length, 'entries')
   gx = nested.zeros(gx, x)
   for i = 1, self.length do
      local k = self.offset + i - 1
      gx[k] = nn.utils.recursiveCopy(gx[k], g[i])
   end
   return gx
end
