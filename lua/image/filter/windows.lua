--- Kernels of filters: Gaussians and what is made of them. Sizes and places are relative to the
-- kernel: 0 and 1 are its sides.
-- @module image.filter.windows
local torch = require 'torch'
local errors = require 'torch.errors'
local native = require 'image.native'
local types = require 'torch.types'

local raise = errors.raise

local M = {}
local public = {}
M.public = public

-- What whole numbers can hold.
local ranges = { Byte = { 0, 255 }, Char = { -128, 127 }, Short = { -32768, 32767 },
   Int = { -2 ^ 31, 2 ^ 31 - 1 } }

local function checkSize(name, what, n)
   n = native.checkNumber(name, what, n)
   if n < 1 then
      raise(('%s: %s is %s, wanted at least 1'):format(name, what, n))
   end
   return math.floor(n)
end

-- ((i - centre) / sigma)^2 / 2 for i = 1..n.
local function exponents(n, sigma, mean)
   return torch.range(1, n):double():add(-(mean * n + 0.5)):div(sigma * n):pow(2):div(2)
end

-- The kernel into a tensor that was given, else one of torch.Tensor's type.
local function deliver(kernel, o)
   if o.normalize then
      kernel:div(kernel:sum())
   end
   local tensor = o.tensor or torch.Tensor(kernel:size())
   if not types.isFloating(tensor.dtype) then
      local range = ranges[types.names[tensor.dtype]]
      kernel:round()
      if range then
         kernel:clamp(range[1], range[2])
      end
   end
   return tensor:copy(kernel)
end

local wanted1 = { { 'size', 3 }, { 'sigma', 0.25 }, { 'amplitude', 1 }, { 'normalize', false },
   { 'mean', 0.5 }, { 'tensor' } }

--- A Gaussian of one dimension: amplitude e^(-((i - 0.5) / size - mean)^2 / (2 sigma^2)) for i =
-- 1..size.
-- @param[opt=3] size number
-- @param[opt=0.25] sigma standard deviation, as part of the size
-- @param[opt=1] amplitude largest value
-- @param[opt=false] normalize true: all add up to 1, whatever the amplitude
-- @param[opt=0.5] mean place of the largest value, as part of the size
-- @param[opt] tensor where it goes; its size counts
-- @usage image.gaussian1D([size, sigma, amplitude, normalize, mean, tensor]) -> tensor
-- image.gaussian1D{size = , sigma = , ...} -> tensor
-- @example image.gaussian1D(3)[2] --> 1
function public.gaussian1D(...)
   local o = native.arguments('image.gaussian1D', wanted1, ...)
   if o.tensor and o.tensor:dim() ~= 1 then
      raise('image.gaussian1D: the tensor has 1 dimension, got ' .. native.describe(o.tensor))
   end
   local n = o.tensor and o.tensor:size(1) or checkSize('image.gaussian1D', 'the size', o.size)
   return deliver(exponents(n, o.sigma, o.mean):mul(-1):exp():mul(o.amplitude), o)
end

local wanted2 = { { 'size', 3 }, { 'sigma', 0.25 }, { 'amplitude', 1 }, { 'normalize', false },
   { 'width' }, { 'height' }, { 'sigma_horz' }, { 'sigma_vert' }, { 'mean_horz', 0.5 },
   { 'mean_vert', 0.5 }, { 'tensor' } }

-- The options, and the exponents of rows and columns added: H x W.
local function plane(name, ...)
   local o = native.arguments(name, wanted2, ...)
   if o.tensor and o.tensor:dim() ~= 2 then
      raise(('%s: the tensor has 2 dimensions, got %s'):format(name, native.describe(o.tensor)))
   end
   local height = o.tensor and o.tensor:size(1) or checkSize(name, 'the height', o.height or o.size)
   local width = o.tensor and o.tensor:size(2) or checkSize(name, 'the width', o.width or o.size)
   local down = exponents(height, o.sigma_vert or o.sigma, o.mean_vert):view(height, 1)
   local across = exponents(width, o.sigma_horz or o.sigma, o.mean_horz):view(1, width)
   return o, down:expand(height, width) + across:expand(height, width)
end

--- A Gaussian of two dimensions: the product of two of image.gaussian1D, its largest value
-- `amplitude`.
-- @param[opt=3] size rows and columns
-- @param[opt=0.25] sigma standard deviation, as part of the size
-- @param[opt=1] amplitude largest value
-- @param[opt=false] normalize true: all add up to 1, whatever the amplitude
-- @param[opt] width columns, if not `size`
-- @param[opt] height rows, if not `size`
-- @param[opt] sigma_horz across, if not `sigma`
-- @param[opt] sigma_vert down, if not `sigma`
-- @param[opt=0.5] mean_horz place of the largest value, as part of the width
-- @param[opt=0.5] mean_vert and of the height
-- @param[opt] tensor H x W, where it goes; its size counts
-- @usage image.gaussian([size, sigma, amplitude, normalize, width, height, ...]) -> tensor
-- image.gaussian{size = , sigma = , ...} -> tensor
-- @example image.gaussian(5, 0.25, 1, true):sum() --> 1
function public.gaussian(...)
   local o, exponent = plane('image.gaussian', ...)
   return deliver(exponent:mul(-1):exp():mul(o.amplitude), o)
end

--- The (negative) Laplacian of a Gaussian, amplitude (1 - s) e^-s with s the sum of the exponents
-- ((i - mean) / sigma)^2 / 2 of both directions: what changes is seen, what is even is not.
-- @param[opt=3] size as image.gaussian, and so are the others
-- @param[opt=0.25] sigma
-- @param[opt=1] amplitude
-- @param[opt=false] normalize
-- @usage image.laplacian([size, sigma, amplitude, normalize, width, height, ...]) -> tensor
-- image.laplacian{size = , sigma = , ...} -> tensor
-- @example image.laplacian(3)[2][2] --> 1
function public.laplacian(...)
   local o, exponent = plane('image.laplacian', ...)
   local slope = exponent:clone():mul(-1):add(1)
   return deliver(exponent:mul(-1):exp():cmul(slope):mul(o.amplitude), o)
end

return M
