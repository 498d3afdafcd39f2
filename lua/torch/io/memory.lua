--- Byte stream over memory: a growing CharStorage, or a string that is only read.
--
-- Shows the window that torch.io.stdio describes; here it is the whole content.
-- @module torch.io.memory
local ffi = require 'ffi'
local th = require 'torch.ffi'

local bytes = ffi.typeof 'uint8_t *'
local FIRST_CAPACITY = 1024

local Memory = { seekable = true, base = 0 }
Memory.__index = Memory

-- The storage's memory may have moved, or the storage may have shrunk, since the last call.
local function look(self)
   self.window = ffi.cast(bytes, self.storage:data())
   local capacity = #self.storage
   if self.limit > 0 then
      self.limit = capacity
   end
   if self.filled > capacity then
      self.filled = capacity
   end
   if self.cursor > capacity then
      self.cursor = capacity
   end
end

-- LuaJIT 2.1.0-beta3 corrupts its heap when a trace avoids ("sinks") the allocation of the pointer
-- that this stores and is left early.
jit.off(look)

--- @param storage CharStorage; written from the start, growing as needed, when `writable`
-- @param size number: content in bytes; the storage may be larger
function Memory.overStorage(storage, size, writable)
   local self = setmetatable({
      storage = storage,
      cursor = 0,
      filled = size,
      limit = writable and #storage or 0,
      writable = writable,
   }, Memory)
   look(self)
   return self
end

--- @param text string, not copied
function Memory.overString(text)
   return setmetatable({
      text = text,
      window = ffi.cast(bytes, ffi.cast('const char *', text)),
      cursor = 0,
      filled = #text,
      limit = 0,
   }, Memory)
end

-- Writing moves the cursor alone; what it passed is content.
local function settle(self)
   if self.cursor > self.filled then
      self.filled = self.cursor
   end
end

--- Called before a public call: memory that others may resize is looked at afresh.
function Memory:refresh()
   if self.storage then
      settle(self)
      look(self)
   end
end

--- What was written is content, and the storage's memory another. Also `synchronize`.
function Memory:flush()
   settle(self)
   if self.writable then
      th.written(self.storage)
   end
   return true
end

Memory.synchronize = Memory.flush

--- Bytes that can be read from the cursor on; all there are.
function Memory:fill()
   settle(self)
   return self.filled - self.cursor
end

--- Have room for n bytes at the cursor, growing the storage.
-- @return the cursor
function Memory:room(n)
   settle(self)
   if self.cursor + n > self.limit then
      local capacity = math.max(FIRST_CAPACITY, 2 * self.limit, self.cursor + n + 1)
      self.storage:resize(capacity)
      self.limit = capacity
      look(self)
   end
   return self.cursor
end

--- Read a block.
-- @return number of bytes read
function Memory:read(to, n)
   n = math.min(n, self:fill())
   ffi.copy(to, self.window + self.cursor, n)
   self.cursor = self.cursor + n
   return n
end

--- Write a block.
function Memory:write(from, n)
   local at = self:room(n)
   ffi.copy(self.window + at, from, n)
   self.cursor = at + n
   return true
end

--- Position of the next byte, from 0.
function Memory:tell()
   return self.cursor
end

--- Bytes from here to the end.
function Memory:remaining()
   return self:fill()
end

--- Go to a position, from 0.
-- @return true, or false with `failure` set beyond the end
function Memory:seek(offset)
   settle(self)
   if offset > self.filled then
      self.failure = ('the content ends at position %d'):format(self.filled + 1)
      return false
   end
   self.cursor = offset
   return true
end

--- Go past the last byte.
function Memory:seekEnd()
   settle(self)
   self.cursor = self.filled
   return true
end

--- Remember this point for `rollback`.
function Memory:mark()
   settle(self)
   self.markedCursor, self.markedFilled = self.cursor, self.filled
end

--- Take back what was written since `mark`.
function Memory:rollback()
   self.cursor, self.filled = self.markedCursor, self.markedFilled
end

--- The content, followed by a NUL, as the storage itself (not a copy).
function Memory:content()
   settle(self)
   if not self.storage then
      return nil
   end
   self.storage:resize(self.filled + 1)
   look(self)
   self.window[self.filled] = 0
   th.written(self.storage)
   return self.storage
end

--- The content as a string.
function Memory:string()
   settle(self)
   return ffi.string(self.window, self.filled)
end

--- Nothing can be lost here.
function Memory:close()
   settle(self)
   self.storage, self.text, self.window = nil, nil, nil
   return true
end

return Memory
