local shell = require 'test.support.shell'

describe("require 'nn'", function()
   it('leaves the collector and the compiler as they were', function()
      for _, compiler in ipairs { 'on', 'off' } do
         local output, status = shell.run('luajit -e ' .. shell.quoted(([[
            require 'torch'
            collectgarbage('setstepmul', 345)
            jit.%s()
            require 'nn'
            local compiles = jit.status() and 'on' or 'off'
            io.write(compiles, ' ', collectgarbage('setstepmul', 200))
         ]]):format(compiler)))
         assert.equal(0, status, output)
         assert.equal(compiler .. ' 345', output)
      end
   end)
end)
