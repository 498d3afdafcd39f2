-- Thousands of damaged files: each is read, or refused with a message, as test/fuzz/npy.lua says.
local lfs = require 'lfs'
local mutations = require 'test.support.mutations'
local shell = require 'test.support.shell'
local target = require 'test.fuzz.npy'

local FOLDER = 'test/data/npy/'

describe('damaged NumPy files', function()
   for name in lfs.dir(FOLDER) do
      if name:match '%.np[yz]$' then
         it('like ' .. name .. ' are read or refused', function()
            mutations.survived(target, shell.read(FOLDER .. name), 60, #name, 256)
         end)
      end
   end

   -- What libFuzzer found: a header whose key looks like a place in a Lua file, which the message
   -- quotes.
   it('may say what looks like a mistake of the reader', function()
      target.one("\0\147NUMPY\1\0\34\0{'descr': '<f8', 'x.lua:51: y': 1, }")
   end)

   it('cut anywhere are refused', function()
      local npy, raises = require 'npy', require 'test.support.raises'
      for _, name in ipairs { 'f4.npy', 'packed.npz', 'stored.npz' } do
         local text = shell.read(FOLDER .. name)
         shell.with_folder(function(folder)
            for length = 0, #text - 1 do
               local file = assert(io.open(folder .. '/x', 'wb'))
               file:write(text:sub(1, length))
               file:close()
               raises("npy.load: '", npy.load, folder .. '/x')
               raises("npy.load: '", npy.load, folder .. '/x', { map = true })
            end
         end)
      end
   end)
end)
