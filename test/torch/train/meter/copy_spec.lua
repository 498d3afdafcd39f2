-- Copies of meters: what one counts, the other does not see.

local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local copy = require('torch.train.meter.copy').copy

-- A meter of closures that share two locals, one a number and one a table.
local function closures()
   local count, seen = 0, { sums = torch.zeros(1) }
   local function tell(x)
      seen.sums:add(x)
   end
   return {
      add = function(_, x) count = count + 1 tell(x) end,
      value = function() return count, seen.sums[1] end,
      reset = function() count = 0 seen.sums:zero() end,
   }
end

describe('a copy of a meter', function()
   it('of closures counts for itself, with what they share', function()
      local one = closures()
      one:add(5)
      local other = copy(one)
      assert.same({ 1, 5 }, { other:value() })
      other:add(2)
      other:add(3)
      one:add(10)
      assert.same({ 3, 10 }, { other:value() })
      assert.same({ 2, 15 }, { one:value() })
      one:reset()
      assert.same({ 0, 0 }, { one:value() })
      assert.same({ 3, 10 }, { other:value() })
   end)

   it('of an object has tables and tensors of its own', function()
      local one = train.Average()
      one:add(4)
      local other = copy(one)
      other:add(8)
      assert.equal(4, one:value())
      assert.equal(6, other:value())
   end)

   it('shares packages, networks and functions of other files', function()
      local net, library = nn.Linear(2, 2), train
      local one = { add = function() end, reset = function() end,
         value = function() return net, library, copy end }
      assert.same({ net, library, copy }, { copy(one):value() })
   end)

   it('keeps a training apart from what is measured within it', function()
      local function trained(metric)
         torch.manualSeed(1)
         local data = { input = torch.randn(12, 2), target = torch.randn(12, 1), batchSize = 4 }
         local trainer = train.Trainer {
            model = nn.Sequential():add(nn.Linear(2, 1)), criterion = nn.MSECriterion(),
            data = data, validation = { input = torch.randn(8, 2), target = torch.randn(8, 1) },
            epochs = 1, log = false, seed = 1, metrics = { calls = metric },
            hooks = { onUpdate = function(state)
               state.trainer:evaluate { input = torch.zeros(4, 2), target = torch.zeros(4, 1) }
            end },
         }
         return trainer:run()
      end
      local calls = 0
      local row = trained { add = function() calls = calls + 1 end,
         value = function() return calls end, reset = function() calls = 0 end }
      assert.equal(3, row.calls)
      assert.equal(1, row['validation.calls'])
   end)
end)
