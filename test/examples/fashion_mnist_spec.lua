-- The training example as its users run it, on a small data set.

local torch = require 'torch'
local cuda = require 'test.support.cuda'
local support = require 'test.examples.support'

local SCRIPT = 'examples/fashion_mnist/train.lua'

local quoted, shell, write = support.quoted, support.shell, support.write

describe('examples/fashion_mnist/train.lua', function()
   local folder

   setup(function()
      folder = support.images(300, 100)
   end)

   teardown(function()
      support.remove(folder)
   end)

   local function train(arguments)
      local th = assert(os.getenv 'TH_EXECUTABLE', 'run busted by way of th')
      if not arguments:find('--threads', 1, true) then
         arguments = arguments .. ' --threads 1'
      end
      return shell(('%s %s --data %s --batchSize 25 --learningRate 0.02 %s'):format(
         quoted(th), SCRIPT, quoted(folder), arguments))
   end

   local function checkpoint(name)
      return folder .. '/' .. name
   end

   local function parameters(name)
      local saved = torch.load(checkpoint(name))
      local values = {}
      for i, p in ipairs(saved.net:parameters()) do
         values[i] = p:totable()
      end
      return { epoch = saved.epoch, values = values, random = saved.random:totable(),
         steps = saved.optimiser.evalCounter, momentum = saved.optimiser.dfdx:totable() }
   end

   it('learns, reports, and ends with the accuracy', function()
      local output, status = train('--epochs 3 --save ' .. checkpoint 'whole.t7')
      assert.equal(0, status, output)
      assert.matches('%[input %-> %(1%) %->', output)
      assert.matches('epoch  1 %[=+%] 100%%  loss %d%.%d+ +%d+ images/s  %d:%d%d in all', output)
      assert.matches('ConfusionMatrix:\n.*%[class: trouser%]', output)
      local accuracy = output:match 'test accuracy: (%d%.%d%d%d%d)\n$'
      assert.is_true(tonumber(accuracy) >= 0.99, output)
   end)

   it('learns with each of its models', function()
      for _, model in ipairs { 'mlp', 'resnet' } do
         local output, status = train(('--model %s --epochs 2 --save %s'):format(
            model, checkpoint(model .. '.t7')))
         assert.equal(0, status, output)
         local first, second = output:match 'loss (%d%.%d+).*loss (%d%.%d+)'
         assert.is_true(tonumber(second) < 0.9 * tonumber(first), output)
      end
   end)

   it('gives the same result for the same seed on two threads, another for another', function()
      local first, second, other
      first = train('--epochs 1 --threads 2 --seed 4 --save ' .. checkpoint 'first.t7')
      second = train('--epochs 1 --threads 2 --seed 4 --save ' .. checkpoint 'second.t7')
      other = train('--epochs 1 --threads 2 --seed 5 --save ' .. checkpoint 'other.t7')
      assert.equal(first:match 'ConfusionMatrix.*', second:match 'ConfusionMatrix.*')
      assert.same(parameters 'first.t7', parameters 'second.t7')
      assert.not_same(parameters 'first.t7', parameters 'other.t7')
      assert.is_string(other)
   end)

   it('goes on from a checkpoint as if it had never stopped, bit for bit', function()
      train('--epochs 3 --seed 6 --save ' .. checkpoint 'straight.t7')
      train('--epochs 1 --seed 6 --save ' .. checkpoint 'part.t7')
      local output, status = train(('--epochs 3 --resume %s --save %s'):format(
         checkpoint 'part.t7', checkpoint 'resumed.t7'))
      assert.equal(0, status, output)
      assert.matches('epoch  2', output)
      assert.not_matches('epoch  1', output)
      assert.same(parameters 'straight.t7', parameters 'resumed.t7')
      assert.equal(3, parameters 'resumed.t7'.epoch)
   end)

   it('refuses data that is missing, cut short, or of another format', function()
      local function refuses(pattern, file, bytes)
         local broken = folder .. '/broken'
         shell(('rm -rf %s; mkdir %s; cp %s/*.gz %s'):format(broken, broken, folder, broken))
         if bytes then
            shell(('rm %s/%s.gz'):format(broken, file))
            write(broken .. '/' .. file, bytes)
         else
            shell(('truncate -s -100 %s/%s.gz'):format(broken, file))
         end
         local th = os.getenv 'TH_EXECUTABLE'
         local output, status = shell(('%s %s --data %s'):format(th, SCRIPT, broken))
         assert.not_equal(0, status)
         assert.matches(pattern, output)
      end
      refuses('train%-images.*gz: the file is truncated or damaged: its data has %d+ bytes '
         .. 'instead of 235200', 'train-images-idx3-ubyte')
      refuses('t10k%-labels.*: the file is truncated or damaged: its header has 2 bytes instead',
         't10k-labels-idx1-ubyte', '\0\0')
      refuses('train%-labels.*: not an IDX file: it begins with 0 0 7 1',
         'train-labels-idx1-ubyte', '\0\0\7\1')
      local output, status = shell(('%s %s --data /nonexistent'):format(
         os.getenv 'TH_EXECUTABLE', SCRIPT))
      assert.not_equal(0, status)
      assert.matches('/nonexistent/train%-images%-idx3%-ubyte.gz is missing', output)
   end)

   it('refuses checkpoints that are missing, cut short, or something else', function()
      local function refuses(pattern, name)
         local output, status = train('--resume ' .. checkpoint(name))
         assert.not_equal(0, status)
         assert.matches(pattern, output)
      end
      refuses('%-%-resume: there is no checkpoint', 'missing.t7')
      train('--epochs 1 --save ' .. checkpoint 'cut.t7')
      shell('truncate -s -1000 ' .. checkpoint 'cut.t7')
      refuses('%-%-resume: .*cut.t7 is not a whole checkpoint', 'cut.t7')
      torch.save(checkpoint 'table.t7', { 1, 2, 3 })
      refuses('table.t7 is no checkpoint of this script', 'table.t7')
   end)

   it('leaves no file behind when it refuses, none beside the checkpoint otherwise', function()
      local function files()
         return (shell('ls -A ' .. quoted(folder)))
      end
      local before = files()
      for arguments, reason in pairs {
         ['--learningRate -1'] = 'learningRate', ['--epochs 0'] = 'epochs',
         ['--data /nonexistent'] = '/nonexistent/.* is missing',
      } do
         local output, status = train(arguments .. ' --save ' .. checkpoint 'new.t7')
         assert.not_equal(0, status)
         assert.matches(reason, output)
         assert.equal(before, files())
      end
      local _, status = train('--epochs 1 --save ' .. checkpoint 'new.t7')
      assert.equal(0, status)
      os.remove(checkpoint 'new.t7')
      assert.equal(before, files())
   end)

   it('refuses to start without touching the last checkpoint', function()
      torch.save(checkpoint 'last.t7', { 1, 2, 3 })
      local _, status = train('--data /nonexistent --save ' .. checkpoint 'last.t7')
      assert.not_equal(0, status)
      assert.same({ 1, 2, 3 }, torch.load(checkpoint 'last.t7'))
   end)

   describe('on CUDA devices #cuda', function()
      local function on(arguments, name)
         local output, status = train(('--device cuda %s --epochs 2 --seed 6 --save %s'):format(
            arguments, checkpoint(name)))
         assert.equal(0, status, output)
         return parameters(name), output
      end

      local function largest_difference(a, b, worst)
         for key, value in pairs(a) do
            worst = type(value) == 'table' and largest_difference(value, b[key], worst)
               or math.max(worst, math.abs(value - b[key]))
         end
         return worst
      end

      if not cuda.available then
         return
      end

      it('learns what the CPU learns', function()
         local there = on('', 'cuda.t7')
         train('--epochs 2 --seed 6 --save ' .. checkpoint 'cpu.t7')
         local here = parameters 'cpu.t7'
         local difference = largest_difference(here.values, there.values, 0)
         assert.is_true(difference < 1e-4, tostring(difference))
      end)

      it('has the same bits on one device and on four with as many parts', function()
         if require 'cutorch'.getDeviceCount() < 4 then
            return pending 'needs four devices'
         end
         local one = on('--devices 1 --parts 4', 'one.t7')
         assert.same(one, (on('--devices 4 --parts 4', 'four.t7')))
      end)

      it('goes on from a checkpoint, also one of the CPU', function()
         local straight = on('', 'straight.t7')
         train('--device cuda --epochs 1 --seed 6 --save ' .. checkpoint 'part.t7')
         assert.same(straight, (on('--resume ' .. checkpoint 'part.t7', 'resumed.t7')))
         train('--epochs 1 --seed 6 --save ' .. checkpoint 'part.t7')
         local resumed, output = on('--resume ' .. checkpoint 'part.t7', 'resumed.t7')
         assert.equal(2, resumed.epoch, output)
      end)

      it('refuses more devices than there are', function()
         local output, status = train '--device cuda --devices 99'
         assert.not_equal(0, status)
         assert.matches('%-%-devices is 99, this machine has %d+', output)
      end)
   end)

   it('refuses options it does not know, and values that make no sense', function()
      local function refuses(pattern, arguments)
         local output, status = train(arguments)
         assert.not_equal(0, status)
         assert.matches(pattern, output)
      end
      refuses('invalid argument: %-%-epoch; near: %-%-epochs; %-%-help lists the options\n',
         '--epoch 3')
      refuses('%-%-epochs is 0, expected a whole number from 1 on', '--epochs 0')
      refuses('%-%-learningRate is %-1, expected a positive number', '--learningRate -1')
      refuses('%-%-samples is %-5, expected a whole number from 0 on', '--samples -5')
      refuses('%-%-save: cannot write /nonexistent/x.t7: ', '--save /nonexistent/x.t7')
      refuses("%-%-device is 'gpu', expected cpu or cuda", '--device gpu')
      refuses("%-%-model is 'vgg', expected mlp, lenet or resnet", '--model vgg')
      refuses('%-%-devices and %-%-parts are for %-%-device cuda', '--devices 2')
   end)
end)
