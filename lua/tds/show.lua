--- How containers print.
-- @module tds.show
local class = require 'torch.class'

local M = {}

local INDENT = 4
local MOST = 1000 -- entries; the rest is counted

-- What a value looks like, its later lines under its first.
local function shown(value, column)
   return (tostring(value):gsub('\n', '\n' .. (' '):rep(column)))
end

local function entries(head, keys, values, more)
   local width = 0
   for i = 1, #keys do
      width = math.max(width, #keys[i])
   end
   local lines = { head .. '{' }
   for i = 1, #keys do
      local key = (' '):rep(INDENT) .. keys[i] .. (' '):rep(width - #keys[i]) .. ' : '
      lines[#lines + 1] = key .. shown(values[i], #key)
   end
   if more > 0 then
      lines[#lines + 1] = ('%s... (%d more)'):format((' '):rep(INDENT), more)
   end
   lines[#lines + 1] = '}'
   return table.concat(lines, '\n')
end

local function contents(container, name, keyText)
   local keys, values = {}, {}
   for k, v in pairs(container) do
      if #keys == MOST then
         break
      end
      keys[#keys + 1] = keyText(k)
      values[#keys] = v == nil and 'nil' or v
   end
   return entries(('%s[%d]'):format(name, #container), keys, values, #container - #keys)
end

-- Of the outermost container whose text is being made: address of each met -> why it is not shown
-- there once more. A container may be in many places, which may be many times in others.
local met

local function collect(container, name, keyText)
   local outermost, address = not met, class.pointer(container)
   met = met or {}
   if met[address] then
      return ('%s[%d]{ ... } (%s)'):format(name, #container, met[address])
   end
   met[address] = 'it holds itself'
   local ok, text = pcall(contents, container, name, keyText)
   met[address] = #container > 0 and 'as above' or nil
   if outermost then
      met = nil
   end
   if not ok then
      error(text, 0)
   end
   return text
end

--- The text of a tds.Hash. Keys of several lines, tensors say, lose their breaks.
function M.hash(hash)
   return collect(hash, 'tds.Hash', function(key)
      return (tostring(key):gsub('%s*\n%s*', ' '))
   end)
end

--- The text of a tds.Vec.
function M.vec(vec)
   return collect(vec, 'tds.Vec', tostring)
end

return M
