-- nn.Module: all parameters in one flat tensor.

local torch = require 'torch'
local nn = require 'nn'
local recording = require 'torch.variables.recording'
local nested = require 'nn.nested'
local vectors = require 'nn.module.vectors'
local raise = require('torch.errors').raise

local Module = nn.Module

-- First and last element (1-based, in its storage) that a tensor reaches, and whether it has all
-- between them.
local function extent(t)
   local first, last = t:storageOffset(), t:storageOffset()
   local distinct = 1
   for d = 1, t:dim() do
      if t:stride(d) ~= 0 then
         last = last + (t:size(d) - 1) * t:stride(d)
         distinct = distinct * t:size(d)
      end
   end
   return first, last, last - first + 1 == distinct
end

-- The views of a run must leave no gap in it together: two halves of a matrix's columns do not.
local function check_filled(run, views)
   local length = run.last - run.first + 1
   local marks, worst = torch.ByteTensor(length):zero(), nil
   for _, view in ipairs(views) do
      if view.first >= run.first and view.last <= run.last then
         local t = view.tensor
         torch.ByteTensor(marks:storage(), view.first - run.first + 1, t:size(), t:stride()):fill(1)
         worst = worst or not view.compact and t or nil
      end
   end
   if marks:sum() < length then
      raise(('nn.Module.flatten: a parameter of size %s leaves gaps in its memory. Make it '
         .. 'contiguous first'):format(table.concat(worst:size():totable(), 'x')))
   end
end

-- The runs of elements in use, per storage: { storage, { first, last }, … }, overlapping runs
-- merged.
local function used_runs(tensors)
   local groups, by_pointer = {}, {}
   for _, t in ipairs(tensors) do
      local storage = t:storage()
      if storage then
         local pointer = torch.pointer(storage)
         local group = by_pointer[pointer]
         if not group then
            group = { storage = storage }
            by_pointer[pointer] = group
            groups[#groups + 1] = group
         end
         local first, last, compact = extent(t)
         group[#group + 1] = { first = first, last = last, compact = compact, tensor = t }
      end
   end
   for _, group in ipairs(groups) do
      table.sort(group, function(a, b)
         return a.first < b.first
      end)
      local merged = {}
      for _, view in ipairs(group) do
         local run = merged[#merged]
         if run and view.first <= run.last then
            run.last, run.compact = math.max(run.last, view.last), run.compact and view.compact
         else
            merged[#merged + 1] = { first = view.first, last = view.last, compact = view.compact }
         end
      end
      for _, run in ipairs(merged) do
         if not run.compact then
            check_filled(run, group)
         end
      end
      group.runs = merged
   end
   return groups, by_pointer
end

local function new_offset(group, offset)
   for _, run in ipairs(group.runs) do
      if offset >= run.first and offset <= run.last then
         return run.target + offset - run.first
      end
   end
end

local function check_types(tensors)
   local first = tensors[1]
   for _, t in ipairs(tensors) do
      if t:type() ~= first:type() then
         raise(('nn.Module.flatten: the parameters are of types %s and %s. Convert the module to '
            .. 'one type first'):format(first:type(), t:type()))
      end
   end
end

-- Where tensors will be in one flat storage: the runs of each storage, with their targets.
local function plan(tensors)
   check_types(tensors)
   local first = tensors[1]
   for _, t in ipairs(tensors) do
      if t.device ~= first.device and t:nElement() > 0 and first:nElement() > 0 then
         raise(('nn.Module.flatten: the parameters are on devices %d and %d, and a tensor is on '
            .. 'one. getParameters of the module gives one for each'):format(
            first:getDevice(), t:getDevice()))
      end
   end
   local groups, by_pointer = used_runs(tensors)
   local total, offsets = 0, {}
   for _, group in ipairs(groups) do
      for _, run in ipairs(group.runs) do
         run.target = total + 1
         total = total + run.last - run.first + 1
      end
   end
   for i, t in ipairs(tensors) do
      local storage = t:storage()
      local group = storage and by_pointer[torch.pointer(storage)]
      offsets[i] = group and new_offset(group, t:storageOffset())
   end
   return { tensors = tensors, groups = groups, total = total, offsets = offsets }
end

local function carry_out(planned)
   local first = planned.tensors[1]
   local flat = first.new(planned.total)
   for _, group in ipairs(planned.groups) do
      for _, run in ipairs(group.runs) do
         local length = run.last - run.first + 1
         flat:narrow(1, run.target, length):copy(first.new(group.storage, run.first, length))
      end
   end
   local storage, moved = flat:storage(), {}
   for i, t in ipairs(planned.tensors) do
      local key = torch.pointer(t)
      if planned.offsets[i] and not moved[key] then -- one may be listed twice
         moved[key] = true
         recording.with(false, t.set, t, storage, planned.offsets[i], t:size(), t:stride())
      end
   end
   return flat
end

--- Move tensors into one new flat storage, without gaps, and rebind each of them to it.
-- Tensors that overlapped still overlap, and are counted once.
-- @tparam table parameters tensors of one type
-- @treturn Tensor all elements, 1-D (empty when there are no parameters)
-- @raise "nn.Module.flatten: the parameters are of types torch.DoubleTensor and torch.FloatTensor.
-- Convert the module to one type first"
-- @example
-- local a, b = torch.Tensor { 1, 2 }, torch.Tensor { 3 }
-- local flat = nn.Module.flatten { a, b }
-- flat[3] = 30
-- flat, b --> { 1, 2, 30 }, { 30 }
function Module.flatten(parameters)
   if not parameters or #parameters == 0 then
      return torch.Tensor()
   end
   return carry_out(plan(parameters))
end

-- Optimisers pair the two flat tensors element by element: parameters that are shared, say, must
-- have shared gradients.
local function check_pairs(parameters, gradients)
   if parameters.total ~= gradients.total then
      raise(('nn.Module.getParameters: the parameters have %d elements, their gradients %d: check '
         .. 'that you are sharing parameters and gradParameters'):format(parameters.total,
         gradients.total))
   end
   for i = 1, #parameters.tensors do
      local at, gradient_at = parameters.offsets[i], gradients.offsets[i]
      if at ~= gradient_at then
         raise(('nn.Module.getParameters: misaligned parameter at %d: it would begin at element '
            .. '%s, its gradient at %s. Share gradients as the parameters: name both, such as '
            .. "'weight' and 'gradWeight', in clone or share"):format(i, tostring(at),
            tostring(gradient_at)))
      end
   end
end

-- Parameters and gradients of each device, in the order of the first ones; those without elements
-- are of none.
local function by_device(parameters, gradients)
   local list, of = {}, {}
   for i, t in ipairs(parameters) do
      if t:nElement() > 0 then
         local key = tonumber(t.device)
         local own = of[key]
         if not own then
            own = { parameters = {}, gradients = {}, first = t }
            of[key], list[#list + 1] = own, own
         end
         own.parameters[#own.parameters + 1] = t
         own.gradients[#own.gradients + 1] = gradients[i]
      end
   end
   return list
end

-- @param owner by whose life the pair is known, as of nn.module.vectors; nil: its own
local function flat_pair(owner, parameters, gradients)
   parameters, gradients = plan(parameters), plan(gradients)
   check_pairs(parameters, gradients)
   parameters, gradients = carry_out(parameters), carry_out(gradients)
   vectors.give(owner or parameters, parameters, gradients)
   return parameters, gradients
end

--- Move all parameters into one flat storage and all gradients into another; of a network on
-- several devices, those of each device, which gives lists.
-- To be called once, after conversion to the final type: an earlier pair of flat tensors goes
-- stale.
-- @return parameters, a 1-D Tensor; a list of such where there are several devices
-- @return gradients, likewise
-- @raise "misaligned parameter at 3", "check that you are sharing parameters and gradParameters"
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Linear(2, 1))
-- local params, grads = net:getParameters()
-- #params, #grads --> { 11 }, { 11 }
-- params:fill(0)
-- net:get(2).bias --> { 0 }
function Module:getParameters()
   local parameters, gradients = self:parameters()
   parameters, gradients = nested.append({}, parameters), nested.append({}, gradients)
   if #parameters == 0 then
      return torch.Tensor(), torch.Tensor()
   end
   check_types(parameters)
   local list = by_device(parameters, gradients)
   if #list < 2 then
      return flat_pair(self, parameters, gradients)
   end
   local flat, slopes = {}, {}
   for i, own in ipairs(list) do
      flat[i], slopes[i] = require('cutorch').withDevice(own.first:getDevice(), flat_pair, nil,
         own.parameters, own.gradients)
   end
   return flat, slopes
end
