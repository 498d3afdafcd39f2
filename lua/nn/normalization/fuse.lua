--- nn.fuse: batch normalisation folded into the layer before it, for evaluation.

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local folding = require 'nn.normalization.folding'

-- Class -> the dimension of its weight that is outputs, and the normalisation that can follow.
local FOLDS = {
   ['nn.Linear'] = { 1, 'nn.BatchNormalization' },
   ['nn.SpatialConvolution'] = { 1, 'nn.SpatialBatchNormalization' },
   ['nn.SpatialFullConvolution'] = { 2, 'nn.SpatialBatchNormalization' },
}

-- Into tensors of its own: others, such as those of a clone, may share the layer's.
local function fold(layer, norm, dimension)
   layer.weight, layer.bias = folding.weights(layer, norm, dimension)
   layer.gradWeight = layer.gradWeight and layer.weight:clone():zero()
   layer.gradBias = layer.bias:clone():zero()
end

local function foldable(layer, norm)
   local entry = FOLDS[torch.typename(layer)]
   return entry and torch.typename(norm) == entry[2] and norm.running_var
      and norm.running_var:nElement() == layer.weight:size(entry[1]) and entry[1]
end

-- Module -> in how many places of the net it is.
local function places_of(net)
   local places, known = {}, {}
   for _, container in ipairs(net:listModules()) do
      for _, module in ipairs(not known[container] and container.modules or {}) do
         places[module] = (places[module] or 0) + 1
      end
      known[container] = true
   end
   return places
end

local function fuse_sequence(net, places)
   for i = #net.modules, 2, -1 do
      local layer, norm = net.modules[i - 1], net.modules[i]
      local dimension = foldable(layer, norm)
      if dimension then
         if places[layer] > 1 then -- it stays as it is in the others
            places[layer] = places[layer] - 1
            layer = layer:clone()
            net.modules[i - 1], places[layer] = layer, 1
         end
         fold(layer, norm, dimension)
         net:remove(i)
      end
   end
end

-- --- nn.MapTable: clones are made again when they are needed -------------------------------------

local function alike(a, b)
   return a == nil and b == nil or a ~= nil and b ~= nil and (a:isSetTo(b) or a:equal(b))
end

-- Whether two clones do the same in evaluation: those that were trained have statistics of their
-- own.
local function agree(a, b)
   local others, parameters = b:listModules(), nested.append({}, (b:parameters()))
   for i, module in ipairs(a:listModules()) do
      local other = others[i] or {}
      if not alike(module.running_mean, other.running_mean)
         or not alike(module.running_var, other.running_var) then
         return false
      end
   end
   for i, p in ipairs(nested.append({}, (a:parameters()))) do
      if not alike(p, parameters[i]) then
         return false
      end
   end
   return true
end

local function drop_clones(map)
   for i = 2, #map.modules do
      if not agree(map.module, map.modules[i]) then
         return
      end
   end
   map:resize(math.min(1, #map.modules))
end

--- Fold each batch normalisation that follows a linear layer or a convolution, in a sequence, into
-- that layer's weight and bias, by its running statistics. The net gives what it gave in
-- evaluation, with less work; it is put in evaluation mode, and is no longer one to train: those
-- layers have parameters and gradients of their own. A layer that is in several places stays as it
-- is in the others.
-- @param net a module; changed in place: clone it first to keep the original
-- @return net
-- @usage fast = nn.fuse(net:clone())
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.BatchNormalization(2)):add(nn.ReLU())
-- nn.fuse(net):size() --> 2
function nn.fuse(net)
   net:evaluate()
   local places = places_of(net)
   net:apply(function(module)
      if torch.typename(module) == 'nn.Sequential' then
         fuse_sequence(module, places)
      elseif torch.isTypeOf(module, 'nn.MapTable') and module.shared then
         drop_clones(module)
      end
   end)
   return net
end

return nn.fuse
