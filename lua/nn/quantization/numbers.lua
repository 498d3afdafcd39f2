--- Scales and zeros: which numbers 8 bits stand for.
--
-- An activation q of 0 to 255 is scale (q - zero). A weight of -127 to 127 is its scale times it,
-- with a scale for each output or one for all.
-- @module nn.quantization.numbers

local torch = require 'torch'
local check = require 'nn.check'
local types = require 'torch.types'
local th = require 'torch.ffi'

local C = th.C

local M = {}

local MOST = 127 -- of a weight

--- Tensor classes of one kind of device.
-- @tparam Tensor t
-- @treturn table `byte`, `char`, `float`
function M.classes(t)
   local first = 16 * t.device_type
   return {
      byte = types.tensors[first + C.TH_BYTE], char = types.tensors[first + C.TH_CHAR],
      float = types.tensors[first + C.TH_FLOAT],
   }
end

--- The class of a tensor's element type on the device that a class is for.
-- @tparam Tensor t
-- @string typename such as 'torch.CudaTensor'
-- @treturn string
function M.moved(t, typename)
   local there = torch.getmetatable(typename).new()
   return torch.typename(types.tensors[16 * there.device_type + t.dtype].new())
end

--- Numbers for a range of values. 0 is always one of them, so that padding and max(0, .) are exact.
-- @number low
-- @number high
-- @treturn table { scale, zero }
function M.of_range(low, high)
   low, high = math.min(low, 0), math.max(high, 0)
   local scale = (high - low) / 255
   if scale <= 0 or scale ~= scale or scale == math.huge then
      return { scale = 1, zero = 0 }
   end
   return { scale = scale, zero = math.floor(-low / scale + 0.5) }
end

--- Round in place, of two neighbours to the even one: what is added leaves no bits behind the
-- point.
-- @tparam Tensor t of numbers below 2^22
-- @return t
function M.round(t)
   local no_fraction = t.dtype == C.TH_DOUBLE and 1.5 * 2^52 or 1.5 * 2^23
   return t:add(no_fraction):add(-no_fraction)
end

--- Weights of which one is NaN or infinite have no scale.
-- @tparam nn.Module module whose they are to be, for the error
-- @tparam Tensor weight
function M.check_weight(module, weight)
   local low, high = weight:min(), weight:max()
   if not (low > -math.huge and high < math.huge) then
      check.fail(module, 'the weight has numbers from %g to %g, expected finite ones', low, high)
   end
end

--- The largest magnitude that a weight has, for each output or for all.
-- @tparam Tensor rows outputs x the rest
-- @bool per_channel
-- @treturn Tensor outputs x 1
function M.magnitudes(rows, per_channel)
   local most = torch.abs(rows):max(2)
   return per_channel and most or most:fill(most:max())
end

--- Scales for the weights of such magnitudes; 1 where they are all zero.
-- @tparam Tensor most
-- @treturn Tensor
function M.weight_scales(most)
   local scales = torch.div(most, MOST)
   return scales:add(scales:eq(0):typeAs(scales))
end

--- Weights as whole numbers.
-- @tparam Tensor weight of any floating type, outputs first
-- @bool per_channel whether each output has a scale of its own
-- @treturn Tensor whole numbers, of the weight's sizes and a Char type
-- @treturn Tensor their scales, floats
function M.quantize_weight(weight, per_channel)
   local rows = weight:contiguous():view(weight:size(1), -1):double()
   local scales = M.weight_scales(M.magnitudes(rows, per_channel))
   local codes = M.round(torch.cdiv(rows, scales:expandAs(rows))):clamp(-MOST, MOST)
   local classes = M.classes(weight)
   return classes.char.new():resize(weight:size()):copy(codes:viewAs(weight)),
      classes.float.new():resize(weight:size(1)):copy(scales)
end

--- Sums over all but the first dimension, as floats: exact, as long as they are below 2^24.
-- @tparam Tensor codes
-- @treturn Tensor
function M.sums(codes)
   return M.classes(codes).float.new():resize(codes:size()):copy(codes):view(codes:size(1), -1)
      :sum(2):view(-1)
end

return M
