--- What fractional max pooling has in common in all dimensions; for layers to derive from.
--
-- Windows of one size lie where random numbers put them, drawn anew for each plane and call, one
-- for each direction: see `fixPoolingRegions`. Output sizes are given, or ratios of the input's.
--
-- Source: Graham, "Fractional max-pooling", 2014 (arXiv:1412.6071).
-- @classmod nn.FractionalMaxPooling

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local maxima = require 'nn.pooling.maxima'
local windows = require 'nn.pooling.windows'

local FractionalMaxPooling = nn.declare('nn.FractionalMaxPooling', 'nn.Pooling', {})

FractionalMaxPooling.__drawn = 'randomSamples' -- for nn.base.recomputed

--- The size of the random numbers for an input: N x C x directions.
-- @return LongStorage
function FractionalMaxPooling:getBufferSize_(input)
   local directions = #self.directions
   local single = input:dim() == directions + 1
   return torch.LongStorage {
      single and 1 or input:size(1), input:size(single and 1 or 2), directions,
   }
end

--- Make the random numbers for an input; those that there are stay if the regions are fixed.
-- @see nn.FractionalMaxPooling.fixPoolingRegions
function FractionalMaxPooling:initSampleBuffer_(input)
   if self.again then
      return
   end
   local size = self:getBufferSize_(input)
   local samples = self.randomSamples
   if not (samples and check.suits(samples, input.dtype, input)) then
      samples = input.new()
      self.randomSamples = samples
   end
   if samples:dim() ~= 3 or not samples:isSize(size) then
      samples:resize(size):uniform()
   elseif not self.newRandomPool then
      samples:uniform()
   end
end

--- The sizes of the output for an input, in the order of the constructor's arguments.
function FractionalMaxPooling:getOutputSizes_(input)
   local sizes, n = {}, input:dim()
   for i, direction in ipairs(self.directions) do
      local ratio = self['ratio' .. direction.name]
      sizes[i] = self['out' .. direction.name]
         or math.floor(input:size(n - direction.behind) * ratio)
      if sizes[i] < 1 then
         check.fail(self, 'input is %s, expected a larger one: the output would be empty',
            check.describe(input))
      end
   end
   return unpack(sizes)
end

--- Keep the regions that were drawn, so that the layer is a function of its input.
-- @bool[opt=true] val false: draw new ones again
-- @return self
function FractionalMaxPooling:fixPoolingRegions(val)
   self.newRandomPool = val == nil or val
   return self
end

-- Where numbers below 1 are ratios.
local function take_sizes(self, ...)
   local sizes, ratios = { ... }, 0
   for i, direction in ipairs(self.directions) do
      local size = sizes[i]
      if size < 1 and size > 0 then
         ratios = ratios + 1
         self['ratio' .. direction.name] = size
      elseif size >= 1 then
         self['out' .. direction.name] = math.floor(size)
      else
         check.fail(self, 'an output size is %s, expected a size from 1 on or a ratio below 1',
            tostring(size))
      end
   end
   if ratios ~= 0 and ratios ~= #sizes then
      check.fail(self, 'got sizes and ratios, expected all sizes from 1 on or all ratios below 1')
   end
end

local function list(self, x)
   local count = #self.directions
   local kernel, outputs, sizes = {}, {}, { self:getOutputSizes_(x) }
   for i, direction in ipairs(self.directions) do
      local at = count - direction.behind -- as the input has them
      kernel[at], outputs[at] = self['poolSize' .. direction.name], sizes[i]
   end
   return self.randomSamples, windows.fractional(kernel, outputs)
end

maxima.install(FractionalMaxPooling, 'fractional_max_pool', list)
local computeOutput = FractionalMaxPooling.__computeOutput

function FractionalMaxPooling:__initialize(...)
   local count = #self.directions
   self.newRandomPool = false
   self.indices = torch.LongTensor()
   take_sizes(self, select(count + 1, ...))
end

function FractionalMaxPooling:__computeOutput(y, x)
   self:initSampleBuffer_(x)
   if not x:isContiguous() then
      x = x:contiguous()
   end
   return computeOutput(self, y, x)
end

-- For nn.base.carry: regions that are kept are those of the call before, whoever has computed it.
FractionalMaxPooling.__state = { randomSamples = true }

function FractionalMaxPooling:__carry(layer, from)
   if layer.newRandomPool and self ~= from then
      self.randomSamples = from.randomSamples and from.randomSamples:clone()
   end
end

function FractionalMaxPooling:clearState()
   self.randomSamples = nil
   return nn.Pooling.clearState(self)
end

function FractionalMaxPooling:__tostring__()
   local sizes, pools = {}, {}
   for i, direction in ipairs(self.directions) do
      sizes[i] = tostring(self['out' .. direction.name] or self['ratio' .. direction.name])
      pools[i] = tostring(self['poolSize' .. direction.name])
   end
   return ('%s(%s, %s)'):format(torch.typename(self), table.concat(sizes, 'x'),
      table.concat(pools, ','))
end
