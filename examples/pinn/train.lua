--- A net that obeys the heat equation; see README.md beside this file.

local torch = require 'torch'
local optim = require 'optim'
local paths = require 'paths'
local image = require 'image'
local options = paths.dofile '../common/options.lua'
local Progress = paths.dofile '../common/progress.lua'

local opt = options.parse('Solve the heat equation by a net that learns to obey it.', {
   { 'hidden', 32, 'units in each of two hidden layers', options.whole(1) },
   { 'points', 256, 'points at which the equation is looked at, drawn anew each step',
      options.whole(1) },
   { 'steps', 4000, 'training steps', options.whole(1) },
   { 'learningRate', 1e-2, "Adam's step in the beginning; it falls to a hundredth",
      options.positive },
   { 'threads', 1, 'threads (0: one for each core)', options.whole(0) },
   options.seed,
   { 'picture', 'heat.png', 'the solution, what the net says, and how far it is off',
      options.drawing '.png' },
})

-- The net, by operations: gradients of gradients go through them.

local function weights(inputs, outputs)
   return torch.randn(outputs, inputs):mul(math.sqrt(1 / inputs)):requiresGrad(),
      torch.zeros(outputs):requiresGrad()
end

local parameters = {}
do
   local sizes = { 2, opt.hidden, opt.hidden, 1 }
   for i = 1, 3 do
      parameters[2 * i - 1], parameters[2 * i] = weights(sizes[i], sizes[i + 1])
   end
end

local function layer(i, x)
   local w, b = parameters[2 * i - 1], parameters[2 * i]
   return torch.addmm(b:view(1, -1):expand(x:size(1), b:size(1)), x, w:t())
end

--- The temperature at places x and times t, two columns of numbers from 0 to 1.
local function temperature(x, t)
   local h = torch.tanh(layer(1, torch.cat(x, t, 2)))
   return layer(3, torch.tanh(layer(2, h)))
end

--- Mean squared violation of u_t = u_xx / 10, of u = 0 at both ends, and of u = sin(pi x) at first.
-- Source: Raissi, Perdikaris and Karniadakis, 2019 (doi:10.1016/j.jcp.2018.10.045).
local function loss()
   local n = opt.points
   local x, t = torch.rand(n, 1):requiresGrad(), torch.rand(n, 1):requiresGrad()
   local u_x, u_t = unpack(torch.grad(temperature(x, t):sum(), { x, t }, { createGraph = true }))
   local u_xx = torch.grad(u_x:sum(), x, { createGraph = true })
   local inside = torch.pow(u_t - u_xx * 0.1, 2):mean()

   local ends = temperature(torch.rand(n, 1):round(), torch.rand(n, 1))
   local places = torch.rand(n, 1)
   local first = temperature(places, torch.zeros(n, 1)) - torch.sin(places * math.pi)
   return inside + torch.pow(ends, 2):mean() + torch.pow(first, 2):mean()
end

local states = {}
for i = 1, #parameters do
   states[i] = {}
end

local progress = Progress.new('training', opt.steps, 'steps')
for step = 1, opt.steps do
   local value = loss()
   value:backward()
   local rate = opt.learningRate * 0.01 ^ (step / opt.steps)
   torch.noGrad(function()
      for i, parameter in ipairs(parameters) do
         states[i].learningRate = rate
         optim.adam(function() return nil, parameter.grad end, parameter, states[i])
         parameter:zeroGrad()
      end
   end)
   progress:add(1, value:item())
end

-- u = exp(-pi^2 t / 10) sin(pi x) is what it has to find.
local SIDE = 101
local grid = torch.linspace(0, 1, SIDE)
local x = grid:view(1, SIDE):expand(SIDE, SIDE):clone():view(-1, 1)
local t = grid:view(SIDE, 1):expand(SIDE, SIDE):clone():view(-1, 1)
local exact = torch.cmul(torch.exp(t * (-math.pi ^ 2 / 10)), torch.sin(x * math.pi))
local found = torch.noGrad(temperature, x, t)
local difference = torch.abs(found - exact)
local worst, at = difference:view(-1):max(1)
print(('largest error: %.5f, at x = %.2f and t = %.2f'):format(worst[1], x[at[1]][1], t[at[1]][1]))

-- A picture of temperatures from 0 (blue) to `most` (red), with axes x and t and a scale.
local function panel(title, u, most)
   local size, left, top = 2 * SIDE, 14, 14
   local bar, below = left + size + 6, top + size + 3
   local canvas = torch.FloatTensor(3, below + 10, bar + 50):fill(1)
   local function draw(values, column, width)
      local colours = image.y2jet(values:clamp(0, 1):mul(255):add(1)):float()
      canvas:narrow(2, top + 1, size):narrow(3, column + 1, width)
         :copy(image.scale(colours, width, size, 'simple'))
   end
   local function say(words, column, row)
      image.drawText(canvas, words, column, row, { color = { 0, 0, 0 }, inplace = true })
   end
   draw((u / most):view(SIDE, SIDE), left, size)
   draw(torch.linspace(1, 0, SIDE):view(SIDE, 1):expand(SIDE, 8):clone(), bar, 8)
   say(title, left, 2)
   for _, mark in ipairs { { '0', 0 }, { 'x', 0.5 }, { '1', 1 } } do
      say(mark[1], left + mark[2] * (size - 6), below)
      say(mark[1] == 'x' and 't' or mark[1], 4, top + mark[2] * (size - 8))
   end
   say(most == 1 and '1' or ('%.4f'):format(most), bar + 11, top)
   say('0', bar + 11, top + size - 8)
   return canvas
end

if opt.picture then
   image.save(opt.picture, torch.cat({ panel('the solution', exact, 1), panel('the net', found, 1),
      panel('|difference|', difference, worst[1]) }, 3))
   print('written: ' .. opt.picture)
end
