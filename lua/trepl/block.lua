--- Several lines at once, as they are pasted from a page: statements, and expressions whose values
-- are to be shown, which Lua has not among statements.
--
-- The lines become one chunk, so that a `local` lives to their end and errors have their line.
-- @module trepl.block
local compile = require 'trepl.compile'

local M = {}

local SHOW = 'show__' -- the chunk's name for the function that shows values

local function set(text)
   local names = {}
   for name in text:gmatch '%S+' do
      names[name] = true
   end
   return names
end

-- `then` of an elseif opens what the elseif has closed.
local OPENS, CLOSES = set '( [ { function do then repeat', set ') ] } end until'
-- What something has to follow, and what has to follow something.
local LEADS = set [[+ - * / % ^ # == ~= <= >= < > = ( { [ , : . .. and or not local in until
   function goto]]
local FOLLOWS = set '+ - * / % ^ == ~= <= >= < > , : . .. ) ] } and or'
local SYMBOLS = { '^%.%.%.', '^%.%.', '^::', '^[=~<>]=', '^.' }

-- The end of the long bracket that begins at `at`; nil where there is none.
local function long_bracket(source, at)
   local level = source:match('^%[(=*)%[', at)
   if level then
      local _, last = source:find(']' .. level .. ']', at, true)
      return last or #source
   end
end

local function quoted(source, at)
   local quote, last = source:sub(at, at), at + 1
   while last <= #source do
      local c = source:sub(last, last)
      if c == quote or c == '\n' then
         return last
      end
      last = last + (c == '\\' and 2 or 1)
   end
   return #source
end

-- The first token from `at`, comments and white space apart.
-- @return its text, first and last place; nil at the end
local function token(source, at)
   while true do
      at = source:find('%S', at)
      if not at then
         return nil
      elseif source:find('^%-%-', at) then
         at = (long_bracket(source, at + 2) or (source:find('\n', at, true) or #source)) + 1
      else
         break
      end
   end
   local last = long_bracket(source, at)
   if last or source:find('^["\']', at) then
      return 'text', at, last or quoted(source, at)
   end
   local word = source:match('^[%w_]+', at)
   if word then
      return word, at, at + #word - 1
   end
   for _, pattern in ipairs(SYMBOLS) do
      local _, found = source:find(pattern, at)
      if found then
         return source:sub(at, found), at, found
      end
   end
end

-- Where a line begins something new that nothing before it waits for.
-- @return list of places, and whether something is waited for at the end
local function beginnings(source)
   local places, depth, before = { 1 }, 0, nil
   local text, first, last = token(source, 1)
   local ended = 0
   while text do
      if before and depth <= 0 and not LEADS[before] and not FOLLOWS[text]
         and source:sub(ended + 1, first - 1):find('\n', 1, true) then
         places[#places + 1] = first
      end
      depth = depth + (OPENS[text] and 1 or (CLOSES[text] or text == 'elseif') and -1 or 0)
      before, ended = text, last
      text, first, last = token(source, last + 1)
   end
   return places, depth > 0 or LEADS[before] ~= nil
end

--- @param source string: some lines
-- @return whether they want to be taken one by one: some are followed by `-->`, as pages show
-- what an expression gives
function M.is_shown(source)
   return source:find('\n', 1, true) and source:find('-->', 1, true)
end

--- What was typed in a session that a page shows: behind each prompt `th> `, and `..> ` where it
-- goes on; what is among it are results.
-- @param text string
-- @return list of texts; nil where it is no session
function M.typed(text)
   if not text:find '^%s*th> ' then
      return nil
   end
   local list = {}
   for line in (text .. '\n'):gmatch '(.-)\n' do
      local typed, more = line:match '^%s*th> ?(.*)$', line:match '^%s*%.%.> ?(.*)$'
      if typed then
         list[#list + 1] = typed
      elseif more then
         list[#list] = list[#list] .. '\n' .. more
      end
   end
   return list
end

local function lines_of(text)
   return select(2, text:gsub('\n', ''))
end

-- A statement as it is; an expression as a call of `show`.
local function shown(text)
   local _, silent, _, is_expression = compile.compile(text)
   if not is_expression then
      return text
   end
   local _, code = compile.asked(text)
   local lost = ('\n'):rep(lines_of(text) - lines_of(code))
   return ('%s(%q, %s, %s%s); '):format(SHOW, text:match '^%s*([^\n]*)', tostring(silent), code,
      lost)
end

--- @param source string
-- @param last boolean: Lua takes all of it for statements; of the expressions among them, calls,
-- the one at the end is to be shown
-- @return a function of show(text, values...), which is called with each expression's; or nil,
-- the message of what is wrong, and whether more lines could mend it
function M.compile(source, last)
   source = source .. '\n'
   local places, waits = beginnings(source)
   local parts = { 'local ' .. SHOW .. ' = ...; ' }
   for i, place in ipairs(places) do
      local text = source:sub(place, (places[i + 1] or #source + 1) - 1)
      -- What is no statement by itself belongs to the line above: `x = f`, then `{ 1 }`.
      local is_part = last and (i < #places or not loadstring(text))
      parts[i + 1] = is_part and text or shown(text)
   end
   local chunk, message = loadstring(table.concat(parts), '=stdin')
   return chunk, message, not chunk and (waits or compile.is_incomplete(message, source))
end

return M
