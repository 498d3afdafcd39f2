-- A method without its object, as in x.numel() for x:numel(), and a function of a variable that is
-- nil are errors; C must not read NULL. They run in a process of their own, which tells how it
-- ended.
local support = require 'test.support.shell'
local torch = require 'torch'

local th = os.getenv 'TH_EXECUTABLE'

local WALK = [[
for _, name in ipairs { 'nn', 'tds', 'threads', 'threads.queue', 'torch.profiler' } do
   require(name)
end
local public, last = require 'torch.help.public', io.open('last', 'w')
local ours = { 'torch%.DoubleTensor', 'torch%.DoubleStorage', 'torch%.Profile', 'torch%.Generator',
   'tds%.%a+', 'threads%.%a+' }
local x = torch.ones(2, 3)
local lists = { { n = 0 }, { n = 2, nil, 2 }, { n = 3, nil, x, x }, { n = 1, 'text' },
   { n = 2, {}, x } }
local count = 0
local function call(title, f)
   for i, list in ipairs(lists) do
      last:seek('set', 0)
      last:write(title, ' ', i, (' '):rep(60), '\n')
      last:flush()
      pcall(f, unpack(list, 1, list.n))
      count = count + 1
   end
end
local functions = {}
public.walk(function(title, f)
   for _, class in ipairs(ours) do
      if title:find('^' .. class .. ':%l') then -- the others are C's, or Lua's to call
         functions[#functions + 1] = { title, f }
      end
   end
   if title:find '^torch%.%l%w+$' and require('torch.help.find').tensorMethods()[title:sub(7)] then
      functions[#functions + 1] = { title, f }
   end
end)
for _, it in ipairs(functions) do
   call(it[1], it[2])
end
collectgarbage()
print('called', count)]]

describe('what is called without its object', function()
   it('is an error, and th lives on', function()
      support.with_folder(function(folder)
         local output = support.run(('cd %s && %s walk.lua'):format(folder, th))
         local file = assert(io.open(folder .. '/last'))
         local last = file:read '*l'
         file:close()
         local count = tonumber(output:match 'called%s+(%d+)\n$')
         assert.truthy(count, ('ended at %s:\n%s'):format(last, output))
         assert.is_true(count > 1500, count)
      end, { ['walk.lua'] = WALK })
   end)

   it('is told of by name', function()
      local raises = require 'test.support.raises'
      local x = torch.ones(2)
      raises('nElement: invalid arguments: none', x.numel)
      raises('squeeze: needs a tensor, got none', torch.squeeze, nil)
      raises('isSameSizeAs: invalid arguments: nil DoubleTensor', x.isSameSizeAs, nil, x)
      raises('it is called with a colon: object:method', require('tds').Vec().insert, 'text')
   end)
end)
