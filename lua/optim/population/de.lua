--- Differential evolution: a population in which each member is challenged by a mix of others.
--
-- The challenger of a member takes, with probability CR for each coordinate, a + F (b - c) of three
-- other members; the better of the two stays. No gradients are used.
-- Source: Storn and Price, J. Global Optimization 11 (1997), 341-359 (DE/rand/1/bin).

local torch = require 'torch'
local options = require 'optim.options'
local step = require 'optim.step'
local raise = require('torch.errors').raise
local like = require('torch.ffi').like

-- The population: x itself and copies of it moved uniformly by up to 1.
local function populate(opfunc, x, size)
   local members, losses = {}, {}
   for i = 1, size do
      members[i] = x:clone()
      if i > 1 then
         members[i]:add(like(x):resizeAs(x):uniform(-1, 1))
      end
      losses[i] = opfunc(members[i])
   end
   return members, losses
end

local function best_of(losses)
   local best = 1
   for i = 2, #losses do
      if losses[i] < losses[best] then
         best = i
      end
   end
   return best
end

-- Three members other than i and each other.
local function others(i, size)
   local chosen, taken = {}, { [i] = true }
   while #chosen < 3 do
      local k = torch.random(1, size)
      if not taken[k] then
         taken[k] = true
         chosen[#chosen + 1] = k
      end
   end
   return unpack(chosen)
end

local function challenger(members, i, F, CR)
   local a, b, c = others(i, #members)
   local x = members[i]:clone()
   local mutant = members[a]:clone():add(F, members[b]):add(-F, members[c]):view(-1)
   local flat = x:view(-1)
   local certain = torch.random(1, flat:nElement())
   for j = 1, flat:nElement() do
      if j == certain or torch.uniform() < CR then
         flat[j] = mutant[j]
      end
   end
   return x
end

local default = options.declare('de', {
   popsize = false, scaleFactor = 0.8, crossoverRate = 0.9, maxFEs = 1000,
}, 'population losses')

--- @param opfunc function: x -> loss (a gradient is ignored)
-- @param x Tensor, the start; receives the best member
-- @param config table: popsize (10 for each coordinate, at least 4), scaleFactor (F, 0.8),
-- crossoverRate (CR, 0.9), maxFEs (1000: evaluations per call)
-- @param[opt] state table: population and losses, carried on by the next call; defaults to config
-- @return x, { best loss so far, after each evaluation }, number of evaluations
-- @raise "de: popsize must be at least 4"
local function de(opfunc, x, config, state)
   config = step.arguments('de', opfunc, x, config, state)
   state = state or config
   local size = config.popsize or math.max(4, 10 * x:nElement())
   local F = config.scaleFactor or default.scaleFactor
   local CR = config.crossoverRate or default.crossoverRate
   local maxFEs = config.maxFEs or default.maxFEs
   if size < 4 then
      raise(('de: popsize must be at least 4, got %d'):format(size))
   end

   local history, lowest = {}, math.huge
   local function evaluate(candidate)
      local loss = opfunc(candidate)
      lowest = math.min(lowest, loss)
      history[#history + 1] = lowest
      return loss
   end
   if not state.population then
      state.population, state.losses = populate(evaluate, x, size)
   end
   local members, losses = state.population, state.losses
   while #history < maxFEs do
      for i = 1, math.min(#members, maxFEs - #history) do
         local candidate = challenger(members, i, F, CR)
         local loss = evaluate(candidate)
         if loss <= losses[i] then
            members[i], losses[i] = candidate, loss
         end
      end
   end
   x:copy(members[best_of(losses)])
   return x, history, #history
end

return de
