local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local raises = require 'test.support.raises'
local oracle = require 'test.nn.recurrent.oracle'

-- oracle.py's numbers.
local function wave(sizes, phase, scale)
   local x = torch.Tensor(torch.LongStorage(sizes))
   local i = 0
   return x:apply(function()
      i = i + 1
      return (scale or 0.5) * math.sin(0.7 * i + phase)
   end)
end

local T, N, F, H = 4, 3, 2, 3
local LENGTHS = { 4, 2, 3 }

local CASES = {
   lstm = function() return nn.LSTM(F, H) end,
   lstm_deep = function() return nn.LSTM(F, H, 2, true, false, 0, true) end,
   lstm_lengths = function() return nn.LSTM(F, H, 1, true, false, 0, true) end,
   gru = function() return nn.GRU(F, H) end,
   gru_lengths = function() return nn.GRU(F, H, 2, true, false, 0, true) end,
   rnn = function() return nn.RNN(F, H, 2, true, false, 0, true) end,
   lstm_deep_lengths = function() return nn.LSTM(F, H, 2, true, true, 0, true) end,
   lstm_no_bias = function() return nn.LSTM(F, H, 3, false) end,
   gru_first = function() return nn.GRU(F, H, 2, false, true) end,
   rnn_lengths = function() return nn.RNN(F, H, 2, true, false, 0, true) end,
   rnn_relu_lengths = function() return nn.RNN(F, H, 1, true, true, 0, false, true) end,
   rnn_relu = function() return nn.RNN(F, H, 1, true, false, 0, false, true) end,
}

local function parts_of(net)
   local values, gradients = {}, {}
   for layer = 1, net.numLayers do
      for direction = 1, net.bidirectional and 2 or 1 do
         local p, g = net:parts(layer, direction == 2)
         for i = 1, net.bias and 4 or 2 do
            values[#values + 1], gradients[#gradients + 1] = p[i], g[i]
         end
      end
   end
   return values, gradients
end

describe('recurrent layers', function()
   for name, expected in pairs(oracle) do
      it(name .. ' is PyTorch\'s, forward and backward, with its weights', function()
         local net = CASES[name]()
         local values, gradients = parts_of(net)
         for k, p in ipairs(values) do
            p:copy(wave(p:size():totable(), k))
         end
         net:zeroGradParameters()
         local layers = #values / (net.bias and 4 or 2)
         local input = { wave(net.batchFirst and { N, T, F } or { T, N, F }, 0.3, 1),
            wave({ layers, N, H }, 0.5, 0.8),
            net.states == 2 and wave({ layers, N, H }, 0.9, 0.8) or nil }
         input.lengths = name:find 'lengths' and LENGTHS or nil
         -- 1e-6 where the specs run on floats.
         local y = net:forward(input)
         numbers.equal(expected.y, y, 1e-12)
         local last = { net:finalState() }
         assert.equal(#expected.last, #last)
         net.gradFinal = {}
         for i, state in ipairs(last) do
            numbers.equal(expected.last[i], state, 1e-12)
            net.gradFinal[i] = wave(state:size():totable(), 1 + i, 1)
         end
         local gradInput = net:backward(input, wave(y:size():totable(), 1.3, 1))
         numbers.equal(expected.gx, gradInput[1], 1e-12)
         numbers.equal(expected.gh, gradInput[2], 1e-12)
         if expected.gc then
            numbers.equal(expected.gc, gradInput[3], 1e-12)
         end
         for k, g in ipairs(gradients) do
            numbers.equal(expected.parameters[k], g, 1e-12)
         end
      end)
   end

   for _, class in ipairs { 'LSTM', 'GRU', 'RNN' } do
      it(class .. ' goes on where it ended', function()
         -- A few states are multiplied by the weights where they lie, many by a copy for all steps.
         for _, batch in ipairs { N, 20 } do
            local net = nn[class](F, H, 2)
            local x = torch.randn(T, batch, F)
            local whole = net:forward(x):clone()
            net:remember()
            for _ = 1, 2 do
               for t = 1, T do
                  numbers.same(whole[t], net:forward(x:narrow(1, t, 1))[1], 1e-12)
               end
               net:forget()
            end
         end
      end)

      it(class .. ' takes batches first, single sequences and no bias', function()
         local net = nn[class](F, H, 1, false, true)
         local x = torch.randn(N, T, F)
         local y = net:forward(x):clone()
         assert.same({ N, T, H }, y:size():totable())
         assert.is_nil(net.bias)
         for n = 1, N do
            numbers.same(y[n], net:forward(x[n]), 1e-12)
         end
      end)

      it(class .. ' drops between layers in training only', function()
         local net, plain = nn[class](F, 40, 2, true, false, 0.5), nn[class](F, 40, 2)
         plain.weight:copy(net.weight)
         plain.bias:copy(net.bias)
         local x = torch.randn(T, N, F)
         local y = plain:forward(x)
         assert.is_true((net:forward(x) - y):abs():max() > 1e-3)
         net:evaluate()
         numbers.same(y, net:forward(x), 1e-12)
      end)
   end

   it('a sequence that has ended does not hear of what comes behind', function()
      local net = nn.LSTM(F, H, 2, true, false, 0, true)
      local x = torch.randn(T, N, F)
      local y = net:forward { x, lengths = LENGTHS }:clone()
      for n, length in ipairs(LENGTHS) do
         x:select(2, n):narrow(1, length, T - length + 1)[1]:mul(1)
         if length < T then
            x:select(2, n):narrow(1, length + 1, T - length):fill(99)
            assert.equal(0, y:select(2, n):narrow(1, length + 1, T - length):abs():max())
         end
      end
      numbers.same(y, net:forward { x, lengths = LENGTHS }, 1e-12)
   end)

   it('keep their states apart from their output', function()
      for _, name in ipairs { 'LSTM', 'GRU', 'RNN' } do
         local net, x, g = nn[name](3, 2), torch.randn(4, 2, 3), torch.randn(4, 2, 2)
         net:zeroGradParameters()
         net:forward(x)
         local gradInput = net:backward(x, g):clone()
         net:zeroGradParameters()
         local last = net:forward(x):select(1, 4):clone()
         nn.MulConstant(3, true):forward(net.output) -- which writes over its input
         numbers.same(gradInput, net:backward(x, g))
         numbers.same(last, (net:finalState())[1])
      end
   end)

   it('take the gradients of the pass that was, in whatever mode they are by then', function()
      local x, g = torch.randn(4, 2, 3), torch.randn(4, 2, 2)
      local net = nn.LSTM(3, 2, 2, true, false, 0.5)
      for _, mode in ipairs { 'evaluate', 'training' } do
         net:zeroGradParameters()
         net[mode](net)
         net:forward(x)
         local expected = net:backward(x, g):clone()
         net[mode == 'training' and 'evaluate' or 'training'](net)
         numbers.same(expected, net:backward(x, g))
      end
   end)

   for _, class in ipairs { 'LSTM', 'GRU', 'RNN' } do
      it(class .. ' learns nothing from what lies behind a sequence\'s end', function()
         local net = nn[class](F, H, 1, true, false, 0, true)
         local x, g = torch.randn(T, N, F), torch.randn(T, N, 2 * H)
         local function gradients()
            net:zeroGradParameters()
            net:forward { x, lengths = LENGTHS }
            local gradInput = net:backward({ x, lengths = LENGTHS }, g)[1]:clone()
            return gradInput, net.gradWeight:clone(), net.gradBias:clone()
         end
         local clean = { gradients() }
         for n, length in ipairs(LENGTHS) do
            if length < T then
               x[{ { length + 1, T }, n }]:fill(0 / 0)
               g[{ { length + 1, T }, n }]:fill(0 / 0)
            end
         end
         for i, gradient in ipairs { gradients() } do
            numbers.same(clean[i], gradient, 0)
         end
      end)
   end

   it('say what they got and what they expected', function()
      local net = nn.LSTM(F, H)
      raises('nn.LSTM: input is 4x3x5, expected T x N x 2 or T x 2', net.forward, net,
         torch.Tensor(4, 3, 5))
      raises('nn.LSTM: lengths is 3 from 1 to 9, expected 3 numbers from 1 to 4', net.forward, net,
         { torch.Tensor(T, N, F), lengths = { 1, 9, 2 } })
      raises('nn.LSTM: state 1 is 1x3x4, expected 1 x 3 x 3', net.forward, net,
         { torch.Tensor(T, N, F), torch.Tensor(1, N, 4), torch.Tensor(1, N, 3) })
      raises('nn.GRU: there is no final state before forward', nn.GRU(2, 2).finalState,
         nn.GRU(2, 2))
   end)
end)
