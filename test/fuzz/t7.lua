--- Fuzz target: the reader of .t7 bytes.
--
-- The first byte of an input chooses mode, options and the way in; the rest is the file. Whatever
-- it holds, reading it gives an object or an error of the documented form, takes memory in
-- proportion to the bytes that are there, and runs nothing of them. What was read can be written,
-- and reads as the same object again.
local torch = require 'torch'
require 'nn' -- classes with read methods of their own
local bit = require 'bit'
local graph = require 'test.fuzz.graph'
local sandbox = require 'test.fuzz.sandbox'

local M = {}

local modes = { [0] = 'binary', 'ascii', 'b32', 'binary' }

-- How the bytes come in; each returns a function that reads, and the name that errors begin with.
local ways = {}

ways[0] = function(text, mode, options)
   return function()
      return torch.deserialize(text, mode, options)
   end, 'torch.deserialize'
end

ways[1] = function(text, mode, options)
   local storage = torch.CharStorage():string(text)
   return function()
      return torch.deserializeFromStorage(storage, mode, options)
   end, 'torch.deserializeFromStorage'
end

local function setMode(file, mode)
   if mode == 'ascii' then
      return file:ascii()
   end
   return file:binary():longSize(mode == 'b32' and 4 or 8)
end

-- Several objects of one file, with what they share; every second one without references.
ways[2] = function(text, mode, options)
   local file = setMode(torch.MemoryFile(torch.CharStorage():string(text .. '\0'), 'r'), mode)
   file:referenced(#text % 2 == 0):loadFunctions(options.loadFunctions)
   return function()
      local objects = {}
      while file:position() <= #text and #objects < 8 do
         objects[#objects + 1] = file:readObject()
         objects[#objects + 1] = false -- keeps the length when the object is nil
      end
      return objects
   end, 'readObject'
end

-- A stream that does not know its length, as a pipe.
ways[3] = function(text, mode, options)
   local path = sandbox.path
   local out = assert(io.open(path, 'wb'))
   out:write(text)
   out:close()
   local file = setMode(torch.DiskFile(path, 'r'), mode):loadFunctions(options.loadFunctions)
   os.remove(path) -- it lives as long as it is open
   file.stream_.seekable = false
   return function()
      local object = file:readObject()
      file:close()
      return object
   end, 'readObject'
end

-- What a reader may say about damaged bytes never stems from Lua itself.
local function checkMessage(message, operation, length)
   assert(type(message) == 'string', 'an error that is no text')
   local user, place, reason = message:match(
      '^([^\n]-test/fuzz/%w+%.lua:%d+): ' .. operation .. ': [^\n]-, byte (%d+): (.*)$')
   assert(user, 'an error of another form: ' .. message)
   place = tonumber(place)
   assert(place >= 1 and place <= length + 1, 'a byte that the file does not have: ' .. message)
   assert(#reason < 400 and not reason:match '[%z\1-\8\11-\31]', 'not to be printed: ' .. message)
   for _, pattern in ipairs {
      '%.lua:%d+:', 'attempt to ', 'bad argument', 'cannot convert', 'table index is',
      'stack overflow', 'not enough memory', 'out of memory', 'does not fit into any memory',
   } do
      assert(not reason:match(pattern), 'a mistake of the reader itself: ' .. message)
   end
end

-- Written and read once more, it is the same.
local function checkCopies(object, options)
   local bytes = torch.serialize(object)
   local copy = torch.deserialize(bytes, nil, options)
   local shown = graph.show(object)
   assert(shown == graph.show(copy), 'read again, the object is another one')
   local again = torch.serialize(copy)
   assert(#again == #bytes, 'written again, the bytes are more or fewer')
   -- Entries of the hash part come in any order; numbers of objects with them.
   assert(again == bytes or graph.hashed(object), 'written again, the bytes are others')
   local text = torch.serialize(object, 'ascii')
   assert(shown == graph.show(torch.deserialize(text, 'ascii', options)),
      'read from text, the object is another one')
end

local function one(input)
   local flags, text = input:byte(1) or 0, input:sub(2)
   local options = { loadFunctions = bit.band(flags, 4) == 0 }
   if bit.band(flags, 8) ~= 0 then
      options.device = 'cpu'
   end
   local way = bit.band(bit.rshift(flags, 4), 3)
   local read, operation = ways[way](text, modes[flags % 4], options)
   local ok, result = sandbox.run(read, options.loadFunctions, #text, way == 3)
   if ok then
      checkCopies(result, options)
   else
      checkMessage(result, operation, #text)
   end
   sandbox.tidy()
end

--- One input. Raises what went wrong.
function M.one(input)
   sandbox.quietly(one, input)
end

return M
