--- One element of a storage on the CPU, read and written from Lua: a branch for each element type
-- of lib/TH/ops/dtypes.def, written from its row.
-- @module torch.tensor.access
local ffi = require 'ffi'
local th = require 'torch.ffi'
local numbers = require 'torch.tensor.numbers'
local rows = require('torch.gen.rows').dtypes

local M = {}

-- One row's element at `position`: as a number, and as the statement that writes `x`.
local function forms(row)
   local element = ('store.%s[position]'):format(row.field)
   if row.ctype ~= row.computed then -- 16 bits of a floating type, which C has no name for
      return ('C.TH_%sToDouble(%s)'):format(row.name:lower(), element),
         ('%s = C.TH_doubleTo%s(x)'):format(element, row.name)
   elseif row.kind == 'Floating' then
      return ('numbers.%s(store.%s, position)'):format(row.ctype, row.field), element .. ' = x'
   end
   -- Through 64 bits: what does not fit wraps, as in C. (LuaJIT's own conversion saturates.)
   local wide = ffi.sizeof(row.ctype) == 8
   return wide and ('tonumber(%s)'):format(element) or element, element .. ' = cast(int64, x)'
end

-- Branches are taken in turn, so doubles and floats come first.
local function chain(form)
   local order = {}
   for i, row in ipairs(rows) do
      local read, write = forms(row)
      local number = row.kind == 'Floating' and row.ctype == row.computed
      table.insert(order, number and 1 or #order + 1,
         ('if dtype == %d then %s'):format(i - 1, form == 'read' and 'return ' .. read or write))
   end
   return table.concat(order, '\nelse') .. '\nend'
end

local text = ([[
local C, numbers, cast, int64 = ...
local M = {}
function M.read(store, dtype, position)
$read
end
function M.write(store, dtype, position, x)
$write
end
return M]]):gsub('%$(%w+)', chain)

-- Named as a file of this library: errors are not blamed on its lines.
local name = debug.getinfo(1, 'S').source:gsub('%.lua$', '/generated.lua')
local generated = assert(loadstring(text, name))(th.C, numbers, ffi.cast, ffi.typeof 'int64_t')

--- Element at `position` (from 0) of a TH_Storage on the CPU, as an element of type dtype.
-- @function read
-- @param store TH_Storage
-- @param dtype element type
-- @param position from 0
-- @return a number
M.read = generated.read

--- Make a number that element; the storage's version is the caller's to move.
-- @function write
-- @param store TH_Storage
-- @param dtype element type
-- @param position from 0
-- @param x a number
M.write = generated.write

return M
