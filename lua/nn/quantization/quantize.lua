--- nn.quantize: a trained net on 8-bit numbers.

local torch = require 'torch'
local nn = require 'nn'
local calibration = require 'nn.quantization.calibration'
local dataflow = require 'nn.dataflow'
local folding = require 'nn.normalization.folding'
local options = require 'torch.options'
local plan = require 'nn.quantization.plan'
local raise = require('torch.errors').raise

local KINDS = {
   calibration = require('nn.quantization.observers').kinds, percentile = 'share',
   perChannel = 'boolean', skip = 'call',
}

local NORMS = { ['nn.BatchNormalization'] = 'nn.Linear',
   ['nn.SpatialBatchNormalization'] = 'nn.SpatialConvolution' }

local function unwrap_weights(flow)
   for _, step in ipairs(flow) do
      if torch.typename(step.module) == 'nn.FakeQuantizedWeight' then
         step.replace(step.module:plain())
      end
   end
end

-- Those in graphs: nn.fuse has folded the ones in sequences.
local function fold_norms(flow, gone)
   for _, step in ipairs(flow) do
      local before, wanted = step.input.producer, NORMS[torch.typename(step.module)]
      if wanted and before and not step.shared and not before.shared and step.module.running_var
         and torch.isTypeOf(before.module, wanted)
         and dataflow.only_consumer(step.input) == step then
         local layer = before.module
         local _, bias = folding.weights(layer, step.module, 1, layer.weight)
         layer.bias, layer.gradBias = bias, bias:clone():zero()
         gone(step)
      end
   end
end

-- Module -> its place, such as '2.1': nets that were fused have others.
local function paths_of(module, path, paths)
   paths[module] = path
   for i, child in ipairs(module.modules or {}) do
      paths_of(child, path and ('%s.%d'):format(path, i) or tostring(i), paths)
   end
   return paths
end

-- The layer on bytes in a step's place; nil where it stays.
local function make(step, per_channel)
   local module, input = step.module, step.input
   local output = step.bytes and step.output.numbers or nil
   if step.kind == 'sum' then
      return nn.QuantizedAdd(input.list[1].numbers, input.list[2].numbers):type(module:type())
         :setOutput(output)
   elseif step.kind == 'product' then
      local class = torch.isTypeOf(module, 'nn.Linear') and nn.QuantizedLinear
         or nn.QuantizedConvolution
      return class(module, input.numbers, per_channel):setOutput(output)
   elseif step.kind == 'pool' and input.producer and input.producer.bytes then
      return nn.QuantizedMaxPooling(module, input.numbers):setOutput(output)
   end
end

local function replace(flow, per_channel, gone)
   local count = 0
   for _, step in ipairs(flow) do
      local layer = make(step, per_channel)
      if layer then
         step.replace(layer)
         count = count + 1
      elseif step.kind == 'pass' or step.kind == 'rectifier' and step.bytes then
         gone(step)
      end
   end
   return count
end

-- Takes modules that do nothing any more out of a sequence.
local function drop(module, idle)
   for i = #module.modules, 1, -1 do
      if idle[module.modules[i]] and #module.modules > 1 then
         module:remove(i)
      end
   end
end

-- Takes them out of all sequences, and sequences of one module away, until nothing is left to do.
local function tidy(net, idle)
   local changed
   repeat
      changed = false
      net = net:replace(function(module)
         while torch.typename(module) == 'nn.Sequential' do
            drop(module, idle)
            if #module.modules ~= 1 then
               return module
            end
            module, changed = module.modules[1], true
         end
         return module
      end)
   until not changed
   return net
end

--- A net that computes on 8-bit numbers, from one that is trained, which stays as it is.
--
-- Samples run through the net tell which ranges its values have; layers become nn.QuantizedLinear,
-- nn.QuantizedConvolution, nn.QuantizedAdd (of nn.CAddTable with two inputs), nn.QuantizedResidual
-- and nn.QuantizedMaxPooling, in nn.Sequential, nn.ConcatTable, nn.ParallelTable and nngraph's
-- nets. Batch normalisation is folded into the layer before it; max(0, .) comes with the rounding.
-- Values between such layers are bytes; all others, and what goes in and comes out, are as they
-- were. A net that was trained with nn.fakeQuantize needs no samples: it knows its ranges.
--
-- Options: `calibration`, how ranges are found: 'range' (the default: from the least to the largest
-- value), 'average', 'percentile' or 'entropy' (see nn.quantization.observers); `percentile`, the
-- share of the values inside (0.9999); `perChannel`, whether the weights of each output have a
-- scale of their own (true); `skip`, a function that gets a layer and says whether it stays in
-- floats.
-- @function nn.quantize
-- @tparam nn.Module net
-- @param[opt] data a batch, a list of batches, or a function that returns an iterator over them
-- @tparam[opt] table options
-- @treturn nn.Module another net, in evaluation mode
-- @raise "nn.quantize: nn.Tanh has no layer that 8-bit numbers could compute", "nn.quantize: with
-- these data the net's input has numbers from -1 to inf, expected finite ones", "nn.quantize: batch
-- 2: the output of nn.Linear (3) has NaN, expected numbers: look at the batch, or at the parameters
-- of that layer"
-- @usage fast = nn.quantize(net, { batch1, batch2 }, { calibration = 'entropy' })
-- @example
-- local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.ReLU()):add(nn.Linear(8, 2))
-- local x = torch.rand(64, 4)
-- local small = nn.quantize(net, x)
-- (small:forward(x) - net:forward(x)):abs():max() < 0.05 --> true
-- torch.typename(small:get(1)), small:size() --> 'nn.QuantizedLinear', 2
function nn.quantize(net, data, opts)
   if not torch.isTypeOf(net, 'nn.Module') then
      raise(('nn.quantize: net is %s, expected a module'):format(options.describe(net)))
   end
   opts = options.check('nn.quantize', opts, KINDS)
   net = net:clone()
   local paths = paths_of(net, nil, {})
   net = nn.fuse(net)
   local flow, place = dataflow.of(net)
   local idle = {}
   local function gone(step)
      local identity = nn.Identity():type(step.module:type())
      idle[identity] = true
      step.replace(identity)
   end
   unwrap_weights(flow)
   fold_norms(flow, gone)
   local endless = calibration.measure(flow, data, opts.calibration or 'range',
      opts.percentile or 0.9999, paths)
   plan.make(flow, opts.skip)
   local count = replace(flow, opts.perChannel ~= false, gone)
   if count == 0 and endless then
      raise(('nn.quantize: with these data %s has numbers from %g to %g, expected finite ones')
         :format(calibration.name_of(endless, paths), endless.low, endless.high))
   elseif count == 0 then
      raise(('nn.quantize: %s has no layer that 8-bit numbers could compute'):format(
         torch.typename(net)))
   end
   net = tidy(place[1], idle)
   require('nn.quantization.residuals').join(net)
   net:evaluate()
   return net
end

return nn.quantize
