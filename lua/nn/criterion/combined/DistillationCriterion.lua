--- What a small net learns from a large one, and from the classes themselves:
--
--    loss = share T^2 KL(softmax(teacher / T) | softmax(input / T)) + (1 - share) cross entropy
--
-- A temperature T above 1 shows which wrong classes the teacher finds likely; T^2 keeps the
-- gradients as large as those of the classes. Both parts are means over samples.
--
-- Shapes: input N x C scores; target { the teacher's scores, N x C; N classes }, or with share = 1
-- the teacher's scores alone.
-- Source: Hinton, Vinyals and Dean, Distilling the Knowledge in a Neural Network, 2015
-- (arXiv:1503.02531).
-- @classmod nn.DistillationCriterion
-- @usage criterion:forward(student:forward(x), { teacher:forward(x), classes })
-- @example
-- local same = torch.Tensor { { 1, 2, 3 } }
-- nn.DistillationCriterion(4, 1):forward(same, same) --> 0
-- nn.DistillationCriterion(4, 0):forward(torch.zeros(1, 4), { torch.ones(1, 4),
--    torch.LongTensor { 2 } }) --> 1.3863

local nn = require 'nn'
local check = require 'nn.check'
local th = require 'torch.ffi'
local torch = require 'torch'

local DistillationCriterion = nn.declare('nn.DistillationCriterion', 'nn.Criterion', {
   arguments = [[
      temperature  number = 4    what scores are divided by
      share        number = 0.9  of the teacher, from 0 to 1
   ]],
   target = 'any',
})

function DistillationCriterion:__initialize(temperature, share)
   if not (temperature > 0 and temperature < math.huge) then
      check.fail(self, 'temperature is %g, expected a number above 0', temperature)
   elseif not (share >= 0 and share <= 1) then
      check.fail(self, 'share is %g, expected a number from 0 to 1', share)
   end
   self.classes = nn.CrossEntropyCriterion()
   self.soft = nn.LogSoftMax()
end

-- The teacher's scores and the classes, nil where these have no say.
local function parts(self, x, target)
   local teacher, classes = target, nil
   if not th.isTensor(target) then
      check.entries(self, target, 'target', 2, 'tensors: the teacher\'s scores, classes')
      teacher, classes = target[1], target[2]
   elseif self.share < 1 then
      check.fail(self, 'target is %s, expected { the teacher\'s scores, classes }',
         check.describe(target))
   end
   check.same_type(self, x, 'input', teacher, "the teacher's scores")
   if x.ndim ~= 2 or not teacher:isSameSizeAs(x) then
      check.fail(self, 'input is %s and the teacher\'s scores are %s, expected N x C of both',
         check.describe(x), check.describe(teacher))
   end
   return teacher, self.share < 1 and classes or nil
end

-- Log-probabilities at the temperature, in memory of their own.
local function log_probabilities(self, x)
   return self.soft:updateOutput(torch.div(x, self.temperature)):clone()
end

function DistillationCriterion:__computeOutput(_, x, target)
   local teacher, classes = parts(self, x, target)
   local T, N = self.temperature, x:size(1)
   local log_p, log_q = log_probabilities(self, teacher), log_probabilities(self, x)
   local kl = torch.exp(log_p):cmul(log_p:add(-1, log_q)):sum() / N
   local loss = self.share * T * T * kl
   if classes then
      loss = loss + (1 - self.share) * self.classes:updateOutput(x, classes)
   end
   return loss
end

-- T^2 dKL/dx = T (q - p) / N
function DistillationCriterion:__computeGradInput(gx, x, target)
   local teacher, classes = parts(self, x, target)
   gx:resizeAs(x):copy(log_probabilities(self, x):exp())
   gx:add(-1, log_probabilities(self, teacher):exp())
   gx:mul(self.share * self.temperature / x:size(1))
   if classes then
      self.classes:updateOutput(x, classes)
      gx:add(1 - self.share, self.classes:updateGradInput(x, classes))
   end
   return gx
end
