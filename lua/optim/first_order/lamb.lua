--- LAMB: Adam's direction, with each layer's step in proportion to the size of its weights, for
-- large batches.
--
-- m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;  u = mhat / (sqrt(vhat) + eps) + weightDecay x
-- x <- x - lr r u, for each layer r = |x| / |u|, 1 where either is 0
-- Source: You et al., "Large batch optimization for deep learning", ICLR 2020 (arXiv:1904.00962),
-- Algorithm 2, with phi(z) = z.

local torch = require 'torch'
local on_variables = require 'optim.on_variables'
local parts = require 'optim.parts'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'
local like = require('torch.ffi').like

-- x <- x - rate |x| / |u| u. The host does not learn the norms: on a device it would wait for them.
local function trust(x, u, rate)
   local length, step_length = x:view(1, -1):norm(2, 2), u:view(1, -1):norm(2, 2)
   local zero = length:eq(0):cmax(step_length:eq(0))
   local ratio = length:maskedFill(zero, 1):cdiv(step_length:maskedFill(zero, 1))
   x:addcmul(-rate, u, ratio:view(1):expandAs(u))
end

local default = options.declare('lamb', {
   learningRate = 1e-3, learningRateDecay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-6,
   weightDecay = 0.01, parameters = false, shapes = false,
}, 't m v parts direction')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999),
-- epsilon (1e-6), weightDecay (0.01); parameters (the list of `net:parameters()`, or the network)
-- or shapes (a list of sizes): the layers' tensors in x, which is one layer without
-- @param[opt] state table: t (steps), m, v, parts; defaults to config
-- @return x, { loss before the step }
-- @raise "lamb: the 2 shapes have 20 elements, x has 12"
-- @usage optim.lamb(feval, parameters, { learningRate = 2e-3, parameters = net }, state)
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.05 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 200 do optim.lamb(square, x, config) end
-- x:norm() < 1 --> true
local function lamb(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(lamb, opfunc, x, config, state)
   end
   config = step.arguments('lamb', opfunc, x, config, state)
   state = state or config
   local beta1 = config.beta1 or default.beta1
   local beta2 = config.beta2 or default.beta2

   local fx, g = step.evaluate('lamb', opfunc, x)
   local steps = state.t or 0
   local rate = step.rate('lamb', config, default.learningRate, steps)
   local list = parts.of('lamb', x, config, state)
   if not state.m then
      state.m, state.v = step.zeros(x, g), step.zeros(x, g)
   end
   local t = steps + 1
   local flat = parts.flat('lamb', 'x', x)
   -- The step from 0 is -mhat / (sqrt(vhat) + eps).
   local u = state.direction
   if torch.type(u) ~= torch.type(x) then
      u = like(x)
      state.direction = u
   end
   u:resizeAs(flat):zero()
   ops.adam_step('lamb', state, u, g, state.m, state.v, -1 / (1 - beta1 ^ t), 0, beta1, beta2,
      1 / math.sqrt(1 - beta2 ^ t), config.epsilon or default.epsilon, 0, 0)
   u:add(config.weightDecay or default.weightDecay, flat)
   for i = 1, #list do
      local first, count = list[i].first, list[i].count
      trust(flat:narrow(1, first, count), u:narrow(1, first, count), rate)
   end
   state.t = t
   return x, { fx }
end

return lamb
