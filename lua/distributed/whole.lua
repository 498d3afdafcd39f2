--- Networks in one piece again.
-- @module distributed.whole

local torch = require 'torch'
local nn = require 'nn'
local distributed = require 'distributed.module'
local host_copy = require 'distributed.host_copy'
local options = require 'torch.options'
local linear = require 'distributed.split.Linear'
local lookup = require 'distributed.split.LookupTable'
local dropout = require 'distributed.split.Dropout'
local attention = require 'distributed.split.Attention'
local devices = require 'distributed.split.devices'

local WHOLE = {
   ['distributed.ColumnLinear'] = linear.from_columns,
   ['distributed.RowLinear'] = linear.from_rows,
   ['distributed.LookupTable'] = lookup.whole,
   ['distributed.Dropout'] = dropout.whole,
   ['distributed.MultiHeadAttention'] = attention.whole,
   ['distributed.Parts'] = devices.whole,
}

-- What the copies of a network's layers have in common, so that those that share parameters still
-- do: `on_host`, which copies them; `parts`, parameters that were put together; `layers`, and the
-- layers of these.
local function new_memo()
   return { on_host = host_copy.copier(), parts = {}, layers = {} }
end

local whole_of

-- Layers that are parts, and what is inside of others.
local function put_together(module, memo)
   local known = memo.layers[module]
   if known then
      return known
   end
   local f, whole = WHOLE[torch.typename(module)], module
   if f then
      whole = f(module, memo.parts)
   else
      for i, child in ipairs(module.modules or {}) do
         module.modules[i] = put_together(child, memo)
      end
   end
   memo.layers[module] = whole
   return whole
end

local function add(net, layer)
   net:add(layer)
   net._type = layer:type()
end

-- Of stages.
local function sequence_of(stages, memo)
   local net = nn.Sequential()
   for _, stage in ipairs(stages) do
      for _, layer in ipairs(whole_of(stage, memo).modules) do
         add(net, layer)
      end
   end
   return net
end

local CONTAINERS = {
   ['distributed.DataParallel'] = function(net, memo) return whole_of(net.modules[1], memo) end,
   ['nn.GPU'] = function(net, memo) return whole_of(net.modules[1], memo) end,
   ['nn.Placed'] = function(net, memo) return sequence_of(net.modules, memo) end,
   ['distributed.Pipeline'] = function(net, memo)
      local own = sequence_of(net.modules, memo)
      if #net.modules == net.stages then
         return own
      end
      return sequence_of(distributed.gatherObjects(own, { group = net.group }), new_memo())
   end,
}

function whole_of(module, memo)
   local name = torch.typename(module)
   local f = CONTAINERS[name]
   if f then
      return f(module, memo)
   elseif name == 'nn.Sequential' then
      local net = nn.Sequential()
      for _, child in ipairs(module.modules) do
         add(net, whole_of(child, memo))
      end
      net.train, net.name = module.train, rawget(module, 'name')
      return net
   end
   return put_together(memo.on_host(module), memo)
end

--- A network in one piece, on the CPU: a copy of one that is in stages (distributed.Pipeline,
-- nn.Placed), or has layers that are split (distributed.split), without those. All ranks call this,
-- and all get it. Layers that share parameters still do; gradients are zero.
-- @tparam nn.Module net
-- @return nn.Module of the same function; stages come as one nn.Sequential
-- @usage whole = distributed.whole(net)
-- if distributed.rank() == 1 then torch.save('net.t7', whole) end
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- local layer = nn.Linear(4, 6)
-- local parts = distributed.split(layer:clone())
-- distributed.whole(parts).weight:equal(layer.weight) --> true
function distributed.whole(net)
   if not torch.isTypeOf(net, 'nn.Module') then
      options.fail('distributed.whole: expected a network (nn.Module), got %s',
         options.describe(net))
   end
   local whole = whole_of(net, new_memo())
   whole:zeroGradParameters()
   return whole
end
