-- Thousands of damaged files: each is read, or refused with a message, as test/fuzz/safetensors.lua
-- says.
local lfs = require 'lfs'
local mutations = require 'test.support.mutations'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local safetensors = require 'safetensors'
local target = require 'test.fuzz.safetensors'

local FOLDER = 'test/data/safetensors/'

describe('damaged safetensors files', function()
   for name in lfs.dir(FOLDER) do
      if name:match '%.safetensors$' then
         it('like ' .. name .. ' are read or refused', function()
            mutations.survived(target, shell.read(FOLDER .. name), 300, #name, 1024)
         end)
      end
   end

   it('cut anywhere are refused', function()
      local text = shell.read(FOLDER .. 'torch.safetensors')
      shell.with_folder(function(folder)
         for length = 0, #text - 1 do
            local file = assert(io.open(folder .. '/x', 'wb'))
            file:write(text:sub(1, length))
            file:close()
            raises("safetensors.load: '", safetensors.load, folder .. '/x')
            raises("safetensors.load: '", safetensors.load, folder .. '/x', { map = true })
         end
      end)
   end)
end)
