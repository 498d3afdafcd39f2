local support = require 'test.examples.support'

describe('examples/custom_layer', function()
   it('checks the gradients of its layers, trains them, and names mistakes', function()
      local output = support.succeeds 'custom_layer/run.lua'
      local errors = support.numbers(output, 'error (%d%.%d+e[+-]%d+)')
      assert.equal(5, #errors, output)
      for _, err in ipairs(errors) do
         assert.is_true(err < 1e-6, output)
      end
      local losses = support.numbers(output, 'loss (%d+%.%d+)')
      assert.is_true(losses[#losses] < 1e-3 and losses[1] > 0.1, output)
      assert.matches('net.1: nn.Linear: input is 4x2, expected N x 1 or 1', output, 1, true)
      assert.matches('nn.Swish: start is a string, expected a number', output, 1, true)
   end)

   it('shows the code of its layer in the README', function()
      local readme = support.read 'examples/custom_layer/README.md'
      for block in readme:gmatch '```lua\n(.-)```' do
         local file = block:match 'nn%.declare' and 'Swish' or 'Sine'
         assert.matches(block, support.read('examples/custom_layer/' .. file .. '.lua'), 1, true)
      end
   end)
end)
