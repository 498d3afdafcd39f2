-- Families of test/support/walks/interrupted.lua: layers, losses and the optimisers' steps.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'

return function(type, family, random)
   -- Modules forward and backward, with the gradients of their parameters.
   local function modules(name, list)
      family(name .. ', ' .. type, function()
         for _, entry in ipairs(list) do
            entry[1]:type('torch.' .. type .. 'Tensor')
         end
         return function()
            local results = {}
            for _, entry in ipairs(list) do
               local layer, x = entry[1], entry[2]
               local y = layer:forward(x)
               results[#results + 1] = y:clone()
               layer:zeroGradParameters()
               local gx = layer:backward(x, y)
               results[#results + 1] = torch.isTensor(gx) and gx:clone() or nil
               for _, g in ipairs(select(2, layer:parameters()) or {}) do
                  results[#results + 1] = g:clone()
               end
            end
            return results
         end
      end)
   end

   local sequence, image = random(type, 12, 7, 33), random(type, 4, 6, 13, 11)
   modules('recurrent layers', { { nn.LSTM(33, 45), sequence }, { nn.GRU(33, 45), sequence },
      { nn.RNN(33, 45), sequence } })
   modules('attention', { { nn.MultiHeadAttention(33, 3), sequence },
      { nn.TransformerEncoderLayer(33, 3, 50, 0), sequence } })
   modules('resampling', { { nn.SpatialUpSamplingBilinear(2), image },
      { nn.SpatialUpSamplingNearest(3), image }, { nn.SpatialReflectionPadding(2, 1, 2, 1), image },
      { nn.SpatialReplicationPadding(2, 1, 2, 1), image }, { nn.PixelShuffle(1), image },
      { nn.SpatialAdaptiveMaxPooling(5, 4), image } })
   modules('norms of rows', { { nn.LayerNorm(33), sequence }, { nn.RMSNorm(33), sequence },
      { nn.GroupNorm(3, 6), image }, { nn.InstanceNorm(6), image },
      { nn.SpatialCrossMapLRN(3), image }, { nn.Normalize(1.7), sequence[1] } })
   modules('Linear and LookupTable', { { nn.Linear(300, 77), random(type, 130, 300) },
      { nn.Linear(33, 5), random(type, 33) },
      { nn.LookupTable(90, 37), torch.LongTensor(50, 9):random(90) } })

   family('losses, ' .. type, function()
      local scores, targets = random(type, 90, 37), torch.LongTensor(90):random(37)
      local positive = torch.add(scores, 1.1):div(2.3)
      local labels = { {}, {}, {} }
      for _, list in ipairs(labels) do
         for i = 1, 5 do
            list[i] = torch.random(2, 37) -- 1 is the blank
         end
      end
      local cases = { { nn.CrossEntropyCriterion(), scores, targets },
         { nn.ClassNLLCriterion(), scores, targets },
         { nn.MultiMarginCriterion(), scores, targets },
         { nn.MSECriterion(), scores, positive }, { nn.AbsCriterion(), scores, positive },
         { nn.BCECriterion(), positive, positive }, { nn.DistKLDivCriterion(), scores, positive },
         { nn.SmoothL1Criterion(), scores, positive },
         { nn.SoftMarginCriterion(), scores, positive },
         { nn.CTCCriterion(), random(type, 20, 3, 37), labels } }
      for _, case in ipairs(cases) do
         case[1]:type('torch.' .. type .. 'Tensor')
      end
      return function()
         local results = {}
         for _, case in ipairs(cases) do
            local loss = case[1]:forward(case[2], case[3])
            results[#results + 1] = torch.DoubleTensor { loss }
            results[#results + 1] = case[1]:backward(case[2], case[3]):clone()
         end
         return results
      end
   end)

   family('optimisers, ' .. type, function()
      local start, g = random(type, 5003), random(type, 5003)
      return function()
         local results = {}
         for _, name in ipairs { 'sgd', 'adam', 'adamw', 'adamax', 'adagrad', 'adadelta', 'rmsprop',
            'rprop', 'nag', 'nadam', 'asgd', 'lamb', 'lion' } do
            local x, state = start:clone(), { learningRate = 0.1, momentum = 0.9, dampening = 0 }
            for _ = 1, 3 do
               optim[name](function()
                  return 0, g
               end, x, state)
            end
            results[#results + 1] = x
         end
         return results
      end
   end)
end
