--- Attention: y = softmax(q k' / sqrt(D) + mask) v, for each query a mean of values.
--
-- Memory grows with the length of the sequences, not with its square: weights are computed a block
-- of queries at a time, and again in the backward pass. With dropout it grows with the square.
--
-- Shapes: input { q, k, v }: q N x T x D, k N x S x D, v N x S x V; or with heads, N x H x T x D
-- and so on. y is N (x H) x T x V. `input.mask` may be a ByteTensor, 1 where a key is not to be
-- seen, of the size N x S, N x T x S, or that of the scores with any 1 in it. What
-- is masked must be finite all the same: a NaN or an infinity in a key or value reaches the output,
-- as with PyTorch's masks.
--
-- Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762).
-- @classmod nn.ScaledDotProductAttention
-- @usage nn.ScaledDotProductAttention(true):forward { q, k, v }
-- @example
-- local q, k, v = torch.randn(2, 5, 8), torch.randn(2, 7, 8), torch.randn(2, 7, 3)
-- #nn.ScaledDotProductAttention():forward { q, k, v } --> { 2, 5, 3 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local C = th.C

local Attention = nn.declare('nn.ScaledDotProductAttention', {
   arguments = [[
      causal  boolean = false  query i sees keys 1 to i only
      p       number = 0       dropout of the weights, in training
      scale   number?          of the products; default 1 / sqrt(D)
   ]],
   input = 'any',
   joint = true,
})

function Attention:__initialize(_, p)
   if p < 0 or p >= 1 then
      check.fail(self, 'p is %s, must be 0 <= p < 1', tostring(p))
   end
   self.train = true
   self.gradInput = {}
end

local built = setmetatable({}, { __mode = 'k' }) -- layer -> what its `shift` was made of

local function is_built(self, mask, q)
   local of = built[self]
   return of and of.dims == q.ndim and check.suits(self.shift, q.dtype, q)
      and of.mask:isSetTo(mask) and of.version == mask.store.version[0]
      and C.TH_Storage_isOwn(mask.store) -- other processes write to files' memory unseen
end

-- The mask as numbers to add to the scores, with as many dimensions as q; kept while it is the
-- same.
local function additive(self, mask, q)
   if not torch.isTensor(mask) or mask.dtype ~= C.TH_BYTE then
      check.fail(self, 'mask is %s, expected a ByteTensor of 0 and 1',
         torch.isTensor(mask) and 'a ' .. mask:type() or check.describe(mask))
   end
   if is_built(self, mask, q) then
      return self.shift
   end
   local sizes, dims = mask:size():totable(), q.ndim
   if #sizes == 2 then -- of keys
      table.insert(sizes, 2, 1)
   end
   if #sizes == 3 and dims == 4 then
      table.insert(sizes, 2, 1)
   end
   local low = q.dtype == C.TH_HALF and -6e4 or -1e30 -- finite: a query may see no key
   local r = self.shift
   if not check.suits(r, q.dtype, q) then
      r = th.like(q)
      self.shift = r
   end
   r:resize(torch.LongStorage(sizes)):zero():maskedFill(mask:contiguous():viewAs(r), low)
   built[self] = { mask = th.like(mask):set(mask), version = mask.store.version[0], dims = dims }
   return r
end

local function noise(self, q, k)
   if self.p == 0 or self.train == false then
      self.noise = nil
      return
   end
   local sizes = q:size()
   sizes[#sizes] = k:size(k:dim() - 1)
   if not check.suits(self.noise, q.dtype, q) then
      self.noise = th.like(q)
   end
   if self.again then -- nn.base.recomputed
      return
   end
   self.noise:resize(sizes):bernoulli(1 - self.p):div(1 - self.p)
end

local function check_input(self, input)
   if type(input) ~= 'table' or #input ~= 3 then
      check.fail(self, 'input is %s, expected a table of q, k and v', check.describe(input))
   end
   for i = 1, 3 do
      check.tensor(self, self.output, input[i], 'input', i)
   end
end

local function factor(self, q)
   return self.scale or 1 / math.sqrt(q:size(q:dim()))
end

function Attention:__computeOutput(y, input)
   check_input(self, input)
   local q, k, v = input[1], input[2], input[3]
   noise(self, q, k)
   local mask = input.mask and additive(self, input.mask, q) or nil
   return ops.attention(self, y, q, k, v, mask, self.noise, self.causal, factor(self, q))
end

function Attention:__computeGradInput(gx, input, g)
   check_input(self, input)
   check.tensor(self, self.output, g, 'gradOutput')
   local q = input[1]
   for i = 1, 3 do
      gx[i] = gx[i] or th.like(q)
   end
   local mask = input.mask and additive(self, input.mask, q) or nil
   ops.attention_backward(self, gx[1], gx[2], gx[3], g, q, input[2], input[3], mask, self.noise,
      self.causal, factor(self, q))
   return gx
end

function Attention:clearState()
   self.shift, self.noise, self.gradInput = nil, nil, {}
   self.output = self.output.new()
   return self
end
