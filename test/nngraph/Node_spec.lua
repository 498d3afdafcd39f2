local torch = require 'torch'
local nn = require 'nn'
local nngraph = require 'nngraph'
local nesting = require 'nngraph.nesting'
local raises = require 'test.support.raises'

describe('nngraph', function()
   it('makes nodes by calls and by operators', function()
      local x = -nn.Identity()
      local sum = { x - nn.MulConstant(2), nn.Square()(x) } - nn.CAddTable()
      local net = nn.gModule({ x }, { sum })
      assert.same({ 8, 15 }, net:forward(torch.Tensor { 2, 3 }):totable())
      local y = nn.Identity()()
      net = nn.gModule({ y }, { nn.CAddTable()(nn.Identity()(y), nn.Identity()(y)) })
      assert.same({ 4 }, net:forward(torch.Tensor { 2 }):totable())
   end)

   it('leaves calls on tensors as they are', function()
      assert.same({ 0, 2 }, nn.ReLU()(torch.Tensor { -1, 2 }):totable())
      local loss, g = nn.MSECriterion()(torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 })
      assert.equal(2, loss)
      assert.same({ 0, 2 }, g:totable())
      local x = torch.Tensor { -1, 2 }:requiresGrad()
      nn.ReLU()(x):sum():backward() -- the record is kept
      assert.same({ 0, 1 }, x.grad:totable())
   end)

   it('refuses what is no node', function()
      raises('inputs[1] is nil', nn.Tanh(), nil)
      raises('cannot pass an empty table of inputs', nn.Tanh(), {})
      raises('inputs[2] is an nn.Module, specifically a nn.Tanh, but the only valid thing to pass '
         .. 'is an instance of nngraph.Node', nn.CAddTable(), { nn.Identity()(), nn.Tanh() })
      raises('node - number: expected a module', function() return nn.Identity()() - 3 end)
      raises('nn.Tanh - table: expected a module', function() return nn.Tanh() - {} end)
      raises('the number of entries to split into', function() nn.Identity()():split() end)
   end)

   it('makes a loss a node', function()
      local x, t = nn.Identity()(), nn.Identity()()
      local net = nn.gModule({ x, t }, { nn.MulConstant(3)(nn.MSECriterion() { x, t }) })
      local input = { torch.Tensor { 1, 5 }, torch.Tensor { 1, 3 } }
      assert.same({ 6 }, net:forward(input):totable())
      for _ = 1, 2 do -- the buffers are there at the second time
         local g = net:backward(input, torch.Tensor { 10 })
         assert.same({ 0, 60 }, g[1]:totable())
         assert.same({ 0, 0 }, g[2]:totable())
      end
      -- Scripts give a net on a device a one of the CPU: it is a factor, of any type.
      local loss = nn.ModuleFromCriterion(nn.MSECriterion()):float()
      local pair = { torch.FloatTensor { 1, 5 }, torch.FloatTensor { 1, 3 } }
      loss:forward(pair)
      assert.same({ 0, 20 }, loss:backward(pair, torch.DoubleTensor { 10 })[1]:totable())
      raises('expected a table of an input of nn.MSECriterion and its target',
         nn.ModuleFromCriterion(nn.MSECriterion()).forward,
         nn.ModuleFromCriterion(nn.MSECriterion()), torch.ones(2))
   end)

   it('wraps and unwraps a table of one entry', function()
      local x = torch.randn(3)
      local wrap, unwrap = nngraph.JustTable(), nngraph.JustElement()
      assert.equal(x, wrap:forward(x)[1])
      assert.equal(x, wrap:backward(x, { x }))
      assert.equal(x, unwrap:forward { x })
      assert.equal(x, unwrap:backward({ x }, x)[1])
      raises('a table of 2, expected a table of one entry', unwrap.forward, unwrap, { x, x })
   end)

   it('names nodes after variables, and describes them', function()
      local function make()
         local x = nn.Identity()()
         local parts = { nn.Linear(2, 3)(x), (nn.Tanh()(x):annotate { name = 'mine' }) }
         nngraph.annotateNodes()
         return x, parts
      end
      local x, parts = make()
      assert.equal('x', x.data.annotations.name)
      assert.equal('parts[1]', parts[1].data.annotations.name)
      assert.equal('mine', parts[2].data.annotations.name)
      parts[1]:annotate { description = 'a score', graphAttributes = { color = 'red' } }
      assert.equal('a score\nmodule = nn.Linear(2 -> 3)\nmapindex = {x}', parts[1]:label())
      assert.equal('parts[1] (0)', parts[1]:graphNodeName())
      assert.equal('red', parts[1]:graphNodeAttributes().color)
      assert.matches('Node_spec.lua%]:%d+_$', parts[1]:graphNodeAttributes().tooltip)
      raises('there is no function at level 999', nngraph.annotateNodes, 999)
   end)

   it('prints nets simply', function()
      local x = nn.Identity()()
      local net = nn.gModule({ x }, { nn.Tanh()(x):annotate { name = 'out' } })
      local text = nngraph.simple_print.todot(net.fg, 'Net')
      assert.matches('label="out\\nnn.Tanh"', text, 1, true)
      assert.matches('label=input', text, 1, true)
   end)

   it('has the functions on nests that programs know', function()
      local a = { torch.ones(2), { torch.ones(3) } }
      local b = nesting.cloneNested(a)
      nesting.fillNested(b, 2)
      nesting.addNestedTo(a, b)
      assert.same({ 3, 3, 3 }, a[2][1]:totable())
      nesting.resizeNestedAs(b, { torch.ones(4) })
      assert.equal(1, #b)
      nesting.copyNested(b, a)
      assert.same({ 3, 3 }, b[1]:totable())
   end)

   it('is split by a number that came as text', function()
      local x = nn.Identity()()
      local a, b = x:split('2')
      local net = nn.gModule({ x }, { nn.CAddTable() { a, b } })
      assert.same({ 3 }, net:forward({ torch.Tensor { 1 }, torch.Tensor { 2 } }):totable())
   end)
end)
