--- Sequences of different lengths as one tensor without gaps, as cuDNN takes them: the first steps
-- of all sequences, then the second steps of those that have one, and so on; longest first.
-- @module cudnn.recurrent.packing

local torch = require 'torch'
local th = require 'torch.ffi'

local M = {}

local function fail(message, ...)
   th.raise('cudnn.RNN: ' .. message:format(...))
end

local function numbers(list)
   return torch.isTensor(list) and list:totable() or list
end

-- How many sequences have each step.
local function counts(lengths, T, N)
   if #lengths ~= N or #lengths == 0 then
      fail('got %d lengths, expected %d, one for each sequence', #lengths, N)
   end
   local sizes = {}
   for t = 1, lengths[1] do
      sizes[t] = 0
   end
   for n, length in ipairs(lengths) do
      if length < 1 or length > T or n > 1 and length > lengths[n - 1] then
         fail('length %d is %s, expected the longest sequence first, from %d down to 1', n,
            tostring(length), n > 1 and lengths[n - 1] or T)
      end
      for t = 1, length do
         sizes[t] = sizes[t] + 1
      end
   end
   return sizes
end

--- Take the gaps out.
-- @tparam Tensor input T x N x F, with batchFirst N x T x F
-- @param lengths of the sequences, longest first: a table or tensor
-- @bool[opt=false] batchFirst
-- @treturn table { steps x F, number of sequences at each step (a table) }
function M.pack(input, lengths, batchFirst)
   if not torch.isTensor(input) or input:dim() < 2 then
      fail('input is a %s, expected a tensor of T x N x ...', torch.type(input))
   end
   input = batchFirst and input:transpose(1, 2) or input
   local sizes = counts(numbers(lengths), input:size(1), input:size(2))
   local parts = {}
   for t, count in ipairs(sizes) do
      parts[t] = input:select(1, t):narrow(1, 1, count)
   end
   return { torch.cat(parts, 1), sizes }
end

--- Put zeros where sequences have ended.
-- @tparam table packed what pack returned
-- @bool[opt=false] batchFirst
-- @return tensor T x N x F, with batchFirst N x T x F
-- @treturn table the lengths
function M.pad(packed, batchFirst)
   local steps, sizes = packed[1], numbers(packed[2])
   local T, N = #sizes, sizes[1]
   local shape = steps:size():totable()
   shape[1] = N
   table.insert(shape, 1, T)
   local padded, lengths, at = steps.new(torch.LongStorage(shape)):zero(), {}, 1
   for t, count in ipairs(sizes) do
      padded:select(1, t):narrow(1, 1, count):copy(steps:narrow(1, at, count))
      at = at + count
      for n = 1, count do
         lengths[n] = t
      end
   end
   return batchFirst and padded:transpose(1, 2):contiguous() or padded, lengths
end

return M
