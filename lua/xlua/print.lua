--- Tables shown, and printing copied to a file.
-- @module xlua.print
local class = require 'torch.class'
local errors = require 'torch.errors'
local makeParents = require 'paths.parents'
local sortedKeys = require 'xlua.sorted_keys'

local M = {}

local function isPlainTable(value)
   local mt = type(value) == 'table' and debug.getmetatable(value)
   return type(value) == 'table' and not class.typename(value)
      and not (mt and rawget(mt, '__tostring'))
end

local function show(value, separator, indent, above)
   if not isPlainTable(value) then
      return tostring(value)
   elseif above[value] then -- it contains itself
      return tostring(value)
   end
   above[value] = true
   local parts = {}
   for _, key in ipairs(sortedKeys(value)) do
      local head = '[' .. tostring(key) .. '] = '
      local inner = indent .. (' '):rep(#head + 1)
      parts[#parts + 1] = head .. show(value[key], separator, inner, above)
   end
   above[value] = nil
   return '{' .. table.concat(parts, separator == '' and ', ' or separator .. indent .. ' ') .. '}'
end

--- A table as text, `{[key] = value, ...}`, tables in it likewise.
-- @param t table
-- @param newline boolean, optional: one entry a line
-- @example xlua.table2string({ 1, 2 }) ~= '' --> true
function M.table2string(t, newline)
   return show(t, newline and ',\n' or '', '', {})
end

--- Print values, tables with their contents.
function M.print(...)
   local texts = {}
   for i = 1, select('#', ...) do
      texts[i] = M.table2string((select(i, ...)), true)
   end
   print(table.concat(texts, '\t'))
end

--- Copy to a file whatever `print` and `io.write` show from now on.
-- @param file string: its directory is made if need be
-- @param append boolean, optional: keep what the file holds
-- @raise "xlua.log: cannot open ..."
function M.log(file, append)
   makeParents(file)
   local handle, message = io.open(file, append and 'a' or 'w')
   if not handle then
      errors.raise('xlua.log: cannot open ' .. message)
   end
   local screenPrint, screenWrite = print, io.write
   rawset(_G, 'print', function(...)
      local texts = {}
      for i = 1, select('#', ...) do
         texts[i] = tostring((select(i, ...)))
      end
      handle:write(table.concat(texts, '\t'), '\n')
      handle:flush()
      return screenPrint(...)
   end)
   rawset(io, 'write', function(...)
      handle:write(...)
      handle:flush()
      return screenWrite(...)
   end)
end

return M
