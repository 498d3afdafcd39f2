--- A number for each pair of vectors; for table layers to derive from.
--
-- Shapes: { N x D, N x D } gives N; { D, D } gives 1. A layer computes with batches:
--
--    __measure(y, a, b)             the N numbers into y, whatever its shape
--    __differentiate(ga, gb, a, b, g)   the gradients into ga and gb, of a's size; g, the gradients
--                                   of the numbers, and `self:__column(v, a)` have that size too
-- @classmod nn.PairMeasure

local nn = require 'nn'
local check = require 'nn.check'

local PairMeasure = nn.declare('nn.PairMeasure', {
   input = 'table', tensors = 2, validate = '__checkPair',
})

function PairMeasure:__initialize()
   self.gradInput = {}
end

--- Raise unless the tensors are two vectors of one size, or two batches of them.
-- @tparam table x
-- @raise "nn.DotProduct: input is 2x3 and 2x4, expected N x D and N x D"
function PairMeasure:__checkPair(x)
   local a, b = x[1], x[2]
   if a:dim() > 2 or not a:isSameSizeAs(b) then
      check.fail(self, 'input is %s and %s, expected N x D and N x D, or D and D',
         check.describe(a), check.describe(b))
   end
end

--- The numbers of the pairs.
-- @tparam Tensor y N numbers go here
-- @tparam Tensor a N x D
-- @tparam Tensor b N x D
function PairMeasure.__measure(_, _, _, _) end

--- The gradients by the vectors.
-- @tparam Tensor ga N x D
-- @tparam Tensor gb N x D
-- @tparam Tensor a N x D
-- @tparam Tensor b N x D
-- @tparam Tensor g gradOutput, N x D: each number D times
function PairMeasure.__differentiate(_, _, _, _, _, _) end

--- N numbers, each as often as a vector is long.
-- @tparam Tensor v N numbers
-- @tparam Tensor a N x D
function PairMeasure.__column(_, v, a)
   return v:contiguous():view(-1, 1):expandAs(a)
end

local function rows(x)
   return x:dim() == 1 and nn.utils.addSingletonDimension(x) or x
end

-- Within a record that is differentiated itself: a Variable keeps its sizes.
function PairMeasure:__recorded(x)
   local a = rows(x[1])
   local y = a.new()
   self:__measure(y, a, rows(x[2]))
   return y:view(a:size(1))
end

function PairMeasure:__computeOutput(y, x)
   local a = rows(x[1])
   self:__measure(y, a, rows(x[2]))
   return y:resize(a:size(1))
end

function PairMeasure:__computeGradInput(gx, x, g)
   check.count(self, g, self.output, 'gradOutput')
   local a = rows(x[1])
   for i = 1, 2 do
      gx[i] = (gx[i] or g.new()):resizeAs(a)
   end
   self:__differentiate(gx[1], gx[2], a, rows(x[2]), self:__column(g, a))
   for i = 1, 2 do
      gx[i]:resizeAs(x[i])
   end
   return gx
end
