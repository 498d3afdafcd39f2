--- y = x + c, element by element.
-- @classmod nn.AddConstant

local nn = require 'nn'

local AddConstant = nn.declare('nn.AddConstant', {
   arguments = [[
      constant_scalar  number           c
      inplace          boolean = false  write over the input
   ]],
})

function AddConstant:__computeOutput(y, x)
   return y:resizeAs(x):add(x, self.constant_scalar)
end

function AddConstant.__computeGradInput(_, gx, _, g)
   return gx:resizeAs(g):copy(g)
end
