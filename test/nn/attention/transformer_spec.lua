local torch = require 'torch'
local nn = require 'nn'
local numbers = require 'test.support.numbers'
local oracle = require 'test.nn.attention.oracle'
local pytorch = require 'test.nn.attention.pytorch'

local check, inputs = pytorch.check, pytorch.inputs
local N, T, S, F, H = 2, 3, 4, 4, 2

-- One layer and stacks of two, for both places of the normalisation, without dropout.
local MAKE = {
   encoder = function(...) return nn.TransformerEncoderLayer(F, H, 6, 0, ...) end,
   encoders = function(...) return nn.TransformerEncoder(2, F, H, 6, 0, ...) end,
   decoder = function(front) return nn.TransformerDecoderLayer(F, H, 6, 0, front) end,
   decoders = function(front) return nn.TransformerDecoder(2, F, H, 6, 0, front) end,
}

describe('Transformers are PyTorch\'s:', function()
   for _, place in ipairs { 'behind', 'front' } do
      local front = place == 'front'
      for _, name in ipairs { 'encoder', 'encoders' } do
         it(('%s, normalised %s'):format(name, place), function()
            local input = inputs { N, S, F }
            input.mask = pytorch.mask()
            check(oracle[('%s_%s'):format(name, place)], pytorch.fill(MAKE[name](front)), input)
         end)

         it(('causal %s, normalised %s'):format(name, place), function()
            check(oracle[('%s_causal_%s'):format(name, place)],
               pytorch.fill(MAKE[name](front, true)), inputs({ N, T, F })[1])
         end)
      end

      for _, name in ipairs { 'decoder', 'decoders' } do
         it(('%s, normalised %s'):format(name, place), function()
            local input = inputs({ N, T, F }, { N, S, F })
            input.memoryMask = pytorch.mask()
            check(oracle[('%s_%s'):format(name, place)], pytorch.fill(MAKE[name](front)), input)
         end)

         it(('%s of padded sequences, normalised %s'):format(name, place), function()
            local input = inputs({ N, T, F }, { N, S, F })
            input.mask = pytorch.mask():narrow(2, 2, T)
            check(oracle[('%s_padded_%s'):format(name, place)], pytorch.fill(MAKE[name](front)),
               input)
         end)
      end
   end
end)

-- The encoder and decoder, as layers and stacks, that see only what was before.
local CAUSAL = {
   nn.TransformerEncoderLayer(8, 2, 6, 0, false, true),
   nn.TransformerEncoder(2, 8, 2, 6, 0, true, true),
   nn.TransformerDecoderLayer(8, 2, 6, 0, true),
   nn.TransformerDecoder(2, 8, 2, 6, 0, false),
}

describe('Transformers', function()
   it('that are causal do not see what comes later, all others do', function()
      local x, memory = torch.randn(2, 5, 8), torch.randn(2, 3, 8)
      local changed = x:clone()
      changed:select(2, 5):normal()
      local function first_steps(net, xs)
         local y = net:forward(torch.typename(net):find 'Decoder' and { xs, memory } or xs)
         return y:narrow(2, 1, 4):clone()
      end
      for _, net in ipairs(CAUSAL) do
         numbers.same(first_steps(net, x), first_steps(net, changed), 1e-14)
      end
      for _, net in ipairs { nn.TransformerEncoderLayer(8, 2, 6, 0),
         nn.TransformerEncoder(2, 8, 2, 6, 0) } do
         assert.is_true((first_steps(net, x) - first_steps(net, changed)):abs():min() > 0)
      end
   end)

   it('give dropout of p to each part, one tenth by default', function()
      for p, nets in pairs {
         [0.3] = { nn.TransformerEncoderLayer(F, H, 6, 0.3), nn.TransformerEncoder(2, F, H, 6, 0.3),
            nn.TransformerDecoderLayer(F, H, 6, 0.3), nn.TransformerDecoder(2, F, H, 6, 0.3) },
         [0.1] = { nn.TransformerEncoderLayer(F, H), nn.TransformerDecoderLayer(F, H),
            nn.TransformerEncoder(2, F, H), nn.TransformerDecoder(2, F, H) },
      } do
         for _, net in ipairs(nets) do
            local layers, attentions = net.numLayers or 1, torch.typename(net):find 'De' and 2 or 1
            local drops = net:findModules 'nn.Dropout'
            assert.equal(layers * (attentions + 2), #drops) -- behind each part, and inside the last
            for _, drop in ipairs(drops) do
               assert.equal(p, drop.p)
            end
            drops = net:findModules 'nn.ScaledDotProductAttention'
            assert.equal(layers * attentions, #drops)
            for _, attention in ipairs(drops) do
               assert.equal(p, attention.p)
            end
         end
      end
   end)
end)

describe('nn.FeedForward', function()
   local function gelu(x) -- x / 2 (1 + erf(x / sqrt 2)), by the series of erf
      local z = x / math.sqrt(2)
      local sum, term = 0, z
      for n = 0, 60 do
         sum = sum + term / (2 * n + 1)
         term = -term * z * z / (n + 1)
      end
      return x / 2 * (1 + 2 / math.sqrt(math.pi) * sum)
   end

   it('is V gelu(W x + b) + c, and drops inside', function()
      local net, x = nn.FeedForward(3, 5), torch.randn(2, 4, 3)
      local first, last = unpack((net:findModules 'nn.Linear'))
      local y = net:forward(x)
      for n = 1, 2 do
         for t = 1, 4 do
            local h = first.weight * x[n][t] + first.bias
            h:apply(gelu)
            numbers.same(last.weight * h + last.bias, y[n][t], 1e-12)
         end
      end
      net = nn.FeedForward(1, 1, 0.75)
      first, last = unpack((net:findModules 'nn.Linear'))
      first.weight:fill(1)
      last.weight:fill(1)
      first.bias:zero()
      last.bias:fill(7)
      y = net:forward(torch.ones(4000, 1))
      local kept = y:ne(7):double()
      assert.near(0.25, kept:mean(), 0.05)
      numbers.same(kept:mul(4 * gelu(1)):add(7), y:double(), 1e-12)
   end)
end)

-- A module that doubles what it gets, so that what becomes of it is known.
local function doubled(p, norm, front)
   return nn.Residual(nn.MulConstant(2), norm, p, front)
end

describe('nn.Residual', function()
   it('drops what the module makes, not what goes round', function()
      local net, x, g = doubled(0.75), torch.ones(4000), torch.ones(4000):mul(3)
      local y = net:forward(x)
      local kept = y:ne(1):double()
      assert.near(0.25, kept:mean(), 0.05)
      numbers.same(kept * 8 + 1, y:double(), 1e-12) -- x + 2 x / (1 - p)
      numbers.same(kept * 24 + 3, net:backward(x, g):double(), 1e-12)
      net:evaluate()
      numbers.equal({ 3, 6 }, net:forward(torch.Tensor { 1, 2 }))
      numbers.equal({ 3, 9 }, net:backward(torch.Tensor { 1, 2 }, torch.Tensor { 1, 3 }))
   end)

   it('normalises behind, in front or not at all', function()
      -- An affine map in the place of the normalisation: 10 z + 1.
      local function norm()
         return nn.Sequential():add(nn.MulConstant(10)):add(nn.AddConstant(1))
      end
      local x, g = torch.Tensor { { 1, -2 } }, torch.Tensor { { 1, 3 } }
      for _, case in ipairs {
         { doubled(0), { 3, -6 }, 3 },
         { doubled(0, norm()), { 31, -59 }, 30 }, -- 10 (x + 2 x) + 1
         { doubled(0, norm(), true), { 23, -40 }, 21 }, -- x + 2 (10 x + 1)
      } do
         local net, y, slope = unpack(case)
         numbers.equal({ y }, net:forward(x))
         numbers.equal({ { slope, 3 * slope } }, net:backward(x, g))
      end
   end)
end)
