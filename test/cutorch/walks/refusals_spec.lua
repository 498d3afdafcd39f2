-- As test/torch/walks/refusals_spec.lua, on a device.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

require 'cutorch'
local calls = require 'torch.gen.calls'
local refusals = require 'test.support.walks.refusals'

describe('every operation, on a device #cuda', function()
   for _, call in ipairs(calls) do
      it(call.name .. ' answers whatever it is given', function()
         local _, faults = refusals.walk(call, 'cuda')
         assert.same({}, faults)
      end)
   end
end)
