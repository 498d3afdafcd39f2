-- Recurrent layers that remember their states: what they remember is the training's.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local cuda = require 'test.support.cuda'
local shell = require 'test.support.shell'

local LAYERS = { nn = function() return nn.LSTM(2, 2):remember() end }
if cuda.available then
   require 'cunn'
   local cudnn = require 'cudnn'
   LAYERS.cudnn = function()
      local layer = cudnn.LSTM(2, 2, 1)
      layer.rememberStates = true
      return layer:cuda()
   end
end

describe('a training with layers that remember', function()
   for name, layer_of in pairs(LAYERS) do
      it('is not disturbed by checkpoints and evaluation, and goes on: ' .. name, function()
         shell.with_folder(function(folder)
            local function run(settings, step)
               torch.manualSeed(5)
               local layer = layer_of()
               local x = torch.randn(40, 3, 2):type(layer:type())
               local made = train.Trainer { model = nn.Sequential():add(layer), steps = 12,
                  criterion = nn.MSECriterion():type(layer:type()), log = false, seed = 3,
                  options = { learningRate = 0.3 },
                  data = function()
                     local i = 0
                     return function()
                        i = i + 1
                        local piece = i <= 10 and x:narrow(1, 4 * i - 3, 4) or nil
                        return piece and { input = piece, target = piece }
                     end
                  end,
                  checkpoint = settings.every and { folder = folder, every = 1, keep = 100 },
                  hooks = { onUpdate = function(state)
                     if settings.evaluate then
                        state.trainer:evaluate(function()
                           local left = 2
                           return function()
                              left = left - 1
                              return left >= 0 and { input = x:narrow(1, 9, 7),
                                 target = x:narrow(1, 9, 7) } or nil
                           end
                        end)
                     end
                  end } }
               made.state.parameters:copy(torch.linspace(-0.5, 0.5,
                  made.state.parameters:nElement()))
               if step then
                  made:resume(step)
               end
               made:run()
               return made.state.parameters:double()
            end
            local wanted = run {}
            assert.is_true(torch.equal(wanted, run { evaluate = true }))
            assert.is_true(torch.equal(wanted, run { every = 1 }))
            for _, step in ipairs { 3, 10 } do
               assert.is_true(torch.equal(wanted, run({ every = 1 }, step)), 'from ' .. step)
            end
         end)
      end)
   end
end)
