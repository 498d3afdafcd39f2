--- Where arrays are read from: a part of a file, or a packed member of an archive.
-- @module npy.sources
local ffi = require 'ffi'
local storages = require 'torch.Storage'
local types = require 'torch.types'
local zlib = require 'torch.io.zlib'

local M = {}

local PIECE = 2 ^ 18 -- packed bytes read at a time

-- --- bytes of a file as they are ----------------------------------------------------------------

local Plain = {}
Plain.__index = Plain

--- Bytes first .. first + size - 1 of a file.
-- @param file torch.io.contents
-- @param[opt] member table of npy.zip, whose checksum is looked at
function M.plain(file, first, size, member)
   return setmetatable({ file = file, at = first, remaining = size, member = member, sum = 0 },
      Plain)
end

-- Where in the archive: for messages.
local function fail(self, message, ...)
   if self.member then
      self.file:fail("the member '%s': " .. message, self.member.shown, ...)
   end
   self.file:fail(message, ...)
end

Plain.fail = fail

local function advance(self, n)
   self.at, self.remaining = self.at + n, self.remaining - n
end

function Plain:text(n)
   local text = self.file:text(self.at, n)
   if self.member then
      self.sum = zlib.crc(self.file.operation, self.sum, text, n)
   end
   advance(self, n)
   return text
end

function Plain:elements(number, count, map)
   local bytes = count * types.sizes[number]
   local storage = self.file:elements(number, self.at, count, map)
   if map then
      self.member = nil -- a checksum would touch all pages
   elseif self.member then
      self.sum = zlib.crc(self.file.operation, self.sum, storage:data(), bytes)
   end
   advance(self, bytes)
   return storage
end

-- --- packed bytes -------------------------------------------------------------------------------

local Packed = { fail = fail }
Packed.__index = Packed

--- A packed member, whose unpacked bytes are `remaining`.
function M.packed(file, first, member)
   local buffer = ffi.new('uint8_t[?]', PIECE)
   local at, left = first, member.packed
   local inflate = zlib.inflater(file.operation, function()
      local n = math.min(left, PIECE)
      file:read(buffer, at, n)
      at, left = at + n, left - n
      return buffer, n
   end)
   return setmetatable({
      file = file, member = member, remaining = member.size, sum = 0, inflate = inflate,
   }, Packed)
end

local function fill(self, to, n)
   local got, problem = self.inflate(to, n)
   if not got then
      self:fail('its packed data are damaged: %s', problem)
   elseif got < n then
      self:fail('its packed data end after %.0f of %.0f bytes',
         self.member.size - self.remaining + got, self.member.size)
   end
   self.sum = zlib.crc(self.file.operation, self.sum, to, n)
   self.remaining = self.remaining - n
end

function Packed:text(n)
   local memory = ffi.new('uint8_t[?]', math.max(n, 1))
   fill(self, memory, n)
   return ffi.string(memory, n)
end

function Packed:elements(number, count)
   local storage = storages.allocate(number, count)
   fill(self, storage:data(), count * types.sizes[number])
   return storage
end

return M
