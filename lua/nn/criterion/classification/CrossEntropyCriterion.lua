--- Cross entropy of scores and classes: nn.LogSoftMax and nn.ClassNLLCriterion in one.
--
-- With labelSmoothing = e, a target stands for a share 1 - e of its class and e / nClasses of every
-- class. Targets may be probabilities as well, one for each score, as mixed samples have them
-- (dataset.transform.Mixup): -w[c] q[c] log p[c], summed over classes c and averaged over rows.
-- Shapes: input N x nClasses and N targets, or nClasses and one target; dimensions of size 1 are
-- dropped. Probabilities are real numbers in the input's shape, which may be nClasses x H x W or
-- N x nClasses x H x W as well, with a row for each place.
-- Source of smoothing: Szegedy et al., Rethinking the Inception Architecture, 2015
-- (arXiv:1512.00567).
-- @classmod nn.CrossEntropyCriterion
-- @example
-- nn.CrossEntropyCriterion():forward(torch.zeros(2, 4), torch.LongTensor { 1, 4 }) --> 1.3863
-- local scores, shares = torch.Tensor { { 1, 2, 3 } }, torch.Tensor { { 0.25, 0, 0.75 } }
-- nn.CrossEntropyCriterion():forward(scores, shares) --> 0.9076

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local types = require 'torch.types'

local CrossEntropyCriterion = nn.declare('nn.CrossEntropyCriterion', 'nn.Criterion', {
   arguments = [[
      (weights)       vector?         a weight for each class
      sizeAverage     boolean = true  false: the sum instead of the mean
      labelSmoothing  number = 0      from 0 to less than 1
   ]],
   target = 'any',
})

function CrossEntropyCriterion:__initialize(weights, sizeAverage)
   self.lsm = nn.LogSoftMax()
   self.nll = nn.ClassNLLCriterion(weights, sizeAverage)
   self.oldSizeAverage = sizeAverage
   if self.labelSmoothing < 0 or self.labelSmoothing >= 1 then
      check.fail(self, 'labelSmoothing is %g, expected 0 to less than 1', self.labelSmoothing)
   end
end

-- The dimension of the classes, as nn.LogSoftMax has it, counted from 1.
local function class_dim(x)
   return 2 - x.ndim % 2
end

-- The weights of the classes in the sizes of x.
local function weights_like(self, x)
   local shape = {}
   for d = 1, x.ndim do
      shape[d] = d == class_dim(x) and x:size(d) or 1
   end
   local weights = self.nll.weights
   if weights:nElement() ~= x:size(class_dim(x)) then
      check.fail(self, 'input has %d classes, there are weights of %d', x:size(class_dim(x)),
         weights:nElement())
   end
   return weights:contiguous():view(unpack(shape)):expandAs(x)
end

-- The weights of log-probabilities x in the smooth part of the loss: of classes, 0 where the target
-- is ignored; the factor is in front.
local function smooth_weights(self, x, t)
   local nll = self.nll
   local w, classes = x.new():resizeAs(x):fill(1), x:size(x.ndim)
   if nll.weights then
      w:cmul(weights_like(self, x))
   end
   if torch.isTensor(t) and x.ndim == 2 then
      w:cmul(t:ne(nll.ignoreIndex):typeAs(x):view(-1, 1):expandAs(x))
   elseif (torch.isTensor(t) and t[1] or t) == nll.ignoreIndex then
      w:zero()
   end
   local total = nll.sizeAverage and nll.total_weight_tensor[1] or 1
   return w:mul(total == 0 and 0 or -self.labelSmoothing / (classes * total))
end

-- Whether targets are probabilities: real numbers, one for each score of more than one class.
local function is_soft(x, t)
   if not torch.isTensor(t) or t.ndim ~= x.ndim or not t:isSameSizeAs(x) then
      return false
   end
   return types.isFloating(t.dtype) and x.ndim <= 4 and x:size(class_dim(x)) > 1
end

-- How many dimensions are not of size 1.
local function extent(x)
   local n = 0
   for d = 1, x.ndim do
      n = n + (x:size(d) == 1 and 0 or 1)
   end
   return n
end

local function check_form(self, x, t)
   if is_soft(x, t) then
      return
   end
   local shape = torch.isTensor(t) and t.ndim > 1 and t:isSameSizeAs(x) and t:nElement() > 1
   if extent(x) > (shape and 1 or 2) then
      check.fail(self, 'input is %s and target %s, expected N x nClasses with N classes, or '
         .. 'probabilities in the shape of the input, which are real numbers', check.describe(x),
         torch.isTensor(t) and check.describe(t) or torch.type(t))
   elseif x.ndim == 1 and x.sizes[0] > 1 and torch.isTensor(t) and t.ndim == 1
      and t:nElement() > 1 then
      check.fail(self, 'input is %s, one sample, and target %s: expected one class, or '
         .. 'probabilities, which are real numbers', check.describe(x), check.describe(t))
   end
end

-- Scores and targets without dimensions of size 1; passes the option on.
local function prepared(self, x, t)
   check_form(self, x, t)
   if not is_soft(x, t) then
      if x.ndim > 2 or (x.ndim == 2 and x:size(1) == 1) then
         x = x:nElement() > 1 and x:squeeze() or x:view(1) -- squeeze gives a number of one element
      end
      if torch.isTensor(t) and t.ndim > 1 then
         t = t:squeeze()
      end
   end
   if self.sizeAverage ~= self.oldSizeAverage then -- else it may have been set in `nll`
      self.nll.sizeAverage = self.sizeAverage
      self.oldSizeAverage = self.sizeAverage
   end
   return x, t
end

-- The weights of log-probabilities x where targets are probabilities t.
local function soft_weights(self, x, t)
   local smoothing, classes = self.labelSmoothing, x:size(class_dim(x))
   local w = x.new():resizeAs(x):copy(t):mul(1 - smoothing):add(smoothing / classes)
   if self.nll.weights then
      w:cmul(weights_like(self, x))
   end
   return w:mul(self.nll.sizeAverage and -classes / x:nElement() or -1)
end

-- Within a record that is differentiated itself: of the loss as a Variable.
function CrossEntropyCriterion:__recorded(x, t)
   x, t = prepared(self, x, t)
   local log_p = self.lsm:updateOutput(x)
   if is_soft(log_p, t) then
      return torch.cmul(soft_weights(self, log_p, t), log_p):sum()
   end
   local loss, smoothing = self.nll:forward(log_p, t), self.labelSmoothing
   if smoothing == 0 then
      return loss
   end
   return loss * (1 - smoothing) + torch.cmul(smooth_weights(self, log_p, t), log_p):sum()
end

function CrossEntropyCriterion:__computeOutput(_, x, t)
   if self.gradInput == nil then
      check.missing(self, 'gradInput')
   end
   if not (self.lsm and self.nll) then
      check.fail(self, 'its field %s is nil, expected nn.%s', self.lsm and 'nll' or 'lsm',
         self.lsm and 'ClassNLLCriterion' or 'LogSoftMax')
   end
   check.tensor(self, self.gradInput, x, 'input') -- the layer inside has one type
   x, t = prepared(self, x, t)
   local log_p = self.lsm:updateOutput(x)
   if is_soft(log_p, t) then
      return soft_weights(self, log_p, t):cmul(log_p):sum()
   end
   local loss = (self.nll:updateOutput(log_p, t))
   local smoothing = self.labelSmoothing
   if smoothing == 0 then
      return loss
   end
   return (1 - smoothing) * loss + smooth_weights(self, log_p, t):cmul(log_p):sum()
end

function CrossEntropyCriterion:__computeGradInput(gx, x, t)
   local scores, classes = prepared(self, x, t)
   local log_p = self.lsm.output
   if is_soft(log_p, classes) then
      return gx:view(self.lsm:updateGradInput(scores, soft_weights(self, log_p, classes)), x:size())
   end
   local g = self.nll:updateGradInput(log_p, classes)
   if self.labelSmoothing > 0 then
      g:mul(1 - self.labelSmoothing):add(smooth_weights(self, log_p, classes))
   end
   return gx:view(self.lsm:updateGradInput(scores, g), x:size())
end
