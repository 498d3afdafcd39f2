--- Loss and gradient of a batch, by layers and a criterion or by a function of Variables.
-- @module torch.train.trainer.compute

local torch = require 'torch'
local nested = require 'nn.nested'
local refusal = require 'nn.base.refusal'
local shapes = require 'torch.functions.shapes'
local trace = require 'torch.errors.trace'
local sums = require 'nn.base.sums'
local sorted_keys = require 'xlua.sorted_keys'
local options = require 'torch.options'
local stages = require 'torch.train.trainer.stages'
local vectors = require 'torch.train.trainer.vectors'
local workers = require 'torch.train.trainer.workers'

local M = {}

local fail = options.fail

local function keys_of(sample)
   local keys = {}
   for key in pairs(sample) do
      keys[#keys + 1] = tostring(key)
   end
   table.sort(keys)
   return #keys > 0 and table.concat(keys, ', ') or 'nothing'
end

-- Only layers that look things up take whole numbers; of float and double, the network has one.
local FLOATING = { torch.FloatTensor(), torch.DoubleTensor() }

local function is_floating(t)
   return t.dtype == FLOATING[1].dtype or t.dtype == FLOATING[2].dtype
end

local function check_type(self, x)
   local like = vectors.first(self.state.parameters)
   if torch.isTensor(x) and like:nElement() > 0
      and (x.device_type ~= like.device_type or is_floating(x) and x.dtype ~= like.dtype) then
      fail("train.Trainer: input of batch %d is a %s, the model's parameters are a %s; "
         .. "device = 'cpu' (of floats) or 'cuda' moves both, or convert the model%s: "
         .. "model:type('%s')",
         self.state.batch, torch.typename(x), torch.typename(like),
         self.loss and '' or ' and the criterion', torch.typename(x))
   end
end

-- A batch as it came -> one that the network can take.
function M.sample(self, sample)
   if type(sample) ~= 'table' then
      fail('train.Trainer: batch %d is %s, expected a table such as { input = tensor, target = '
         .. 'tensor }',
         self.state.batch, options.describe(sample))
   end
   sample = self.place.type and self.move(self.place, sample) or sample
   if not self.loss then
      if sample.input == nil or sample.target == nil then
         fail('train.Trainer: batch %d has no %s (it has %s); a criterion needs input and target; '
            .. 'loss = function(model, batch) ... end takes others', self.state.batch,
            sample.input == nil and 'input' or 'target', keys_of(sample))
      elseif not self.place.type then
         check_type(self, sample.input)
      end
   end
   return sample
end

local function as_number(self, loss)
   if type(loss) == 'number' then
      return loss
   elseif not torch.isTensor(loss) then
      fail('train.Trainer: the loss is %s, expected a number or a tensor of one element',
         options.describe(loss))
   elseif loss:nElement() ~= 1 then
      fail('train.Trainer: the loss is a %s of %s, no scalar: reduce it, as by loss:mean()',
         torch.typename(loss), shapes.text(loss))
   end
   local number = loss
   if self.loss then
      number = loss:detach()
   end
   return number:contiguous():view(1)[1]
end

-- What the script's loss gives. A failure about a value of another kind says what it was called
-- with: loss(x, y) takes the model for a tensor.
local function own_loss(self, sample)
   local network = self.state.network
   local ok, loss, output = xpcall(self.loss, trace.keep, network, sample)
   if ok then
      return loss, output
   elseif type(loss) == 'string' then
      local first = loss:match '^[^\n]*'
      local operator = first:find ' operator' and first:find(torch.typename(network), 1, true)
      if operator or first:find ': attempt to ' then
         loss = first .. ' (the loss is called with the model and the batch: loss = '
            .. 'function(model, batch) ... end)' .. loss:sub(#first + 1)
      end
   end
   trace.rethrow(loss)
end

-- Why a loss has no gradient, where recording is switched off.
local function not_recorded()
   return torch.isGradEnabled() and ''
      or '; operations are not recorded: torch.setGradEnabled(true) switches that on'
end

-- The loss as a number, and the tensor that it is where it is one; the output for the metrics is
-- left in the state.
local function forward(self, sample, criterion, target)
   local state = self.state
   if self.loss then
      local loss, output = workers.drawing(self, own_loss, self, sample)
      state.output = output
      self.engine:call('onForward', state)
      if torch.isTensor(loss) and state.training and not loss:isVariable() then
         fail('train.Trainer: the loss is no Variable: nothing that it was computed from requires '
            .. 'a gradient%s', not_recorded())
      end
      state.loss = as_number(self, loss)
      self.engine:call('onForwardCriterion', state)
      return loss
   end
   state.output = workers.drawing(self, state.network.forward, state.network, sample.input)
   self.engine:call('onForward', state)
   state.loss = as_number(self, criterion:forward(state.output, target))
   self.engine:call('onForwardCriterion', state)
end

-- f(...), in which losses are computed. What to do about one that is no number is the Trainer's to
-- say, in all processes alike, where it goes on.
local function measured(self, f, ...)
   if self.notFinite == 'error' then
      return f(...)
   end
   return refusal.without(f, ...)
end

local function scaled(factor, nest)
   if factor ~= 1 then
      nested.each(function(g)
         g:mul(factor)
      end, nest)
   end
   return nest
end

-- Processes that share rows need an answer. Batches of a step are only weighed by it: those of a
-- criterion with means and sums in it by what it says of itself.
local function sums_up(self)
   local criterion = self.criterion
   if not criterion then
      return false
   end
   local sum = sums(workers.divide(self) and 'train.Trainer' or nil, criterion)
   return sum == nil and criterion.sizeAverage == false or sum == true
end

-- What makes a sum over this process's rows of a batch one over as many rows of the whole.
local function whole_of(self, count, own)
   return workers.divide(self) and own > 0 and count / own or 1
end

-- How a batch, and this process's part of it, count. `weight`: the batch against the first of its
-- step; means count by their samples. `share`: what the part's slope is multiplied by, of which the
-- mean over processes is taken. `divisor`: what the step's loss is a mean over, in units of
-- `share`. `whole`: see whole_of.
-- @int count rows of the batch
-- @int own rows of this process
local function counted(self, count, own)
   local several = workers.divide(self)
   if not several and self.accumulate == 1 then
      return { rows = own, weight = 1, share = 1, divisor = 1, whole = 1 }
   elseif sums_up(self) then
      local size = several and self.workers.size or 1
      return { rows = own, weight = 1, share = own > 0 and size or 0, divisor = 1,
         whole = whole_of(self, count, own) }
   end
   self.unit = self.unit or count
   local weight = count / self.unit
   local share = several and own * self.workers.size / self.unit or weight
   return { rows = own, weight = weight, share = share, divisor = share, whole = 1 }
end

-- What the criterion of training looks at: the target, and what a teacher says.
local function lesson(self, sample)
   if self.teacher then
      return self.teacher.criterion, self.teacher:target(sample)
   end
   return self.criterion, sample.target
end

local function back(self, loss, sample, factor, criterion, target)
   local state = self.state
   if self.loss then
      loss:backward(loss:detach():clone():fill(factor))
   else
      local slope = criterion:backward(state.output, target)
      self.engine:call('onBackwardCriterion', state)
      state.network:backward(sample.input, scaled(factor, slope))
   end
end

-- Forward and back at once, micro-batch by micro-batch: as many in all processes, whose parts
-- differ by a row at most.
local function by_stages(self, sample, factor, criterion, target, rows)
   local state = self.state
   local size = workers.divide(self) and self.workers.size or 1
   local loss, output = workers.drawing(self, stages.gradient, self, sample, target, criterion,
      math.max(1, math.floor(rows / size)), factor)
   state.loss, state.output = as_number(self, loss), output
   for _, station in ipairs { 'onForward', 'onForwardCriterion', 'onBackwardCriterion',
      'onBackward' } do
      self.engine:call(station, state)
   end
end

--- Add a batch's gradient to those that are there; the loss is left in the state.
-- @param batch as it came
-- @bool last whether it is the last of the step: gradients are those of all processes then
-- @return rows of the batch, and how it counts
function M.gradient(self, batch, last)
   local state = self.state
   local part, own, rows = workers.part(self, batch, M.count)
   state.sample = M.sample(self, part)
   self.engine:call('onSample', state)
   workers.compare(self, state.sample)
   if not rows then
      rows = M.count(state.sample)
      own = rows
   end
   local counts = counted(self, rows, own)
   local factor = counts.share * (self.scaler and self.scaler.scale or 1)
   local criterion, target = lesson(self, state.sample)
   if self.stages then
      measured(self, by_stages, self, state.sample, factor, criterion, target, rows)
      if last and workers.divide(self) then
         workers.sum(self)
      end
      return rows, counts
   end
   local loss = measured(self, forward, self, state.sample, criterion, target)
   if type(loss) == 'number' then
      fail('train.Trainer: the loss is a number, expected a Variable, which its gradient comes '
         .. 'from%s', not_recorded())
   end
   if last and workers.divide(self) then
      workers.reduce(self, back, self, loss, state.sample, factor, criterion, target)
   else
      back(self, loss, state.sample, factor, criterion, target)
   end
   self.engine:call('onBackward', state)
   return rows, counts
end

--- The loss of a batch alone, for evaluation.
-- @return rows of it that count here, and the loss that these stand for
function M.loss(self, batch)
   local state = self.state
   local part, own, rows = workers.part(self, batch, M.count)
   local sample = M.sample(self, part)
   state.sample = sample
   self.engine:call('onSample', state)
   if self.loss then
      torch.noGrad(function()
         measured(self, forward, self, state.sample)
      end)
   else
      measured(self, forward, self, state.sample, self.criterion, state.sample.target)
   end
   own = own or M.count(state.sample)
   return own, state.loss * (sums_up(self) and whole_of(self, rows or own, own) or 1)
end

-- Rows of the first tensor of a nest.
local function rows(nest)
   if torch.isTensor(nest) then
      return nest:dim() > 0 and nest:size(1) or nil
   elseif nested.is_table(nest) then
      for _, key in ipairs(sorted_keys(nest)) do
         local n = rows(nest[key])
         if n then
            return n
         end
      end
   end
   return nil
end

--- How many samples a batch has: rows of its input, or of the first tensor in order of names.
function M.count(sample)
   return rows(sample.input) or rows(sample) or 1
end

local function detached(x)
   return torch.isTensor(x) and x:isVariable() and x:detach() or x
end

--- A nest of tensors that no gradient goes through.
function M.detached(nest)
   return nested.map(detached, nest)
end

return M
