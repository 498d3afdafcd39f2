--- The largest or smallest element along a dimension, which the output lacks.
-- `nn.Extremum:of('max', 'Max')` makes such a layer.
-- @classmod nn.Extremum

local nn = require 'nn'
local check = require 'nn.check'
local dimension = require 'nn.base.dimension'
local ops = require 'nn.base.ops'
local th = require 'torch.ffi'

local C = th.C

local Extremum = nn.declare('nn.Extremum', {
   arguments = [[
      dimension   integer = 1 negative: counted from the last
      nInputDims  integer?    dimensions of one sample: an input with one more is a batch
   ]],
})

--- Which dimension of an input the layer looks along.
-- @tparam Tensor input
-- @return from 1 on
function Extremum:_getPositiveDimension(input)
   return dimension.of(self, input, self.dimension, self.nInputDims)
end

--- Make the tensor of the places where the extreme elements were found.
-- @tparam[opt] Tensor input gives the device; default as the output
function Extremum:_lazyInit(input)
   local beside = input or self.output
   if not check.suits(self._indices, C.TH_LONG, beside) then
      self._indices = th.likeType(beside, C.TH_LONG)
   end
end

--- Make the layer class of an operation that gives the extreme elements and where they are.
-- @string op the operation's name: 'max'
-- @string name the class
-- @return the class `nn.<name>`
function nn.Extremum.of(_, op, name)
   local forward = ops[op]
   local Layer = nn.declare('nn.' .. name, 'nn.Extremum', {})

   function Layer:__computeOutput(y, x)
      local d = self:_getPositiveDimension(x)
      self:_lazyInit(x)
      forward(self, y, self._indices, x, d - 1)
      if x.ndim > 1 then
         check.status(self, C.TH_select(y, y, d - 1, 0))
      end
      return y
   end

   return Layer
end

function Extremum:__computeGradInput(gx, x, g)
   local at = self._indices or check.missing(self, '_indices')
   if g:nElement() ~= at:nElement() then
      check.fail(self, 'gradOutput is %s, expected the size of the output', check.describe(g))
   end
   local d = self:_getPositiveDimension(x)
   if x.ndim > 1 then
      local view = th.like(g)
      check.status(self, C.TH_unsqueeze(view, g, d - 1))
      g = view
   end
   return ops.scatter(self, gx:resizeAs(x):zero(), d - 1, at, g)
end

function Extremum:clearState()
   nn.utils.clear(self, '_output', '_indices')
   return nn.Module.clearState(self)
end
