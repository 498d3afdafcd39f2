local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local docs = require 'torch.docs'
local help = require 'torch.help'
local find = require 'torch.help.find'
local signature = require('torch.help.entries').signature
local docstrings = require 'test.support.documents.docstrings'

local function contains(text, ...)
   for i = 1, select('#', ...) do
      local part = select(i, ...)
      assert.is_truthy(text:find(part, 1, true), ('no "%s" in:\n%s'):format(part, text))
   end
end

describe('help', function()
   it('knows every public function of torch and every method of tensors', function()
      local missing, found = {}, 0
      for owner, functions in pairs { F = torch, T = torch.getmetatable 'torch.FloatTensor' } do
         for name, f in pairs(functions) do
            local public = not name:match '^_' or name:match '^__%w+__$'
            if type(f) == 'function' and public then
               local entry, row = find.entry('torch', name, f, owner)
               local text = entry and (#entry.text > 0 or #entry.params > 0)
               if text or row then
                  found = found + 1
               else
                  missing[#missing + 1] = owner .. '.' .. name
               end
            end
         end
      end
      table.sort(missing)
      assert.same({}, missing)
      assert.is_true(found > 400)
   end)

   -- In a build with CUDA, test/cutorch/help_spec.lua does the same for its packages.
   it('has a docstring for each public function and class of the packages', function()
      require 'paths'
      require 'sys'
      require 'xlua'
      assert.same({}, docstrings.undocumented { 'torch', 'nn', 'graph', 'nngraph', 'optim',
         'paths', 'sys', 'xlua' })
      contains(help.text(torch.Generator), 'torch.manualSeed(gen, 7)', ':copy(other)')
      contains(help.text 'torch.Generator', 'torch.Generator')
      contains(help.text 'torch.indexing', 't[{ i, j, ... }]', '{ first, last }')
   end)

   it('shows docstring, call forms and parameters of a function', function()
      local text = help.text(torch.stack)
      contains(text, 'torch.stack([res], list, [dim])', 'joined along a new dimension',
         'list: table of tensors', 'raises "stack: tensor 2 is 3x2')
      contains(help.text(torch.add), 'torch.add', 't1 + v * t2',
         'torch.add([res,] t1, [value=1,] t2) -> res')
      contains(help.text(torch.sum), 'Sum of all elements', 't:sum(dim) -> res')
   end)

   it('shows the formula of a generated operation', function()
      contains(help.text(torch.exp), 'torch.exp', 'e^x', 'half, bfloat16, float, double',
         'torch.exp([res,] x) -> res')
      contains(help.text 'Tensor:addcdiv', 'x + value * y / z', '[value = 1,] y, z')
      contains(help.text(torch.lt), 'x < y', 'ByteTensor')
   end)

   it('finds names, with and without their owner', function()
      assert.equals(help.text(torch.add), help.text 'torch.add')
      contains(help.text 'add', 't1 + v * t2')
      contains(help.text 'unfold', 'Tensor:unfold', 'View of all slices')
      contains(help.text 'Linear', 'nn.Linear', "y = x W' + b")
      contains(help.text 'optim.adam', 'optim.adam(opfunc, x, config', 'Kingma and Ba')
      assert.equals(help.text 'optim.adam', help.text(optim.adam))
   end)

   it('shows classes with their methods, from the class, its name or an object', function()
      local text = help.text(nn.Linear)
      contains(text, 'nn.Linear', "y = x W' + b", 'inputSize: features in', ':noBias()')
      assert.equals(text, help.text 'nn.Linear')
      assert.equals(text, help.text(nn.Linear(2, 3)))
      contains(help.text(nn.Linear.reset), 'nn.Weighted:reset([stdv])',
         'Draw weight and bias uniformly')
      contains(help.text 'nn.Linear:forward', 'nn.Module:forward(input)', 'output = f(input)')
      contains(help.text(torch.FloatTensor), 'torch.Tensor(LongStorage sizes')
      assert.equals(help.text(torch.FloatTensor), help.text(torch.IntTensor(2)))
   end)

   it('shows packages with their modules', function()
      contains(help.text(torch), 'torch', 'Products of vectors and matrices.\n     torch.addmv, ',
         '  torch.CmdLine  ')
      contains(help.text 'nn', 'layers, containers and criterions', '\n  nn.Linear  ')
      contains(help.text 'optim', '\n  optim.adam                     Adam: per-parameter steps',
         '\n     optim.clipGradNorm, optim.clipGradValue\n', '\n  optim.ConfusionMatrix ')
      local train = require 'torch.train'
      assert.equals(help.text 'torch.train', help.text(train))
      contains(help.text(train), '\n  train.EarlyStop ', 'torch.train.freeze, ')
      contains(help.text(nn.utils), 'nn.utils.recursiveFill(t2, val)')
   end)

   it('lists names of packages that can be called, and no files', function()
      for _, package in ipairs { 'torch', 'nn', 'optim', 'paths', 'sys', 'xlua', 'torch.train' } do
         local home = require(package)
         local methods, names = torch.getmetatable 'torch.DoubleTensor', 0
         local text = help.text(package):gsub('^.-\n\n', '')
         for line in text:gmatch '[^\n]+' do
            assert.is_nil(line:match '^  [%w_]+/[%w_/]+ ', line)
            assert.is_true(#line <= 100 or not line:match '^     ', line)
            local list = line:match '^  ([%w_.:]+)  ' or line:match '^     (%S.*)$' or ''
            for name in list:gmatch '[%w_]+[.:][%w_.:]+' do
               local there = name:match '^t:' and methods[name:sub(3)]
                  or torch.getmetatable(name)
               local own = name:sub(1, #package + 1) == package .. '.'
               local at = own and home or name:match '^train%.' and { train = home } or _G
               for part in (own and name:sub(#package + 2) or name):gmatch '[^.]+' do
                  at = type(at) == 'table' and at[part] or nil
               end
               assert(there or at ~= nil, ('%s: %s in %s'):format(package, name, line))
               names = names + 1
            end
         end
         assert.is_true(names > 10, package)
      end
   end)

   it('says when there is nothing', function()
      contains(help.text 'noSuchThing', 'no help on noSuchThing')
      contains(help.text 'nn.NoSuchThing', 'no help on nn.NoSuchThing')
      contains(help.text(function() end), 'no help on')
      contains(help.text {}, 'no help on a table')
      local ok, message = pcall(torch.help)
      assert.is_false(ok)
      assert.matches('no help on nil', message)
   end)

   it('is a global at the prompt and with -e, not in scripts', function()
      assert.is_nil(rawget(_G, 'help'))
      local th = os.getenv 'TH_EXECUTABLE'
      local pipe = io.popen(("'%s' -e \"help 'sqrt'\" 2>&1"):format(th))
      local text = pipe:read '*a'
      pipe:close()
      contains(text, 'torch.sqrt', 'square root')
   end)

   it('knows the packages that are loaded now', function()
      local loaded = package.loaded
      local function has(name)
         for _, package in ipairs(find.packages()) do
            if package == name then
               return true
            end
         end
         return false
      end
      finally(function()
         loaded.oneOfTests, loaded.otherOfTests = nil, nil
      end)
      loaded.oneOfTests = true -- as while it loads
      assert.is_false(has 'oneOfTests')
      loaded.oneOfTests = {}
      assert.is_true(has 'oneOfTests')
      loaded.oneOfTests, loaded.otherOfTests = nil, {}
      assert.is_false(has 'oneOfTests')
      assert.is_true(has 'otherOfTests')
   end)

   it('tells a file from one whose name ends like it', function()
      local f = loadstring('return function() end', '@lua/nngraph/Node.lua')()
      assert.is_true(find.defines({ file = '/usr/nngraph/Node.lua', codeLine = 1 }, f))
      assert.is_false(find.defines({ file = '/usr/graph/Node.lua', codeLine = 1 }, f))
      assert.is_false(find.defines({ file = '/usr/nngraph/Node.lua', codeLine = 2 }, f))
   end)
end)

describe('docstrings', function()
   local path = os.tmpname()
   local function read(source)
      local file = assert(io.open(path, 'w'))
      file:write(source)
      file:close()
      return docs.file(path)
   end
   teardown(function()
      os.remove(path)
   end)

   it('belong to the definition below or to @function names', function()
      local entries = read [[
--- The file.
-- @module some.module
local M = {}

-- No docstring.
function M.silent() end

--- One line.
function M.one(a, b) end

--- Two names.
-- @function two
-- @function three
--- Next to it.
M.four = M.one

----------- a rule, no docstring
family('five', 3)

--- Made by a call.
family('six', 3)

   --- Indented.
   function Class:seven() end
]]
      local names = {}
      for i, entry in ipairs(entries) do
         names[i] = table.concat(entry.names, ' ')
      end
      assert.same({ '', 'M.one', 'two three', 'M.four', 'six', 'Class:seven' }, names)
      assert.equals('some.module', entries[1].module)
      assert.same({ 'Next to it.' }, entries[4].text)
      assert.equals('(a, b)', signature(entries[2]))
   end)

   it('have parameters, results, errors and examples', function()
      local entry = read([[
local M = {}
--- Text,
-- two lines.
-- @param x tensor
-- of numbers
-- @int[opt=3] n how many
-- @tparam[opt] table list things
-- @return r
-- @raise "no"
-- @usage f(x)
--   g(x)
function M.f(x, n, list) end
]])[1]
      assert.same({ 'Text,', 'two lines.' }, entry.text)
      assert.equals('(x, [n], [list])', signature(entry))
      assert.equals('tensor of numbers', entry.params[1].text)
      assert.equals('how many (integer, default 3)', entry.params[2].text)
      assert.equals('things (table, optional)', entry.params[3].text)
      assert.same({ 'r' }, entry.returns)
      assert.same({ '"no"' }, entry.raises)
      assert.same({ 'f(x)', '  g(x)' }, entry.usage)
   end)
end)
