local torch = require 'torch'
local nn = require 'nn'
local gradcheck = require 'test.support.gradcheck'
local numbers = require 'test.support.numbers'

-- Classes are made once; the specs below share them.
local Scale = nn.declare('nn.DeclareSpecScale', 'nn.Weighted', {
   arguments = [[
      planes          size            of the input
      factor          number = 2      times the weight
      second          number = factor  another
      -- that goes on
      value -> val    number = 0
      (bias)          boolean = true
      name            string?
   ]],
   input = 'N? planes H W',
   output = 'N? planes H W',
   batch = true,
   text = '({planes}<, {factor}><, {second}>){no bias}',
   version = 3,
}, {})

function Scale:__initialize(planes, _, _, _, bias)
   self:__addWeights({ planes }, bias and { planes })
end

-- Always sees a batch.
function Scale:__computeOutput(y, x)
   assert(x:dim() == 4)
   return y:resizeAs(x):cmul(x, self.weight:view(1, -1, 1, 1):expandAs(x)):mul(self.factor)
end

function Scale:__computeGradInput(gx, x, g)
   assert(x:dim() == 4 and g:dim() == 4)
   return gx:resizeAs(x):cmul(g, self.weight:view(1, -1, 1, 1):expandAs(x)):mul(self.factor)
end

function Scale:__computeGradParameters(x, g, scale)
   local sum = torch.cmul(x, g):transpose(1, 2):contiguous():view(self.planes, -1):sum(2)
   self.gradWeight:add(scale * self.factor, sum:view(-1))
end

function Scale:__upgrade(version)
   self.upgraded = (self.upgraded or 0) + 1
   self.from = version
end

local new = torch.getconstructortable 'nn.DeclareSpecScale'

local function message(f, ...)
   local ok, err = pcall(f, ...)
   assert.is_false(ok)
   return err
end

describe('nn.declare: arguments', function()
   it('are checked, get defaults, and go to fields', function()
      local layer = new(3)
      assert.same({ 3, 2, 2, 0 }, { layer.planes, layer.factor, layer.second, layer.val })
      assert.is_nil(layer.value)
      assert.is_nil(layer.name)
      layer = new(3, 5, nil, 7, false, 'mine')
      assert.same({ 5, 5, 7, 'mine' }, { layer.factor, layer.second, layer.val, layer.name })
      assert.is_nil(layer.bias)
      local usage = ': nn.DeclareSpecScale(planes[, factor, second, value, bias, name])'
      for _, case in ipairs {
         { 'planes is nil, expected a number from 1 on' },
         { 'planes is 0, expected a number from 1 on', 0 },
         { 'factor is a table, expected a number', 3, {} },
         { 'value is a boolean, expected a number', 3, 1, 1, true },
         { 'bias is 1, expected true or false', 3, 1, 1, 1, 1 },
         { 'name is 4, expected a string', 3, 1, 1, 1, true, 4 },
      } do
         local err = message(function() new(unpack(case, 2, 7)) end)
         assert.matches('^test/nn/base/declare_spec.lua:%d+: nn.DeclareSpecScale: ', err)
         assert.matches(case[1] .. usage, err, 1, true)
      end
   end)

   it('take numbers that are strings, as a text file gives them', function()
      assert.equal(7, new('7').planes)
      assert.equal(3, nn.Linear('3', '2').weight:size(2))
   end)

   it('are printed as the declaration says', function()
      assert.equal('nn.DeclareSpecScale(3)', tostring(new(3)))
      local broken = require('nn').Linear(3, 2)
      broken.weight:set()
      assert.equal('nn.Linear(? -> ?)', tostring(broken))
      assert.equal('nn.DeclareSpecScale(3, 4)', tostring(new(3, 4)))
      assert.equal('nn.DeclareSpecScale(3, 2, 4) without bias', tostring(new(3, 2, 4, 0, false)))
   end)

   it('follow those of the parent', function()
      local Child = nn.declare('nn.DeclareSpecChild', 'nn.DeclareSpecScale', {
         arguments = '...\n more number = 9',
      }, {})
      local child = torch.getconstructortable 'nn.DeclareSpecChild'(3, 4)
      assert.same({ 3, 4, 9 }, { child.planes, child.factor, child.more })
      assert.equal('nn.DeclareSpecChild(3, 4)', tostring(child))
      assert.equal(3, Child.__version)
      assert.matches('nn.DeclareSpecChild%(planes%[, factor, second, value, bias, name, more%]%)',
         message(torch.getconstructortable 'nn.DeclareSpecChild'))
   end)

   it('leave no class behind when the declaration is wrong', function()
      assert.matches('no such part of a declaration: inputs', message(nn.declare,
         'nn.DeclareSpecWrong', { inputs = 'N C' }))
      assert.matches('there is no class nn.DeclareSpecNone', message(nn.declare,
         'nn.DeclareSpecWrong', 'nn.DeclareSpecNone', {}))
      for text, declaration in pairs {
         ['not the type of an argument: x nonsense'] = { arguments = 'x nonsense' },
         ['not an argument: x'] = { arguments = 'x' },
         ['not a dimension in a pattern: a-b'] = { input = 'N? a-b' },
      } do
         local said = message(nn.declare, 'nn.DeclareSpecWrong', declaration)
         assert.is_truthy(said:find(text, 1, true), said)
      end
      assert.is_nil(torch.getmetatable 'nn.DeclareSpecWrong')
   end)
end)

describe('nn.declare: shapes', function()
   it('let batches and single samples in, and nothing else', function()
      local layer = new(3)
      local x = torch.randn(2, 3, 4, 5)
      local y = layer:forward(x):clone()
      numbers.same(y[2], layer:forward(x[2]))
      gradcheck(new(3, 2, 2, 0, false), x)
      gradcheck(new(3, 2, 2, 0, false), x[1]:clone())
      for _, sizes in ipairs { { 2, 4, 4, 5 }, { 4, 4, 5 }, { 3, 4 }, { 1, 1, 3, 4, 5 } } do
         local wrong = torch.Tensor(unpack(sizes))
         local err = message(layer.forward, layer, wrong)
         assert.matches('nn.DeclareSpecScale: input is ' .. table.concat(sizes, 'x')
            .. ', expected N x 3 x H x W or 3 x H x W', err)
      end
   end)

   it('tie gradOutput to the input', function()
      local layer, x = new(3), torch.randn(2, 3, 4, 5)
      layer:forward(x)
      for _, sizes in ipairs { { 1, 3, 4, 5 }, { 2, 3, 4, 6 }, { 3, 4, 5 } } do
         assert.matches('gradOutput is ' .. table.concat(sizes, 'x')
            .. ', expected 2x3x4x5, the size of the output',
            message(layer.backward, layer, x, torch.Tensor(unpack(sizes))))
      end
   end)
end)

describe('nn.declare: criterions', function()
   it('have shapes, and a loss that is a number or a tensor', function()
      local Loss = nn.declare('nn.DeclareSpecLoss', 'nn.Criterion', { input = 'N C' }, {})
      function Loss:__computeOutput(loss, x, t)
         return self.tensor and loss:fill(x:dot(t)) or x:dot(t)
      end
      function Loss.__computeGradInput(_, gx, x, t)
         return gx:resizeAs(x):copy(t)
      end
      local loss = torch.getconstructortable 'nn.DeclareSpecLoss'()
      local x, t = torch.randn(2, 3), torch.randn(2, 3)
      for _, tensor in ipairs { false, true } do
         loss.tensor = tensor
         assert.equal(x:dot(t), loss:forward(x, t))
         assert.equal(x:dot(t), loss.output)
      end
      numbers.same(t, loss:backward(x, t))
      assert.matches('nn.DeclareSpecLoss: input is 3, expected N x C',
         message(loss.forward, loss, torch.Tensor(3), t))
      assert.matches('nn.DeclareSpecLoss: target is 2, expected 2x3',
         message(loss.forward, loss, x, torch.Tensor(2)))
   end)
end)

describe('nn.declare: files', function()
   it('get what they lack, and are upgraded once, when they are read', function()
      local layer = new(3, 4)
      layer.factor, layer.second, layer.val = nil, nil, nil
      local again = torch.deserialize(torch.serialize(layer))
      assert.same({ 2, 2, 0 }, { again.factor, again.second, again.val })
      assert.equal(1, again.upgraded)
      assert.equal(3, again.from)
      again:forward(torch.randn(3, 2, 2))
      assert.equal(1, again.upgraded)
      assert.is_nil(layer.upgraded)
   end)
end)

describe('classes made as in Torch7', function()
   local Double, parent = torch.class('nn.DeclareSpecDouble', 'nn.Module', {})

   function Double:__init(factor)
      parent.__init(self)
      self.factor = factor
   end

   function Double:updateOutput(input)
      self.output:resizeAs(input):copy(input):mul(self.factor)
      return self.output
   end

   function Double:updateGradInput(_, gradOutput)
      self.gradInput:resizeAs(gradOutput):copy(gradOutput):mul(self.factor)
      return self.gradInput
   end

   local Logged, Linear = torch.class('nn.DeclareSpecLogged', 'nn.Linear', {})

   function Logged:__init(a, b)
      Linear.__init(self, a, b)
      self.calls = 0
   end

   function Logged:updateOutput(input)
      self.calls = self.calls + 1
      return Linear.updateOutput(self, input)
   end

   it('work as they did, alone and derived from a declared one', function()
      local double = torch.getconstructortable 'nn.DeclareSpecDouble'(3)
      local logged = torch.getconstructortable 'nn.DeclareSpecLogged'(4, 2)
      local net = nn.Sequential():add(double):add(logged)
      gradcheck(net, torch.randn(5, 4))
      assert.is_true(logged.calls > 10)
      assert.equal('nn.DeclareSpecDouble', tostring(double))
      assert.equal('nn.DeclareSpecLogged(4 -> 2)', tostring(logged))
      local x = torch.randn(5, 4)
      local y = net:forward(x):clone()
      numbers.same(y, torch.deserialize(torch.serialize(net)):forward(x))
      numbers.same(y:float(), net:float():forward(x:float()), 1e-5)
   end)

   it('are parents of declared ones, which keep their methods', function()
      nn.declare('nn.DeclareSpecTriple', 'nn.DeclareSpecLogged', { input = 'N 4' }, {})
      local Triple = torch.getmetatable 'nn.DeclareSpecTriple'
      assert.equal(Logged.updateOutput, Triple.updateOutput)
   end)
end)

describe('classes derived from declared ones', function()
   local Taken, parent = torch.class('nn.DeclareSpecTaken', 'nn.SpatialConvolution', {})
   local taken = torch.getconstructortable 'nn.DeclareSpecTaken'

   function Taken:__init(...)
      parent.__init(self, ...)
      self:initialize()
   end

   function Taken:initialize()
      self.weight:fill(1)
   end

   for _, name in ipairs {
      'addWeights', 'fanIn', 'computeOutput', 'computeGradInput', 'computeGradParameters',
      'computeBackward', 'checkInput', 'checkBackward', 'advise', 'upgrade', 'checkTraining',
   } do
      Taken[name] = function()
         error('nobody calls ' .. name)
      end
   end

   it('may give their methods any name', function()
      local layer = taken(1, 1, 3, 3)
      layer.bias:zero()
      local x = torch.ones(1, 3, 3)
      assert.equal(9, layer:forward(x)[1][1][1])
      gradcheck(layer, x)
      assert.equal(9, layer:clone():forward(x)[1][1][1])
      assert.matches('expected N x 1 x H x W', message(layer.forward, layer, torch.ones(3, 3)))
   end)

   it('may give their fields any name', function()
      local layer = nn.Linear(2, 1)
      layer.upgrade, layer.advise, layer.computeOutput, layer.checkInput = true, 'x', 1, false
      numbers.same(layer:forward(torch.ones(2)), layer:clone():forward(torch.ones(2)))
      assert.matches('input is 3', message(layer.forward, layer, torch.ones(3)))
      local branches = nn.ConcatTable():add(nn.Tanh())
      branches.join, branches.inputOf = true, true
      numbers.same(torch.tanh(torch.ones(2)), branches:forward(torch.ones(2))[1])
   end)

   it('are constructed by their parents\' hooks, with the parents\' arguments', function()
      local Middle, Scaled = torch.class('nn.DeclareSpecMiddle', 'nn.DeclareSpecScale', {})
      function Middle:__init()
         Scaled.__init(self, 3)
      end
      local Last = nn.declare('nn.DeclareSpecLast', 'nn.DeclareSpecMiddle', {
         arguments = 'name string',
      }, {})
      function Last:__initialize(name)
         self.given = name
      end
      local last = torch.getconstructortable 'nn.DeclareSpecLast' 'x'
      assert.equal('x', last.given)
      assert.equal(3, last.weight:size(1))
   end)

   it('are made by the constructor that nn.Module has at the time', function()
      local init = nn.Module.__init
      finally(function() nn.Module.__init = init end)
      nn.Module.__init = function(self)
         init(self)
         self.patched = true
      end
      assert.is_true(nn.Linear(2, 1).patched)
      assert.is_true(nn.Tanh().patched)
      assert.is_true(taken(1, 1, 1, 1).patched)
   end)
end)

describe('a field that a layer cannot do without', function()
   it('is named, at the user\'s line', function()
      local x = torch.ones(2)
      for _, case in ipairs {
         { nn.Tanh(), 'output' }, { nn.Linear(2, 2), 'output' }, { nn.Linear(2, 2), 'weight' },
         { nn.Linear(2, 2), 'gradWeight' }, { nn.Add(2), 'gradBias' }, { nn.CMul(2), 'weight' },
         { nn.Reshape(2), 'output' }, { nn.Mul(), 'gradWeight' },
      } do
         local layer, field = unpack(case)
         layer:forward(x)
         layer[field] = nil
         local err = message(function()
            layer:forward(x)
            layer:backward(x, x)
         end)
         assert.matches(('^test/nn/base/declare_spec.lua:%%d+: %s: its field %s is nil'):format(
            torch.typename(layer), field), err)
      end
      local sum = nn.CAddTable()
      sum.output = nil
      assert.matches('^test/nn/base/declare_spec.lua:%d+: nn.CAddTable: its field output is nil',
         message(function() sum:forward { x, x } end))
      local criterion = nn.MSECriterion()
      criterion.gradInput = nil
      assert.equal(0, criterion:forward(x, x))
      assert.matches('^test/nn/base/declare_spec.lua:%d+: nn.MSECriterion: its field gradInput',
         message(function() criterion:backward(x, x) end))
      local same = nn.Identity() -- needs none
      same.output = nil
      assert.equal(x, same:forward(x))
   end)

   it('leaves other places of generated code with a name of their own', function()
      for _, f in ipairs {
         nn.Tanh.updateOutput, nn.Tanh.__checkInput, nn.MSECriterion.updateOutput,
         require('nn.base.ops').tanh,
      } do
         assert.matches('lua/nn/base/%a+/generated.lua$', debug.getinfo(f, 'S').source)
      end
   end)
end)

describe('nn.base.ops', function()
   local ops = require 'nn.base.ops'

   it('returns the result, and names the layer in errors', function()
      local layer, x = nn.Tanh(), torch.randn(3)
      local r = torch.Tensor()
      assert.equal(r, ops.tanh(layer, r, x))
      numbers.same(torch.tanh(x), r)
      local err = message(function() ops.linear(layer, r, x, x, x) end)
      assert.matches('^test/nn/base/declare_spec.lua:%d+: nn.Tanh: linear', err)
   end)

   it('refuses what is no operation', function()
      assert.matches('there is no operation tangent', message(function() return ops.tangent end))
   end)
end)
