--- Attention by several heads: each projects queries, keys and values to a part of the features,
-- and a last projection joins what they found.
--
-- Input: a sequence x, N x T x features (self-attention); { x, context }, where keys and values
-- come from the context, N x S x features; or { q, k, v }. `input.mask` as
-- nn.ScaledDotProductAttention's: of padding, a ByteTensor of N x S with 1 behind the end of each
-- sequence. Output: N x T x features.
--
-- The modules are nn.Linear: of queries, keys, values, and of the output. PyTorch's in_proj_weight
-- is the first three weights one below the other. `rotary` may be an nn.RotaryEmbedding(features /
-- heads), which then turns queries and keys. The gradients by inputs inside share memory;
-- `shareGradInput(false)` keeps them.
--
-- Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762), 3.2.2.
-- @classmod nn.MultiHeadAttention
-- @usage nn.MultiHeadAttention(512, 8, true):forward(torch.randn(4, 100, 512))
-- @example
-- #nn.MultiHeadAttention(8, 2):forward(torch.randn(2, 5, 8)) --> { 2, 5, 8 }
-- local y = nn.MultiHeadAttention(8, 2):forward { torch.randn(2, 5, 8), torch.randn(2, 7, 8) }
-- #y --> { 2, 5, 8 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local passes = require 'nn.containers.passes'
local spent = require 'nn.containers.spent'
local th = require 'torch.ffi'

local C = th.C
local Attention = nn.ScaledDotProductAttention -- scripts may have their own later

local MultiHead = nn.declare('nn.MultiHeadAttention', 'nn.Container', {
   arguments = [[
      features  size             in and out, a multiple of heads
      heads     size             of features / heads features each
      causal    boolean = false  query i sees keys 1 to i only
      p         number = 0       dropout of the weights, in training
      (bias)    boolean = true   of the projections
   ]],
   text = '({features}, {heads} heads)',
})

MultiHead.sharesGradInput = true

function MultiHead:__initialize(features, heads, causal, p, bias)
   if features % heads ~= 0 then
      check.fail(self, '%d features do not fall to %d heads evenly', features, heads)
   end
   for _ = 1, 4 do
      self:add(nn.Linear(features, features, bias))
   end
   self:add(Attention(causal, p))
   self:reset()
end

--- Weights uniform in ±sqrt(6 / (inputs + outputs)), those of queries, keys and values as of one
-- layer, and biases 0: as in PyTorch; or with a deviation, as nn.Linear's.
function MultiHead:reset(stdv)
   for i = 1, 4 do
      local linear = self.modules[i]
      linear:reset(stdv)
      if not stdv then
         local bound = i < 4 and math.sqrt(6 / (4 * self.features)) or 1 / math.sqrt(self.features)
         linear.weight:uniform(-bound, bound)
         if linear.bias then
            linear.bias:zero()
         end
      end
   end
end

local function sources(self, input)
   local q, k, v = input, input, input
   if not th.isTensor(input) then
      if type(input) ~= 'table' or #input < 1 or #input > 3 then
         check.fail(self, 'input is %s, expected a tensor or a table of up to three',
            check.describe(input))
      end
      q, k = input[1], input[2] or input[1]
      v = input[3] or k
   end
   local list = { q, k, v }
   for i = 1, 3 do -- there may be holes
      local x = list[i]
      check.tensor(self, self.output, x, 'input', i)
      if x:dim() ~= 3 or x:size(3) ~= self.features then
         check.fail(self, 'input %d is %s, expected N x T x %d', i, check.describe(x),
            self.features)
      end
   end
   return list
end

-- N x T x features as rows.
local function rows(x)
   return (x:isContiguous() and x or x:contiguous()):view(-1, x:size(3))
end

-- Let r show t with positions and heads exchanged; it may be t itself. No handle is made that
-- nobody empties: it would keep the memory until it is collected.
local function exchange(r, t)
   th.check(C.TH_transpose(r, t, 1, 2))
   return r
end

-- Rows as N x heads x T x (features / heads).
local function split(self, y, like)
   local heads = y:view(like:size(1), like:size(2), self.heads, -1)
   return exchange(heads, heads)
end

-- Whether module 5 is ours: there may be another in its place.
local function writes_heads(attention)
   return torch.isTypeOf(attention, Attention)
end

-- A buffer of N x T x heads x D, and in `tensor` the same as N x heads x T x D, D being that of the
-- projected heads: so that module 5 writes heads side by side, and rows are a view.
local function side_by_side(self, name, tensor, like, heads)
   local N, T, H = like:size(1), like:size(2), self.heads
   local buffer = self[name] or th.like(like)
   self[name] = buffer:resize(N, T, H, heads:size(4))
   return exchange(tensor, buffer)
end

-- Back: N x heads x T x ... as rows; a view of the buffer of that name, or a copy in it.
local function join(self, name, y)
   local N, H, T, D = y:size(1), y:size(2), y:size(3), y:size(4)
   local rows_of = y:transpose(2, 3)
   if not rows_of:isContiguous() then
      self[name] = self[name] or th.like(y)
      rows_of:set(self[name]:resize(N, T, H, D):copy(rows_of))
   end
   return rows_of:view(rows_of, N * T, H * D)
end

local function turned(self, i, x)
   if not self.rotary or i == 3 then
      return x
   end
   self.turns = self.turns or {}
   self.turns[i] = self.turns[i] or self.rotary:clone()
   return self.turns[i]:forward(x)
end

function MultiHead:updateOutput(input)
   local xs, heads = sources(self, input), {}
   for i = 1, 3 do
      local y = self:rethrowErrors(self.modules[i], i, 'updateOutput', rows(xs[i]))
      heads[i] = turned(self, i, split(self, y, xs[i]))
   end
   heads.mask = not th.isTensor(input) and input.mask or nil
   self.projected = heads
   local attention = self.modules[5]
   if writes_heads(attention) then
      side_by_side(self, 'found', attention.output, xs[1], heads[1])
   end
   local y = self:rethrowErrors(attention, 5, 'updateOutput', heads)
   self.joined = join(self, 'found', y)
   y = self:rethrowErrors(self.modules[4], 4, 'updateOutput', self.joined)
   self.output = y:view(xs[1]:size())
   return self.output
end

-- The sum of gradients first to last, in r; nil where all these projections' are switched off.
local function add_up(self, r, gs, first, last)
   local sum
   for i = first, last do
      local g = gs[i]
      if g and sum then
         sum:add(g)
      elseif g then
         sum = (r or self.output.new()):resizeAs(g):copy(g)
      end
   end
   return sum
end

local function to_inputs(self, input, gs)
   local r = self.gradInput
   if th.isTensor(input) then
      return add_up(self, th.isTensor(r) and r or nil, gs, 1, 3)
   end
   r = type(r) == 'table' and r or {}
   local count = #input
   r[1] = add_up(self, r[1], gs, 1, count == 1 and 3 or 1)
   r[2] = count > 1 and add_up(self, r[2], gs, 2, count == 2 and 3 or 2) or nil
   r[3] = count > 2 and add_up(self, r[3], gs, 3, 3) or nil
   return r
end

-- Of queries, keys and values, as rows.
local function shares(self, heads)
   local gs = {}
   for i = 1, 3 do
      local share = heads[i]
      if self.rotary and i < 3 then
         share = self.turns[i]:backward(self.projected[i], share)
      end
      gs[i] = join(self, 'share' .. i, share)
   end
   return gs
end

function MultiHead:__pass(method, input, gradOutput, factor)
   local xs, gives = sources(self, input), passes.gives_gradient[method]
   check.kept(self, self.joined)
   check.tensor(self, self.output, gradOutput, 'gradOutput')
   local of_rows = rows(gradOutput)
   local g = self:__back(4, method, self.joined, of_rows, factor)
   check.any_tensor(self, g, "module 4's gradInput")
   local attention = self.modules[5]
   local of_heads = attention.gradInput
   for i = 1, gives and writes_heads(attention) and 3 or 0 do
      of_heads[i] = side_by_side(self, 'share' .. i, of_heads[i] or th.like(xs[i]), xs[i],
         self.projected[i])
   end
   local of_found = split(self, g, xs[1])
   local heads = self:__back(5, method, self.projected, of_found, factor)
   if gives then
      self.shares = shares(self, heads)
   end
   local releases, gx = spent.shares(self, method), {}
   if releases then -- views keep memory until they are collected
      spent.release({ of_rows, g, of_found }, gradOutput)
   end
   for i = 1, 3 do
      local to_rows = self:__back(i, method, rows(xs[i]), self.shares[i], factor)
      gx[i] = gives and to_rows and to_rows:view(xs[i]:size())
      if releases then
         spent.release({ to_rows, heads[i], self.shares[i], self['share' .. i] }, gradOutput)
      end
   end
   local results = gives and to_inputs(self, input, gx)
   if releases then
      spent.release(gx, gradOutput, results)
   end
   return results
end

passes.give_all(MultiHead)
MultiHead.__buffers = {
   'found', 'joined', 'projected', 'shares', 'share1', 'share2', 'share3', 'turns',
}
