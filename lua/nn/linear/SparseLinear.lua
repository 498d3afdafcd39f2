--- nn.Linear for sparse inputs: y = x W' + b, where x is given by its entries.
--
-- Shapes: a sample is an n x 2 tensor, a row for each entry that is not zero: its position, from 1
-- to inputSize, and its value; the output is outputSize then. A batch is a table of N samples, or N
-- x n x 2; the output is N x outputSize. With `doGradInput`, gradInput is a table with an inputSize
-- x 2 tensor for each sample: all positions, and the gradients there. A Variable's gradient has the
-- input's form, with 0 for the positions.
--
-- `weightDecay` times the weight is added to the weight's gradient by each backward.
-- @classmod nn.SparseLinear
-- @usage nn.SparseLinear(10000, 2):forward(torch.Tensor { { 1, 0.1 }, { 31, 0.2 } })
-- @example #nn.SparseLinear(10, 2):forward(torch.Tensor { { 1, 0.5 }, { 7, 2 } }) --> { 2 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local entries = require 'nn.linear.entries'
local th = require 'torch.ffi'

local C = th.C

local SparseLinear = nn.declare('nn.SparseLinear', 'nn.Weighted', {
   arguments = [[
      (inputSize)   size             features in
      (outputSize)  size             features out
      doGradInput   boolean = false  whether to compute the gradient by the input
   ]],
   input = 'any',
   text = '({weight[2]} -> {weight[1]}){no bias}',
})

function SparseLinear:__initialize(inputSize, outputSize)
   self.weightDecay = 0
   self:__addWeights({ outputSize, inputSize }, { outputSize })
   self.gradWeight:zero()
   self.gradBias:zero()
end

function SparseLinear:__fanIn()
   return self.weight:size(2)
end

--- Draw the weight as nn.Linear does; the bias starts a million times smaller.
-- @number[opt] stdv standard deviation
-- @return self
function SparseLinear:reset(stdv)
   nn.Weighted.reset(self, stdv)
   self.bias:mul(1e-6)
   return self
end

--- The samples of an input.
-- @param input a table of n x 2 tensors, one of them, or N x n x 2
-- @treturn table n x 2 tensors
function SparseLinear:reshapeInput(input)
   local list = input
   if torch.isTensor(input) and input.ndim == 2 then
      list = { input }
   elseif torch.isTensor(input) and input.ndim == 3 then
      list = {}
      for i = 1, input:size(1) do
         list[i] = input[i]
      end
   end
   if type(list) ~= 'table' or #list == 0 then
      check.fail(self, 'input is %s, expected n x 2, or a table of such tensors',
         check.describe(input))
   end
   for i = 1, #list do
      local sample = list[i]
      check.tensor(self, self.weight, sample, 'input', torch.type(input) == 'table' and i or nil)
      if sample.ndim > 0 and (sample.ndim ~= 2 or sample:size(2) ~= 2) then
         check.fail(self, 'input %d is %s, expected n x 2: positions and values', i,
            check.describe(sample))
      end
   end
   return list
end

-- The number of samples, and of each entry: the sample, the position, the value.
local function read(self, input)
   local list, counts, filled = self:reshapeInput(input), {}, {}
   for i, sample in ipairs(list) do
      counts[i] = sample.ndim == 0 and 0 or sample:size(1)
      if counts[i] > 0 then
         filled[#filled + 1] = sample
      end
   end
   local weight = self.weight
   local rows, columns = th.likeType(weight, C.TH_LONG), th.likeType(weight, C.TH_LONG)
   entries.rows(counts, rows)
   local values = weight.new()
   if #filled > 0 then
      local all = torch.cat(filled, 1)
      columns:resize(all:size(1)):copy(all:select(2, 1))
      values:resize(all:size(1)):copy(all:select(2, 2))
   end
   return #list, rows, columns, values
end

local function is_single(input)
   return torch.isTensor(input) and input.ndim == 2
end

function SparseLinear:__computeOutput(y, input)
   local n, rows, columns, values = read(self, input)
   local weight = self.weight
   y:resize(n, weight:size(1))
   if self.bias then
      y:copy(self.bias:view(1, -1):expandAs(y))
   else
      y:zero()
   end
   entries.add(self, y, rows, weight:t(), columns, values)
   return is_single(input) and y:resize(weight:size(1)) or y
end

function SparseLinear:__computeGradParameters(input, g, scale)
   local n, rows, columns, values = read(self, input)
   g = entries.batch(self, n, self.weight:size(1), g)
   entries.add(self, self.gradWeight:t(), columns, g, rows, values:mul(scale))
   if self.bias then
      self.gradBias:add(scale, g:sum(1):view(-1))
   end
   if self.weightDecay ~= 0 then
      self.gradWeight:add(scale * self.weightDecay, self.weight)
   end
end

--- The gradient by the input, with `doGradInput`; else nothing.
function SparseLinear:updateGradInput(input, gradOutput)
   if not self.doGradInput then
      return
   end
   local n, inputs = #self:reshapeInput(input), self.weight:size(2)
   local g = entries.batch(self, n, self.weight:size(1), gradOutput)
   local dense = torch.mm(g, self.weight)
   local gradInput, all = {}, torch.range(1, inputs)
   for i = 1, n do
      gradInput[i] = dense.new(inputs, 2)
      gradInput[i]:select(2, 1):copy(all)
      gradInput[i]:select(2, 2):copy(dense[i])
   end
   self.gradInput = gradInput
   return gradInput
end

-- The gradient in the input's form, for Variables: positions have none.
function SparseLinear:__ofVariables(input, gradOutput)
   local n, rows, columns = read(self, input)
   local g = entries.batch(self, n, self.weight:size(1), gradOutput)
   local by_value, first = entries.dots(self, g, rows, self.weight:t(), columns), 1
   local list = {}
   for i, sample in ipairs(self:reshapeInput(input)) do
      list[i] = sample:clone():zero()
      if sample.ndim > 0 then
         list[i]:select(2, 2):copy(by_value:narrow(1, first, sample:size(1)))
         first = first + sample:size(1)
      end
   end
   if not torch.isTensor(input) then
      return list
   end
   return input.ndim == 2 and list[1] or torch.cat(list, 1):viewAs(input)
end

function SparseLinear:clearState()
   nn.utils.clear(self, '_gradOutput')
   return nn.Module.clearState(self)
end
