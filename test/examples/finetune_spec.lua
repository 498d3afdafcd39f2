-- Fine-tuning as its users run it, on a small data set.

local paths = require 'paths'
local support = require 'test.examples.support'

describe('examples/finetune', function()
   it('learns seven classes, writes weights by PyTorch\'s names, and goes on from them', function()
      local folder = support.images(600, 200)
      local command = ('--data %s --threads 1 --known 3 --images 5 --epochs 15 --weights %s/w.st')
         :format(folder, folder)
      local output = support.succeeds('finetune/train.lua', command)
      local accuracies = support.numbers(output, '[a-z]  +accuracy (%d%.%d+)')
      assert.equal(3, #accuracies, output)
      assert.is_true(accuracies[3] > 0.7, output)
      assert.is_true(tonumber(output:match 'knows 7 classes, accuracy (%d%.%d+)') > 0.8, output)

      local weights = require('safetensors').load(folder .. '/w.st')
      -- As torch.nn.Sequential's state_dict has them: places from 0, outputs first.
      assert.same({ 16, 1, 5, 5 }, weights['features.0.weight']:size():totable())
      assert.same({ 32, 16, 5, 5 }, weights['features.3.weight']:size():totable())
      assert.same({ 100, 512 }, weights['classifier.1.weight']:size():totable())
      assert.same({ 7 }, weights['classifier.3.bias']:size():totable())

      local again = support.succeeds('finetune/train.lua', command)
      assert.not_matches('knows 7 classes', again)
      assert.same(accuracies, support.numbers(again, '[a-z]  +accuracy (%d%.%d+)'))
      support.remove(folder)
   end)

   it('refuses a picture of no known kind before it begins', function()
      for _, name in ipairs { "''", 'accuracies', 'accuracies.txt' } do
         local output, status = support.run('finetune/train.lua', '--plot ' .. support.quoted(name))
         assert.not_equal(0, status)
         assert.matches(("--plot is '%s', expected a name that ends with .png or .svg, or ''")
            :format(name), output, 1, true)
         assert.is_false(paths.filep(name))
      end
      local output, status = support.run('finetune/train.lua', '--plot /nowhere/a.png')
      assert.not_equal(0, status)
      assert.matches('--plot: cannot write /nowhere/a.png', output, 1, true)
   end)
end)
