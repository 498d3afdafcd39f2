--- nn.fakeQuantize: a net to be trained for 8-bit numbers.

local torch = require 'torch'
local nn = require 'nn'
local dataflow = require 'nn.dataflow'
local options = require 'torch.options'
local raise = require('torch.errors').raise

local KINDS = { perChannel = 'boolean', momentum = 'share', skip = 'call' }

local PRODUCTS = { ['nn.Linear'] = true, ['nn.SpatialConvolution'] = true,
   ['nn.SpatialConvolutionMM'] = true, ['nn.SpatialDilatedConvolution'] = true }

local function is_rectifier(step)
   return step and torch.typename(step.module) == 'nn.ReLU'
end

local PASSED = { ['nn.Identity'] = true, ['nn.Dropout'] = true, ['nn.SpatialDropout'] = true,
   ['nn.SpatialMaxPooling'] = true, ['nn.View'] = true, ['nn.Reshape'] = true,
   ['nn.Contiguous'] = true }

-- Whether a value goes into something that would read bytes.
local function is_read(value)
   for _, step in ipairs(value.consumers) do
      local name = torch.typename(step.module)
      if PRODUCTS[name] or name == 'nn.CAddTable' or name == 'nn.FakeQuantizedWeight'
         or PASSED[name] and is_read(step.output) then
         return true
      end
   end
   return false
end

-- The step behind which a value is rounded: a rectifier that alone reads it, or its own.
local function rounded_at(step)
   local consumer = dataflow.only_consumer(step.output)
   return is_rectifier(consumer) and not consumer.shared and consumer or step
end

--- A net that learns to be rounded: what nn.quantize would compute on bytes is rounded as that
-- would, forward; gradients go through.
--
-- Weights of nn.Linear and nn.SpatialConvolution are wrapped in nn.FakeQuantizedWeight, and an
-- nn.FakeQuantize follows the input, each such layer and each sum, behind its nn.ReLU where there
-- is one. Batch normalisation is folded first. Train the result some epochs at a small learning
-- rate, then `nn.quantize(net)`, without data.
--
-- Options: `perChannel` (true), `momentum` of the ranges (0.99), `skip`, a function that gets a
-- layer and says whether it stays as it is.
-- @function nn.fakeQuantize
-- @tparam nn.Module net
-- @tparam[opt] table options
-- @treturn nn.Module another net, in training mode; fetch its parameters anew
-- @raise "nn.fakeQuantize: nn.Tanh has no layer that 8-bit numbers could compute"
-- @usage net = nn.fakeQuantize(net); train(net); fast = nn.quantize(net)
-- @example
-- local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.ReLU()):add(nn.Linear(8, 2))
-- local fake = nn.fakeQuantize(net)
-- fake:forward(torch.rand(64, 4)) -- ranges are found while training
-- torch.typename(nn.quantize(fake):get(2)) --> 'nn.QuantizedLinear'
function nn.fakeQuantize(net, opts)
   if not torch.isTypeOf(net, 'nn.Module') then
      raise(('nn.fakeQuantize: net is %s, expected a module'):format(options.describe(net)))
   end
   opts = options.check('nn.fakeQuantize', opts, KINDS)
   net = nn.fuse(net:clone())
   local flow, place = dataflow.of(net)
   local count, behind = 0, {}
   for _, step in ipairs(flow) do
      local name = torch.typename(step.module)
      if not step.shared and not (opts.skip and opts.skip(step.module))
         and (PRODUCTS[name] or name == 'nn.CAddTable') then
         local last = rounded_at(step)
         behind[last] = is_read(last.output) or nil -- what comes out stays in floats
         if PRODUCTS[name] then
            step.replace(nn.FakeQuantizedWeight(step.module, opts.perChannel ~= false))
            count = count + 1
         end
      end
   end
   if count == 0 then
      raise(('nn.fakeQuantize: %s has no layer that 8-bit numbers could compute'):format(
         torch.typename(net)))
   end
   local function fake()
      return nn.FakeQuantize(opts.momentum):type(net:type())
   end
   for _, step in ipairs(flow) do
      if behind[step] then
         step.replace(nn.Sequential():add(step.module):add(fake()))
      end
   end
   local whole = nn.Sequential()
   if is_read(flow.input) then -- else it may be positions
      whole:add(fake())
   end
   whole:add(place[1])
   whole:training()
   return whole
end

return nn.fakeQuantize
