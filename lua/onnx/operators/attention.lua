-- Attention as one operator, since opset 23.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'

local sizes_of, view = tools.sizes, tools.view
local M = {}

-- N x T x heads * features as N x heads x T x features.
local function by_heads(x, heads)
   if x:dim() == 4 then
      return x
   elseif not heads then
      error('operands of 3 dimensions want q_num_heads and kv_num_heads', 0)
   end
   local N, T, F = unpack(sizes_of(x))
   return view(x, { N, T, heads, F / heads }):transpose(2, 3):contiguous()
end

-- Heads of keys that several heads of queries share.
local function shared(x, heads)
   local N, own, T, F = unpack(sizes_of(x))
   if own == heads then
      return x
   end
   return view(view(x, { N, own, 1, T, F }):expand(N, own, heads / own, T, F):contiguous(),
      { N, heads, T, F })
end

-- 0 where a query may look, minus infinity elsewhere.
local function mask_of(scores, mask, causal)
   local sizes = sizes_of(scores)
   local added
   if mask then
      mask = tools.together({ scores, mask })[2]
      local truths = mask:type():find 'Byte'
      added = truths and torch.where(torch.ne(mask, 0), scores.new(mask:size()):zero(),
         scores.new(mask:size()):fill(-math.huge)) or mask:typeAs(scores)
      added = tools.expand(added, sizes)
   end
   if causal then
      local L, S = sizes[3], sizes[4]
      local later = torch.triu(torch.ones(L, S), 1)
      local fence = torch.zeros(L, S)
      fence[torch.gt(later, 0)] = -math.huge
      fence = tools.expand(fence:typeAs(scores), sizes)
      added = added and added + fence or fence
   end
   return added
end

--- softmax(scale Q K' + mask) V for each head.
-- Source: Vaswani et al., Attention Is All You Need, NIPS 2017, equation 1.
function M.Attention(c, query, key, value, mask, past)
   if past or (c.softcap or 0) ~= 0 or (c.qk_matmul_output_mode or 0) ~= 0 then
      error('keys of the past, softcap and qk_matmul_output_mode are not read', 0)
   end
   local flat = query:dim() == 3
   local q = by_heads(query, c.q_num_heads)
   local N, heads, L, F = unpack(sizes_of(q))
   local k = shared(by_heads(key, c.kv_num_heads), heads)
   local v = shared(by_heads(value, c.kv_num_heads), heads)
   local S, G = k:size(3), v:size(4)
   tools.spend(N * heads * L * (S + G))
   local function matrices(x)
      return view(x, { N * heads, x:size(3), x:size(4) })
   end
   local scores = torch.bmm(matrices(q), matrices(k):transpose(2, 3):contiguous())
   scores = view(scores * (c.scale or 1 / math.sqrt(F)), { N, heads, L, S })
   local added = mask_of(scores, mask, c.is_causal == 1)
   scores = added and scores + added or scores
   local share = torch.exp(scores - (torch.max(scores, 4)):expandAs(scores))
   share = torch.cdiv(share, share:sum(4):expandAs(share))
   local y = view(torch.bmm(matrices(share), matrices(v)), { N, heads, L, G })
   return flat and view(y:transpose(2, 3), { N, L, heads * G }) or y
end

return M
