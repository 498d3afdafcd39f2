--- Kernels of padding, of other sizes, and of sampling at given places.
-- @module nn.thnn.resampling

local torch = require 'torch'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local sizes = require 'nn.resampling.sizes'
local th = require 'torch.ffi'

local C = th.C

local prepare, compute = {}, {}

function prepare.VolumetricUpSamplingNearest(layer)
   layer.mode = 'nearest'
end

function prepare.VolumetricUpSamplingTrilinear(layer)
   layer.mode = 'linear'
   layer.odepth, layer.oheight, layer.owidth =
      layer.outputDepth, layer.outputHeight, layer.outputWidth
end

function prepare.SpatialUpSamplingBilinear(layer)
   layer.oheight, layer.owidth = layer.outputHeight, layer.outputWidth
end

-- Sizes stand for the input.
local function linear_backward(layer, a, wanted, ...)
   local g = a.gradOutput
   local x = g.new(1):zero():view(unpack(torch.LongStorage(#wanted):fill(1):totable()))
      :expand(unpack(wanted))
   return ops.upsample_linear_backward(layer, a.gradInput, g, x, sizes.of(...))
end

function compute.SpatialUpSamplingBilinear_updateGradInput(layer, a)
   return linear_backward(layer, a, { a.nbatch, a.nchannels, a.inputHeight, a.inputWidth },
      a.outputHeight, a.outputWidth)
end

function compute.VolumetricUpSamplingTrilinear_updateGradInput(layer, a)
   return linear_backward(layer, a,
      { a.nbatch, a.nchannels, a.inputDepth, a.inputHeight, a.inputWidth },
      a.outputDepth, a.outputHeight, a.outputWidth)
end

-- --- sampling at given places -------------------------------------------------------------------
-- grid is N x H x W x 2: the place (x, y) of each output, from -1, the middle of the first element,
-- to 1, the middle of the last one. What lies outside of the image is 0. An output is the sum over
-- the four elements around its place of weight times element.

local function check_grid(layer, x, grid)
   if x.ndim ~= 4 or grid.ndim ~= 4 or grid:size(4) ~= 2 or grid:size(1) ~= x:size(1) then
      check.fail(layer, 'input is %s and grid %s, expected N x C x H x W and N x oH x oW x 2',
         check.describe(x), check.describe(grid))
   end
end

-- One coordinate as the element before it, and how far it is from there: N x 1 x places.
local function along(grid, index, size)
   local at = grid:select(4, index):contiguous():view(grid:size(1), 1, -1):add(1)
      :mul((size - 1) / 2)
   local first = torch.floor(at)
   return first, at:csub(first)
end

-- f(positions, wx, wy, sx, sy) for each corner: the element's number in its plane (1 where it is
-- outside), N x 1 x places; the factors of its weight, 0 outside; the signs of their derivatives.
local function each_corner(x, grid, f)
   local H, W = x:size(3), x:size(4)
   local left, dx = along(grid, 1, W)
   local top, dy = along(grid, 2, H)
   for i = 0, 1 do
      for j = 0, 1 do
         local column, row = torch.add(left, j), torch.add(top, i)
         local inside = torch.cmul(column:ge(0), column:lt(W)):cmul(row:ge(0)):cmul(row:lt(H))
            :typeAs(x)
         local at = row:mul(W):add(column):add(1):cmul(inside):cmax(1)
         f(th.likeType(x, C.TH_LONG):resize(at:size()):copy(at),
            j == 1 and dx or torch.mul(dx, -1):add(1), i == 1 and dy or torch.mul(dy, -1):add(1),
            j == 1 and 1 or -1, i == 1 and 1 or -1, inside)
      end
   end
end

local function planes_of(t, places)
   return t:contiguous():view(t:size(1), t:size(2), places)
end

function compute.SpatialGridSamplerBilinear_updateOutput(layer, a)
   local x, grid, y = a.input, a.grid, a.output
   check_grid(layer, x, grid)
   local N, planes = x:size(1), x:size(2)
   local oH, oW = grid:size(2), grid:size(3)
   local from = planes_of(x, x:size(3) * x:size(4))
   local r = x.new():resize(N, planes, oH * oW):zero()
   each_corner(x, grid, function(at, wx, wy, _, _, inside)
      local weight = torch.cmul(wx, wy):cmul(inside)
      r:add(from:gather(3, at:expandAs(r)):cmul(weight:expandAs(r)))
   end)
   y:resize(N, planes, oH, oW):copy(r)
end

function compute.SpatialGridSamplerBilinear_updateGradInput(layer, a)
   local x, grid = a.input, a.grid
   check_grid(layer, x, grid)
   local N, planes, size = x:size(1), x:size(2), x:size(3) * x:size(4)
   local g = planes_of(a.gradOutput, grid:size(2) * grid:size(3))
   local from, gx = planes_of(x, size), x.new():resize(N * planes * size):zero()
   local first = th.likeType(x, C.TH_LONG):range(0, (N * planes - 1) * size, size)
      :view(N, planes, 1):expandAs(g)
   local gradX = g.new():resize(N, 1, g:size(3)):zero()
   local gradY = gradX:clone()
   each_corner(x, grid, function(at, wx, wy, sx, sy, inside)
      at = at:expandAs(g)
      local weight = torch.cmul(wx, wy):cmul(inside)
      gx:indexAdd(1, torch.add(at, first):view(-1), torch.cmul(g, weight:expandAs(g)):view(-1))
      local by_weight = from:gather(3, at):cmul(g):sum(2):cmul(inside)
      gradX:add(sx, torch.cmul(by_weight, wy))
      gradY:add(sy, torch.cmul(by_weight, wx))
   end)
   a.gradInput:resize(x:size()):copy(gx)
   a.gradGrid:resize(grid:size())
   a.gradGrid:select(4, 1):copy(gradX):mul((x:size(4) - 1) / 2)
   a.gradGrid:select(4, 2):copy(gradY):mul((x:size(3) - 1) / 2)
end

return require('nn.thnn.rows').chapter([[
   SpatialReflectionPadding_updateOutput(input, output, pad_l, pad_r, pad_t, pad_b)
   SpatialReflectionPadding_updateGradInput(input, gradOutput, gradInput, pad_l, pad_r, pad_t,
      pad_b)
   SpatialReplicationPadding_updateOutput(input, output, pad_l, pad_r, pad_t, pad_b)
   SpatialReplicationPadding_updateGradInput(input, gradOutput, gradInput, pad_l, pad_r, pad_t,
      pad_b)
   VolumetricReplicationPadding_updateOutput(input, output, pleft, pright, ptop, pbottom, pfront,
      pback)
   VolumetricReplicationPadding_updateGradInput(input, gradOutput, gradInput, pleft, pright, ptop,
      pbottom, pfront, pback)
   SpatialUpSamplingNearest_updateOutput(input, output, scale_factor)
   SpatialUpSamplingNearest_updateGradInput(input, gradOutput, gradInput, scale_factor)
   SpatialUpSamplingBilinear_updateOutput(input, output, outputHeight, outputWidth)
   SpatialUpSamplingBilinear_updateGradInput(gradOutput, gradInput, nbatch, nchannels, inputHeight,
      inputWidth, outputHeight, outputWidth)
   VolumetricUpSamplingNearest_updateOutput(input, output, scale_factor) : UpSampling
   VolumetricUpSamplingNearest_updateGradInput(input, gradOutput, gradInput, scale_factor)
      : UpSampling
   VolumetricUpSamplingTrilinear_updateOutput(input, output, outputDepth, outputHeight,
      outputWidth) : UpSampling
   VolumetricUpSamplingTrilinear_updateGradInput(gradOutput, gradInput, nbatch, nchannels,
      inputDepth, inputHeight, inputWidth, outputDepth, outputHeight, outputWidth) : UpSampling
   SpatialGridSamplerBilinear_updateOutput(input, grid, output)
   SpatialGridSamplerBilinear_updateGradInput(input, gradInput, grid, gradGrid, gradOutput)
]], { prepare = prepare, compute = compute })
