--- Lines of source: of files, and of what was typed at the prompt.
-- @module trepl.failure.source
local util = require 'jit.util'

local M = {}

local LONGEST = 400 -- of a line, that is shown

-- Everything typed has the name stdin; a function is told from another's by its bytecode.
local typed = setmetatable({}, { __mode = 'k' })

local function remember(proto_or_function, text)
   local info = util.funcinfo(proto_or_function)
   if info.proto then
      typed[info.proto] = text
   end
   local i = -1
   while true do
      local constant = util.funck(proto_or_function, i)
      if constant == nil then
         return
      elseif type(constant) == 'proto' then
         typed[constant] = text
         remember(constant, text)
      end
      i = i - 1
   end
end

--- Keep the text of a chunk for as long as a function of it lives.
function M.remember(chunk, text)
   remember(chunk, text)
end

local function line_of_text(text, number)
   for line in (text .. '\n'):gmatch '([^\n]*)\n' do
      number = number - 1
      if number == 0 then
         return line
      end
   end
end

local function line_of_file(path, number)
   local file = io.open(path)
   if not file then
      return nil
   end
   for line in file:lines() do
      number = number - 1
      if number == 0 then
         file:close()
         return line
      end
   end
   file:close()
end

--- What gives a source's lines.
-- @param text string: the source; or nil and the file's path
-- @return function(number): a line; nil where it is empty, or not to be had
function M.reader(text, path)
   return function(number)
      local line
      if text then
         line = line_of_text(text, number)
      elseif path then
         line = line_of_file(path, number)
      end
      return line and line:find '%S' and line:sub(1, LONGEST) or nil
   end
end

--- All of a source: the text, or what is in the file; empty where that is not to be had.
function M.whole(text, path)
   local file = not text and path and io.open(path)
   if file then
      text = file:read '*a'
      file:close()
   end
   return text or ''
end

--- The line that a message of the compiler is about: the one that it begins with, `name:number:`;
-- where the text ends too early, the one that wants an end, or the last; where a word stands
-- alone on its line, that line.
-- @param line_at function(number): what M.reader gives
-- @return number and line; nil where there is none to be had
function M.named(message, line_at)
   local number = tonumber(message:match ':(%d+): ')
   if number and message:find("near '<eof>'", 1, true) then
      number = tonumber(message:match ' at line (%d+)%) near') or number
      while number > 1 and not line_at(number) do
         number = number - 1
      end
   end
   local line = number and line_at(number)
   -- A statement that is a bare word is found out by what the next line begins with.
   local token = message:match "'=' expected near '([^']+)'"
   if line and token and line:match '^%s*(.*)':sub(1, #token) == token then
      local above = number - 1
      while above > 0 and not line_at(above) do
         above = above - 1
      end
      local before = above > 0 and line_at(above)
      if before and before:find '^%s*[%a_][%w_.]*%s*;?%s*$' then
         return above, before
      end
   end
   if line then
      return number, line
   end
end

--- The line of a file that a message blames.
function M.of_file(path, number)
   local line = line_of_file(path, number)
   return line and line:find '%S' and line:sub(1, LONGEST) or nil
end

--- The line above another of a frame's source that last gave a value to a variable; what it gave.
-- @param frame
-- @param name string: of the variable
-- @return number, text behind the '='; or nil
function M.assignment(frame, name)
   for number = frame.currentline - 1, math.max(1, frame.linedefined), -1 do
      local line = M.line(setmetatable({ currentline = number }, { __index = frame }))
      local before, value = (line or ''):match '^([^=]*[%w_])%s*=%s*([^=].*)$'
      if before and before:find('%f[%w_]' .. name .. '%f[^%w_]%s*,?[%w_, ]*$') then
         return number, value
      end
   end
end

--- The line of source that a frame is at; nil where there is none to be had.
function M.line(frame)
   local text
   local proto = frame.func and util.funcinfo(frame.func).proto
   if proto and typed[proto] then
      text = line_of_text(typed[proto], frame.currentline)
   elseif frame.source:sub(1, 1) == '@' then
      text = line_of_file(frame.source:sub(2), frame.currentline)
   end
   return text and text:find '%S' and text:sub(1, LONGEST) or nil
end

return M
