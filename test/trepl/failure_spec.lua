local torch = require 'torch'
local nn = require 'nn'
local call = require 'trepl.call'
local compile = require('trepl.compile').compile
local source = require 'trepl.failure.source'

-- What is shown of the error of something typed.
local function shown(text)
   local chunk = assert(compile(text))
   source.remember(chunk, text)
   local ok, err = call.traced(chunk)
   assert.is_false(ok)
   return err
end

local function shows(wanted, text)
   local err = shown(text)
   assert.truthy(err:find(wanted, 1, true), err)
end

describe('an error', function()
   setup(function()
      rawset(_G, 'fx', torch.randn(3, 4))
      rawset(_G, 'fnet', nn.Linear(4, 2))
      rawset(_G, 'nn', nn)
   end)

   teardown(function()
      rawset(_G, 'fx', nil)
      rawset(_G, 'fnet', nil)
   end)

   it('is shown with the line that was typed', function()
      assert.equal('stdin:1: boom\n  1 | error("boom")', shown 'error("boom")')
      assert.equal('stdin:3: two\n  3 | error("two")', shown 'local x\n\n  error("two")\nx = 1')
   end)

   it('is shown with the calls of the user, innermost first', function()
      assert.equal([[
stdin:1: deep
  1 | local function f() error("deep") end
stack traceback:
	stdin:1: in function 'f'
	stdin:2: in main chunk]], shown 'local function f() error("deep") end\nf()')
   end)

   it('shows the line of a function typed before', function()
      local text = 'local a\nfunction fearlier() local y = nil + 1 end'
      local chunk = compile(text)
      source.remember(chunk, text)
      chunk()
      shows('  2 | function fearlier() local y = nil + 1 end', 'fearlier()')
      rawset(_G, 'fearlier', nil)
   end)

   it('folds the calls within libraries', function()
      local err = shown 'nn.Sequential():add(fnet):forward(torch.randn(2, 3))'
      assert.truthy(err:find 'expected N x 4')
      assert.truthy(err:find '\n\t%(%d+ calls within [%a, ]*nn[%a, ]*%)\n\tstdin:1: in main chunk$')
      assert.is_nil(err:find('.lua:', 1, true))
   end)

   it('is the user\'s when Lua found it in a library', function()
      shows("stdin:1: attempt to index local 't' (a number value) (within torch/", 'fx.size(1)')
   end)

   it('names what is near to a function, method or class that does not exist', function()
      shows("torch has no 'zeroes'; near: zeros", 'torch.zeroes(3)')
      shows("torch.DoubleTensor has no 'tranpose'; near: transpose", 'fx:tranpose(1, 2)')
      shows("nn.Linear has no 'forwrad'; near: forward", 'fnet:forwrad(fx)')
      shows("nn has no 'Lineer'; near: Linear", 'nn.Lineer(3, 4)')
      shows('near: transpose', 'fx:clone():tranpose(1, 2)')
      shows("fx.dtype is the core's own; ask fx:type()", 'fx:dtype()')
      shows("fx.device is the core's own; ask fx:type()", 'if fx.device.type then end')
      shows('near to tocrh: torch', 'tocrh.zeros(3)')
   end)

   it('finds what the name is of: locals and what a function has from outside', function()
      shows("torch.FloatTensor has no 'tranpose'", 'local y = torch.FloatTensor(2)\ny:tranpose()')
      shows("torch.FloatTensor has no 'tranpose'",
         'local y = torch.FloatTensor(2)\nlocal function f() return 1, y:tranpose() end\nf()')
   end)

   it('says how something of PyTorch is called here', function()
      shows('here it is x:totable()', 'fx:numpy()')
      shows('here it is x:mul(...), which works in place', 'fx:mul_(2)')
      shows('here it is nn.SpatialConvolution', 'nn.Conv2d(3, 4, 5)')
   end)

   it('names what exists, for what does not', function()
      local advice = require 'trepl.failure.advice'
      local homes = {
         torch = torch, nn = nn, optim = require 'optim', net = nn.Container,
         x = torch.getmetatable 'torch.FloatTensor', image = require 'image',
         npy = require 'npy', onnx = require 'onnx', math = math,
      }
      local count = 0
      local function look(text)
         for module, field in text:gmatch "require%('([%w.]+)'%)%.(%a+)" do
            assert.is_not_nil(require(module)[field], text)
         end
         text = text:gsub('require%b()%.%a+', '')
         for owner, name in text:gmatch '%f[%w](%a+)[.:](%w+)' do
            if homes[owner] then
               count = count + 1
               local exists = homes[owner][name] ~= nil or name == 'cuda' or name == 'getDevice'
                  or name == 'DataParallelTable' -- with cutorch and cunn
               assert.is_true(exists, ('%s.%s in "%s"'):format(owner, name, text))
            end
         end
      end
      for name, text in pairs(advice.elsewhere) do
         look(text)
         for _, home in ipairs { homes.torch, homes.nn, homes.optim, homes.x } do
            assert.is_nil(rawget(home, name), name)
         end
      end
      for _, row in ipairs(advice.sentences) do
         look(row[2])
      end
      for _, text in pairs(require('trepl.failure.abroad').all) do
         look(text)
      end
      for _, texts in pairs(require('trepl.failure.owners').others) do
         for _, text in pairs(texts) do
            look(text)
         end
      end
      assert.is_true(count > 200, count)
   end)

   it('says whose a name is that another owner has', function()
      shows("torch has no 'transpose'; it is a method of tensors: x:transpose(...)",
         'torch.transpose(fx, 1, 2)')
      shows('it is a function: torch.zeros_like(...)', 'fx:zeros_like()')
      shows("torch.train is a module of its own: local train = require 'torch.train'",
         'torch.train.Trainer {}')
      shows("nn has no 'linear'; near: Linear", 'nn.linear(2, 3)')
      assert.is_nil(shown('nn.table()'):find('module of its own', 1, true))
      local classes = package.loaded.nn.Linear -- to look for a module runs none
      for _, line in ipairs { 'nn.init()', 'torch.init()' } do
         assert.is_nil(shown(line):find('module of its own', 1, true))
      end
      assert.is_true(classes ~= nil and package.loaded.nn.Linear == classes)
      assert.is_nil(package.loaded['nn.init'])
      shows("require 'cutorch' makes it", 'torch.CudaNoTensor(3)')
      shows("require 'cunn' makes it", 'nn.DataParallelTable(1)')
      shows('its layers have one: fseq:get(1).weight',
         'fseq = nn.Sequential():add(fnet) local n = fseq.weight:size()')
      shows('p is a table of 2, the first a torch.DoubleTensor: p[1]:size(...)',
         'local p = fnet:parameters() print(p:size())')
      shows('p is a table and no tensor: torch.Tensor(p)', 'local p = { 1, 2 } print(p:size())')
      shows('here it is image.scale(', "image = require 'image' image.resize(fx, 3, 3)")
      shows('it is nil until backward', 'print(fx.grad:size())')
      shows('here it is fnet:clone()', 'fnet:copy()')
      shows('here it is torch.save(path, fnet)', "fnet:save('x')")
      shows('near: CrossEntropyCriterion', 'nn.CrossEntropy()')
      shows('its layers are fseq:get(1)', 'print(fseq[1].weight)')
      shows('for i, layer in ipairs(fseq.modules)', 'for i, layer in fseq do end')
      rawset(_G, 'fseq', nil)
      rawset(_G, 'image', nil)
   end)

   it('says that a number is none of what it is taken for, and what was not called', function()
      shows('loss is a number, which knows nothing', 'local loss = fx:sum() loss:backward()')
      shows('what stands before it is a number, which knows nothing',
         'torch.pow(fx, 2):mean():backward()')
      shows('nn.View(-1):setNumInputDims(3)', 'local y = nn.Flatten()')
      shows('loss is a number by itself', 'local loss = fx:sum() print(loss:item())')
      shows('sqrt is of tensors: x:sum()', 'local s = fx:sum():sqrt()')
      shows('fx.data is a method, and its value a function', 'print(fx.data:size())')
      shows('f is a function: f(...) calls it', 'local f = print f:step()')
   end)

   it('says of a package that was not required what is to be written', function()
      shows("torch.train is a package: begin with train = require 'torch.train'",
         'train.Trainer {}')
      shows("distributed is a package: begin with dist = require 'distributed'", 'dist.init()')
      shows("Trainer is torch.train's: train = require 'torch.train'", 'Trainer {}')
      shows('zeros is there as torch.zeros(...)', 'zeros(3)')
      shows('sqrt is there as torch.sqrt(...), math.sqrt(...)', 'sqrt(2)')
   end)

   it("says what Python's names are here: globals, and methods of tables and texts", function()
      shows('what is zero_grad elsewhere is here net:zeroGradParameters()', 'adamw:zero_grad()')
      shows('what is step elsewhere is here optim.sgd(', 'adamw.step()')
      shows('here: true', 'local y = True.x')
      assert.is_nil(shown 'fnowhere:numpy()':find 'elsewhere')
      shows('here: #list', 'len(fx)')
      shows('paths.concat(folder, name)', "os.path.join('a', 'b')")
      shows('t[#t + 1] = x', 't = {} t.append(3)')
      shows('for key, value in pairs(t) do', 't = {} for k, v in t:items() do end')
      shows('torch.cat({ fx, y }, 1)', 'fx:append(3)')
      shows('table.concat(list, separator)', "local s = ' ' s:join { 1 }")
      shows("('%d of %s'):format", 'local y = f"{fx}"')
      shows("without 'new'", 'local y = new Foo()')
      rawset(_G, 't', nil)
   end)

   it('says why a table of named values, or an operator, was refused', function()
      shows('arguments go by their places, as in x:sum(1)', 'fx:sum { dim = 1 }')
      shows('a type is given behind them', "torch.zeros(3, { dtype = 'float' })")
      shows("torch.float32 is nil; here it is 'torch.FloatTensor'", 'torch.ones(3, torch.float32)')
      shows('12 elements are no multiple of 5', 'fx:view(-1, 5)')
      shows('there are 12 elements, and 5x2 would have 10', 'fx:view(5, 2)')
      shows('dimensions are plain arguments', 'fx:permute { 2, 1 }')
      shows('torch.stack { x, y }', 'torch.stack(fx, fx)')
      shows("if pcall(require, 'cutorch')", "fx:type 'torch.CudaTensor'")
      shows('texts are joined by ..', "local y = 'a' + 1")
      shows('tostring(x) makes a text', "local y = 'a' .. true")
      shows('x:eq(y), x:gt(y) compare each element', 'local y = (fx == 1):sum()')
      shows('an element is a number', 'local y = fx[1][2][3]')
      shows("classes are torch's: local Net", 'error("must derive from a table type", 0)')
   end)

   it('names the place of a table that is nil', function()
      shows('p[0] is nil: positions count from 1', 'local p = { 1, 2 } local y = p[0] + 1')
      shows('p[3] is nil: p has 2 elements', 'local p = { 1, 2 } local y = p[3].x')
      shows("positions count from 1: s:split(' ')[1]", "local s = 'a b' print(s:split(' ')[0].x)")
      shows('\n  last is nil\n', 'local last for i = 1, last do end')
      shows('io.open gave nil: assert(io.open(...)) says why', "local n = io.open('nix'):read()")
      shows('if f comes from line 1: io.open gave nil', "local f = io.open('nix')\nf:read()")
      shows('if f comes from line 1: loadstring gave nil', "local f = loadstring('x =')\nf()")
      shows('tonumber(text) is a number', "local n = 1 < '2'")
      shows('s is a text, which has no fields', "local s = 'a' s.x = 1")
      shows('\n  key is nil\n', 'local p, key = {} p[key] = 1')
      shows('if y comes from line 1: None is nil', 'local y = None\ny.x = 3')
   end)

   it('knows the locals of lines that are over', function()
      local locals = require 'trepl.failure.locals'
      locals.note 'local fover, fother = 1, 2'
      locals.note 'fx = 1; local function fthird() local finner end'
      shows('fover was local to the line that it was typed in: without local it stays',
         'fover.x = 1')
      shows('fother is nil; fother was local to the line', 'torch.add(fother, 1)')
      shows('fthird was local', 'fthird()')
      assert.is_nil(shown 'finner()':find 'local to')
      locals.note 'function fmake()\nlocal fwithin = 1\nend'
      locals.note 'for i = 1, 2 do local a; local floop = i end'
      locals.note 'local fone print(fone)'
      locals.note '-- local fcomment end'
      locals.note 'local fshown = 3\nfshown + 1' -- a value to be shown among statements
      shows('fone was local', 'fone.x = 1')
      shows('fshown was local', 'fshown.x = 1')
      for _, name in ipairs { 'fwithin', 'floop', 'print', 'fcomment' } do
         assert.is_nil(locals.about(name), name)
      end
      rawset(_G, 'fone', 1)
      locals.note 'fone = 2'
      rawset(_G, 'fone', nil)
      assert.is_nil(locals.about 'fone') -- it was a global since
      rawset(_G, 'fx', torch.randn(3, 4))
   end)

   it('of threads is none of the variables here', function()
      local function told(message)
         return shown(('error(%q, 0)'):format('a.lua:1: ' .. message))
      end
      local y = told 'threads: thread 1: b.lua:4: attempt to index global \'nn\' (a nil value)'
      assert.truthy(y:find('threads have none of the globals here', 1, true), y)
      assert.is_nil(y:find 'is a package')
      y = told 'dataset.Loader: sample 1 (batch 1 of epoch 1): b.lua:4: +: tensor and nil'
      assert.is_nil(y:find '\n  %a', y)
   end)

   it('names the variable that is nil', function()
      shows('\n  fsiez is nil\n', 'local y = fx:view(12, 1, fsiez):view(fsiez, 3)')
      shows('\n  opt.n is nil\n', 'local opt = {} local y = torch.zeros(opt.n, 3)')
      shows('\n  opt.hidden is nil\n', 'local opt = {} local y = nn.Linear(10, opt.hidden)')
      shows('\n  y is nil\n', 'local x, y = fx torch.cmul(x, y)')
      local err = shown "local function g(a) return a.b.c end g({ name = 'x' })"
      assert.is_nil(err:find ' is nil\n', err)
   end)

   it('says of a class where an object was meant, and of fields of layers', function()
      shows('fclass is the class nn.ReLU; with brackets it is one: nn.ReLU()',
         'fclass = nn.ReLU fclass:forward(fx)')
      shows('fnet.weight:detach() is the tensor', 'fnet.weight.data:fill(0)')
      shows("a layer's is fnet.gradWeight", 'fnet.weight.grad:fill(0)')
      rawset(_G, 'fclass', nil)
   end)

   it('shows how to call what stumbled within a library', function()
      shows('the call: StochasticGradient:train(dataset)',
         'nn.StochasticGradient(fnet, nn.MSECriterion()):train({ {} })')
      shows('the call: Engine:hook(', "require('torch.train').Engine():hook(3)")
   end)

   it('knows a point for a colon in a function that has returned', function()
      shows('a method is called with a colon: t:size(...)',
         'local function f(t) return t.size(1) end f(fx)')
   end)

   it('shows the line that wants an end', function()
      local failure = require 'trepl.failure'
      local text = 'x = 1\nfor i = 1, 3 do\n   x = 2\n\n'
      local _, message = loadstring(text, '=stdin')
      assert.matches("near '<eof>'\n  2 | for i = 1, 3 do$", failure.of_syntax(message, text))
   end)

   it('speaks of tensors, not of structs', function()
      shows('local row = x[i]', 'for _, row in pairs(fx) do end')
      shows("a tensor has no '__ipairs'", 'for _, row in ipairs(fx) do end')
      shows('permute: expected a tensor, got table', 'torch.permute({}, 1)')
      shows('x:size(1) is a number', 'local n = fx:size() / 2')
   end)

   it('says that a method wants a colon', function()
      shows('a method is called with a colon: torch.Tensor(3):float(...)',
         'torch.Tensor(3).float()')
      shows('methods of a text are called with a colon', "local s = ('abc').upper()")
      shows('sort: expected true or false, got string', "fx:sort(1, 'descending')")
      shows('x.T is a tensor by itself', 'fx:T()')
      assert.is_nil(shown 'string.rep()':find 'colon')
      shows('a method is called with a colon: fx:size(...)', 'fx.size(1)')
      shows('a method is called with a colon: fnet:forward(...)', 'fnet.forward(fx)')
   end)

   it('says what to do about operators and sizes that do not fit', function()
      shows('expandAs', 'fx - fx:mean(1)')
      local joined = shown('torch.cat({ fx, torch.ones(2, 2) }, 1)')
      assert.truthy(joined:find('only dimension 1 may differ', 1, true), joined)
      assert.falsy(joined:find('expandAs', 1, true), joined) -- which helps nobody who joins
      shows('torch.cdiv(x, y)', 'fx / fx')
      shows('torch.pow(x, n)', 'fx ^ 2')
      shows('x:gt(y)', 'fx > 0')
      shows('tostring(x)', '"a" .. fx')
      shows('x:index(dim, positions)', 'fx[torch.LongTensor { 1 }]')
      shows('positions count from 1', 'fx[0]')
      shows('dimensions count from 1', 'fx:mean(-1)')
      shows('torch.mm(x, y)', 'fx:mm(fx)')
   end)

   it('says that a package was not required', function()
      local had = rawget(_G, 'graph')
      rawset(_G, 'graph', nil)
      shows("graph is a package: begin with graph = require 'graph'", 'graph.dot(1)')
      rawset(_G, 'graph', had)
   end)

   it('says how a package that is not installed is had', function()
      local function missing(name)
         return shown(('error("module \'%s\' not found:\\n\\tno file")'):format(name))
      end
      assert.truthy(missing 'nn':find("nn is not installed; its rock, in a checkout: luajit "
         .. 'rocks/tools/make.lua --tree TREE nn; or the Debian package luatorch', 1, true))
      assert.truthy(missing 'torch.train':find('make.lua --tree TREE train;', 1, true))
      assert.truthy(missing 'torch.train.nowhere':find('there is no such module in torch.train', 1,
         true))
      assert.truthy(missing 'cjson.safe':find('\n  Debian: apt install lua-cjson', 1, true))
      assert.falsy(missing 'torch.nowhere':find('installed', 1, true))
      shows('Debian: apt install openmpi-bin',
         'error("libmpi.so.40: cannot open shared object file")')
      shows('Debian: apt install libstdc++6',
         'error("libstdc++.so.6: cannot open shared object file: No such file or directory")')
   end)

   it('may be anything', function()
      assert.equal('(the error is a table, not a message)', shown 'error {}')
      assert.equal('mine', shown [[
         error(setmetatable({}, { __tostring = function() return "mine" end }))]])
      assert.is_nil((shown 'error()'))
      assert.truthy((shown 'local function f() return 1 + f() end f()'):find 'stack overflow')
   end)
end)
