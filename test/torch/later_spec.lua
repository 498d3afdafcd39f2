local torch = require 'torch'
local shell = require 'test.support.shell'

describe('what few programs need', function()
   -- In a process of its own: here other specs have named everything.
   local function fresh(code)
      return (shell.run('luajit -e ' .. shell.quoted("require 'torch' " .. code)))
   end

   it('is loaded when it is named', function()
      local text = fresh [[
         io.write(tostring(rawget(torch, 'Tester')), ' ', tostring(package.loaded['torch.Tester']))
         io.write(' ', torch.type(torch.Tester()), ' ', tostring(rawget(torch, 'Tester')))
      ]]
      assert.equal('nil nil torch.Tester torch.Tester', text)
   end)

   it('is found by the name of its class', function()
      local text = fresh [[
         local mine = torch.class('Mine', 'torch.Tester')
         io.write(torch.type(Mine()), ' ', tostring(torch.isTypeOf(Mine(), 'torch.Tester')))
         io.write(' ', torch.type(torch.factory 'torch.CmdLine'()))
      ]]
      assert.equal('Mine true torch.CmdLine', text)
   end)

   it('is there for help and near names', function()
      assert.matches("Einstein's sum", fresh "torch.help 'einsum'")
      local text = fresh "io.write(table.concat(require('trepl.members').names(torch), ' '))"
      for _, name in ipairs { 'CmdLine', 'Tester', 'TestSuite', 'einsum', 'ops' } do
         assert.matches(' ' .. name .. ' ', ' ' .. text .. ' ', 1, true)
      end
   end)

   it('leaves names that nobody has as they are', function()
      assert.is_nil(torch.nothingOfThatName)
      assert.is_nil(torch.getmetatable 'torch.NothingOfThatName')
      assert.is_nil(torch.getmetatable 'nothing.of.that.name')
   end)
end)
