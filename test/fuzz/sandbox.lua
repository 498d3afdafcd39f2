--- Runs a reader and looks at what it takes: memory, bytecode, and whether it runs that.
local ffi = require 'ffi'
local torch = require 'torch'
local bytecode = require 'torch.serialize.bytecode'

local M = {}

--- A file of this process alone, in memory.
ffi.cdef 'int torch_fuzz_getpid(void) __asm__("getpid");'
M.path = ('/dev/shm/torch-fuzz-%d'):format(ffi.C.torch_fuzz_getpid())

-- Bytes of Lua's own per byte of the file, and for the call as such; a nested object of three ints
-- is a table and a share of a coroutine.
local PER_BYTE, FIXED = 256, 2 ^ 18
-- A storage of doubles from text takes 8 bytes for a digit and a space.
local STORED_PER_BYTE, STORED_FIXED = 8, 2 ^ 16
-- What a stream of unknown length is given at first: a million elements, a megabyte of text.
local FIRST_PIECE, FIRST_TEXT = 8 * 2 ^ 20, 2 ^ 20

local stored

local sizes = {
   Byte = 1, Char = 1, Short = 2, Int = 4, Long = 8, Half = 2, BFloat16 = 2, Float = 4, Double = 8,
}

-- A reader takes memory for elements by resizing storages. Returns a function that ends the count.
local function countStored()
   stored = 0
   local originals = {}
   for name, size in pairs(sizes) do
      local methods = torch.getmetatable('torch.' .. name .. 'Storage')
      local resize = methods.resize
      originals[methods] = resize
      methods.resize = function(self, n)
         stored = stored + math.max(n, 0) * size
         return resize(self, n)
      end
   end
   return function()
      for methods, resize in pairs(originals) do
         methods.resize = resize
      end
   end
end

local trap = setmetatable({}, {
   __index = function()
      error 'code from the file ran'
   end,
   __newindex = function()
      error 'code from the file ran'
   end,
})

local function guardedLoad(original, allowed)
   return function(code, name, mode, env)
      assert(allowed, 'bytecode was loaded in spite of loadFunctions = false')
      assert(mode == 'b', 'text was loaded as code')
      assert(bytecode.check(code), 'unsound bytecode was loaded')
      local f, reason = original(code, name, mode, env)
      if f then
         setfenv(f, trap)
      end
      return f, reason
   end
end

--- f(...) without the warnings that it prints.
function M.quietly(f, ...)
   local stderr = io.stderr
   rawset(io, 'stderr', { write = function() end })
   local ok, message = pcall(f, ...)
   rawset(io, 'stderr', stderr)
   if not ok then
      error(message, 0)
   end
end

--- Call read().
-- @param functions boolean: may bytecode be loaded?
-- @param length number: bytes of the file
-- @param unknownLength boolean: the stream cannot tell `length`
-- @return what pcall returns
-- @raise when read() did what it must not
function M.run(read, functions, length, unknownLength)
   local load = _G.load
   rawset(_G, 'load', guardedLoad(load, functions))
   local uncount = countStored()
   collectgarbage 'stop'
   local before = collectgarbage 'count'
   local ok, result = pcall(read)
   local taken = (collectgarbage 'count' - before) * 1024
   collectgarbage 'restart'
   uncount()
   rawset(_G, 'load', load)
   assert(taken <= FIXED + PER_BYTE * length + (unknownLength and FIRST_TEXT or 0),
      ('%.0f bytes of Lua memory for a file of %d bytes'):format(taken, length))
   local most = STORED_FIXED + STORED_PER_BYTE * length + (unknownLength and FIRST_PIECE or 0)
   assert(stored <= most, ('%.0f bytes of storages for a file of %d bytes'):format(stored, length))
   return ok, result
end

local inputs = 0

--- After an input: Lua's memory does not grow from one to the next.
function M.tidy()
   inputs = inputs + 1
   if inputs % 256 == 0 then
      collectgarbage()
   end
end

return M
