--- What layers have in common that sum up windows of each plane, times a factor of the plane, plus
-- a bias of the plane; for layers to derive from.
--
-- A layer derived from it defines `__window()`: height, width, steps down and to the right;
-- `__images(t)`: a tensor as images, and the dimension, 2 or 4, that counts the factors; and
-- `__restore(r, x)`: a result in the shape that belongs to the input x.
-- @classmod nn.SubSampling

local nn = require 'nn'
local ops = require 'nn.base.ops'
local windows = require 'nn.pooling.windows'

local SubSampling = nn.declare('nn.SubSampling', 'nn.Weighted', {})

-- The sums of the windows are their means, times the number of their elements.
local function means(self, r, x)
   local h, w, dH, dW = self:__window()
   return ops.avg_pool(self, r, x, true, windows.of(h, w, dH, dW, 0, 0)), h * w
end

-- A number for each plane, beside images; `planes` is their dimension.
local function beside(numbers, planes, like)
   return planes == 2 and numbers:view(1, -1, 1, 1):expandAs(like)
      or numbers:view(1, 1, 1, -1):expandAs(like)
end

local function sums(t, planes)
   for d = 4, 1, -1 do
      if d ~= planes then
         t = t:sum(d)
      end
   end
   return t:view(-1)
end

function SubSampling:__computeOutput(y, x)
   local images, planes = self:__images(x)
   local r, count = means(self, y, images)
   r:mul(count):cmul(beside(self.weight, planes, r))
   if self.bias then
      r:add(beside(self.bias, planes, r))
   end
   return self:__restore(r, x)
end

function SubSampling:__computeGradInput(gx, x, g)
   local images, planes = self:__images(x)
   local h, w, dH, dW = self:__window()
   g = self:__images(g)
   local weighted = g:clone():cmul(beside(self.weight, planes, g)):mul(h * w)
   ops.avg_pool_backward(self, gx, weighted, images, true, windows.of(h, w, dH, dW, 0, 0))
   return self:__restore(gx, x)
end

function SubSampling:__computeGradParameters(x, g, scale)
   local images, planes = self:__images(x)
   g = self:__images(g)
   local r, count = means(self, x.new(), images)
   self.gradWeight:add(scale * count, sums(r:cmul(g), planes))
   if self.gradBias then
      self.gradBias:add(scale, sums(g, planes))
   end
end
