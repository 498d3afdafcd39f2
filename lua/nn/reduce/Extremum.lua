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
      dimension   number = 1  negative: counted from the last
      nInputDims  number?     dimensions of one sample: an input with one more is a batch
   ]],
})

--- Make the layer class of an operation that gives the extreme elements and where they are.
-- @string op the operation's name: 'max'
-- @string name the class
-- @return the class `nn.<name>`
function nn.Extremum.of(_, op, name)
   local forward = ops[op]
   local Layer = nn.declare('nn.' .. name, 'nn.Extremum', {})

   function Layer:__computeOutput(y, x)
      local d = dimension.of(self, x, self.dimension, self.nInputDims)
      if not check.suits(self._indices, C.TH_LONG, x) then
         self._indices = th.likeType(x, C.TH_LONG)
      end
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
   local d = dimension.of(self, x, self.dimension, self.nInputDims)
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
