--- Keys from the bytes that a terminal sends.
--
-- A key has a name: 'enter', 'left', 'ctrl-a', 'alt-b', ...; 'text' is what is typed and 'paste'
-- what is pasted, each with the text.
-- @module trepl.editor.keys
local M = {}

-- A byte of Escape may be a key or the beginning of one: what follows comes at once.
local ESCAPE_WAIT = 50 -- milliseconds

local controls = {
   [9] = 'tab', [10] = 'enter', [13] = 'enter', [27] = 'escape', [8] = 'backspace',
   [127] = 'backspace', [31] = 'ctrl-_',
}

-- The ends of CSI and SS3 sequences: ESC [ 1;5 C, ESC [ 3 ~, ESC O H.
local letters = {
   A = 'up', B = 'down', C = 'right', D = 'left', H = 'home', F = 'end', Z = 'backtab', M = 'enter',
}
local numbers = {
   [1] = 'home', [3] = 'delete', [4] = 'end', [5] = 'page-up', [6] = 'page-down', [7] = 'home',
   [8] = 'end',
}

local function modified(name, modifier)
   modifier = (tonumber(modifier) or 1) - 1
   if modifier % 8 >= 4 then
      return 'ctrl-' .. name
   elseif modifier % 4 >= 2 then
      return 'alt-' .. name
   end
   return name
end

--- @param read function(milliseconds): as terminal.read
-- @return function() -> name, text; nil at the end of the input
function M.reader(read)
   local bytes, at = '', 1

   -- Make sure there are bytes from `at` on; false if none come in time.
   local function more(milliseconds)
      if at <= #bytes then
         return true
      end
      bytes, at = read(milliseconds) or '', 1
      return bytes ~= ''
   end

   local function byte(milliseconds)
      if not more(milliseconds) then
         return nil
      end
      at = at + 1
      return bytes:sub(at - 1, at - 1)
   end

   local function paste()
      local parts = {}
      local text = ''
      while not text:find('\27[201~', 1, true) do
         if not more() then
            break
         end
         parts[#parts + 1], bytes, at = bytes:sub(at), '', 1
         text = table.concat(parts)
      end
      local first, last = text:find('\27[201~', 1, true)
      if first then
         bytes, at = text:sub(last + 1), 1
         text = text:sub(1, first - 1)
      end
      return 'paste', (text:gsub('\r\n?', '\n'))
   end

   local function sequence(introducer)
      local parameters = ''
      while true do
         local c = byte(ESCAPE_WAIT)
         if not c then
            return 'unknown'
         elseif c:find '[@-~]' then
            if introducer == '[' and c == '~' and parameters == '200' then
               return paste()
            end
            local number, modifier = parameters:match '^(%d*);?(%d*)'
            local name = c == '~' and numbers[tonumber(number)] or letters[c]
            return name and modified(name, modifier) or 'unknown'
         end
         parameters = parameters .. c
      end
   end

   local function escape()
      local c = byte(ESCAPE_WAIT)
      if not c then
         return 'escape'
      elseif c == '[' or c == 'O' then
         return sequence(c)
      end
      local code = c:byte()
      local name = controls[code] or (code < 32 and 'ctrl-' .. string.char(code + 96)) or c:lower()
      return 'alt-' .. name
   end

   -- Everything up to the next control is one text: a slow line need not be drawn letter by letter.
   local function typed()
      local text = bytes:match('^[^%c\127]+', at)
      at = at + #text
      local missing = text:match '[\194-\244][\128-\191]*$'
      local length = missing and (missing:byte() >= 240 and 4 or missing:byte() >= 224 and 3 or 2)
      while missing and #missing < length and at > #bytes do
         local c = byte(ESCAPE_WAIT)
         if not c then
            break
         end
         text, missing = text .. c, missing .. c
      end
      return 'text', text
   end

   return function()
      if not more() then
         return nil
      end
      local code = bytes:byte(at)
      if code >= 32 and code ~= 127 then
         return typed()
      end
      at = at + 1
      if code == 27 then
         return escape()
      end
      return controls[code] or 'ctrl-' .. string.char(code + 96)
   end
end

return M
