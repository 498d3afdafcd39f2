--- Sequences of different lengths in one tensor, T x N x F: their ends.
-- @module nn.recurrent.sequences

local torch = require 'torch'
local check = require 'nn.check'
local th = require 'torch.ffi'

local C = th.C

local M = {}

--- The lengths as a LongTensor beside x, checked.
-- @param layer for errors
-- @param lengths a LongTensor, or a table of numbers
-- @tparam Tensor x T x N x F
function M.lengths(layer, lengths, x)
   local list = torch.isTensor(lengths) and lengths or torch.LongTensor(lengths)
   local T, N = x:size(1), x:size(2)
   if list:nElement() ~= N or list:min() < 1 or list:max() > T then
      check.fail(layer, 'lengths is %s from %d to %d, expected %d numbers from 1 to %d',
         check.describe(list), list:min(), list:max(), N, T)
   end
   local own = layer.lengths
   if not check.suits(own, C.TH_LONG, x) then
      own = th.likeType(x, C.TH_LONG)
   end
   return own:resize(N):copy(list)
end

-- For each step t of sequence n the step that is as far from its end; behind the end, t itself.
local function mirror(x, lengths)
   local T, N = x:size(1), x:size(2)
   local steps = torch.range(1, T):long():view(T, 1):expand(T, N)
   local ends = lengths:long():view(1, N):expand(T, N)
   local mirrored = ends + 1 - steps
   local behind = mirrored:lt(1)
   mirrored[behind] = steps:contiguous()[behind]
   return th.likeType(x, C.TH_LONG):resize(T, N):copy(mirrored)
end

--- Each sequence from its end to its beginning; what is behind the end stays.
function M.reversed(x, lengths)
   local T, N, F = x:size(1), x:size(2), x:size(3)
   return x:gather(1, mirror(x, lengths):view(T, N, 1):expand(T, N, F):contiguous())
end

local function ends_of(x, lengths)
   local N, F = x:size(2), x:size(3)
   return lengths:view(1, N, 1):expand(1, N, F):contiguous()
end

--- The last step of each sequence.
-- @tparam Tensor r N x F
function M.last(r, x, lengths)
   return r:copy(x:gather(1, ends_of(x, lengths)))
end

--- Add to the last step of each sequence, in place.
-- @tparam Tensor more N x F
function M.add_to_last(x, more, lengths)
   local ends = ends_of(x, lengths)
   local sum = x:gather(1, ends):add(more:contiguous():view(1, x:size(2), x:size(3)))
   return x:scatter(1, ends, sum)
end

return M
