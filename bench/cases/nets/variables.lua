-- Recorded operations, each with its way back: chains of 100 small ones, per operation; and a step
-- of the small net written with Variables instead of layers.
local torch = require 'torch'
local bench = require 'bench.harness'

local LENGTH = 100
local a, g = torch.FloatTensor(10):fill(1), torch.FloatTensor(10):fill(1)
local x = torch.FloatTensor(10):fill(0.5):requiresGrad()

local function chain(f)
   return bench.loop(function()
      local y = x
      for _ = 1, LENGTH do
         y = f(y)
      end
      y:backward(g)
   end)
end

bench.case('100 x cmul and back', chain(function(y) return torch.cmul(y, a) end))
bench.case('100 x add and back', chain(function(y) return y + a end))
bench.case('100 x tanh and back', chain(torch.tanh))

local sizes = { 32, 64, 64, 4 }
local weights, biases = {}, {}
for i = 1, 3 do
   weights[i] = torch.FloatTensor(sizes[i + 1], sizes[i]):uniform(-0.1, 0.1):requiresGrad()
   biases[i] = torch.FloatTensor(1, sizes[i + 1]):zero():requiresGrad()
end
local input, target = torch.FloatTensor(1, 32):uniform(), torch.FloatTensor(1, 4):uniform()

local function update(list)
   for i = 1, #list do
      list[i]:add(-1e-9, list[i].grad)
      list[i]:zeroGrad()
   end
end

local function loss(W, b, layer)
   local h = input
   for i = 1, 3 do
      h = layer(h, W[i], b[i])
      if i < 3 then
         h = torch.relu(h)
      end
   end
   local d = h - target
   return torch.cmul(d, d):mean()
end

local function product(h, W, b)
   return torch.addmm(b, h, W:t())
end

local function step(layer)
   return bench.loop(function()
      loss(weights, biases, layer):backward()
      torch.setGradEnabled(false)
      update(weights)
      update(biases)
      torch.setGradEnabled(true)
   end)
end
bench.case('MLP 32-64-64-4 step b1 of Variables, sgd', step(product))
bench.case('MLP 32-64-64-4 step b1 of Variables, linear, sgd', step(torch.linear))

-- The same with all parameters in one vector and their gradients in another, as optimisers take
-- them: leaves are views of one, their gradients are added up in views of the other.
local count = 0
for i = 1, 3 do
   count = count + weights[i]:nElement() + biases[i]:nElement()
end
local parameters, gradients = torch.FloatTensor(count), torch.FloatTensor(count):zero()
local at = 1
local function leaf(like)
   local n = like:nElement()
   local v = parameters:narrow(1, at, n):viewAs(like):copy(like:detach()):requiresGrad()
   v.grad = gradients:narrow(1, at, n):viewAs(like)
   at = at + n
   return v
end
local W, b = {}, {}
for i = 1, 3 do
   W[i], b[i] = leaf(weights[i]), leaf(biases[i])
end
local function flatStep(layer)
   return bench.loop(function()
      gradients:zero()
      loss(W, b, layer):backward()
      parameters:add(-1e-9, gradients)
   end)
end
bench.case('MLP 32-64-64-4 step b1 of Variables in one vector, sgd', flatStep(product))
bench.case('MLP 32-64-64-4 step b1 of Variables in one vector, linear, sgd', flatStep(torch.linear))
