--- Loss and gradient of a batch, by layers and a criterion or by a function of Variables.
-- @module torch.train.trainer.compute

local torch = require 'torch'
local nested = require 'nn.nested'
local options = require 'torch.train.options'

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
   local like = self.state.parameters
   if torch.isTensor(x) and like:nElement() > 0
      and (x.device_type ~= like.device_type or is_floating(x) and x.dtype ~= like.dtype) then
      fail("train.Trainer: input of batch %d is a %s, the model's parameters are a %s; "
         .. "device = 'cpu' or 'cuda' moves both, or convert one: model:type('%s')",
         self.state.batch, torch.typename(x), torch.typename(like), torch.typename(x))
   end
end

-- A batch as it came -> one that the network can take.
function M.sample(self, sample)
   if type(sample) ~= 'table' then
      fail('train.Trainer: batch %d is %s, expected a table such as { input = tensor, target = '
         .. 'tensor }',
         self.state.batch, options.came(sample))
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
         options.came(loss))
   elseif loss:nElement() ~= 1 then
      fail('train.Trainer: the loss is a %s of %s, no scalar: reduce it, as by loss:mean()',
         torch.typename(loss), table.concat(loss:size():totable(), 'x'))
   end
   local number = loss
   if self.loss then
      number = loss:detach()
   end
   return number:contiguous():view(1)[1]
end

-- The loss as a number, and the tensor that it is where it is one; the output for the metrics is
-- left in the state.
local function forward(self, sample)
   local state = self.state
   if self.loss then
      local loss, output = self.loss(state.network, sample)
      state.output = output
      self.engine:call('onForward', state)
      if torch.isTensor(loss) and state.training and not loss:isVariable() then
         fail('train.Trainer: the loss is no Variable: nothing that it was computed from requires '
            .. 'a gradient')
      end
      state.loss = as_number(self, loss)
      self.engine:call('onForwardCriterion', state)
      return loss
   end
   state.output = state.network:forward(sample.input)
   self.engine:call('onForward', state)
   state.loss = as_number(self, self.criterion:forward(state.output, sample.target))
   self.engine:call('onForwardCriterion', state)
end

local function scaled(self, nest)
   local scaler = self.scaler
   if not scaler then
      return nest
   end
   nested.each(function(g)
      g:mul(scaler.scale)
   end, nest)
   return nest
end

--- Add a batch's gradient to those that are there; the loss is left in the state.
function M.gradient(self, sample)
   local state = self.state
   state.sample = sample
   self.engine:call('onSample', state)
   local loss = forward(self, state.sample)
   if self.loss then
      if type(loss) == 'number' then
         fail('train.Trainer: the loss is a number, expected a Variable, which its gradient comes '
            .. 'from')
      end
      loss:backward(loss:detach():clone():fill(self.scaler and self.scaler.scale or 1))
   else
      local slope = self.criterion:backward(state.output, state.sample.target)
      self.engine:call('onBackwardCriterion', state)
      state.network:backward(state.sample.input, scaled(self, slope))
   end
   self.engine:call('onBackward', state)
end

--- The loss of a batch alone, for evaluation.
function M.loss(self, sample)
   local state = self.state
   state.sample = sample
   self.engine:call('onSample', state)
   if self.loss then
      torch.noGrad(function()
         forward(self, state.sample)
      end)
   else
      forward(self, state.sample)
   end
end

--- How many samples a batch has.
function M.count(sample)
   local first = sample.input
   while type(first) == 'table' do
      first = first[1] or select(2, next(first))
   end
   return torch.isTensor(first) and first:dim() > 0 and first:size(1) or 1
end

return M
