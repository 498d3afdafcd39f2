--- The checks a test makes (methods of torch.Tester).
--
-- Every check ends in `_assert_sub`, and returns what that returns: whether it held.
-- Where a check takes a tolerance and a message, they may come in either order.
-- @module torch.tester.asserts
local class = require 'torch.class'
local errors = require 'torch.errors'
local compare = require 'torch.tester.compare'

local M = {}

-- Default of the checks on numbers and tensors that are to be "almost" equal.
local TINY = 1e-16

local function join(message, detail)
   if message == nil or message == '' then
      return detail
   end
   return tostring(message) .. '\n' .. detail
end

-- The tolerance and message among two optional arguments.
local function options(default, ...)
   local tolerance, message
   for i = 1, 2 do
      local value = select(i, ...)
      if type(value) == 'number' and not tolerance then
         tolerance = value
      elseif value ~= nil then
         message = value
      end
   end
   return tolerance or default, message
end

local function checkNoMore(...)
   if select('#', ...) > 0 then
      errors.raise('Unexpected arguments: a check takes its values, then a message')
   end
end

--- Count a check that held or not; the message explains a failure.
function M:_assert_sub(condition, message)
   if condition then
      return self:_success()
   end
   return self:_failure(message)
end

--- Check a condition.
function M:assert(condition, message, ...)
   checkNoMore(...)
   if type(condition) ~= 'boolean' then
      self:_warning(('assert should only be used for boolean conditions, got %s; use eq to '
         .. 'compare objects'):format(class.type(condition)))
   end
   return self:_assert_sub(condition,
      join(message, ('BOOL violation: condition=%s'):format(tostring(condition))))
end

local function ordering(name, sign, holds)
   M[name] = function(self, a, b, message, ...)
      checkNoMore(...)
      return self:_assert_sub(holds(a, b), join(message,
         ('%s violation: val1=%s, val2=%s'):format(sign, tostring(a), tostring(b))))
   end
end

--- Order of two numbers: a < b, a > b, a <= b, a >= b, a == b (so two tensors are equal only when
-- they are the same object).
-- @function torch.Tester:assertlt
-- @function torch.Tester:assertgt
-- @function torch.Tester:assertle
-- @function torch.Tester:assertge
-- @function torch.Tester:asserteq
-- @param a number
-- @param b number
-- @string[opt] message what to say when it does not hold

ordering('assertlt', 'LT(<)', function(a, b) return a < b end)
ordering('assertgt', 'GT(>)', function(a, b) return a > b end)
ordering('assertle', 'LE(<=)', function(a, b) return a <= b end)
ordering('assertge', 'GE(>=)', function(a, b) return a >= b end)
ordering('asserteq', 'EQ(==)', function(a, b) return a == b end)

--- Check `a ~= b`.
function M:assertne(a, b, message, ...)
   checkNoMore(...)
   local kind = type(a) == type(b) and type(a)
   if kind == 'table' or kind == 'userdata' or kind == 'cdata' then
      self:_warning('assertne should only be used to compare basic lua objects (numbers, '
         .. 'booleans, etc); use ne to compare the contents of others')
   end
   return self:_assert_sub(a ~= b, join(message,
      ('NE(~=) violation: val1=%s, val2=%s'):format(tostring(a), tostring(b))))
end

--- Check |a - b| <= tolerance (1e-16).
function M:assertalmosteq(a, b, ...)
   local tolerance, message = options(TINY, ...)
   local difference = math.abs(a - b)
   return self:_assert_sub(a == b or difference <= tolerance, join(message,
      ('ALMOST_EQ(==) violation: val1=%s, val2=%s, diff=%s, tolerance=%s'):format(
         tostring(a), tostring(b), tostring(difference), tostring(tolerance))))
end

-- The outcome of a comparison, or of its contrary.
local function judge(self, equal, detail, negate, message)
   if negate then
      detail = ('NE(~=) violation: the two should differ (%s)'):format(
         equal and 'equal within the tolerance' or detail)
   end
   return self:_assert_sub(equal ~= negate, join(message, detail))
end

function M:_eqOrNeq(got, expected, negate, ...)
   local tolerance, message = options(0, ...)
   local equal, detail = compare.values(got, expected, tolerance)
   return judge(self, equal, detail, negate or false, message)
end

--- Check that two values have the same contents: numbers and elements within the tolerance (0),
-- tables recursively, other values by `==`.
function M:assertGeneralEq(got, expected, ...)
   return self:_eqOrNeq(got, expected, false, ...)
end

--- Check that two values do not have the same contents.
function M:assertGeneralNe(got, unexpected, ...)
   return self:_eqOrNeq(got, unexpected, true, ...)
end

--- Short for assertGeneralEq.
function M:eq(got, expected, ...)
   return self:assertGeneralEq(got, expected, ...)
end

--- Short for assertGeneralNe.
function M:ne(got, unexpected, ...)
   return self:assertGeneralNe(got, unexpected, ...)
end

function M:_assertTensorEqOrNeq(ta, tb, negate, ...)
   for position, tensor in ipairs { { ta, 'First' }, { tb, 'Second' } } do
      if not class.isTensor(tensor[1]) then
         errors.raise(('%s argument should be a Tensor, got %s (argument %d)'):format(
            tensor[2], class.type(tensor[1]), position))
      end
   end
   local tolerance, message = options(TINY, ...)
   local equal, detail, reshaped =
      compare.tensors(ta, tb, tolerance, self._assertTensorEqIgnoresDims)
   if equal and reshaped then
      self:_warning('the tensors have the same content but different dimensions; use eq to '
         .. 'compare the dimensions too')
   end
   return judge(self, equal, detail, negate or false, message)
end

--- Check max |ta - tb| <= tolerance (1e-16). Tensors of different types differ, and so do those
-- of different element counts; where only the dimensions differ, a warning is given.
function M:assertTensorEq(ta, tb, ...)
   return self:_assertTensorEqOrNeq(ta, tb, false, ...)
end

--- The contrary of assertTensorEq.
function M:assertTensorNe(ta, tb, ...)
   return self:_assertTensorEqOrNeq(ta, tb, true, ...)
end

function M:_assertTableEqOrNeq(ta, tb, negate, ...)
   if type(ta) ~= 'table' or type(tb) ~= 'table' then
      errors.raise(('%s argument should be a Table, got %s'):format(
         type(ta) == 'table' and 'Second' or 'First', class.type(type(ta) == 'table' and tb or ta)))
   end
   return self:_eqOrNeq(ta, tb, negate, ...)
end

--- Check that two tables have the same contents, recursively.
function M:assertTableEq(ta, tb, ...)
   return self:_assertTableEqOrNeq(ta, tb, false, ...)
end

--- The contrary of assertTableEq.
function M:assertTableNe(ta, tb, ...)
   return self:_assertTableEqOrNeq(ta, tb, true, ...)
end

-- A check on the error that f raises; `holds` gets whether f returned, and the error.
local function onError(self, f, message, detail, holds)
   if type(f) ~= 'function' then
      errors.raise('expected a function that may raise an error, got ' .. class.type(f))
   end
   local returned, raised = pcall(f)
   return self:_assert_sub(holds(returned, raised),
      join(message, ('ERROR violation: %s'):format(detail(returned, raised))))
end

local function describe(returned, raised)
   return returned and 'no error was raised' or 'err=' .. tostring(raised)
end

--- Check that f() raises an error.
function M:assertError(f, message)
   return onError(self, f, message, describe, function(returned)
      return not returned
   end)
end

--- Check that f() raises none.
function M:assertNoError(f, message)
   return onError(self, f, message, describe, function(returned)
      return returned
   end)
end

--- Check that f() raises exactly this message (with the position Lua puts before it, if any).
function M:assertErrorMsg(f, errmsg, message)
   return onError(self, f, message, function(...)
      return ('expected %s; %s'):format(tostring(errmsg), describe(...))
   end, function(returned, raised)
      return not returned and raised == errmsg
   end)
end

--- Check that f() raises an error in which string.find finds the pattern.
function M:assertErrorPattern(f, errPattern, message)
   return onError(self, f, message, function(...)
      return ('expected an error matching %s; %s'):format(tostring(errPattern), describe(...))
   end, function(returned, raised)
      return not returned and tostring(raised):find(errPattern) ~= nil
   end)
end

--- Check that f() raises an error value for which errcomp(value) is true.
function M:assertErrorObj(f, errcomp, message)
   return onError(self, f, message, function(...)
      return 'the error does not satisfy the comparison; ' .. describe(...)
   end, function(returned, raised)
      return not returned and errcomp(raised)
   end)
end

return M
