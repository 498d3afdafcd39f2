-- What the fuzz target found once, and inputs that reach much of the code.
local lfs = require 'lfs'
local target = require 'test.fuzz.index'

local folder = 'test/data/fuzz/index/'

describe('index expressions', function()
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
end)
