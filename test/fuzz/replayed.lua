--- Specs of a fuzz target: what it found once, and a corpus of inputs that together reach what it
-- reached.
local torch = require 'torch'
local lfs = require 'lfs'
local shell = require 'test.support.shell'

--- @func it busted's
-- @string name the target's
return function(it, name)
   local target = require('test.fuzz.' .. name)
   local folder = 'test/data/fuzz/' .. name

   for file in lfs.dir(folder) do
      if not file:match '^%.' then
         it('keeps its promises for ' .. file, function()
            target.one(shell.read(folder .. '/' .. file))
         end)
      end
   end

   it('keeps its promises for the corpus', function()
      local inputs = torch.load(folder .. '.t7')
      for i, input in ipairs(inputs) do
         local ok, message = pcall(target.one, input)
         assert(ok, ('input %d of %d: %s'):format(i, #inputs, tostring(message)))
      end
   end)
end
