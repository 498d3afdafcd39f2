--- nn.fuse: batch normalisation folded into the layer before it, for evaluation.

local torch = require 'torch'
local nn = require 'nn'
local folding = require 'nn.normalization.folding'

-- Class -> the dimension of its weight that is outputs, and the normalisation that can follow.
local FOLDS = {
   ['nn.Linear'] = { 1, 'nn.BatchNormalization' },
   ['nn.SpatialConvolution'] = { 1, 'nn.SpatialBatchNormalization' },
   ['nn.SpatialFullConvolution'] = { 2, 'nn.SpatialBatchNormalization' },
}

-- Into tensors of its own: others, such as those of an nn.MapTable, may share the layer's.
local function fold(layer, norm, dimension)
   layer.weight, layer.bias = folding.weights(layer, norm, dimension)
   layer.gradBias = layer.gradBias or layer.bias:clone():zero()
end

local function foldable(layer, norm)
   local entry = FOLDS[torch.typename(layer)]
   return entry and torch.typename(norm) == entry[2] and norm.running_var
      and norm.running_var:nElement() == layer.weight:size(entry[1]) and entry[1]
end

local function fuse_sequence(net)
   for i = #net.modules, 2, -1 do
      local layer, norm = net.modules[i - 1], net.modules[i]
      local dimension = foldable(layer, norm)
      if dimension then
         fold(layer, norm, dimension)
         net:remove(i)
      end
   end
end

--- Fold each batch normalisation that follows a linear layer or a convolution, in a sequence, into
-- that layer's weight and bias, by its running statistics. The net gives what it gave in
-- evaluation, with less work; it is put in evaluation mode, and is no longer one to train.
-- @param net a module; changed in place: clone it first to keep the original
-- @return net
-- @usage fast = nn.fuse(net:clone())
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.BatchNormalization(2)):add(nn.ReLU())
-- nn.fuse(net):size() --> 2
function nn.fuse(net)
   net:evaluate()
   net:apply(function(module)
      if torch.typename(module) == 'nn.Sequential' then
         fuse_sequence(module)
      end
   end)
   return net
end

return nn.fuse
