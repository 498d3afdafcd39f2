--- nn.removeChannels: a net with fewer channels.

local torch = require 'torch'
local nn = require 'nn'
local options = require 'torch.options'
local spaces = require 'nn.pruning.spaces'
local raise = require('torch.errors').raise

local KINDS = { amount = 'share', by = { 'l1', 'l2', 'scale' }, multiple = 'count', skip = 'call' }

-- --- which channels go --------------------------------------------------------------------------

-- Of each row of a layer's weights, in double.
local function norms(module, p)
   return module.weight:double():view(module.weight:size(1), -1):norm(p, 2):view(-1)
end

-- How much each channel of a space counts: the sum over the layers that make it, each compared with
-- its own mean.
local function importance(space, by)
   local total = torch.DoubleTensor(space.size):zero()
   local function add(scores)
      total:add(scores:div(math.max(scores:mean(), 1e-30)))
   end
   local scaled = false
   for _, step in ipairs(by == 'scale' and space.norms or {}) do
      if step.module.weight and step.module.weight:nElement() == space.size then
         add(torch.abs(step.module.weight:double()))
         scaled = true
      end
   end
   for _, step in ipairs(scaled and {} or space.makers) do
      add(norms(step.module, by == 'l2' and 2 or 1))
   end
   return total
end

local function is_free(space, skip)
   if space.protected or #space.makers == 0 then
      return false
   end
   for _, step in ipairs(space.makers) do
      if skip and skip(step.module) then
         return false
      end
   end
   return true
end

-- Positions of the channels that stay, in order; nil for all.
local function choose(space, opts)
   if not is_free(space, opts.skip) then
      return nil
   end
   local multiple = opts.multiple or 1
   local wanted = space.size * (1 - (opts.amount or 0.5))
   local count = math.max(math.floor(wanted / multiple + 0.5) * multiple, math.min(multiple,
      space.size), 1)
   if count >= space.size then
      return nil
   end
   local _, order = importance(space, opts.by or 'l1'):sort(1, true)
   return (order:narrow(1, 1, count):sort(1))
end

-- --- taking them out ----------------------------------------------------------------------------

-- The positions that stay along a value's channels; nil for all.
local function positions(segments)
   local list, offset, all = {}, 0, true
   for _, segment in ipairs(segments) do
      local space = spaces.root(segment.space)
      all = all and not space.kept
      local kept = space.kept or torch.range(1, space.size):long()
      for i = 1, kept:size(1) do
         for k = 1, segment.inner do
            list[#list + 1] = offset + (kept[i] - 1) * segment.inner + k
         end
      end
      offset = offset + space.size * segment.inner
   end
   return not all and torch.LongTensor(list) or nil
end

local function cut(module, names, dim, kept)
   if not kept then
      return
   end
   for _, name in ipairs(names) do
      local t = module[name]
      if torch.isTensor(t) and t:dim() >= dim then
         module[name] = t:index(dim, kept)
      end
   end
end

-- Positions in rows where each channel has `count` neighbouring numbers.
local function widen(kept, count)
   local first = (kept - 1) * count
   return first:view(-1, 1):expand(kept:size(1), count):clone()
      :add(torch.range(1, count):long():view(1, -1):expand(kept:size(1), count)):view(-1)
end

local function cut_step(step)
   local module = step.module
   if step.reads then
      local outputs = spaces.root(step.output.segments[1].space).kept
      local inputs = positions(step.reads)
      cut(module, { 'weight', 'gradWeight', 'bias', 'gradBias' }, 1, outputs)
      local matrix = module.nInputPlane and module.weight:dim() == 2 -- outputs x (inputs kH kW)
      cut(module, { 'weight', 'gradWeight' }, 2,
         inputs and matrix and widen(inputs, module.kH * module.kW) or inputs)
      if module.nOutputPlane then
         module.nOutputPlane = module.weight:size(1)
         module.nInputPlane = inputs and inputs:size(1) or module.nInputPlane
      end
   elseif step.normalises then
      cut(module, { 'weight', 'gradWeight', 'bias', 'gradBias', 'running_mean', 'running_var' }, 1,
         positions(step.normalises))
   end
end

-- Sizes that are written in layers: of views, the one of the channels. Sizes may leave the batch
-- out, so it counts from the last.
local function cut_view(step)
   local module, segments = step.module, step.output.segments
   local kept = segments and positions(segments)
   if not kept or not module.size or torch.typename(module) ~= 'nn.View'
      and torch.typename(module) ~= 'nn.Reshape' then
      return
   end
   local whole, features = 0, kept:size(1)
   for _, segment in ipairs(segments) do
      whole = whole + spaces.root(segment.space).size * segment.inner
   end
   local sizes = module.size:totable()
   local d = #sizes - #step.output.sizes + spaces.channel_dim(step.output)
   if sizes[d] ~= whole then -- -1
      return
   end
   sizes[d] = features
   if torch.typename(module) == 'nn.View' then
      module:resetSize(unpack(sizes))
   else
      step.replace(nn.Reshape(torch.LongStorage(sizes), module.batchMode):type(module:type()))
   end
end

--- A net with a share of its channels taken out, so that it is smaller and faster; train it on for
-- a while afterwards.
--
-- Channels of nn.Linear and nn.SpatialConvolution go, with what normalises and reads them, through
-- nn.Sequential, nn.ConcatTable, nn.ParallelTable, nngraph's nets, residual sums (all that is added
-- up loses the same channels), nn.JoinTable along channels, and from planes to features (nn.View).
-- The net's input and output stay, and so does what a layer of another kind, or one that shares its
-- parameters with another, reads or makes.
--
-- Options: `amount`, the share that goes (0.5); `by`, what a channel counts: 'l1' or 'l2', the norm
-- of its weights (the default is 'l1'), or 'scale', the weight of its batch normalisation;
-- `multiple`, of how many channels each layer keeps a multiple (1; kernels like 8 or 16); `skip`, a
-- function that gets a layer and says whether its channels stay.
-- Sources: Li et al., Pruning Filters for Efficient ConvNets, ICLR 2017; Liu et al., Learning
-- Efficient Convolutional Networks through Network Slimming, ICCV 2017.
-- @function nn.removeChannels
-- @tparam nn.Module net
-- @param input a sample or a batch, for the sizes
-- @tparam[opt] table options
-- @treturn nn.Module another net; fetch its parameters anew
-- @raise "nn.removeChannels: nn.Linear has no channels that could go"
-- @usage small = nn.removeChannels(net, x, { amount = 0.5, by = 'scale' })
-- @example
-- local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.ReLU()):add(nn.Linear(8, 2))
-- local small = nn.removeChannels(net, torch.rand(1, 4), { amount = 0.75 })
-- #small:get(1).weight, #small:get(3).weight --> { 2, 4 }, { 2, 2 }
function nn.removeChannels(net, input, opts)
   if not torch.isTypeOf(net, 'nn.Module') then
      raise(('nn.removeChannels: net is %s, expected a module'):format(options.describe(net)))
   end
   opts = options.check('nn.removeChannels', opts, KINDS)
   local mode = net.train
   net = net:clone()
   net:evaluate()
   local flow, place = spaces.of(net, input)
   local count = 0
   for _, step in ipairs(flow) do
      local segments = step.reads and step.output.segments
      local space = segments and spaces.root(segments[1].space)
      if space and not space.chosen then
         space.chosen, space.kept = true, choose(space, opts)
         count = count + (space.kept and 1 or 0)
      end
   end
   if count == 0 then
      raise(('nn.removeChannels: %s has no channels that could go'):format(torch.typename(net)))
   end
   for _, step in ipairs(flow) do
      cut_step(step)
      cut_view(step)
   end
   net = place[1]:clearState()
   if mode ~= false then
      net:training()
   end
   return net
end

return nn.removeChannels
