local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'

describe('nn.seam', function()
   local off

   after_each(function()
      if off then
         off()
         off = nil
      end
   end)

   local function record()
      local calls = {}
      off = nn.seam.attach(function(call, module, method, ...)
         calls[#calls + 1] = torch.typename(module):match '[^.]+$' .. ':' .. method
         return call(module, ...)
      end)
      return calls
   end

   it('shows every call, containers\' inner ones and criterions\' too', function()
      local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.Tanh())
      local x, calls = torch.randn(4, 2), record()
      local y = net:forward(x)
      assert.same({
         'Sequential:forward', 'Sequential:updateOutput', 'Linear:updateOutput',
         'Tanh:updateOutput',
      }, calls)
      local n = #calls
      net:backward(x, y)
      assert.same({
         'Sequential:backward', 'Tanh:backward', 'Tanh:updateGradInput', 'Tanh:accGradParameters',
         'Linear:backward', 'Linear:updateGradInput', 'Linear:accGradParameters',
      }, { unpack(calls, n + 1) })
      n = #calls
      nn.MSECriterion():forward(y, y)
      assert.same({ 'MSECriterion:forward', 'MSECriterion:updateOutput' }, { unpack(calls, n + 1) })
   end)

   it('shows a call of a parent\'s method once, and classes of later', function()
      local calls = record()
      local Late, parent = torch.class('nn.SeamSpecLate', 'nn.Linear', {})
      function Late:updateOutput(input)
         return parent.updateOutput(self, input)
      end
      local late = torch.getconstructortable 'nn.SeamSpecLate'(2, 2)
      late:forward(torch.randn(2))
      assert.same({ 'SeamSpecLate:forward', 'SeamSpecLate:updateOutput' }, calls)
   end)

   it('lets a hook change what goes in and what comes out', function()
      local layer, x = nn.Tanh(), torch.FloatTensor { 0.5, 1 }
      -- What a cast for mixed precision would do.
      off = nn.seam.attach(function(call, module, method, input, ...)
         if method == 'updateOutput' and input:type() ~= module:type() then
            return call(module, input:type(module:type()), ...):type(input:type())
         end
         return call(module, input, ...)
      end)
      local y = layer:forward(x)
      assert.equal(x:type(), y:type())
      numbers.same(torch.tanh(x), y, 1e-6)
   end)

   it('runs several hooks, the first outermost', function()
      local order = {}
      local function hook(name)
         return function(call, module, _, ...)
            order[#order + 1] = name .. ' in'
            local result = call(module, ...)
            order[#order + 1] = name .. ' out'
            return result
         end
      end
      local first, second = nn.seam.attach(hook 'a'), nn.seam.attach(hook 'b')
      nn.Tanh():updateOutput(torch.randn(2))
      second()
      first()
      assert.same({ 'a in', 'b in', 'b out', 'a out' }, order)
   end)

   it('is gone when the last hook is: the classes have their own functions', function()
      local classes, before = { 'nn.Module', 'nn.Linear', 'nn.Sequential', 'nn.Criterion' }, {}
      for _, name in ipairs(classes) do
         before[name] = torch.getmetatable(name).updateOutput
      end
      record()
      for _, name in ipairs(classes) do
         assert.not_equal(before[name], torch.getmetatable(name).updateOutput)
      end
      off()
      off = nil
      for _, name in ipairs(classes) do
         assert.equal(before[name], torch.getmetatable(name).updateOutput)
      end
   end)

   it('passes errors on, and goes on', function()
      local calls = record()
      local net = nn.Sequential():add(nn.Linear(2, 3))
      local _, err = pcall(function() net:forward(torch.randn(3)) end)
      assert.matches('seam_spec.lua:%d+: net.1: nn.Linear: input is 3, expected N x 2 or 2', err)
      local n = #calls
      net:forward(torch.randn(2))
      assert.equal(n + 3, #calls)
   end)

   it('leaves a class that is declared meanwhile its methods', function()
      record()
      nn.declare('nn.SeamSpecDeclared', 'nn.Tanh', { input = 'N? 3', output = 'N? 3' }, {})
      nn.declare('nn.SeamSpecLoss', 'nn.MSECriterion', { input = 'N C' }, {})
      off()
      local layer = torch.getconstructortable 'nn.SeamSpecDeclared'()
      numbers.same(torch.tanh(torch.ones(3)), layer:forward(torch.ones(3)))
      local ok, err = pcall(layer.forward, layer, torch.ones(5))
      assert.is_false(ok)
      assert.matches('nn.SeamSpecDeclared: input is 5, expected N x 3 or 3', err)
      local loss = torch.getconstructortable 'nn.SeamSpecLoss'()
      ok, err = pcall(loss.forward, loss, torch.ones(5), torch.ones(5))
      assert.is_false(ok)
      assert.matches('nn.SeamSpecLoss: input is 5, expected N x C', err)
   end)

   it('goes away from under a method that somebody put over it', function()
      local Tanh = torch.getmetatable 'nn.Tanh'
      local own = Tanh.updateOutput
      finally(function() Tanh.updateOutput = own end)
      local calls = record()
      local seen, patched = Tanh.updateOutput, 0
      function Tanh:updateOutput(input)
         patched = patched + 1
         return seen(self, input)
      end
      local layer, x = nn.Tanh(), torch.ones(2)
      layer:updateOutput(x)
      assert.same({ 'Tanh:updateOutput' }, calls)
      off()
      numbers.same(torch.tanh(x), layer:updateOutput(x))
      assert.same({ 'Tanh:updateOutput' }, calls)
      local again = record()
      layer:updateOutput(x)
      assert.same({ 'Tanh:updateOutput' }, again)
      assert.same({ 'Tanh:updateOutput' }, calls)
      assert.equal(3, patched)
   end)

   it('keeps the traceback of a bug in a user\'s layer, once', function()
      local Buggy = torch.class('nn.SeamSpecBuggy', 'nn.Module', {})
      local function culprit(input)
         return input.nothing.there
      end
      function Buggy:updateOutput(input)
         self.output = culprit(input)
         return self.output
      end
      local buggy = torch.getconstructortable 'nn.SeamSpecBuggy'()
      local function message(net)
         local ok, err = pcall(net.forward, net, { 1 })
         assert.is_false(ok)
         return err
      end
      local line = 'seam_spec.lua:' .. debug.getinfo(culprit, 'S').linedefined + 1 .. ':'
      local inner = nn.Sequential():add(buggy)
      local quiet = message(nn.Sequential():add(inner))
      record()
      assert.matches(line, message(buggy), 1, true)
      local seen = message(nn.Sequential():add(inner))
      for _, err in ipairs { quiet, seen } do
         assert.matches('In 1 module of nn.Sequential:\nIn 1 module of nn.Sequential:\n', err)
         local _, count = err:gsub('stack traceback:', '')
         assert.equal(1, count)
         local trace = err:match 'stack traceback:(.*)'
         assert.matches(line, trace, 1, true)
      end
   end)
end)
