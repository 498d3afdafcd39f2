--- nn.Linear of which only some outputs are computed: y = x W[p]' + b[p] for chosen outputs p.
--
-- Shapes: N x inputSize, or inputSize; the output is N x (number of chosen outputs). At first, and
-- after `resetPartition`, all are chosen. The weight is that of the nn.LookupTable inside
-- `network`: `layer.network:get(1):get(2).weight`, outputSize x inputSize.
-- @classmod nn.PartialLinear
-- @usage layer:setPartition(torch.LongTensor { 2, 4 })
-- @example
-- local layer = nn.PartialLinear(4, 10)
-- layer:setPartition(torch.LongTensor { 2, 7 })
-- #layer:forward(torch.randn(3, 4)) --> { 3, 2 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local positions = require 'nn.base.positions'

local PartialLinear = nn.declare('nn.PartialLinear', 'nn.Weighted', {
   arguments = [[
      (inputSize)   size            features in
      (outputSize)  size            features out
      (bias)        boolean = true  whether to add b
   ]],
   own = 'allcolumns',
   input = 'N? D',
   output = 'N? P',
   batch = true,
   validate = '__checkWidth',
})

function PartialLinear:__initialize(inputSize, outputSize, bias)
   self.network = nn.Sequential() -- as in Torch7's files: { x, p } -> { x, W[p] } -> x W[p]'
      :add(nn.ParallelTable():add(nn.Identity()):add(nn.LookupTable(outputSize, inputSize)))
      :add(nn.MM(false, true))
   if bias then
      self.bias, self.gradBias = torch.zeros(outputSize), torch.zeros(outputSize)
   end
   self.allcolumns = torch.range(1, outputSize)
   self:resetPartition()
end

-- The bias of Torch7's files is a row.
function PartialLinear:__upgrade(_)
   if self.bias and self.bias:dim() == 2 then
      self.bias, self.gradBias = self.bias:view(-1), self.gradBias:view(-1)
   end
end

local function rows(self)
   return self.network:get(1):get(2)
end

--- Draw the weight as nn.LookupTable does, normally; the bias becomes 0.
-- @number[opt=1] stdv standard deviation
-- @return self
function PartialLinear:reset(stdv)
   rows(self):reset(stdv)
   if self.bias then
      self.bias:zero()
   end
   return self
end

--- Choose the outputs that are computed.
-- @tparam Tensor indices from 1 to outputSize
function PartialLinear:setPartition(indices)
   self.partition = indices:type(self.allcolumns:type())
end

--- Choose all outputs.
function PartialLinear:resetPartition()
   self.partition = self.allcolumns
end

--- The weight, and the bias.
-- @treturn table tensors
-- @treturn table gradients
function PartialLinear:parameters()
   local inside = rows(self)
   return { inside.weight, self.bias }, { inside.gradWeight, self.gradBias }
end

--- Make the named tensors views of those of `module`.
-- @return self
function PartialLinear:share(module, ...)
   self.network:share(module.network, ...)
   return nn.Module.share(self, module, ...)
end

function PartialLinear:__checkWidth(input)
   local size = rows(self).weight:size(2)
   if input:size(input.ndim) ~= size then
      check.fail(self, 'input is %s, expected N x %d or %d', check.describe(input), size, size)
   end
end

local function chosen(self)
   return positions.vector(self, '_partition', self.partition, rows(self).weight)
end

function PartialLinear:__computeOutput(y, x)
   local weight = rows(self):forward(self.partition)
   y:resize(x:size(1), weight:size(1)):mm(x, weight:t())
   if self.bias then
      y:add(self.bias:index(1, chosen(self)):view(1, -1):expandAs(y))
   end
   return y
end

function PartialLinear:__computeGradInput(gx, x, g)
   return gx:resizeAs(x):mm(g, rows(self):forward(self.partition))
end

function PartialLinear:__computeGradParameters(x, g, scale)
   rows(self):accGradParameters(self.partition, torch.mm(g:t(), x), scale)
   if self.bias then
      self.gradBias:indexAdd(1, chosen(self), g:sum(1):view(-1):mul(scale))
   end
end

--- parameters <- parameters - lr * gradient, at once.
function PartialLinear:defaultAccUpdateGradParameters(input, gradOutput, lr)
   local inside = rows(self)
   local gradWeight, gradBias = inside.gradWeight, self.gradBias
   inside.gradWeight, self.gradBias = inside.weight, self.bias
   self:accGradParameters(input, gradOutput, -lr)
   inside.gradWeight, self.gradBias = gradWeight, gradBias
end

function PartialLinear:clearState()
   self.network:clearState()
   nn.utils.clear(self, '_partition')
   return nn.Module.clearState(self)
end

function PartialLinear:__tostring__()
   local weight = rows(self).weight
   return ('%s(%d -> %d)%s'):format(torch.typename(self), weight:size(2), weight:size(1),
      self.bias and '' or ' without bias')
end
