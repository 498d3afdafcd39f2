--- Calls whose errors come back as text with a traceback.

local M = {}

-- Our own frames lie below the xpcall and tell a user nothing.
local function without_our_frames(text)
   return text:match("^(.*)\n\t%[C%]: in function 'xpcall'") or text
end

local function describe(err)
   if type(err) == 'string' then
      return without_our_frames(debug.traceback(err, 2))
   end
   if err == nil then
      return nil -- error() without a message asks for silence, as with lua itself
   end
   local meta = getmetatable(err)
   if type(meta) == 'table' and meta.__tostring then
      return tostring(err)
   end
   return ('(the error is a %s, not a message)'):format(type(err))
end

local function pack(...)
   return { n = select('#', ...), ... }
end

--- Call f(...).
-- @return true and the results as a table with their number in n; or false and the error's text
-- with a traceback of the user's frames, nil for the error nil
function M.traced(f, ...)
   local results = pack(xpcall(f, describe, ...))
   if not results[1] then
      return false, results[2]
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
         io.stderr:write(('th: cannot load %s: %s\n'):format(name, err))
         return
      end
   end
end

return M
