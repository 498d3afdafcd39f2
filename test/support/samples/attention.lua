local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of = make.random, make.of

local function all(...)
   local makers = { ... }
   return function()
      local list = {}
      for i, f in ipairs(makers) do
         list[i] = f()
      end
      return list
   end
end

local sequence, memory = of(random, 2, 3, 4), of(random, 2, 5, 4)
local wrong = of(random, 2, 3, 5)
local WHY = 'N x T x features only'

local function qkv(...)
   return all(of(random, ...), of(random, ...), of(random, ...))
end

return {
   ScaledDotProductAttention = {
      { new = nn.ScaledDotProductAttention, input = all(sequence, memory, of(random, 2, 5, 3)),
         why = WHY, wrong = all(sequence, memory, of(random, 2, 4, 3)) },
      { new = of(nn.ScaledDotProductAttention, true, 0.3), input = qkv(2, 2, 3, 4), why = WHY },
   },
   MultiHeadAttention = {
      { new = of(nn.MultiHeadAttention, 4, 2), input = sequence, wrong = wrong, why = WHY },
      { new = of(nn.MultiHeadAttention, 4, 1, false, 0.3, false), input = all(sequence, memory),
         wrong = wrong, why = WHY },
      { new = of(nn.MultiHeadAttention, 4, 2), input = all(sequence, memory, memory),
         wrong = wrong, why = WHY },
   },
   PositionalEncoding = { { new = of(nn.PositionalEncoding, 5), input = of(random, 2, 3, 5),
      single = of(random, 3, 5), wrong = of(random, 3, 4) } },
   LearnedPositions = { { new = of(nn.LearnedPositions, 6, 4), input = sequence,
      single = of(random, 3, 4), wrong = wrong } },
   RotaryEmbedding = { { new = of(nn.RotaryEmbedding, 4), input = sequence,
      single = of(random, 3, 4), wrong = wrong },
      { new = of(nn.RotaryEmbedding, 4), input = of(random, 2, 2, 3, 4), why = WHY,
         wrong = wrong } },
   FeedForward = { { new = of(nn.FeedForward, 4, 6, 0.2), input = sequence,
      single = of(random, 3, 4), wrong = wrong } },
   Residual = {
      { new = function() return nn.Residual(nn.Linear(4, 4), nn.LayerNorm(4), 0.2) end,
         input = of(random, 3, 4), single = of(random, 4), wrong = of(random, 3, 5),
         inside = '.1' },
      { new = function()
         return nn.Residual(nn.MultiHeadAttention(4, 2), nn.LayerNorm(4), 0, true)
      end, input = all(sequence, memory), wrong = all(wrong, memory), why = WHY,
         inside = '.2', refuser = 'nn.LayerNorm' },
   },
   TransformerEncoderLayer = {
      { new = of(nn.TransformerEncoderLayer, 4, 2, 6, 0.1), input = sequence, wrong = wrong,
         why = WHY },
      { new = of(nn.TransformerEncoderLayer, 4, 2, 6, 0.1, true, true), input = sequence,
         wrong = wrong, why = WHY },
   },
   TransformerDecoderLayer = {
      { new = of(nn.TransformerDecoderLayer, 4, 2, 6, 0.1, true), input = all(sequence, memory),
         wrong = all(wrong, memory), why = WHY },
   },
   TransformerEncoder = {
      { new = of(nn.TransformerEncoder, 2, 4, 2, 6, 0.1, true), input = sequence, wrong = wrong,
         why = WHY },
   },
   TransformerDecoder = {
      { new = of(nn.TransformerDecoder, 2, 4, 2, 6, 0.1), input = all(sequence, memory),
         wrong = all(wrong, memory), why = WHY },
   },
}
