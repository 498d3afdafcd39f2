-- Layers of windows against PyTorch's, in double: oracle.py has written oracle.lua.
local torch = require 'torch'
local nn = require 'nn'
local oracle = require 'test.nn.pooling.oracle'

-- As in oracle.py.
local function wave(sizes, phase)
   local x = torch.Tensor(torch.LongStorage(sizes))
   local n = x:nElement()
   return x:copy(torch.range(1, n):mul(0.7):add(phase):sin():viewAs(x))
end

local function make(text)
   return setfenv(assert(loadstring('return ' .. text)), {
      nn = nn,
      pool2 = nn.Sequential():add(nn.SpatialMaxPooling(2, 2)),
      pool3 = nn.Sequential():add(nn.VolumetricMaxPooling(2, 2, 2)),
   })()
end

-- Both round in the last digits, and sum in other orders.
local function near(expected, got, what)
   local difference = (torch.Tensor(expected):viewAs(got) - got):abs():max()
   assert.is_true(difference <= 1e-12, ('%s differs by %g'):format(what, difference))
end

describe('PyTorch agrees with', function()
   for _, case in ipairs(oracle) do
      it(case.make, function()
         local layer, x = make(case.make), wave(case.x, 0.3)
         local y = layer:forward(x)
         assert.same(case.size, y:size():totable())
         near(case.y, y, 'the output')
         near(case.gx, layer:backward(x, wave(case.size, 1.3)), 'gradInput')
      end)
   end
end)
