--- Functions written as text: each class and operation has its own, and LuaJIT compiles it apart
-- from the others.
-- @module nn.base.code

local M = {}

-- Text -> bytecode: many classes differ only in the values that one text is given, and bytecode is
-- read faster.
local known = {}

--- The name for the caller's texts: a file of the library, whose lines no error is blamed on, but
-- not the caller's own, where the line would be another.
function M.source()
   return (debug.getinfo(2, 'S').source:gsub('%.lua$', '/generated.lua'))
end

--- Run a text.
-- @string text Lua; `...` is the values
-- @string source the chunk's name, from `source`
-- @param ... values
-- @return what it returns: new functions each time
function M.run(text, source, ...)
   local f = assert(loadstring(known[text] or text, source))
   known[text] = known[text] or string.dump(f)
   return f(...)
end

return M
