--- The mean over all ranks of a network's gradients, taken while backward still runs.
--
--     local reducer = distributed.Reducer(net)
--     reducer:begin()
--     net:backward(x, criterion:backward(net.output, target))
--     reducer:finish()           -- gradients are the means over the ranks
--
-- `distributed.DataParallel` does so in its `backward`; this is for loops that call it themselves,
-- and for losses of Variables. Gradients go in buckets, the last layers' first. Which layers work
-- how often is seen in the first pass, where all buckets are reduced at the end; layers that are
-- not used have the gradient that is there, zeros after `zeroGradParameters`.
-- Source: Li et al., "PyTorch Distributed", VLDB 2020 (arXiv:2006.15704), section 3.2.
-- @classmod distributed.Reducer

local torch = require 'torch'
local distributed = require 'distributed.module'
local buckets = require 'distributed.training.buckets'
local nested = require 'nn.nested'
local options = require 'torch.options'
local sharing = require 'torch.sharing'
local trace = require 'torch.errors.trace'

local Reducer = torch.class('distributed.Reducer', distributed)

local KNOWN = { bucket = 'positive', overlap = 'boolean', ordered = 'boolean', group = 'list' }

-- --- which module has which gradients -----------------------------------------------------------

local function gradients_of(module)
   local _, gradients = module:parameters()
   return nested.append({}, gradients)
end

-- Gradients in the order of the network, each with the modules that add to it, or to a part of it,
-- themselves; what is part of another one goes with that.
local function entries_of(network)
   local gradients = gradients_of(network)
   local entries, by_place, numbers = {}, {}, {}
   for k, whole in ipairs(sharing.wholes(gradients)) do
      local place = sharing.key(gradients[k])
      if place then
         numbers[whole] = numbers[whole] or { tensor = gradients[whole], owners = {} }
         by_place[place] = numbers[whole]
         entries[#entries + 1] = k == whole and by_place[place] or nil
      end
   end
   for _, module in ipairs(network:listModules()) do
      local inner = {}
      for _, child in ipairs(module.modules or {}) do
         for _, t in ipairs(gradients_of(child)) do
            inner[sharing.key(t) or ''] = true
         end
      end
      for _, t in ipairs(gradients_of(module)) do
         local place = sharing.key(t)
         if by_place[place or ''] and not inner[place] then
            by_place[place].owners[module] = true
         end
      end
   end
   return entries
end

local function bytes_of(t)
   return t:nElement() * t:elementSize()
end

-- From the last gradient to the first; neighbours in memory go together up to so many bytes.
local function buckets_of(entries, limit)
   local list, current = {}, nil
   for i = #entries, 1, -1 do
      local entry = entries[i]
      local t = entry.tensor
      local first = t:storageOffset()
      local last = first + t:nElement() - 1
      local plain = t:isContiguous()
      local storage = tostring(torch.pointer(t:storage()))
      if current and plain and current.storage == storage and current.first == last + 1
         and bytes_of(t) + current.bytes <= limit then
         current.first, current.bytes = first, current.bytes + bytes_of(t)
      else
         current = { storage = plain and storage or '', first = first, last = last, like = t,
            plain = plain, bytes = bytes_of(t), parts = {} }
         list[#list + 1] = current
      end
      for owner in pairs(entry.owners) do
         current.parts[owner] = true
      end
   end
   for _, bucket in ipairs(list) do
      local tensor = bucket.like
      if bucket.plain then
         tensor = tensor.new(tensor:storage(), bucket.first, bucket.last - bucket.first + 1)
      end
      bucket.tensor = function() return tensor end
   end
   return list
end

-- --- a pass -------------------------------------------------------------------------------------

--- @tparam nn.Module network
-- @tab[opt] settings bucket (1): MiB that are reduced at once; overlap (true): while backward runs;
-- ordered (false): in the order of ranks, as of `distributed.allReduce`; group
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.Linear(3, 1))
-- local reducer = distributed.Reducer(net)
-- net:zeroGradParameters()
-- net:forward(torch.ones(4, 2))
-- reducer:begin()
-- net:backward(torch.ones(4, 2), torch.ones(4, 1))
-- reducer:finish()
-- net:get(2).gradBias --> { 4 }
function Reducer:__init(network, settings)
   settings = options.check('distributed.Reducer', settings, KNOWN)
   if not torch.isTypeOf(network, 'nn.Module') then
      options.fail('distributed.Reducer: expected a network (nn.Module), got %s',
         options.describe(network))
   end
   self.network, self.settings = network, settings
   self.limit, self.overlap = buckets.limit(settings), settings.overlap ~= false
   self.active = false
end

local function signature(network)
   local places = {}
   for i, t in ipairs(gradients_of(network)) do
      places[i] = sharing.key(t) or ''
   end
   return table.concat(places, ';')
end

-- The network may have been converted, or flattened anew.
local function prepare(self)
   local now = signature(self.network)
   if now == self.signature then
      return
   end
   self.signature, self.expected, self.owners = now, nil, {}
   local list = buckets_of(entries_of(self.network), self.limit)
   for _, bucket in ipairs(list) do
      for owner in pairs(bucket.parts) do
         self.owners[owner] = true
      end
   end
   self.buckets = buckets.new(list, self.settings)
end

-- A module's own `backward` for the time of a pass: what it is, then a mark that it has run.
local function watch(self, module)
   local before = rawget(module, 'backward')
   self.before[module] = before or false
   local counts, running = self.counts, false
   rawset(module, 'backward', function(m, ...)
      if running then -- a class calls its parent's
         return (before or getmetatable(m).backward)(m, ...)
      elseif self.expected and self.buckets:launched(module) then
         options.fail('distributed.Reducer: a %s works more often in this pass than in the first, '
            .. 'and its gradient is on its way; overlap = false reduces all at the end',
            torch.type(module))
      end
      running = true
      local ok, result = pcall(before or getmetatable(m).backward, m, ...)
      running = false
      if not ok then
         error(result, 0)
      end
      counts[module] = (counts[module] or 0) + 1
      if self.expected and counts[module] == self.expected[module] then
         self.buckets:ready(module)
      end
      return result
   end)
end

local function unwatch(self)
   for module, before in pairs(self.before or {}) do
      rawset(module, 'backward', before or nil)
   end
   self.before, self.active = nil, false
end

--- Before backward.
function Reducer:begin()
   if self.active then
      options.fail 'distributed.Reducer: begin: the pass before has not been finished'
   end
   prepare(self)
   self.active, self.before, self.counts = true, {}, {}
   self.buckets:begin()
   if self.overlap and distributed.size(self.settings.group) > 1 then
      for module in pairs(self.owners) do
         watch(self, module)
      end
   end
end

--- After backward: waits until the gradients are the means over the ranks.
function Reducer:finish()
   if not self.active then
      options.fail 'distributed.Reducer: finish: begin comes before'
   end
   unwatch(self)
   self.expected = self.expected or self.overlap and self.counts or nil
   self.buckets:finish()
end

--- After an error in backward: as if `begin` had not been called. What was on its way comes to its
-- end, so that ranks which all give up can go on together.
function Reducer:cancel()
   unwatch(self)
   self.buckets:drop()
end

-- f(...), a way back: begins before, finishes or cancels behind it.
function Reducer:__during(f, ...)
   self:begin()
   return trace.finally(function(ok)
      if ok then
         self:finish()
      else
         self:cancel()
      end
   end, f, ...)
end

return Reducer
