--- The range of a picture's values.
-- @module image.colour.range
local torch = require 'torch'
local errors = require 'torch.errors'
local native = require 'image.native'
local types = require 'torch.types'

local M = {}
local public = {}
M.public = public

local wanted = { { 'tensor' }, { 'min' }, { 'max' }, { 'symm', false }, { 'inplace', false },
   { 'saturate', true }, { 'tensorOut' } }

-- A picture to be changed: floats, for a range of 0..1 is no whole numbers' range.
local function target(o)
   if o.inplace then
      if not types.isFloating(o.tensor.dtype) then
         errors.raise(('image.minmax: %s cannot hold 0..1 in place'):format(
            native.describe(o.tensor)))
      end
      return o.tensor
   elseif o.tensorOut then
      return o.tensorOut:resize(o.tensor:size()):copy(o.tensor)
   elseif types.isFloating(o.tensor.dtype) then
      return o.tensor:clone()
   end
   return torch.Tensor(o.tensor:size()):copy(o.tensor)
end

--- A picture's values moved and scaled so that min..max becomes 0..1.
-- @param tensor the picture
-- @param[opt] min value that becomes 0; by default the smallest
-- @param[opt] max value that becomes 1; by default the largest
-- @param[opt=false] symm true, without min and max: -m..m becomes 0..1 for the largest magnitude m,
-- as suits filters
-- @param[opt=false] inplace true: the picture itself is changed
-- @param[opt=true] saturate false: values outside of min..max stay outside of 0..1
-- @param[opt] tensorOut where the result goes
-- @return the result; all 0 where all values are alike
-- @usage image.minmax{tensor = x, min = , max = , symm = , inplace = , saturate = ,
--    tensorOut = } -> tensor
-- @example image.minmax{tensor = torch.Tensor{2, 4}}[2] --> 1
function public.minmax(...)
   local o = native.arguments('image.minmax', wanted, ...)
   native.checkPicture('image.minmax', o.tensor)
   local x = target(o)
   local low, high = o.min, o.max
   if o.symm and low == nil and high == nil then
      high = math.max(math.abs(x:min()), math.abs(x:max()))
      low = -high
   end
   low = low == nil and x:min() or native.checkNumber('image.minmax', 'min', low)
   high = high == nil and x:max() or native.checkNumber('image.minmax', 'max', high)
   x:add(-low)
   if high ~= low then
      x:div(high - low)
   end
   if o.saturate then
      x:clamp(0, 1)
   end
   return x
end

return M
