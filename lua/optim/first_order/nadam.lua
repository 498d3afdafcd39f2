--- NAdam: Adam with Nesterov's look ahead.
--
-- m <- b1 m + (1-b1) g;  v <- b2 v + (1-b2) g^2;  mu_t = b1 (1 - 0.96^(t momentumDecay) / 2)
-- p_t = mu_1 ... mu_t;  mbar = mu_{t+1} m / (1 - p_{t+1}) + (1 - mu_t) g / (1 - p_t)
-- x <- x - lr mbar / (sqrt(v / (1-b2^t)) + eps)
-- Source: Dozat, "Incorporating Nesterov momentum into Adam", ICLR 2016 workshop, Algorithm 2, with
-- the momentum's schedule of its section 3.

local on_variables = require 'optim.on_variables'
local moments = require 'optim.first_order.moments'
local options = require 'optim.options'
local step = require 'optim.step'

local default = options.declare('nadam', {
   learningRate = 2e-3, learningRateDecay = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8,
   momentumDecay = 4e-3, weightDecay = 0,
}, 't m v product')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (2e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999),
-- epsilon (1e-8), momentumDecay (4e-3), weightDecay (0)
-- @param[opt] state table: t (steps), m, v, product (p_t); defaults to config
-- @return x, { loss before the step }
-- @usage optim.nadam(feval, parameters, { learningRate = 2e-3 }, state)
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 500 do optim.nadam(square, x, config) end
-- x:norm() < 0.01 --> true
local function nadam(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(nadam, opfunc, x, config, state)
   end
   config = step.arguments('nadam', opfunc, x, config, state)
   state = state or config
   local beta1 = config.beta1 or default.beta1
   local beta2 = config.beta2 or default.beta2
   local epsilon = config.epsilon or default.epsilon
   local momentumDecay = config.momentumDecay or default.momentumDecay

   local fx, g = step.evaluate('nadam', opfunc, x)
   local steps = moments.of(state, x, g)
   local rate = step.rate('nadam', config, default.learningRate, steps)
   local t = steps + 1
   local mu = beta1 * (1 - 0.5 * 0.96 ^ (t * momentumDecay))
   local ahead = beta1 * (1 - 0.5 * 0.96 ^ ((t + 1) * momentumDecay))
   local product = (state.product or 1) * mu
   moments.step('nadam', state, x, g, rate * ahead / (1 - product * ahead),
      rate * (1 - mu) / (1 - product), beta1, beta2, 1 / math.sqrt(1 - beta2 ^ t), epsilon,
      config.weightDecay or default.weightDecay, 1)
   state.product = product
   state.t = t
   return x, { fx }
end

return nadam
