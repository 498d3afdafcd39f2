local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'

local T = dataset.transform

describe('dataset.transform', function()
   before_each(function()
      torch.manualSeed(1)
   end)

   it('RandAugment and TrivialAugment keep type, size and range', function()
      for _, x in ipairs { torch.ByteTensor(3, 9, 7):random(0, 255), torch.rand(1, 9, 7),
         torch.rand(3, 2, 2):float() } do
         local before = x:clone()
         for _, policy in ipairs { T.RandAugment { magnitude = 30, count = 3 },
            T.TrivialAugment {} } do
            for _ = 1, 40 do
               local y = policy(x)
               assert.equal(x:type(), y:type())
               assert.is_true(x:isSameSizeAs(y) and y:min() >= 0
                  and y:max() <= (x:type() == 'torch.ByteTensor' and 255 or 1))
            end
         end
         assert.is_true(x:equal(before))
      end
   end)

   it('RandAugment applies as many operations of one strength as it is told', function()
      local x = torch.ByteTensor(1, 1, 3):copy(torch.Tensor { 1, 17, 200 })
      local function of(operation, magnitude, count)
         return T.RandAugment { operations = { operation }, magnitude = magnitude,
            count = count }(x):view(3):totable()
      end
      assert.same({ 0, 16, 192 }, of('posterize', 30, 1))
      assert.same({ 0, 16, 200 }, of('posterize', 22, 2)) -- 8 - 2.93: 5 bits
      assert.same({ 254, 238, 55 }, of('solarize', 30, 1))
      assert.same({ 1, 17, 200 }, of('solarize', 30, 2))
      local seen = {}
      for _ = 1, 40 do
         seen[of('brightness', 30, 1)[2]] = true
      end
      assert.same({ [2] = true, [32] = true }, seen) -- 17 times 0.1 or 1.9, one as often
   end)

   it('floats of 0..1 are treated as the bytes they were', function()
      local x = torch.ByteTensor(1, 16, 16):copy(torch.range(0, 255))
      local floats = T.ToFloat {}(x)
      for _, name in ipairs { 'posterize', 'solarize', 'equalize' } do
         local policy = T.RandAugment { operations = { name }, magnitude = 15, count = 1 }
         assert.is_true((policy(floats) * 255 - policy(x):float()):abs():max() < 1e-3, name)
      end
   end)

   it('TrivialAugment draws all strengths', function()
      local x = torch.ByteTensor(1, 1, 1):fill(255)
      local policy, seen = T.TrivialAugment { operations = { 'posterize' } }, {}
      for _ = 1, 200 do
         seen[policy(x)[1][1][1]] = true
      end
      assert.same({ [255] = true, [254] = true, [252] = true, [248] = true, [240] = true,
         [224] = true, [192] = true }, seen)
   end)

   it('names what is wrong with options', function()
      raises("there is no operation 'turn'; there are autocontrast", T.RandAugment,
         { operations = { 'turn' } })
      raises("TrivialAugment: there is no operation 'turn'; there are autocontrast",
         T.TrivialAugment, { operations = { 'turn' } })
      raises('operations is an empty list', T.RandAugment, { operations = {} })
      raises('magnitude must be from 0 to 30', T.RandAugment, { magnitude = 31 })
   end)
end)
