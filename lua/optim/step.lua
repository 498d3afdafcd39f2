--- What the optimisers share: evaluating the loss, and weight decay.

local torch = require 'torch'
local detached = require 'torch.tensor.detached'
local options = require 'optim.options'
local whole = require 'optim.whole'
local raise = require('torch.errors').raise
local numeric = require('torch.arguments').numeric
local like = require('torch.ffi').like

local step = {}

local function refuse(name, what, value, wanted)
   local came = value == nil and 'nil' or 'a ' .. torch.type(value)
   raise(('%s: %s is %s, expected %s'):format(name, what, came, wanted))
end

--- Check that an argument can be called.
-- @string name the optimiser, for errors
-- @string what the argument
-- @string wanted what it should be
function step.callable(name, what, f, wanted)
   local meta = type(f) == 'table' and getmetatable(f) -- every tensor has a __call, which raises
   if type(f) ~= 'function' and not (type(meta) == 'table' and meta.__call) then
      refuse(name, what, f, wanted)
   end
end

--- Check the arguments that all optimisers have, and at a state's first step the options: their
-- names, and numbers that came as text, which become numbers.
-- @string name the optimiser, for errors
-- @tab[opt] state config in its place
-- @return config, or a new table where it is nil
function step.arguments(name, opfunc, x, config, state)
   step.callable(name, 'opfunc', opfunc, 'a function that is given x and returns loss, gradient')
   if type(x) == 'table' and torch.isTensor(x[1]) then -- of a network on several devices
      raise(('%s: x is a list of tensors, expected one; '):format(name)
         .. (whole(require('optim')[name]) and 'it looks at all parameters together, which must '
         .. 'be on one device for that. optim.groups { optim.adam }, and others that treat each '
         .. 'element for itself, take lists' or ('optim.groups { optim.%s } takes lists')
         :format(name)))
   elseif not torch.isTensor(x) then
      refuse(name, 'x', x, 'the tensor of parameters, such as net:getParameters() gives')
   elseif config ~= nil and type(config) ~= 'table' then
      refuse(name, 'config', config, 'a table such as { learningRate = 0.1 }')
   end
   config = config or {}
   options.check(name, config, state or config)
   if detached.any then
      detached.tell(x, 'optim.' .. name)
   end
   return config
end

--- Call `opfunc(x)` and check that what came back is a loss and a gradient for `x`.
-- @string name the optimiser, for errors
-- @return loss, gradient
function step.evaluate(name, opfunc, x)
   local fx, dfdx = opfunc(x)
   if not torch.isTensor(dfdx) then
      raise(
         ('%s: opfunc returned %s as gradient, expected a tensor: return loss, gradient'):format(
            name,
            dfdx == nil and 'nothing' or 'a ' .. torch.type(dfdx)
         )
      )
   end
   if dfdx:nElement() ~= x:nElement() then
      raise(
         ('%s: opfunc returned a gradient of %d elements for x of %d'):format(
            name,
            dfdx:nElement(),
            x:nElement()
         )
      )
   end
   return fx, dfdx
end

--- The rate of a step: `config.learningRate`, times what an attached schedule says, divided by
-- 1 + steps * learningRateDecay.
-- @string name the optimiser, for errors
-- @tab config its options
-- @number default the rate where there is none in config
-- @number steps how many were taken before
function step.rate(name, config, default, steps)
   local rate = config.learningRate or default
   if type(rate) ~= 'number' then
      rate = numeric(rate)
         or refuse(name, 'learningRate', rate, 'a number; optim.schedule.attach takes schedules')
   end
   local schedule = config.schedule
   if schedule then
      rate = rate * schedule(steps / (config.scheduleEvery or 1))
   end
   if rate ~= rate then
      raise(('%s: learningRate is NaN after %d steps; x has not changed. Look at what computes it'
         .. '%s'):format(name, steps, schedule and ', the schedule or learningRate itself' or ''))
   end
   local decay = config.learningRateDecay
   return decay and rate / (1 + steps * decay) or rate
end

--- dfdx + weightDecays .* x, in a buffer in `state`.
function step.decayEach(dfdx, x, weightDecays, state)
   local buffer = state.decayParameters
   if not buffer then
      buffer = like(x):resizeAs(dfdx)
      state.decayParameters = buffer
   end
   return buffer:resizeAs(dfdx):copy(weightDecays):cmul(x):add(dfdx)
end

--- A tensor of zeros of the type and on the device of `x`, of the shape of `other`.
function step.zeros(x, other)
   return like(x):resizeAs(other):zero()
end

-- The name of a tensor in a state.
local function field(state, tensor)
   for name, value in pairs(state) do
      if torch.isTensor(value) and rawequal(value, tensor) then
         return name
      end
   end
   return 'tensor'
end

--- Say what is wrong with the tensors of a step that an operation refused, as far as it is known.
-- @string name the optimiser
-- @tab state where the tensors behind g come from
-- @param x parameters
-- @param g gradient
-- @param ... tensors of the state
function step.explain(name, state, x, g, ...)
   if torch.type(g) ~= torch.type(x) then
      raise(("%s: opfunc returned a gradient that is a %s, x is a %s; convert one: g:type('%s')")
         :format(name, torch.type(g), torch.type(x), torch.type(x)))
   end
   for i = 1, select('#', ...) do
      local s = select(i, ...)
      if not torch.isTensor(s) then
         raise(('%s: its state has lost a tensor (it has %s), so it cannot go on; give it an empty '
            .. 'table as state to start anew'):format(name, s == nil and 'nil' or 'a ' .. type(s)))
      end
      local what = field(state, s)
      if s:nElement() ~= x:nElement() then
         raise(('%s: %s of its state has %d elements, x has %d: a state belongs to the parameters '
            .. 'that it was made for. Load the one of this network, or give it an empty table to '
            .. 'start anew'):format(name, what, s:nElement(), x:nElement()))
      elseif torch.type(s) ~= torch.type(x) then
         raise(('%s: %s of its state is a %s, x is a %s; convert it: '
            .. "state.%s = state.%s:type('%s')"):format(name, what, torch.type(s), torch.type(x),
            what, what, torch.type(x)))
      end
   end
end

return step
