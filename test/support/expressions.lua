--- Calls written as text, such as 'x:narrow(1, 2, 2)', and what they give.
local torch = require 'torch'

local M = {}

-- Fresh operands for each call.
local function environment()
   local x = torch.range(1, 12):resize(3, 4)
   local env = {
      torch = torch, x = x, y = x:clone():add(0.5), v = torch.range(1, 5), r = torch.Tensor(),
      b = torch.range(1, 18):resize(2, 3, 3), c = torch.range(1, 18):resize(2, 3, 3),
      d = torch.range(2, 19):resize(2, 3, 3), k = x:int(), l = torch.IntTensor(),
      s = torch.DoubleStorage { 1, 2, 3, 4, 5, 6, 7, 8 }, u = torch.range(1, 3),
      q = torch.DoubleTensor { { 4, 1, 0 }, { 1, 5, 1 }, { 0, 1, 6 } },
      i = torch.LongTensor { 3, 1, 2 }, j = torch.LongTensor { { 1, 2, 3, 1 } },
   }
   function env.put(t, key, value)
      t[key] = value
      return t
   end
   return env
end

-- What an expression gives, as text: exact, types and sizes included.
local function show(value)
   if torch.isTensor(value) or torch.isStorage(value) then
      local shape = torch.isTensor(value) and value:size():totable() or { #value }
      return ('%s %s {%s}'):format(torch.type(value), table.concat(shape, 'x'),
         show(value:totable()))
   elseif type(value) == 'table' then
      local list = {}
      for i = 1, #value do
         list[i] = show(value[i])
      end
      return table.concat(list, ', ')
   elseif type(value) == 'number' then
      return ('%.17g'):format(value)
   end
   return type(value) .. ' ' .. tostring(value)
end

--- What an expression gives, as text.
function M.evaluate(text)
   torch.manualSeed(1)
   local chunk = assert(loadstring('return ' .. text))
   return show { setfenv(chunk, environment())() }
end

return M
