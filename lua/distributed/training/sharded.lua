--- An optimiser whose state is shared out: each rank steps a part of the parameters.
-- @module distributed.training.sharded

local torch = require 'torch'
local whole = require 'optim.whole'
local nested = require 'nn.nested'
local distributed = require 'distributed.module'
local options = require 'torch.options'

local Sharded = {}
Sharded.__index = Sharded

local function check(optimizer)
   local name = whole(optimizer)
   if name then
      options.fail('distributed.sharded: optim.%s looks at all parameters at once, and cannot '
         .. 'be shared out; adam, adamw, sgd and their kin can', name)
   elseif not options.callable(optimizer) then
      options.fail('distributed.sharded: expected an optimiser such as optim.adam, got %s',
         options.describe(optimizer))
   end
end

-- This rank's part of n elements: its first, how many, and how many the first ranks have; of few
-- elements the last ranks have none.
local function part_of(n, group)
   local length = math.ceil(n / distributed.size(group))
   local first = math.min(n, length * (distributed.rank(group) - 1))
   return first + 1, math.min(length, n - first), length
end

-- The part of a vector that a rank steps: one that has none takes the last element, which it tells
-- nobody of, so that its state has the fields that others' have.
local function stepped(x, first, own)
   local n = x:nElement()
   return own > 0 and x:narrow(1, first, own) or x:narrow(1, n, 1):clone()
end

-- Tensors of one kind of the state in place of another: own = f(tensor).
local function changed(state, f)
   for key, value in pairs(state) do
      if torch.isTensor(value) then
         state[key] = f(value)
      elseif nested.is_table(value) then
         changed(value, f)
      end
   end
   return state
end

--- A state of all parameters, such as `whole` gives, becomes this rank's part of it.
-- @tab state changed in place
-- @tparam Tensor x the parameters
-- @treturn table state
function Sharded:cut(state, x)
   local n = x:nElement()
   local first, own = part_of(n, self.group)
   if n == own then
      return state
   end
   return changed(state, function(t)
      return t:nElement() == n and stepped(t:view(-1), first, own):clone() or t
   end)
end

-- The parts of all ranks as one vector.
local function joined(t, n, length, group)
   local padded = t.new(length):zero()
   padded:narrow(1, 1, t:nElement()):copy(t) -- of one that has no part, behind the n that count
   return distributed.allGather(padded, { group = group }):view(-1):narrow(1, 1, n)
end

-- Each rank's part of x, on all of them; in place, for another copy of x is what is to be saved.
local function gather(x, n, length, group)
   local works = {}
   for place = 1, distributed.size(group) do
      local first = length * (place - 1)
      if first < n then
         works[place] = distributed.broadcast(x:narrow(1, first + 1, math.min(length, n - first)),
            { root = group and group.ranks[place] or place, group = group, async = true })
      end
   end
   for _, work in ipairs(works) do
      work:wait()
   end
end

function Sharded:__call(opfunc, x, config, state)
   config = config or {}
   state = state or config
   local group, n = self.group, x:nElement()
   if distributed.size(group) == 1 then
      return self.optimizer(opfunc, x, config, state)
   end
   local first, own, length = part_of(n, group)
   local loss, gradient = opfunc(x)
   if n == 0 then
      return x, { loss }
   end
   self:cut(state, x)
   local _, losses = self.optimizer(function()
      return loss, stepped(gradient, first, own)
   end, stepped(x, first, own), config, state)
   gather(x, n, length, group)
   return x, losses
end

--- The state of all ranks together, on all of them, as the optimiser alone would have it: for a
-- file that any number of ranks goes on from.
-- @tab state
-- @tparam Tensor x the parameters
-- @return table
function Sharded:whole(state, x)
   local n = x:nElement()
   if distributed.size(self.group) == 1 then
      return state
   end
   local _, own, length = part_of(n, self.group)
   own = math.max(own, 1)
   local keys, copy = {}, {}
   for key, value in pairs(state) do
      keys[#keys + 1], copy[key] = key, value
   end
   table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
   for _, key in ipairs(keys) do -- in one order on all ranks
      local value = copy[key]
      if torch.isTensor(value) and value:nElement() == own then
         copy[key] = joined(value, n, length, self.group)
      elseif nested.is_table(value) then
         copy[key] = self:whole(value, x)
      end
   end
   return copy
end

--- An optimiser whose state is shared out among the ranks: each keeps and steps its part of the
-- parameters, and gets the others'. The gradients are the same on all ranks before (DataParallel).
-- It steps as the optimiser alone does; its state takes 1 / size of the memory. A state of all
-- parameters, such as `whole` gives, is cut when it comes.
-- Source: Rajbhandari et al., "ZeRO", SC 2020 (arXiv:1910.02054), stage 1.
-- @func optimizer of optim, one that treats each element for itself: adam, adamw, sgd, ...
-- @tab[opt] settings group
-- @return what is called as the optimiser is; its method `whole(state, x)` gathers the state, and
-- `cut(state, x)` takes this rank's part of that
-- @raise "distributed.sharded: optim.lbfgs looks at all parameters at once, and cannot be shared
-- out; ..."
-- @usage local adam = distributed.sharded(optim.adam)
-- @example
-- local optim, distributed = require 'optim', require 'distributed'
-- local adam = distributed.sharded(optim.adam)
-- local x = torch.ones(2)
-- adam(function() return 0, torch.ones(2) end, x, { learningRate = 0.5 })
-- x --> { 0.5, 0.5 }
function distributed.sharded(optimizer, settings)
   settings = options.check('distributed.sharded', settings, { group = 'list' })
   check(optimizer)
   return setmetatable({ optimizer = optimizer, group = settings.group }, Sharded)
end
