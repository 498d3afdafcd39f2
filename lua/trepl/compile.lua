--- What is typed at the prompt, compiled: an expression where it is one, statements otherwise.
-- @module trepl.compile
local M = {}

local NAME = '=stdin'

--- Whether more lines could mend what a message of the compiler says of a source.
function M.is_incomplete(message, source)
   if message:find ': unfinished string near' then
      return source:sub(-1) == '\\' -- only so does a string go on
   end
   if source:find '[:.]%s*$'
      and require('trepl.failure.syntax').begins_block(source:match '[^\n]*$') then
      return false -- `for i in range(3):` would wait for its end
   end
   return message:find "near '<eof>'$" ~= nil
end

-- A semicolon at the end, comments after it apart, asks for silence.
local function quiet(source)
   local code = source:gsub('%s+$', '')
   local line = code:match '[^\n]*$'
   if line:find('--', 1, true) and not line:find '["\']' then
      code = code:gsub('%s*%-%-[^\n]*$', '')
   end
   if code:sub(-1) == ';' then
      return true, code:gsub('[;%s]+$', '')
   end
   return false, source
end

--- An expression as it may be typed: after `=` or `return`, with a semicolon after it.
-- @return whether its values are not to be shown, and the expression itself
function M.asked(source)
   local silent, code = quiet(source)
   return silent, (code:gsub('^%s*=', ''):gsub('^%s*return%f[^%w_]', ''))
end

--- @param source string
-- @return chunk, whether its values are not to be shown, false, and whether it is an expression;
-- or nil, message, and whether more lines could make it complete. What the chunk returns, after a
-- nil, are an expression's values.
function M.compile(source)
   local silent, asked = M.asked(source)
   -- With a value before it, a call is no tail call: its line stays in tracebacks.
   local expression, expression_error = loadstring('return nil, ' .. asked, NAME)
   if expression then
      return expression, silent, false, true
   end
   -- Lua skips a first line that begins with '#', which is right for a script's '#!' alone.
   local statement, statement_error = loadstring((source:gsub('^#[^!]', ' %0')), NAME)
   if statement then
      return statement, silent, false, false
   end
   local incomplete = M.is_incomplete(statement_error, source)
      or M.is_incomplete(expression_error, source)
   -- The error of what was meant: '= 1 +' is no statement.
   local wanted = source:find '^%s*=' or source:find '^%s*return%f[^%w_]'
   local message = wanted and expression_error or statement_error
   return nil, message, incomplete
end

return M
