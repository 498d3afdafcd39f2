--- Batch normalisation by known statistics as part of the linear layer before it.
--
-- y = s (W x + b - mean) + bias, with s = weight / sqrt(var + eps), is a layer with weight s W and
-- bias s (b - mean) + bias.
-- @module nn.normalization.folding

local torch = require 'torch'
local device = require 'nn.base.device'
local types = require 'torch.types'
local th = require 'torch.ffi'

local M = {}

--- Weight and bias of a layer that does what `layer` and `norm` do in evaluation.
-- @param layer has a weight, and a bias or none
-- @param norm a batch normalisation of as many features as the layer has outputs
-- @int dimension of the weight that is outputs
-- @tparam[opt] Tensor weight where the new weight goes; may be the layer's
-- @treturn Tensor weight
-- @treturn Tensor bias
function M.weights(layer, norm, dimension, weight)
   local elsewhere = types.several and device.elsewhere(layer.weight)
   if elsewhere then
      return require('cutorch').withDevice(elsewhere, M.weights, layer, norm, dimension, weight)
   end
   local s = norm.running_var:clone():add(norm.eps):rsqrt()
   if norm.weight then
      s:cmul(norm.weight)
   end
   local bias = norm.running_mean:clone():mul(-1)
   if layer.bias then
      bias:add(layer.bias)
   end
   bias:cmul(s)
   if norm.bias then
      bias:add(norm.bias)
   end
   local W = layer.weight
   local sizes = torch.LongStorage(W:dim()):fill(1)
   sizes[dimension] = W:size(dimension)
   return (weight or W.new()):cmul(W, s:view(sizes):expandAs(W)), bias
end

-- --- kept for as long as nothing is written -----------------------------------------------------

local kept = setmetatable({}, { __mode = 'k' }) -- normalisation -> what was made with it

local FIELDS = { 'running_mean', 'running_var', 'weight', 'bias' }

local function is_own(t)
   return t == nil or t.store == nil or th.C.TH_Storage_isOwn(t.store)
end

-- Whether every write to what is folded is seen: of files' memory it is not, which other processes
-- may write.
local function writes_are_seen(layer, norm)
   for _, name in ipairs(FIELDS) do
      if not is_own(norm[name]) then
         return false
      end
   end
   return is_own(layer.weight) and is_own(layer.bias)
end

-- What a tensor is when it is used. The handle keeps the memory, so that no other gets its address.
local function seen(t)
   return t and { handle = t.new():set(t), version = t.store.version[0] }
end

local function unchanged(before, t)
   if not t or not before then
      return not t and not before
   end
   local handle = before.handle
   if not th.isTensor(t) or handle.store ~= t.store or handle.offset ~= t.offset
      or handle.ndim ~= t.ndim or before.version ~= t.store.version[0] then
      return false
   end
   for d = 0, t.ndim - 1 do
      if handle.sizes[d] ~= t.sizes[d] or handle.strides[d] ~= t.strides[d] then
         return false
      end
   end
   return true
end

local function is_current(entry, layer, norm)
   return entry.layer == layer and entry.eps == norm.eps and unchanged(entry.W, layer.weight)
      and unchanged(entry.b, layer.bias) and unchanged(entry.mean, norm.running_mean)
      and unchanged(entry.var, norm.running_var) and unchanged(entry.w, norm.weight)
      and unchanged(entry.shift, norm.bias)
end

--- As `weights`, made anew only when one of the tensors has changed, or may have unseen.
-- @treturn Tensor weight not the caller's to change
-- @treturn Tensor bias likewise
function M.current(layer, norm, dimension)
   local entry = kept[norm]
   if entry and is_current(entry, layer, norm) then
      return entry.weight, entry.bias
   end
   local weight, bias = M.weights(layer, norm, dimension)
   if not writes_are_seen(layer, norm) then
      kept[norm] = nil
      return weight, bias
   end
   kept[norm] = {
      layer = layer, eps = norm.eps, weight = weight, bias = bias,
      W = seen(layer.weight), b = seen(layer.bias), mean = seen(norm.running_mean),
      var = seen(norm.running_var), w = seen(norm.weight), shift = seen(norm.bias),
   }
   return weight, bias
end

--- Let go of what is kept for a normalisation.
function M.forget(norm)
   kept[norm] = nil
end

return M
