--- Which channels of a net hang together: a channel that one layer makes, others read, add up or
-- normalise, so that it can go from all of them only.
--
-- A space is a set of channels with the layers that make and change them. A value's channels are a
-- list of segments { space, inner }: the channels of a space, each with `inner` neighbouring
-- features.
-- @module nn.pruning.spaces

local torch = require 'torch'
local dataflow = require 'nn.dataflow'

local M = {}

local ELEMENTWISE = { ['nn.Identity'] = true, ['nn.Dropout'] = true, ['nn.SpatialDropout'] = true,
   ['nn.FakeQuantize'] = true }
local RESHAPES = { ['nn.View'] = true, ['nn.Reshape'] = true }
local NORMS = { ['nn.BatchNormalization'] = true, ['nn.SpatialBatchNormalization'] = true }
local SUMS = { ['nn.CAddTable'] = true, ['nn.CMulTable'] = true, ['nn.CMaxTable'] = true }
local CONVOLUTIONS = { ['nn.SpatialConvolution'] = true, ['nn.SpatialConvolutionMM'] = true,
   ['nn.SpatialDilatedConvolution'] = true }

-- --- spaces -------------------------------------------------------------------------------------

local function new_space(size, protected)
   return { size = size, protected = protected, makers = {}, norms = {} }
end

--- The space that stands for all that were joined with one.
function M.root(space)
   while space.parent do
      space = space.parent
   end
   return space
end

local function join(a, b)
   a, b = M.root(a), M.root(b)
   if a ~= b then
      b.parent = a
      a.protected = a.protected or b.protected
      for _, list in ipairs { 'makers', 'norms' } do
         for _, step in ipairs(b[list]) do
            table.insert(a[list], step)
         end
      end
   end
end

local function protect(segments)
   for _, segment in ipairs(segments or {}) do
      M.root(segment.space).protected = true
   end
end

local function protect_value(value)
   if value.list then
      for _, one in ipairs(value.list) do
         protect_value(one)
      end
   else
      protect(value.segments)
   end
end

-- --- what a step does with channels -------------------------------------------------------------

--- The dimension of the channels of a value; nil where it has none.
-- @tparam table value
local function channel_dim(value)
   local dims = value.sizes and #value.sizes or 0
   return (dims == 4 or dims == 2) and 2 or (dims == 3 or dims == 1) and 1 or nil
end
M.channel_dim = channel_dim

local function unknown(step)
   protect_value(step.input)
   local dim = channel_dim(step.output)
   local size = dim and step.output.sizes[dim]
   step.output.segments = size and { { space = new_space(size, true), inner = 1 } } or nil
end

-- A layer with outputs of its own.
local function product(step)
   if not step.input.segments then
      return unknown(step)
   end
   local space = new_space(step.module.weight:size(1), false)
   table.insert(space.makers, step)
   step.reads = step.input.segments
   step.output.segments = { { space = space, inner = 1 } }
end

local function pass(step)
   step.output.segments = step.input.segments
end

local function norm(step)
   for _, segment in ipairs(step.input.segments or {}) do
      if segment.inner > 1 then -- features of a channel have numbers of their own
         return unknown(step)
      end
      table.insert(M.root(segment.space).norms, step)
   end
   step.normalises = step.input.segments
   pass(step)
end

local function alike(a, b)
   if not a or not b or #a ~= #b then
      return false
   end
   for i = 1, #a do
      if a[i].inner ~= b[i].inner or M.root(a[i].space).size ~= M.root(b[i].space).size then
         return false
      end
   end
   return true
end

local function sum(step)
   local list = step.input.list or {}
   for i = 2, #list do
      if not alike(list[1].segments, list[i].segments) then
         return unknown(step)
      end
   end
   for i = 2, #list do
      for k, segment in ipairs(list[i].segments) do
         join(list[1].segments[k].space, segment.space)
      end
   end
   step.output.segments = list[1] and list[1].segments
end

-- Side by side along the channels.
local function side_by_side(step)
   local joined = {}
   local dim = step.output.sizes and channel_dim(step.output)
   local module_dim = step.module.dimension
   if (step.module.nInputDims or 0) > 0 and step.output.sizes
      and #step.output.sizes == step.module.nInputDims + 1 then
      module_dim = module_dim + 1
   end
   for _, value in ipairs(step.input.list or {}) do
      if not value.segments or module_dim ~= dim then
         return unknown(step)
      end
      for _, segment in ipairs(value.segments) do
         table.insert(joined, segment)
      end
   end
   step.output.segments = joined
end

-- From planes to features: each channel becomes as many as its plane has elements. Planes may
-- also get other heights.
local function reshape(step)
   local from, to = step.input.sizes, step.output.sizes
   local dim = from and channel_dim(step.input)
   if not dim or not to or channel_dim(step.output) ~= dim or not step.input.segments then
      return unknown(step)
   end
   local plane = 1
   for d = dim + 1, #from do
      plane = plane * from[d]
   end
   if dim == 2 and to[1] ~= from[1] then
      return unknown(step)
   elseif #to == #from and to[dim] == from[dim] then
      return pass(step)
   elseif #to ~= dim or to[dim] ~= from[dim] * plane then
      return unknown(step)
   end
   local segments = {}
   for i, segment in ipairs(step.input.segments) do
      segments[i] = { space = segment.space, inner = segment.inner * plane }
   end
   step.output.segments = segments
end

local function rule_of(module)
   local name = torch.typename(module)
   if name == 'nn.Linear' or CONVOLUTIONS[name] and (module.groups or 1) == 1 then
      return product
   elseif NORMS[name] then
      return norm
   elseif SUMS[name] then
      return sum
   elseif name == 'nn.JoinTable' then
      return side_by_side
   elseif RESHAPES[name] then
      return reshape
   elseif ELEMENTWISE[name] or torch.isTypeOf(module, 'nn.Pointwise')
      or torch.isTypeOf(module, 'nn.SpatialPooling') then
      return pass
   end
   return unknown
end

-- Where in its storage a tensor's elements lie.
local function extent(t)
   local first, last = t:storageOffset(), t:storageOffset()
   for d = 1, t:dim() do
      last = last + (t:size(d) - 1) * t:stride(d)
   end
   return torch.pointer(t:storage()), first, last
end

-- The steps of other modules that have parameters in the same memory.
local function find_tied(flow)
   local tied, seen = {}, {}
   local function compare(step, t)
      local storage, first, last = extent(t)
      seen[storage] = seen[storage] or {}
      for _, other in ipairs(seen[storage]) do
         if other.first <= last and first <= other.last and other.step ~= step then
            tied[step], tied[other.step] = true, true
         end
      end
      table.insert(seen[storage], { first = first, last = last, step = step })
   end
   for _, step in ipairs(flow) do
      for _, t in ipairs(step.module:parameters() or {}) do
         if t:nElement() > 0 then
            compare(step, t)
         end
      end
   end
   return tied
end

--- The steps of a net with the spaces that their values have.
-- @tparam nn.Module net
-- @param input a sample, for the sizes
-- @treturn table flow (see nn.dataflow); a product's `reads` and a normalisation's `normalises` are
-- segments
-- @return where the net itself is: { net }
function M.of(net, input)
   local flow, place = dataflow.of(net)
   dataflow.run(flow, input, function(value)
      value.sizes = torch.isTensor(value.x) and value.x:size():totable() or nil
   end)
   local dim = channel_dim(flow.input)
   flow.input.segments = dim and { { space = new_space(flow.input.sizes[dim], true), inner = 1 } }
   local tied = find_tied(flow)
   for _, step in ipairs(flow) do
      local rule = (step.shared or tied[step]) and unknown or rule_of(step.module)
      if rule ~= sum and rule ~= side_by_side and step.input.list then
         rule = unknown
      end
      rule(step)
   end
   protect_value(flow.output)
   return flow, place
end

return M
