--- Something that is not what a line takes it for: a number that is called upon as a tensor, a
-- function that was not called.
-- @module trepl.failure.values
local class = require 'torch.class'
local expression = require 'trepl.expression'

local M = {}

local NUMBERS = 'x:sum(), x:max() and x[i] of a vector are numbers'

local function is_method(name)
   return class.getmetatable('torch.DoubleTensor')[name] ~= nil
end

-- loss:backward(), x:sum():sqrt()
local function on_number(name, line)
   local what = name or 'what stands before it'
   local owner = name and '%f[%w_]' .. name or '[%])]'
   local first
   for method in line:gmatch(owner .. '%s*[:.]%s*([%a_][%w_]*)') do
      if method == 'backward' then -- what a chain ends with is what failed
         return what .. ' is a number, which knows nothing of its origin: net:backward(x, '
            .. 'criterion:backward(net.output, target)); or compute it of x:requiresGrad(), and it '
            .. 'is a tensor'
      elseif method == 'item' then
         return what .. ' is a number by itself'
      end
      first = first or is_method(method) and method
   end
   return first and ('%s is a number, and %s is of tensors: %s'):format(what, first, NUMBERS) or nil
end

-- x.data:size(), x.nElement + 1, #net.parameters
local function on_function(kind, name)
   if kind == 'field' then
      return ('%s is a function, which has to be called, with a colon if it is a method: x:%s()')
         :format(name, name)
   elseif kind == 'method' then
      return nil
   end
   return ('%s is a function: %s(...) calls it'):format(name, name)
end

--- What to say of a message such as "attempt to index global 'loss' (a number value)".
-- @string message
-- @string line of source that it blames; may be nil
-- @param lookup function(name): the value of a variable there; may be nil
-- @return sentence, or nil
function M.about(message, line, lookup)
   local walked = line and lookup and line:match '^%s*for%s.-%sin%s+([%a_][%w_.]*)%s+do%f[^%w_]'
   if walked and class.isTypeOf(expression.value(walked, lookup), 'nn.Container') then
      return ('for i, layer in ipairs(%s.modules) do ... end goes through the layers'):format(
         walked)
   end
   local kind, name, of = message:match "attempt to %a+ [%a ]-(%a+) '([%w_]+)' %(a (%a+) value%)"
   if of == 'number' and line and message:find 'attempt to index' then
      local known = lookup and kind ~= 'field' and type(lookup(name)) ~= 'number'
      return not known and on_number(name, line) or nil -- the name is a library's
   elseif of == 'string' and message:find 'attempt to index' then
      return ('%s is a text, which has no fields and stays as it is: s:sub(i, i) is a letter of it')
         :format(name)
   elseif of == 'function' then
      return on_function(kind, name)
   elseif line and message:find 'attempt to index a number value' then
      return on_number(nil, line) or line:find '%]%s*[%[.:]'
         and 'an element is a number, and has no elements or fields' or nil
   elseif line and message:find 'Tensor cannot be called' and line:find '[.:]T%s*%(' then
      return 'x.T is a tensor by itself, as x:t() is'
   elseif line and message:find 'attempt to index a boolean value' and line:find '[=~<>]=?' then
      return 'Lua compares tensors as wholes: x:eq(y), x:gt(y) compare each element'
   elseif line and message:find 'attempt to call a number value' and line:find '%f[%w]for%s.*%sin%s'
      then
      return 'for i = 1, n do ... end counts'
   elseif line and message:find 'attempt to call .*a table value'
      and line:find '%f[%w]for%s.*%sin%s' then
      return 'for i, v in ipairs(list) do ... end goes through a list, pairs through any table'
   end
end

return M
