--- Nests of tensors for the specs of onnx.
local torch = require 'torch'

local M = {}

--- Reals as floats, the rest as it is.
function M.float(nest)
   if torch.isTensor(nest) then
      return nest:type() == 'torch.DoubleTensor' and nest:float() or nest:clone()
   end
   local result = {}
   for key, value in pairs(nest) do
      result[key] = M.float(value)
   end
   return result
end

--- A nest's tensors in the order of a file's inputs and outputs: numbers first, then names.
function M.flat(nest, list)
   list = list or {}
   if torch.isTensor(nest) then
      list[#list + 1] = nest
      return list
   end
   local keys = {}
   for key in pairs(nest) do
      keys[#keys + 1] = key
   end
   table.sort(keys, function(a, b)
      return type(a) == type(b) and a < b or type(a) ~= type(b) and type(a) == 'number'
   end)
   for _, key in ipairs(keys) do
      M.flat(nest[key], list)
   end
   return list
end

--- Each tensor twice, one behind the other: a batch of twice the size.
function M.doubled(nest)
   if torch.isTensor(nest) then
      return torch.cat({ nest, nest }, 1)
   end
   local result = {}
   for key, value in pairs(nest) do
      result[key] = M.doubled(value)
   end
   return result
end

return M
