-- Gradients and steps of nets of nodes, against the modules one by one; and nets as files of 2014
-- have them.
local torch = require 'torch'
local nn = require 'nn'
local nngraph = require 'nngraph'
local numbers = require 'test.support.numbers'

-- Two linear layers with a square between them: the net, and the layers' own copies.
local function nets()
   local x, first, second = nn.Identity()(), nn.Linear(4, 5), nn.Linear(5, 3)
   local net = nn.gModule({ x }, { second(nn.Square()(first(x))) })
   local list = { first:clone(), second:clone() }
   return net, list
end

-- By hand: y = V h^2 + c with h = W x + b; gradients of W, b, V, c.
local function gradients(list, x, g)
   local first, second = unpack(list)
   local h = x * first.weight:t() + first.bias:view(1, 5):expand(x:size(1), 5)
   local gh = torch.cmul(g * second.weight, h) * 2
   return { gh:t() * x, gh:sum(1):view(5), g:t() * torch.cmul(h, h), g:sum(1):view(3) },
      gh * first.weight
end

describe('nn.gModule', function()
   local x, g = torch.randn(6, 4), torch.randn(6, 3)

   it('adds to gradients, with a scale, and without a backward before', function()
      for _, backward in ipairs { false, true } do
         local net, list = nets()
         local expected, gx = gradients(list, x, g)
         local _, got = net:parameters()
         for _, gradient in ipairs(got) do
            gradient:fill(1)
         end
         net:forward(x)
         if backward then
            numbers.same(gx, net:updateGradInput(x, g), 1e-12)
         end
         net:accGradParameters(x, g, 0.5)
         for i, gradient in ipairs(got) do
            numbers.same(expected[i] * 0.5 + 1, gradient, 1e-12)
         end
         numbers.same(gx, net:backward(x, g), 1e-12)
         for i, gradient in ipairs(got) do
            numbers.same(expected[i] * 1.5 + 1, gradient, 1e-12)
         end
      end
   end)

   it('steps at once, by accUpdateGradParameters and backwardUpdate', function()
      for _, method in ipairs { 'accUpdateGradParameters', 'backwardUpdate' } do
         local net, list = nets()
         local expected = gradients(list, x, g)
         net:zeroGradParameters()
         net:forward(x)
         net[method](net, x, g, 0.25)
         local before = { list[1].weight, list[1].bias, list[2].weight, list[2].bias }
         local parameters, unused = net:parameters()
         for i, parameter in ipairs(parameters) do
            numbers.same(before[i] - expected[i] * 0.25, parameter, 1e-12)
            assert.equal(0, unused[i]:abs():max())
         end
      end
   end)
end)

-- A net of 2014: its inputs take their entries straight from the first node.
local function old_net(inputs, outputs)
   local net = torch.factory 'nn.gModule' ()
   nn.Container.__init(net)
   local first, last = nngraph.Node { input = {} }, nngraph.Node { input = {} }
   last:add(outputs, true)
   for _, node in ipairs(inputs) do
      node:add(first, true)
   end
   net.bg = last:graph()
   net.fg = net.bg:reverse()
   net.outnode = last
   net.forwardnodes, net.backwardnodes = net.fg:topsort(), net.bg:topsort()
   for _, node in ipairs(net.forwardnodes) do
      if node.data == first.data then
         net.innode = node
      elseif node.data.module then
         net:add(node.data.module)
      end
      node.data.gradOutput, node.data.reverseMap = nil, nil
   end
   return net
end

describe('a net as files of 2014 have it', function()
   for _, count in ipairs { 2, 3 } do
      it(('gives each of %d inputs its own entry'):format(count), function()
         local nodes, layers = {}, {}
         for k = 1, count do
            layers[k] = nn.Linear(k + 1, 2)
            nodes[k] = layers[k]()
         end
         local net = old_net(nodes, { nn.CAddTable()(nodes) })
         for _, one in ipairs { net, torch.deserialize(torch.serialize(net)) } do
            local input, g, y = {}, torch.randn(5, 2), torch.zeros(5, 2)
            for k, node in ipairs(one.innode.children) do
               local layer = node.data.module
               input[k] = torch.randn(5, layer.weight:size(2))
               y:add(input[k] * layer.weight:t()):add(layer.bias:view(1, 2):expand(5, 2))
            end
            assert.equal(count, #input)
            numbers.same(y, one:forward(input), 1e-12)
            one:zeroGradParameters()
            local gx = one:backward(input, g)
            for k, node in ipairs(one.innode.children) do
               local layer = node.data.module
               numbers.same(g * layer.weight, gx[k], 1e-12)
               numbers.same(g:t() * input[k], layer.gradWeight, 1e-12)
            end
         end
      end)
   end
end)
