--- Arguments that an operation refuses: numbers that came as text, or an error.
--
-- Torch7 takes a string such as '3' for a number wherever it wants one: the fields of a line of
-- text, as `line:split(',')` gives them, can be stored, added and used as sizes. An operation
-- tests for numbers alone (`type(x) == 'number'`), so those cost nothing; what it refuses comes
-- here. @module torch.arguments
local errors = require 'torch.errors'

local floor, ceil = math.floor, math.ceil

local M = {}

--- The number that a string stands for; nil for anything else.
local function numeric(x)
   return type(x) == 'string' and tonumber(x) or nil
end
M.numeric = numeric

--- A position, size or count without its fraction, as Torch7 made a C long of it: 2.9 is 2, -1.9 is
-- -1. Bounds are compared with what comes out.
function M.cut(x)
   return x < 0 and ceil(x) or floor(x)
end

--- Name of a value's type as messages show it: DoubleTensor, number, nil.
local function describe(value)
   local name = require('torch.class').type(value)
   return (name:gsub('^torch%.', ''))
end

--- Raise "invalid arguments" with what came and what is possible.
-- @param name string: the operation
-- @param forms string: the possible forms, T standing for the tensor's own type
-- @param count number of values that follow
function M.badArguments(name, forms, count, ...)
   local got, own = {}, 'Tensor'
   for i = 1, count do
      got[i] = describe((select(i, ...)))
      if own == 'Tensor' and got[i]:match('Tensor$') then
         own = got[i]
      end
   end
   while #got > 0 and got[#got] == 'nil' do
      got[#got] = nil
   end
   errors.raise(('%s: invalid arguments: %s\nexpected arguments: %s'):format(
      name, #got > 0 and table.concat(got, ' ') or 'none', (forms:gsub('%f[%w]T%f[%W]', own))))
end

--- Raise where the tensor or storage is missing that a method is of, as in x.numel() for
-- x:numel(), or torch.numel(y) of a y that is nil: as NULL the core would read it.
-- Nothing but nil needs this test: the FFI refuses what is no tensor.
-- @param name string: the operation
-- @param own what the method is of
-- @param[opt] forms string, as badArguments takes them
function M.need(name, own, forms)
   if not own then
      M.badArguments(name, forms or 'T', 0)
   end
end

-- With a Variable of one element in a number's place; nothing while there are no Variables.
local function instead(f, name, count, ...)
   if require('torch.types').variables then
      local n = count
      while n > 0 and (select(n, ...)) == nil do
         n = n - 1
      end
      return require('torch.variables.numbers').instead(f, name, n, ...)
   end
end

--- Call f again with numbers where strings stand for such, or Variables of one element
-- (torch.variables.numbers); without any, raise as badArguments does.
-- An operation ends with it in place of a result:
--
--     return withNumbers(T.fill, 'fill', '*T* number', 2, r, value)
--
-- @param f the function that refused the values, to be called with all of them
-- @return what f returns
function M.withNumbers(f, name, forms, count, ...)
   local values, found = { ... }, false
   for i = 1, count do
      local x = numeric(values[i])
      if x then
         values[i], found = x, true
      end
   end
   if not found then
      local result = instead(f, name, count, ...)
      if result then
         return result
      end
      M.badArguments(name, forms, count, ...)
   end
   return f(unpack(values, 1, count))
end

-- Never compiled: the compiler makes side traces of each call with text until a program's budget of
-- them is spent, and leaves them again at once (30 us a call instead of 1).
jit.off(M.withNumbers, true)
jit.off(instead, true)

return M
