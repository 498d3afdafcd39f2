--- Specs of CUDA types: whether they can run here, and what a backend may still lack.
local M = {}

--- Simulated devices were asked for, or there is the library for real ones.
M.available = os.getenv 'THC_SIM_DEVICES' ~= nil
   or package.searchpath('libTHC', package.cpath) ~= nil

--- f(...), unless an operation it needs has no CUDA function.
-- @return true and f's results; or false and the operation's name
function M.try(f, ...)
   local results = { pcall(f, ...) }
   if results[1] then
      return unpack(results, 1, table.maxn(results))
   end
   local message = tostring(results[2])
   local operation = message:match '([%w_]+): there is no CUDA'
   if not operation then
      error(results[2], 0)
   end
   return false, operation
end

return M
