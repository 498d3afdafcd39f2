-- Walks nn: what each layer and criterion gives on Variables, within a larger expression, against
-- its own forward and backward on plain tensors.
local torch = require 'torch'
require 'nn'
local nests = require 'test.support.nests'
local samples = require 'test.support.samples'

local leaves, map, is_integer, clone = nests.leaves, nests.map, nests.is_integer, nests.clone

local IN, OUT = 0.5, 3 -- factors before and behind
local SEED = 7 -- of layers that draw

-- Variables u in the place of x = IN * u; positions and masks stay what they are.
local function variables_of(input)
   local list = {}
   local nest = map(function(x)
      if is_integer(x) then
         return x
      end
      local u = torch.div(x, IN):requiresGrad()
      list[#list + 1] = u
      return u * IN
   end, clone(input))
   return nest, list
end

-- The tensors of the input's gradient that belong to real numbers.
local function real_ones(gradient, input)
   local list, types = leaves(gradient), leaves(input)
   for i = #types, 1, -1 do
      if is_integer(types[i]) then
         table.remove(list, i)
      end
   end
   return list
end

local function close(expected, found, what)
   local size = math.max(1, torch.abs(expected:double()):max())
   local tolerance = torch.typename(found):match 'Double' and 1e-12 or 1e-5
   local difference = torch.abs(expected:double() - found:double()):max() / size
   assert.is_true(difference <= tolerance, ('%s differs by %g'):format(what, difference))
end

local function loss_of(outputs, weights)
   local sum
   for i, y in ipairs(outputs) do
      if not is_integer(y) then
         local term = torch.cmul(y, weights[i]):sum()
         sum = sum and sum + term or term
      end
   end
   return sum * OUT
end

-- What layers give that have no derivative at all, and no parameter.
local CONSTANT = { OneHot = true, Kmeans = true }

local function check_layer(sample, make, name)
   local layer = sample.new()
   local input = make()
   torch.manualSeed(SEED)
   layer:forward(clone(input)) -- containers may make modules
   local twin = layer:clone()
   torch.manualSeed(SEED)
   local y = clone(twin:forward(clone(input)))
   local weights = map(function(t)
      return is_integer(t) and t:clone():zero() or t.new():resize(t:size()):uniform(-1, 1)
   end, y)
   twin:zeroGradParameters()
   layer:zeroGradParameters()
   local plain = clone(input)
   torch.manualSeed(SEED)
   twin:forward(plain)
   local gradInput = clone(twin:backward(plain, map(function(w)
      return is_integer(w) and w or w * OUT
   end, weights)))

   local x, variables = variables_of(input)
   -- Words, say, have no gradient: what is learnt counts.
   if #variables == 0 and not CONSTANT[name] then
      layer:requiresGrad()
   end
   torch.manualSeed(SEED)
   local outputs = layer:forward(x)
   if CONSTANT[name] then
      for _, t in ipairs(leaves(outputs)) do
         assert.is_false(t:isVariable())
      end
      return
   end
   nests.same(y, map(function(t) return t:detach() end, outputs), 'the output', 1e-12)
   loss_of(leaves(outputs), leaves(weights)):backward()
   local gradients = map(function(v) return assert(v.grad, 'no gradient') end, variables)
   local wanted = real_ones(gradInput, input)
   if sample.variables then -- gradInput is of all features, that of Variables of the input's
      wanted = sample.variables(gradInput, input)
      gradients = sample.still and map(function(g)
         assert.equal(0, g:select(2, 1):norm(), 'the gradient of positions')
         return g:select(2, 2)
      end, gradients) or gradients
   end
   for i, g in ipairs(wanted) do
      close(g * IN, gradients[i], 'the gradient of input ' .. i)
   end
   local _, expected = twin:parameters()
   local _, found = layer:parameters()
   for i, g in ipairs(expected or {}) do
      close(g, found[i], 'the gradient of parameter ' .. i)
   end
end

local function check_criterion(sample, make)
   local criterion = sample.new()
   local input, target = make()
   torch.manualSeed(SEED)
   local loss = criterion:forward(clone(input), target)
   local gradInput = clone(criterion:backward(clone(input), target))
   local x, variables = variables_of(input)
   torch.manualSeed(SEED)
   local result = criterion:clone():forward(x, target)
   assert.near(loss, result:item(), 1e-5 * math.max(1, math.abs(loss)));
   (result * OUT):backward()
   for i, g in ipairs(real_ones(gradInput, input)) do
      close(g * (IN * OUT), assert(variables[i].grad, 'no gradient'), 'the gradient of input ' .. i)
   end
end

local function silently(quiet, f, ...)
   local original = print
   _G.print = quiet and function() end or original
   local ok, message = pcall(f, ...)
   _G.print = original
   assert.is_true(ok, message)
end

local function walk(list, check)
   local names = {}
   for name in pairs(list) do
      names[#names + 1] = name
   end
   table.sort(names)
   for _, name in ipairs(names) do
      local entry = list[name]
      for i, sample in ipairs(entry[1] and entry or { entry }) do
         it(('%s has the gradients of its backward (%d)'):format(name, i), function()
            silently(sample.prints, check, sample, sample.input, name)
            if sample.single then
               silently(sample.prints, check, sample, sample.single, name)
            end
         end)
      end
   end
end

describe('on Variables, layer', function()
   walk(samples.layers, check_layer)
end)

describe('on Variables, criterion', function()
   walk(samples.criterions, check_criterion)
end)
