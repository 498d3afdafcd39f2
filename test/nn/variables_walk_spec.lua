-- Walks the layers of nn: on Variables each has the gradients of its own `backward`, whatever else
-- it computes before: a call that is not recorded, and a second one that is.
local torch = require 'torch'
local raises = require 'test.support.raises'
local nests = require 'test.support.nests'
local samples = require 'test.support.samples'

local leaves, map, is_integer, clone, same =
   nests.leaves, nests.map, nests.is_integer, nests.clone, nests.same

-- Gradients of a layer's outputs, which a seed makes.
local function gradients_of(outputs)
   torch.manualSeed(11)
   return map(function(y)
      return is_integer(y) and y:clone():zero() or y.new():resize(y:size()):uniform(-1, 1)
   end, outputs)
end

local function drawn(f, ...)
   torch.manualSeed(7) -- random layers repeat themselves
   return f(...)
end

local function variables(nest)
   return map(function(x)
      return is_integer(x) and x:clone() or x:clone():requiresGrad()
   end, nest)
end

-- The gradients of the tensors that have one; zeros where none has come.
local function grads(nest)
   return map(function(v)
      return v.grad and v.grad:clone() or v:detach():clone():zero()
   end, nest)
end

local function judge(sample)
   local layer = sample.new()
   layer:zeroGradParameters()
   local input = sample.input()
   local g = gradients_of(drawn(layer.forward, layer, clone(input)))
   drawn(layer.forward, layer, clone(input))
   local x = clone(input)
   drawn(layer.forward, layer, x)
   layer:zeroGradParameters()
   local wanted = clone(layer:backward(x, clone(g), 1))
   local sums = clone(select(2, layer:parameters()) or {})
   layer:zeroGradParameters()
   layer:requiresGrad()

   local first, second = variables(input), variables(input)
   local y = drawn(layer.forward, layer, first)
   torch.noGrad(layer.forward, layer, clone(input))
   local z = drawn(layer.forward, layer, second)
   local outputs, given = {}, {}
   for _, output in ipairs { y, z } do
      local list = leaves(g)
      for i, t in ipairs(leaves(output)) do
         if t:isVariable() then
            outputs[#outputs + 1], given[#given + 1] = t, list[i]:clone()
         end
      end
   end
   if #outputs == 0 then
      assert.is_true(is_integer(leaves(y)[1]) and true or sample.unsupervised)
      return -- positions, say
   end
   if sample.variables then -- its gradInput is no gradient of its input
      raises('its gradInput is a ', torch.backward, outputs, given)
      return
   end
   torch.backward(outputs, given)
   local function floating(nest)
      return map(function(t) return is_integer(t) and torch.zeros(1) or t end, nest)
   end
   local function expected()
      local list, types = leaves(clone(wanted)), leaves(input)
      for i, t in ipairs(list) do
         list[i] = is_integer(types[i]) and torch.zeros(1) or t
      end
      return list
   end
   same(expected(), leaves(floating(grads(first))), 'the gradient of the first call', 1e-10)
   same(expected(), leaves(floating(grads(second))), 'the gradient of the second call', 1e-10)
   for i, sum in ipairs(select(2, layer:parameters()) or {}) do
      same(sums[i]:mul(2), sum, ('the gradient of parameter %d'):format(i), 1e-10)
   end
end

describe('on Variables, and used again before backward,', function()
   local names = {}
   for name in pairs(samples.layers) do
      names[#names + 1] = name
   end
   table.sort(names)
   for _, name in ipairs(names) do
      for i, sample in ipairs(samples.layers[name]) do
         it(('nn.%s (%d) has the gradients of its backward'):format(name, i), function()
            local print = _G.print
            _G.print = sample.prints and function() end or print
            local ok, err = pcall(judge, sample)
            _G.print = print
            if not ok then
               error(err, 0)
            end
         end)
      end
   end
end)
