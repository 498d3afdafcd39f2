--- The option `distillation`: a large network tells the one that is trained what it finds likely.
-- @module torch.train.trainer.teaching

local torch = require 'torch'
local nn = require 'nn'
local options = require 'torch.options'

local M = {}

local fail = options.fail
local TITLE = 'train.Trainer: distillation'

local KNOWN = { teacher = 'any', temperature = 'positive', share = 'share' }

-- Of these nn.DistillationCriterion has the classes' part: what it makes of scores it makes of
-- log-probabilities.
local CLASSES = { ['nn.CrossEntropyCriterion'] = true, ['nn.ClassNLLCriterion'] = true }

local Teacher = {}
Teacher.__index = Teacher

local function check_criterion(criterion)
   local name = torch.typename(criterion)
   if not CLASSES[name] then
      fail('%s is for nn.CrossEntropyCriterion and nn.ClassNLLCriterion; the criterion is %s',
         TITLE, options.describe(criterion))
   end
   local nll = criterion.nll or criterion
   if criterion.weights or nll.weights or criterion.sizeAverage == false
      or nll.sizeAverage == false or (nll.ignoreIndex or -100) > 0 then
      fail('%s: the %s has weights, sums or an ignoreIndex, expected the plain mean over samples',
         TITLE, name)
   end
end

--- What a Trainer's option makes; nil where there is none.
function M.of(self, settings)
   local given = settings.distillation
   if given == nil then
      return nil
   end
   options.check(TITLE, given, KNOWN)
   if not torch.isTypeOf(given.teacher, 'nn.Module') then
      fail('%s: teacher is %s, expected a network (nn.Module)', TITLE,
         options.describe(given.teacher))
   end
   check_criterion(settings.criterion)
   local criterion = nn.DistillationCriterion(given.temperature, given.share)
   criterion:type(self.place.type or settings.model:type())
   if self.place.type then
      given.teacher:type(self.place.type)
   end
   given.teacher:evaluate()
   return setmetatable({ network = given.teacher, criterion = criterion }, Teacher)
end

--- The teacher's scores for a batch, and its classes.
function Teacher:target(sample)
   local scores = torch.noGrad(function() return self.network:forward(sample.input) end)
   return { scores, sample.target }
end

return M
