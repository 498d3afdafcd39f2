--- The sum of a table of tensors of one size.
-- @classmod nn.CAddTable

local nn = require 'nn'
local check = require 'nn.check'

local CAddTable = nn.declare('nn.CAddTable', {
   arguments = 'inplace  boolean = false  write over the first tensor (and share gradOutput)',
   input = 'table',
})

function CAddTable:__initialize()
   self.gradInput = {}
end

function CAddTable:__computeOutput(y, x)
   if self.inplace then
      y:set(x[1])
   else
      y:resizeAs(x[1]):copy(x[1])
   end
   for i = 2, #x do
      check.count(self, x[i], x[1], 'input', i)
      y:add(x[i])
   end
   return y
end

function CAddTable:__computeGradInput(gx, x, g)
   for i = 1, #x do
      local r = gx[i] or g.new()
      gx[i] = self.inplace and r:set(g) or r:resizeAs(x[i]):copy(g)
   end
   for i = #x + 1, #gx do
      gx[i] = nil
   end
   return gx
end
