--- Fuzz target: the reader of ONNX models.
--
-- What was read is a net: it prints, and saves.
local onnx = require 'onnx'
local torch = require 'torch'
local foreign = require 'test.fuzz.foreign'

local M = {}

local function one(input)
   local net = foreign.read('onnx.import', input:sub(2), 128, function(path)
      return (onnx.import(path))
   end)
   if net ~= nil then
      assert(#tostring(net) > 0)
      assert(torch.isTypeOf(net, 'nn.Module'), 'a result that is no net')
   end
end

--- One input; its first byte means nothing. Raises what went wrong.
function M.one(input)
   local ok, message = pcall(one, input)
   foreign.tidy()
   if not ok then
      error(message, 0)
   end
end

return M
