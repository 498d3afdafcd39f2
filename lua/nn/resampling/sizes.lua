--- Numbers for each direction, as operations take them. The lists are made once and filled for each
-- call, which has read them when it returns.
-- @module nn.resampling.sizes

local ffi = require 'ffi'

local before, after = ffi.new 'int64_t[3]', ffi.new 'int64_t[3]'

local M = {}

--- Padding of an image.
-- @return dims, before, after
function M.image(layer)
   before[0], before[1] = layer.pad_t, layer.pad_l
   after[0], after[1] = layer.pad_b, layer.pad_r
   return 2, before, after
end

--- Padding of a volume.
-- @return dims, before, after
function M.volume(layer)
   before[0], before[1], before[2] = layer.pfront, layer.ptop, layer.pleft
   after[0], after[1], after[2] = layer.pback, layer.pbottom, layer.pright
   return 3, before, after
end

--- Sizes in two or three directions.
-- @return dims, sizes
function M.of(a, b, c)
   before[0], before[1], before[2] = a, b, c or 0
   return c and 3 or 2, before
end

return M
