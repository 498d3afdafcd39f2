-- The recurrent operations from the last step to the first, over sequences of different lengths:
-- their gradients by all operands against differences. The states to begin with reach no sequence
-- that ends before the last step.
local torch = require 'torch'
local core = require 'torch.core'

local T, N, F, H = 3, 3, 2, 4
local LENGTHS = { 3, 1, 2 }

local function parameters(gates)
   return torch.DoubleTensor(gates * H, F):uniform(-1, 1),
      torch.DoubleTensor(gates * H, H):uniform(-1, 1),
      torch.DoubleTensor(gates * H):uniform(-1, 1), torch.DoubleTensor(gates * H):uniform(-1, 1)
end

local function fresh()
   return torch.DoubleTensor()
end

-- f(x, h0, c0) of random weights.
local layers = {
   lstm = function(lengths, reverse)
      local W, U, b, bU = parameters(4)
      return function(x, h0, c0)
         local y = fresh()
         core.lstm(y, fresh(), fresh(), x, h0, c0, W, U, b, bU, lengths, reverse)
         return y
      end
   end,
   gru = function(lengths, reverse)
      local W, U, b, bU = parameters(3)
      return function(x, h0)
         local y = fresh()
         core.gru(y, fresh(), fresh(), x, h0, W, U, b, bU, lengths, reverse)
         return y
      end
   end,
   rnn = function(lengths, reverse)
      local W, U, b, bU = parameters(1)
      return function(x, h0)
         local y = fresh()
         core.rnn(y, x, h0, W, U, b, bU, lengths, reverse, false)
         return y
      end
   end,
}

local function state()
   return torch.DoubleTensor(N, H):uniform(-1, 1):requiresGrad()
end

describe('sequences of different lengths', function()
   for name, make in pairs(layers) do
      for _, reverse in ipairs { false, true } do
         it(('have the right gradients by %s%s'):format(name, reverse and ', in reverse' or ''),
            function()
               local f = make(torch.LongTensor(LENGTHS), reverse)
               local x = torch.DoubleTensor(T, N, F):uniform(-1, 1):requiresGrad()
               local inputs = { x, state(), name == 'lstm' and state() or nil }
               assert.is_true(torch.gradcheck(f, inputs))
               local y = f(unpack(inputs))
               y:backward(torch.ones(T, N, H))
               for i = 2, #inputs do
                  for n, length in ipairs(LENGTHS) do
                     local reached = not reverse or length == T
                     assert.are.equal(reached, inputs[i].grad[n]:abs():max() > 0,
                        ('state %d of sequence %d'):format(i - 1, n))
                  end
               end
            end)
      end
   end

   it('give lstm_backward no gradient for states that they do not see', function()
      local lengths, x = torch.LongTensor(LENGTHS), torch.DoubleTensor(T, N, F):uniform(-1, 1)
      local h0, c0 = state():detach(), state():detach()
      local W, U, b, bU = parameters(4)
      local y, c, gates, g = fresh(), fresh(), fresh(), torch.DoubleTensor(T, N, H):uniform(-1, 1)
      local function loss()
         core.lstm(y, c, gates, x, h0, c0, W, U, b, bU, lengths, true)
         return y:dot(g)
      end
      loss()
      local gh0, gc0 = fresh(), fresh()
      core.lstm_backward(nil, gh0, gc0, nil, nil, nil, nil, g, nil, x, h0, c0, W, U, y, c,
         gates, lengths, true, 1)
      local step = 1e-5
      for _, pair in ipairs { { h0, gh0 }, { c0, gc0 } } do
         local values, gradients = pair[1]:view(-1), pair[2]:view(-1)
         for i = 1, values:nElement() do
            local value = values[i]
            values[i] = value + step
            local above = loss()
            values[i] = value - step
            local below = loss()
            values[i] = value
            assert.near((above - below) / (2 * step), gradients[i], 1e-8)
         end
      end
   end)
end)
