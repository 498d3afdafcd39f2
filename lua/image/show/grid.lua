--- Many pictures as one.
-- @module image.show.grid
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local native = require 'image.native'
local minmax = require('image.colour.range').public.minmax
local types = require 'torch.types'

local raise = errors.raise

local M = {}
local public = {}
M.public = public

local NAME = 'image.toDisplayTensor'
local wanted = { { 'input' }, { 'padding', 0 }, { 'nrow', 6 }, { 'scaleeach', false }, { 'min' },
   { 'max' }, { 'symmetric', false }, { 'saturate', true } }

-- The pictures of an input: one, a batch, or a table of them.
local function pictures(input)
   local list = {}
   if type(input) == 'table' then
      for i, x in ipairs(input) do
         list[i] = native.checkPicture(NAME, x)
      end
      if #list == 0 then
         raise(NAME .. ': the table has no pictures')
      end
   else
      native.checkPicture(NAME, input)
      local dims = input:dim()
      local planes = dims == 3 and input:size(1) or 0
      if dims == 2 or planes == 3 or planes == 1 then
         return { input }, true
      elseif dims ~= 3 and dims ~= 4 then
         raise(('%s: wanted H x W, C x H x W, B x H x W or B x C x H x W; got %s'):format(NAME,
            native.describe(input)))
      end
      for i = 1, input:size(1) do
         list[i] = input[i]
      end
   end
   for _, x in ipairs(list) do
      local channels = x:dim() == 3 and x:size(1) or 1
      if x:dim() < 2 or x:dim() > 3 or channels ~= 1 and channels ~= 3 then
         raise(('%s: wanted pictures of H x W, 1 x H x W or 3 x H x W; got %s'):format(NAME,
            native.describe(x)))
      end
   end
   return list, false
end

-- Smallest and largest value of all.
local function rangeOf(list)
   local low, high = math.huge, -math.huge
   for _, x in ipairs(list) do
      low, high = math.min(low, x:min()), math.max(high, x:max())
   end
   return low, high
end

local function arrange(list, o)
   local height, width, channels = 0, 0, 1
   for _, x in ipairs(list) do
      local dims = x:dim()
      height, width = math.max(height, x:size(dims - 1)), math.max(width, x:size(dims))
      channels = math.max(channels, dims == 3 and x:size(1) or 1)
   end
   local across = math.max(1, math.min(math.floor(o.nrow), #list))
   local down = math.ceil(#list / across)
   local cellHeight, cellWidth = height + o.padding, width + o.padding
   local grid = list[1].new(channels, cellHeight * down, cellWidth * across):fill(1)
   local before = math.floor(o.padding / 2)
   for i, x in ipairs(list) do
      local row, column = math.floor((i - 1) / across), (i - 1) % across
      local dims = x:dim()
      local h, w = x:size(dims - 1), x:size(dims)
      local top, left = row * cellHeight + before + 1, column * cellWidth + before + 1
      grid:narrow(2, top, h):narrow(3, left, w):copy(
         (dims == 3 and x or x:reshape(1, h, w)):expand(channels, h, w))
   end
   return channels == 1 and grid[1] or grid
end

--- One picture of many, side by side, with values scaled to 0..1 (image.minmax).
-- @param input H x W or C x H x W (C is 1 or 3), one picture; B x H x W or B x C x H x W, a batch;
-- or a table of pictures
-- @param[opt=0] padding pixels between pictures, white
-- @param[opt=6] nrow pictures in a row
-- @param[opt=false] scaleeach true: each picture is scaled by its own smallest and largest value
-- @param[opt] min value that becomes 0
-- @param[opt] max value that becomes 1
-- @param[opt=false] symmetric as symm of image.minmax
-- @param[opt=true] saturate false: values outside of min..max stay outside of 0..1
-- @return H x W, or 3 x H x W where one is coloured; floats
-- @usage image.toDisplayTensor(input [, padding [, nrow [, ...]]]) -> tensor
-- image.toDisplayTensor{input = , padding = , nrow = , ...} -> tensor
-- @example image.toDisplayTensor(torch.rand(4, 5, 5), 0, 2):size(1) --> 10
function public.toDisplayTensor(...)
   local first = (...)
   local o
   if select('#', ...) == 1 and type(first) == 'table' and th.isTensor(first[1]) then
      o = native.arguments(NAME, wanted, { input = first })
   else
      o = native.arguments(NAME, wanted, ...)
   end
   o.padding = math.floor(native.checkNumber(NAME, 'the padding', o.padding))
   o.nrow = native.checkNumber(NAME, 'the number of pictures in a row', o.nrow)
   if o.padding < 0 then
      raise(('%s: the padding is %d, wanted 0 or more'):format(NAME, o.padding))
   end
   local list, single = pictures(o.input)
   for i, x in ipairs(list) do
      list[i] = types.isFloating(x.dtype) and x or torch.Tensor(x:size()):copy(x)
   end
   local low, high = o.min, o.max
   if not o.scaleeach and (low == nil or high == nil) then
      local least, most = rangeOf(list)
      if o.symmetric and low == nil and high == nil then
         most = math.max(math.abs(least), math.abs(most))
         least = -most
      end
      low, high = low == nil and least or low, high == nil and most or high
   end
   for i, x in ipairs(list) do
      list[i] = minmax { tensor = x, min = low, max = high, symm = o.symmetric,
         saturate = o.saturate }
   end
   return single and list[1] or arrange(list, o)
end

return M
