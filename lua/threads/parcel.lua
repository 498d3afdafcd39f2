--- What a message refers to instead of copying it: objects of the process, each with a reference of
-- the message's own, which is let go when the message has been read or dropped.
--
-- A class takes part by two methods, which stand for `write` and `read` in messages that share:
-- `__share(object, file)` calls `file.sharing_:add` and writes the place it gives, and
-- `__unshare(object, file)` reads that and asks `file.sharing_:get`.
-- @module threads.parcel
local ffi = require 'ffi'
local threads = require 'threads.ffi'

local C = threads.C

local Parcel = {}
Parcel.__index = Parcel

local M = {}

--- A parcel that is being filled; there is none in C until something is added.
function M.new()
   return setmetatable({ id = 0 }, Parcel)
end

--- The parcel of a message that has come.
function M.of(id)
   return setmetatable({ id = id }, Parcel)
end

local function number(self)
   if self.id == 0 then
      self.id = C.threads_parcel_new()
   end
   return self.id
end

--- Put an object in, with a reference that release(object) gives back.
-- @string kind what `get` must name
-- @return its place, to be written into the message
function Parcel:add(kind, object, release)
   local place = C.threads_parcel_add(number(self), kind, ffi.cast('void *', object), release)
   if place < 0 then
      release(object)
      error('not enough memory', 0)
   end
   return place
end

--- Put a tensor in; its memory stays where it is from now on.
-- @return its place
function Parcel:addTensor(x)
   local place = C.threads_parcel_addTensor(number(self), x)
   if place < 0 then
      error('not enough memory', 0)
   end
   return place
end

--- Make x a handle of the tensor at a place.
-- @return x
function Parcel:tensor(place, x)
   if not C.threads_parcel_tensor(self.id, place, x) then
      error(('this message does not share a tensor (object %d)'):format(place), 0)
   end
   return x
end

--- The object at a place; who keeps it takes a reference.
function Parcel:get(place, kind)
   local object = C.threads_parcel_get(self.id, place, kind)
   if object == nil then
      error(('this message does not share a %s (object %d)'):format(kind, place), 0)
   end
   return object
end

return M
