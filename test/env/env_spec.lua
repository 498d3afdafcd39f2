-- `require 'env'` under plain LuaJIT, which th's paths lead to, and under th.
local support = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'

describe('env', function()
   it('gives what th gives to a script that luajit runs', function()
      support.with_folder(function(folder)
         local output, status = support.run(
            ('eval "$(%s --env)"; cd / && luajit %s/main.lua'):format(th, folder))
         assert.same({ '{\n  1 : 5\n  name : x\n}\n2\ttable\ttable\ttable\tfunction\n', 0 },
            { output, status })
      end, {
         ['main.lua'] = [[
require 'env'
print { 5, name = 'x' }
print(torch.ones(2):sum(), type(dok), type(xlua), type(require './part'), type(who))]],
         ['part.lua'] = 'return {}',
      })
   end)

   it('changes nothing under th', function()
      local code = 'local p, r = print, require; print(require "env", p == print and r == require)'
      assert.same({ 'true\ttrue\n', 0 }, { support.run(th .. ' -e ' .. support.quoted(code)) })
   end)
end)
