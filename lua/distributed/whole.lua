--- Networks in one piece again.
-- @module distributed.whole

local torch = require 'torch'
local nn = require 'nn'
local distributed = require 'distributed.module'
local options = require 'torch.options'
local linear = require 'distributed.split.Linear'
local lookup = require 'distributed.split.LookupTable'
local dropout = require 'distributed.split.Dropout'
local attention = require 'distributed.split.Attention'

local WHOLE = {
   ['distributed.ColumnLinear'] = linear.from_columns,
   ['distributed.RowLinear'] = linear.from_rows,
   ['distributed.LookupTable'] = lookup.whole,
   ['distributed.Dropout'] = dropout.whole,
   ['distributed.MultiHeadAttention'] = attention.whole,
}

local function on_host(module)
   local name = module:type()
   if name == 'torch.CudaTensor' then
      return module:float()
   end
   return module:type((name:gsub('Cuda', '')))
end

local whole_of

-- Layers that are parts, and what is inside of others.
local function put_together(module)
   local f = WHOLE[torch.typename(module)]
   if f then
      return f(module)
   end
   for i, child in ipairs(module.modules or {}) do
      module.modules[i] = put_together(child)
   end
   return module
end

local function add(net, layer)
   net:add(layer)
   net._type = layer:type()
end

-- Of stages. Layer by layer: a device has room for a copy of one.
local function sequence_of(stages)
   local net = nn.Sequential()
   for _, stage in ipairs(stages) do
      for _, layer in ipairs(whole_of(stage).modules) do
         add(net, layer)
      end
   end
   return net
end

local CONTAINERS = {
   ['distributed.DataParallel'] = function(net) return whole_of(net.modules[1]) end,
   ['nn.GPU'] = function(net) return whole_of(net.modules[1]) end,
   ['nn.Placed'] = function(net) return sequence_of(net.modules) end,
   ['distributed.Pipeline'] = function(net)
      local own = sequence_of(net.modules)
      if #net.modules == net.stages then
         return own
      end
      return sequence_of(distributed.gatherObjects(own, { group = net.group }))
   end,
}

function whole_of(module)
   local name = torch.typename(module)
   local f = CONTAINERS[name]
   if f then
      return f(module)
   elseif name == 'nn.Sequential' then
      local net = nn.Sequential()
      for _, child in ipairs(module.modules) do
         add(net, whole_of(child))
      end
      return net
   end
   return put_together(on_host(module:clone():clearState()))
end

--- A network in one piece, on the CPU: a copy of one that is in stages (distributed.Pipeline,
-- nn.Placed), or has layers that are split (distributed.split), without those. All ranks call this,
-- and all get it. Gradients are zero.
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
   local whole = whole_of(net)
   whole:zeroGradParameters()
   return whole
end
