--- What other languages write, in lines that do not compile.
-- @module trepl.failure.syntax
local abroad = require 'trepl.failure.abroad'
local rows = require 'trepl.failure.dialects'

local M = {}

-- What the compiler itself says well enough to know the cure.
local by_message = {
   { 'invalid escape sequence', 'a backslash in a text is "\\\\"; [[\\d]] takes it as it is' },
   { "'<eof>' expected near 'end'", 'there are more ends than blocks' },
   { 'unfinished string', 'a text ends on its line, with the quote that it begins with; [[ ... ]] '
      .. 'may have several lines' },
   { 'function arguments expected', 'behind a colon a method is called: x:size()' },
   { "'=' expected near '=='", 'a comparison is no statement: print(a == b)' },
   { "'}' expected", "a table's entries have commas between them, and } ends it" },
   { "'(' expected near", 'a function with a name is a statement: local function f(x) ... end' },
   { "'<name>' expected near '('", 'a function without a name is a value: f = function(x) '
      .. '... end' },
   { "'<name>' expected near '", "Lua's own words, as end and repeat, are no names" },
   { "')' expected near", 'arguments have commas between them, and ) ends them; a quote within a '
      .. "text is \\'" },
   { 'malformed number', 'a number is 1000000, 1e6, 0x1F or 0.5' },
}

--- What to write instead, in a line that does not compile.
-- @string line
-- @string[opt] message of the compiler
-- @return sentence, or nil
function M.about(line, message)
   local code = line:gsub('"[^"]*"', '""'):gsub("'[^']*'", "''"):gsub('%-%-.*$', '')
   local flat = code:gsub('%b{}', '')
   local imported = code:match '^%s*import%s+([%w_]+)' or code:match '^%s*from%s+([%w_]+)'
   if imported and abroad.values[imported] then
      return 'here: ' .. abroad.values[imported]
   end
   for _, row in ipairs(rows) do
      if (row.flat and flat or code):find(row[1])
         and not (row.without and code:find('%f[%w_]' .. row.without .. '%f[^%w_]'))
         and not (row.near and (message or ''):match "near '([^']*)'" ~= row.near) then
         return row[2]
      end
   end
end

--- What to do about a message whose line tells nothing.
-- @string message of the compiler
-- @return sentence, or nil
function M.about_message(message)
   for _, row in ipairs(by_message) do
      if message:find(row[1], 1, true) then
         return row[2]
      end
   end
end

local BY_PLACES = 'arguments go by their places, as in x:sum(1)'
local REFUSED_TABLE = { 'invalid arguments: .*%f[%w]table', 'a table, wanted a number',
   'must be a number, got table', 'sizes have a field' }

--- What to do about options by name that an operation of torch was given: x:sum { dim = 1 }.
-- @string message
-- @string line; may be nil
-- @return sentence, or nil
function M.named(message, line)
   local name = (line or ''):match '{%s*([%a_][%w_]*)%s*=[^=]'
   for _, refused in ipairs(name and REFUSED_TABLE or {}) do
      if message:find(refused) then
         return (name == 'dtype' or name == 'device')
            and "a tensor's type is in names: torch.FloatTensor(2, 3), x:float(), x:cuda()"
            or BY_PLACES
      end
   end
end

--- What a line means elsewhere that calls a global which is nil: f"text", new Name().
-- @string name of the global
-- @string line; may be nil
-- @return sentence, or nil
function M.misread(name, line)
   local before = '%f[%w_]' .. name
   if not line then
      return nil
   elseif line:find(before .. '["\']') and name:find '^[frbuFRBU][bB]?$' then
      return name:lower() == 'f' and "values go into a text by ('%d of %s'):format(i, name), or .."
         or 'texts have no letter in front; [[\\d]] is taken as it is'
   elseif line:find('%f[%w_]new%s+' .. name .. '%s*[({]') then
      return ("objects are made without 'new': %s(...)"):format(name)
   end
end

local HEADS = { 'if', 'elif', 'else', 'for', 'while', 'def', 'class', 'try', 'except', 'with' }
local FARTHEST = 20 -- lines above an error

--- Whether a line begins a block of Python's, or is a shell's, which Lua may take for the beginning
-- of something.
-- @string line
function M.begins_block(line)
   if line:find '^%s*cd%s+%.%.%s*$' then
      return true
   end
   local word = line:match '^%s*(%a+)%f[^%w_].*:%s*$'
   for _, head in ipairs(HEADS) do
      if word == head then
         return true
      end
   end
   return false
end

--- The line above an error that begins a block of Python's: Lua reads `for i in range(3):` and the
-- call in the next line as one expression, and stumbles over what comes then.
-- @int number of the line that the message is about
-- @param line_at function(number): a line of the source; nil for one that is empty
-- @return number, line, sentence; or nil
function M.head(number, line_at)
   for above = number - 1, math.max(1, number - FARTHEST), -1 do
      local line = line_at(above)
      if line and M.begins_block(line) then
         return above, line, M.about(line)
      end
   end
end

-- Of a head that is not complete: what it begins with, and what it must have.
local COMPLETE = {
   ['then'] = { { '^%s*if%f[^%w_]', '^%s*elseif%f[^%w_]' }, 'if a == b then ... end' },
   ['do'] = { { '^%s*for%f[^%w_]', '^%s*while%f[^%w_]' },
      'for i = 1, n do ... end, while a < b do ... end' },
}

-- The nearest head above a line, where it lacks a word.
local function incomplete_head(number, word, line_at)
   for above = number - 1, COMPLETE[word] and math.max(1, number - FARTHEST) or number, -1 do
      local line = line_at(above) or ''
      for _, begins in ipairs(COMPLETE[word][1]) do
         if line:find(begins) then
            local lacks = not line:find('%f[%w_]' .. word .. '%f[^%w_]')
            return lacks and above or nil, line
         end
      end
   end
end

local ELSE_IF = '%f[%w_]else%s+if%f[^%w_]'
local MOST_ELSE_IFS = 12 -- the last, that are tried

-- The source with `elseif` in some of its lines.
local function with_elseif(lines, numbers, first, last)
   local changed = {}
   for i, line in ipairs(lines) do
      changed[i] = line
   end
   for i = first, last do
      changed[numbers[i]] = lines[numbers[i]]:gsub(ELSE_IF, 'elseif')
   end
   return table.concat(changed, '\n')
end

--- The `else if` for which an end is missing: Lua takes it for an if of its own, and notices at the
-- end of what is around it. It is where the source compiles with elseif in its place.
-- @string message of the compiler
-- @string text the source
-- @return number, line, sentence; or nil
function M.else_if(message, text)
   local in_brackets = message:find "unexpected symbol near '[),}]'" ~= nil
   if not (in_brackets or message:find("'end' expected", 1, true)) then
      return nil
   end
   local lines, numbers = {}, {}
   local last = tonumber(message:match ':(%d+): ') or math.huge
   local first = tonumber(message:match ' at line (%d+)%)') or in_brackets and 1 or last
   for line in (text:gsub('^#[^\n]*', '') .. '\n'):gmatch '([^\n]*)\n' do
      lines[#lines + 1] = line
      if #lines >= first and #lines <= last and line:find(ELSE_IF) then
         numbers[#numbers + 1] = #lines
         if #numbers > MOST_ELSE_IFS then
            table.remove(numbers, 1)
         end
      end
   end
   for count = 1, #numbers do
      for i = 1, #numbers - count + 1 do
         if loadstring(with_elseif(lines, numbers, i, i + count - 1)) then
            return numbers[i], lines[numbers[i]], M.about 'else if'
         end
      end
   end
end

--- The line above an error that is what is wrong: a head without its `then` or `do`, a return that
-- is not the last statement, an argument with a comma behind that is the last.
-- @int number
-- @string message
-- @param line_at as of M.head
-- @return number, line, sentence; or nil
function M.above(number, message, line_at)
   local last = number - 1
   while last > 1 and not line_at(last) do
      last = last - 1
   end
   local before = line_at(last)
   if not before then
      return nil
   end
   local wants = message:match "'(%l+)' expected" or ''
   local head, line = incomplete_head(number, wants, line_at)
   if head then
      return head, line, M.about(line) or COMPLETE[wants][2]
   elseif message:find "'<?e[on][fd]>?' expected" and before:find '^%s*return%f[^%w_]' then
      return last, before, 'return is the last statement of a block: do return x end'
   elseif message:find "near '%)'" and before:find ',%s*$' then
      return last, before, 'no comma stands behind the last argument'
   end
end

return M
