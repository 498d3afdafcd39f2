--- y = x + c, element by element, with a number c, or a tensor of the size of x or of its samples.
--
-- In place, `backward` takes c off the input again, which then is as it was before `forward`.
-- @classmod nn.AddConstant
-- @example nn.AddConstant(10):forward(torch.Tensor { 1, 2 }) --> { 11, 12 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local repeated = require 'nn.base.repeated'

local AddConstant = nn.declare('nn.AddConstant', {
   arguments = [[
      constant_scalar  any              c
      inplace          boolean = false  write over the input (and share gradOutput)
   ]],
})

function AddConstant:__initialize(constant)
   if type(constant) ~= 'number' and not torch.isTensor(constant) then
      check.fail(self, 'constant_scalar is %s, expected a number or a tensor',
         check.given(constant))
   end
end

-- c for an input.
local function constant(self, x)
   local c = self.constant_scalar
   return type(c) == 'number' and c or repeated.over(self, c, x):expandAs(x)
end

function AddConstant:__computeOutput(y, x)
   return y:resizeAs(x):add(x, constant(self, x))
end

function AddConstant:__computeGradInput(gx, x, g)
   if self.inplace then
      local c = constant(self, x)
      if self.output.store ~= x.store then -- forward has left an expanded input alone
         return gx
      elseif type(c) == 'number' then
         x:add(-c)
      else
         x:add(-1, c)
      end
      return gx
   end
   return gx:resizeAs(g):copy(g)
end
