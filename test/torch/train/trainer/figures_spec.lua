-- trainer:log: figures of a script's own in the rows of its epochs.

local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

describe('trainer:log', function()
   local function trainer(hooks, more)
      torch.manualSeed(1)
      local settings = {
         model = nn.Sequential():add(nn.Linear(2, 1)), criterion = nn.MSECriterion(),
         data = { input = torch.randn(12, 2), target = torch.randn(12, 1), batchSize = 4 },
         epochs = 2, seed = 1, log = false, hooks = hooks,
      }
      for key, value in pairs(more or {}) do
         settings[key] = value
      end
      return train.Trainer(settings)
   end

   it('gives the mean of each epoch', function()
      local made = trainer { onUpdate = function(state) state.trainer:log('steps', state.t) end }
      made:run()
      assert.equal((1 + 2 + 3) / 3, made.history[1].steps)
      assert.equal((4 + 5 + 6) / 3, made.history[2].steps)
   end)

   it('takes tensors of one element, and Variables', function()
      local x = torch.Tensor { 3 }
      local made = trainer { onUpdate = function(state)
         state.trainer:log('x', x)
         state.trainer:log('y', torch.Variable(torch.Tensor { 2 }) * x)
      end }
      local row = made:run()
      assert.equal(3, row.x)
      assert.equal(6, row.y)
   end)

   it('from onEndEpoch goes to the row itself, before the logs', function()
      local rows = {}
      local made = trainer({ onEndEpoch = function(state)
         state.trainer:log('doubled', 2 * state.row.loss)
      end }, { log = { console = false, { add = function(_, row) rows[#rows + 1] = row end } } })
      local last = made:run()
      assert.equal(2 * last.loss, last.doubled)
      assert.equal(2 * rows[1].loss, rows[1].doubled)
   end)

   it('of other data is among their values', function()
      local data = { input = torch.randn(8, 2), target = torch.randn(8, 1) }
      local made = trainer({ onForward = function(state)
         state.trainer:log('rows', state.output:size(1))
      end }, { validation = data, batchSize = 8 })
      local row = made:run()
      assert.equal(4, row.rows)
      assert.equal(8, row['validation.rows'])
      assert.equal(8, made:evaluate(data).rows)
   end)

   it('reaches console, CSV and TensorBoard, also where it comes later', function()
      shell.with_folder(function(folder)
         local lines = {}
         local console = train.Console { write = function(text) lines[#lines + 1] = text end }
         trainer({ onUpdate = function(state)
            if state.epoch == 1 then
               state.trainer:log('mine', 0.125)
            end
         end }, { log = { console = false, csv = folder .. '/log.csv', tensorboard = folder,
            console } }):run()
         assert.not_matches('mine', lines[1])
         assert.matches('mine 0.1250', lines[2])
         local csv = shell.read(folder .. '/log.csv')
         assert.matches('^epoch,step,loss,mine,learningRate,seconds\n1,3,[%d.]+,,', csv)
         assert.matches('\n2,6,[%d.]+,0.125,', csv)
         local events
         for name in require('lfs').dir(folder) do
            events = name:match 'tfevents' and folder .. '/' .. name or events
         end
         assert.matches('mine', shell.read(events))
      end)
   end)

   it('goes on bit for bit from a checkpoint within an epoch', function()
      shell.with_folder(function(folder)
         local function made(to)
            return trainer({ onUpdate = function(state)
               state.trainer:log('norm', state.parameters:norm())
            end }, { checkpoint = { folder = folder .. '/' .. to, every = 2, keep = 9 } })
         end
         local whole = made 'a'
         whole:run()
         local part = made 'a'
         assert.is_true(part:resume(2)) -- of the three steps of the first epoch
         part:run()
         for i = 1, 2 do
            assert.equal(whole.history[i].norm, part.history[i].norm)
         end
      end)
   end)

   it('may be texts in rows, which logs show as they can', function()
      shell.with_folder(function(folder)
         local lines, csv = {}, folder .. '/log.csv'
         local made = trainer({ onEndEpoch = function(state)
            state.row.note, state.row.size = 'fine', torch.ones(1):requiresGrad() * 3
         end }, { epochs = 1, log = { console = false, csv = csv, tensorboard = folder .. '/runs',
            train.Console { write = function(text) lines[#lines + 1] = text end } } })
         local row = made:run()
         assert.same({ 'fine', 3 }, { row.note, row.size })
         assert.matches('  note fine  size 3  ', lines[1], 1, true)
         assert.matches(',fine,3,', shell.read(csv), 1, true)
      end)
      local made = trainer { onEndEpoch = function(state) state.row.note = {} end }
      raises('note of epoch 1 is a table, expected a number or a text', made.run, made)
      made = trainer({ onEndEpoch = function(state) state.row.note = 'fine' end },
         { stopEarly = { metric = 'note' } })
      raises("stopEarly watches note, which is 'fine', expected a number", made.run, made)
   end)

   it('says what is wrong', function()
      local made = trainer()
      raises("train.Trainer: log: the name is nil, expected a string", made.log, made)
      raises('train.Trainer: log: x is a table, expected a number', made.log, made, 'x', {})
      raises('log: x is 2 DoubleTensor, expected a number', made.log, made, 'x', torch.ones(2))
      raises('a figure cannot be called loss, which rows have already', made.log, made, 'loss', 1)
      local other = trainer({}, { metrics = { off = function() return 1 end } })
      raises('there is a metric off already', other.log, other, 'off', 1)
   end)
end)
