-- What the scripts of examples/ have in common: --help, and a line for each mistake.

local paths = require 'paths'
local support = require 'test.examples.support'

local SCRIPTS = {
   'actor_critic/train', 'autoencoder/train', 'char_rnn/train', 'char_transformer/train',
   'custom_function/train', 'custom_layer/run', 'dcgan/train', 'dqn/train', 'fashion_mnist/train',
   'fashion_mnist_resnet/train', 'fashion_mnist_trainer/train', 'finetune/train',
   'formulas/train', 'nngraph/train', 'pinn/train', 'serve/serve', 'tracer/trace', 'vae/train',
   'word_rnn/train',
}

describe('scripts of examples/', function()
   for _, name in ipairs(SCRIPTS) do
      it(name .. ' has a help, and refuses what is no option', function()
         local script = name .. '.lua'
         local help = support.succeeds(script, '--help')
         assert.matches('%-%-%w+ .+%[.*%]', help)
         local output, status = support.run(script, '--nonsense 3')
         assert.equal(1, status)
         assert.matches('invalid argument: --nonsense', output, 1, true)
         assert.not_matches('stack traceback', output, 1, true)
      end)
   end

   it('are all of those in the list of the README', function()
      local list = support.read 'examples/README.md'
      for _, name in ipairs(SCRIPTS) do
         local folder = name:match '^[^/]+'
         assert.matches('[' .. folder .. '](' .. folder .. ')', list, 1, true)
      end
   end)

   local function says(script, arguments, message)
      local output, status = support.run(script, arguments)
      assert.equal(1, status)
      assert.equal(('examples/%s: %s\n'):format(script, message), output)
   end

   it('say in one line what is wrong', function()
      says('vae/train.lua', '--epochs 1.5', '--epochs is 1.5, expected a whole number from 1 on')
      says('vae/train.lua', '--epochs',
         'missing value for option --epochs; --help lists the options')
      says('vae/train.lua', '--data /nowhere', '/nowhere/train-images-idx3-ubyte.gz is missing. On '
         .. 'Debian: apt install dataset-fashion-mnist, or name another folder with --data')
      says('vae/train.lua', '--folder /proc/x', '--folder: cannot make the folder /proc/x')
      says('vae/train.lua', '--picture a.gif',
         "--picture is 'a.gif', expected a name that ends with .png, or '' for no picture")
      says('nngraph/train.lua', "--graph ''", '--graph: cannot write : No such file or directory')
      says('char_rnn/train.lua', '--text /nowhere',
         '--text: cannot read /nowhere: No such file or directory')
   end)

   it('refuse before they begin what would fail later', function()
      local folder = support.folder()
      local empty = folder .. '/empty'
      support.write(empty, '')
      support.write(folder .. '/one', 'a')
      says('vae/train.lua', '--learningRate inf',
         '--learningRate is inf, expected a positive number')
      says('actor_critic/train.lua', '--entropy inf', '--entropy is inf, expected a finite number')
      says('vae/train.lua', '--device gpu', "--device is 'gpu', expected cpu or cuda")
      says('serve/serve.lua', ('--model %s --port 99999'):format(empty),
         '--port is 99999, expected a whole number from 1 to 65535')
      says('char_transformer/train.lua', '--heads 3',
         '--heads is 3, which does not divide --features, 128')
      says('char_rnn/train.lua', '--text ' .. folder,
         ('--text: cannot read %s: Is a directory'):format(folder))
      says('char_rnn/train.lua', '--text ' .. empty, ('--text: %s is empty'):format(empty))
      says('char_rnn/train.lua', ('--text %s/one'):format(folder),
         ('--text: %s/one has a single character'):format(folder))
      says('word_rnn/train.lua', '--text ,', "--text is '', expected files, separated by commas")
      says('word_rnn/train.lua', ('--text %s/one'):format(folder),
         '--text: 0 symbols are too few for 16 parts of 25')
      says('finetune/train.lua', '--weights /nowhere/x',
         '--weights: cannot write /nowhere/x: No such file or directory')
      local output, status = support.run('vae/train.lua', '--seed 1.5')
      assert.equal(1, status)
      assert.matches('%-%-seed is 1.5, expected a whole number from 0 to %d+\n$', output)
      for _, name in ipairs { 'fashion_mnist_trainer', 'fashion_mnist_resnet' } do
         output = support.run(name .. '/train.lua',
            ('--data /nowhere --folder %s/run'):format(folder))
         assert.matches('is missing', output, 1, true)
         assert.is_false(paths.dirp(folder .. '/run'))
      end
      support.remove(folder)
   end)

   it('have no traceback for files of another net, and say that a run is complete', function()
      local folder = support.images(60, 20)
      local empty = folder .. '/empty'
      support.write(empty, '')
      local data = '--threads 1 --data ' .. folder
      says('finetune/train.lua', ('%s --weights %s'):format(data, empty), ("--weights: "
         .. "safetensors.load: '%s': not a safetensors file: it has 0 bytes, too few for one")
         :format(empty))
      says('finetune/train.lua', ('%s --weights %s/w --samples 2'):format(data, folder),
         '--samples: there is no coat among 2 images')

      local run = ('%s --epochs 1 --picture %s/a.png --folder %s/run'):format(data, folder, folder)
      support.succeeds('autoencoder/train.lua', run)
      local again = support.succeeds('autoencoder/train.lua', run .. ' --seed 7')
      assert.matches('\nalready complete at step 1: ', again, 1, true)
      for script, command in pairs {
         ['autoencoder/train.lua'] = run .. ' --code 16',
         ['fashion_mnist_trainer/train.lua'] = ('%s --folder %s/run'):format(data, folder),
      } do
         local other, status = support.run(script, command)
         assert.equal(1, status, other)
         assert.matches(('\nexamples/%s: %%-%%-folder: train.Trainer: [^\n]+ in the checkpoint'
            .. '[^\n]+; another folder begins anew\n$'):format(script), other)
      end
      support.remove(folder)
   end)

   it('write text and go on from a folder where they were stopped', function()
      local folder = support.folder()
      support.write(folder .. '/text', ('to be or not to be\n'):rep(60))
      local command = ('--text %s/text --threads 1 --batchSize 4 --length 20 --hidden 16 '
         .. '--layers 1 --sample 5 --folder %s/run'):format(folder, folder)
      local first = support.succeeds('char_rnn/train.lua', command .. ' --epochs 1')
      local more = support.succeeds('char_rnn/train.lua', command .. ' --epochs 2')
      support.remove(folder)
      assert.matches('\nepoch 1  step', first)
      assert.not_matches('\nepoch 1  step', more)
      assert.matches('\nepoch 2  step', more)
   end)
end)
