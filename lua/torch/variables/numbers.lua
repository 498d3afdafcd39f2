--- Variables of one element where functions take numbers: `torch.div(x, x:norm())`.
--
-- Reductions give numbers of plain tensors, and Variables of one element of Variables, so that
-- gradients go through. A function that wants a number ends here: it is the function of two
-- tensors, with that element everywhere.
-- @module torch.variables.numbers
local th = require 'torch.ffi'
local tracked = require('torch.variables.tracked').tracked

local C, isTensor = th.C, th.isTensor

local M = {}

local function isNumber(x)
   return isTensor(x) and x.flags ~= 0 and C.TH_nElement(x) == 1 and tracked(x)
end

-- The one element of v in every element of x's sizes.
local function everywhere(v, x)
   local ones = x:size()
   for d = 1, #ones do
      ones[d] = 1
   end
   return v:view(ones):expandAs(x)
end

local function either(v, x)
   return isTensor(v) and everywhere(v, x) or v
end

-- name -> what gives the result of the operands, without the one that it goes to.
local RESULTS = {}

for name, other in pairs {
   mul = 'cmul', div = 'cdiv', fmod = 'cfmod', remainder = 'cremainder',
} do
   RESULTS[name] = function(torch, x, v)
      return isNumber(v) and torch[other](x, everywhere(v, x))
   end
end

function RESULTS.pow(torch, x, y)
   if isNumber(y) then
      return torch.cpow(x, everywhere(y, x))
   end
   return isNumber(x) and isTensor(y) and torch.cpow(everywhere(x, y), y)
end

function RESULTS.clamp(torch, x, low, high)
   if not (isNumber(low) or isNumber(high)) then
      return nil
   end
   x = low and torch.cmax(x, either(low, x)) or x
   return high and torch.cmin(x, either(high, x)) or x
end

function RESULTS.lerp(torch, x, y, v)
   return isTensor(y) and isNumber(v) and x + torch.cmul(y - x, everywhere(v, x))
end

function RESULTS.fill(_, x, v)
   return isNumber(v) and everywhere(v, x)
end

local OPERANDS = { clamp = 3, lerp = 3 } -- of others 2

--- The result of a function that refused its arguments, where a Variable stands for a number.
-- @param f the function
-- @param name its name
-- @param n how many arguments
-- @return tensor, or nil where there is nothing to be done
function M.instead(f, name, n, ...)
   local result = RESULTS[name]
   if not result or not isTensor((...)) then
      return nil
   end
   local torch = require 'torch'
   local isMethod = torch[name] ~= f or name == 'fill'
   local wanted = OPERANDS[name] or 2
   local r, found = (...), nil
   if n == wanted + 1 then
      found = result(torch, select(2, ...))
   elseif n == wanted and name ~= 'lerp' then -- which brings its result along
      r = isMethod and r or nil
      -- In place: what the derivative reads must stay.
      found = result(torch, r and r:clone() or (...), select(2, ...))
   end
   if not found or not r then
      return found or nil
   end
   return (C.TH_isSameSize(r, found) and r or r:resizeAs(found)):copy(found)
end

return M
