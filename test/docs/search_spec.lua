-- The search of the site, as the browser runs it (docs/site/rank.js), by the program node.
local shell = require 'test.support.shell'

local script = [[
require(process.cwd() + '/docs/site/rank.js');
globalThis.window = globalThis;
require(process.argv[2] + '/search-index.js');
for (const question of process.argv.slice(3)) {
  const found = rankSearch(window.searchIndex, question, 3);
  console.log(found.map((entry) => entry[0] + ' ' + entry[1]).join('\t'));
}
]]

-- Question -> a name or a page, or several, that have to be among the first three.
local wanted = {
   -- PyTorch's names, and what its users ask for
   ['DataLoader'] = 'dataset.Loader ', ['no_grad'] = 'torch.noGrad ',
   ['torch.no_grad()'] = 'torch.noGrad ', ['optimizer'] = 'reference/optim/gradient.html',
   ['one_hot'] = 'nn.OneHot ', ['manual_seed'] = 'torch.manualSeed ',
   ['scheduler'] = 'optim.schedule.attach ', ['lr_scheduler'] = 'optim/schedules.html',
   ['state_dict'] = { 'guides/saving.html', 'reference/data/pth.html' },
   ['freeze layers'] = 'torch.train.freeze ', ['gradient clipping'] = 'optim.clipGradNorm ',
   ['print summary'] = 'torch.train.summary ', ['tokenizer'] = 'dataset.text.Bpe ',
   ['pad a sequence'] = 'torch.dataset.collate.pad ',
   ['pad_sequence'] = 'torch.dataset.collate.pad ',
   ['Conv2d'] = 'nn.SpatialConvolution ', ['BatchNorm2d'] = 'nn.SpatialBatchNormalization ',
   ['Embedding'] = 'nn.LookupTable ', ['CrossEntropyLoss'] = 'nn.CrossEntropyCriterion ',
   ['from_numpy'] = 'reference/data/npy.html', ['concatenate'] = 'torch.cat ',
   ['requires_grad_'] = 'Tensor:requiresGrad ', ['is_available'] = 'guides/gpu.html',
   ['batch_first'] = 'nn.Recurrence ', ['weight decay'] = 'optim.adamw ',
   ['argparse'] = 'torch.CmdLine ', ['tqdm'] = 'xlua.progress ', ['xavier'] = 'nn.Module:reset ',
   ['load a pytorch model'] = 'reference/data/pth.html', ['save a model'] = 'guides/saving.html',
   ['early stopping'] = 'train.EarlyStop ', ['mixed precision'] = 'train.Precision ',
   ['learning rate decay'] = 'guides/training.html#rates-that-change',
   ['multi gpu'] = 'guides/several_gpus.html', ['custom layer'] = 'guides/writing_a_layer.html',
   ['imbalanced classes'] = 'dataset.WeightedSampler ', ['data augmentation'] = 'guides/data.html',
   -- what somebody wants to make
   ['text generation'] = { 'char_rnn', 'char_transformer' }, ['gpt'] = 'char_transformer',
   ['language model'] = 'word_rnn', ['image classification'] = 'examples/fashion_mnist/',
   ['reinforcement learning'] = 'examples/dqn/', ['gan'] = 'examples/dcgan/',
   ['transfer learning'] = 'examples/finetune/', ['regression'] = 'nn/regression.html',
   ['deploy'] = { 'examples/serve/', 'guides/embedding.html' }, ['docker'] = 'install.html',
   ['speech recognition'] = 'nn.CTCCriterion ', ['label smoothing'] = 'nn.CrossEntropyCriterion ',
   ['rope'] = 'nn.RotaryEmbedding ', ['matrix multiplication'] = 'torch.mm ',
   ['gradient check'] = 'torch.gradcheck ', ['boolean mask'] = 'Tensor:maskedSelect ',
   ['number of threads'] = 'torch.setnumthreads ', ['vscode'] = 'editors.html',
   ['windows'] = 'install.html', ['migrate'] = 'from_torch7.html',
   ['nan loss'] = 'errors.html#nets',
   -- a name is found by itself, and not by another one that has it
   ['adam'] = 'optim.adam ', ['sgd'] = 'optim.sgd ', ['adamw'] = 'optim.adamw ',
   ['clipGradNorm'] = 'optim.clipGradNorm ', ['nn.Linear'] = 'nn.Linear ',
   ['torch.sum'] = 'torch.sum ', ['relu'] = 'nn.ReLU ',
   ['max'] = 'reference/tensors/reductions.html',
   ['topk'] = 'reference/tensors/sorting.html', ['sigmo'] = 'nn.Sigmoid ',
   -- spellings and endings
   ['quantisation'] = 'nn.quantize ', ['quantization'] = 'nn.quantize ',
   ['colour jitter'] = 'dataset.transform.ColorJitter ',
   ['initialise weights'] = 'nn.Module:reset ',
   ['initializing weights'] = 'nn.Module:reset ', ['normalise'] = 'nn/normalization.html',
   ['optimiser'] = 'reference/optim/gradient.html', ['pruned'] = 'nn.Pruner ',
   -- a word that is nowhere does not hide the others
   ['how do i freeze layers in tensorflow'] = 'torch.train.freeze ',
   ['dropout frobnicate'] = 'nn.Dropout ',
}

describe("the site's search", function()
   local folder, program = os.tmpname(), os.tmpname()
   local node = select(2, shell.run 'command -v node') == 0

   setup(function()
      os.remove(folder)
      local text, status = shell.run('luajit docs/site/build.lua ' .. shell.quoted(folder))
      assert(status == 0, text)
      local file = assert(io.open(program, 'w'))
      file:write(script)
      file:close()
   end)

   teardown(function()
      shell.run(('rm -r %s %s'):format(shell.quoted(folder), shell.quoted(program)))
   end)

   -- The first three answers to each question.
   local function ask(questions)
      local words = {}
      for i, question in ipairs(questions) do
         words[i] = shell.quoted(question)
      end
      local text, status = shell.run(('node %s %s %s'):format(shell.quoted(program),
         shell.quoted(folder), table.concat(words, ' ')))
      assert.equal(0, status, text)
      local answers = {}
      for line in text:gmatch '([^\n]*)\n' do
         answers[#answers + 1] = line
      end
      assert.equal(#questions, #answers)
      return answers
   end

   it('shows what is asked for among the first three', function()
      if not node then
         pending 'no node to run it: apt-get install nodejs'
         return
      end
      local questions, missing = {}, {}
      for question in pairs(wanted) do
         questions[#questions + 1] = question
      end
      table.sort(questions)
      for i, answer in ipairs(ask(questions)) do
         local parts = wanted[questions[i]]
         for _, part in ipairs(type(parts) == 'table' and parts or { parts }) do
            if not ('\t' .. answer):find((part:match ' $' and '\t' or '') .. part, 1, true) then
               missing[#missing + 1] = ('%s: no %s in %s'):format(questions[i], part, answer)
            end
         end
      end
      assert.same({}, missing)
   end)

   it('shows one thing once, and nothing for what is nowhere', function()
      if not node then
         pending 'no node to run it: apt-get install nodejs'
         return
      end
      local answers = ask { 'sum', 'frobnicate', 'the' }
      local _, sums = answers[1]:gsub('reductions.html#torchsum', '')
      assert.equal(1, sums)
      assert.equal('', answers[2])
      assert.not_equal('', answers[3])
   end)

   it('has an entry for each name, with its own line', function()
      local index = shell.read(folder .. '/search-index.js')
      local lines = 0
      for line in index:gmatch '\n(%[[^\n]*)' do
         local name, where, about = line:match '^%["(.-[^\\])","([^"]*)","(.-[^\\]?)"[,%]]'
         assert(name and not name:match '^%l+%.%w+: %l+%.', line)
         assert(where ~= '' and not about:match '^: ', line)
         lines = lines + 1
      end
      assert.is_true(lines > 2500)
   end)

   it('knows every entry that has synonyms', function()
      local search = dofile 'docs/site/search.lua'
      local body = '<h1 id="a">A</h1><p>text</p>'
      local index, unknown = search({ 'a.html' }, { ['a.html'] = body }, { ['a.html'] = 'A' },
         { A = 'alpha', ['nn.Gone'] = 'lost' })
      assert.equal('window.searchIndex = [\n["A","a.html#a","A: text","alpha"]\n];\n', index)
      assert.same({ 'nn.Gone' }, unknown)
   end)
end)
