local lfs = require 'lfs'
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'
local training = require 'test.torch.train.checkpoint.training'

local data, trainer = training.data, training.trainer

describe('checkpoints', function()
   it('are kept: the latest ones, and the best', function()
      shell.with_folder(function(folder)
         local losses = { 3, 1, 2, 2, 2 }
         local steps = {}
         local made = trainer(folder, { epochs = 5, hooks = { onEndEpoch = function(state)
            state.row.mine = losses[state.epoch]
            steps[state.epoch] = state.t
         end }, checkpoint = { folder = folder, keep = 2, metric = 'mine', mode = 'min' } })
         made:run()
         assert.same({ steps[4], steps[5] }, made.checkpoints:steps())
         local best = made.checkpoints:load 'best'
         assert.equal(steps[2], best.counts.t)
      end)
   end)

   it('of the best epoch do not push out those of steps', function()
      shell.with_folder(function(folder)
         local made = trainer(folder, { steps = 10, checkpoint = { folder = folder, every = 3 } })
         made:run()
         assert.same({ 9, 10 }, made.checkpoints:steps())
         local best = made.checkpoints:load 'best' -- of two epochs; the third one is not complete
         local least = math.min(made.history[1].loss, made.history[2].loss)
         assert.equal(least, best.history[#best.history].loss)
      end)
   end)

   it('of another architecture are refused by the name of a parameter', function()
      shell.with_folder(function(folder)
         trainer(folder, { steps = 1 }):run()
         local path = folder .. '/step-00000001.t7'
         local function refuses(text, model)
            local before = train.weights(model)['1.weight']
            local kept = before and before:clone()
            raises(("train.Trainer: '%s': %s"):format(path, text), function()
               trainer(folder, { model = model, data = data() }):resume()
            end)
            assert.is_true(not kept or torch.equal(kept, train.weights(model)['1.weight']))
         end
         refuses('5.bias is 2 in the checkpoint, 3 in the model', training.net(3))
         refuses('1.bias is a torch.DoubleTensor in the checkpoint, a torch.FloatTensor in the '
            .. 'model',
            training.net():float())
         local deeper = training.net()
         deeper:insert(nn.Linear(2, 2), 6)
         refuses('6.bias (2) is in the model, and not in the checkpoint', deeper)
         refuses('1.bias (6) is in the checkpoint, and not in the model',
            nn.Sequential():add(nn.Tanh()):add(nn.Linear(4, 2)))
      end)
   end)

   it('that are new stay, whatever a former run has left', function()
      shell.with_folder(function(folder)
         local settings = { steps = 40, checkpoint = { folder = folder, every = 5 } }
         trainer(folder, settings):run()
         settings.steps = 20
         trainer(folder, settings):run()
         local checkpoints = train.Checkpoints { folder = folder }
         assert.same({ 15, 20 }, checkpoints:steps())
         assert.equal('file', lfs.attributes(folder .. '/former-00000040.t7', 'mode'))
         local again = trainer(folder, settings)
         again:resume()
         assert.equal(20, again.state.t)
         -- Back to an earlier one.
         local back = trainer(folder, settings)
         back:resume(15)
         back:save()
         assert.same({ 15 }, checkpoints:steps())
      end)
   end)

   it('have the averaged weights, with which the best was chosen', function()
      shell.with_folder(function(folder)
         local made = trainer(folder, { epochs = 4, validation = data(), average = 'ema',
            checkpoint = { folder = folder, metric = 'validation.loss' } })
         made:run()
         local best = made.checkpoints:load 'best'
         local row = best.history[#best.history]
         local plain = train.Trainer { model = made.checkpoints:model 'best', log = false,
            criterion = nn.ClassNLLCriterion(), data = data() }
         assert.near(row['validation.loss'], plain:evaluate(data()).loss, 1e-12)
         plain = train.Trainer { model = best.model, log = false,
            criterion = nn.ClassNLLCriterion(), data = data() }
         assert.is_true(math.abs(row['validation.loss'] - plain:evaluate(data()).loss) > 1e-6)
      end)
   end)

   it('do not change how a network with memory learns, nor what a hook sees', function()
      shell.with_folder(function(folder)
         local function run(every, steps, resumed)
            torch.manualSeed(5)
            local x = torch.randn(3, 40, 2)
            local pieces = {}
            for i = 1, 10 do
               pieces[i] = { input = x:narrow(2, 4 * i - 3, 4):transpose(1, 2):contiguous(),
                  target = x:narrow(2, 4 * i - 3, 4):transpose(1, 2):contiguous() }
            end
            local net = nn.Sequential():add(nn.LSTM(2, 2):remember 'both')
            local made = train.Trainer { model = net, criterion = nn.MSECriterion(), log = false,
               optimizer = 'adam', steps = steps, seed = 3,
               checkpoint = every and { folder = folder, every = every, keep = 100 },
               data = function()
                  local i = 0
                  return function()
                     i = i + 1
                     return pieces[i]
                  end
               end,
               hooks = { onEndEpoch = function(state)
                  assert.is_true(resumed ~= nil or state.output:nElement() == 24)
               end } }
            if resumed then
               made:resume(resumed)
            end
            made:run()
            return made.state.parameters
         end
         local wanted = run(nil, 12)
         assert.is_true(torch.equal(wanted, run(1, 12)))
         for _, step in ipairs { 3, 7, 10 } do
            assert.is_true(torch.equal(wanted, run(1, 12, step)))
         end
      end)
   end)

   it('are of the model as it was frozen', function()
      shell.with_folder(function(folder)
         local net = training.net()
         train.freeze(net, '1')
         trainer(folder, { model = net, steps = 2 }):run()
         raises('1.bias is frozen in the checkpoint, and not in the model', function()
            trainer(folder):resume()
         end)
      end)
   end)

   it('that are no checkpoints are refused', function()
      shell.with_folder(function(folder)
         torch.save(folder .. '/step-00000003.t7', { weight = 1 })
         raises("step-00000003.t7' is no checkpoint of a Trainer", function()
            trainer(folder):resume()
         end)
         torch.save(folder .. '/step-00000003.t7', { trainer = 1, model = training.net() })
         raises("step-00000003.t7' is no checkpoint of a Trainer", function()
            trainer(folder):resume()
         end)
         raises("which is 'latest', expected 'best', a step, or nothing", function()
            train.Checkpoints({ folder = folder }):load 'latest'
         end)
         raises('there is no checkpoint ' .. folder .. '/best.t7', function()
            trainer(folder):resume 'best'
         end)
      end)
   end)

   it('that are damaged are passed over', function()
      shell.with_folder(function(folder)
         local checkpoints = train.Checkpoints { folder = folder }
         checkpoints:save({ 1 }, 1)
         local path = checkpoints:save({ torch.randn(100) }, 2)
         local text = shell.read(path)
         local file = io.open(path, 'wb')
         file:write(text:sub(1, 400))
         file:close()
         local stderr, said = io.stderr, nil
         io.stderr = { write = function(_, message) said = message end } -- luacheck: ignore 122
         local object = checkpoints:load()
         io.stderr = stderr -- luacheck: ignore 122
         assert.same({ 1 }, object)
         assert.matches('step%-00000002.t7.*cannot be read.*going back to the one before', said)
      end)
   end)

   it('leave the step alone that the best was, when another becomes the best', function()
      shell.with_folder(function(folder)
         local checkpoints = train.Checkpoints { folder = folder }
         checkpoints:save({ 'first' }, 1, true) -- two names of one file
         checkpoints:saveBest { 'second' }
         assert.same({ 'first' }, checkpoints:load(1))
         assert.same({ 'second' }, checkpoints:load 'best')
      end)
   end)

   it('say where they cannot be written before the first step', function()
      shell.with_folder(function(folder)
         local file = folder .. '/file'
         assert(io.open(file, 'w')):close()
         local steps = 0
         local made = training.trainer(file, { steps = 2,
            hooks = { onUpdate = function() steps = steps + 1 end } })
         raises("train.Checkpoints: the folder '" .. file .. "' is not there, and cannot be made",
            made.run, made)
         assert.equal(0, steps)
         local checkpoints = train.Checkpoints { folder = folder .. '/a/b' }
         assert.equal(checkpoints, checkpoints:prepare())
         assert.same({}, checkpoints:steps())
         assert.equal('directory', lfs.attributes(folder .. '/a/b', 'mode'))
      end)
   end)

   it('stay whole when the disk is full', function()
      shell.with_folder(function(folder)
         local script = folder .. '/full.lua'
         local file = io.open(script, 'w')
         file:write([[
            local torch = require 'torch'
            local train = require 'torch.train'
            local checkpoints = train.Checkpoints { folder = arg[1] }
            print(pcall(checkpoints.save, checkpoints, { torch.ones(100000) }, 2, true))
            print(checkpoints:load()[1], checkpoints:load 'best'[1])]])
         file:close()
         local run = folder .. '/run'
         train.Checkpoints({ folder = run }):save({ 'whole' }, 1, true)
         -- Files of this process may have 64 KiB; a signal says so first, which is ignored.
         local output = shell.run(("trap '' XFSZ; ulimit -f 64; '%s' '%s' '%s'"):format(
            os.getenv 'TH_EXECUTABLE', script, run))
         assert.matches('false\t.*step%-00000002.t7.*write error.*the former file is as it was',
            output)
         assert.matches('\nwhole\twhole\n', output)
         for name in lfs.dir(run) do
            assert.is_nil(name:match 'partial')
            assert.is_nil(name:match 'torch%-save')
         end
      end)
   end)

   it('survive SIGKILL at any moment: see kill/run.lua for more of these', function()
      local output, status = shell.run(("KILL_SEED=1 '%s' test/torch/train/kill/run.lua 3 cpu 20")
         :format(os.getenv 'TH_EXECUTABLE'))
      assert.matches('3 kills in %d+ runs: each ends with the bits of the undisturbed run', output)
      assert.equal(0, status)
   end)
end)
