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
local th = require 'torch.ffi'
local C = th.C

local SpatialFullConvolution = torch.class('nn.SpatialFullConvolution', 'nn.Module', nn)

--- @int nInputPlane planes in
-- @int nOutputPlane planes out
-- @int kW kernel width
-- @int kH kernel height
-- @int[opt=1] dW step to the right in the output
-- @int[opt=1] dH step down in the output
-- @int[opt=0] padW columns cut off left and right of the output
-- @int[opt=padW] padH rows cut off above and below
-- @int[opt=0] adjW columns added to the right of the output, fewer than dW
-- @int[opt=adjW] adjH rows added below, fewer than dH
function SpatialFullConvolution:__init(
   nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH, adjW, adjH
)
   check.sizes(
      self,
      'nn.SpatialFullConvolution(nInputPlane, nOutputPlane, kW, kH'
         .. '[, dW, dH, padW, padH, adjW, adjH])',
      nInputPlane, nOutputPlane, kW, kH, dW, dH, padW, padH, adjW, adjH
   )
   nn.Module.__init(self)
   self.nInputPlane = nInputPlane
   self.nOutputPlane = nOutputPlane
   self.kW = kW
   self.kH = kH
   self.dW = dW or 1
   self.dH = dH or 1
   self.padW = padW or 0
   self.padH = padH or self.padW
   self.adjW = adjW or 0
   self.adjH = adjH or self.adjW
   if self.adjW >= self.dW or self.adjH >= self.dH then
      check.fail(self, 'adjW and adjH (%d, %d) must be smaller than dW and dH (%d, %d)',
         self.adjW, self.adjH, self.dW, self.dH)
   end
   self.weight = torch.Tensor(nInputPlane, nOutputPlane, kH, kW)
   self.gradWeight = torch.Tensor(nInputPlane, nOutputPlane, kH, kW)
   self.bias = torch.Tensor(nOutputPlane)
   self.gradBias = torch.Tensor(nOutputPlane)
   self:reset()
end

--- Drop the bias.
-- @return self
function SpatialFullConvolution:noBias()
   self.bias = nil
   self.gradBias = nil
   return self
end

--- Draw weight and bias uniformly.
-- @number[opt] stdv standard deviation; default 1/sqrt(3 kW kH nInputPlane)
function SpatialFullConvolution:reset(stdv)
   local bound = stdv and stdv * math.sqrt(3) or 1 / math.sqrt(self.kW * self.kH * self.nInputPlane)
   self.weight:uniform(-bound, bound)
   if self.bias then
      self.bias:uniform(-bound, bound)
   end
end

--- Give a module of early Torch7 the fields it lacks.
function SpatialFullConvolution:backCompatibility()
   self.adjW = self.adjW or 0
   self.adjH = self.adjH or 0
end

-- The tensor of an input; the height and width of the output.
local function checkInput(self, input)
   self:backCompatibility()
   local x, like = input, nil
   if type(input) == 'table' then
      x, like = input[1], input[2]
      check.any_tensor(self, like, 'the second input')
   end
   check.tensor(self, self.weight, x, 'input')
   local dims = x.ndim
   if (dims ~= 4 and dims ~= 3) or x:size(dims - 2) ~= self.nInputPlane then
      check.fail(self, 'input is %s, expected N x %d x H x W or %d x H x W',
         check.describe(x), self.nInputPlane, self.nInputPlane)
   end
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
local function imageSize(x, planes, height, width)
   if x.ndim == 3 then
      return torch.LongStorage { planes, height, width }
   end
   return torch.LongStorage { x:size(1), planes, height, width }
end

function SpatialFullConvolution:updateOutput(input)
   local x, height, width = checkInput(self, input)
   if height < 1 or width < 1 then
      check.fail(self, 'the output of an input of %s would be %dx%d', check.describe(x), height,
         width)
   end
   local r, w, dH, dW, padH, padW = self.output, self.weight, self.dH, self.dW, self.padH, self.padW
   r:resize(imageSize(x, self.nOutputPlane, height, width))
   if C.TH_conv2d_backward_input(r, x, r, w, dH, dW, padH, padW, 1) ~= 0 then
      check.recover(self)
      th.check(C.TH_conv2d_backward_input(r, x, r, w, dH, dW, padH, padW, 1))
   end
   if self.bias then
      local row = x.ndim == 3 and self.bias:view(-1, 1, 1) or self.bias:view(1, -1, 1, 1)
      r:add(row:expandAs(r))
   end
   return r
end

local function checkGradient(self, x, gradOutput, height, width)
   check.tensor(self, self.weight, gradOutput, 'gradOutput')
   local wanted = imageSize(x, self.nOutputPlane, height, width)
   if not gradOutput:isSize(wanted) then
      check.fail(self, 'gradOutput is %s, expected %s', check.describe(gradOutput),
         table.concat(wanted:totable(), 'x'))
   end
end

function SpatialFullConvolution:updateGradInput(input, gradOutput)
   if not self.gradInput then
      return
   end
   local x, height, width = checkInput(self, input)
   checkGradient(self, x, gradOutput, height, width)
   local r = self.gradInput
   if type(r) == 'table' then
      r = r[1]
   end
   local g, w, dH, dW, padH, padW = gradOutput, self.weight, self.dH, self.dW, self.padH, self.padW
   if C.TH_conv2d(r, g, w, nil, dH, dW, padH, padW, 1) ~= 0 then
      check.recover(self)
      th.check(C.TH_conv2d(r, g, w, nil, dH, dW, padH, padW, 1))
   end
   if type(input) == 'table' then -- nothing depends on the second one's elements
      self.gradInput = { r, input[2].new():resizeAs(input[2]):zero() }
   else
      self.gradInput = r
   end
   return self.gradInput
end

function SpatialFullConvolution:accGradParameters(input, gradOutput, scale)
   scale = scale or 1
   local x, height, width = checkInput(self, input)
   checkGradient(self, x, gradOutput, height, width)
   local gw, g, dH, dW, padH, padW =
      self.gradWeight, gradOutput, self.dH, self.dW, self.padH, self.padW
   if C.TH_conv2d_backward_weight(gw, nil, x, g, dH, dW, padH, padW, 1, scale) ~= 0 then
      check.recover(self)
      th.check(C.TH_conv2d_backward_weight(gw, nil, x, g, dH, dW, padH, padW, 1, scale))
   end
   if self.gradBias then
      local first = g:dim() - 2 -- the dimension of planes
      local sum = g:sum(first + 2):sum(first + 1)
      self.gradBias:add(scale, first == 2 and sum:sum(1) or sum)
   end
end

--- Convert; a second gradient of an earlier table input is dropped.
function SpatialFullConvolution:type(typename, cache)
   if typename and type(self.gradInput) == 'table' then
      self.gradInput = self.gradInput[1]
   end
   return nn.Module.type(self, typename, cache)
end

function SpatialFullConvolution:clearState()
   -- Scratch memory in modules saved by Torch7.
   nn.utils.clear(self, 'finput', 'fgradInput', '_input', '_gradOutput', 'columns', 'ones')
   if type(self.gradInput) == 'table' then
      self.gradInput = self.gradInput[1]
   end
   return nn.Module.clearState(self)
end

function SpatialFullConvolution:__tostring__()
   local s = ('%s(%d -> %d, %dx%d'):format(
      torch.type(self), self.nInputPlane, self.nOutputPlane, self.kW, self.kH)
   local padded = self.padW ~= 0 or self.padH ~= 0
   local adjusted = (self.adjW or 0) ~= 0 or (self.adjH or 0) ~= 0
   if self.dW ~= 1 or self.dH ~= 1 or padded or adjusted then
      s = ('%s, %d,%d'):format(s, self.dW, self.dH)
   end
   if padded or adjusted then
      s = ('%s, %d,%d'):format(s, self.padW, self.padH)
   end
   if adjusted then
      s = ('%s, %d,%d'):format(s, self.adjW, self.adjH)
   end
   return s .. ')' .. (self.bias and '' or ' without bias')
end
