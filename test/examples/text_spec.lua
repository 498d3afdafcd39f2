-- The examples that write text, and the reader of text that they share.

local torch = require 'torch'
local support = require 'test.examples.support'

local text = dofile 'examples/common/text.lua'

describe('examples that write text', function()
   local path

   setup(function()
      path = os.tmpname()
      support.write(path, ('to be or not to be, that is the question\n'):rep(60))
   end)

   teardown(function()
      os.remove(path)
   end)

   -- The losses of the epochs, that of the test, and what was written.
   local function results(script, arguments)
      local output = support.succeeds(script,
         ('--text %s --threads 1 --batchSize 4 --length 20 --sample 60 %s'):format(path, arguments))
      return support.numbers(output, 'step %d+  loss (%d+%.%d+)'),
         tonumber(output:match 'test loss: (%d+%.%d+)'), output:match 'test loss: [^\n]+\n(.*)\n$',
         output
   end

   local function learns(script, arguments)
      local losses, test, written, output = results(script, arguments)
      assert.is_true(losses[1] < math.log(15) + 0.1, output) -- of 15 different characters
      assert.is_true(losses[#losses] < 0.3 * losses[1], output)
      assert.is_true(test < 0.5 * losses[1], output)
      assert.equal(60, #written, output)
      assert.not_matches('[^tobernhaisquo, \n]', written)
      assert.matches('to be', written)
   end

   it('char_rnn learns a line by heart', function()
      learns('char_rnn/train.lua', '--epochs 8 --features 16 --hidden 48 --layers 1 '
         .. '--learningRate 0.02 --temperature 0.3')
   end)

   it('char_transformer learns a line by heart', function()
      learns('char_transformer/train.lua', '--epochs 15 --features 32 --layers 1 --heads 2 '
         .. '--learningRate 3e-3 --dropout 0 --temperature 0.3')
   end)

   it('char_transformer and char_rnn learn in bfloat16, in steps of several batches', function()
      for script, arguments in pairs {
         ['char_rnn/train.lua'] = '--epochs 8 --features 16 --hidden 48 --layers 1 '
            .. '--learningRate 0.03',
         ['char_transformer/train.lua'] = '--epochs 15 --features 32 --layers 1 --heads 2 '
            .. '--learningRate 5e-3 --dropout 0',
      } do
         local losses, test, _, output = results(script,
            arguments .. ' --precision bfloat16 --accumulate 2')
         assert.is_true(losses[#losses] < 0.5 * losses[1], output)
         assert.is_true(test < 0.6 * losses[1], output)
      end
   end)

   it('word_rnn learns words by heart', function()
      local lines = path .. '.txt'
      support.write(lines, ('the cat sat on the mat .\nthe dog sat on the cat .\n'):rep(60))
      local output = support.succeeds('word_rnn/train.lua', ('--text %s,%s --threads 1 --epochs 6 '
         .. '--batchSize 4 --length 10 --features 24 --dropout 0 --learningRate 0.03 --sample 20 '
         .. '--temperature 0.3'):format(lines, lines))
      local losses = support.numbers(output, 'step %d+  loss (%d+%.%d+)')
      os.remove(lines)
      assert.is_true(losses[1] < math.log(9) + 0.3, output)
      -- After 'the' two words are equally likely, after 'sat' one: ln 2 in some of seven places.
      assert.is_true(losses[#losses] < 0.4, output)
      local perplexity = tonumber(output:match 'perplexity: (%d+%.%d+)')
      local loss = tonumber(output:match 'test loss: (%d+%.%d+)')
      assert.near(math.exp(loss), perplexity, 0.06)
      assert.matches('sat on the', output:match 'perplexity: [^\n]+\n(.*)$', 1, true)
   end)

   local try = os.execute 'command -v gnuplot >/dev/null' == 0 and it or pending
   try('draw the loss of a single epoch, and say so', function()
      local picture = path .. '.svg'
      local output = select(4, results('char_rnn/train.lua',
         '--epochs 1 --features 8 --hidden 8 --layers 1 --plot ' .. picture))
      assert.matches('\nwritten: ' .. picture .. '\n', output, 1, true)
      assert.matches('validation.loss', support.read_svg(picture), 1, true)
      os.remove(picture)
   end)

   it('are told what is wrong', function()
      local function refuses(message, arguments)
         local output, status = support.run('char_rnn/train.lua', arguments)
         assert.not_equal(0, status)
         assert.matches(message, output, 1, true)
      end
      refuses('--text: cannot read /nonexistent: ', '--text /nonexistent')
      refuses('symbols are too few for 4 parts of 2000',
         '--batchSize 4 --length 2000 --text ' .. path)
      refuses('--temperature is 0, expected a positive number', '--temperature 0')
   end)
end)

describe('examples/common/text.lua', function()
   it('numbers the characters in their order, and cuts the text into parts', function()
      local path = os.tmpname()
      support.write(path, 'cabbage\ncabbage\nbeef')
      local data = text.load(path, 0.2)
      os.remove(path)
      assert.equal('\nabcefg', table.concat(data.symbols))
      for number, character in ipairs(data.symbols) do
         assert.equal(number, data.numbers[character])
      end
      assert.same({ 4, 2, 3, 3, 2, 7, 5, 1, 4, 2, 3, 3, 2, 7, 5, 1 }, data.train:totable())
      assert.same({ 3, 5, 5, 6 }, data.test:totable())

      local steps = {}
      for x, y in text.batches(data.train, 2, 3) do
         steps[#steps + 1] = { x:totable(), y:totable() }
      end
      assert.same({ -- parts of 7 characters, of which the last one is left out
         { { { 4, 2, 3 }, { 1, 4, 2 } }, { { 2, 3, 3 }, { 4, 2, 3 } } },
         { { { 3, 2, 7 }, { 3, 3, 2 } }, { { 2, 7, 5 }, { 3, 2, 7 } } },
      }, steps)
   end)

   it('draws by probability, sharper at low temperature', function()
      torch.manualSeed(3)
      local scores = torch.log(torch.Tensor { 0.5, 0.3, 0.2 })
      local function counts(temperature)
         local n = { 0, 0, 0 }
         for _ = 1, 4000 do
            local k = text.draw(scores, temperature)
            n[k] = n[k] + 1
         end
         return n
      end
      local n = counts(1)
      for k, p in ipairs { 0.5, 0.3, 0.2 } do -- within four standard deviations
         assert.is_true(math.abs(n[k] - 4000 * p) < 4 * math.sqrt(4000 * p * (1 - p)))
      end
      n = counts(0.5) -- squares: 0.25, 0.09, 0.04 of 0.38
      assert.is_true(math.abs(n[1] - 4000 * 0.25 / 0.38) < 4 * math.sqrt(4000 * 0.66 * 0.34))
   end)
end)
