--- optim: optimisers, and what one keeps an eye on while they run.
--
-- An optimiser is called as `x, fs = optim.algo(opfunc, x, config, state)`: `opfunc(x)` returns the
-- loss and its gradient, `x` is updated in place, and `fs` lists the losses, first the one before
-- the step. `state` carries on from step to step and defaults to `config`.
-- @module optim

require 'torch'
require('torch.errors').library()

local optim = {}
-- The files below say `require 'optim'` too: give them the namespace while it is being filled.
package.loaded.optim = optim
rawset(_G, 'optim', optim)

local rooms = {
   { 'first_order', 'sgd', 'nag', 'asgd', 'adagrad', 'adadelta', 'rmsprop', 'adam', 'adamw',
      'adamax', 'nadam', 'radam', 'lamb', 'lion', 'adafactor', 'rprop' },
   { 'line_search', 'cg', 'lbfgs', 'lswolfe', 'polyinterp', 'FistaLS' },
   { 'population', 'cmaes', 'de' },
}
for _, room in ipairs(rooms) do
   for i = 2, #room do
      optim[room[i]] = require(('optim.%s.%s'):format(room[1], room[i]))
   end
end
for _, name in ipairs { 'checkgrad', 'accumulate', 'schedule', 'offload' } do
   optim[name] = require('optim.' .. name)
end

local clip = require 'optim.clip'
optim.clipGradNorm, optim.clipGradValue = clip.clipGradNorm, clip.clipGradValue
local groups = require 'optim.groups'
optim.groups, optim.vectors = groups.groups, groups.vectors

require 'optim.EMA'
require 'optim.ConfusionMatrix'
require 'optim.Logger'

return optim
