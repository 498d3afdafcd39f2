--- tds.Hash: tables outside of Lua's memory.
-- @module tds.Hash
local ffi = require 'ffi'
local C = require 'tds.ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local elem = require 'tds.elem'
local show = require 'tds.show'

local type = type
local raise = errors.raise
local Elem = ffi.typeof 'tds_elem'
local set, get, known, reading = elem.set, elem.get, elem.known, elem.reading

local make -- an empty one
local mt = { __typename = 'tds.Hash', __version = 1 }

-- Elements are made for each access and not reused: between filling them and the call, or the call
-- and reading them, a finalizer may run that uses another container.

local function check(done)
   if not done then
      elem.noMemory 'tds.Hash'
   end
end

-- Texts that C reads are alive until here.
local function anchored() end

local function checkKey(k)
   if k == nil or k ~= k then
      raise(('tds.Hash: %s cannot be a key'):format(k == nil and 'nil' or 'NaN (not a number)'))
   end
end

--- The value of a key, or nil.
-- @usage hash[key] -> value
function mt.__index(self, k)
   local kind, calls = type(k), reading.calls
   local isKnown, found = false, nil
   if kind == 'number' then
      isKnown, found = known(C.tds_hash_read_n(self.__tds_handle, k, reading), calls)
   elseif kind == 'string' then
      isKnown, found = known(C.tds_hash_read_s(self.__tds_handle, k, #k, reading), calls)
   end
   if isKnown then
      return found
   end
   checkKey(k)
   local key, value = Elem(), Elem()
   local anchor = set(key, k, 'tds.Hash')
   C.tds_hash_get(self.__tds_handle, key, value)
   C.tds_discard(key)
   anchored(anchor)
   return get(value)
end

--- Store a value; nil takes the key out.
-- @usage hash[key] = value
-- @raise "tds.Hash: a table cannot be stored; ... make a tds.Hash or tds.Vec of the table"
function mt.__newindex(self, k, v)
   local keyKind, valueKind = type(k), type(v)
   if valueKind == 'number' then
      if keyKind == 'number' and k == k then
         return check(C.tds_hash_set_nn(self.__tds_handle, k, v))
      elseif keyKind == 'string' then
         return check(C.tds_hash_set_sn(self.__tds_handle, k, #k, v))
      end
   elseif valueKind == 'string' and keyKind == 'number' and k == k then
      return check(C.tds_hash_set_ns(self.__tds_handle, k, v, #v))
   end
   checkKey(k)
   local key, value = Elem(), Elem()
   local anchor = set(value, v, 'tds.Hash')
   local ok, message = pcall(set, key, k, 'tds.Hash')
   if not ok then
      C.tds_discard(value)
      error(message, 0)
   end
   check(C.tds_hash_set(self.__tds_handle, key, value))
   anchored(anchor, message)
end

--- How many keys there are.
-- @usage #hash -> n
function mt.__len(self)
   return tonumber(C.tds_hash_size(errors.held(self.__tds_handle, 'tds.Hash')))
end

--- Keys and values, in the order in which the keys came. Values may be changed and keys taken out
-- on the way; a new key leaves it open what comes.
-- @usage for key, value in pairs(hash) do ... end
function mt.__pairs(self)
   local place, k, v = 0, Elem(), Elem()
   return function()
      place = tonumber(C.tds_hash_next(self.__tds_handle, place, k, v))
      if place < 0 then
         place = 2 ^ 53
         return nil
      end
      return get(k), get(v)
   end
end

function mt.__tostring(self)
   return show.hash(self)
end

local function fill(self, source)
   for k, v in pairs(source) do
      self[k] = elem.converted(v)
   end
end

--- A hash table for keys and values of any kind that tds stores, outside of Lua's memory, which
-- threads may share. Tables in a table become tds.Vec (of numbered elements) or tds.Hash.
--
-- Every string is a key: there are no methods. Tensors as keys are the same key when they are the
-- same view of the same memory. Each access is atomic; for several together threads take a lock.
-- @param[opt] source table or tds.Hash
-- @usage tds.Hash([table|hash]) -> hash
-- @example
-- local tds = require 'tds'
-- local h = tds.Hash { one = 1, list = { 'a', 'b' } }
-- h.one, h.list[2], #h --> 1, 'b', 2
local function construct(source)
   if source ~= nil and type(source) ~= 'table' and class.typename(source) ~= 'tds.Hash' then
      raise('tds.Hash: expected nothing, a table or a tds.Hash, got ' .. class.type(source))
   end
   local self = make()
   if source ~= nil then
      fill(self, source)
   end
   return self
end

function mt.__write(self, file)
   file:writeLong(#self)
   for k, v in pairs(self) do
      file:writeObject(k)
      file:writeObject(v)
   end
end

function mt.__read(self, file)
   for _ = 1, file:readLong() do
      local k = file:readObject()
      local v = file:readObject()
      self[k] = v
   end
end

make = elem.container(mt, {
   struct = 'tds_HashRef', pointer = 'tds_hash *', create = C.tds_hash_new,
   retain = C.tds_hash_retain, release = C.tds_hash_free,
   share = C.tds_hash_share, gone = C.tds_hash_gone(),
})

return construct
