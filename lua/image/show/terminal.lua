--- What the terminal can show: pictures by kitty's protocol or as sixels, or letters in colours.
-- @module image.show.terminal
local ffi = require 'ffi'
local terminal = require 'trepl.editor.terminal'

-- Own names for libc's functions: a program may have declared these itself, with other types.
ffi.cdef [[
typedef struct { unsigned short rows, columns, width, height; } image_winsize;
int image_ioctl(int, unsigned long, ...) __asm__("ioctl");
int image_tcgetpgrp(int) __asm__("tcgetpgrp");
int image_getpgrp(void) __asm__("getpgrp");
]]
local C = ffi.C
local TIOCGWINSZ = 0x5413
local KEYBOARD, SCREEN = 0, 1
local PATIENCE = 300 -- milliseconds for an answer

local M = {}

-- A question that only terminals with kitty's protocol answer, then one that all do.
local QUESTION = '\27_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\27\\\27[c'

--- What the answers say: 'kitty', 'sixel' or 'blocks'.
function M.understand(answer)
   if answer:find('\27_Gi=31;OK', 1, true) then
      return 'kitty'
   end
   for attribute in (answer:match '\27%[%?([%d;]*)c' or ''):gmatch '%d+' do
      if attribute == '4' then
         return 'sixel'
      end
   end
   return 'blocks'
end

local function ask()
   -- A program in the background is stopped when it changes the terminal's modes.
   if not terminal.can_edit() or C.image_tcgetpgrp(KEYBOARD) ~= C.image_getpgrp() then
      return 'blocks'
   end
   terminal.begin()
   terminal.write(QUESTION)
   local answer = ''
   repeat
      local part = terminal.read(PATIENCE)
      answer = answer .. (part or '')
   until not part or part == '' or answer:find '\27%[%?[%d;]*c'
   terminal.finish()
   return M.understand(answer)
end

local known

--- How a picture can be shown: 'kitty', 'sixel', 'blocks'; 'file' where there is no terminal.
function M.kind()
   local kind = os.getenv 'TERM'
   if not terminal.is_terminal(SCREEN) or kind == nil or kind == '' or kind == 'dumb' then
      return 'file'
   end
   known = known or ask()
   return known
end

--- Columns and rows of letters, and width and height in pixels (8 x 16 for a letter where the
-- terminal does not say).
function M.size()
   local columns, rows = terminal.size()
   local size = ffi.new 'image_winsize'
   if C.image_ioctl(SCREEN, TIOCGWINSZ, size) == 0 and size.width > 0 and size.height > 0 then
      return columns, rows, size.width, size.height
   end
   return columns, rows, columns * 8, rows * 16
end

--- Whether letters may be any of Unicode's.
function M.isUnicode()
   local locale = os.getenv 'LC_ALL' or ''
   locale = locale ~= '' and locale or os.getenv 'LC_CTYPE' or ''
   locale = locale ~= '' and locale or os.getenv 'LANG' or ''
   return locale:upper():gsub('-', ''):find 'UTF8' ~= nil
end

--- Whether colours may be any of 2^24.
function M.hasAllColours()
   local colours = os.getenv 'COLORTERM' or ''
   return colours == 'truecolor' or colours == '24bit'
end

return M
