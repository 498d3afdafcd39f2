--- Several lines at once, as they are pasted from a page: statements, and expressions whose values
-- are to be shown, which Lua has not among statements.
--
-- The lines become one chunk, so that a `local` lives to their end and errors have their line.
-- @module trepl.block
local compile = require 'trepl.compile'

local M = {}

local SHOW = 'show__' -- the chunk's name for the function that shows values

-- Whether a line goes on with the expression above it, which may be complete without it.
local function goes_on(line)
   return line:find '^%s*[:.,+*/%%^<>~%)%]}]' or line:find '^%s*==' or line:find '^%s*%-[^%-]'
      or line:find '^%s*and%f[^%w_]' or line:find '^%s*or%f[^%w_]'
end

local function is_empty(line)
   return line:find '^%s*$' or line:find '^%s*%-%-[^%[]' or line:find '^%s*%-%-$'
end

-- The fewest lines from `first` that are an expression or a statement.
-- @return the last of them, and their compiled form as trepl.compile has it; nil and a message
local function piece(lines, first)
   local text = ('\n'):rep(first - 1) .. lines[first]
   for last = first, #lines do
      local chunk, silent, incomplete, is_expression = compile.compile(text)
      local more = lines[last + 1]
      if chunk and not (more and goes_on(more)) then
         return last, silent, is_expression
      elseif not chunk and not (incomplete or more and goes_on(more)) then
         return nil, silent -- the message
      end
      text = text .. '\n' .. (more or '')
   end
   return nil, select(2, compile.compile(text))
end

--- @param source string: some lines
-- @return whether they want to be taken one by one: some are followed by `-->`, as pages show
-- what an expression gives
function M.is_shown(source)
   return source:find('\n', 1, true) and source:find('-->', 1, true)
end

--- @param source string
-- @return a function of show(text, values...), which is called with each expression's; or nil and
-- the message of what is wrong
function M.compile(source)
   local lines = {}
   for line in (source .. '\n'):gmatch '([^\n]*)\n' do
      lines[#lines + 1] = line
   end
   local out, first = {}, 1
   while first <= #lines do
      local last, silent, is_expression = first, nil, false
      if not is_empty(lines[first]) then
         last, silent, is_expression = piece(lines, first)
         if not last then
            return nil, silent
         end
      end
      local text = table.concat(lines, '\n', first, last)
      if is_expression then
         local _, code = compile.asked(text)
         -- The bracket is in the next line, for a comment may end this one.
         text = ('%s(%q, %s, %s\n)'):format(SHOW, text:match '^[^\n]*', tostring(silent), code)
      end
      out[#out + 1] = { text = text, breaks = is_expression }
      first = last + 1
   end
   local parts = { 'local ' .. SHOW .. ' = ...; ' }
   for i, one in ipairs(out) do
      parts[#parts + 1] = one.text
      parts[#parts + 1] = one.breaks and '; ' or i < #out and '\n' or ''
   end
   return loadstring(table.concat(parts), '=stdin')
end

return M
