--- A call as most are: tensors of one type and size that lie compactly, with code that is there.
-- What else there may be is for the general way, which also finds the words for what is wrong.
--
-- The function is written for the program's number of arguments: without lists of them LuaJIT
-- compiles a call, and ten floats take some tens of nanoseconds instead of a thousand.
-- @module torch.fuse.quick
local th = require 'torch.ffi'
local types = require 'torch.types'

local type = type -- torch puts its own in the global's place

local C = th.C

local M = {}

local TEXT = [[
local isTensor, like, run, general, DOUBLE, types, record, select, type = ...
return function(self, ...)
   local count = select('#', ...)
   local $results, $arguments
   if count == $both then
      $results, $arguments = ...
      if not ($given) then return general(self, ...) end
   elseif count == $least then
      $arguments = ...
   else
      return general(self, ...)
   end
   local number, float = 0, nil
$kinds
   if not float then return general(self, ...) end
   local plan = self.plans[number * 2 + (float.dtype == DOUBLE and 1 or 0)]
   if not plan or plan.busy then return general(self, ...) end
   plan.busy = true
   if count == $least then
$fresh
   end
   local operands, numbers, written, k = plan.operands, plan.numbers, plan.results, 0
   number = 0
$fill
   if run(plan.call) ~= 0 and (count ~= $least or not types.variables
      -- Arguments that are read behind it are not collected while it runs.
      or not record(self, plan) or not ($kept)) then
      plan.busy = false
      return general(self, ...)
   end
   plan.busy = false
   return $results
end]]

-- The call of Variables.
local function record(self, plan)
   return require('torch.fuse.variables').record(self, plan)
end

--- A line for each of 1 to n.
-- @param line string with $i and, from 0, $k in it; or function(i)
function M.each(n, line, separator)
   local list = {}
   for i = 1, n do
      list[i] = type(line) == 'function' and line(i)
         or line:gsub('%$(%l)', { i = i, k = i - 1 })
   end
   return table.concat(list, separator or '\n')
end

--- A function(self, ...) for programs of so many arguments and results. The object has `plans`:
-- number of the way -> call (TH_LoopCall) and the arrays that it names: results, operands, numbers.
-- @param arguments, results how many
-- @param general function(self, ...) for all other calls. A hook of the script's may make one while
-- the plan is filled: it is busy then, and stays so if an error ends its call.
function M.make(arguments, results, general)
   local text = TEXT:gsub('%$(%l+)', {
      results = M.each(results, 'y$i', ', '), arguments = M.each(arguments, 'x$i', ', '),
      kept = M.each(arguments, 'x$i', ' and '), both = arguments + results, least = arguments,
      given = M.each(results, 'isTensor(y$i)', ' and '),
      kinds = M.each(arguments, [[
   number = number * 2
   if type(x$i) == 'number' then number = number + 1
   elseif isTensor(x$i) then float = float or x$i
   else return general(self, ...) end]]),
      fresh = M.each(results, '      y$i = like(float)'),
      fill = M.each(results, '   written[$k] = y$i') .. '\n' .. M.each(arguments, [[
   if type(x$i) == 'number' then numbers[number], number = x$i, number + 1
   else operands[k], k = x$i, k + 1 end]]),
   })
   return assert(loadstring(text, debug.getinfo(1, 'S').source))(th.isTensor, th.like,
      C.TH_runPlainLoop, general, C.TH_DOUBLE, types, record, select, type)
end

return M
