--- A file's bytes by their places, in memory or mapped: for formats that say where their data lie.
--
-- Errors name the operation and the file, and blame the user's line.
-- @module torch.io.contents
local ffi = require 'ffi'
local class = require 'torch.class'
local errors = require 'torch.errors'
local reasons = require 'torch.io.reasons'
local stdio = require 'torch.io.stdio'
local storages = require 'torch.Storage'
local th = require 'torch.ffi'
local types = require 'torch.types'

local M = {}

local Contents = {}
Contents.__index = Contents

local BYTE = 0

--- Open a file that has a size.
-- @string operation for messages
-- @string path
-- @return an object with `size` (bytes) and the methods below
function M.open(operation, path)
   if type(path) ~= 'string' then
      errors.raise(('%s: expected a file name, got %s'):format(operation,
         path == nil and 'nil' or 'a ' .. class.type(path)))
   end
   local stream, reason = stdio.open(path, 'r')
   if not stream then
      reasons.cannotOpen(operation, path, 'r', reason)
   end
   local self = setmetatable({ operation = operation, path = path, stream = stream }, Contents)
   self.size = stream:remaining()
   if not self.size and stream.seekable then
      self.size = 0
   elseif not self.size then
      self:fail('it is a pipe or a terminal; expected a file, in which one can go to and fro')
   end
   return self
end

--- Close the file, and raise an error. What the message quotes of the file can always be printed.
-- @string message
-- @param ... as for string.format
function Contents:fail(message, ...)
   self:close()
   local text = message:format(...):gsub('[%c\127-\255]', '?')
   errors.raise(("%s: '%s': %s"):format(self.operation, self.path, text))
end

--- Fill memory. What is not there is an error.
-- @param to pointer
-- @int at first byte, from 0
-- @int n bytes
function Contents:read(to, at, n)
   local stream = self.stream
   if at + n > self.size or not stream:seek(at) or stream:read(to, n) < n then
      self:fail('read error: %s', stream.failure
         or ('the data end before byte %.0f'):format(at + n))
   end
end

--- Bytes as a string; the caller bounds their number.
function Contents:text(at, n)
   local memory = ffi.new('uint8_t[?]', math.max(n, 1))
   self:read(memory, at, n)
   return ffi.string(memory, n)
end

-- The whole file as bytes. Changes reach it when it is `shared`.
local function mapped(self, shared)
   self.bases = self.bases or {} -- what is shared, and what is not, apart
   if not self.bases[shared] then
      self.bases[shared] = types.storages[BYTE].new(self.path, shared)
      if #self.bases[shared] < self.size then
         self:fail('it became shorter while it was read')
      end
   end
   return self.bases[shared]
end

--- Elements as a storage of their own.
-- @int number of the storage's class
-- @int at first byte, from 0
-- @int count of elements; the caller has compared it with `size`
-- @param map nil, false: read into memory; true: the file's pages, changes stay in this process;
-- 'shared': the file's pages, changes reach the file. Elements that do not lie at a multiple of
-- their size are read all the same, which is an error for 'shared'.
function Contents:elements(number, at, count, map)
   local size = types.sizes[number]
   if map and count > 0 then
      if at % size == 0 then
         return storages.viewAs(number, mapped(self, map == 'shared'), at, count)
      elseif map == 'shared' then
         self:fail("elements of %d bytes begin at byte %.0f, no multiple of it: they cannot be "
            .. "used in place. Leave out map = 'shared'", size, at)
      end
   end
   local storage = storages.allocate(number, count)
   self:read(th.elements(storage), at, count * size)
   return storage
end

function Contents:close()
   if self.stream then
      self.stream:close()
      self.stream = nil
   end
end

return M
