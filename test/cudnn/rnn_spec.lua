local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local nn = require 'nn'
local cudnn = require 'cudnn'
local raises = require 'test.support.raises'

local function near(expected, x, tolerance)
   assert.same(expected:size():totable(), x:size():totable())
   local difference = (expected:double() - x:double()):abs():max()
   assert.is_true(difference <= (tolerance or 1e-12), ('differs by %g'):format(difference))
end

local function random(...)
   return torch.Tensor(...):uniform(-1, 1)
end

-- { class of cudnn, constructor of nn's layer, states }
local LAYERS = {
   { 'RNNReLU', function(...) return nn.RNN(...) end, 1, relu = true },
   { 'RNNTanh', function(...) return nn.RNN(...) end, 1 },
   { 'GRU', function(...) return nn.GRU(...) end, 1 },
   { 'LSTM', function(...) return nn.LSTM(...) end, 2 },
   { 'BGRU', function(...) return nn.GRU(...) end, 1, both = true },
   { 'BLSTM', function(...) return nn.LSTM(...) end, 2, both = true },
}

local function pair(entry, batchFirst)
   local mine = cudnn[entry[1]](3, 4, 2, batchFirst):double()
   local theirs = entry[2](3, 4, 2, true, batchFirst, 0, entry.both or false):double()
   theirs.relu = entry.relu or false
   local n = theirs.weight:nElement()
   theirs.weight:copy(mine.weight:narrow(1, 1, n))
   theirs.bias:copy(mine.weight:narrow(1, n + 1, theirs.bias:nElement()))
   assert.equal(n + theirs.bias:nElement(), mine.weight:nElement())
   theirs:zeroGradParameters()
   mine:zeroGradParameters()
   return mine, theirs
end

describe('cudnn\'s recurrent layers #cuda', function()
   it('are those of nn, with states in fields and all parameters in one vector', function()
      torch.manualSeed(1)
      for _, entry in ipairs(LAYERS) do
         for _, batchFirst in ipairs { false, true } do
            local mine, theirs = pair(entry, batchFirst)
            local x, D = random(5, 5, 3), entry.both and 2 or 1
            local h = { random(2 * D, 5, 4), entry[3] == 2 and random(2 * D, 5, 4) or nil }
            mine.hiddenInput, mine.cellInput = h[1], h[2]
            local y = theirs:forward { x, h[1], h[2] }
            near(y, mine:forward(x))
            local last, cell = theirs:finalState()
            near(last, mine.hiddenOutput)
            local g, gh = random(y:size()), random(2 * D, 5, 4)
            local gc = cell and random(2 * D, 5, 4)
            mine.gradHiddenOutput, mine.gradCellOutput = gh, gc
            theirs.gradFinal = { gh, gc }
            local gradients = theirs:backward({ x, h[1], h[2] }, g, 0.5)
            near(gradients[1], mine:backward(x, g, 0.5))
            near(gradients[2], mine.gradHiddenInput)
            if cell then
               near(cell, mine.cellOutput)
               near(gradients[3], mine.gradCellInput)
            else
               assert.equal(0, mine.cellOutput:nElement())
            end
            near(torch.cat(theirs.gradWeight, theirs.gradBias), mine.gradWeight)
            local gx, gw = mine.gradInput:clone(), mine.gradWeight:clone()
            mine:zeroGradParameters()
            near(gx, mine:updateGradInput(x, g))
            assert.equal(0, mine.gradWeight:abs():max())
            mine:accGradParameters(x, g, 0.5)
            near(gw, mine.gradWeight)
         end
      end
   end)

   it('are of torch.CudaTensor, and say what was made', function()
      local layer = cudnn.LSTM(3, 4, 1)
      assert.equal('torch.CudaTensor', layer:forward(torch.CudaTensor(2, 1, 3):zero()):type())
      assert.equal('cudnn.LSTM(3 -> 4, 1 layers, CUDNN_LSTM, CUDNN_UNIDIRECTIONAL)',
         tostring(layer))
      raises('cudnn.LSTM: input is a torch.DoubleTensor, but the layer is of type torch.CudaTensor',
         layer.forward, layer, torch.DoubleTensor(2, 1, 3))
      raises('cudnn.LSTM: input is 2x3, expected T x N x 3', layer.forward, layer,
         torch.CudaTensor(2, 3))
      layer.hiddenInput = torch.CudaTensor(1, 2, 4)
      raises('cudnn.LSTM: hiddenInput is 1x2x4, expected 1x1x4', layer.forward, layer,
         torch.CudaTensor(2, 1, 3))
      layer.mode = 'CUDNN_LSTN'
      raises("mode is 'CUDNN_LSTN', expected CUDNN_RNN_RELU", layer.forward, layer,
         torch.CudaTensor(2, 1, 3))
      raises('backward needs what forward keeps', function()
         local new = cudnn.GRU(3, 4, 1)
         new:backward(torch.CudaTensor(2, 1, 3), torch.CudaTensor(2, 1, 4))
      end)
   end)

   it('become others by their fields, before reset', function()
      local layer = cudnn.RNN(3, 4, 1)
      layer.mode, layer.bidirectional, layer.numDirections = 'CUDNN_GRU', 'CUDNN_BIDIRECTIONAL', 2
      raises('call reset()', layer.forward, layer, torch.CudaTensor(2, 1, 3))
      layer:reset(0.1)
      layer:resetWeightDescriptor()
      assert.equal(2 * 12 * (3 + 4 + 2), layer.weight:nElement())
      assert.is_true(layer.weight:max() <= 0.1 and layer.weight:max() > 0.05)
      assert.same({ 2, 1, 8 }, layer:forward(torch.CudaTensor(2, 1, 3):zero()):size():totable())
   end)

   it('have their matrices and biases as views', function()
      local layer = cudnn.LSTM(3, 2, 2):double()
      local weights, biases = layer:weights(), layer:biases()
      assert.same({ 2, 8, 6, 4, 2 }, { #weights, #weights[1], weights[1][1]:nElement(),
         weights[1][5]:nElement(), biases[2][8]:nElement() })
      layer.weight:copy(torch.range(1, layer.weight:nElement()))
      assert.equal(1, weights[1][1][1])
      assert.equal(7, weights[1][2][1]) -- the second gate's
      assert.equal(25, weights[1][5][1]) -- of the state
      assert.equal(41, weights[2][1][1])
      assert.equal(layer.weight:nElement(), biases[2][8][2])
      biases[2][8]:fill(-1)
      assert.equal(-1, layer.weight[layer.weight:nElement()])
   end)

   it('go on from their last states when told to', function()
      local layer = cudnn.LSTM(3, 4, 1, false, 0, true):double()
      local x = random(6, 2, 3)
      local whole = layer:forward(x):clone()
      layer:resetStates()
      layer:forward(x:narrow(1, 1, 3))
      near(whole:narrow(1, 4, 3), layer:forward(x:narrow(1, 4, 3)))
      layer:resetStates()
      near(whole, layer:forward(x))
   end)

   it('are saved, cloned and converted without what they compute with', function()
      local layer, x = cudnn.BLSTM(3, 4, 2):double(), random(4, 2, 3)
      local y = layer:forward(x):clone()
      local file = torch.MemoryFile()
      file:writeObject(layer)
      file:seek(1)
      near(y, file:readObject():forward(x), 0)
      near(y, layer:clone():forward(x), 0)
      near(y, layer:clone():float():forward(x:float()), 1e-6)
      local net = nn.Sequential():add(layer)
      local parameters = net:getParameters()
      parameters:mul(0.5)
      assert.is_true((net:forward(x) - y):abs():max() > 1e-3)
      layer:clearState()
      assert.equal(0, layer.hiddenOutput:nElement())
   end)

   it('help with sizes', function()
      local layer = cudnn.GRU(3, 4, 2, true)
      local x = torch.CudaTensor(5, 2, 3):zero()
      assert.same({ 5, 2, 4 }, layer:deriveOutputSize(x):totable())
      layer:forward(x)
      assert.same({ 2, 5, 4 }, layer:resizeHidden(torch.CudaTensor()):size():totable())
      local a, b = layer:makeContiguous(x:transpose(1, 2), x)
      assert.is_true(a:isContiguous() and b:isContiguous())
      layer:setSync(false)
      assert.is_false(layer.sync)
   end)
end)

describe('packed sequences #cuda', function()
   it('are their steps, longest first, and back', function()
      local x = torch.Tensor { { { 11 }, { 21 }, { 31 } }, { { 12 }, { 22 }, { 0 } },
         { { 13 }, { 0 }, { 0 } } }
      local packed = cudnn.RNN:packPaddedSequence(x, { 3, 2, 1 })
      assert.same({ { 11 }, { 21 }, { 31 }, { 12 }, { 22 }, { 13 } }, packed[1]:totable())
      assert.same({ 3, 2, 1 }, packed[2])
      local padded, lengths = cudnn.RNN:padPackedSequence(packed)
      assert.same(x:totable(), padded:totable())
      assert.same({ 3, 2, 1 }, lengths)
      local turned = cudnn.RNN:packPaddedSequence(x:transpose(1, 2), torch.LongTensor { 3, 2, 1 },
         true)
      assert.same(packed[1]:totable(), turned[1]:totable())
      assert.same(x:transpose(1, 2):totable(),
         (cudnn.RNN:padPackedSequence(turned, true)):totable())
      raises('length 2 is 3, expected the longest sequence first, from 2 down to 1',
         cudnn.RNN.packPaddedSequence, cudnn.RNN, x, { 2, 3, 1 })
      raises('got 2 lengths, expected 3', cudnn.RNN.packPaddedSequence, cudnn.RNN, x, { 3, 2 })
   end)

   it('are computed each as if it were alone', function()
      torch.manualSeed(3)
      for _, batchFirst in ipairs { false, true } do
         local layer, x, lengths = cudnn.BLSTM(3, 4, 1, batchFirst):double(), random(4, 3, 3),
            { 4, 2, 1 }
         local packed = cudnn.RNN:packPaddedSequence(x, lengths)
         local y = layer:forward(packed):clone()
         local g = random(7, 8)
         layer:zeroGradParameters()
         local gx = layer:backward(packed, g):clone()
         local last, gw = layer.hiddenOutput:clone(), layer.gradWeight:clone()
         layer:zeroGradParameters()
         local sizes = packed[2]
         local outputs = (cudnn.RNN:padPackedSequence { y, sizes })
         local gradients = (cudnn.RNN:padPackedSequence { g, sizes })
         local inputs = (cudnn.RNN:padPackedSequence { gx, sizes })
         for n, length in ipairs(lengths) do
            local function alone(t)
               local r = t:narrow(1, 1, length):narrow(2, n, 1):contiguous()
               return batchFirst and r:transpose(1, 2) or r
            end
            near(alone(outputs), layer:forward(alone(x)))
            near(alone(inputs), layer:backward(alone(x), alone(gradients)))
            near(last:narrow(2, n, 1), layer.hiddenOutput)
         end
         near(gw, layer.gradWeight)
      end
   end)

   it('remembers from micro-batch to micro-batch of a pipeline, whose states a script may set',
      function()
         local distributed = require 'distributed'
         for _, class in ipairs { 'LSTM', 'GRU' } do
            for _, remembers in ipairs { true, false } do
               local layer = cudnn[class](3, 4, 1, true, 0, remembers):double()
               local plain = nn.Sequential():add(layer):add(nn.MulConstant(1)):cudaDouble()
               local net = distributed.Pipeline(plain:clone(), { devices = { 1, 1 },
                  microBatches = 4 })
               local criterion = nn.MSECriterion():cudaDouble()
               for batch = 1, 4 do
                  local x = torch.randn(8, 5, 3):cudaDouble()
                  local t = torch.zeros(8, 5, 4):cudaDouble()
                  for _, one in ipairs { plain:get(1), net:get(1):get(1):get(1) } do
                     if batch == 3 then one:resetStates() end
                     if batch == 2 and not remembers then
                        one.hiddenInput = torch.zeros(1, 2, 4):fill(0.5):cudaDouble()
                     end
                  end
                  plain:zeroGradParameters()
                  net:zeroGradParameters()
                  local loss, found = 0, net:forwardBackward(x, t, criterion)
                  for first = 1, 7, 2 do
                     local part, target = x:narrow(1, first, 2), t:narrow(1, first, 2)
                     loss = loss + 0.25 * criterion:forward(plain:forward(part), target)
                     plain:backward(part, criterion:backward(plain.output, target):mul(0.25))
                  end
                  assert.near(loss, found, 1e-14)
                  near(select(2, plain:parameters())[1], select(2, net:parameters())[1], 1e-14)
               end
            end
         end
      end)

   it('remembers where Variables have several calls wait for backward', function()
      local layer = cudnn.LSTM(3, 4, 1, false, 0, true):double()
      local plain = layer:clone()
      layer:requiresGrad()
      local held = {}
      for call = 1, 6 do
         if call == 4 then
            layer:resetStates()
            plain:resetStates()
         end
         local x = torch.randn(5, 2, 3):double()
         held[call] = layer:forward(x)
         near(plain:forward(x), held[call]:detach(), 1e-14)
         if call == 5 then
            held[1]:sum():backward()
         end
      end
   end)
end)
