-- Borders, and images of other sizes.
local torch = require 'torch'
local L = require('onnx.export.walk').layers

local function padding(mode, image)
   return function(g, m, x)
      local before = image and { m.pad_t, m.pad_l } or { m.pfront, m.ptop, m.pleft }
      local after = image and { m.pad_b, m.pad_r } or { m.pback, m.pbottom, m.pright }
      local dims, n, pads = x.tensor:dim(), #before, {}
      for d = 1, 2 * dims do
         pads[d] = 0
      end
      for d = 1, n do
         pads[dims - n + d], pads[2 * dims - n + d] = before[d], after[d]
      end
      return g:op('Pad', { x, g:integers(pads) }, { mode = mode })
   end
end

L['nn.SpatialZeroPadding'] = padding('constant', true)
L['nn.SpatialReflectionPadding'] = padding('reflect', true)
L['nn.SpatialReplicationPadding'] = padding('edge', true)
L['nn.VolumetricReplicationPadding'] = padding('edge', false)

L['nn.PixelShuffle'] = function(g, m, x)
   return g:batched(x, 4, function(images)
      return g:op('DepthToSpace', { images }, { blocksize = m.upscaleFactor, mode = 'CRD' })
   end)
end

-- Corners lie on corners where it is linear. Whole factors are written as such; of others runtimes
-- make different sizes, which are written then.
local function resize(g, x, y, mode)
   local factors, whole = {}, true
   for d = 1, y:dim() do
      local from, to = x.tensor:size(d), y:size(d)
      factors[d] = to / from
      whole = whole and to % from == 0
   end
   local operands = { x, false, whole and torch.FloatTensor(factors) or false }
   operands[4] = not whole and g:sizes(y:size():totable(), x) or nil
   return g:op('Resize', operands, { mode = mode,
      coordinate_transformation_mode = mode == 'linear' and 'align_corners' or 'asymmetric',
      nearest_mode = mode == 'nearest' and 'floor' or nil })
end

L['nn.SpatialUpSamplingNearest'] = function(g, _, x, y)
   return resize(g, x, y, 'nearest')
end

L['nn.SpatialUpSamplingBilinear'] = function(g, _, x, y)
   return resize(g, x, y, 'linear')
end

L['nn.UpSampling'] = function(g, m, x, y)
   return resize(g, x, y, m.mode)
end
