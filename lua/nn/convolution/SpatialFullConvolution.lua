--- The transpose of a convolution over images (deconvolution): each input element is spread over a
-- window of the output. Its output is what the gradient of nn.SpatialConvolution's input is.
--
-- Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; weight nInputPlane x nOutputPlane
-- x kH x kW; bias nOutputPlane; output N x nOutputPlane x oH x oW with
-- oH = (H - 1) dH - 2 padH + kH + adjH, and oW likewise. Weight and bias start uniform in
-- ±1/sqrt(kW kH nInputPlane).
--
-- The input may be a table { tensor, like }: then adjW and adjH are chosen so that the output has
-- the height and width of `like`.
-- @classmod nn.SpatialFullConvolution

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local shape = require 'nn.base.shape'

local SpatialFullConvolution = nn.declare('nn.SpatialFullConvolution', 'nn.Weighted', {
   arguments = [[
      nInputPlane   size           planes in
      nOutputPlane  size           planes out
      kW            size           kernel width
      kH            size           kernel height
      dW            number = 1     step to the right in the output
      dH            number = 1     step down in the output
      padW          number = 0     columns cut off left and right of the output
      padH          number = padW  rows cut off above and below
      adjW          number = 0     columns added to the right of the output, fewer than dW
      adjH          number = adjW  rows added below, fewer than dH
   ]],
   input = 'any',
   text = '({nInputPlane} -> {nOutputPlane}, {kW}x{kH}<, {dW},{dH}><, {padW},{padH}>'
      .. '<, {adjW},{adjH}>){no bias}',
})

function SpatialFullConvolution:__initialize(planes, outputs, kW, kH)
   if self.adjW >= self.dW or self.adjH >= self.dH then
      check.fail(self, 'adjW and adjH (%d, %d) must be smaller than dW and dH (%d, %d)',
         self.adjW, self.adjH, self.dW, self.dH)
   end
   self:__addWeights({ planes, outputs, kH, kW }, { outputs })
end

function SpatialFullConvolution:__fanIn()
   return self.kW * self.kH * self.nInputPlane
end

--- Nothing: a module of early Torch7 gets what it lacks when it is read.
function SpatialFullConvolution.backCompatibility(_) end

local check_image = shape.compile('weight', 'N? nInputPlane H W')

-- The tensor of an input; the height and width of the output.
local function read(self, input)
   local x, like = input, nil
   if type(input) == 'table' then
      x, like = input[1], input[2]
      check.any_tensor(self, like, 'the second input')
   end
   check_image(self, x)
   local dims = x.ndim
   local height = (x:size(dims - 1) - 1) * self.dH - 2 * self.padH + self.kH
   local width = (x:size(dims) - 1) * self.dW - 2 * self.padW + self.kW
   if not like then
      return x, height + self.adjH, width + self.adjW
   end
   local last = like:dim()
   local adjH = last >= 2 and like:size(last - 1) - height or -1
   local adjW = last >= 2 and like:size(last) - width or -1
   if adjH < 0 or adjH >= self.dH or adjW < 0 or adjW >= self.dW then
      check.fail(self, 'the second input is %s, but the output of an input of %s can be '
         .. '%d to %d high and %d to %d wide', check.describe(like), check.describe(x),
         height, height + self.dH - 1, width, width + self.dW - 1)
   end
   return x, height + adjH, width + adjW
end

-- N x planes x height x width, or without N, as the input has it.
local function output_size(self, x, height, width)
   local planes = self.nOutputPlane
   return torch.LongStorage(x.ndim == 3 and { planes, height, width }
      or { x:size(1), planes, height, width })
end

function SpatialFullConvolution:__computeOutput(y, input)
   local x, height, width = read(self, input)
   if height < 1 or width < 1 then
      check.fail(self, 'the output of an input of %s would be %dx%d', check.describe(x), height,
         width)
   end
   y:resize(output_size(self, x, height, width))
   ops.conv2d_backward_input(self, y, x, y, self.weight, self.dH, self.dW, self.padH, self.padW, 1)
   if self.bias then
      local row = x.ndim == 3 and self.bias:view(-1, 1, 1) or self.bias:view(1, -1, 1, 1)
      y:add(row:expandAs(y))
   end
   return y
end

-- The tensor of an input, with gradOutput checked.
local function read_gradient(self, input, g)
   local x, height, width = read(self, input)
   check.tensor(self, self.weight, g, 'gradOutput')
   local wanted = output_size(self, x, height, width)
   if not g:isSize(wanted) then
      check.fail(self, 'gradOutput is %s, expected %s', check.describe(g),
         table.concat(wanted:totable(), 'x'))
   end
   return x
end

function SpatialFullConvolution:__computeGradInput(gx, input, g)
   read_gradient(self, input, g)
   local isTable = type(input) == 'table'
   local r = ops.conv2d(self, type(gx) == 'table' and gx[1] or gx, g, self.weight, nil, self.dH,
      self.dW, self.padH, self.padW, 1)
   -- Nothing depends on the second one's elements.
   return isTable and { r, input[2].new():resizeAs(input[2]):zero() } or r
end

function SpatialFullConvolution:__computeGradParameters(input, g, scale)
   local x = read_gradient(self, input, g)
   ops.conv2d_backward_weight(self, self.gradWeight, nil, x, g, self.dH, self.dW, self.padH,
      self.padW, 1, scale)
   if self.gradBias then
      local first = g:dim() - 2 -- the dimension of planes
      local sum = g:sum(first + 2):sum(first + 1)
      self.gradBias:add(scale, first == 2 and sum:sum(1) or sum)
   end
end

local function drop_second_gradient(self)
   if type(self.gradInput) == 'table' then
      self.gradInput = self.gradInput[1]
   end
end

--- Convert; a second gradient of an earlier table input is dropped.
function SpatialFullConvolution:type(typename, cache)
   if typename then
      drop_second_gradient(self)
   end
   return nn.Module.type(self, typename, cache)
end

function SpatialFullConvolution:clearState()
   -- Scratch memory in modules saved by Torch7.
   nn.utils.clear(self, 'finput', 'fgradInput', '_input', '_gradOutput', 'columns', 'ones')
   drop_second_gradient(self)
   return nn.Module.clearState(self)
end
