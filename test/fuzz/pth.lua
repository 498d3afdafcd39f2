--- Fuzz target: the reader of PyTorch's files.
local pth = require 'pth'
local torch = require 'torch'
local foreign = require 'test.fuzz.foreign'

local M = {}

-- Every element of what was read, cycles included.
local function touch(value, seen)
   if torch.isTensor(value) then
      if value:nElement() > 0 then
         value:double():sum()
      end
   elseif type(value) == 'table' and not seen[value] then
      seen[value] = true
      for _, inner in pairs(value) do
         touch(inner, seen)
      end
   end
end

local function read(text)
   return foreign.read('pth.load', text, 4, function(path)
      local value = pth.load(path)
      return value == nil and 'None' or value
   end)
end

--- Whether bytes are read; raises where a promise is broken.
function M.read(text)
   local ok, result = pcall(read, text)
   foreign.tidy()
   if not ok then
      error(result, 0)
   end
   return result ~= nil
end

--- One input; its first byte means nothing. Raises what went wrong.
function M.one(input)
   local ok, message = pcall(function()
      local result = read(input:sub(2))
      if result ~= nil then
         touch(result, {})
      end
   end)
   foreign.tidy()
   if not ok then
      error(message, 0)
   end
end

return M
