-- Ranges for Nsight: what NVIDIA's library is told, by a stand-in that is compiled here.
local shell = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'

local SCRIPT = [[
local torch = require 'torch'
io.stdout:setvbuf 'no'
local x = torch.ones(3)
torch.profiler(function()
   torch.profiler.range('a name', function() x:add(1) end)
end)
x:mul(2)
]]

describe('ranges of NVTX', function()
   it('are those of the profile: ranges and operations', function()
      shell.with_folder(function(folder)
         assert.same({ '', 0 }, { shell.run(('cc -shared -fPIC -o %s/libnvToolsExt.so.1 '
            .. 'test/torch/profiler/fake_nvtx.c'):format(folder)) })
         local output, status = shell.run(('LD_LIBRARY_PATH=%s %s %s/script.lua'):format(folder, th,
            folder))
         assert.equal(0, status, output)
         assert.equal('0 push a name\n1 push add_value\n1 pop\n0 pop\n', output)
      end, { ['script.lua'] = SCRIPT })
   end)
end)
