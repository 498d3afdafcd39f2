--- Fuzz target: the reader of safetensors bytes.
--
-- The first byte of an input chooses the options; the rest is the file. What was read can be
-- written, and reads as the same tensors again.
local safetensors = require 'safetensors'
local foreign = require 'test.fuzz.foreign'

local M = {}

local maps = { [0] = false, true, 'shared', false }

local function isText(name)
   return pcall(safetensors.save, '/dev/null', { [name] = require('torch').ByteTensor() })
end

local function one(input)
   local flags, text = input:byte(1) or 0, input:sub(2)
   local result = foreign.read('safetensors.load', text, 3, function(path)
      return (safetensors.load(path, { map = maps[flags % 4], shared = flags > 127 }))
   end)
   if result == nil then
      return
   end
   foreign.touch(result)
   for name in pairs(result) do
      if not isText(name) then -- read as it is, and not written
         return
      end
   end
   safetensors.save(foreign.path .. '.s', result, nil, { shared = flags > 127 })
   local again = safetensors.load(foreign.path .. '.s', { shared = flags > 127 })
   for name, t in pairs(result) do
      assert(foreign.same(t, again[name]), 'written and read again, a tensor is another one')
      again[name] = nil
   end
   assert(next(again) == nil, 'a tensor came from nowhere')
end

--- One input. Raises what went wrong.
function M.one(input)
   local ok, message = pcall(one, input)
   foreign.tidy()
   os.remove(foreign.path .. '.s')
   if not ok then
      error(message, 0)
   end
end

return M
