--- y = c x, element by element.
--
-- In place, `backward` divides the input by c, which then is as it was before `forward`.
-- @classmod nn.MulConstant
-- @example nn.MulConstant(10):forward(torch.Tensor { 1, 2 }) --> { 10, 20 }

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

function MulConstant:__computeGradInput(gx, x, g)
   gx:resizeAs(g):mul(g, self.constant_scalar)
   if self.inplace and self.constant_scalar ~= 0 and self.output.store == x.store then
      x:div(self.constant_scalar)
   end
   return gx
end
