--- What the optimisers share: evaluating the loss, and weight decay.

local torch = require 'torch'
local raise = require('torch.errors').raise

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

--- Check the arguments that all optimisers have.
-- @string name the optimiser, for errors
-- @return config, or a new table where it is nil
function step.arguments(name, opfunc, x, config)
   step.callable(name, 'opfunc', opfunc, 'a function that is given x and returns loss, gradient')
   if not torch.isTensor(x) then
      refuse(name, 'x', x, 'the tensor of parameters, such as net:getParameters() gives')
   elseif config ~= nil and type(config) ~= 'table' then
      refuse(name, 'config', config, 'a table such as { learningRate = 0.1 }')
   end
   return config or {}
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

--- dfdx += weightDecay * x, in the tensor that opfunc returned.
function step.decay(dfdx, x, weightDecay)
   if weightDecay and weightDecay ~= 0 then
      dfdx:add(weightDecay, x)
   end
end

--- dfdx += weightDecays .* x, by way of a buffer in `state`.
function step.decayEach(dfdx, x, weightDecays, state)
   if not state.decayParameters then
      state.decayParameters = x.new():resizeAs(dfdx)
   end
   dfdx:add(state.decayParameters:copy(weightDecays):cmul(x))
end

--- A tensor of zeros of the type of `x` and the shape of `like`.
function step.zeros(x, like)
   return x.new():resizeAs(like):zero()
end

return step
