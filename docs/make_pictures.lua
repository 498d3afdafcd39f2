-- Draw the pictures of docs/pictures anew: screens of the prompt, as somebody at a keyboard sees
-- them, and a plot.
--
--     th docs/make_pictures.lua
--
-- They show times and random numbers: drawn again, they differ in these.
local torch = require 'torch'
local image = require 'image'
local nn = require 'nn'
local optim = require 'optim'
local gnuplot = require 'gnuplot'
local paths = require 'paths'

local here = paths.dirname((debug.getinfo(1, 'S').source:sub(2)))
package.path = paths.concat(here, '..', '?.lua') .. ';' .. package.path
local screens = dofile(paths.concat(here, 'pictures', 'screen.lua'))
local terminal = require 'test.support.terminal'
local base64 = require('image.show.encoders').base64

local COLUMNS = 88

local function encode(x)
   return base64(image.compressPNG(x))
end

local function save(name, text)
   local path = paths.concat(here, 'pictures', name)
   local file = assert(io.open(path, 'w'))
   file:write(text)
   file:close()
   print(('%s: %.1f KB'):format(path, #text / 1000))
end

-- A session: each step is typed when the one before has shown what it waits for.
local function session(name, title, steps)
   local home = paths.tmpname()
   os.remove(home)
   paths.mkdir(home)
   local t = terminal.open(os.getenv 'TH_EXECUTABLE', { columns = COLUMNS, rows = 40,
      environment = ('HOME=%s LC_ALL=C.UTF-8 COLORTERM=truecolor TREPLSTARTUP='):format(home) })
   t:expect 'th> '
   for _, step in ipairs(steps) do
      t:send(step[1]):expect(step[2]):settle()
   end
   local screen = screens.new(COLUMNS)
   screen:write(t.raw)
   t:close()
   paths.rmall(home, 'yes')
   save(name, screen:svg(title, encode))
end

session('completion.svg', 'The prompt shows the methods of x that begin with tr', {
   { 'x = torch.randn(3, 4)\r', ']' },
   { 'x:tr', 'x:tr' },
   { '\t\t', 'trunc' },
})

session('help.svg', 'The prompt shows what nn.Linear is', {
   { '? nn.Linear\r', 'noBias' },
})

session('error.svg', 'Errors with the line that they are of, and what helps', {
   { 'x = torch.randn(3, 4)\r', 's]' },
   { 'x:tranpose(1, 2)\r', 's]' },
   { 'x * x\r', 'main chunk' },
   { 'net = nn.Sequential():add(nn.Linear(10, 5)):add(nn.Tanh())\r', 's]\n' },
   { 'net:forward(torch.randn(2, 7))\r', 'main chunk' },
})

session('tensor.svg', 'A small tensor, the ends of a large one, a table', {
   { 'torch.eye(3)\r', 's]\n' },
   { 'torch.randn(200, 300)\r', 's]\n' },
   { "{ lr = 0.1, sizes = { 64, 32 }, w = torch.randn(64, 32), name = 'net' }\r", 's]\n' },
})

session('display.svg', 'A photograph in the terminal, in half blocks', {
   { "require 'image'\r", 's]\n' },
   { 'image.display { image = image.scale(image.lena(), 72, 56) };\r', 's]\n' },
})

-- --- a training curve ----------------------------------------------------------------------------

torch.manualSeed(1)
local inputs = torch.randn(256, 10)
local targets = inputs:sum(2):view(-1):gt(0):double():add(1)
local function losses(method, config)
   torch.manualSeed(2)
   local net = nn.Sequential():add(nn.Linear(10, 16)):add(nn.ReLU()):add(nn.Linear(16, 2))
      :add(nn.LogSoftMax())
   local criterion = nn.ClassNLLCriterion()
   local parameters, gradients = net:getParameters()
   local curve = torch.Tensor(100)
   for step = 1, curve:size(1) do
      local _, loss = optim[method](function()
         gradients:zero()
         local value = criterion:forward(net:forward(inputs), targets)
         net:backward(inputs, criterion:backward(net.output, targets))
         return value, gradients
      end, parameters, config)
      curve[step] = loss[1]
   end
   return curve
end
local path = paths.concat(here, 'pictures', 'training.svg')
gnuplot.svgfigure(path)
gnuplot.plot({ 'sgd', losses('sgd', { learningRate = 0.1 }), '-' },
   { 'sgd with momentum',
      losses('sgd', { learningRate = 0.1, momentum = 0.9, dampening = 0 }), '-' },
   { 'adam', losses('adam', { learningRate = 0.01 }), '-' })
gnuplot.title 'Loss of three optimisers'
gnuplot.xlabel 'step'
gnuplot.ylabel 'loss'
gnuplot.grid(true)
gnuplot.plotflush()
gnuplot.close()
print(path)

-- Times of this machine: no two pictures are the same.
local images = torch.randn(32, 1, 28, 28)
local lenet = nn.Sequential()
   :add(nn.SpatialConvolution(1, 8, 5, 5)):add(nn.Tanh()):add(nn.SpatialMaxPooling(2, 2))
   :add(nn.View(-1):setNumInputDims(3)):add(nn.Linear(8 * 12 * 12, 10)):add(nn.LogSoftMax())
local criterion, classes = nn.ClassNLLCriterion(), torch.LongTensor(32):random(10)
path = paths.concat(here, 'pictures', 'flame.svg')
local profile = torch.profiler(function()
   for _ = 1, 10 do
      lenet:zeroGradParameters()
      criterion:forward(lenet:forward(images), classes)
      lenet:backward(images, criterion:backward(lenet.output, classes))
      torch.profiler.range('update', lenet.updateParameters, lenet, 0.01)
   end
end)
profile:flameGraph(path)
print(path)
