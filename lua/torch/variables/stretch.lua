--- Variables of one element where a plain tensor would have given a number: `x / x:sum()`.
-- @module torch.variables.stretch
local types = require 'torch.types'

local function is_single(t)
   return t.ndim == 1 and t.sizes[0] == 1
end

-- s in the sizes of t.
local function stretched(s, t)
   local ones = {}
   for d = 1, t.ndim do
      ones[d] = 1
   end
   return s:view(unpack(ones)):expandAs(t)
end

--- Two operands of which one is a Variable of one element, both in the sizes of the other.
-- @return the operands, or nil where neither stands for a number
return function(a, b)
   if not types.variables or a.ndim == 0 or b.ndim == 0 then
      return nil
   elseif is_single(a) and a.flags ~= 0 then
      return is_single(b) and a or stretched(a, b), b
   elseif is_single(b) and b.flags ~= 0 then
      return a, is_single(a) and b or stretched(b, a)
   end
end
