local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

-- Large enough for weights in other forms: by tiles, and by oneDNN.
local LAYERS = {
   { 'by tiles', function() return nn.SpatialConvolution(16, 20, 3, 3, 1, 1, 1, 1) end, 24 },
   { 'in blocks', function() return nn.SpatialConvolution(64, 32, 3, 3, 2, 2, 1, 1) end, 14 },
}

-- By the definition: a sum over the kernel's elements.
local function convolve(layer, x)
   local w, y = layer.weight:double(), layer.output:double():zero()
   local padded = nn.SpatialZeroPadding(1, 1, 1, 1):double():forward(x:double())
   local H, W, step = y:size(3), y:size(4), layer.dH
   for p = 1, 3 do
      for q = 1, 3 do
         local part = padded[{ {}, {}, { p, p + (H - 1) * step }, { q, q + (W - 1) * step } }]
         local rows = torch.range(1, part:size(3), step):long()
         local columns = torch.range(1, part:size(4), step):long()
         part = part:index(3, rows):index(4, columns)
         local flat = part:transpose(2, 4):contiguous():view(-1, x:size(2))
         y:add((flat * w[{ {}, {}, p, q }]:t()):view(1, W, H, -1):transpose(2, 4))
      end
   end
   return y:add(layer.bias:double():view(1, -1, 1, 1):expandAs(y))
end

describe('A convolution that is called again', function()
   for _, row in ipairs(LAYERS) do
      it('goes by its weights, whoever writes them: ' .. row[1], function()
         torch.manualSeed(3)
         local layer = row[2]():float()
         local x = torch.FloatTensor(1, layer.nInputPlane, row[3], row[3]):normal()
         local function check(what)
            for _ = 1, 3 do
               layer:forward(x)
            end
            local expected = convolve(layer, x)
            local apart = (expected - layer.output:double()):abs():max()
            assert.is_true(apart < 1e-4 * expected:std(), ('%s: %g'):format(what, apart))
         end
         check 'at first'
         local w = layer.weight
         w[1][2][3][1] = 7
         check 'an element'
         w:storage()[40] = -7
         check 'an element of the storage'
         w:select(1, 2):fill(0.5)
         check 'a view'
         w:apply(function(value) return value * 0.5 end)
         check 'a Lua function'
         local ok, message = pcall(w.apply, w, function(value)
            return value < 0.5 and value * 2 or error 'too large'
         end)
         assert.is_true(not ok and message:find('too large', 1, true) ~= nil)
         check 'a Lua function that fails'
         layer:getParameters():mul(-2)
         check 'flat parameters'
         layer:zeroGradParameters()
         layer.gradWeight:normal()
         layer:updateParameters(0.1)
         check 'a step'
         local copy = torch.deserialize(torch.serialize(layer))
         layer.weight:normal()
         check 'new ones'
         layer = copy
         check 'those of a file'
         layer.weight:set(torch.FloatTensor(w:size()):normal())
         check 'other memory'
         if layer.weight.device_type == 0 then
            local file = torch.MemoryFile()
            file:writeFloat(torch.FloatStorage(w:nElement()):fill(0.125))
            file:seek(1)
            file:readFloat(layer.weight:storage())
            check 'a file'
            local pointer = layer.weight:data()
            check 'a pointer'
            pointer[5] = 9
            check 'by a pointer'
            layer.weight:storage():cdata().data[6] = 9
            check 'by a struct'
         end
         numbers.same(layer.output, layer:clone():forward(x), 0)
      end)
   end
end)
