--- The fields of comma-separated values.
--
-- Fields may stand in double quotes; then they may hold separators, line ends and doubled quotes
-- (RFC 4180). Lines end with LF or CRLF. Lines without anything are left out.
-- @module torch.dataset.reader.rows
local M = {}

-- A quoted field that begins at `at`: its text and where it ends.
local function quotedField(text, at, fail)
   local parts, from = {}, at + 1
   while true do
      local quote = text:find('"', from, true)
      if not quote then
         fail 'a quote is not closed'
      end
      parts[#parts + 1] = text:sub(from, quote - 1)
      if text:byte(quote + 1) ~= 34 then
         return table.concat(parts, '"'), quote + 1
      end
      from = quote + 2
   end
end

--- Call row(fields, line) for each line with anything on it.
-- @string text
-- @string separator a character
-- @param fail function(line, message) that raises
-- @param row function
function M.parse(text, separator, fail, row)
   local stop = ('[%s\r\n]'):format(separator:gsub('%W', '%%%0'))
   local at, line, length = text:sub(1, 3) == '\239\187\191' and 4 or 1, 1, #text
   local fields, first, quoted = {}, 1, false
   while at <= length + 1 do
      local field
      if text:byte(at) == 34 then
         local start = at
         quoted = true
         field, at = quotedField(text, at, function(message)
            fail(line, message)
         end)
         local _, breaks = text:sub(start, at - 1):gsub('\n', '')
         line = line + breaks
         if at <= length and not text:find('^' .. stop, at) then
            fail(line, ('after a quoted field there is %q, not a separator'):format(
               text:sub(at, at)))
         end
      else
         local stopped = text:find(stop, at) or length + 1
         field, at = text:sub(at, stopped - 1), stopped
      end
      fields[#fields + 1] = field
      if text:sub(at, at) == separator then
         at = at + 1
      else
         if #fields > 1 or fields[1] ~= '' or quoted then
            row(fields, first)
         end
         at = at + (text:sub(at, at + 1) == '\r\n' and 2 or 1)
         fields, line = {}, line + 1
         first, quoted = line, false
         if at > length then
            break
         end
      end
   end
end

return M
