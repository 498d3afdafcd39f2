--- The windows of pooling layers as operations take them: `ops.max_pool(..., windows.image(self))`.
--
-- The lists are made once and filled for each call, which has read them when it returns.
-- @module nn.pooling.windows

local ffi = require 'ffi'

local kernel, stride = ffi.new 'int64_t[3]', ffi.new 'int64_t[3]'
local padding, dilation = ffi.new 'int64_t[3]', ffi.new 'int64_t[3]'
local counts = ffi.new 'int64_t[3]'

local M = {}

--- Windows over images, by the fields kW, dW, padW, dilationW and those of H.
-- @return the arguments from `dims` to `ceil_mode`
function M.image(layer)
   kernel[0], kernel[1] = layer.kH, layer.kW
   stride[0], stride[1] = layer.dH, layer.dW
   padding[0], padding[1] = layer.padH, layer.padW
   dilation[0], dilation[1] = layer.dilationH or 1, layer.dilationW or 1
   return 2, kernel, stride, padding, dilation, layer.ceil_mode
end

--- Windows over volumes, by the fields kT, kH, kW and so on.
-- @return the arguments from `dims` to `ceil_mode`
function M.volume(layer)
   kernel[0], kernel[1], kernel[2] = layer.kT, layer.kH, layer.kW
   stride[0], stride[1], stride[2] = layer.dT, layer.dH, layer.dW
   padding[0], padding[1], padding[2] = layer.padT, layer.padH, layer.padW
   dilation[0], dilation[1] = layer.dilationT or 1, layer.dilationH or 1
   dilation[2] = layer.dilationW or 1
   return 3, kernel, stride, padding, dilation, layer.ceil_mode
end

--- Windows of h x w with given steps and padding, rounded down.
-- @return the arguments from `dims` to `ceil_mode`
function M.of(h, w, dh, dw, padh, padw)
   kernel[0], kernel[1] = h, w
   stride[0], stride[1] = dh, dw
   padding[0], padding[1] = padh, padw
   dilation[0], dilation[1] = 1, 1
   return 2, kernel, stride, padding, dilation, false
end

--- Windows for outputs of h x w.
-- @return `dims` and `sizes`
function M.outputs(h, w)
   counts[0], counts[1] = h, w
   return 2, counts
end

--- Windows of given sizes for outputs of given sizes, one of each for every direction.
-- @return `dims`, `kernel` and `sizes`
function M.fractional(sizes, outputs)
   for d = 1, #sizes do
      kernel[d - 1], counts[d - 1] = sizes[d], outputs[d]
   end
   return #sizes, kernel, counts
end

return M
