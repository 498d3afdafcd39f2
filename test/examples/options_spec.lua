-- What the scripts of examples/ have in common: --help, and a line for each mistake.

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
