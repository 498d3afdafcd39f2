--- Parameter groups: an optimiser with other options for some of the parameters.
-- @module optim.groups

local torch = require 'torch'
local raise = require('torch.errors').raise
local known_options = require 'optim.options'
local sharing = require 'torch.sharing'
local step = require 'optim.step'
local whole = require 'optim.whole'

local Groups = {}
Groups.__index = Groups

local function bad(text, ...)
   raise('optim.groups: ' .. text:format(...))
end

-- The tensors of a group: a list, one tensor, or those of a module.
local function members(group, i)
   local list = group.parameters
   if torch.isTensor(list) then
      return { list }
   elseif torch.isTypeOf(list, 'nn.Module') then
      return list:parameters() or {}
   elseif type(list) ~= 'table' then
      bad('group %d has %s as parameters, expected a list of tensors, a tensor or a module: '
         .. '{ parameters = biases, weightDecay = 0 }', i,
         list == nil and 'nothing' or 'a ' .. torch.type(list))
   end
   for k, tensor in ipairs(list) do
      if not torch.isTensor(tensor) then
         bad('parameter %d of group %d is a %s, expected a tensor', k, i, torch.type(tensor))
      end
   end
   return list
end

-- Where a tensor lies in x: its first element's position, or nil.
local function place(x, tensor)
   if tensor:isSetTo(x) then
      return 1
   end
   return tensor:isContiguous() and (sharing.place(x, tensor)) or nil
end

-- For each vector the ranges of it that groups name: { first, last, group }.
local function ranges_in(self, list)
   local found = {}
   for at = 1, #list do
      found[at] = {}
   end
   for i, tensors in ipairs(self.members) do
      for k, tensor in ipairs(tensors) do
         local count, lies = tensor:nElement(), false
         for at, x in ipairs(list) do -- in several where layers share it
            local first = x:nElement() > 0 and place(x, tensor)
            if first then
               lies = true
               table.insert(found[at], { first = first, last = first + count - 1, group = i })
            end
         end
         if count > 0 and not lies then
            bad('parameter %d of group %d does not lie in x: take the tensors from '
               .. 'net:parameters() after net:getParameters() was called', k, i)
         end
      end
   end
   return found
end

local function same(a, b)
   return a.first == b.first and a.last == b.last and a.group == b.group
end

-- All of x in sorted ranges, 0 as the group of what is in none; neighbours in one group are one.
local function filled(x, found)
   table.sort(found, function(a, b) return a.first < b.first end)
   local ranges, next_place = {}, 1
   local function add(first, last, group)
      local before = ranges[#ranges]
      if last < first then
         return
      elseif before and before.group == group then
         before.last = last
      else
         ranges[#ranges + 1] = { first = first, last = last, group = group }
      end
   end
   for i, range in ipairs(found) do
      if i == 1 or not same(range, found[i - 1]) then -- layers that share it name it twice
         if range.first < next_place then
            bad('a parameter is in two groups (%d is one of them), or shares memory with another',
               range.group)
         end
         add(next_place, range.first - 1, 0)
         add(range.first, range.last, range.group)
         next_place = range.last + 1
      end
   end
   add(next_place, x:nElement(), 0)
   return ranges
end

-- What is stepped at once: { x, group, at = number of the vector in the list, first = its place in
-- that; nil where it is the whole of it }.
local function parts_of(self, list)
   local parts = {}
   for at, ranges in ipairs(ranges_in(self, list)) do
      local x = list[at]
      ranges = filled(x, ranges)
      if #ranges < 2 then
         parts[#parts + 1] = { x = x, group = ranges[1] and ranges[1].group or 0, at = at }
      else
         for _, range in ipairs(ranges) do
            parts[#parts + 1] = { x = x:view(-1):narrow(1, range.first,
               range.last - range.first + 1), first = range.first, group = range.group, at = at }
         end
      end
   end
   return parts
end

--- The parts of x that are stepped each by itself, in the order of `state.groups`.
-- @param x as a step takes it
-- @return list of tensors
function Groups:parts(x)
   local list = {}
   for i, part in ipairs(parts_of(self, torch.isTensor(x) and { x } or x)) do
      list[i] = part.x
   end
   return list
end

-- Each group's options in front of those of the call.
local function options(self, config)
   if self.config ~= config then
      self.config, self.options = config, { [0] = config }
      for name, optimiser in pairs(require 'optim') do
         if optimiser == self.optimiser then
            known_options.check(name, config, self)
         end
      end
      for i, group in ipairs(self.groups) do
         local own = {}
         for name, value in pairs(group) do
            if name ~= 'parameters' then
               own[name] = value
            end
         end
         self.options[i] = setmetatable(own, { __index = config })
      end
   end
   return self.options
end

local function gradient_of(list, part)
   local g = list[part.at]
   if not torch.isTensor(g) then
      bad('opfunc returned no gradient for parameter %d: return loss, list of gradients', part.at)
   elseif not part.first then
      return g
   end
   return (g:isContiguous() and g or g:clone()):view(-1):narrow(1, part.first, part.x:nElement())
end

-- The loss, and the gradients as a list.
local function evaluate(opfunc, x, listed)
   if not listed then
      local loss, g = step.evaluate('optim.groups', opfunc, x)
      return loss, { g }
   end
   local loss, g = opfunc(x)
   if type(g) ~= 'table' then
      bad('opfunc returned %s as gradient, expected a list as long as that of the parameters',
         g == nil and 'nothing' or 'a ' .. torch.type(g))
   end
   return loss, g
end

--- A step: the form of every optimiser. x is the flat tensor of `net:getParameters()`, or a list of
-- tensors (such as the vectors of a net on several devices), in which those of the groups lie; then
-- opfunc returns a list of gradients.
function Groups:__call(opfunc, x, config, state)
   local listed = type(x) == 'table' and not torch.isTensor(x)
   config = step.arguments('optim.groups', opfunc, listed and x[1] or x, config)
   state = state or config
   if self.x ~= x then
      self.steps, self.x = parts_of(self, listed and x or { x }), x
   end
   local each = options(self, config)
   local loss, g = evaluate(opfunc, x, listed)
   local states = state.groups or {}
   state.groups = states
   local gradient
   local function known()
      return loss, gradient
   end
   for i, part in ipairs(self.steps) do
      gradient = gradient_of(g, part)
      states[i] = states[i] or {}
      if part.x:nElement() > 0 then
         self.optimiser(known, part.x, each[part.group], states[i])
      end
   end
   return x, { loss }
end

--- An optimiser with other options for some of the parameters.
--
-- What it returns is called as the optimiser itself: `adamw(opfunc, x, config, state)`. Options
-- that a group does not name, and parameters that are in no group, take what `config` says. The
-- state is `state.groups`, a state for each run of neighbours in one group; runs are steps of their
-- own, so many small ones cost more than one large one.
-- @param groups table: the optimiser first, then groups: tables with `parameters` (a list of
-- tensors, a tensor or a module) and options
-- @return what is called as the optimiser
-- @raise "optim.groups: parameter 1 of group 1 does not lie in x"
-- @usage
-- local parameters, gradients = net:getParameters()
-- local adamw = optim.groups {
--    optim.adamw,
--    { parameters = optim.vectors(net), weightDecay = 0 },
-- }
-- adamw(feval, parameters, { learningRate = 1e-3, weightDecay = 0.05 }, state)
local function groups(list)
   if type(list) ~= 'table' then
      bad('got a %s, expected { optim.adam, { parameters = ..., weightDecay = 0 } }',
         torch.type(list))
   end
   step.callable('optim.groups', 'the first entry', list[1], 'an optimiser such as optim.adam')
   local name = whole(list[1])
   if name then
      bad('optim.%s cannot go group by group, it looks at all parameters together', name)
   end
   local self = setmetatable({ optimiser = list[1], groups = {}, members = {} }, Groups)
   for i = 2, #list do
      if type(list[i]) ~= 'table' then
         bad('group %d is a %s, expected a table', i - 1, torch.type(list[i]))
      end
      self.groups[i - 1] = list[i]
      self.members[i - 1] = members(list[i], i - 1)
   end
   return self
end

--- The parameters with one dimension: biases, and the factors and shifts of normalisations, which
-- weight decay is usually kept away from.
-- @param net module, or a list of tensors
-- @return list of tensors
-- @example
-- local nn = require 'nn'
-- #optim.vectors(nn.Sequential():add(nn.Linear(3, 2)):add(nn.BatchNormalization(2))) --> 3
local function vectors(net)
   local found = {}
   for _, tensor in ipairs(members({ parameters = net }, 1)) do
      if tensor:dim() == 1 then
         found[#found + 1] = tensor
      end
   end
   return found
end

return { groups = groups, vectors = vectors }
