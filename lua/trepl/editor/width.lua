--- Characters of UTF-8, and the columns they take on a terminal.
-- @module trepl.editor.width

local M = {}

-- First and last of the code points that take two columns (Unicode's East Asian Width W and F, in
-- blocks), and of those that take none.
local wide = {
   { 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf }, { 0xa960, 0xa97c },
   { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 },
   { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1faff },
   { 0x20000, 0x3fffd },
}
local none = {
   { 0x0300, 0x036f }, { 0x0483, 0x0489 }, { 0x0591, 0x05bd }, { 0x064b, 0x065f },
   { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x200b, 0x200f }, { 0x20d0, 0x20ff },
   { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
}

local function within(ranges, code)
   for _, range in ipairs(ranges) do
      if code <= range[2] then
         return code >= range[1]
      end
   end
   return false
end

local function code_point(character)
   local first = character:byte()
   if #character == 1 then
      return first
   end
   local code = first % 2 ^ (7 - #character)
   for i = 2, #character do
      code = code * 64 + character:byte(i) % 64
   end
   return code
end

local sequences = {
   '^[\194-\223][\128-\191]', '^[\224-\239][\128-\191][\128-\191]',
   '^[\240-\244][\128-\191][\128-\191][\128-\191]',
}

--- The character at a byte of a text: a sequence of UTF-8, or a byte that belongs to none.
function M.character(text, position)
   if (text:byte(position) or 0) >= 128 then
      for _, sequence in ipairs(sequences) do
         local character = text:match(sequence, position)
         if character then
            return character
         end
      end
   end
   return text:sub(position, position)
end

--- Where the character before a byte of a text begins.
function M.previous(text, position)
   for length = 4, 2, -1 do
      local first = position - length
      if first >= 1 and #M.character(text, first) == length then
         return first
      end
   end
   return position - 1
end

--- A character as it is shown: what would move the cursor in other ways is spelled out.
-- @return text and columns
function M.shown(character)
   local byte = character:byte()
   if character == '\t' then
      return '   ', 3
   elseif byte < 32 then
      return '^' .. string.char(byte + 64), 2
   elseif byte == 127 then
      return '^?', 2
   elseif byte < 128 then
      return character, 1
   elseif #character == 1 then
      return '?', 1 -- no UTF-8
   end
   local code = code_point(character)
   return character, within(wide, code) and 2 or within(none, code) and 0 or 1
end

--- Columns of a text without control characters.
function M.columns(text)
   local columns, position = 0, 1
   while position <= #text do
      local character = M.character(text, position)
      columns = columns + select(2, M.shown(character))
      position = position + #character
   end
   return columns
end

return M
