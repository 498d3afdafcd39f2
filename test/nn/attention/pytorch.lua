--- What the specs of attention compare with oracle.lua: the numbers of oracle.py, and where PyTorch
-- keeps parameters.

local torch = require 'torch'
local numbers = require 'test.support.numbers'

local M = {}

--- oracle.py's numbers.
function M.wave(sizes, phase, scale)
   local x, i = torch.Tensor(torch.LongStorage(sizes)), 0
   return x:apply(function()
      i = i + 1
      return (scale or 0.5) * math.sin(0.7 * i + phase)
   end)
end

local wave = M.wave

--- oracle.py's mask of keys.
function M.mask()
   return torch.ByteTensor { { 0, 0, 0, 1 }, { 0, 0, 1, 1 } }
end

-- The attentions, linear layers and normalisations of a Transformer's layer.
local function parts(layer)
   local attentions, linears, norms = {}, {}, {}
   for _, residual in ipairs(layer.modules) do
      local inner = residual.modules[1]
      if torch.type(inner) == 'nn.MultiHeadAttention' then
         attentions[#attentions + 1] = inner
      else
         linears = { inner.modules[1].modules[1], inner.modules[1].modules[3] }
      end
      norms[#norms + 1] = residual.modules[2]
   end
   return attentions, linears, norms
end

-- PyTorch has one parameter for queries, keys and values.
local function add_attention(list, attention, weight, bias)
   for _, field in ipairs { weight, bias } do
      local three = {}
      for i = 1, 3 do
         three[i] = attention.modules[i][field]
      end
      list[#list + 1] = three
   end
   list[#list + 1] = { attention.modules[4][weight] }
   list[#list + 1] = { attention.modules[4][bias] }
end

local function add(list, module, weight, bias)
   if torch.type(module) == 'nn.MultiHeadAttention' then
      add_attention(list, module, weight, bias)
   elseif module[weight] then
      list[#list + 1], list[#list + 2] = { module[weight] }, { module[bias] }
   elseif torch.typename(module):find 'Layer$' then
      local attentions, linears, norms = parts(module)
      for _, modules in ipairs { attentions, linears, norms } do
         for _, inner in ipairs(modules) do
            add(list, inner, weight, bias)
         end
      end
   else -- a stack of layers
      for _, layer in ipairs(module.modules) do
         add(list, layer, weight, bias)
      end
   end
   return list
end

--- Fill a net as oracle.py does.
function M.fill(net)
   for k, tensors in ipairs(add({}, net, 'weight', 'bias')) do
      local sizes, rows = tensors[1]:size():totable(), tensors[1]:size(1)
      sizes[1] = #tensors * rows
      local all = wave(sizes, k)
      for i, tensor in ipairs(tensors) do
         tensor:copy(all:narrow(1, (i - 1) * rows + 1, rows))
      end
   end
   net:zeroGradParameters()
   return net
end

--- oracle.py's inputs of these sizes.
function M.inputs(...)
   local list = {}
   for k, sizes in ipairs { ... } do
      list[k] = wave(sizes, 0.3 + k - 1, 1)
   end
   return list
end

--- Raise unless output and gradients are PyTorch's.
function M.check(expected, net, input)
   local y = net:forward(input)
   numbers.equal(expected.y, y, 1e-12)
   local g = net:backward(input, wave(y:size():totable(), 1.3, 1))
   g = torch.isTensor(g) and { g } or g
   for i, gx in ipairs(expected.gx) do
      numbers.equal(gx, g[i], 1e-12)
   end
   if expected.parameters then
      local gradients = add({}, net, 'gradWeight', 'gradBias')
      assert(#expected.parameters == #gradients, 'other parameters than PyTorch has')
      for i, tensors in ipairs(gradients) do
         numbers.equal(expected.parameters[i], torch.cat(tensors, 1), 1e-12)
      end
   end
end

return M
