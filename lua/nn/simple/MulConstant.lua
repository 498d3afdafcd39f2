--- y = c x, element by element.
-- @classmod nn.MulConstant

local nn = require 'nn'

local MulConstant = nn.declare('nn.MulConstant', {
   arguments = [[
      constant_scalar  number           c
      inplace          boolean = false  write over the input (and over gradOutput)
   ]],
})

function MulConstant:__computeOutput(y, x)
   return y:resizeAs(x):mul(x, self.constant_scalar)
end

function MulConstant:__computeGradInput(gx, _, g)
   return gx:resizeAs(g):mul(g, self.constant_scalar)
end
