-- Just enough of a JSON reader for what the allocator writes (ECMA-404 without \u above 0x7f).
local M = {}

local ESCAPES = { b = '\b', f = '\f', n = '\n', r = '\r', t = '\t' }
local CONSTANTS = { ['true'] = true, ['false'] = false, null = M }

local value

local function bad(text, at)
   error(('no JSON at byte %d: %s'):format(at, text:sub(at, at + 20)), 0)
end

local function skip(text, at)
   return text:find('[^ \n\r\t]', at) or #text + 1
end

local function string_(text, at)
   local parts = {}
   at = at + 1
   while true do
      local stop = text:find('["\\]', at) or bad(text, at)
      parts[#parts + 1] = text:sub(at, stop - 1)
      if text:sub(stop, stop) == '"' then
         return table.concat(parts), stop + 1
      end
      local escape = text:sub(stop + 1, stop + 1)
      if escape == 'u' then
         local code = tonumber(text:sub(stop + 2, stop + 5), 16) or bad(text, stop)
         parts[#parts + 1] = code < 0x80 and string.char(code) or '?'
         at = stop + 6
      else
         parts[#parts + 1] = ESCAPES[escape] or escape
         at = stop + 2
      end
   end
end

-- The items between two brackets; `item` reads one and puts it into the result.
local function items(text, at, close, item)
   local result = {}
   at = skip(text, at + 1)
   while text:sub(at, at) ~= close do
      at = skip(text, item(result, at))
      local sign = text:sub(at, at)
      if sign == ',' then
         at = skip(text, at + 1)
      elseif sign ~= close then
         bad(text, at)
      end
   end
   return result, at + 1
end

function value(text, at)
   at = skip(text, at)
   local first = text:sub(at, at)
   if first == '{' then
      return items(text, at, '}', function(result, from)
         local key
         key, from = string_(text, from)
         from = skip(text, from)
         if text:sub(from, from) ~= ':' then
            bad(text, from)
         end
         result[key], from = value(text, from + 1)
         return from
      end)
   elseif first == '[' then
      return items(text, at, ']', function(result, from)
         result[#result + 1], from = value(text, from)
         return from
      end)
   elseif first == '"' then
      return string_(text, at)
   end
   local word = text:match('^[%w+.-]+', at) or bad(text, at)
   local constant = CONSTANTS[word]
   if constant == nil then
      constant = tonumber(word) or bad(text, at)
   end
   return constant, at + #word
end

-- A table, string, number or boolean; the module itself stands for null. Raises "no JSON at byte 3:
-- ...".
function M.read(text)
   local result, at = value(text, 1)
   if skip(text, at) <= #text then
      bad(text, at)
   end
   return result
end

return M
