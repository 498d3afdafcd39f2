local torch = require 'torch'
local nn = require 'nn'
local nngraph = require 'nngraph'
local raises = require 'test.support.raises'

local function difference(a, b)
   return (a - b):abs():max()
end

local function mlp()
   local x = nn.Identity()()
   return nn.gModule({ x }, { nn.Linear(5, 3)(nn.Tanh()(nn.Linear(4, 5)(x))) })
end

describe('nn.gModule', function()
   before_each(function() torch.manualSeed(5) end)

   it('computes what a Sequential of its modules computes', function()
      local net, sequence = mlp(), nn.Sequential()
      for _, module in ipairs(net.modules) do
         sequence:add(module:clone())
      end
      local x, g = torch.randn(6, 4), torch.randn(6, 3)
      assert.equal(0, difference(sequence:forward(x), net:forward(x)))
      net:zeroGradParameters()
      sequence:zeroGradParameters()
      assert.equal(0, difference(sequence:backward(x, g), net:backward(x, g)))
      local _, expected = sequence:parameters()
      local _, gradients = net:parameters()
      for i, gradient in ipairs(gradients) do
         assert.equal(0, difference(expected[i], gradient))
      end
   end)

   it('adds up the gradients of consumers, of tables too', function()
      local x = nn.Identity()()
      local outputs = {}
      for i = 1, 4 do
         outputs[i] = nn.Identity()(x)
      end
      local net = nn.gModule({ x }, outputs)
      local function nest(a, b)
         return { torch.Tensor { a }, { torch.Tensor { b } } }
      end
      for _ = 1, 2 do -- the buffers are there at the second time
         net:forward(nest(0, 0))
         local g = net:backward(nest(0, 0), { nest(1, 2), nest(10, 20), nest(100, 200),
            nest(1000, 2000) })
         assert.equal(1111, g[1][1])
         assert.equal(2222, g[2][1][1])
      end
   end)

   -- Classes of scripts keep one tensor in gradInput and return it in a table, or keep none.
   it('goes by what updateGradInput returns, as in Torch7', function()
      local root, classes = {}, {}
      for _, parent in ipairs { 'nn.Module', 'nn.LookupTable', 'nn.Sequential' } do
         local class = torch.class('test.Returning' .. #classes, parent, root)
         function class:updateOutput(input)
            self.output = torch.mul(input[1], 2)
            return self.output
         end
         function class:updateGradInput(input, gradOutput)
            self.gradInput = input[1].new()
            return { gradOutput * 2, nil }
         end
         function class:accGradParameters(_, _, scale)
            self.passes = (self.passes or 0) + (scale or 1)
         end
         classes[#classes + 1] = root['Returning' .. #classes]
      end
      for _, new in ipairs(classes) do
         local a, b, module = nn.Identity()(), nn.Identity()(), new(3, 3)
         local net = nn.gModule({ a, b }, { nn.CAddTable()({ a, module({ a, b }) }) })
         local x, g = { torch.randn(2, 3), torch.ones(4) }, torch.randn(2, 3)
         net:forward(x)
         for _, gx in ipairs { net:backward(x, g, 0.5), net:updateGradInput(x, g) } do
            assert.is_true(difference(g * 3, gx[1]) < 1e-15)
            assert.is_nil(gx[2])
         end
         assert.equal(0.5, module.passes)
      end
   end)

   it('takes modules without a gradient for the input', function()
      local x = nn.Identity()()
      local first, second = nn.Linear(2, 2), nn.Tanh()
      local net = nn.gModule({ x }, { nn.CAddTable() { first(x), second(x) } })
      local input = torch.randn(3, 2)
      net:forward(input)
      first.gradInput = nil
      net:backward(input, torch.ones(3, 2))
      assert.equal(0, difference(second.gradInput, net.gradInput))
      second.gradInput = nil
      assert.is_nil(net:backward(input, torch.ones(3, 2)))
   end)

   it('sees modules that are replaced, in the nodes too', function()
      local net, x = mlp(), torch.randn(2, 4)
      net:forward(x)
      for _, node in ipairs(net.forwardnodes) do
         if torch.type(node.data.module) == 'nn.Tanh' then
            node.data.module = nn.Identity()
         end
      end
      local hidden = net.modules[2]:forward(x)
      assert.equal(0, difference(net.modules[4]:forward(hidden), net:forward(x)))
      net:replace(function(module)
         return torch.type(module) == 'nn.Linear' and nn.Square() or module
      end)
      assert.equal('nn.Square', torch.type(net:get(2)))
      assert.is_true(difference(torch.pow(x, 4), net:forward(x)) < 1e-12)
   end)

   it('loses what it computed when it is cleared, and converts it', function()
      local net, x = mlp(), torch.randn(2, 4)
      local y = net:forward(x):clone()
      net:backward(x, y)
      net:clearState()
      assert.same({}, net.innode.data.input)
      assert.equal(0, difference(y, net:forward(x)))
      net:float()
      assert.equal('torch.FloatTensor', net.innode.data.input[1]:type())
      assert.is_true(difference(y, net:forward(x:float()):double()) < 1e-5)
   end)

   it('reads files that lack what came later', function()
      local a, b = nn.Identity()(), nn.Identity()()
      local net = nn.gModule({ a, b }, { nn.CAddTable() { nn.Linear(1, 2)(a), b } })
      local input = { torch.randn(3, 1), torch.randn(3, 2) }
      local y = net:forward(input):clone()
      net.nInputs, net._type, net.verbose, net.output, net.gradInput = nil, nil, nil, nil, nil
      for _, node in ipairs(net.forwardnodes) do
         node.data.gradOutput = nil
      end
      local again = torch.deserialize(torch.serialize(net))
      assert.equal(0, difference(y, again:forward(input)))
      assert.equal(2, #again:backward(input, y))
   end)

   it('shares parameters with a net of its structure, and maps over both', function()
      local net = mlp()
      local twin = net:clone('weight', 'gradWeight')
      net.modules[2].weight:fill(7)
      net.modules[2].bias:fill(7)
      assert.equal(7, twin.modules[2].weight:min())
      assert.not_equal(7, twin.modules[2].bias:min())
      local classes = {}
      net:map(twin, function(one, other)
         classes[#classes + 1] = torch.type(one)
         assert.equal(torch.type(one), torch.type(other))
      end)
      assert.same({ 'nn.Identity', 'nn.Linear', 'nn.Tanh', 'nn.Linear' }, classes)
      local x = nn.Identity()()
      raises('it lacks node nn.', net.map, net, nn.gModule({ x }, { x }), function() end)
   end)

   it('names the node that fails, its path and its place', function()
      local x = nn.Identity()()
      local inner = nn.Linear(4, 3)(x):annotate { name = 'scores' }
      local net = nn.Sequential():add(nn.gModule({ x }, { inner }))
      local err = raises('net.1.scores: nn.Linear: input is 2x5, expected N x 4', net.forward, net,
         torch.randn(2, 5))
      assert.matches("In node 'scores' %(nn.Linear%), declared at %[.*gModule_spec.lua%]:%d+ of "
         .. 'nn.gModule:\n', err)
      net:forward(torch.randn(2, 4))
      raises('net.1.scores: nn.Linear: gradOutput is 2x5', net.backward, net, torch.randn(2, 4),
         torch.randn(2, 5))
   end)

   it('refuses inputs and gradients of the wrong number', function()
      local a, b = nn.Identity()(), nn.Identity()()
      local net = nn.gModule({ a, b }, { a, b })
      local x = torch.ones(2)
      raises('nn.gModule: input is 2, expected a table of 2', net.forward, net, x)
      raises('nn.gModule: input is a table of 1, expected a table of 2', net.forward, net, { x })
      net:forward { x, x }
      raises('gradOutput is 2, expected a table of 2', net.backward, net, { x, x }, x)
      local c = nn.Identity()()
      local first, second = c:split(2)
      net = nn.gModule({ c }, { first, second })
      raises('a table of 3 is to be split into 2', net.forward, net, { x, x, x })
   end)

   it('refuses graphs that are not whole', function()
      local x, y = nn.Identity()(), nn.Identity()()
      raises('there are no outputs', nn.gModule, { x }, {})
      raises('inputs is a nil, expected a table of nodes', nn.gModule, nil, { x })
      raises('inputs[2] is nil (typo', nn.gModule, { x, nil, y }, { x })
      raises('is fed by nothing and is not in the list of inputs', nn.gModule, { x },
         { nn.CAddTable() { x, y } })
      local z = nn.Identity()()
      raises('inputs[2] (node nn.Identity, declared at [', nn.gModule, { z, nn.Identity()() },
         { nn.Tanh()(z) })
      local fed = nn.Tanh()(nn.Identity()())
      raises('is fed by another node', nn.gModule, { fed }, { nn.Tanh()(fed) })
      local twice = nn.Identity()()
      raises('the same node twice', nn.CAddTable(), { twice, twice })
   end)

   it('draws itself with the failed node in red, in debug mode', function()
      local x = nn.Identity()()
      local net = nn.gModule({ x }, { nn.Linear(4, 3)(x) })
      net.name = os.tmpname()
      local write = io.stderr
      local said = {}
      rawset(io, 'stderr', { write = function(_, text) said[#said + 1] = text end })
      nngraph.setDebug(true)
      local _, message = pcall(net.forward, net, torch.randn(5))
      nngraph.setDebug(false)
      rawset(io, 'stderr', write)
      assert.matches('nn.Linear: input is 5', message)
      local file = assert(io.open(net.name .. '.dot'))
      local text = file:read '*a'
      file:close()
      assert.matches('%[color=red label="Node%d\\nmodule = nn.Linear', text)
      assert.matches(net.name .. '.', table.concat(said), 1, true)
      os.remove(net.name .. '.dot')
      os.remove(net.name)
   end)
end)
