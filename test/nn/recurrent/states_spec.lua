-- Recurrent layers over sequences of different lengths, from call to call, and their dropout:
-- against one sequence at a time, and against numbers known without a layer.
local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

local F, H, N = 2, 3, 3
local CLASSES = { 'LSTM', 'GRU', 'RNN' }

local function pair(class, ...)
   local net = nn[class](F, H, ...)
   return net, net:clone()
end

describe('recurrent layers', function()
   for _, class in ipairs(CLASSES) do
      it(class .. ' go on where each sequence ended', function()
         for _, lengths in ipairs { { 4, 2, 3 }, { 1, 4, 4 } } do
            local net, alone = pair(class, 2)
            net:remember()
            local first, second = torch.randn(4, N, F), torch.randn(3, N, F)
            net:forward { first, lengths = lengths }
            local y = net:forward(second):clone()
            for n, length in ipairs(lengths) do
               local whole = torch.cat(first:select(2, n):narrow(1, 1, length),
                  second:select(2, n), 1)
               numbers.same(alone:forward(whole):narrow(1, length + 1, 3), y:select(2, n), 1e-12)
            end
            -- Without lengths again: all sequences are whole.
            local third = torch.randn(2, N, F)
            y = net:forward(third):clone()
            for n, length in ipairs(lengths) do
               local whole = torch.cat({ first:select(2, n):narrow(1, 1, length),
                  second:select(2, n), third:select(2, n) }, 1)
               numbers.same(alone:forward(whole):narrow(1, length + 4, 2), y:select(2, n), 1e-12)
            end
         end
      end)

      it(class .. ' go on in both directions as from the states given', function()
         for _, lengths in ipairs { false, { 4, 2, 3 } } do
            local net, alone = pair(class, 2, true, false, 0, true)
            net:remember()
            local first, second = torch.randn(4, N, F), torch.randn(3, N, F)
            net:forward(lengths and { first, lengths = lengths } or first)
            alone:forward(lengths and { first, lengths = lengths } or first)
            numbers.same(alone:forward { second, alone:finalState() }, net:forward(second), 1e-12)
         end
      end)

      it(class .. ' go on as before when a call fails, wherever it does', function()
         for _, both in ipairs { false, true } do
            local net, sound = pair(class, 2, true, false, 0, both)
            net:remember()
            sound:remember()
            local count = both and 4 or 2
            for failing = 1, 2 * count do
               local x = torch.randn(3, N, F)
               numbers.same(sound:forward(x), net:forward(x), 0)
               -- The layer's run fails before it writes, or after.
               local calls, run = 0, net.__run
               net.__run = function(...)
                  calls = calls + 1
                  if calls == math.ceil(failing / 2) and failing % 2 == 1 then
                     error 'no memory'
                  end
                  run(...)
                  if calls == math.ceil(failing / 2) then
                     error 'interrupted'
                  end
               end
               local ok, message = pcall(net.forward, net, torch.randn(5, N, F))
               net.__run = nil
               assert.is_false(ok)
               assert.matches(failing % 2 == 1 and 'no memory' or 'interrupted', message)
               if failing % 3 == 0 then
                  numbers.same((sound:remembered()[1]), (net:remembered()[1]), 0)
               end
            end
            local x = torch.randn(3, N, F)
            numbers.same(sound:forward(x), net:forward(x), 0)
         end
      end)

      it(class .. ' take each sequence as if it were alone', function()
         for _, first in ipairs { false, true } do
            local lengths = { 2, 5, 3 }
            local net, alone = pair(class, 2, true, first, 0, true)
            local x, g = torch.randn(5, N, F), torch.randn(5, N, 2 * H)
            local function arranged(t)
               return first and t:transpose(1, 2):contiguous() or t
            end
            local input = { arranged(x), lengths = lengths }
            net:zeroGradParameters()
            alone:zeroGradParameters()
            local y = arranged(net:forward(input)):clone()
            local gx = arranged(net:backward(input, arranged(g))[1])
            local final = { net:finalState() }
            for n, length in ipairs(lengths) do
               local own, share = x:select(2, n):narrow(1, 1, length), g:select(2, n)
               numbers.same(alone:forward(own), y:select(2, n):narrow(1, 1, length), 1e-12)
               for i, state in ipairs { alone:finalState() } do
                  numbers.same(state:select(2, 1), final[i]:select(2, n), 1e-12)
               end
               numbers.same(alone:backward(own, share:narrow(1, 1, length):contiguous()),
                  gx:select(2, n):narrow(1, 1, length), 1e-12)
               if length < 5 then
                  assert.equal(0, y:select(2, n):narrow(1, length + 1, 5 - length):abs():max())
                  assert.equal(0, gx:select(2, n):narrow(1, length + 1, 5 - length):abs():max())
               end
            end
            numbers.same(alone.gradWeight, net.gradWeight, 1e-11)
            numbers.same(alone.gradBias, net.gradBias, 1e-11)
         end
      end)

      it(class .. ' forget lengths that the next call does not have', function()
         local net, fresh = pair(class, 2, true, false, 0, true)
         local x, g = torch.randn(4, N, F), torch.randn(4, N, 2 * H)
         local input = { x, lengths = { 4, 2, 3 } }
         net:forward(input)
         net:backward(input, g)
         for _, layer in ipairs { net, fresh } do
            layer:zeroGradParameters()
            layer:forward(x)
         end
         numbers.same(fresh.output, net.output, 0)
         numbers.same((fresh:finalState()), (net:finalState()), 0)
         numbers.same(fresh:backward(x, g), net:backward(x, g), 0)
         numbers.same(fresh.gradWeight, net.gradWeight, 0)
      end)

      -- With a first layer of constant outputs and weights of 1e-3 in the second, its outputs are
      -- near to linear in what dropout leaves of 400 features.
      it(class .. ' enlarge what dropout leaves', function()
         local net = nn[class](1, 400, 2, false, false, 0.75)
         net.weight:fill(1e-3)
         net:parts(1)[2]:zero()
         local x = torch.ones(3, 50, 1)
         local y = net:forward(x):clone()
         local once = y:select(3, 1):clone()
         assert.is_true(once:std() > 0.01 * once:mean()) -- it drops something
         net:evaluate()
         local whole = net:forward(x):clone()
         for t = 1, 3 do
            assert.near(1, y[t]:mean() / whole[t]:mean(), 0.04) -- deviation 0.012
         end
      end)

      it(class .. ' forget their dropout in evaluation, backward too', function()
         local net, plain = pair(class, 2)
         net.dropout = 0.5
         local x, g = torch.randn(4, N, F), torch.randn(4, N, H)
         net:backward(x, net:forward(x))
         net:evaluate()
         for _, layer in ipairs { net, plain } do
            layer:zeroGradParameters()
            layer:forward(x)
         end
         numbers.same(plain.output, net.output, 1e-14)
         numbers.same(plain:backward(x, g), net:backward(x, g), 1e-14)
         numbers.same(plain.gradWeight, net.gradWeight, 1e-14)
      end)
   end

   it('RNN gives gradients through what dropout left alone', function()
      -- y = sum over h of w_h noise_h relu(x): without recurrence the gradient is y / x.
      local net = nn.RNN(1, 40, 2, false, false, 0.5, false, true)
      net.weight:zero()
      net:parts(1)[1]:fill(1)
      net:parts(2)[1]:select(1, 1):uniform(0.5, 1)
      local x = torch.Tensor(1, 30, 1):uniform(1, 2)
      local y = net:forward(x):clone()
      local g = torch.zeros(1, 30, 40)
      g:select(3, 1):fill(1)
      local gx = net:backward(x, g)
      numbers.same(torch.cdiv(y:narrow(3, 1, 1), x), gx, 1e-12)
   end)
end)
