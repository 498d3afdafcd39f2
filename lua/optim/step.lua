--- What the optimisers share: evaluating the loss, and weight decay.

local torch = require 'torch'
local raise = require('torch.errors').raise

local step = {}

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
