local torch = require 'torch'
local nn = require 'nn'
local make = require 'test.support.samples.make'

local random, of, pair = make.random, make.of, make.pair

-- A layer whose argument says how many dimensions a sample has: a batch and a single sample.
local function batches(new, wrong, ...)
   local sizes = { ... }
   return { new = new, input = of(random, ...), single = of(random, unpack(sizes, 2)),
      wrong = of(random, unpack(wrong)) }
end

local function mixed(sample)
   sample.mixes = true
   return sample
end

local function whole(new, wrong, ...)
   return { new = new, input = of(random, ...), wrong = of(random, unpack(wrong)),
      why = 'it makes no difference between batches and samples' }
end

local function positions(...)
   return of(torch.LongTensor, { ... })
end

local function mask()
   return torch.ByteTensor { { 1, 0, 1 }, { 0, 0, 1 } }
end

return {
   Reshape = { batches(of(nn.Reshape, 3, 2), { 4, 5 }, 4, 6) },
   View = { { new = of(nn.View, 3, 2), input = of(random, 4, 6), single = of(random, 6),
      wrong = of(random, 4, 5), compact = true } },
   Collapse = { batches(of(nn.Collapse, 2), { 5 }, 2, 3, 4) },
   Contiguous = { { new = nn.Contiguous, input = of(random, 3, 4), single = of(random, 4),
      anything = true } },
   Squeeze = {
      { new = nn.Squeeze, input = of(random, 2, 1, 3), anything = true,
         why = 'all dimensions of size 1 go' },
      batches(of(nn.Squeeze, 2, 3), { 3 }, 2, 3, 1, 4),
      { new = of(nn.Squeeze, nil, 2), input = of(random, 1, 1, 3), anything = true,
         why = 'as above' },
   },
   Unsqueeze = {
      whole(of(nn.Unsqueeze, 3), { 3 }, 2, 3),
      batches(of(nn.Unsqueeze, 3, 2), { 3 }, 2, 3, 4),
   },
   Select = {
      whole(of(nn.Select, 2, 3), { 2, 2 }, 2, 4), whole(of(nn.Select, -1, -2), { 1 }, 3, 4),
   },
   Narrow = {
      whole(of(nn.Narrow, 2, 2, 2), { 2, 2 }, 2, 4), whole(of(nn.Narrow, 1, 2, -1), { 1, 2 }, 3, 4),
      whole(of(nn.Narrow, -1, -1, 2), { 2, 2 }, 3, 5),
   },
   Index = {
      { new = of(nn.Index, 1), input = pair(of(random, 3, 4), positions(2, 1, 2)),
         wrong = of(random, 3, 4), why = 'positions count in the batch' },
      { new = of(nn.Index, -1), input = pair(of(random, 3, 4), positions(4, 4)),
         wrong = of(random, 3, 4), why = 'as above' },
   },
   MaskedSelect = {
      { new = nn.MaskedSelect, input = pair(of(random, 2, 3), mask),
         wrong = pair(of(random, 2, 4), mask), why = 'a mask is for the whole batch' },
   },
   Transpose = {
      whole(of(nn.Transpose, { 1, 2 }, { 2, 3 }), { 2, 3 }, 2, 3, 4),
      batches(function() return nn.Transpose({ 1, 2 }):setNumInputDims(2) end, { 4 }, 2, 3, 4),
   },
   Convert = {
      mixed(batches(of(nn.Convert, 'bchw', 'hwbc'), { 3, 2 }, 2, 3, 2, 4)),
      batches(of(nn.Convert, 'chw', 'f'), { 3, 2 }, 2, 3, 2, 4),
      { new = of(nn.Convert, 'bt', 'b'), input = of(random, 3, 2), single = of(random, 2),
         wrong = of(random, 3, 2, 2) },
      { new = nn.Convert, input = of(random, 2, 3), single = of(random, 3), anything = true },
   },
   Replicate = {
      { new = of(nn.Replicate, 3), input = of(random, 2, 4), why = 'without a number of dimensions',
         anything = true },
      batches(of(nn.Replicate, 2, 3, 2), { 3 }, 2, 3, 4),
   },
   Padding = {
      batches(of(nn.Padding, 1, 2, 1, 7, 4), { 2 }, 2, 3),
      batches(of(nn.Padding, 2, -2, 2, -1, 3), { 4 }, 2, 3, 4),
   },
}
