local shell = require 'test.support.shell'

describe('classes that few programs need', function()
   -- In a process of its own: here all are defined before the first spec.
   local function fresh(code)
      return (shell.run('luajit -e ' .. shell.quoted("require 'torch' " .. code)))
   end

   it('are loaded when they are used', function()
      local text = fresh [[
         io.write(tostring(package.loaded['torch.tester.Tester']), ' ', tostring(torch.Tester), ' ')
         io.write(torch.type(torch.Tester()), ' ', type(torch.CmdLine.option), ' ')
         io.write(type(package.loaded['torch.CmdLine']))
      ]]
      assert.equal('nil torch.Tester torch.Tester function table', text)
   end)

   it('may be parents, and be made by their names', function()
      local text = fresh [[
         local Mine = torch.class('Mine', 'torch.Tester')
         function Mine:twice() return 2 end
         io.write(type(_G.Mine().eq), ' ')
         io.write(tostring(torch.isTypeOf(_G.Mine(), 'torch.Tester')), ' ')
         io.write(tostring(torch.getmetatable 'torch.CmdLine' ~= nil))
      ]]
      assert.equal('function true true', text)
   end)

   it('are there for help, names and loops over a package', function()
      assert.matches('CmdLine', fresh "torch.help 'torch.CmdLine'")
      local text = fresh [[
         local names = {}
         for name in pairs(torch) do names[#names + 1] = name end
         io.write(' ', table.concat(names, ' '), ' ')
         io.write(table.concat(require('trepl.members').names(torch.Tester), ' '), ' ')
      ]]
      for name in ('CmdLine Tester TestSuite einsum ops assertTensorEq'):gmatch '%S+' do
         assert.matches(' ' .. name .. ' ', text, 1, true)
      end
   end)

   it('keep what a script puts in their place', function()
      assert.equal('mine', fresh [[
         torch.einsum = function() return 'mine' end
         torch.CmdLine = 'mine'
         require('torch.class.deferred').finish()
         io.write(torch.einsum() == torch.CmdLine and 'mine' or 'theirs')
      ]])
   end)

   it('keep methods that a script replaces before it uses the class', function()
      assert.equal('mine true', fresh [[
         torch.getmetatable 'torch.Tester'.run = function() return 'mine' end
         torch.CmdLine.text = function() return true end
         io.write(torch.Tester():run(), ' ', tostring(torch.CmdLine():text()))
      ]])
   end)

   it("may be required by their module's name", function()
      assert.equal('true xlua.OptionParser torch.CmdLine torch.Tester', fresh [[
         local xlua = require 'xlua'
         io.write(tostring(require 'xlua.OptionParser' == xlua.OptionParser))
         io.write(' ', torch.type(xlua.OptionParser('')))
         require 'torch.CmdLine'
         require 'torch.tester.Tester'
         io.write(' ', torch.type(torch.CmdLine()), ' ', torch.type(torch.Tester()))
      ]])
   end)

   it('can be asked for again when loading was interrupted', function()
      local text = fresh [[
         local real = require
         require = function() error 'interrupted' end
         io.write(tostring(pcall(torch.Tester)), ' ')
         require = real
         io.write(torch.type(torch.Tester()))
      ]]
      assert.equal('false torch.Tester', text)
   end)
end)
