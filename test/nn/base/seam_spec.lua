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
end)
