-- Attention against the formula with all weights at once, number by number: several blocks of
-- queries, masks, dropout, the scale.
local torch = require 'torch'
local nn = require 'nn'

local function zeros(rows, columns)
   local r = {}
   for i = 1, rows do
      r[i] = {}
      for j = 1, columns do
         r[i][j] = 0
      end
   end
   return r
end

-- Weights of query i: exp(scale q.k) over the keys that it sees.
local function weights_of(q, k, scale, sees)
   local w, sum = {}, 0
   for j = 1, #k do
      local product = 0
      for d = 1, #q do
         product = product + q[d] * k[j][d]
      end
      w[j] = sees(j) and math.exp(scale * product) or 0
      sum = sum + w[j]
   end
   for j = 1, #k do
      w[j] = w[j] / sum
   end
   return w
end

-- Of one sequence (nested tables): y, and the gradients by q, k and v.
local function naive(q, k, v, g, scale, sees, noise)
   local y, gq, gk, gv = zeros(#q, #v[1]), zeros(#q, #q[1]), zeros(#k, #q[1]), zeros(#k, #v[1])
   for i = 1, #q do
      local w = weights_of(q[i], k, scale, function(j) return sees(i, j) end)
      local gw, mean = {}, 0
      for j = 1, #k do
         local n, along = noise and noise[i][j] or 1, 0
         for d = 1, #v[1] do
            y[i][d] = y[i][d] + n * w[j] * v[j][d]
            gv[j][d] = gv[j][d] + n * w[j] * g[i][d]
            along = along + n * g[i][d] * v[j][d]
         end
         gw[j], mean = along, mean + w[j] * along
      end
      for j = 1, #k do
         local gs = scale * w[j] * (gw[j] - mean)
         for d = 1, #q[1] do
            gq[i][d] = gq[i][d] + gs * k[j][d]
            gk[j][d] = gk[j][d] + gs * q[i][d]
         end
      end
   end
   return { y, gq, gk, gv }
end

-- Whether query i of sequence n sees key j, and the ByteTensor that says so.
local MASKS = {
   none = function() return function() return true end end,
   keys = function(N, _, S) -- the last keys are padding, more from sequence to sequence
      local mask = torch.ByteTensor(N, S):zero()
      for n = 1, N do
         mask[n]:narrow(1, S - n + 1, n):fill(1)
      end
      return function(n, _, j) return j <= S - n end, mask
   end,
   all = function(N, T, S) -- each query its own; the first key is seen by all
      local mask = torch.ByteTensor(N, T, S):bernoulli(0.4)
      mask:select(3, 1):zero()
      local list = mask:totable()
      return function(n, i, j) return list[n][i][j] == 0 end, mask
   end,
}

local function compare(expected, got, what)
   local difference = (torch.Tensor(expected) - got):abs():max()
   assert(difference < 1e-11, ('%s differs by %g'):format(what, difference)) -- NaN: neither
end

-- Sequences, heads (0: no such dimension), queries, keys.
local SIZES = { { 2, 0, 5, 7 }, { 2, 2, 130, 6 }, { 1, 0, 130, 130 }, { 2, 0, 257, 20 } }
local D, V = 3, 2

local function draw(N, heads, steps, features)
   return heads == 0 and torch.randn(N, steps, features) or torch.randn(N, heads, steps, features)
end

-- The input, gradOutput, and what is seen.
local function problem(sizes, kind)
   local N, heads, T, S = unpack(sizes)
   local sees, mask = MASKS[kind](N, T, S)
   local input = { draw(N, heads, T, D), draw(N, heads, S, D), draw(N, heads, S, V), mask = mask }
   return input, draw(N, heads, T, V), sees
end

local function check(net, input, g, sees, scale, noise)
   local y = net:forward(input):clone()
   local gx = net:backward(input, g)
   noise = noise and net.noise:clone()
   local N, T = y:size(1), y:size(y:dim() - 1)
   local heads = y:dim() == 4 and y:size(2) or 1
   local function flat(x)
      return x:contiguous():view(N * heads, x:size(x:dim() - 1), x:size(x:dim()))
   end
   local all = { flat(y), flat(gx[1]), flat(gx[2]), flat(gx[3]) }
   for b = 1, N * heads do
      local n = math.floor((b - 1) / heads) + 1
      local expected = naive(flat(input[1])[b]:totable(), flat(input[2])[b]:totable(),
         flat(input[3])[b]:totable(), flat(g)[b]:totable(), scale,
         function(i, j) return (not net.causal or j <= i) and sees(n, i, j) end,
         noise and flat(noise)[b]:totable())
      for k, what in ipairs { 'y', 'the gradient by q', 'that by k', 'that by v' } do
         compare(expected[k], all[k][b], ('%s of %d queries'):format(what, T))
      end
   end
end

describe('attention is its formula', function()
   before_each(function() torch.manualSeed(3) end)

   for _, kind in ipairs { 'none', 'keys', 'all' } do
      for _, causal in ipairs { false, true } do
         it(('with mask %s%s, with and without dropout'):format(kind, causal and ', causal' or ''),
            function()
               for _, sizes in ipairs(SIZES) do
                  local input, g, sees = problem(sizes, kind)
                  for _, p in ipairs { 0, 0.3 } do
                     check(nn.ScaledDotProductAttention(causal, p), input, g, sees,
                        1 / math.sqrt(D), p > 0)
                  end
               end
            end)
      end
   end

   it('with a scale of its own', function()
      for _, scale in ipairs { 0.7, 3, -0.5 } do
         local input, g, sees = problem({ 2, 2, 4, 5 }, 'keys')
         check(nn.ScaledDotProductAttention(false, 0, scale), input, g, sees, scale)
      end
   end)

   it('in evaluation behind a pass with dropout', function()
      local input, g, sees = problem({ 2, 0, 4, 5 }, 'none')
      local net = nn.ScaledDotProductAttention(false, 0.5)
      net:backward(input, net:forward(input))
      check(net:evaluate() or net, input, g, sees, 1 / math.sqrt(D))
      check(net:training() or net, input, g, sees, 1 / math.sqrt(D), true)
   end)
end)

describe('attention drops weights', function()
   -- Values of 1: y is the sum of the weights that are left, 1 in the mean.
   local function values_of_one(net)
      local x = torch.ones(20, 100, 2)
      return net:forward { x, x, x }
   end

   it('and enlarges what it leaves', function()
      local net = nn.ScaledDotProductAttention(false, 0.75)
      assert.near(1, values_of_one(net):mean(), 0.02)
      local left = net.noise:ne(0):double()
      assert.near(0.25, left:mean(), 0.02)
      assert.equal(0, (net.noise:double() - left * 4):abs():max())
      net:evaluate()
      assert.near(1, values_of_one(net):min(), 1e-12)
      assert.near(1, values_of_one(net):max(), 1e-12)
   end)

   it('in heads too, in training alone', function()
      local net, plain = nn.MultiHeadAttention(4, 2, false, 0.5), nn.MultiHeadAttention(4, 2)
      for i = 1, 4 do -- the output is the values', which are 1
         net.modules[i].weight:zero()
         net.modules[i].bias:fill(i == 3 and 1 or 0)
      end
      net.modules[4].weight:copy(torch.eye(4))
      local x = torch.randn(50, 40, 4)
      local y = net:forward(x)
      assert.near(1, y:mean(), 0.02)
      assert.near(1 / math.sqrt(40), y:std(), 0.02) -- of the mean of 40 numbers, 0 or 2
      net:evaluate()
      assert.near(0, (net:forward(x) - 1):abs():max(), 1e-12)
      for i = 1, 4 do
         plain.modules[i].weight:copy(net.modules[i].weight:normal())
         plain.modules[i].bias:copy(net.modules[i].bias)
      end
      local g = torch.randn(50, 40, 4)
      plain:forward(x)
      local expected = plain:backward(x, g)
      net:forward(x)
      assert.near(0, (net:backward(x, g) - expected):abs():max(), 1e-12)
   end)
end)
