--- Fuzz target: the reader of .npy and .npz bytes.
--
-- The first byte of an input chooses the options; the rest is the file. What was read can be
-- written, and reads as the same arrays again.
local torch = require 'torch'
local npy = require 'npy'
local foreign = require 'test.fuzz.foreign'

local M = {}

-- One byte unpacks into 1,032, and uint16 become int32.
local PACKED, PLAIN = 3 * 1032, 4
local maps = { [0] = false, true, 'shared', false }

local function one(input)
   local flags, text = input:byte(1) or 0, input:sub(2)
   local perByte = text:sub(1, 2) == 'PK' and PACKED or PLAIN
   local result = foreign.read('npy.load', text, perByte, function(path)
      return npy.load(path, { map = maps[flags % 4] })
   end)
   foreign.read('npy.info', text, PLAIN, npy.info)
   if result == nil then
      return
   end
   local tensors = torch.isTensor(result) and { x = result } or result
   foreign.touch(tensors)
   npy.savez(foreign.path .. '.npz', tensors, { compress = flags > 127 })
   local again = npy.load(foreign.path .. '.npz')
   for name, t in pairs(tensors) do
      assert(foreign.same(t, again[name]), 'written and read again, an array is another one')
      again[name] = nil
   end
   assert(next(again) == nil, 'an array came from nowhere')
end

--- One input. Raises what went wrong.
function M.one(input)
   local ok, message = pcall(one, input)
   foreign.tidy()
   os.remove(foreign.path .. '.npz')
   if not ok then
      error(message, 0)
   end
end

return M
