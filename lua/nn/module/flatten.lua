-- nn.Module: all parameters in one flat tensor.

local torch = require 'torch'
local nn = require 'nn'
local raise = require('torch.errors').raise

local Module = nn.Module

-- First and last element (1-based, in its storage) that a tensor reaches.
local function extent(t)
   local first, last = t:storageOffset(), t:storageOffset()
   local distinct = 1
   for d = 1, t:dim() do
      if t:stride(d) ~= 0 then
         last = last + (t:size(d) - 1) * t:stride(d)
         distinct = distinct * t:size(d)
      end
   end
   if last - first + 1 ~= distinct then
      local shape = table.concat(t:size():totable(), 'x')
      raise(
         ('nn.Module.flatten: a parameter of size %s leaves gaps in its memory. '):format(shape)
            .. 'Make it contiguous first'
      )
   end
   return first, last
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
         local first, last = extent(t)
         group[#group + 1] = { first = first, last = last }
      end
   end
   for _, group in ipairs(groups) do
      table.sort(group, function(a, b)
         return a.first < b.first
      end)
      local merged = { group[1] }
      for i = 2, #group do
         local previous, run = merged[#merged], group[i]
         if run.first <= previous.last then
            previous.last = math.max(previous.last, run.last)
         else
            merged[#merged + 1] = run
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
   local first = parameters[1]
   for _, p in ipairs(parameters) do
      if p:type() ~= first:type() then
         local types = ('%s and %s'):format(first:type(), p:type())
         raise(
            ('nn.Module.flatten: the parameters are of types %s. '):format(types)
               .. 'Convert the module to one type first'
         )
      end
   end
   local groups, by_pointer = used_runs(parameters)
   local total = 0
   for _, group in ipairs(groups) do
      for _, run in ipairs(group.runs) do
         run.target = total + 1
         total = total + run.last - run.first + 1
      end
   end
   local flat = first.new(total)
   for _, group in ipairs(groups) do
      for _, run in ipairs(group.runs) do
         local length = run.last - run.first + 1
         flat:narrow(1, run.target, length):copy(first.new(group.storage, run.first, length))
      end
   end
   local storage = flat:storage()
   for _, p in ipairs(parameters) do
      if p:storage() then
         local group = by_pointer[torch.pointer(p:storage())]
         -- A tensor that is listed twice has moved already.
         if group then
            p:set(storage, new_offset(group, p:storageOffset()), p:size(), p:stride())
         end
      end
   end
   return flat
end

--- Move all parameters into one flat storage and all gradients into another.
-- To be called once, after conversion to the final type: an earlier pair of flat tensors goes
-- stale.
-- @treturn Tensor parameters, 1-D
-- @treturn Tensor gradients, 1-D
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Linear(2, 1))
-- local params, grads = net:getParameters()
-- #params, #grads --> { 11 }, { 11 }
-- params:fill(0)
-- net:get(2).bias --> { 0 }
function Module:getParameters()
   local parameters, gradients = self:parameters()
   return Module.flatten(parameters), Module.flatten(gradients)
end
