-- Attention over more queries than the CPU takes at a time, with all that may go into it, in
-- whatever strides: against the formula, all scores at once.
local torch = require 'torch'
local nn = require 'nn'
local ops = require 'nn.base.ops'

local N, H, D, V = 2, 3, 5, 4
local SCALE = 0.4

local function weights_of(q, k, mask, causal)
   local T, S = q:size(2), k:size(2)
   local scores = torch.bmm(q, k:transpose(2, 3)):mul(SCALE)
   if mask then
      scores:add(mask:expand(N, H, T, S):contiguous():view(N * H, T, S))
   end
   for t = 1, causal and math.min(T, S - 1) or 0 do
      scores:narrow(2, t, 1):narrow(3, t + 1, S - t):fill(-1e300)
   end
   local e = torch.exp(scores - scores:max(3):expandAs(scores))
   return e:cdiv(e:sum(3):expandAs(e))
end

-- The output and the gradients of q, k and v, each (N H) x steps x features.
local function formula(q, k, v, g, mask, noise, causal)
   local P = weights_of(q, k, mask, causal)
   local dropped = noise and torch.cmul(P, noise:view(P:size())) or P
   local dP = torch.bmm(g, v:transpose(2, 3))
   if noise then
      dP:cmul(noise:view(P:size()))
   end
   local dS = torch.cmul(P, dP - torch.cmul(P, dP):sum(3):expandAs(dP)):mul(SCALE)
   return torch.bmm(dropped, v), torch.bmm(dS, k), torch.bmm(dS:transpose(2, 3), q),
      torch.bmm(dropped:transpose(2, 3), g)
end

local function operands(T, S, with_mask, with_noise)
   local mask = with_mask and torch.randn(N, 1, T, S) or nil
   local noise = with_noise and torch.Tensor(N, H, T, S):bernoulli(0.7):div(0.7) or nil
   return torch.randn(N, H, T, D), torch.randn(N, H, S, D), torch.randn(N, H, S, V),
      torch.randn(N, H, T, V), mask, noise
end

local function flat(x)
   return x:contiguous():view(N * H, x:size(3), x:size(4))
end

-- As heads lie side by side: N x steps x heads x features.
local function beside(x)
   return x:transpose(2, 3):contiguous():transpose(2, 3)
end

local function run(q, k, v, g, mask, noise, causal, results)
   local y, gq, gk, gv = results(q, V), results(q, D), results(k, D), results(v, V)
   ops.attention(nn.Identity(), y, q, k, v, mask, noise, causal, SCALE)
   ops.attention_backward(nn.Identity(), gq, gk, gv, g, q, k, v, mask, noise, causal, SCALE)
   return { y, gq, gk, gv }
end

local function fresh(like)
   return like.new()
end

-- Memory that a second tensor sees, or the result would be laid out anew.
local seen = {}

local function strided(like, features)
   local x = like.new(like:size(1), like:size(3), like:size(2), features):fill(7)
   seen[#seen + 1] = x
   return x:transpose(2, 3)
end

-- Queries, keys, causal, with mask, with noise.
local CASES = {
   { 100, 100, true, false, false },
   { 100, 130, true, true, false },
   { 130, 60, true, false, true },
   { 97, 50, false, true, true },
   { 49, 200, false, false, false },
   { 1, 70, false, false, false },
   { 60, 1, true, false, false },
}

describe('attention by blocks of queries', function()
   for _, case in ipairs(CASES) do
      local T, S, causal, with_mask, with_noise = unpack(case)
      it(('is the formula: %d queries, %d keys%s%s%s'):format(T, S, causal and ', causal' or '',
         with_mask and ', mask' or '', with_noise and ', noise' or ''), function()
         torch.manualSeed(T + S)
         local q, k, v, g, mask, noise = operands(T, S, with_mask, with_noise)
         local expected = { formula(flat(q), flat(k), flat(v), flat(g), mask, noise, causal) }
         local plain = run(q, k, v, g, mask, noise, causal, fresh)
         local apart = run(beside(q), beside(k), beside(v), beside(g), mask, noise, causal, strided)
         for i = 1, 4 do
            assert.is_true((flat(plain[i]) - expected[i]):abs():max() < 1e-12)
            assert.is_false(apart[i]:isContiguous() and H > 1 and apart[i]:size(3) > 1)
            assert.equal(0, (apart[i] - plain[i]):abs():max())
         end
      end)
   end

   it('is the same for any number of threads', function()
      local q, k, v, g = operands(150, 150)
      q, k, v, g = q:float(), k:float(), v:float(), g:float()
      local threads = torch.getnumthreads()
      finally(function() torch.setnumthreads(threads) end)
      torch.setnumthreads(1)
      local alone = run(q, k, v, g, nil, nil, true, fresh)
      for _, count in ipairs { 2, 3, 7 } do
         torch.setnumthreads(count)
         for i, r in ipairs(run(q, k, v, g, nil, nil, true, fresh)) do
            assert.is_true(r:equal(alone[i]))
         end
      end
   end)
end)
