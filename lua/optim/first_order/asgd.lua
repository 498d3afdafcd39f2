--- Averaged stochastic gradient descent, with a decaying rate and an L2 penalty.
--
-- x <- (1 - lambda eta_t) x - eta_t g;  eta_t = eta0 / (1 + lambda eta0 t)^alpha
-- ax is the mean of x over the steps after t0.
-- Source: Polyak and Juditsky, SIAM J. Control Optim. 30 (1992); the rates are Bottou's.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local ops = require 'optim.ops'

local default = options.declare('asgd', {
   eta0 = 1e-4, lambda = 1e-4, alpha = 0.75, t0 = 1e6,
}, 't eta_t mu_t ax')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: eta0 (1e-4), lambda (1e-4), alpha (0.75), t0 (1e6)
-- @param[opt] state table: t (steps), eta_t, mu_t, ax; defaults to config
-- @return x, { loss before the step }, ax
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { eta0 = 0.1 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 100 do optim.asgd(square, x, config) end
-- x:norm() < 0.01 --> true
local function asgd(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(asgd, opfunc, x, config, state)
   end
   config = step.arguments('asgd', opfunc, x, config, state)
   state = state or config
   local eta0 = config.eta0 or default.eta0
   local lambda = config.lambda or default.lambda
   local alpha = config.alpha or default.alpha
   local t0 = config.t0 or default.t0
   local eta, share = state.eta_t or eta0, state.mu_t or 1

   local fx, g = step.evaluate('asgd', opfunc, x)
   local ax = state.ax
   if not ax then
      ax = step.zeros(x, x)
      state.ax = ax
   end
   ops.asgd_step('asgd', state, x, g, ax, eta, 1 - lambda * eta, share)

   local t = (state.t or 0) + 1
   state.t = t
   state.eta_t = eta0 / (1 + lambda * eta0 * t) ^ alpha
   state.mu_t = 1 / math.max(1, t - t0)
   return x, { fx }, ax
end

return asgd
