--- Connectionist temporal classification: labels of a sequence without their places.
--
-- The loss of a sample is -log of the probability that the classes of its frames, drawn from the
-- softmax of each frame's scores, are its labels when repetitions are taken once and blanks are
-- left out; the mean over the samples. Labels are class numbers, any but `blank`. A sample that is
-- too short for its labels has the loss math.huge and the gradient 0.
--
-- Half and bfloat16 are computed in float. A score of -math.huge makes its class impossible; what
-- lies behind a sample's frames has no effect.
--
-- Shapes: scores T x N x C (N x T x C with `batchFirst`) and a table of N tables or tensors of
-- labels, or a tensor of N x L padded with 0; or T x C and one table or tensor of labels. `forward`
-- and `backward` take the samples' numbers of frames as a third argument, a table or tensor of N.
-- Source: Graves et al., Connectionist Temporal Classification, 2006.
-- @classmod nn.CTCCriterion
-- @usage loss = nn.CTCCriterion():forward(torch.randn(20, 2, 5), { { 2, 3, 3 }, { 4 } })
-- @example
-- local scores = torch.zeros(6, 1, 4)
-- nn.CTCCriterion():forward(scores, { { 2, 3 } }) --> 4.0693

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local device = require 'nn.base.device'
local ops = require 'nn.base.ops'
local lattice = require 'nn.criterion.classification.ctc_lattice'
local th = require 'torch.ffi'
local types = require 'torch.types'

local C = th.C
local elsewhere, there = device.elsewhere, device.there

local CTC, Parent = torch.class('nn.CTCCriterion', 'nn.Criterion', nn)

--- Make the criterion.
-- @int[opt=1] blank the class that stands for no label
-- @bool[opt=true] sizeAverage false: the sum over the samples instead of the mean
-- @bool[opt=false] batchFirst scores are N x T x C
function CTC:__init(blank, sizeAverage, batchFirst)
   Parent.__init(self)
   self.blank = blank or 1
   self.sizeAverage = sizeAverage ~= false
   self.batchFirst = batchFirst or false
end

--- The loss.
-- @tparam Tensor input scores
-- @param target labels
-- @param[opt] sizes numbers of frames
-- @treturn number self.output
function CTC:forward(input, target, sizes)
   if types.several and elsewhere(input) then
      return there(CTC.forward, self, input, target, sizes)
   end
   return self:updateOutput(input, target, sizes)
end

--- dloss/dinput.
-- @tparam Tensor input scores
-- @param target labels
-- @param[opt] sizes numbers of frames
-- @return self.gradInput
function CTC:backward(input, target, sizes)
   if types.several and elsewhere(input) then
      return there(CTC.backward, self, input, target, sizes)
   end
   return self:updateGradInput(input, target, sizes)
end

-- Log-probabilities T x N x C of the scores.
local function log_probabilities(self, input)
   check.any_tensor(self, input, 'input')
   if self.gradInput == nil then
      check.missing(self, 'gradInput')
   end
   check.tensor(self, self.gradInput, input, 'input')
   local x = input
   if x:dim() == 2 then
      x = x:reshape(x:size(1), 1, x:size(2))
   elseif x:dim() ~= 3 then
      check.fail(self, 'input is %s, expected T x C or %s', check.describe(x),
         self.batchFirst and 'N x T x C' or 'T x N x C')
   elseif self.batchFirst then
      x = x:transpose(1, 2)
   end
   if x.dtype == C.TH_HALF or x.dtype == C.TH_BFLOAT16 then
      x = th.likeType(x, C.TH_FLOAT):resize(x:size()):copy(x)
   end
   return ops.log_softmax(self, x.new(), x, 2)
end

-- A table of numbers, from one or from a tensor.
local function numbers(self, list, name)
   if torch.isTensor(list) then
      return list:dim() == 0 and {} or list:contiguous():view(-1):totable()
   end
   local plain = torch.type(list) == 'table'
   for _, value in ipairs(plain and list or {}) do
      plain = plain and type(value) == 'number'
   end
   if not plain then
      check.fail(self, '%s is %s, expected a table or tensor of numbers', name, check.given(list))
   end
   return list
end

local function is_between(number, low, high)
   return number >= low and number <= high and number % 1 == 0
end

-- A table of labels for each sample, checked.
local function labels_of(self, target, samples, classes, single)
   local lists = single and { target } or target
   if torch.isTensor(target) and not single then
      lists = target:dim() == 2 and target:totable() or { target }
   end
   if torch.type(lists) ~= 'table' or #lists ~= samples then
      check.fail(self, 'target is %s, expected the labels of %d samples',
         torch.type(lists) == 'table' and ('of %d'):format(#lists) or check.given(target), samples)
   end
   local labels = {}
   for n, list in ipairs(lists) do
      labels[n] = {}
      for i, label in ipairs(numbers(self, list, ('target %d'):format(n))) do
         if label == 0 then -- padding
            break
         elseif not is_between(label, 1, classes) or label == self.blank then
            check.fail(self, 'label %d of target %d is %g, expected a class from 1 to %d but the '
               .. 'blank, %d', i, n, label, classes, self.blank)
         end
         labels[n][i] = label
      end
   end
   return labels
end

local function frames_of(self, sizes, frames, samples)
   if sizes == nil then
      return nil
   end
   local list = numbers(self, sizes, 'sizes')
   if #list ~= samples then
      check.fail(self, 'sizes has %d numbers, expected %d', #list, samples)
   end
   for n = 1, samples do
      if not is_between(list[n], 1, frames) then
         check.fail(self, 'size %d is %g, expected 1 to %d', n, list[n], frames)
      end
   end
   return list
end

function CTC:updateOutput(input, target, sizes)
   local log_p = log_probabilities(self, input)
   local T, N, classes = log_p:size(1), log_p:size(2), log_p:size(3)
   local labels = labels_of(self, target, N, classes, input:dim() == 2)
   self.lattice = lattice.new(log_p, labels, frames_of(self, sizes, T, N), self.blank)
   self.costs = lattice.costs(self.lattice)
   self.output = self.costs:sum() / (self.sizeAverage and N or 1)
   return self.output
end

function CTC:updateGradInput(input, target, sizes)
   if not self.lattice then
      self:updateOutput(input, target, sizes)
   end
   check.tensor(self, self.gradInput, input, 'input')
   check.count(self, input, self.lattice.log_p, 'input')
   local g = lattice.gradient(self.lattice)
   if self.sizeAverage then
      g:div(g:size(2))
   end
   if input:dim() == 3 and self.batchFirst then
      g = g:transpose(1, 2)
   end
   local buffer = check.suits(self.gradInput, input.dtype, input) and self.gradInput or input.new()
   self.gradInput = buffer:resizeAs(input):copy(g)
   return self.gradInput
end

function CTC:type(...)
   self.lattice, self.costs = nil, nil
   return Parent.type(self, ...)
end

return CTC
