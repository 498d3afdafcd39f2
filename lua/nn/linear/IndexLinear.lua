--- nn.Linear for sparse inputs of very many features: z = y W + b, where y are the values of the
-- features named by keys.
--
-- Inputs: `{ keys, values }` is a sample, n keys in a LongTensor and n values, the output has
-- outputSize elements; with tables of such tensors it is a batch, as is `{ keys, values, sizes }`
-- with all samples one behind the other and the number of keys of each; the output is N x
-- outputSize then. Keys count from 1 + keysOffset to inputSize + keysOffset. With `doGradInput`,
-- gradInput is the input's keys and the gradients by all features: inputSize for a sample, a table
-- of them for a table, N x inputSize otherwise. The gradient of values that are Variables has their
-- own form, without `doGradInput`, too. The gradient by the weight is dense.
--
-- With `normalize`, the value x of a feature is taken as y = x / m + c, with x / m cut to ±1, where
-- m is the largest magnitude that the feature has had in training, and c is learnt for each
-- feature. The first 4 columns of the weight, inputSize x (4 + outputSize), are m, 1/m, 1 for
-- features that occurred, and c then.
-- @classmod nn.IndexLinear
-- @example
-- local keys, values = torch.LongTensor { 1, 7, 2 }, torch.ones(3)
-- #nn.IndexLinear(10, 4):forward { keys, values, torch.LongTensor { 2, 1 } } --> { 2, 4 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local entries = require 'nn.linear.entries'
local positions = require 'nn.base.positions'
local th = require 'torch.ffi'

local C = th.C

local IndexLinear = nn.declare('nn.IndexLinear', 'nn.Weighted', {
   arguments = [[
      inputSize     size?            features in; default: as the weight has
      outputSize    size?            features out; default: as the weight has
      doGradInput   boolean = false  whether to compute the gradient by the input
      (keysOffset)  integer = 0      the smallest key, less 1
      weight        tensor?          to be used without a copy, with bias
      bias          tensor?          likewise
      (normalize)   boolean = false  whether values are divided by the largest seen
   ]],
   input = 'any',
   text = '({inputSize} -> {outputSize})',
})

function IndexLinear:__initialize(inputSize, outputSize, _, keysOffset, weight, bias, normalize)
   self.normalize = normalize and 4 or 0 -- how many columns come before the weights
   self.offset = keysOffset - 1
   self.weightDecay = 0
   if weight and bias then
      self.inputSize, self.outputSize = weight:size(1), weight:size(2) - self.normalize
      self.gradWeight, self.gradBias = weight.new():resizeAs(weight), bias.new():resizeAs(bias)
   elseif inputSize and outputSize then
      self:__addWeights({ inputSize, outputSize + self.normalize }, { outputSize })
   else
      check.fail(self, 'expected inputSize and outputSize, or weight and bias')
   end
   self.gradWeight:zero()
   self.gradBias:zero()
end

-- Torch7's gradient has the rows of the last input alone.
function IndexLinear:__upgrade(_)
   if not self.gradWeight:isSameSizeAs(self.weight) then
      self.gradWeight:resizeAs(self.weight):zero()
   end
end

--- Weight and bias become 0, or are drawn uniformly.
-- @number[opt] stdv standard deviation
-- @return self
function IndexLinear:reset(stdv)
   if stdv then
      nn.Weighted.reset(self, stdv)
   else
      self.weight:zero()
      self.bias:zero()
   end
   if self.normalize > 0 then
      self.weight:narrow(2, 1, self.normalize):zero()
   end
   return self
end

--- A tensor of longs on the layer's device: what `torch.LongTensor(...)` is on the CPU.
function IndexLinear:longTensor(...)
   local cpu = torch.LongTensor(...)
   local weight = self.weight
   return weight.device_type == C.TH_CPU and cpu
      or th.likeType(weight, C.TH_LONG):resize(cpu:size()):copy(cpu)
end

local function wrong(self, input)
   check.fail(self, 'input is %s, expected { keys, values } of one size, tables of such tensors, '
      .. 'or { keys, values, sizes }', check.describe(input))
end

--- Whether an input is a batch, and its parts.
-- @param input as above
-- @treturn table { keys, values[, sizes] }
-- @treturn boolean
function IndexLinear:reshapeInput(input)
   if torch.type(input) ~= 'table' or input[1] == nil or input[2] == nil then
      wrong(self, input)
   end
   return input, type(input[1]) == 'table' or torch.isTensor(input[3])
end

--- The samples of an input, one behind the other.
-- @param input as above
-- @treturn table { keys, values, number of keys of each sample (a table) }
function IndexLinear:flattenInputs(input)
   local keys, values, sizes = unpack(input)
   if type(keys) == 'table' and type(values) == 'table' then
      sizes = {}
      for i, k in ipairs(keys) do
         if not torch.isTensor(k) or not torch.isTensor(values[i])
            or k:nElement() ~= values[i]:nElement() then
            wrong(self, input)
         end
         sizes[i] = k:nElement()
      end
      keys, values = torch.cat(keys, 1), torch.cat(values, 1)
   elseif not torch.isTensor(keys) or not torch.isTensor(values)
      or keys:nElement() ~= values:nElement() then
      wrong(self, input)
   elseif torch.isTensor(sizes) then
      sizes = sizes:contiguous():view(-1):totable()
   else
      sizes = { keys:nElement() }
   end
   check.tensor(self, self.weight, values, 'input 2')
   return { keys, values, sizes }
end

-- The number of samples, and of each entry: the sample, the row of the weight, the value.
local function read(self, input)
   local keys, values, sizes = unpack(self:flattenInputs(self:reshapeInput(input)))
   local weight = self.weight
   local rows = entries.rows(sizes, th.likeType(weight, C.TH_LONG))
   if rows:nElement() ~= values:nElement() then
      wrong(self, input)
   end
   local columns = positions.vector(self, '_keys', keys, weight, 'input 1')
   if self.offset ~= -1 then
      columns = torch.add(columns, -self.offset - 1)
   end
   return #sizes, rows, columns, check.contiguous(self, '_values', values):view(-1)
end

-- The weights proper.
local function weights(self, all)
   return all:narrow(2, self.normalize + 1, self.outputSize)
end

-- Take the magnitudes of values into account. A feature may occur several times, and any of them
-- may be written last: until none is larger.
local function note_magnitudes(self, columns, values)
   local weight, magnitudes = self.weight, torch.abs(values)
   weight:select(2, 3):indexFill(1, columns, 1)
   local largest = weight:select(2, 1)
   while true do
      local at = magnitudes:gt(largest:index(1, columns))
      if at:sum() == 0 then
         break
      end
      largest:indexCopy(1, columns[at], magnitudes[at])
   end
   weight:select(2, 2):indexCopy(1, columns, torch.pow(largest:index(1, columns):cmax(1e-38), -1))
end

-- x cut to ±1, in place if nothing is recorded. At ±1, where the largest value of a feature is, it
-- still counts as x.
local function cut(x)
   if not x:isVariable() then
      return x:clamp(-1, 1)
   end
   local plain = x:detach()
   local inside = torch.abs(plain):le(1):typeAs(plain)
   return torch.clamp(plain, -1, 1):addcmul(-1, plain, inside) + torch.cmul(x, inside)
end

local function normalized(self, columns, values)
   if self.normalize == 0 then
      return values
   end
   local weight = self.weight
   return cut(torch.cmul(values, weight:select(2, 2):detach():index(1, columns)))
      :add(weight:select(2, 4):index(1, columns))
end

function IndexLinear:__computeOutput(y, input)
   local n, rows, columns, values = read(self, input)
   if self.normalize > 0 and self.train ~= false and not self.again then
      note_magnitudes(self, columns, values)
   end
   y:resize(n, self.outputSize)
   y:copy(self.bias:view(1, -1):expandAs(y))
   values = normalized(self, columns, values)
   entries.add(self, y, rows, weights(self, self.weight), columns, values)
   local _, batch = self:reshapeInput(input)
   return batch and y or y:resize(self.outputSize)
end

function IndexLinear:__computeGradParameters(input, g, scale)
   local n, rows, columns, values = read(self, input)
   g = entries.batch(self, n, self.outputSize, g)
   local gradWeight = self.gradWeight
   local factors = torch.mul(normalized(self, columns, values), scale)
   if self.normalize > 0 then -- dz/dc is a row of W; W and c may be gradWeight's, so first
      local by_feature = torch.mm(g, weights(self, self.weight):t()):view(-1)
      local at = torch.add(columns, self.inputSize, torch.add(rows, -1))
      gradWeight:select(2, 4):indexAdd(1, columns, by_feature:index(1, at):mul(scale))
   end
   entries.add(self, weights(self, gradWeight), columns, g, rows, factors)
   self.gradBias:add(scale, g:sum(1):view(-1))
   if self.weightDecay ~= 0 then
      weights(self, gradWeight):add(scale * self.weightDecay, weights(self, self.weight))
   end
end

--- The gradient by all features, with `doGradInput`; else nothing.
function IndexLinear:updateGradInput(input, gradOutput)
   if not self.doGradInput then
      return
   end
   local _, batch = self:reshapeInput(input)
   local n = #self:flattenInputs(input)[3]
   local g = entries.batch(self, n, self.outputSize, gradOutput)
   local dense = torch.mm(g, weights(self, self.weight):t())
   if self.normalize > 0 then
      dense:cmul(self.weight:select(2, 2):contiguous():view(1, -1):expandAs(dense))
   end
   if type(input[1]) == 'table' then
      local list = {}
      for i = 1, n do
         list[i] = dense[i]
      end
      dense = list
   elseif not batch then
      dense = dense[1]
   end
   self.gradInput = { input[1], dense }
   return self.gradInput
end

-- The gradient in the input's form, for Variables: keys and sizes have none.
function IndexLinear:__ofVariables(input, gradOutput)
   local n, rows, columns, values = read(self, input)
   local g = entries.batch(self, n, self.outputSize, gradOutput)
   local by_value = entries.dots(self, g, rows, weights(self, self.weight), columns)
   if self.normalize > 0 then
      local factors = self.weight:select(2, 2):index(1, columns)
      by_value:cmul(torch.abs(values):cmul(factors):le(1):typeAs(factors)):cmul(factors)
   end
   if torch.isTensor(input[2]) then
      return { input[1], by_value:viewAs(input[2]), input[3] }
   end
   local list, first = {}, 1
   for i, v in ipairs(input[2]) do
      list[i] = by_value:narrow(1, first, v:nElement()):viewAs(v)
      first = first + v:nElement()
   end
   return { input[1], list }
end

function IndexLinear:clearState()
   nn.utils.clear(self, '_keys', '_values', '_gradOutput')
   self.gradInput = self.weight.new() -- its keys are the user's
   return nn.Module.clearState(self)
end
