--- From a file's pixels to a tensor of the type and channels that were asked for, and back.
-- @module image.files.planes
local ffi = require 'ffi'
local torch = require 'torch'
local class = require 'torch.class'
local errors = require 'torch.errors'
local native = require 'image.native'

local C, call, raise = native.C, native.call, errors.raise
local swapped = ffi.abi 'le' -- files have the high byte first

local types = {
   byte = 'torch.ByteTensor', float = 'torch.FloatTensor', double = 'torch.DoubleTensor',
}
local names = { ['torch.ByteTensor'] = 'byte', ['torch.FloatTensor'] = 'float',
   ['torch.DoubleTensor'] = 'double' }

local M = {}

--- An empty tensor of the type that was asked for: 'byte', 'float', 'double'; without,
-- torch.Tensor's.
function M.empty(name, kind)
   if kind == nil then
      local default = torch.getdefaulttensortype()
      kind = names[default] or 'float'
   end
   if not types[kind] then
      raise(("%s: the type is %s, wanted 'byte', 'float' or 'double'"):format(name,
         native.describe(kind)))
   end
   return torch.factory(types[kind])()
end

--- Raise unless a number of channels can be asked for.
function M.checkDepth(name, depth)
   if depth ~= nil and depth ~= 0 and depth ~= 1 and depth ~= 3 then
      raise(('%s: the depth is %s, wanted 1 (grey), 3 (colour) or nil (as the file has it)'):format(
         name, native.describe(depth)))
   end
   return depth ~= 0 and depth or nil
end

--- A picture of 1 to 4 channels (2 and 4: with alpha) as one of `depth`: grey, or colours without
-- alpha.
local function toDepth(planes, depth)
   local channels = planes:size(1)
   if depth == nil or depth == channels then
      return planes
   elseif channels <= 2 then
      local grey = planes:narrow(1, 1, 1)
      return depth == 1 and grey:clone() or grey:expand(3, planes:size(2), planes:size(3)):clone()
   end
   local colours = planes:narrow(1, 1, 3)
   if depth == 3 then
      return colours:clone()
   end
   local grey = planes.new()
   call(C.THImage_colour, grey, colours, C.TH_IMAGE_RGB2Y)
   return grey
end

--- @param pixels cdata: samples, channel by channel within each pixel
-- @param shape table: height, width, channels, bits (8), maximum (255)
function M.fromPixels(name, pixels, bytes, shape, depth, kind)
   local planes = M.empty(name, kind)
   local bits = shape.bits or 8
   call(C.THImage_unpack, planes, pixels, bytes, shape.height, shape.width, shape.channels, bits,
      swapped, shape.maximum or (bits == 16 and 65535 or 255))
   return toDepth(planes, depth)
end

--- A picture's pixels as a file has them: a ByteTensor of H x W x C.
-- @param most channels that the format can hold
function M.toPixels(name, picture, most, bits)
   native.checkPicture(name, picture)
   local dims = picture:dim()
   local channels = dims == 3 and picture:size(1) or 1
   if dims < 2 or dims > 3 or channels > most or most == 3 and channels == 2 then
      raise(('%s: wanted a picture of H x W, 1 x H x W or 3 x H x W%s; got %s'):format(name,
         most == 4 and ', with alpha 2 x H x W or 4 x H x W' or '', native.describe(picture)))
   end
   local kind = class.type(picture)
   if kind:match 'Half' or kind:match 'BFloat' then
      picture = picture:float()
   end
   local pixels = torch.ByteTensor()
   call(C.THImage_pack, pixels, picture, bits or 8)
   return pixels, channels
end

return M
