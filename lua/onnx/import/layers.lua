--- The operators that are layers of nn: name -> function(n) that gives the layer, or nil where
-- this node is none, and after it the inputs that it takes (by default the first).
-- @module onnx.import.layers
local nn = require 'nn'

local M = {}

-- Whether an attribute is as good as not given.
local function is_default(value, default)
   return value == nil or math.abs(value - default) < 1e-6
end

for operator, class in pairs {
   Relu = 'ReLU', Sigmoid = 'Sigmoid', Tanh = 'Tanh', Exp = 'Exp', Log = 'Log', Abs = 'Abs',
   Sqrt = 'Sqrt',
   Softsign = 'SoftSign', Softplus = 'SoftPlus', Mish = 'Mish', HardSwish = 'HardSwish',
   Selu = 'SELU',
} do
   M[operator] = function(n)
      if operator ~= 'Selu' or is_default(n.a.alpha, 1.6732632)
         and is_default(n.a.gamma, 1.0507010) then
         return nn[class]()
      end
   end
end

function M.LeakyRelu(n)
   local slope = n.a.alpha or 0.01
   return nn.LeakyReLU(slope)
end

function M.Elu(n)
   return nn.ELU(n.a.alpha or 1)
end

function M.HardSigmoid(n)
   local a, b = n.a.alpha or 0.2, n.a.beta or 0.5
   if math.abs(a - 1 / 6) < 1e-6 and math.abs(b - 0.5) < 1e-6 then
      return nn.HardSigmoid()
   end
end

function M.Gelu(n)
   return nn.GELU(n.a.approximate == 'tanh')
end

function M.Clip(n)
   local low, high = n:number(2, 'min'), n:number(3, 'max')
   if low and high and low < high then
      return low == 0 and high == 6 and nn.ReLU6() or nn.Clamp(low, high)
   end
end

-- --- windows ------------------------------------------------------------------------------------

local function repeated(value, count)
   local list = {}
   for i = 1, count do
      list[i] = value
   end
   return list
end

-- Borders in front of all dimensions, then behind. With steps of 1 those that keep the size
-- depend on the window alone, otherwise on the input, which is not known: nil, then.
local function borders(n, kernel)
   local dims, auto = #kernel, n.a.auto_pad or 'NOTSET'
   if auto == 'NOTSET' then
      return n.a.pads or repeated(0, 2 * dims)
   elseif auto == 'VALID' then
      return repeated(0, 2 * dims)
   end
   local pads = {}
   for d = 1, dims do
      if not auto:find '^SAME_' then
         n:fail("there is no auto_pad '%s'", auto)
      elseif (n.a.strides or {})[d] and n.a.strides[d] ~= 1 then
         return nil
      end
      local all = (kernel[d] - 1) * ((n.a.dilations or {})[d] or 1)
      local less = math.floor(all / 2)
      pads[d], pads[dims + d] = less, all - less
      if auto == 'SAME_LOWER' then
         pads[d], pads[dims + d] = all - less, less
      end
   end
   return pads
end

-- Kernel, strides, dilations and borders of an operator with windows, nil where a layer has no such
-- borders; `most` part of a window is the largest that the layer takes itself.
local function windows(n, kernel, most)
   local dims = #kernel
   local pads = borders(n, kernel)
   if not pads then
      return nil
   end
   local w = { kernel = kernel, strides = n.a.strides or repeated(1, dims),
      dilations = n.a.dilations or repeated(1, dims), pads = {}, extra = {} }
   if #w.strides ~= dims or #w.dilations ~= dims or #pads ~= 2 * dims then
      n:fail('strides, dilations and pads are not of %d dimensions', dims)
   end
   for d = 1, dims do
      if kernel[d] < 1 or w.strides[d] < 1 or w.dilations[d] < 1 or pads[d] < 0
         or pads[dims + d] < 0 then
         n:fail('a window, step or border is below 1')
      end
      w.pads[d] = pads[d]
      w.uneven = w.uneven or pads[d] ~= pads[dims + d] or most and pads[d] > kernel[d] * most
   end
   if w.uneven then -- borders of their own, then
      w.before, w.after = {}, {}
      for d = 1, dims do
         w.before[d], w.after[d], w.pads[d] = pads[d], pads[dims + d], 0
      end
   end
   return w
end

-- Borders in front of a layer, where they differ from side to side.
local function with_borders(w, layer, value)
   if not w.uneven then
      return layer
   end
   local net = nn.Sequential()
   for d = 1, #w.kernel do
      if w.before[d] > 0 then
         net:add(nn.Padding(d + 2, -w.before[d], nil, value))
      end
      if w.after[d] > 0 then
         net:add(nn.Padding(d + 2, w.after[d], nil, value))
      end
   end
   return net:add(layer)
end

-- A signal as an image of one row.
local function as_image(layer)
   return nn.Sequential():add(nn.Unsqueeze(3)):add(layer):add(nn.Select(3, 1))
end

local function image_of(w)
   local v = { uneven = w.uneven }
   for key, first in pairs { kernel = 1, strides = 1, dilations = 1, pads = 0, before = 0,
      after = 0 } do
      v[key] = w[key] and { first, w[key][1] }
   end
   return v
end

local function sizes_of(t)
   return t:size():totable()
end

-- A layer's weights are those of the file.
local function give(n, layer, weight, bias)
   layer.weight, layer.gradWeight = weight, n.constants:gradient(weight)
   layer.bias = bias or nil
   layer.gradBias = bias and n.constants:gradient(bias) or nil
   return layer
end

local function convolution(n, w, weight, bias, groups)
   local sizes = sizes_of(weight)
   local inputs, outputs = sizes[2] * groups, sizes[1]
   local k, s, p, l = w.kernel, w.strides, w.pads, w.dilations
   local layer
   if #k == 2 then
      layer = nn.SpatialDilatedConvolution(1, 1, k[2], k[1], s[2], s[1], p[2], p[1], l[2], l[1])
      if l[1] == 1 and l[2] == 1 then
         layer = nn.SpatialConvolution(1, 1, k[2], k[1], s[2], s[1], p[2], p[1])
      end
   else
      layer = nn.VolumetricDilatedConvolution(1, 1, k[1], k[3], k[2], s[1], s[3], s[2], p[1],
         p[3], p[2],
         l[1], l[3], l[2])
   end
   layer.nInputPlane, layer.nOutputPlane, layer.groups = inputs, outputs, groups
   return give(n, layer, weight, bias)
end

local function kernel_of(n, weight)
   local sizes = sizes_of(weight)
   local kernel = { unpack(sizes, 3) }
   if #kernel < 1 or #kernel > 3 then
      n:fail('a kernel of %d dimensions is not read', #sizes)
   end
   for d, size in ipairs(n.a.kernel_shape or {}) do
      if size ~= kernel[d] then
         n:fail('kernel_shape is not that of the weights')
      end
   end
   return kernel
end

local function checked_bias(n, outputs)
   local bias = n:constant(3)
   if bias and (bias:dim() ~= 1 or bias:size(1) ~= outputs) then
      n:fail('a bias of %s for %d planes', table.concat(sizes_of(bias), 'x'), outputs)
   end
   return bias
end

-- The weights of a convolution, the sizes of its kernel, and its groups; nil where weights or bias
-- are computed.
local function checked_weight(n)
   local weight = n:constant(2)
   if not weight or n:has(3) and not n:constant(3) then
      return nil
   end
   local kernel, groups = kernel_of(n, weight), n.a.group or 1
   if groups < 1 or weight:size(1) % groups ~= 0 then
      n:fail('%d planes do not fall into %g groups', weight:size(1), groups)
   end
   return weight, kernel, groups
end

function M.Conv(n)
   local weight, kernel, groups = checked_weight(n)
   local bias = weight and checked_bias(n, weight:size(1))
   local w = weight and windows(n, kernel)
   if not w then
      return nil
   end
   if #kernel == 1 then
      local image = image_of(w)
      weight = weight:view(weight:size(1), weight:size(2), 1, kernel[1])
      return as_image(with_borders(image, convolution(n, image, weight, bias, groups), 0))
   end
   return with_borders(w, convolution(n, w, weight, bias, groups), 0)
end

function M.ConvTranspose(n)
   local weight, kernel, groups = checked_weight(n)
   if not weight or n.a.output_shape or (n.a.auto_pad or 'NOTSET') ~= 'NOTSET' then
      return nil
   end
   local outputs = weight:size(2) * groups
   local bias, w = checked_bias(n, outputs), windows(n, kernel)
   local extra = n.a.output_padding or repeated(0, #kernel)
   if w.uneven then
      return nil
   elseif #extra ~= #kernel then
      n:fail('output_padding is not of %d dimensions', #kernel)
   end
   for d = 1, #kernel do
      if extra[d] < 0 or extra[d] >= w.strides[d] then
         n:fail('output_padding of %g with a step of %g', extra[d], w.strides[d])
      end
   end
   local signal = #kernel == 1
   if signal then
      w, extra = image_of(w), { 0, extra[1] }
      weight = weight:view(weight:size(1), weight:size(2), 1, kernel[1])
   end
   local k, s, p, l, e = w.kernel, w.strides, w.pads, w.dilations, extra
   local layer
   if #k == 2 then
      layer = nn.SpatialFullConvolution(1, 1, k[2], k[1], s[2], s[1], p[2], p[1], e[2], e[1])
   else
      layer = nn.VolumetricFullConvolution(1, 1, k[1], k[3], k[2], s[1], s[3], s[2], p[1], p[3],
         p[2],
         e[1], e[3], e[2])
      layer.dilationT = l[1]
   end
   layer.dilationH, layer.dilationW = l[#k - 1], l[#k]
   layer.nInputPlane, layer.nOutputPlane, layer.groups = weight:size(1), outputs, groups
   give(n, layer, weight, bias)
   return signal and as_image(layer) or layer
end

local function pooling(n, make, value)
   local kernel = n.a.kernel_shape
   if not kernel or #kernel < 1 or #kernel > 3 then
      n:fail 'kernel_shape is missing, or of other than 1 to 3 dimensions'
   end
   local w = windows(n, kernel, 0.5)
   -- No window begins in the border behind, which a layer does not know of that is another layer's.
   if not w or n.a.ceil_mode == 1 and w.uneven then
      return nil
   end
   local image = #kernel == 1 and image_of(w) or w
   local layer = make(image)
   if not layer then
      return nil
   end
   if n.a.ceil_mode == 1 then
      layer:ceil()
   end
   layer = with_borders(image, layer, value)
   return #kernel == 1 and as_image(layer) or layer
end

function M.MaxPool(n)
   if n.outputs > 1 then
      return nil
   end
   return pooling(n, function(w)
      local k, s, p, l = w.kernel, w.strides, w.pads, w.dilations
      if #k == 2 then
         return nn.SpatialDilatedMaxPooling(k[2], k[1], s[2], s[1], p[2], p[1], l[2], l[1])
      end
      return nn.VolumetricDilatedMaxPooling(k[1], k[3], k[2], s[1], s[3], s[2], p[1], p[3],
         p[2], l[1],
         l[3], l[2])
   end, -math.huge)
end

function M.AveragePool(n)
   return pooling(n, function(w)
      local k, s, p = w.kernel, w.strides, w.pads
      for d = 1, #k do
         if w.dilations[d] ~= 1 then
            return nil
         end
      end
      if w.uneven and n.a.count_include_pad ~= 1 then
         return nil
      end
      local layer = #k == 2 and nn.SpatialAveragePooling(k[2], k[1], s[2], s[1], p[2], p[1])
         or nn.VolumetricAveragePooling(k[1], k[3], k[2], s[1], s[3], s[2], p[1], p[3], p[2])
      if n.a.count_include_pad ~= 1 then
         layer:setCountExcludePad()
      end
      return layer
   end, 0)
end

function M.GlobalAveragePool(n)
   return n.ranks[1] == 4 and nn.SpatialAdaptiveAveragePooling(1, 1) or nil
end

function M.GlobalMaxPool(n)
   return n.ranks[1] == 4 and nn.SpatialAdaptiveMaxPooling(1, 1) or nil
end

-- --- products, normalisation --------------------------------------------------------------------

local function linear(n, weight, bias)
   return give(n, nn.Linear(1, 1), weight, bias)
end

function M.Gemm(n)
   local weight, bias = n:constant(2), n:constant(3)
   if not weight or weight:dim() ~= 2 or n.a.transA == 1 or (n.a.alpha or 1) ~= 1
      or (n.a.beta or 1) ~= 1 or n:has(3) and not bias then
      return nil
   end
   weight = n.a.transB == 1 and weight or n.constants:transposed(weight)
   local columns = weight:size(1) -- a column, N x 1, is a bias of rows
   if bias and (bias:nElement() ~= columns or bias:size(bias:dim()) ~= columns) then
      return nil
   end
   return linear(n, weight, bias and bias:view(-1))
end

function M.MatMul(n)
   local weight = n:constant(2)
   if weight and weight:dim() == 2 and n.ranks[1] == 2 then
      return linear(n, n.constants:transposed(weight))
   end
end

local NORMALIZATION = { [2] = 'BatchNormalization', [4] = 'SpatialBatchNormalization',
   [5] = 'VolumetricBatchNormalization' }

function M.BatchNormalization(n)
   local class, t = NORMALIZATION[n.ranks[1] or 0], {}
   if not class or n.a.training_mode == 1 or n.outputs > 1 then
      return nil
   end
   for i = 2, 5 do
      t[i] = n:constant(i)
      if not t[i] or t[i]:nElement() ~= t[2]:nElement() then
         return nil
      end
   end
   local momentum = 1 - (n.a.momentum or 0.9)
   local layer = nn[class](t[2]:nElement(), n.a.epsilon or 1e-5, momentum)
   for i, name in pairs { [4] = 'running_mean', [5] = 'running_var' } do
      n.constants:copy(t[i]) -- they move, and files share what is equal, such as ones
      layer[name]:copy(t[i]:view(-1))
   end
   return give(n, layer, t[2]:view(-1), t[3]:view(-1))
end

function M.LayerNormalization(n)
   local weight, bias = n:constant(2), n:constant(3)
   local axis, rank = n.a.axis or -1, n.ranks[1]
   if not weight or n:has(3) and not bias or n.outputs > 1 or not (axis < 0 or rank)
      or weight:dim() ~= (axis < 0 and -axis or rank - axis)
      or bias and not bias:isSameSizeAs(weight) then
      return nil
   end
   return give(n, nn.LayerNorm(weight:size(), n.a.epsilon or 1e-5), weight, bias)
end

function M.PRelu(n)
   local slope = n:constant(2)
   if slope and slope:nElement() == 1 then
      return give(n, nn.PReLU(), slope:view(1))
   end
end

-- --- sizes --------------------------------------------------------------------------------------

function M.Flatten(n)
   if n.ranks[1] and n.ranks[1] > 1 and (n.a.axis or 1) == 1 then
      return nn.Collapse(n.ranks[1] - 1)
   end
end

function M.Dropout(n)
   local training = n:constant(3)
   if not n:has(3) or training and training:view(-1):totable()[1] == 0 then
      return nn.Identity()
   end
end

-- Before opset 13 all from the axis on is one row.
local function classes(single, spatial)
   return function(n)
      local rank = n.ranks[1]
      local axis = n.a.axis or (n.opset < 13 and 1 or -1)
      axis = axis < 0 and rank and rank + axis or axis
      return rank == 2 and axis == 1 and nn[single]() or rank == 4 and axis == 1
         and n.opset >= 13 and nn[spatial]() or nil
   end
end

M.Softmax = classes('SoftMax', 'SpatialSoftMax')
M.LogSoftmax = classes('LogSoftMax', 'SpatialLogSoftMax')

function M.Concat(n)
   local inputs = {}
   for i = 1, n.count do
      if n:isConstant(i) then
         return nil
      end
      inputs[i] = i
   end
   local axis = n.a.axis or 0
   -- Vectors are lists of sizes, which are of no layer's type.
   return #inputs > 1 and (n.ranks[1] or 1) > 1 and nn.JoinTable(axis < 0
      and axis or axis + 1) or nil, inputs
end

return M
