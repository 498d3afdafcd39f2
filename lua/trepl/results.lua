--- The values of what was typed: `_` and `_LAST` are the last, `_RESULTS` the last HUNDRED.
--
-- They must not keep memory alive: what is heavy (a tensor on a device, one of more than a MiB, a
-- table or function that may hold such) is held weakly, and is nil once nobody else holds it and
-- Lua has collected. Of a tensor that was computed from Variables the record is heavy, which may
-- lead to any memory; its elements, without a record, are what stays.
-- @module trepl.results
local ffi = require 'ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local types = require 'torch.types'

local M = {}

local HUNDRED = 100
local MIB = 2 ^ 20
local ENTRIES = 1000 -- of a table that are looked at

local function bytes_of(value)
   local storage = value
   if class.isTensor(value) then
      if value.store == nil then
         return 0
      end
      storage = value:storage()
   end
   return storage and #storage * storage:elementSize() or 0
end

-- Whether a tensor leads to what it was computed from.
local function is_recorded(value)
   return types.variables and class.isTensor(value) and not value:isLeaf()
end

-- What is left of a budget of bytes and entries after a value; nil when there is nothing left.
local function weigh(value, budget, seen)
   local kind = type(value)
   if kind == 'cdata' then
      local ok, size = pcall(ffi.sizeof, value)
      budget.bytes = budget.bytes - math.max(ok and size or 0, 64)
      return budget.bytes >= 0 and class.typename(value) == nil -- nobody knows what others hold
   elseif kind == 'userdata' then
      if not (class.isTensor(value) or class.isStorage(value)) then
         return false
      elseif class.type(value):find '^torch%.Cuda' then
         return false
      elseif is_recorded(value) then
         return false
      else
         budget.bytes = budget.bytes - bytes_of(value)
      end
   elseif kind == 'string' then
      budget.bytes = budget.bytes - #value
   elseif kind == 'table' and not seen[value] then
      seen[value] = true
      for key, entry in next, value do
         budget.entries = budget.entries - 1
         local light = budget.entries >= 0 and weigh(key, budget, seen)
         if not light or not weigh(entry, budget, seen) then
            return false
         end
      end
   end
   return budget.bytes >= 0
end

--- Whether a value is held weakly.
function M.is_heavy(value)
   local kind = type(value)
   local budget, seen = { bytes = MIB, entries = ENTRIES }, {}
   if kind == 'thread' then
      return true
   elseif kind == 'function' then -- by what it refers to itself; functions lead everywhere
      local i, name, held = 1, debug.getupvalue(value, 1)
      while name and weigh(held, budget, seen) do
         i = i + 1
         name, held = debug.getupvalue(value, i)
      end
      return name ~= nil
   end
   return not weigh(value, budget, seen)
end

local strong = {} -- place -> value; of a heavy one what stays of it, if anything
local weak = setmetatable({}, { __mode = 'v' })
local count = 0

local function at(place)
   local value = weak[place]
   if value == nil then
      value = strong[place]
   end
   return value
end

local names = {
   _ = function() return at(count) end,
   _LAST = function() return at(count) end,
   _RESULTS = function() return M.results end,
}

--- _RESULTS: a list that is read, from its first result to its last; older ones are nil. Of a table
-- LuaJIT does not ask __len, nor __pairs of userdata, so it is a C object: #_RESULTS is the number
-- of the last, and loops go over those that are there.
local meta = {}

function meta.__index(_, place)
   return at(place)
end

function meta.__newindex()
   errors.raise('_RESULTS is read only')
end

function meta.__len()
   return count
end

function meta.__tostring()
   return ('%d results: _RESULTS[%d] is the last'):format(count, count)
end

local function follow(_, place)
   for i = math.max(place, count - HUNDRED) + 1, count do
      local value = at(i)
      if value ~= nil then
         return i, value
      end
   end
end

function meta.__pairs(results)
   return follow, results, 0
end
meta.__ipairs = meta.__pairs -- the first may be gone

M.results = ffi.metatype('struct { char none; }', meta)()

--- Let the globals stand for the results: only when nothing else has their names.
function M.install()
   local globals = getmetatable(_G) or {}
   local other = globals.__index
   globals.__index = function(t, name)
      local read = names[name]
      if read and count > 0 then
         return read()
      elseif type(other) == 'function' then
         return other(t, name)
      end
      return other and other[name]
   end
   setmetatable(_G, globals)
end

--- Take a value as the last result.
function M.keep(value)
   if value == nil then
      return
   end
   count = count + 1
   strong[count - HUNDRED], weak[count - HUNDRED] = nil, nil
   if not M.is_heavy(value) then
      strong[count] = value
   else
      weak[count] = value
      local elements = is_recorded(value) and value:detach()
      strong[count] = elements and not M.is_heavy(elements) and elements or nil
   end
   for name in pairs(names) do
      rawset(_G, name, nil) -- a variable of the user's by that name has had its time
   end
end

--- How many results there were.
function M.count()
   return count
end

return M
