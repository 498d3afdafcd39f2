--- tds.Vec: lists outside of Lua's memory.
-- @module tds.Vec
local ffi = require 'ffi'
local C = require 'tds.ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local elem = require 'tds.elem'
local show = require 'tds.show'

local type = type
local raise = errors.raise
local Elem = ffi.typeof 'tds_elem'
local set, get, known, reading = elem.set, elem.get, elem.known, elem.reading
local LARGEST = 2 ^ 40

local make -- an empty one
local methods = {}
local mt = { __typename = 'tds.Vec', __version = 1 }

local function check(done, operation)
   if not done then
      elem.noMemory(operation or 'tds.Vec')
   end
end

local function checkIndex(operation, i)
   i = th.numeric(i) or i
   if type(i) ~= 'number' or not (i >= 1 and i <= LARGEST) or i % 1 ~= 0 then
      raise(('%s: an index is a whole number from 1 on, got %s'):format(operation,
         type(i) == 'number' and tostring(i) or class.type(i)))
   end
   return i
end

--- The element at a place, or nil.
-- @usage vec[i] -> value
function mt.__index(self, i)
   if type(i) ~= 'number' then
      local method = methods[i]
      if method ~= nil or th.numeric(i) == nil then
         return method
      end
      i = th.numeric(i)
   end
   if i % 1 ~= 0 then
      return nil
   end
   local calls = reading.calls
   local isKnown, value = known(C.tds_vec_read(self.__tds_handle, i - 1, reading), calls)
   if isKnown then
      return value
   end
   value = Elem() -- not reused: see tds.Hash
   C.tds_vec_get(self.__tds_handle, i - 1, value)
   return get(value)
end

--- Store an element; the vector grows to hold it, with nil in between.
-- @usage vec[i] = value
-- @raise "tds.Vec: an index is a whole number from 1 on, got 0"
function mt.__newindex(self, i, v)
   if type(i) ~= 'number' or not (i >= 1 and i <= LARGEST) or i % 1 ~= 0 then
      i = checkIndex('tds.Vec', i)
   end
   if type(v) == 'number' then
      return check(C.tds_vec_set_n(self.__tds_handle, i - 1, v))
   elseif type(v) == 'string' then
      return check(C.tds_vec_set_s(self.__tds_handle, i - 1, v, #v))
   end
   local value = Elem()
   local anchor = set(value, v, 'tds.Vec')
   check(C.tds_vec_set(self.__tds_handle, i - 1, value))
   return anchor
end

local function held(self)
   return errors.held(self.__tds_handle, 'tds.Vec')
end

local function length(self)
   return tonumber(C.tds_vec_size(held(self)))
end

--- How many elements there are, nil among them counted.
-- @function mt.__len
-- @usage #vec -> n
mt.__len = length

--- Places and elements, nil among them.
-- @usage for i, value in pairs(vec) do ... end
function mt.__pairs(self)
   local i = 0
   return function()
      i = i + 1
      if i > length(self) then
         return nil
      end
      return i, self[i]
   end
end

mt.__ipairs = mt.__pairs

function mt.__tostring(self)
   return show.vec(self)
end

--- Put an element before another, or at the end.
-- @usage vec:insert([i,] value)
-- @example
-- local v = require('tds').Vec(1, 3)
-- v:insert(2, 'two')
-- v[2], #v --> 'two', 3
function methods.insert(self, ...)
   local i, v = length(self) + 1, (...)
   local n = select('#', ...)
   if n == 0 then
      raise('tds.Vec: insert: a value is missing: vec:insert([i,] value)')
   elseif n > 1 then
      i, v = checkIndex('tds.Vec: insert', (...)), (select(2, ...))
   end
   local value = Elem() -- not reused: see tds.Hash
   local anchor = set(value, v, 'tds.Vec: insert')
   check(C.tds_vec_insert(self.__tds_handle, i - 1, value), 'tds.Vec: insert')
   return anchor and nil
end

--- Take an element out: the last one, or the one at a place; nothing happens where there is none.
-- @usage vec:remove([i])
function methods.remove(self, i)
   C.tds_vec_remove(held(self), i == nil and length(self) - 1
      or checkIndex('tds.Vec: remove', i) - 1)
end

--- Change the number of elements; new ones are nil.
-- @usage vec:resize(n)
function methods.resize(self, n)
   n = th.numeric(n) or n
   if n ~= 0 then
      n = checkIndex('tds.Vec: resize', n)
   end
   check(C.tds_vec_resize(held(self), n), 'tds.Vec: resize')
end

local function checkSorted(outcome)
   if outcome == -2 then
      raise('tds.Vec: sort: it was changed meanwhile, by the comparison or another thread, and is '
         .. 'left so; keep other threads out by a threads.Mutex')
   elseif outcome == 0 then
      raise('tds.Vec: sort: numbers alone or strings alone have an order; for others pass a '
         .. 'function(a, b) that tells whether a comes before b')
   end
   check(outcome == 1, 'tds.Vec: sort')
end

-- In which order a comparison wants the elements.
-- @return places, from 0; how many; the state of the vector that they are of
local function orderBy(self, compare)
   local changes, n = C.tds_vec_changes(held(self)), length(self)
   local elements, order = {}, {}
   for i = 1, n do
      elements[i], order[i] = self[i], i
   end
   table.sort(order, function(a, b)
      return compare(elements[a], elements[b])
   end)
   local places = ffi.new('int64_t[?]', n)
   for i = 1, n do
      places[i - 1] = order[i] - 1
   end
   return places, n, changes
end

--- Sort the elements in place.
-- A comparison in Lua costs a copy of every element to Lua; a C function `int (*)(const tds_elem *,
-- const tds_elem *)`, less than 0 for less, does not (lib/tds/include/tds.h has the struct).
-- @param[opt] compare function(a, b): whether a comes before b; or such a C function. Without it,
-- numbers or strings in their order. One that changes the vector makes the sort fail
-- @usage vec:sort([compare])
-- @raise "tds.Vec: sort: numbers alone or strings alone have an order; ..."
-- @example
-- local v = require('tds').Vec(3, 1, 2)
-- v:sort(function(a, b) return a > b end)
-- v:concat ',' --> '3,2,1'
function methods.sort(self, compare)
   if compare == nil then
      checkSorted(C.tds_vec_sort(held(self)))
   elseif type(compare) == 'cdata' then
      checkSorted(C.tds_vec_sort_by(held(self), compare))
   elseif type(compare) == 'function' then
      checkSorted(C.tds_vec_permute(self.__tds_handle, orderBy(self, compare)))
   else
      raise(('tds.Vec: sort: expected a function, got %s'):format(class.type(compare)))
   end
end

local function text(self, separator, first, last)
   separator = separator == nil and '' or separator
   if type(separator) ~= 'string' and type(separator) ~= 'number' then
      raise(('tds.Vec: concat: the separator is a string, got %s'):format(class.type(separator)))
   end
   local parts = {}
   for i = first or 1, last or length(self) do
      parts[#parts + 1] = tostring(self[i])
   end
   return table.concat(parts, separator)
end

--- The elements as one string.
-- @usage vec:concat([separator='' [, first=1 [, last=#vec]]]) -> string
-- @example require('tds').Vec(1, 'b', true):concat '-' --> '1-b-true'
function methods.concat(self, separator, first, last)
   return text(self, separator, first, last)
end

--- The elements as one text in a torch.CharStorage.
-- @usage vec:concatstorage([separator='' [, first=1 [, last=#vec]]]) -> CharStorage
function methods.concatstorage(self, separator, first, last)
   return class.getconstructortable 'torch.CharStorage'():string(text(self, separator, first, last))
end

local function isList(...)
   return select('#', ...) == 1 and type((...)) == 'table' and not class.typename((...))
end

--- A vector of elements of any kind that tds stores, nil included, outside of Lua's memory, which
-- threads may share. Tables in it become tds.Vec (of numbered elements) or tds.Hash.
-- @param ... elements, or one table or tds.Vec of them
-- @usage tds.Vec([table|vec]) -> vec
-- tds.Vec(value, ...) -> vec
-- @raise "tds.Vec: the table has the key 'x'; a vector has numbers from 1 on ..."
-- @example
-- local v = require('tds').Vec(4, 'five', { 6 })
-- v[2], v[3][1], #v --> 'five', 6, 3
local function construct(...)
   local self = make()
   if isList(...) then
      for i, v in pairs((...)) do
         if type(i) ~= 'number' or i < 1 or i % 1 ~= 0 then
            raise(("tds.Vec: the table has the key '%s'; a vector has numbers from 1 on: tds.Hash "
               .. 'takes others'):format(tostring(i)))
         end
         self[i] = elem.converted(v)
      end
   elseif select('#', ...) == 1 and class.typename((...)) == 'tds.Vec' then
      for i, v in pairs((...)) do
         self[i] = v
      end
   else
      for i = 1, select('#', ...) do
         self[i] = elem.converted((select(i, ...)))
      end
   end
   return self
end

function mt.__write(self, file)
   file:writeLong(#self)
   for _, v in pairs(self) do
      file:writeObject(v)
   end
end

function mt.__read(self, file)
   for i = 1, file:readLong() do
      self[i] = file:readObject()
   end
end

for name, method in pairs(methods) do
   mt[name] = method
end
make = elem.container(mt, {
   struct = 'tds_VecRef', pointer = 'tds_vec *', create = C.tds_vec_new,
   retain = C.tds_vec_retain, release = C.tds_vec_free,
   share = C.tds_vec_share, gone = C.tds_vec_gone(),
})

return construct
