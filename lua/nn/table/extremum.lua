--- Table layers that take at each place the largest, or the smallest, of the tensors' elements.
-- @module nn.table.extremum

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

--- Make such a layer.
-- @string name the class
-- @string choose the operation on two tensors: 'cmax' or 'cmin'
-- @return the class
return function(name, choose)
   local Layer = nn.declare(name, 'nn.CTable', {})

   function Layer.__fold(_, y, x)
      y[choose](y, x)
   end

   -- Within a record that is differentiated itself: what is compared stays.
   function Layer.__recorded(_, x)
      local y = x[1]
      for i = 2, #x do
         y = torch[choose](y, x[i])
      end
      return y
   end

   -- Each element of g goes to the first tensor that has the output's: what is left of it is kept
   -- in the gradient by the last tensor, which gets the rest.
   function Layer:__computeGradInput(gx, x, g)
      check.count(self, g, x[1], 'gradOutput')
      for i = 1, #x do
         gx[i] = (gx[i] or g.new()):resizeAs(x[i])
      end
      local left = gx[#x]:copy(g)
      for i = 1, #x - 1 do
         gx[i]:eq(x[i], self.output):cmul(left)
         left:add(-1, gx[i])
      end
      return nested.truncate(gx, #x)
   end

   return Layer
end
