--- Calls whose errors come back as text.

local failure -- the package, read when something fails

local M = {}

local function pack(...)
   return { n = select('#', ...), ... }
end

local function describe(err)
   failure = failure or require 'trepl.failure'
   return failure.describe(err, M.traced)
end

--- Call f(...).
-- @return true and the results as a table with their number in n; or false and the error's text
-- with the user's line and calls, nil for the error nil
function M.traced(f, ...)
   local results = pack(xpcall(f, describe, ...))
   if not results[1] then
      -- LuaJIT's words where the stack has no room for a handler either.
      local full = results[2] == 'error in error handling'
      return false, full and 'stack overflow (with no room left to say where)' or results[2]
   end
   return true, { n = results.n - 1, unpack(results, 2, results.n) }
end

--- Load packages for their globals, as `th` does before any user code runs. One that is not
-- installed is skipped. One that fails to load says why on stderr and ends the list (the next ones
-- need it); the user's code runs anyway.
function M.preload(...)
   for i = 1, select('#', ...) do
      local name = select(i, ...)
      local ok, err = pcall(require, name)
      if not ok and not err:find("module '" .. name .. "' not found", 1, true) then
         local remedy = require('torch.doctor.debian').remedy(err)
         io.stderr:write(('th: cannot load %s: %s\n(%sth --doctor says more)\n'):format(name, err,
            remedy and remedy .. '; ' or ''))
         package.loaded[name] = nil -- LuaJIT leaves a mark there
         return
      end
   end
end

return M
