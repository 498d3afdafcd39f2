local optim = require 'optim'
local torch = require 'torch'

local read = require 'test.support.shell'.read

describe('optim.Logger', function()
   local path

   before_each(function()
      path = os.tmpname()
   end)

   after_each(function()
      os.remove(path)
   end)

   it('writes names and rows', function()
      local logger = optim.Logger(path)
      logger:setNames { 'train', 'test' }
      logger:add { 0.5, 1e-10 }
      logger:add { test = 2, train = 'n/a' }
      assert.equal('train\ttest\t\n 5.0000e-01\t 1.0000e-10\t\nn/a\t 2.0000e+00\t\n', read(path))
      assert.same({ 0.5 }, logger.symbols[1])
      assert.same({ 1e-10, 2 }, logger.symbols[2])
   end)

   it('goes on with a file that is there, as a resumed training does', function()
      optim.Logger(path):setNames { 'loss' }:add { 1 }
      optim.Logger(path):setNames { 'loss' }:add { 2 }
      assert.equal('loss\t\n 1.0000e+00\t\n 2.0000e+00\t\n', read(path))
      optim.Logger(path):setNames { 'error' }:add { 3 } -- other columns get their names
      assert.equal('loss\t\n 1.0000e+00\t\n 2.0000e+00\t\nerror\t\n 3.0000e+00\t\n', read(path))
   end)

   it('says once that it cannot plot, where gnuplot is not installed', function()
      local printed, print = {}, _G.print
      _G.print = function(...) printed[#printed + 1] = (...) end
      finally(function()
         _G.print = print
         package.preload.gnuplot = nil
      end)
      package.loaded.gnuplot = nil
      package.preload.gnuplot = function() error 'not here' end
      local logger = optim.Logger(path):setNames { 'loss' }
      for i = 1, 3 do
         logger:add { i }
         logger:plot()
      end
      assert.same({ 'optim.Logger: cannot plot: the Lua package gnuplot is not installed' },
         printed)
   end)

   it('begins a new line after one that was cut off', function()
      local file = assert(io.open(path, 'w'))
      file:write('loss\t\n 1.00')
      file:close()
      optim.Logger(path):setNames { 'loss' }:add { 2 }
      assert.equal('loss\t\n 1.00\n 2.0000e+00\t\n', read(path))
   end)

   it('writes on after it was saved and loaded', function()
      local logger = optim.Logger(path):setNames { 'loss' }:add { 1 }
      logger.file:close()
      logger.file = nil
      logger = torch.deserialize(torch.serialize(logger))
      logger:add { 2 }
      assert.equal('loss\t\n 1.0000e+00\t\n 2.0000e+00\t\n', read(path))
      assert.same({ { 1, 2 } }, logger.symbols)
   end)

   it('makes the folder, and puts a time behind the name', function()
      os.remove(path)
      optim.Logger(path .. '/a/train.log', true):setNames { 'loss' }:add { 1 }
      local list = io.popen('ls ' .. path .. '/a')
      local name = list:read '*a'
      list:close()
      os.execute('rm -r ' .. path)
      assert.matches('^train%.log%-%d%d%d%d_%d%d_%d%d_%d%d:%d%d:%d%d\n$', name)
   end)

   it('takes the names from the first row', function()
      local logger = optim.Logger(path):add { loss = 1, accuracy = 0.5 }
      assert.same({ 'accuracy', 'loss' }, logger.names)
      assert.matches('^accuracy\tloss\t\n', read(path))
   end)

   it('keeps styles by column', function()
      local logger = optim.Logger():setNames { 'a', 'b' }
      logger:style { '-', '+' }
      assert.same({ { '-' }, { '+' } }, logger.styles)
      logger:style '~'
      assert.same({ { '~' }, { '~' } }, logger.styles)
   end)

   it('refuses rows with gaps, odd values, and files it cannot write', function()
      local logger = optim.Logger():setNames { 'a', 'b' }
      local _, err = pcall(function() logger:add { a = 1 } end)
      assert.matches('Logger_spec.*optim.Logger: the row has no value for b', err)
      _, err = pcall(function() logger:add { {}, 1 } end)
      assert.matches('a value must be a number or a string, got a table', err)
      _, err = pcall(function() logger:setNames 'a' end)
      assert.matches('setNames wants a table of names, .*, got a string', err)
      _, err = pcall(function() return optim.Logger '/dev/null/log' end)
      assert.matches('optim.Logger: cannot write /dev/null/log', err)
   end)
end)
