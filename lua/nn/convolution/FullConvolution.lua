--- What transposed convolutions have in common, for layers to derive from: each input element is
-- spread over a window of the output, so that the output is what the gradient of a convolution's
-- input is.
--
-- The input may be a table { tensor, like }: then the numbers `adj…` are chosen so that the output
-- has the last sizes of `like`. Its gradient is zero, kept in a single element.
-- @classmod nn.FullConvolution

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local shape = require 'nn.base.shape'

local FullConvolution, Convolution = nn.declare('nn.FullConvolution', 'nn.Convolution', {
   input = 'any',
})

local patterns = { shape.compile('weight', 'N? nInputPlane W'),
   shape.compile('weight', 'N? nInputPlane H W'), shape.compile('weight', 'N? nInputPlane T H W') }

--- The numbers `adj…` must be smaller than the steps.
function FullConvolution:__checkExtra()
   for _, axis in ipairs(self.__axes) do
      local extra, step = self[axis.extra], self[axis.stride]
      if extra and extra >= step then
         check.fail(self, '%s (%d) must be smaller than %s (%d)', axis.extra, extra, axis.stride,
            step)
      end
   end
end

--- Nothing: a module of early Torch7 gets what it lacks when it is read.
function FullConvolution.backCompatibility(_) end

local function text(sizes)
   return table.concat(sizes, 'x')
end

-- The output's last sizes that are possible: the least, and the most.
local function limits(self, x)
   local axes, least, most = self.__axes, {}, {}
   local first = x.ndim - #axes
   for d, axis in ipairs(axes) do
      local step = self[axis.stride]
      least[d] = (x:size(first + d) - 1) * step - 2 * self[axis.padding]
         + (self[axis.kernel] - 1) * self[axis.dilation] + 1
      most[d] = least[d] + step - 1
   end
   return least, most
end

-- The tensor of an input; the output's sizes.
local function read(self, input)
   local x, like = input, nil
   if type(input) == 'table' then
      x, like = input[1], input[2]
      check.any_tensor(self, like, 'the second input')
   end
   local axes = self.__axes
   local dims = #axes
   patterns[dims](self, x)
   local least, most = limits(self, x)
   local size, fits = least, true
   if like then
      size = {}
      for d = 1, dims do
         size[d] = like.ndim >= dims and tonumber(like.sizes[like.ndim - dims + d - 1]) or -1
         fits = fits and size[d] >= least[d] and size[d] <= most[d]
      end
      if not fits then
         check.fail(self, 'the second input is %s, but the output of an input of %s can be %s to '
            .. '%s', check.describe(like), check.describe(x), text(least), text(most))
      end
   else
      for d = 1, dims do
         size[d] = size[d] + (self[axes[d].extra] or 0)
         fits = fits and size[d] >= 1
      end
      if not fits then
         check.fail(self, 'the output of an input of %s would be %s', check.describe(x), text(size))
      end
   end
   table.insert(size, 1, self.nOutputPlane)
   if x.ndim == dims + 2 then
      table.insert(size, 1, x:size(1))
   end
   return x, torch.LongStorage(size)
end

function FullConvolution:__computeOutput(y, input)
   local x, size = read(self, input)
   y:resize(size)
   self:__spread(y, x, y)
   if self.bias then
      local row = {}
      for d = 1, y.ndim do
         row[d] = 1
      end
      row[y.ndim - #self.__axes] = self.nOutputPlane
      y:add(self.bias:view(unpack(row)):expandAs(y))
   end
   return y
end

-- The tensor of an input, with gradOutput checked.
local function read_gradient(self, input, g)
   local x, wanted = read(self, input)
   check.tensor(self, self.weight, g, 'gradOutput')
   if not g:isSize(wanted) then
      check.fail(self, 'gradOutput is %s, expected %s', check.describe(g), text(wanted:totable()))
   end
   return x
end

function FullConvolution:__computeGradInput(gx, input, g)
   read_gradient(self, input, g)
   local r = self:__convolve(type(gx) == 'table' and gx[1] or gx, g, nil)
   if type(input) ~= 'table' then
      return r
   end
   local like = input[2] -- nothing depends on its elements
   local ones = like:size():fill(1)
   return { r, like.new(1):zero():view(ones):expandAs(like) }
end

function FullConvolution:__computeGradParameters(input, g, scale)
   local x = read_gradient(self, input, g)
   self:__addGradients(g, x, nil, scale)
   if self.gradBias then
      local planes = g.ndim - #self.__axes
      for d = g.ndim, planes + 1, -1 do
         g = g:sum(d)
      end
      self.gradBias:add(scale, planes == 2 and g:sum(1) or g)
   end
end

local function drop_second_gradient(self)
   if type(self.gradInput) == 'table' then
      self.gradInput = self.gradInput[1]
   end
end

--- Convert; a second gradient of an earlier table input is dropped.
function FullConvolution:type(typename, cache)
   if typename then
      drop_second_gradient(self)
   end
   return nn.Module.type(self, typename, cache)
end

function FullConvolution:clearState()
   drop_second_gradient(self)
   return Convolution.clearState(self)
end
