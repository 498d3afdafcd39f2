--- Learnt vectors, looked up by position: y_i = W[x_i], as for the words of a text.
--
-- Shapes: x is positions from 1 to nIndex, of any element type and size (N, or N x T); W is nIndex
-- x nOutput, normally distributed at first; y is x's size x nOutput. Positions have no gradient:
-- gradInput is zero, in x's type and size.
--
-- The row of `paddingValue` is looked up like any other, and never learns. With `maxNorm`, each row
-- that is looked up is first scaled down to that norm, in W itself. After `scaleGradByFreq` the
-- gradient of a row is divided by how often the batch has it.
-- @classmod nn.LookupTable
-- @example nn.LookupTable(10000, 64):forward(torch.LongTensor { 17, 4, 17 }):size() --> { 3, 64 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local ops = require 'nn.base.ops'
local positions = require 'nn.base.positions'

local LookupTable = nn.declare('nn.LookupTable', 'nn.Weighted', {
   arguments = [[
      (nIndex)      size        rows: the number of words
      (nOutput)     size        columns: the size of a vector
      paddingValue  integer = 0 the position that does not learn; 0: none
      maxNorm       number?     the largest norm that a row may have
      normType      number?     the norm's exponent; default 2
   ]],
   input = 'any',
   version = 4,
})

function LookupTable:__initialize(nIndex, nOutput)
   self.shouldScaleGradByFreq = false
   self:__addWeights { nIndex, nOutput }
   self.gradWeight:zero()
end

--- Fields that files of Torch7's earlier versions lack.
function LookupTable:backCompatibility()
   self.shouldScaleGradByFreq = self.shouldScaleGradByFreq or false
   self.paddingValue = self.paddingValue or 0
end

function LookupTable:__upgrade()
   self:backCompatibility()
end

--- Draw the vectors from a normal distribution.
-- @number[opt=1] stdv standard deviation
function LookupTable:reset(stdv)
   self.weight:normal(0, stdv or 1)
end

--- Drop the gradient's memory, as large as W: for `backwardUpdate` alone.
-- @return self
function LookupTable:accUpdateOnly()
   self.gradWeight = nil
   return self
end

--- Change the position that does not learn; 0: all learn.
-- @return self
-- @example nn.LookupTable(5, 2):setPadding(1).paddingValue --> 1
function LookupTable:setPadding(paddingValue)
   self.paddingValue = paddingValue
   return self
end

--- Change the largest norm that a row may have; nil: any.
-- @return self
function LookupTable:setMaxNorm(maxNorm)
   self.maxNorm = maxNorm
   return self
end

--- Change the exponent of that norm.
-- @return self
function LookupTable:setNormType(normType)
   self.normType = normType
   return self
end

--- Divide the gradient of each row by how often the batch has it.
-- @return self
function LookupTable:scaleGradByFreq()
   self.shouldScaleGradByFreq = true
   return self
end

--- The positions in memory without gaps.
function LookupTable:makeInputContiguous(input)
   return check.contiguous(self, '_contiguous', input)
end

--- Scale the rows at these positions down to `maxNorm`.
function LookupTable:renorm(input)
   if self.maxNorm then
      local weight = self.weight
      local at = positions.vector(self, '_input', input, weight)
      local rows = ops.index(self, weight.new(), weight, 0, at)
      weight:indexCopy(1, at, rows:renorm(self.normType or 2, 1, self.maxNorm))
   end
end

function LookupTable:__computeOutput(y, x)
   local weight = self.weight
   local at = positions.vector(self, '_input', x, weight)
   self:renorm(at)
   y = ops.index(self, y, weight, 0, at)
   if x.ndim == 2 then
      return y:resize(x:size(1), x:size(2), weight:size(2))
   elseif x.ndim > 2 then
      local sizes = x:size():totable()
      sizes[#sizes + 1] = weight:size(2)
      return y:resize(torch.LongStorage(sizes))
   end
   return y
end

function LookupTable:__computeGradInput(gx, x)
   return positions.gradient(self, gx, x)
end

-- The rows divided by how often the batch has their positions.
local function by_frequency(self, rows, at)
   local times = rows.new(self.weight:size(1)):zero()
   times:indexAdd(1, at, rows.new(at:size(1)):fill(1))
   return torch.cdiv(rows, times:index(1, at):view(-1, 1):expandAs(rows))
end

function LookupTable:__computeGradParameters(x, g, scale)
   local gradWeight = self.gradWeight
   local at = positions.vector(self, '_input', x, gradWeight)
   local n, columns = at:size(1), gradWeight:size(2)
   check.tensor(self, gradWeight, g, 'gradOutput')
   if g:nElement() ~= n * columns then
      check.fail(self, 'gradOutput is %s, expected the size of the output', check.describe(g))
   end
   local rows = g
   if g.ndim ~= 2 then
      rows = check.contiguous(self, '_gradOutput', g):view(n, columns)
   end
   if self.shouldScaleGradByFreq then
      rows = by_frequency(self, rows, at)
   end
   if scale ~= 1 then
      rows = torch.mul(rows, scale)
   end
   -- What is added to the padding's row is taken back.
   local padding = self.paddingValue
   local row = padding and padding > 0 and gradWeight:select(1, padding)
   local before = row and row:clone()
   ops.index_add(self, gradWeight, 0, at, rows)
   if not rawequal(rows, g) then
      rows:set() -- a view keeps g's memory until it is collected
   end
   if row then
      row:copy(before)
   end
end

function LookupTable:clearState()
   nn.utils.clear(self, '_input', '_contiguous', '_gradOutput')
   return nn.Module.clearState(self)
end
