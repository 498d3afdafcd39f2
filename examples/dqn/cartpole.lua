--- A cart on a track, and a pole that stands on it by a hinge. Pushed left or right at each step,
-- the cart is to keep the pole up.
--
-- The task is Barto, Sutton and Anderson's, IEEE Trans. SMC 13 (1983), in the form in which people
-- compare their results (Gym's CartPole-v0): without friction, from a random start near the top, a
-- reward of 1 for each step, at most 200 steps. The equations of motion are (23) and (24) of
-- Florian, "Correct equations for the dynamics of the cart-pole system" (2007), without friction.

local torch = require 'torch'

local GRAVITY = 9.8 -- m/s^2
local CART, POLE = 1.0, 0.1 -- kg
local HALF = 0.5 -- m, from the hinge to the pole's centre
local FORCE = 10 -- N
local STEP = 0.02 -- s
local MAX_X, MAX_ANGLE = 2.4, math.rad(12)

local CartPole = { ACTIONS = 2, STATES = 4, LIMIT = 200 }
CartPole.__index = CartPole

function CartPole.new()
   return setmetatable({}, CartPole):reset()
end

--- Begin an episode.
function CartPole:reset()
   self.x, self.v = torch.uniform(-0.05, 0.05), torch.uniform(-0.05, 0.05) -- m, m/s
   self.angle, self.spin = torch.uniform(-0.05, 0.05), torch.uniform(-0.05, 0.05) -- rad, rad/s
   self.steps = 0
   return self
end

--- Push the cart for one step.
-- @int action 1: left, 2: right
-- @treturn number the reward
-- @treturn boolean whether the pole fell or the cart left the track
-- @treturn boolean whether the episode is over, for that or because the time is up
function CartPole:step(action)
   local sin, cos = math.sin(self.angle), math.cos(self.angle)
   local push = (action == 2 and FORCE or -FORCE) + POLE * HALF * self.spin ^ 2 * sin
   local turn = (GRAVITY * sin - cos * push / (CART + POLE))
      / (HALF * (4 / 3 - POLE * cos ^ 2 / (CART + POLE)))
   local speed_up = (push - POLE * HALF * turn * cos) / (CART + POLE)
   self.x, self.v = self.x + STEP * self.v, self.v + STEP * speed_up
   self.angle, self.spin = self.angle + STEP * self.spin, self.spin + STEP * turn
   self.steps = self.steps + 1
   local failed = math.abs(self.x) > MAX_X or math.abs(self.angle) > MAX_ANGLE
   return 1, failed, failed or self.steps >= CartPole.LIMIT
end

--- Write what an agent sees into a tensor of 4 elements; returns it.
function CartPole:observe(state)
   state[1], state[2], state[3], state[4] = self.x, self.v, self.angle, self.spin
   return state
end

return CartPole
