--- JSON of lists of numbers: {"input": [numbers]} read straight into a row, for a list of numbers
-- is most of what a small net's request takes; and an output written.
--
-- Whole numbers below 2^53 and powers of ten up to 10^22 are doubles exactly, so one division or
-- product of them is rounded once, as it should be. Whatever is longer, or has another form, is for
-- a parser of all JSON.
-- Source: Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990, section 3.
local ffi = require 'ffi'

local numbers = {}

local bytes = ffi.typeof 'const uint8_t *'
local EXACT, LARGEST = 2 ^ 53, 22
local POWERS = {}
for k = 0, LARGEST do
   POWERS[k] = 10 ^ k
end

-- Digits from i on, behind those that m has already: eight in a row without a loop, for a loop
-- within that over the numbers is a trace of its own to LuaJIT, and twice the time.
local STEP = [[
   c = p[i]
   if c < 48 or c > 57 then return i, m end
   i, m = i + 1, m * 10 + (c - 48)
]]
local digits = assert(loadstring([[
return function(p, i, m)
   local c
   ]] .. STEP:rep(8) .. [[
   while p[i] >= 48 and p[i] <= 57 do
      i, m = i + 1, m * 10 + (p[i] - 48)
   end
   return i, m
end]], '=numbers'))()

local function past_spaces(p, i)
   while p[i] == 32 or p[i] == 10 or p[i] == 13 or p[i] == 9 do
      i = i + 1
   end
   return i
end

-- The exponent of ten behind a number's digits; nil where it has none though there is an e.
local function exponent(p, i)
   if p[i] ~= 101 and p[i] ~= 69 then -- e, E
      return i, 0
   end
   local sign = p[i + 1]
   local first = (sign == 45 or sign == 43) and i + 2 or i + 1
   local last, e = digits(p, first, 0)
   if last == first then
      return nil
   end
   return last, sign == 45 and -e or e
end

-- The number at i, and where it ends; nil where it is none, or not for us.
local function number(p, i)
   local negative = p[i] == 45
   i = negative and i + 1 or i
   local last, m = digits(p, i, 0)
   if last == i or p[i] == 48 and last > i + 1 then
      return nil
   end
   local behind = 0
   if p[last] == 46 then
      local first = last + 1
      last, m = digits(p, first, m)
      behind = last - first
      if behind == 0 then
         return nil
      end
   end
   local next, e = exponent(p, last)
   if not next or m >= EXACT then
      return nil
   end
   local power = e - behind
   if power < -LARGEST or power > LARGEST then
      return nil
   end
   local x = power < 0 and m / POWERS[-power] or m * POWERS[power]
   return next, negative and -x or x
end

--- Read a list of numbers into memory.
-- @string text
-- @tparam cdata into pointer to floats, or to another type of numbers
-- @int most how many have room there; what comes behind them is only counted
-- @treturn int how many numbers there are; nil where this is not such a text, or one with longer
-- numbers
function numbers.read(text, into, most)
   local first = text:match '^%s*{%s*"input"%s*:%s*%[()'
   if not first then
      return nil
   end
   local p, i, count = ffi.cast(bytes, text), first - 1, 0
   repeat
      local last, x = number(p, past_spaces(p, i))
      if not last then
         return nil
      end
      if count < most then
         into[count] = x
      end
      count = count + 1
      last = past_spaces(p, last)
      local separator = p[last]
      i = last + 1
   until separator ~= 44
   return p[i - 1] == 93 and text:find('^%s*}%s*$', i + 1) and count or nil
end

local written = {}

--- A list of floats as JSON, each with as many digits as tell it from the next float. Infinities
-- and NaN, which JSON has not, are null.
-- @tparam cdata from pointer to floats
-- @int count
-- @treturn string
function numbers.write(from, count)
   for i = 1, count do
      local x = from[i - 1]
      written[i] = x - x == 0 and ('%.9g'):format(x) or 'null'
   end
   return '[' .. table.concat(written, ',', 1, count) .. ']'
end

return numbers
