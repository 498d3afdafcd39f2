--- Averages of weights over the steps of a training.
-- @classmod optim.EMA

local torch = require 'torch'
local optim = require 'optim'
local sharing = require 'torch.sharing'
local options = require 'torch.options'
local raise = require('torch.errors').raise

local EMA = torch.class('optim.EMA', optim)

-- The tensors of a flat vector, a list, or a module.
local function tensors(name, parameters)
   if torch.isTensor(parameters) then
      return { parameters }
   elseif torch.isTypeOf(parameters, 'nn.Module') then
      return require('nn.nested').append({}, (parameters:parameters()))
   elseif type(parameters) ~= 'table' or not torch.isTensor(parameters[1]) then
      raise(('%s: parameters is a %s, expected a tensor such as net:getParameters() gives, a list '
         .. 'of tensors, or a module'):format(name, torch.type(parameters)))
   end
   return parameters
end

-- Number and tensor of each parameter, of those that layers share once.
local function once(self)
   local parameters, wholes, i = self.parameters, sharing.wholes(self.parameters), 0
   return function()
      repeat
         i = i + 1
      until not wholes[i] or wholes[i] == i
      return wholes[i], parameters[i]
   end
end

-- The averages, those of parts as views of the whole's: averages that were saved may be apart.
local function averages(self)
   local parameters, list, copies = self.parameters, {}, {}
   for i, whole in ipairs(sharing.wholes(parameters)) do
      if whole == i then
         list[i] = self.average[i]
      else
         local x = parameters[whole]
         copies[whole] = copies[whole] or sharing.copy(x, self.average[whole])
         list[i] = sharing.part(copies[whole], x, parameters[i])
      end
   end
   return list
end

--- Exponential moving average: a <- a + (1 - d_t) (x - a), a being x at first.
--
-- d_t = decay, with `warmup` min(decay, (1 + t) / (10 + t)) for the t-th update, so that the first
-- weights are soon forgotten.
-- Source: Polyak and Juditsky, SIAM J. Control Optim. 30 (1992); the warm-up is TensorFlow's.
-- @param parameters Tensor, list of tensors, or module: what is averaged
-- @number[opt=0.999] decay from 0 to 1
-- @bool[opt=false] warmup
-- @raise "optim.EMA: decay is 1.5, expected a number from 0 to 1"
-- @example
-- local x = torch.Tensor { 1 }
-- local ema = optim.EMA(x, 0.75)
-- x:fill(5)
-- ema:update()
-- ema.average[1][1] --> 2
function EMA:__init(parameters, decay, warmup)
   decay = decay or 0.999
   if type(decay) ~= 'number' or decay < 0 or decay > 1 or decay ~= decay then
      raise(('%s: decay is %s, expected a number from 0 to 1'):format(torch.type(self),
         type(decay) == 'number' and tostring(decay) or 'a ' .. torch.type(decay)))
   end
   self.decay, self.warmup, self.t = decay, warmup or false, 0
   self.parameters = tensors(torch.type(self), parameters)
   self.average = {}
   for i, x in once(self) do
      self.average[i] = sharing.copy(x)
   end
   for i, whole in ipairs(sharing.wholes(self.parameters)) do
      self.average[i] = self.average[i]
         or sharing.part(self.average[whole], self.parameters[whole], self.parameters[i])
   end
end

--- How much of x - a is added at the t-th update.
function EMA:factor(t)
   return 1 - (self.warmup and math.min(self.decay, (1 + t) / (10 + t)) or self.decay)
end

--- Take the parameters as they are now into the average; after each step.
-- @return self
function EMA:update()
   self.t = self.t + 1
   local factor = self:factor(self.t)
   for i, x in once(self) do
      local a = self.average[i]
      if a:nElement() ~= x:nElement() then
         raise(('%s: parameter %d has %d elements, its average %d: make a new one for other '
            .. 'parameters'):format(torch.type(self), i, x:nElement(), a:nElement()))
      end
      a:lerp(a, x, factor)
   end
   return self
end

--- Exchange the parameters and their average: to evaluate with it, and once more to go on.
-- @return self
-- @usage
-- ema:swap()
-- evaluate(net)
-- ema:swap()
function EMA:swap()
   for i, x in once(self) do
      local kept = x:clone()
      x:copy(self.average[i])
      self.average[i]:copy(kept)
   end
   return self
end

--- Write the average into tensors of the same sizes.
-- @param to Tensor, list, or module; by default the parameters themselves
-- @raise "optim.EMA: there are averages of 4 tensors, but 2 to write them into"
function EMA:copyTo(to)
   local others = to ~= nil and tensors(torch.type(self), to)
   local list = others and averages(self) or self.average
   to = others or self.parameters
   if #to ~= #list then
      raise(('%s: there are averages of %d tensors, but %d to write them into: give the parameters '
         .. 'of such a network as it was made of'):format(torch.type(self), #list, #to))
   end
   for i, a in ipairs(list) do
      if not torch.isTensor(to[i]) or not to[i]:isSameSizeAs(a) then
         raise(('%s: tensor %d is %s, but the average %s'):format(torch.type(self), i,
            options.describe(to[i]), options.describe(a)))
      end
   end
   if others then
      for i, x in ipairs(others) do
         x:copy(list[i])
      end
      return
   end
   for i, x in once(self) do
      x:copy(list[i])
   end
end

function EMA:__tostring__()
   return ('%s(%d tensors, decay %g, %d updates)'):format(torch.type(self), #self.average,
      self.decay, self.t)
end

--- Stochastic weight averaging: the mean of the parameters at each update, a <- a + (x - a) / t.
--
-- Source: Izmailov et al., "Averaging weights leads to wider optima and better generalization", UAI
-- 2018 (arXiv:1803.05407), Algorithm 1.
-- @classmod optim.SWA
local SWA = torch.class('optim.SWA', 'optim.EMA', optim)

--- @param parameters Tensor, list of tensors, or module
-- @usage
-- local swa = optim.SWA(net)
-- swa:update() -- at the end of each of the last epochs
-- swa:copyTo()
function SWA:__init(parameters)
   EMA.__init(self, parameters, 0)
end

function SWA:factor(t) -- luacheck: no self
   return 1 / t
end

function SWA:__tostring__()
   return ('%s(%d tensors, %d updates)'):format(torch.type(self), #self.average, self.t)
end

return EMA
