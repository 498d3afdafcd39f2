local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local shell = require 'test.support.shell'
local raises = require 'test.support.raises'
local oracle = require 'test.nn.attention.oracle'
local pytorch = require 'test.nn.attention.pytorch'

local check, inputs = pytorch.check, pytorch.inputs
local N, T, S, F, H = 2, 3, 4, 4, 2

describe('attention is PyTorch\'s:', function()
   it('plain', function()
      check(oracle.plain, nn.ScaledDotProductAttention(),
         inputs({ N, T, F }, { N, S, F }, { N, S, 3 }))
   end)

   it('causal', function()
      check(oracle.causal, nn.ScaledDotProductAttention(true),
         inputs({ N, H, T, F }, { N, H, T, F }, { N, H, T, F }))
   end)

   it('with padding', function()
      local input = inputs({ N, H, T, F }, { N, H, S, F }, { N, H, S, F })
      input.mask = pytorch.mask()
      check(oracle.masked, nn.ScaledDotProductAttention(), input)
   end)

   it('with heads, from another sequence', function()
      local input = inputs({ N, T, F }, { N, S, F })
      input.mask = pytorch.mask()
      check(oracle.heads, pytorch.fill(nn.MultiHeadAttention(F, H)), input)
   end)
end)

describe('attention', function()
   -- By the formula, with all scores at once.
   local function naive(q, k, v, causal)
      local scores = torch.bmm(q, k:transpose(2, 3)):div(math.sqrt(q:size(3)))
      if causal then
         for t = 1, q:size(2) do
            for s = t + 1, k:size(2) do
               scores:select(2, t):select(2, s):fill(-1e300)
            end
         end
      end
      local weights = nn.SoftMax():forward(scores:view(-1, k:size(2))):viewAs(scores)
      return torch.bmm(weights, v)
   end

   it('of long sequences is the same as all at once', function()
      for _, sizes in ipairs { { 3, 300, 300 }, { 2, 130, 70 }, { 2, 50, 200 } } do
         local B, steps, keys = unpack(sizes)
         local q, k, v = torch.randn(B, steps, 4), torch.randn(B, keys, 4), torch.randn(B, keys, 5)
         for _, causal in ipairs { false, true } do
            local y = nn.ScaledDotProductAttention(causal):forward { q, k, v }
            assert.is_true((y - naive(q, k, v, causal)):abs():max() < 1e-12)
         end
      end
   end)

   for _, name in ipairs { 'torch.BFloat16Tensor', 'torch.HalfTensor' } do
      it('of many ' .. name .. 's is that of floats, rounded', function()
         local q, k, v, g = {}, {}, {}, {}
         for _, t in ipairs { q, k, v, g } do -- heads lie side by side, as parts of a row
            t[1] = torch.FloatTensor(150, 30, 2, 8):normal():type(name):transpose(2, 3)
            t[2] = t[1]:float()
         end
         local results = {}
         for i, typename in ipairs { name, 'torch.FloatTensor' } do
            local net = nn.ScaledDotProductAttention(true):type(typename)
            local x = { q[i], k[i], v[i] }
            local y = net:forward(x)
            local gx = net:backward(x, g[i])
            results[i] = { y, gx[1], gx[2], gx[3] }
         end
         for i, expected in ipairs(results[2]) do
            local apart = (results[1][i]:float() - expected):abs():max()
            -- twice, as devices round the weights of the sums as well
            assert.is_true(apart <= 2 * 2 ^ -8 * expected:abs():max())
         end
      end)
   end

   it('of long sequences has the gradients of all at once', function()
      local q, k, v = torch.randn(2, 150, 3), torch.randn(2, 150, 3), torch.randn(2, 150, 3)
      local net = nn.ScaledDotProductAttention(true)
      local g = torch.randn(2, 150, 3)
      net:forward { q, k, v }
      local gx = net:backward({ q, k, v }, g)
      -- Along a random direction, by central differences.
      for i, x in ipairs { q, k, v } do
         local d, start = torch.randn(x:size()), x:clone()
         local high = naive(unpack { x:add(1e-5, d) and q, k, v, true }):dot(g)
         x:copy(start)
         local low = naive(unpack { x:add(-1e-5, d) and q, k, v, true }):dot(g)
         x:copy(start)
         assert.near((high - low) / 2e-5, gx[i]:dot(d), 1e-6)
      end
   end)

   it('memory grows with the length, not with its square', function()
      local net = nn.ScaledDotProductAttention()
      local function largest(steps)
         local q, most = torch.randn(1, steps, 2), 0
         local list = torch.calls(function()
            net:backward({ q, q, q }, net:forward { q, q, q })
         end)
         for _, call in ipairs(list) do
            for _, argument in ipairs(call.arguments) do
               local count = 1
               for _, size in ipairs(argument.size or {}) do
                  count = count * size
               end
               most = math.max(most, count)
            end
         end
         return most
      end
      assert.equal(2 * largest(1000), largest(2000))
   end)

   it('a query that may see no key has a finite output', function()
      local x = torch.randn(2, 3, 4)
      local input = { x, x, x, mask = torch.ByteTensor(2, 3):fill(1) }
      local y = nn.ScaledDotProductAttention():forward(input)
      numbers.same(x:mean(2):expandAs(x), y, 1e-12)
   end)

   it('leaves out gradients that nobody wants', function()
      local net, x = nn.MultiHeadAttention(4, 2), torch.randn(2, 3, 4)
      local context = torch.randn(2, 5, 4)
      local g = torch.randn(2, 3, 4)
      net:zeroGradParameters()
      net:forward { x, context }
      local gradInput = net:backward({ x, context }, g)[1]:clone()
      net:get(2).gradInput, net:get(3).gradInput = nil, nil
      local without = net:backward({ x, context }, g)
      numbers.same(gradInput, without[1])
      assert.is_nil(without[2])
      net:get(1).gradInput = nil
      net:forward(x)
      assert.is_nil(net:backward(x, g))

      local linear = nn.Linear(4, 4)
      local residual = nn.Residual(linear)
      linear:zeroGradParameters()
      linear.gradInput = nil
      residual:forward(x:select(1, 1))
      numbers.same(g:select(1, 1), residual:backward(x:select(1, 1), g:select(1, 1)))
   end)

   it('does not count a mask among its parameters', function()
      local net = nn.MultiHeadAttention(F, H)
      local input = inputs({ N, T, F }, { N, S, F })
      input.mask = pytorch.mask()
      net:forward(input)
      assert.equal(8, #net:parameters())
   end)

   it('reads a mask that lies in a file at each call, as other processes may write it', function()
      shell.with_folder(function(folder)
         local function map()
            return torch.ByteTensor(torch.ByteStorage(folder .. '/mask', true, 6)):view(2, 3)
         end
         local net, x = nn.ScaledDotProductAttention(), torch.randn(2, 3, 4)
         local input = { x, x, x, mask = map():zero() }
         net:forward(input)
         map()[2][1] = 1 -- other pages of the same file
         numbers.same(nn.ScaledDotProductAttention():forward(input), net:forward(input))
      end)
   end)

   it('makes numbers of a mask once, and anew when it has changed', function()
      local net, x = nn.ScaledDotProductAttention(), torch.randn(2, 3, 4)
      local hidden = torch.ByteTensor(2, 3):zero()
      local input = { x, x, x, mask = hidden }
      local function passes()
         local count = 0
         local list = torch.calls(function() net:backward(input, net:forward(input)) end)
         for _, call in ipairs(list) do
            count = count + (call.name:find 'masked' and 1 or 0)
         end
         local fresh = nn.ScaledDotProductAttention()
         numbers.same(fresh:forward(input), net.output)
         return count
      end
      local once = passes()
      assert.is_true(once > 0)
      assert.equal(0, passes())
      hidden[2][1] = 1 -- written to
      assert.equal(once, passes())
      assert.equal(0, passes())
      hidden[{ {}, { 1, 2 } }]:fill(1)
      assert.equal(once, passes())
      input.mask = hidden:clone():fill(0) -- another one
      assert.equal(once, passes())
      input.mask = hidden:clone():t():contiguous():t():fill(0) -- by other strides
      assert.equal(once, passes())
      net:clearState()
      assert.equal(once, passes())
      input[1], input[2], input[3] = x:view(2, 1, 3, 4), x:view(2, 1, 3, 4), x:view(2, 1, 3, 4)
      assert.equal(once, passes())
      assert.equal(0, passes())
   end)

   it('says what it got and what it expected', function()
      local net, x = nn.MultiHeadAttention(4, 2), torch.Tensor(2, 3, 4)
      raises('nn.MultiHeadAttention: 5 features do not fall to 2 heads', nn.MultiHeadAttention, 5,
         2)
      raises('nn.MultiHeadAttention: input 1 is 2x3x5, expected N x T x 4', net.forward, net,
         torch.Tensor(2, 3, 5))
      raises('mask is a torch.DoubleTensor, expected a ByteTensor', net.forward, net,
         { x, mask = torch.DoubleTensor(2, 3) })
      raises('mask is 2x1x1x7, which does not expand', net.forward, net,
         { x, mask = torch.ByteTensor(2, 7):zero() })
   end)
end)

describe('positions', function()
   it('are sines and cosines', function()
      local y = nn.PositionalEncoding(6):forward(torch.zeros(5, 6))
      for t = 1, 5 do
         for i = 0, 2 do
            local angle = (t - 1) / 10000 ^ (2 * i / 6)
            assert.near(math.sin(angle), y[t][2 * i + 1], 1e-12)
            assert.near(math.cos(angle), y[t][2 * i + 2], 1e-12)
         end
      end
   end)

   it('turn pairs by t - 1 radians, divided by powers of the base', function()
      local net = nn.RotaryEmbedding(4, 100)
      local x = torch.Tensor { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 1, 0, 0, 0 }, { 0, 1, 0, 2 },
         { 3, 0, 1, 1 } }
      for _, steps in ipairs { 2, 5, 3 } do -- the table of angles grows
         local some = x:narrow(1, 1, steps)
         local y, gx = net:forward(some), net:backward(some, some)
         for t = 1, steps do
            for i, base in ipairs { 1, 10 } do -- 100^(2 (i-1) / 4)
               local a, b, angle = x[t][i], x[t][i + 2], (t - 1) / base
               local cos, sin = math.cos(angle), math.sin(angle)
               assert.near(a * cos - b * sin, y[t][i], 1e-12)
               assert.near(b * cos + a * sin, y[t][i + 2], 1e-12)
               assert.near(a * cos + b * sin, gx[t][i], 1e-12) -- turned back
               assert.near(b * cos - a * sin, gx[t][i + 2], 1e-12)
            end
         end
      end
      assert.near(0.01, math.asin(nn.RotaryEmbedding(4):forward(torch.Tensor { { 0, 1, 0, 0 },
         { 0, 1, 0, 0 } })[2][4]), 1e-12) -- 10000 by default
   end)

   it('are added for longer sequences than the first, too', function()
      local net = nn.PositionalEncoding(2)
      for _, steps in ipairs { 2, 5, 3 } do
         local y = net:forward(torch.ones(steps, 2))
         for t = 1, steps do
            assert.near(1 + math.sin(t - 1), y[t][1], 1e-12)
            assert.near(1 + math.cos(t - 1), y[t][2], 1e-12)
         end
      end
   end)

   it('turn queries and keys so that products depend on the distance', function()
      local net = nn.RotaryEmbedding(6)
      local q, k = torch.randn(6), torch.randn(6)
      local function turned(x)
         return net:forward(x:view(1, 6):expand(9, 6)):clone()
      end
      local qs, ks = turned(q), turned(k)
      numbers.same(q, qs[1], 0)
      for distance = 0, 5 do
         assert.near(qs[1]:dot(ks[1 + distance]), qs[4]:dot(ks[4 + distance]), 1e-12)
      end
      local heads = nn.MultiHeadAttention(4, 2)
      heads.rotary = nn.RotaryEmbedding(2)
      local x = torch.randn(1, 3, 4)
      local y = heads:forward(x):clone()
      x:copy(x:index(2, torch.LongTensor { 2, 1, 3 }))
      assert.is_true((y[1][3] - heads:forward(x)[1][3]):abs():max() > 1e-4) -- the order counts
   end)

   it('are learnt', function()
      local net = nn.LearnedPositions(4, 3)
      numbers.same(net.weight:narrow(1, 1, 2), net:forward(torch.zeros(2, 3)), 0)
      raises('nn.LearnedPositions: input is 5x3, expected at most 4 steps', net.forward, net,
         torch.Tensor(5, 3))
   end)
end)
