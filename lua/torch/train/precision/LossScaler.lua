--- A factor of the loss by which the gradients of half precision neither vanish nor overflow.
--
-- scale <- scale / 2 after a step whose gradients are not finite (that step is left out);
-- scale <- 2 scale after `interval` steps in a row that were.
-- Source: Micikevicius et al., "Mixed precision training", ICLR 2018 (arXiv:1710.03740), section
-- 3.2.
-- @classmod train.LossScaler
-- @example
-- local train = require 'torch.train'
-- local scaler = train.LossScaler { scale = 8 }
-- local g = torch.Tensor { 16, 8 }
-- local fine = scaler:unscale(g)
-- scaler:update(fine)
-- g, fine, scaler.scale --> { 2, 1 }, true, 8

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'

local LossScaler = torch.class('train.LossScaler', train)

local KNOWN = { scale = 'positive', interval = 'count', least = 'positive' }

--- @tab[opt] settings scale (65536), interval (2000), least (1e-4): below it nothing helps any more
function LossScaler:__init(settings)
   settings = options.check('train.LossScaler', settings or {}, KNOWN)
   self.scale, self.interval = settings.scale or 65536, settings.interval or 2000
   self.least = settings.least or 1e-4
   self.fine = 0 -- steps in a row
end

--- Divide gradients by the scale.
-- @param gradients a flat Tensor, or a list of them; in place
-- @return whether all are finite
function LossScaler:unscale(gradients)
   local sum = 0
   for _, g in ipairs(torch.isTensor(gradients) and { gradients } or gradients) do
      sum = sum + g:div(self.scale):norm()
   end
   return sum == sum and sum < math.huge
end

--- Adapt the scale after a step.
-- @bool fine what `unscale` gave
function LossScaler:update(fine)
   if not fine then
      self.scale, self.fine = self.scale / 2, 0
      return
   end
   self.fine = self.fine + 1
   if self.fine == self.interval then
      self.scale, self.fine = self.scale * 2, 0
   end
end

--- What `restore` takes.
function LossScaler:state()
   return { scale = self.scale, fine = self.fine }
end

--- Go on from a state.
function LossScaler:restore(state)
   self.scale, self.fine = state.scale, state.fine
end
