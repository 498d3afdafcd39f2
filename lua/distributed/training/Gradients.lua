--- The mean over all ranks of the gradients of Variables, taken while backward still runs.
--
--     local gradients = distributed.Gradients { w, b }
--     loss:backward()
--     gradients:finish()          -- w.grad and b.grad are the means over the ranks
--
-- A Variable that the loss does not depend on, on this rank or on all, counts with zeros.
-- @classmod distributed.Gradients

local torch = require 'torch'
local distributed = require 'distributed.module'
local buckets = require 'distributed.training.buckets'
local options = require 'torch.options'
local trace = require 'torch.errors.trace'

local Gradients = torch.class('distributed.Gradients', distributed)

-- A Variable's gradients go by one object at a time, which has the hook.
local owners = setmetatable({}, { __mode = 'kv' })

local KNOWN = { bucket = 'positive', ordered = 'boolean', group = 'list', broadcast = 'boolean' }

local function gradient_of(variable)
   local g = variable.grad
   return g and g:contiguous() or variable:detach():clone():zero()
end

-- Gradients come in memory of their own each time: a bucket copies them into one vector.
local function bucket_of(members)
   local flat
   return {
      parts = {}, members = members,
      tensor = function()
         local list = {}
         for i, variable in ipairs(members) do
            list[i] = gradient_of(variable):view(-1)
         end
         flat = torch.cat(list, 1)
         return flat
      end,
      done = function(tensor)
         local first = 1
         for _, variable in ipairs(members) do
            local n = variable:nElement()
            variable.grad = tensor:narrow(1, first, n):clone():viewAs(variable)
            first = first + n
         end
      end,
   }
end

local function buckets_of(variables, limit)
   local list, members, bytes, kind = {}, {}, 0, nil
   local function close()
      if #members > 0 then
         list[#list + 1] = bucket_of(members)
         members, bytes = {}, 0
      end
   end
   for i = #variables, 1, -1 do -- what was made last has its gradient first, mostly
      local variable = variables[i]
      local size = variable:nElement() * variable:elementSize()
      if bytes + size > limit or kind ~= variable:type() then
         close()
      end
      members[#members + 1], bytes, kind = variable, bytes + size, variable:type()
   end
   close()
   for _, bucket in ipairs(list) do
      for _, variable in ipairs(bucket.members) do
         bucket.parts[variable] = true
      end
   end
   return list
end

--- @tab variables list of leaves: what `requiresGrad` made
-- @tab[opt] settings bucket (1): MiB that are reduced at once; broadcast (true): the Variables
-- become those of rank 1 (a group's first) now; ordered, group. Variables that another object has
-- had are this one's from now on.
-- @raise "distributed.Gradients: item 2 is no leaf that requiresGrad made"
-- @example
-- local distributed = require 'distributed'
-- local w = torch.ones(2):requiresGrad()
-- local gradients = distributed.Gradients { w }
-- torch.sum(w * 3):backward()
-- gradients:finish()
-- w.grad --> { 3, 3 }
function Gradients:__init(variables, settings)
   settings = options.check('distributed.Gradients', settings, KNOWN)
   if type(variables) ~= 'table' or #variables == 0 then
      options.fail('distributed.Gradients: expected a list of Variables, got %s',
         type(variables) == 'table' and 'an empty one' or options.describe(variables))
   end
   for i, variable in ipairs(variables) do
      if not torch.isTensor(variable) or not variable:isVariable() or not variable:isLeaf() then
         options.fail('distributed.Gradients: item %d is no leaf that requiresGrad made', i)
      end
      if settings.broadcast ~= false then
         distributed.broadcast(variable:detach(), { group = settings.group })
      end
   end
   self.buckets = buckets.new(buckets_of(variables, buckets.limit(settings)), settings)
   self.buckets:begin()
   self.hooks, self.quiet = {}, false
   if distributed.size(settings.group) == 1 then
      return
   end
   -- A hook is called before its gradient is stored: the one before is complete then.
   for _, variable in ipairs(variables) do
      local held = setmetatable({ variable }, { __mode = 'v' })
      local before = owners[variable]
      if before then
         before.hooks[variable]()
      end
      owners[variable] = self
      self.hooks[variable] = variable:hook(function()
         local last = self.last
         self.last = held[1]
         if self.buckets:launched(held[1]) then
            options.fail('distributed.Gradients: a second backward before finish: gradients of '
               .. 'the first are on their way; noSync(function() loss:backward() end) keeps them')
         end
         if last and not self.quiet then
            self.buckets:ready(last)
         end
      end)
   end
end

--- After backward: waits until the gradients are the means over the ranks.
function Gradients:finish()
   self.last = nil
   self.buckets:finish()
   self.buckets:begin()
end

--- Call f with gradients kept to this rank, as `distributed.DataParallel:noSync` does.
function Gradients:noSync(f)
   local before = self.quiet
   self.quiet = true
   return trace.finally(function()
      self.quiet, self.last = before, nil
   end, f)
end

return Gradients
