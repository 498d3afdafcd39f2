-- What the fuzz target found once, and a corpus of inputs that together reach what it reached.
local torch = require 'torch'
local lfs = require 'lfs'
local target = require 'test.fuzz.t7'

local folder = 'test/data/fuzz/t7/'

describe('the reader of .t7 bytes', function()
   for name in lfs.dir(folder) do
      if not name:match '^%.' then
         it('keeps its promises for ' .. name, function()
            local file = assert(io.open(folder .. name, 'rb'))
            local input = file:read '*a'
            file:close()
            target.one(input)
         end)
      end
   end

   it('keeps its promises for the corpus', function()
      local inputs = torch.load 'test/data/fuzz/t7.t7'
      for i, input in ipairs(inputs) do
         local ok, message = pcall(target.one, input)
         assert(ok, ('input %d of %d: %s'):format(i, #inputs, tostring(message)))
      end
   end)
end)
