-- Layers in profiles: their paths, their passes, and what happens when one fails.
local torch = require 'torch'
local nn = require 'nn'
local raises = require 'test.support.raises'

local function names(profile)
   local calls, classes = {}, {}
   for _, r in ipairs(profile:rows 'layer') do
      calls[r.name], classes[r.name] = r.calls, r.class
   end
   return calls, classes
end

describe('layers of a profile', function()
   it('have the paths that errors have, and two passes', function()
      local net = nn.Sequential()
         :add(nn.Linear(4, 4))
         :add(nn.ConcatTable():add(nn.Identity()):add(nn.Tanh()))
         :add(nn.CAddTable())
      net:get(1).name = 'first'
      local criterion = nn.MSECriterion()
      local x, t = torch.randn(3, 4), torch.randn(3, 4)
      local p = torch.profiler(function()
         for _ = 1, 2 do
            criterion:forward(net:forward(x), t)
            net:backward(x, criterion:backward(net.output, t))
         end
      end)
      local calls, classes = names(p)
      local expected = {}
      for path in ('net net.first net.2 net.2.1 net.2.2 net.3 criterion'):gmatch '%S+' do
         expected[path .. ' forward'], expected[path .. ' backward'] = 2, 2
      end
      assert.same(expected, calls)
      assert.equal('Linear', classes['net.first forward'])
      assert.equal('MSECriterion', classes['criterion backward'])
   end)

   it('have times that add up, and their operations', function()
      local net = nn.Sequential():add(nn.Linear(30, 40)):add(nn.Sigmoid())
      local x = torch.randn(10, 30)
      local p = torch.profiler(function() net:forward(x) end)
      local rows, own = {}, 0
      for _, r in ipairs(p:rows 'layer') do
         rows[r.name] = r
         own = own + r.own
      end
      assert.near(rows['net forward'].total, own, 1e-9)
      assert.equal(8 * (300 + 30 * 40 + 40 + 400), rows['net.1 forward'].bytes)
      assert.equal(8 * 400, rows['net.1 forward'].allocated)
   end)

   it("are charged to the lines that call them, users' layers to their own", function()
      local home = {}
      local Twice = torch.class('profiled.Twice', 'nn.Module', home)
      local inside = debug.getinfo(1, 'l').currentline + 2
      function Twice:updateOutput(input)
         self.output:resizeAs(input):mul(input, 2)
         return self.output
      end
      local net = nn.Sequential():add(nn.Tanh()):add(home.Twice())
      local x = torch.ones(3)
      local p = torch.profiler(function()
         net:forward(x)
         return nil
      end)
      local calls = {}
      for _, r in ipairs(p:rows 'line') do
         calls[tonumber(r.name:match ':(%d+)$')] = r.calls
      end
      assert.equal(2, calls[inside]) -- resizeAs, mul
      assert.truthy(calls[inside + 6] >= 1) -- the Tanh's
   end)

   it('that fail leave the profile whole', function()
      local net = nn.Sequential():add(nn.Linear(4, 4)):add(nn.Linear(5, 5))
      local x = torch.randn(2, 4)
      local p = torch.profiler(function()
         raises('net.2: nn.Linear', net.forward, net, x)
         raises('net.2: nn.Linear', net.forward, net, x)
         nn.Tanh():forward(x)
      end)
      local calls = names(p)
      assert.equal(2, calls['net forward'])
      assert.equal(1, calls['net#2 forward']) -- the Tanh's
      assert.equal(2, calls['net.2 forward'])
   end)

   it('are left alone where nobody wants them', function()
      local forward = nn.Linear.forward
      torch.profiler(function()
         assert.equal(forward, nn.Linear.forward)
      end, { layers = false })
      torch.profiler(function() end)
      assert.equal(forward, nn.Linear.forward)
   end)
end)
