-- Mistakes as a first-day user makes them, as such a user runs them: a script, `th -e` and the
-- prompt. What is shown holds the cure.
local support = require 'test.support.shell'

local th = os.getenv 'TH_EXECUTABLE'
local quoted = support.quoted

local X = 'x = torch.range(1, 12):view(3, 4)\n'
local LOSS = 'loss = torch.ones(3):requiresGrad():sum()\n'
local LOADER = 'dataset = require "torch.dataset"\nl = dataset.Loader { dataset = '
   .. 'dataset.Tensors { x = torch.ones(4, 2) } }\n'
local NET = 'nn = require "nn"\nnet = nn.Sequential():add(nn.Linear(3, 4))\nx = torch.ones(3)\n'

local function layer(methods)
   return 'nn = require "nn"\nMine, parent = torch.class("nn.Mine", "nn.Module")\n' .. methods
      .. '\nnet = nn.Sequential():add(nn.Linear(3, 4)):add(nn.Mine()):add(nn.Linear(4, 2))\n'
      .. 'x = torch.ones(3)\n'
end

-- title, code, what is shown; `in_script`: what only a script can tell (at the prompt a line knows
-- nothing of those before, and nn and optim are there by themselves)
local rows = {
   { 'sizes that would stretch', X .. 'y = x - x:mean(1)',
      '-: inconsistent tensor size', 'y:expandAs(x)', 'torch.broadcast(true)' },
   { 'a row under a matrix', X .. 'y = x + torch.ones(4)', 'y:view(1, 4):expandAs(x)' },
   { 'both that would stretch', X .. 'y = torch.ones(3, 1) + torch.ones(1, 4)',
      'torch.broadcast(true) lets both stretch' },
   { 'x / x', X .. 'y = x / x', 'torch.cdiv(x, y)' },
   { '1 / x', X .. 'y = 1 / x', 'torch.cinv(x):mul(number)' },
   { 'x * x', X .. 'y = x * x', 'torch.cmul(x, y)' },
   { 'x * x of three dimensions', 'y = torch.ones(2, 2, 2) * torch.ones(2, 2, 2)',
      'torch.cmul(x, y)', 'torch.bmm(x, y)' },
   { 'x * nil', X .. 'y = x * z', 'the one behind it is nil' },
   { 'x ^ 2', X .. 'y = x ^ 2', 'torch.pow(x, n)' },
   { 'x > 0', X .. 'y = x > 0', 'x:gt(y)' },
   { 'x <= x', X .. 'y = x <= x', 'x:le(y)' },
   { 'text .. x', X .. 'y = "x is " .. x', 'tostring(x)', 'torch.cat(x, y, dim)' },
   { 'x[longTensor]', X .. 'y = x[torch.LongTensor { 1, 2 }]', 'x:index(dim, positions)' },
   { 'x[longTensor] = 0', X .. 'x[torch.LongTensor { 1, 2 }] = 0', 'x:indexFill(dim, positions' },
   { 'x:mean(-1)', X .. 'y = x:mean(-1)', 'dimensions count from 1' },
   { 'x:size(0)', X .. 'y = x:size(0)', 'dimensions count from 1' },
   { 'x[0]', X .. 'y = x[0]', 'positions count from 1' },
   { 'x[0] = 1', X .. 'x[0] = 1', 'positions count from 1' },
   { 'x[{ { 0, 2 } }]', X .. 'y = x[{ { 0, 2 } }]', 'positions count from 1' },
   { 'x:index of 0', X .. 'y = x:index(1, torch.LongTensor { 0 })', 'positions count from 1' },
   { 'x:mm(y)', 'x = torch.ones(2, 2)\ny = x:mm(x)', 'torch.mm(x, y)' },
   { 'x.name = value', X .. 'x.name = "mine"', 'no fields of its own' },
   { 'for i = 1, #x', X .. 'for i = 1, #x do end', 'x:size(1)' },
   { 'a tensor for a number', X .. 's = ("%d"):format(x)', 'x[1] or x:sum()' },

   { 'a loss for a number', LOSS .. 's = ("%.3f"):format(loss)',
      'x:item() is that of one element' },
   { 'a loss in math', LOSS .. 's = math.exp(loss)', 'x:item() is that of one element' },
   { 'a loss < 5', LOSS .. 's = loss < 5', 'x:item() is the number' },
   { 'text .. loss', LOSS .. 's = "loss " .. loss', 'x:item() is the number', 'tostring(x)' },
   { 'a tensor of losses', LOSS .. 's = torch.Tensor { loss, loss }',
      'element 1 is a tensor', 'torch.stack(t)', 'x:item() is the number' },

   { 'x.size(1)', X .. 'y = x.size(1)', 'a method is called with a colon: x:size(...)' },
   { 'x.sum()', X .. 'y = x.sum()', 'a method is called with a colon: x:sum(...)' },
   { 'net.forward(x)', NET .. 'y = net.forward(x)', 'with a colon: net:forward(...)' },
   { 'net.add(layer)', NET .. 'net.add(nn.Tanh())', 'with a colon: net:add(...)' },
   { 'net.zeroGradParameters()', NET .. 'net.zeroGradParameters()', 'a colon: net:zeroGrad' },

   { 'torch.zeroes', 'y = torch.zeroes(3)', 'near: zeros' },
   { 'x:tranpose', X .. 'y = x:tranpose(1, 2)', 'near: transpose' },
   { 'net:forwrad', NET .. 'y = net:forwrad(x)', 'near: forward' },
   { 'nn.Lineer', NET .. 'net:add(nn.Lineer(4, 2))', 'near: Linear' },
   { 'tocrh', 'y = tocrh.zeros(3)', 'near to tocrh: torch' },
   { 'nn.Conv2d', NET .. 'net:add(nn.Conv2d(1, 2, 3))', 'here it is nn.SpatialConvolution(' },
   { 'x:add_', X .. 'x:add_(1)', 'here it is x:add(...)' },
   { 'x:masked_fill', X .. 'x:masked_fill(x:gt(3), 0)', 'near: maskedFill' },
   { 'x:numpy()', X .. 'y = x:numpy()', 'here it is x:totable()' },
   { 'a layer that does not exist', NET .. 'net:add(nn.GraphAttention(4, 2))',
      "nn has no 'GraphAttention'; there is no such layer (yet)", "torch.class('nn.GraphAtt" },

   { 'nn.Sequential(layers)', 'nn = require "nn"\nnet = nn.Sequential(nn.Linear(3, 4), nn.ReLU())\n'
         .. 'print(net)', '[input -> (1) -> (2) -> output]' },
   { 'nn.Sequential(layer, class)', 'nn = require "nn"\n'
         .. 'net = nn.Sequential(nn.Linear(3, 4), nn.ReLU)',
      'got the class nn.ReLU, expected a module: add(nn.ReLU(...))' },
   { 'a method defined with a point', 'nn = require "nn"\n'
         .. 'Mine = torch.class("nn.Mine", "nn.Module")\n'
         .. 'function Mine.updateOutput(input)\nlocal y = input * 2\nreturn y\nend\n'
         .. 'y = nn.Mine():forward(torch.ones(3))',
      'input is the nn.Mine', 'a method is defined with a colon, function Mine', ':updateOutput' },
   { 'a method that a point is given', 'nn = require "nn"\n'
         .. 'Mine = torch.class("nn.Mine", "nn.Module")\n'
         .. 'Mine.updateOutput = function(input)\nreturn 2 * input\nend\n'
         .. 'y = nn.Mine():forward(torch.ones(3))', 'a method is defined with a colon' },
   { 'torch.save(net, name)', NET .. 'torch.save(net, "f.t7")',
      "the file's name comes first: torch.save(name, net)" },
   { 'pictures whose planes come last', 'nn = require "nn"\n'
         .. 'y = nn.SpatialConvolution(3, 2, 3, 3):forward(torch.ones(4, 8, 9, 3))',
      'x:permute(1, 4, 2, 3)' },
   { 'a batch in one row', 'nn = require "nn"\n'
         .. 'net = nn.Sequential(nn.View(-1), nn.Linear(6, 2))\n'
         .. 'y = net:forward(torch.ones(4, 2, 3))',
      'For 4 samples: nn.View(6)' },
   { 'net:get(7)', NET .. 'w = net:get(7).weight', 'net:get(7) is nil: the nn.Sequential has 1' },
   { 'net:get(7), kept', NET .. 'last = net:get(7)\nw = last.weight',
      'last comes from line 4: net:get(7) is nil', in_script = true },
   { 'a layer that forgets return', layer [[
function Mine:updateOutput(input) self.output = input * 2 end]] .. 'y = net:forward(x)',
      "nn.Mine's updateOutput (module 2) returned nothing: it ends with return self.output" },
   { 'a layer that forgets return, the last', layer [[
function Mine:updateOutput(input) self.output = input * 2 end]]
         .. 'net = nn.Mine()\ny = net:forward(x)\nprint(y:size())',
      'updateOutput of nn.Mine (net) must end with return self.output', in_script = true },
   { 'a layer without updateOutput', layer '' .. 'y = net:forward(x)',
      'nn.Mine has no updateOutput', 'net.3: nn.Linear: input is empty',
      'nn.Mine (module 2) has no updateOutput: define it' },
   { 'a layer without updateGradInput', layer [[
function Mine:updateOutput(input) self.output = input return input end]]
         .. 'y = net:forward(x)\nnet:backward(x, y)',
      'nn.Mine (module 2) has no updateGradInput: define it' },
   { 'a layer that does not keep its output', layer [[
function Mine:updateOutput(input) return input end]]
         .. 'y = net:forward(x)\nnet:backward(x, y)',
      "nn.Mine's updateOutput (module 2) has left self.output empty" },
   { 'a layer whose __init forgets its parent', layer [[
function Mine:__init() end
function Mine:updateOutput(input) return self.output:resizeAs(input):copy(input) end]]
         .. 'y = net:forward(x)',
      'begins with parent.__init(self)', 'In 2 module of nn.Sequential', in_script = true },
   { 'net:float() after getParameters, optim', NET .. [[
p, g = net:getParameters()
net:float()
require('optim').sgd(function() return 1, g end, p, {})]],
      "optim.sgd: warning: the vectors that getParameters gave are no longer the network's since "
         .. "nn.Sequential:type 'torch.FloatTensor'" },
   { 'loader:next()', [[
dataset = require 'torch.dataset'
loader = dataset.Loader { dataset = dataset.Tensors { input = torch.ones(4) } }
batch = loader:next()]], 'batches come in a loop: for batch in loader() do ... end' },
   { 'a global in a worker', LOADER .. [[
b = 2
for batch in dataset.Loader { dataset = dataset.Tensors { x = torch.ones(4, 2) }, workers = 1,
   transform = function(s) return s.x * b end }() do end]],
      "workers have none of the script's globals: a local outside the function goes along",
      'init = function()', in_script = true },
   { 'Trainer { net = }', 'require("torch.train").Trainer { net = 1 }',
      "there is no option 'net'; here it is model" },
   { 'opset_version', NET .. 'require("onnx").export(net, "x.onnx", { opset_version = 11 })',
      'near: opset' },
   { 'MNIST that is not there', 'd = require("torch.dataset").Mnist { folder = "nix" }',
      'nothing is downloaded', 'dataset-fashion-mnist' },
   { 'x:cuda() without cutorch', X .. 'y = x:cuda()', "if pcall(require, 'cutorch')" },
   { 'x:sum { dim = 1 }', X .. 'y = x:sum { dim = 1 }', 'arguments go by their places' },
   { 'classes from 0', 'nn = require "nn"\n'
         .. 'nn.CrossEntropyCriterion():forward(torch.ones(2, 3), torch.Tensor { 0, 1 })',
      'target 1 is 0, classes must be from 1 to 3', 'targets:add(1)' },
   { 'words from 0', 'nn = require "nn"\nnn.LookupTable(3, 2):forward(torch.LongTensor { 0, 1 })',
      'positions count from 1' },

   { 'lr', [[
optim = require 'optim'
c = { lr = 0.1 }
p = torch.ones(2)
for i = 1, 3 do optim.adam(function(x) return x:dot(x), x * 2 end, p, c) end]],
      'adam has no option lr (learningRate?)', once = 'has no option' },
   { 'weight_decay', [[
optim = require 'optim'
optim.sgd(function(x) return 1, x * 2 end, torch.ones(2), { weight_decay = 0.1 })]],
      'sgd has no option weight_decay (weightDecay?)' },

   { 'if a:eq(b)', 'a, b = torch.ones(2), torch.zeros(2)\nif a:eq(b) then print(1) end',
      'a:eq(b) gives a tensor of 0 and 1, which counts as true', 'a:equal(b)' },
   { 'print(x.dtype)', X .. 'print(x.dtype)', "x.dtype is the core's own; ask x:type()",
      once = 'warning: x.dtype' },
   { 'print(x.data)', X .. 'print(x.data, x:data() ~= nil)', 'x.data is a method',
      'x:detach() is the tensor without its record', once = 'warning: x.data' },
   { 'x:detach().data', X .. 'print(x:detach().data)', 'x.data is a method' },
   { 'print(x.device)', X .. 'print(x.device)', 'ask x:type()', 'x:getDevice() is the number' },
   { 'x.device in a condition', X .. 'if x.device == "cpu" then end', 'ask x:type()' },
   { 'True and False', 'if True then end\nx = { shuffle = False }\ny = True',
      'warning: True is nil here; write true', 'warning: False is nil here; write false',
      once = 'True is nil' },
   { 'while x:gt(0)', X .. 'while x:gt(0) do break end', 'x:gt(0):max() == 1 for any' },

   { 'nn that was not required', 'net = nn.Linear(3, 4)',
      "nn is a package: begin with local nn = require 'nn'", in_script = true },
   { 'optim that was not required', 'optim.sgd()',
      "optim is a package: begin with local optim = require 'optim'", in_script = true },
   { 'a package that was not required and makes no global', 'x = npy.load "x.npy"',
      "npy = require 'npy'" },
   { 'torch.train that was not required', 't = train.Trainer {}',
      "begin with local train = require 'torch.train'", in_script = true },
   { 'a bare Trainer', 't = Trainer {}', "Trainer is torch.train's" },
   { "require 'torch.nn'", 'require "torch.nn"', "nn is a package of its own: require 'nn'" },
   { "require 'torch.nn.functional'", 'require "torch.nn.functional"', "its own: require 'nn'" },
   { 'torchvision', 'require "torchvision"', 'here: pictures are image' },
   { 'a foreign package', 'd = tnt.ListDataset {}',
      "torchnet is a package that is not installed", "local tnt = require 'torchnet'" },
   { 'a module that is not there', 'require "optin"', 'near: optim' },

   { 'x += 1', 'x = 1\nx += 1', 'there is no += here' },
   { 'a line that goes on', '   :add(nn.Tanh())', 'Alt-Enter' },
   { '!=', 'x = 1\nif x != 2 then end', "'not equal' is ~= here" },
   { '&&', 'if true && false then end', "'and' instead of &&" },
   { 'x[1:3]', X .. 'y = x[1:3]', 'x[{ { first, last } }]' },
   { 'x[{ 1:3 }]', X .. 'y = x[{1:3}]', 'x[{ { first, last } }]' },
   { 'names of arguments', X .. 'y = x:sum(dim=1)', 'arguments go by their places' },
   { 'names of later arguments', 'nn.Linear(2, 3, bias=False)', 'arguments go by their places' },
   { 'names of arguments after a call', NET .. 'opt = optim.SGD(net:parameters(), lr=0.1)',
      '{ learningRate = 0.1 }' },
   { 'a dictionary', 't = { "a": 1 }', '{ name = value' },
   { 'a if b else c', 'y = 1 if true else 2', 'condition and a or b' },
   { 'a ? b : c', 'y = true ? 1 : 2', 'condition and a or b' },
   { 'nn.Linear?', 'nn.Linear?', '? name shows' },
   { '!ls', '!ls', '$ command runs it' },
   { '%timeit', '%timeit x = 1', 'shows its time' },
   { 'continue', 'for i = 1, 3 do if i == 2 then continue end end', 'goto continue' },
   { 'continue, on its line', 'for i = 1, 3 do\n   if i == 2 then\n      continue\n   end\nend',
      'goto continue', '3 | continue' },
   { 'pass', 'for i = 1, 3 do\n   pass\n\nend', 'a body may be empty', '2 | pass' },
   { 'with torch.no_grad()', 'with torch.no_grad(): y = 1', 'torch.noGrad(function()' },
   { 'assert without parentheses', X .. 'assert x', 'assert(condition, message)' },
   { 'for i in range(3): ...', 'for i in range(3): print(i)', 'for i = 1, n do ... end',
      in_script = true },
   { 'torch.randn((3, 4))', 'y = torch.randn((3, 4))', 'sizes are plain arguments' },
   { 'x[1, 2]', X .. 'y = x[1, 2]', 'an element is x[{ 1, 2 }]' },
   { 'torch.tensor([1, 2])', 'y = torch.Tensor([1, 2])', 'a tensor torch.Tensor { 1, 2, 3 }' },
   { 'A @ B', X .. 'y = x @ x', 'torch.mm(A, B)' },
   { 'x ** 2', X .. 'y = x ** 2', 'torch.pow(x, 2)' },
   { 'if x = 1', 'x = 1\nif x = 1 then end', "'=' assigns; '==' compares" },
   { 'for x in list:', 'for x in range(3):\n',
      'for i, v in ipairs(list) do', in_script = true },
   { 'from torch import nn', 'from torch import nn', "require('package').name" },
   { 'print x', 'print x', 'print(x)' },
   { 'x:repeat', X .. 'y = x:repeat(2, 1)', 'x:repeatTensor(' },

   { 'x(1, 2)', X .. 'y = x(1, 2)', 'elements are x[{ 1, 2 }]' },
   { 'for row in x', X .. 'for row in x do end', 'for i = 1, x:size(1) do' },
   { 'x[1] = { ... }', X .. 'x[1] = { 1, 2, 3, 4 }', 'torch.Tensor(t) makes a tensor' },
   { 'x + { ... }', X .. 'y = x + { 1, 2, 3 }', 'torch.Tensor(t) makes a tensor' },
   { 'x:index of a table', X .. 'y = x:index(1, { 1 })', 'torch.LongTensor(t) one of positions' },
   { 'x:gather of doubles', X .. 'y = x:gather(1, torch.ones(1, 4))', 'positions:long() converts' },
   { 'x:fill(tensor)', X .. 'x:fill(torch.ones(1))', 'y[1] or y:sum() is one' },
   { 'torch.mul(x, x)', X .. 'y = torch.mul(x, x)', 'torch.cmul(x, y)', 'x * y' },
   { 'x:div(x)', X .. 'y = x:div(x)', 'x:cdiv(y)' },
   { 'torch.pow(x, x)', X .. 'y = torch.pow(x, x)', 'torch.cpow(x, y)' },
   { 'x:reshape(-1)', X .. 'y = x:reshape(-1)', 'x:contiguous():view(' },
   { 'x:size()[0]', X .. 'y = x:size()[0]', 'positions count from 1' },
   { 'for p in list', NET .. 'for p in net:parameters() do end', 'ipairs(list)' },
   { 'torch.nn', 'net = torch.nn.Linear(2, 3)', "after require 'nn'" },
   { 'torch.cuda', 'y = torch.cuda.is_available()', "after require 'cutorch'" },
   { 'torch.optim', 'y = torch.optim.SGD', "after require 'optim'" },
   { 'torch.utils', 'y = torch.utils.data', "require('torch.dataset').Loader" },
   { 'a bias of a layer without one', 'nn = require "nn"\nn = nn.Linear(2, 3, false).bias:size()',
      "nn.Linear has no 'bias'" },
   { 'np', 'y = np.zeros(3)', "NumPy: torch.* has most of it" },
   { 'F.relu', X .. 'y = F.relu(x)', 'nn.ReLU():forward(x), or of torch, as torch.relu(x)' },
   { 'range(3)', 'for i in range(3) do end', 'for i = 1, n do ... end counts' },
   { "require 'name.lua'", 'require "mistake.lua"', "require 'name' is without .lua" },
   { '#loader', LOADER .. 'n = #l', '#l is 0 for any loader: l:size()' },
   { 'ipairs(loader)', LOADER .. 'for i, batch in ipairs(l) do end', 'for batch in l() do' },
   { 'pairs(loader)', LOADER .. 'for i, batch in pairs(l) do end', 'for batch in l() do' },
   { 'an element of a Variable == 1', 'v = torch.ones(3):requiresGrad()\ny = v[1] == 1',
      'v[1] == 1 is false whatever it holds', 'v[1]:item() is its number' },
   { 'a class made twice', 'A = torch.class("A")\nB = torch.class("A")', 'a class is made once' },
}

-- Files that torch.load is given: name, first bytes, what is said.
local files = {
   { 'a.csv', '1,2,3\n4,5,6\n', "a table (CSV) it seems: require('torch.dataset').readCsv" },
   { 'a.pth', 'PK\3\4\0\0\8\8archive/data.pkl', 'PyTorch (.pth, .pt)' },
   { 'a.pt', '\128\2}q\0X\1\0\0\0aq\1K\1s.', 'a Python pickle' },
   { 'a.npy', "\147NUMPY\1\0v\0{'descr': '<f8'}", "require 'npy'" },
   { 'a.npz', 'PK\3\4\0\0\8\8x.npy', "require 'npy'" },
   { 'a.st', '\64\0\0\0\0\0\0\0{"a":{"dtype":"F32"}}', "require 'safetensors'" },
   { 'a.h5', '\137HDF\r\n\26\n', "require 'hdf5'" },
   { 'a.png', '\137PNG\r\n\26\n\0\0\0\rIHDR', 'image.load' },
   { 'a.jpg', '\255\216\255\224\0\16JFIF', 'image.load' },
   { 'a.t7.gz', '\31\139\8\0\0\0\0\0\0\3abc', 'gunzip it first' },
   { 'a.html', '<!DOCTYPE html>\n<html></html>', 'a page of the web' },
   { 'a.json', '{ "lr": 0.1 }', 'cjson' },
   { 'empty.t7', '', 'an empty one: what wrote it was stopped' },
   { 'a.txt', 'hello world\n', 'not a .t7 file but text' },
}

-- A script of its own for each mistake; -e for some.
local ways = {
   script = function(folder, code)
      local file = assert(io.open(folder .. '/mistake.lua', 'w'))
      file:write(code, '\n')
      file:close()
      return ('cd %s && %s mistake.lua'):format(folder, th)
   end,
   ['-e'] = function(folder, code)
      return ('cd %s && %s -e %s'):format(folder, th, quoted(code))
   end,
}

-- One prompt for all, which lives on: what it says of each.
local function typed()
   local said, code = {}, {} -- stdout is flushed: warnings go to stderr
   for i, row in ipairs(rows) do
      if not row.in_script then
         code[#code + 1] = ('print "ROW %d" io.stdout:flush()'):format(i)
         code[#code + 1] = row[2]:gsub('Mine', 'Mine' .. i)
      end
   end
   support.with_folder(function(folder)
      local output = support.run(('%s < %s/typed'):format(th, folder))
      for _, part in ipairs((output:gsub('ROW (%d+)\n', '\0%1\n')):split '%z') do
         local i, text = part:match '^(%d+)\n(.*)$'
         said[tonumber(i) or 0] = text
      end
   end, { typed = table.concat(code, '\n') .. '\n' })
   return said
end

local function assert_shown(output, row)
   for i = 3, #row do
      assert.truthy(output:find(row[i], 1, true), ('no "%s" in:\n%s'):format(row[i], output))
   end
   if row.once then
      local _, count = output:gsub(row.once, '')
      assert.equal(1, count, output)
   end
   assert.is_nil(output:find('lua/torch/', 1, true), output)
   assert.is_nil(output:find('lua/nn/', 1, true), output)
end

describe('the cure is shown', function()
   for way, command in pairs(ways) do
      for i, row in ipairs(rows) do
         if way == 'script' or not row.in_script and i % 8 == 1 then
            it(('for %s (%s)'):format(row[1], way), function()
               support.with_folder(function(folder)
                  assert_shown(support.run(command(folder, row[2])), row)
               end)
            end)
         end
      end
   end

   it('at the prompt', function()
      local said = typed()
      for i, row in ipairs(rows) do
         if not row.in_script then
            local text = assert(said[i], 'no answer to ' .. row[1])
            assert_shown((text:gsub('Mine' .. i, 'Mine')), row)
         end
      end
   end)

   it('for locals of lines that are over', function()
      support.with_folder(function(folder)
         local output = support.run(('%s < %s/typed'):format(th, folder))
         assert.truthy(output:find('lonely was local to the line that it was typed in', 1, true),
            output)
      end, { typed = 'local lonely = 3\ny = lonely + 1\n' })
   end)

   for _, row in ipairs(files) do
      it('for torch.load of ' .. row[1], function()
         support.with_folder(function(folder)
            local output = support.run(ways.script(folder, ('torch.load %q'):format(row[1])))
            assert.truthy(output:find(("torch.load: '%s': not a .t7 file but"):format(row[1]), 1,
               true), output)
            assert.truthy(output:find(row[3], 1, true), output)
         end, { [row[1]] = row[2] })
      end)
   end
end)

describe('no cure is proposed', function()
   local function silent(code)
      return support.run(('%s -e %s'):format(th, quoted(code)))
   end

   it("for Python's constants that a script has made its own", function()
      assert.equal('1 2\n', silent [[
True = true -- True
local False = false
if True and not False then print('1 2') end]])
   end)

   it('for conditions that are none of tensors', function()
      assert.equal('', silent [[
a = torch.ones(2)
if a:eq(1):min() == 0 or a:sum() == 3 then error 'a' end -- if a:eq(1) then
if not a:equal(a) then error 'b' end]])
   end)

   it('for loops and comparisons of what is no loader, and no Variable', function()
      assert.equal('', silent [[
x, l = torch.ones(3):requiresGrad(), { 1, 2 }
n = #l, #x
for i, v in ipairs(l) do n = v end
local v = torch.ones(3):requiresGrad()
v = torch.ones(3)
if v[1] ~= 1 then error 'v' end
function f(v) return v[1] == 1 end
v = torch.ones(3):requiresGrad()
if v[1]:item() ~= 1 then error 'v' end]])
   end)

   it('for parameters on lines of their own, and what is in a string', function()
      assert.equal('', silent [[
local x = torch.ones(3):requiresGrad()
local function first(
   x -- a list
)
   return x[1] == 1
end
local text = 'x[1] == 1 is "so", \\' .. "#x -- if x:eq(x) then"
if not first { 1 } then error(text) end]])
   end)

   it('for conditions that other classes give', function()
      assert.equal('', silent [[
tester, text = torch.Tester(), [=[
a = torch.ones(2)]=]
--[=[ a = torch.ones(2)
if a:eq(a) then end ]=]
tester.eq = function() return true end
if tester:eq(1, 1, 'same') then a = 1 end]])
   end)

   it('for names that stand for something else by now', function()
      assert.equal('', silent [[
require 'nngraph'
x = torch.ones(2)
local function node() return nn.Identity()(), { x } end
local x, list = node()
x.data.name = 'input'
y = torch.ones(2)
for _, y in ipairs { { device = 3 } } do assert(y.device == 3) end
y = torch.ones(2)
function of(y) return y.dtype end]])
   end)

   it("for fields of a script's own that tensors have, too", function()
      assert.equal('', silent [[
x = torch.ones(2)
net, options = { x = { dtype = 3 } }, { device = 1 } -- x.dtype
y = net.x.dtype + options.device]])
   end)

   it("for a script's own fields, one table for several methods, and Torch7's options", function()
      assert.equal('', silent [[
optim = require 'optim'
f = function(x) return x:dot(x), x * 2 end
opt = { learningRate = 0.1, batchSize = 3, save = 'logs', momentum = 0.9, dampening = 0 }
opt.verbose = false
for _, name in ipairs { 'sgd', 'adam', 'nag', 'cg' } do optim[name](f, torch.ones(2), opt) end]])
   end)

   it('for vectors that were only counted', function()
      assert.equal('', silent [[
nn = require 'nn'
net = nn.Linear(2, 2)
n = net:getParameters():nElement()
net:float()
net:forward(torch.ones(2):float())
net:backward(torch.ones(2):float(), torch.ones(2):float())
net:updateParameters(0.1)]])
   end)

   it("for a class whose own updateOutput calls its parent's", function()
      assert.equal('', silent [[
nn = require 'nn'
local C, parent = torch.class('nn.Calls', 'nn.Module')
function C:updateOutput(x) self.output = x * 2 return parent.updateOutput(self, x) end
assert(nn.Calls():forward(torch.ones(2))[1] == 2)]])
   end)

   it('for options, and for states that are carried on', function()
      assert.equal('', silent [[
optim = require 'optim'
f = function(x) return x:dot(x), x * 2 end
c = { learningRate = 0.1, learningRateDecay = 0.1, schedule = function() return 1 end }
for i = 1, 3 do optim.adam(f, torch.ones(2), c) end
optim.adam(f, torch.ones(2), torch.deserialize(torch.serialize { learningRate = 1, t = 3,
   m = torch.zeros(2), v = torch.zeros(2), denom = torch.zeros(2) })) -- Torch7's has denom]])
   end)

   it('for a nil beside a layer', function()
      local output = silent('net = nn.Tanh()\nc = {}\ny = c.a.b + net:forward(torch.ones(2)):sum()')
      assert.matches("attempt to index field 'a' %(a nil value%)", output)
      assert.is_nil(output:find 'gave nothing')
   end)

   it('for vectors that are taken anew after a conversion', function()
      assert.equal('', silent [[
net = nn.Linear(2, 2)
p, g = net:getParameters()
net:float()
p, g = net:getParameters()
net:zeroGradParameters()
optim.sgd(function() return 1, g end, p, {})]])
   end)
end)
