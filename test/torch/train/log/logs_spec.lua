-- What a training tells: console, CSV, curves.
local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local train = require 'torch.train'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local function trainer(log, settings)
   torch.manualSeed(1)
   local all = { model = nn.Sequential():add(nn.Linear(2, 1)), criterion = nn.MSECriterion(),
      data = { input = torch.randn(10, 2), target = torch.randn(10, 1), batchSize = 5 },
      epochs = 2, log = log, seed = 1 }
   for name, value in pairs(settings or {}) do
      all[name] = value
   end
   return train.Trainer(all)
end

describe('train.Console', function()
   it('draws progress over itself, and the time left', function()
      local text, now = {}, 0
      local console = train.Console { terminal = true, write = function(t) text[#text + 1] = t end,
         clock = function() return now end }
      local state = { epoch = 0, batch = 0, batches = 4, t = 0, trainer = { epochs = 3 } }
      console:startEpoch(state)
      for i = 1, 3 do
         now = now + 2
         state.batch, state.loss, state.sample = i, i, { input = torch.ones(8, 2) }
         console:batch(state)
      end
      assert.equal('\repoch 1/3 [==================      ]  75%  loss 2.0000  4 samples/s  '
         .. '0:02 left', text[3])
      console:add { epoch = 1, step = 4, loss = 2.5, seconds = 3725, learningRate = 0.1 }
      assert.matches('^\repoch 1  step 4  loss 2.5000  1:02:05 *\n$', text[4])
      assert.equal(#text[3], #text[4] - 1)
   end)

   it('draws nothing but lines elsewhere', function()
      local text = {}
      local console = train.Console { terminal = false,
         write = function(t) text[#text + 1] = t end }
      trainer { console = false, console }:run()
      assert.equal(2, #text)
      assert.matches('^epoch 1  step 2  loss %d%.%d%d%d%d  0:00\n$', text[1])
      assert.matches('^epoch 2  step 4  loss', text[2])
   end)

   it('says where a run goes on, and that one has nothing left to do', function()
      shell.with_folder(function(folder)
         local function run(epochs)
            local text = {}
            local console = train.Console { terminal = false,
               write = function(t) text[#text + 1] = t end }
            local made = trainer({ console = false, console },
               { epochs = epochs, checkpoint = folder })
            made:resume()
            made:run()
            made:run() -- once is enough
            return text
         end
         assert.matches('^epoch 1', run(1)[1])
         local more = run(2)
         assert.equal(('going on from step 2: %s/step-00000002.t7\n'):format(folder), more[1])
         assert.matches('^epoch 2', more[2])
         assert.same({ ('already complete at step 4: %s/step-00000004.t7\n'):format(folder) },
            run(2))
      end)
   end)

   it('does not know how long a stream is', function()
      local text, now = {}, 0
      local console = train.Console { terminal = true, write = function(t) text[#text + 1] = t end,
         clock = function() return now end }
      local state = { epoch = 1, batch = 0, t = 7, loss = 1, sample = { input = torch.ones(8) } }
      console:startEpoch(state)
      now, state.batch = 4, 1
      console:batch(state)
      assert.equal('\repoch 2  step 7  loss 1.0000  2 samples/s', text[1])
   end)
end)

describe('train.CSV', function()
   it('has a row for each epoch', function()
      shell.with_folder(function(folder)
         local made = trainer({ console = false, csv = folder .. '/deep/log.csv' },
            { validation = { input = torch.ones(4, 2), target = torch.ones(4, 1) } })
         made:run()
         local lines = {}
         for line in io.lines(folder .. '/deep/log.csv') do
            lines[#lines + 1] = line
         end
         assert.equal('epoch,step,loss,validation.loss,learningRate,seconds', lines[1])
         assert.equal(3, #lines)
         for i, row in ipairs(made.history) do
            local epoch, step, loss, validation = lines[i + 1]:match '^(%d+),(%d+),([^,]+),([^,]+),'
            assert.same({ i, 2 * i }, { tonumber(epoch), tonumber(step) })
            assert.near(row.loss, tonumber(loss), 1e-8)
            assert.near(row['validation.loss'], tonumber(validation), 1e-8)
         end
      end)
   end)

   it('quotes what needs it, leaves out what is not there, gets later columns', function()
      shell.with_folder(function(folder)
         local csv = train.CSV(folder .. '/log.csv')
         csv:add { step = 1, ['a,b'] = 2, note = 'say "x"' }
         csv:add { step = 2 }
         assert.equal('step,"a,b",note\n1,2,"say ""x"""\n2,,\n', shell.read(folder .. '/log.csv'))
         csv:add { step = 3, loss = 1 }
         csv:add { step = 4, loss = 0.5 }
         assert.equal('step,loss,"a,b",note\n1,,2,"say ""x"""\n2,,,\n3,1,,\n4,0.5,,\n',
            shell.read(folder .. '/log.csv'))
         raises('train.CSV: path is nil, expected a file name', train.CSV)
         raises("train.CSV: the folder of '/proc/none/log.csv' is not there", train.CSV,
            '/proc/none/log.csv')
         raises('train.CSV: cannot write', function()
            train.CSV('/proc/none.csv'):add { step = 1 }
         end)
      end)
   end)

   it('goes on with the rows that a checkpoint knows of', function()
      shell.with_folder(function(folder)
         local csv = train.CSV(folder .. '/log.csv')
         for step = 1, 5 do
            csv:add { step = step, loss = step * 2 }
         end
         csv = train.CSV(folder .. '/log.csv')
         csv:goOn(3, { { step = 1, loss = 2 }, { step = 3, loss = 6 } })
         csv:add { step = 4, loss = 1 }
         assert.equal('step,loss\n1,2\n3,6\n4,1\n', shell.read(folder .. '/log.csv'))
      end)
   end)
end)

describe('train.Plot', function()
   local try = os.execute 'command -v gnuplot >/dev/null' == 0 and it or pending

   -- The text of an SVG; gnuplot is a process of its own.
   local function drawn(path)
      local picture = ''
      for _ = 1, 100 do
         picture = paths.filep(path) and shell.read(path) or ''
         if picture:find('</svg>', 1, true) then
            break
         end
         os.execute 'sleep 0.05'
      end
      return picture
   end

   try('draws the losses', function()
      shell.with_folder(function(folder)
         local path = folder .. '/curves.png'
         trainer({ console = false, plot = path }, { epochs = 3 }):run()
         for _ = 1, 100 do -- gnuplot is a process of its own
            if paths.filep(path) and #shell.read(path) > 500 then
               break
            end
            os.execute 'sleep 0.05'
         end
         assert.equal('\137PNG', shell.read(path):sub(1, 4))
      end)
   end)

   try('draws a single epoch, too: a point', function()
      shell.with_folder(function(folder)
         local plot = train.Plot(folder .. '/curves.svg')
         assert.is_nil(plot.drawn)
         plot:add { epoch = 1, loss = 0.5 }
         assert.is_true(plot.drawn)
         local _, discs = drawn(folder .. '/curves.svg'):gsub("<use xlink:href='#gpPt6'", '')
         assert.equal(2, discs) -- and one in the legend
      end)
   end)

   try('says what its axes are', function()
      shell.with_folder(function(folder)
         local function labels(names)
            local path = ('%s/%d.svg'):format(folder, #names)
            local plot = train.Plot(path, names)
            for epoch = 1, 2 do
               plot:add { epoch = epoch, accuracy = epoch / 4, loss = 1 / epoch,
                  ['validation.accuracy'] = epoch / 3 }
            end
            local picture = drawn(path)
            local up = {} -- what is written from below to above
            for group in picture:gmatch 'rotate%(270%)[^>]*>(.-)</text>' do
               up[#up + 1] = (group:gsub('<[^>]*>', ''):gsub('%s', ''))
            end
            assert.matches('epoch', picture, 1, true)
            return up
         end
         assert.same({ 'accuracy' }, labels { 'accuracy', 'validation.accuracy' })
         assert.same({}, labels { 'accuracy', 'loss', 'validation.accuracy' })
      end)
   end)

   it('refuses other pictures', function()
      raises('train.Plot: curves.gif: pictures are .png, .svg, .pdf or .eps', train.Plot,
         'curves.gif')
   end)
end)

describe('the option log', function()
   it('refuses what is no log', function()
      raises("train.Trainer: log: there is no option 'cvs'; near: csv", trainer, { cvs = 'x' })
      raises('log 1 is a table, expected an object with add(row)', trainer, { {} })
   end)

   it('refuses places where nothing can be written, before there is anything', function()
      raises("train.CSV: '.' is a folder, expected the name of a file", trainer, { csv = '.' })
      shell.with_folder(function(folder)
         local file = folder .. '/file'
         assert(io.open(file, 'w')):close()
         raises("train.TensorBoard: the folder '" .. file .. "' is not there, and cannot be made",
            trainer, { tensorboard = file })
      end)
   end)

   it('takes logs of a script', function()
      local rows = {}
      trainer { console = false, { add = function(_, row) rows[#rows + 1] = row.epoch end } }:run()
      assert.same({ 1, 2 }, rows)
   end)
end)
