-- Nets on bytes: what their layers compute, which layers become what, files and conversions.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'nn.quantization.numbers'
local raises = require 'test.support.raises'

local function names(net)
   local list = {}
   for i, module in ipairs(net:listModules()) do
      list[i] = torch.typename(module):gsub('^nn%.', '')
   end
   return table.concat(list, ' ')
end

local function block(planes, outputs, step)
   local f = nn.Sequential()
      :add(nn.SpatialConvolution(planes, outputs, 3, 3, step, step, 1, 1):noBias())
      :add(nn.SpatialBatchNormalization(outputs)):add(nn.ReLU(true))
      :add(nn.SpatialConvolution(outputs, outputs, 3, 3, 1, 1, 1, 1))
      :add(nn.SpatialBatchNormalization(outputs))
   local short = step == 1 and nn.Identity() or nn.SpatialConvolution(planes, outputs, 1, 1, step,
      step)
   return nn.Sequential():add(nn.ConcatTable():add(f):add(short)):add(nn.CAddTable(true))
      :add(nn.ReLU(true))
end

local function residual_net()
   return nn.Sequential()
      :add(nn.SpatialConvolution(3, 8, 3, 3, 1, 1, 1, 1)):add(nn.ReLU(true))
      :add(block(8, 8, 1)):add(block(8, 16, 2)):add(block(16, 16, 1))
      :add(nn.SpatialMaxPooling(2, 2)):add(nn.View(-1):setNumInputDims(3))
      :add(nn.Linear(16 * 4 * 4, 10))
end

-- The largest difference of outputs, as a share of the largest output.
local function distance(a, b)
   return (a:double() - b:double()):abs():max() / a:double():abs():max()
end

describe('nn.quantize', function()
   before_each(function() torch.manualSeed(3) end)

   it('gives a layer its numbers by the closed form', function()
      local layer = nn.Linear(3, 2):float()
      layer.weight:copy(torch.FloatTensor { { 1.27, -0.5, 0 }, { 0, 0, 0.254 } })
      layer.bias:copy(torch.FloatTensor { 0.25, -1 })
      local small = nn.QuantizedLinear(layer, { scale = 0.5, zero = 10 })
      assert.same({ { 127, -50, 0 }, { 0, 0, 127 } }, {
         small.weight[1]:totable(), small.weight[2]:totable() })
      local y = small:forward(torch.ByteTensor { { 12, 8, 20 } }) -- 1, -1, 5
      assert.near(1.27 + 0.5 + 0.25, y[1][1], 1e-6)
      assert.near(0.254 * 5 - 1, y[1][2], 1e-6)
      small:setOutput { scale = 0.01, zero = 100 }
      assert.same({ 255, 127 }, small:forward(torch.ByteTensor { 12, 8, 20 }):totable())
      small:setOutput { scale = 0.02, zero = 0 }
      assert.same({ 101, 14 }, small:forward(torch.ByteTensor { 12, 8, 20 }):totable())
   end)

   it('gives the bias where weights are tiny', function()
      local layer = nn.Linear(3, 1):float()
      local x = torch.ByteTensor { 12, 8, 20 } -- 1, -1, 5
      for _, weight in ipairs { 1e-10, 1e-36, 1e-40, 0 } do
         layer.weight:fill(weight)
         for _, bias in ipairs { 0.5, 1e30, 0 } do
            layer.bias:fill(bias)
            local small = nn.QuantizedLinear(layer, { scale = 0.5, zero = 10 })
            assert.near(bias, small:forward(x)[1], 1e-6 * bias + 2e-9)
            small:setOutput { scale = 1 / 64, zero = 100 }
            assert.same({ math.min(100 + 64 * bias, 255) }, small:forward(x):totable())
         end
      end
      local conv = nn.SpatialConvolution(1, 1, 1, 1):float()
      conv.weight:fill(1e-38)
      conv.bias:fill(0.5)
      local small = nn.QuantizedConvolution(conv, { scale = 0.5, zero = 10 })
         :setAddend { scale = 0.25, zero = 4 }
      local image = torch.ByteTensor(1, 1, 1, 1):fill(12)
      assert.near(2.5, small:forward { image, image }:min(), 1e-6)
   end)

   it('keeps 0 exact and covers the range', function()
      local n = numbers.of_range(-1, 3)
      assert.near(4 / 255, n.scale, 1e-12)
      assert.equal(64, n.zero)
      assert.same({ scale = 2 / 255, zero = 0 }, numbers.of_range(0.5, 2))
      assert.same({ scale = 1, zero = 0 }, numbers.of_range(0, 0))
   end)

   it('stays near the net, whatever calibrates it', function()
      for _, make in ipairs {
         function() return residual_net(), torch.FloatTensor(8, 3, 16, 16):uniform(-1, 1) end,
         function()
            return nn.Sequential():add(nn.Linear(20, 64)):add(nn.ReLU()):add(nn.Linear(64, 32))
               :add(nn.BatchNormalization(32)):add(nn.ReLU()):add(nn.Linear(32, 5)):add(nn.Tanh()),
               torch.FloatTensor(64, 20):uniform(-1, 2)
         end,
      } do
         local net, x = make()
         net:float()
         for _ = 1, 20 do
            net:forward(x)
         end
         net:evaluate()
         local expected = net:forward(x):clone()
         for _, kind in ipairs { 'range', 'average', 'percentile', 'entropy' } do
            for _, per_channel in ipairs { true, false } do
               local small = nn.quantize(net, { x:narrow(1, 1, 4), x },
                  { calibration = kind, perChannel = per_channel })
               local far = distance(expected, small:forward(x))
               assert.is_true(far < ((kind == 'entropy' or kind == 'average') and 0.3 or 0.08),
                  ('%s: %g'):format(kind, far))
               assert.equal('torch.FloatTensor', small.output:type())
            end
         end
         assert.is_true(distance(expected, net:forward(x)) == 0) -- the net itself has not changed
      end
   end)

   it('joins rectifiers, normalisations and residual sums', function()
      local net = residual_net():float()
      local x = torch.FloatTensor(4, 3, 16, 16):uniform()
      net:forward(x)
      local small = nn.quantize(net, x)
      local text = names(small)
      assert.is_nil(text:find('Normalization', 1, true))
      assert.is_nil(text:find('CAddTable', 1, true))
      assert.is_nil(text:find('ReLU', 1, true))
      assert.equal(3, select(2, text:gsub('QuantizedResidual', '')))
      assert.equal(8, select(2, text:gsub('QuantizedConvolution', '')))
      assert.equal(1, select(2, text:gsub('QuantizedMaxPooling', '')))
      assert.equal(1, select(2, text:gsub('QuantizedLinear', '')))
   end)

   it('keeps the rectifier that a residual branch ends with', function()
      local x = torch.randn(8, 4, 6, 6)
      local function branch()
         return nn.Sequential():add(nn.SpatialConvolution(4, 4, 3, 3, 1, 1, 1, 1)):add(nn.ReLU())
      end
      for _, branches in ipairs { { branch(), nn.Identity() }, { nn.Identity(), branch() } } do
         local net = nn.Sequential():add(nn.SpatialConvolution(4, 4, 1, 1)):add(nn.ReLU())
            :add(nn.ConcatTable():add(branches[1]):add(branches[2])):add(nn.CAddTable())
            :add(nn.SpatialConvolution(4, 4, 1, 1))
         assert.is_true(distance(net:forward(x), nn.quantize(net, x):forward(x)) < 0.05)
         local fake = nn.fakeQuantize(net)
         for _ = 1, 20 do
            fake:forward(x)
         end
         fake:evaluate()
         assert.is_true(distance(fake:forward(x), nn.quantize(fake):forward(x)) < 0.02)
      end
   end)

   it('leaves what a net gives out besides as it was', function()
      require 'nngraph'
      local norm = nn.SpatialBatchNormalization(3)
      norm.running_mean:fill(2)
      norm.running_var:fill(9)
      local i = nn.Identity()()
      local a = nn.SpatialConvolution(2, 3, 3, 3)(i)
      local net = nn.gModule({ i }, { a, nn.SpatialConvolution(3, 2, 1, 1)(norm(a)) })
      net:evaluate()
      local x = torch.randn(4, 2, 6, 6)
      local y, z = net:forward(x), nn.quantize(net, x):forward(x)
      assert.is_true(distance(y[1], z[1]) < 0.05)
      assert.is_true(distance(y[2], z[2]) < 0.05)

      i = nn.Identity()() -- in a table in a table
      a = nn.Linear(4, 5)(i)
      net = nn.ConcatTable():add(nn.gModule({ i }, { a, nn.Linear(5, 3)(a) })):add(nn.Linear(4, 2))
      x = torch.randn(4, 4)
      y, z = net:forward(x), nn.quantize(net, x):forward(x)
      assert.equal(torch.type(y[1][1]), torch.type(z[1][1]))
      for k = 1, 2 do
         assert.is_true(distance(y[1][k], z[1][k]) < 0.05)
      end
   end)

   it('leaves in floats what is to be skipped, and layers around it see floats', function()
      local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.ReLU()):add(nn.Linear(8, 8))
         :add(nn.ReLU()):add(nn.Linear(8, 2)):float()
      local x = torch.FloatTensor(32, 4):uniform()
      local middle = net:get(3)
      local small = nn.quantize(net, x, { skip = function(module)
         return torch.isTypeOf(module, 'nn.Linear') and module.weight:size(1) == 8
            and module.weight:size(2) == 8
      end })
      assert.equal('nn.Linear', torch.typename(small:get(3)))
      assert.is_true(distance(net:forward(x), small:forward(x)) < 0.05)
      assert.is_not_nil(middle)
   end)

   it('goes through nets of nngraph', function()
      require 'nngraph'
      local input = nn.Identity()()
      local a = nn.ReLU()(nn.SpatialBatchNormalization(8)(nn.SpatialConvolution(3, 8, 3, 3, 1, 1, 1,
         1)(input)))
      local b = nn.SpatialConvolution(8, 8, 3, 3, 1, 1, 1, 1)(a)
      local sum = nn.ReLU()(nn.CAddTable() { a, b })
      local net = nn.gModule({ input }, { nn.SpatialConvolution(8, 4, 1, 1)(sum) }):float()
      local x = torch.FloatTensor(4, 3, 8, 8):uniform(-1, 1)
      for _ = 1, 20 do
         net:forward(x)
      end
      net:evaluate()
      local expected = net:forward(x):clone()
      local small = nn.quantize(net, x)
      local text = names(small)
      assert.equal(3, select(2, text:gsub('QuantizedConvolution', '')))
      assert.is_not_nil(text:find 'QuantizedAdd')
      assert.is_nil(text:find 'Normalization')
      assert.is_true(distance(expected, small:forward(x)) < 0.05)
      local again = small:clone()
      assert.equal(0, distance(small.output, again:forward(x)))
   end)

   it('sums of bytes refuse other sizes, of as many elements, too', function()
      local bytes = { scale = 1, zero = 0 }
      for _, sum in ipairs { nn.QuantizedAdd(bytes, bytes),
         nn.QuantizedAdd(bytes, bytes):setOutput(bytes) } do
         raises('nn.QuantizedAdd: input 1 is 3x1, input 2 is 1x3, and sums of bytes are of equal',
            function()
               sum:forward { torch.ByteTensor(3, 1):fill(1), torch.ByteTensor(1, 3):fill(1) }
            end)
      end
   end)

   it('survives files, clones and conversions', function()
      local net = residual_net():float()
      local x = torch.FloatTensor(2, 3, 16, 16):uniform()
      net:forward(x)
      local small = nn.quantize(net, x)
      local y = small:forward(x):clone()
      local file = torch.MemoryFile('rw')
      file:writeObject(small)
      file:seek(1)
      assert.equal(0, distance(y, file:readObject():forward(x)))
      assert.equal(0, distance(y, small:clone():clearState():forward(x)))
      local double = small:clone():double()
      assert.equal('torch.DoubleTensor', double:forward(x:double()):type())
      assert.is_true(distance(y, double.output) < 1e-6)
      assert.equal('CharTensor', double:get(1).weight:type():match '%.%a-(Char.*)$')
      raises('cannot become a torch.LongTensor', function()
         small:get(1):type 'torch.LongTensor'
      end)
   end)

   it('says what is wrong', function()
      local net = nn.Sequential():add(nn.Tanh())
      local x = torch.rand(3, 4)
      raises('nn.quantize: nn.Sequential has no layer that 8-bit numbers could compute', function()
         nn.quantize(net, x)
      end)
      raises('nn.quantize: net is 3, expected a module', function() nn.quantize(3, x) end)
      raises('nn.quantize: data is nil, expected a batch', function()
         nn.quantize(nn.Linear(4, 2))
      end)
      raises('nn.quantize: data has no batch', function()
         nn.quantize(nn.Linear(4, 2), function() return function() end end)
      end)
      local tall = x:clone()
      tall[1][2] = math.huge
      for _, kind in ipairs { 'range', 'average', 'percentile', 'entropy' } do
         raises("nn.quantize: with these data the net's input has numbers from 0", function()
            nn.quantize(nn.Sequential():add(nn.ReLU()):add(nn.Linear(4, 2)), tall,
               { calibration = kind })
         end)
         local partly = nn.quantize(nn.Sequential():add(nn.Linear(4, 2)):add(nn.Clamp(-1, 1))
            :add(nn.Linear(2, 2)), tall, { calibration = kind })
         assert.equal('nn.Linear', torch.typename(partly:get(1)))
         assert.equal('nn.QuantizedLinear', torch.typename(partly:get(3)))
      end
      local good, bad = torch.rand(3, 4), torch.rand(3, 4)
      bad[3][1] = 0 / 0
      for _, kind in ipairs { 'range', 'average', 'percentile', 'entropy' } do
         for at = 1, 3 do
            local batches = { good, good, good }
            batches[at] = bad
            raises(("nn.quantize: batch %d: the net's input has NaN, expected numbers"):format(at),
               nn.quantize, nn.Linear(4, 2), batches, { calibration = kind })
         end
         local broken = nn.Sequential():add(nn.Linear(4, 3)):add(nn.Dropout()):add(nn.Sequential()
            :add(nn.BatchNormalization(3)):add(nn.AddConstant(0)):add(nn.Sqrt()))
            :add(nn.Linear(3, 2))
         broken:get(1).weight:fill(-1)
         broken:get(1).bias:zero()
         local zeros = torch.zeros(3, 4)
         raises('nn.quantize: batch 3: the output of nn.Sqrt (3.3) has NaN, expected numbers: look '
            .. 'at the batch, or at the parameters of that layer', nn.quantize, broken,
            { zeros, zeros, good, zeros }, { calibration = kind })
      end
      for _, number in ipairs { 0 / 0, math.huge, -math.huge } do
         local layer = nn.Linear(8, 2)
         layer.weight[2][3] = number
         local function text(class)
            return 'nn.' .. class .. ': the weight has numbers from '
         end
         raises(text 'QuantizedLinear', nn.QuantizedLinear, layer, { scale = 1, zero = 0 })
         raises(text 'PackedLinear', nn.PackedLinear, layer, 8)
         local words = nn.LookupTable(3, 8)
         words.weight[2][3] = number
         raises(text 'PackedLookupTable', nn.PackedLookupTable, words, 4)
      end
      raises("there is no option 'calibrate'", function()
         nn.quantize(nn.Linear(4, 2), x, { calibrate = 'range' })
      end)
      local small = nn.quantize(nn.Linear(4, 2), x)
      raises('whole numbers have no gradient', function() small:backward(x, torch.rand(3, 2)) end)
      raises('input is a torch.LongTensor, expected bytes or floating numbers', function()
         small:forward(torch.LongTensor(3, 4):fill(1))
      end)
   end)
end)
