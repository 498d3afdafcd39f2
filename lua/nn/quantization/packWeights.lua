--- nn.packWeights: the weights of a net's large layers in 4 or 8 bits.

local torch = require 'torch'
local nn = require 'nn'
local options = require 'torch.options'
local packing = require 'nn.quantization.packing'
local raise = require('torch.errors').raise

local KINDS = { bits = { 4, 8 }, group = 'count', skip = 'call' }

local PACKED = { ['nn.Linear'] = 'PackedLinear', ['nn.LookupTable'] = 'PackedLookupTable' }

--- Replace each nn.Linear and nn.LookupTable by an nn.PackedLinear or nn.PackedLookupTable: its
-- weights take 4 or 8 bits each, everything else stays floats.
--
-- Options: `bits` (4), `group`, how many columns share a scale and a zero (64: 32 is more exact and
-- takes more memory), `skip`, a function that gets a layer and says whether it stays as it is. Rows
-- that are no whole number of bytes, and tables with a maxNorm, stay, too.
-- @function nn.packWeights
-- @tparam nn.Module net
-- @tparam[opt] table options
-- @treturn nn.Module another net
-- @usage small = nn.packWeights(net, { bits = 4, group = 32 })
-- @example
-- local net = nn.Sequential():add(nn.Linear(64, 32)):add(nn.Tanh())
-- torch.typename(nn.packWeights(net):get(1)) --> 'nn.PackedLinear'
function nn.packWeights(net, opts)
   if not torch.isTypeOf(net, 'nn.Module') then
      raise(('nn.packWeights: net is %s, expected a module'):format(options.describe(net)))
   end
   opts = options.check('nn.packWeights', opts, KINDS)
   local bits, group = opts.bits or 4, opts.group or 64
   if group % 8 ~= 0 then
      raise(('nn.packWeights: group is %d, expected a multiple of 8'):format(group))
   end
   return net:clone():replace(function(module)
      local name = PACKED[torch.typename(module)]
      if not name or module.maxNorm or opts.skip and opts.skip(module)
         or not packing.group(module.weight:size(2), group, bits) then
         return module
      end
      local packed = nn[name](module, bits, group)
      packed.train = module.train
      return packed
   end)
end

return nn.packWeights
