-- Walks nn: every class keeps the contract of a layer or a criterion. A class without a sample in
-- test/support/samples fails.
local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local check = require 'nn.check'
local nests = require 'test.support.nests'
local samples = require 'test.support.samples'

local STEP, TOLERANCE = 1e-5, 1e-7 -- test/support/gradcheck.lua says why

local leaves, map, is_integer, to_type = nests.leaves, nests.map, nests.is_integer, nests.to_type
local clone, odd, same = nests.clone, nests.odd, nests.same

-- What of an input, or of its gradient, is differentiated.
local function variables(sample, nest, input)
   if sample.variables then
      return sample.variables(nest, input)
   end
   local list, types = leaves(nest), leaves(input)
   for i = #types, 1, -1 do
      if is_integer(types[i]) then
         assert.equal(0, nest == input and 0 or list[i]:ne(0):sum(), 'the gradient of positions')
         table.remove(list, i)
      end
   end
   return list
end

-- df/dx by central differences, x in any strides.
local function numeric(x, f)
   local gradient = torch.DoubleTensor(x:size())
   local function visit(t, g)
      for i = 1, t:size(1) do
         if t:dim() > 1 then
            visit(t[i], g[i])
         else
            local original = t[i]
            t[i] = original + STEP
            local high = f()
            t[i] = original - STEP
            local low = f()
            t[i] = original
            g[i] = (high - low) / (2 * STEP)
         end
      end
   end
   visit(x, gradient)
   return gradient
end

local function close(analytic, expected, what)
   local difference = (analytic - expected):abs():max()
   local message = '%s differs from central differences by %g'
   assert.is_true(difference <= TOLERANCE, message:format(what, difference))
end

-- Gradients of sum(w .* output) with fixed random w, in the strides that `arrange` gives.
local function check_gradients(sample, layer, make, arrange)
   local input = arrange(make())
   local function run(x)
      torch.manualSeed(7) -- random layers repeat themselves
      return layer:forward(sample.inplace and clone(x) or x)
   end
   local w = arrange(map(function(y)
      local r = y.new():resize(y:size())
      return is_integer(y) and r:zero() or r:uniform(-1, 1)
   end, run(input)))
   local function loss()
      local sum = 0
      local ys, ws = leaves(run(input)), leaves(w)
      for i, y in ipairs(ys) do
         sum = sum + torch.cmul(y, ws[i]):sum()
      end
      return sum
   end
   local parameters, gradients = layer:parameters()
   for _, g in ipairs(gradients or {}) do
      g:fill(0.5)
   end
   run(input)
   local given, given_g, g = clone(input), clone(w), sample.inplace and clone(w) or w
   local gradInput = clone(layer:backward(input, g, 2))
   if not sample.inplace then
      same(given, input, 'the input, which must stay as it was,')
      same(given_g, w, 'gradOutput, which must stay as it was,')
   end
   local xs, gs = variables(sample, input, input), variables(sample, gradInput, input)
   assert.equal(#xs, #gs)
   for i, x in ipairs(xs) do
      close(gs[i], numeric(x, loss):mul(sample.derivative or 1), ('gradInput %d'):format(i))
   end
   for i, p in ipairs(not sample.unsupervised and parameters or {}) do
      local added = gradients[i]:clone():add(-0.5):div(2)
      close(added, numeric(p, loss), ('the gradient of parameter %d'):format(i))
   end
end

local function forward(layer, x)
   torch.manualSeed(7)
   return layer:forward(clone(x))
end

local function elements(object, seen)
   seen = seen or {}
   if torch.isTensor(object) then
      return object:nElement()
   elseif type(object) ~= 'table' or seen[object] then
      return 0
   end
   seen[object] = true
   local sum = 0
   for _, value in pairs(object) do
      sum = sum + elements(value, seen)
   end
   return sum
end

local other = torch.FloatTensor():type()

-- Classes whose output is the input's memory, with Torch7 too: a layer behind that works in place
-- writes over the input.
local VIEWS = {}
for name in ('Bottle Collapse Contiguous Copy FlattenTable GradientReversal Identity '
   .. 'L1Penalty NarrowTable PrintSize Replicate Reshape SelectTable SplitTable Squeeze '
   .. 'Unsqueeze View ZeroGrad ZipTable ZipTableOneToMany'):gmatch '%S+' do
   VIEWS[name] = true
end

-- The first of a batch, two of it, and two inputs as a batch; where that is none, layers refuse it.
local function first_part(nest)
   return map(function(x) return x:narrow(1, 1, 1):clone() end, nest)
end

local function twice(nest)
   return map(function(x) return torch.cat(x, x, 1) end, nest)
end

local function together(a, b)
   return nested.zip(function(_, pair)
      local sizes = pair[1]:size():totable()
      local x, y = pair[1]:view(1, unpack(sizes)), pair[2]:view(1, unpack(sizes))
      return torch.cat(x, y, 1)
   end, nil, { a, b })
end

-- Whether each tensor of a batch has a dimension more than that of a sample.
local function is_batch(batch, single)
   local a, b = leaves(batch), leaves(single)
   local all = #a == #b
   for i, x in ipairs(a) do
      all = all and x:dim() == b[i]:dim() + 1
   end
   return all
end

-- Whether a layer's output has to do with chance.
local function draws(layer, x)
   torch.manualSeed(1)
   local y = clone(layer:forward(clone(x)))
   torch.manualSeed(2)
   return not pcall(same, y, layer:forward(clone(x)), '')
end

local layer_checks = {
   ['has the gradients of central differences'] = function(sample)
      for _, make in pairs { sample.input, sample.single } do
         check_gradients(sample, sample.new(), make, function(x) return x end)
         if not sample.compact then
            check_gradients(sample, sample.new(), make, odd)
         end
      end
   end,

   ['takes single samples, or a reason is given'] = function(sample)
      assert.is_true(sample.single ~= nil or type(sample.why) == 'string')
      if sample.single then -- a batch is its samples
         local layer, x = sample.new(), sample.single()
         local one = clone(forward(layer, x))
         if not sample.compact and torch.isTensor(one) and torch.isTensor(x) and
            torch.isTensor(sample.input()) and sample.input():dim() == x:dim() + 1 then
            local batch = x:view(1, unpack(x:size():totable()))
            same(one, forward(layer, batch):contiguous():view(one:size()), 'a batch of one', 1e-12)
         end
      end
   end,

   ['adds up the same gradients by parts and at once'] = function(sample)
      local layer, x = sample.new(), sample.input()
      local y = clone(forward(layer, x))
      layer:zeroGradParameters()
      local gradInput = clone(layer:backward(clone(x), clone(y), 0.5))
      local _, gradients = layer:parameters()
      local at_once = clone(gradients or {})
      layer:zeroGradParameters()
      forward(layer, x)
      same(gradInput, layer:updateGradInput(clone(x), clone(y)), 'gradInput', 1e-12)
      layer:accGradParameters(clone(x), clone(y), 0.5)
      same(at_once, gradients or {}, 'the gradients', 1e-12)
   end,

   ['steps at once as by its gradients'] = function(sample)
      local layer, x = sample.new(), sample.input()
      if not layer:parameters() or sample.unsupervised then
         return
      end
      local twin = layer:clone()
      local g = clone(forward(layer, x)) -- a container may make modules now
      forward(twin, x)
      layer:zeroGradParameters()
      layer:backward(clone(x), clone(g))
      layer:updateParameters(0.1)
      local gradInput = clone(layer.gradInput)
      for _, gradients in ipairs { select(2, twin:parameters()) } do
         map(function(gradient) return gradient:fill(7) end, gradients) -- whatever is left there
      end
      same(gradInput, twin:backwardUpdate(clone(x), clone(g), 0.1), 'gradInput', 1e-12)
      same((layer:parameters()), (twin:parameters()), 'the parameters', 1e-10)
   end,

   ['runs the modules that it holds, replaced ones too'] = function(sample)
      local layer, x = sample.new(), sample.input()
      if not torch.isTypeOf(layer, 'nn.Container') then
         return
      end
      layer:zeroGradParameters() -- NaN looks at them
      local y = clone(forward(layer, x))
      local gradInput = clone(layer:backward(clone(x), clone(y)))
      for what, new in pairs { ['clones'] = function(m) return m:clone() end, ['NaN'] = nn.NaN } do
         local copy, count = layer:clone(), #(layer:parameters() or {})
         local old = {}
         copy:replace(function(m)
            if m == copy or m.modules then
               return m
            end
            for _, p in ipairs(what == 'clones' and m:parameters() or {}) do
               old[#old + 1] = p
            end
            return new(m)
         end)
         map(function(p) return p:fill(0 / 0) end, old)
         same(y, forward(copy, x), 'the output with ' .. what, 0)
         same(gradInput, copy:backward(clone(x), clone(y)), 'gradInput with ' .. what, 0)
         local twin = layer:clone()
         for _, net in ipairs { copy, twin } do
            local parameters = net:parameters() or {}
            assert.equal(count, #parameters)
            for _, p in ipairs(parameters) do
               p:mul(1.5):add(0.1)
            end
         end
         same(forward(twin, x), forward(copy, x), 'the output of other parameters', 0)
      end
   end,

   ['leaves the gradients alone where it is frozen'] = function(sample)
      local layer, x = sample.new(), sample.input()
      local y = clone(forward(layer, x))
      layer:zeroGradParameters()
      local gradInput = clone(layer:backward(clone(x), clone(y)))
      for _, module in ipairs(layer:listModules()) do
         if not module.modules then
            module.accGradParameters = function() end
         end
      end
      layer:zeroGradParameters()
      forward(layer, x)
      same(gradInput, layer:backward(clone(x), clone(y)), 'gradInput', 1e-12)
      for _, gradient in ipairs(select(2, layer:parameters()) or {}) do
         assert.equal(0, gradient:norm())
      end
   end,

   ['survives saving, and cloning'] = function(sample)
      local layer, x = sample.new(), sample.input()
      local y = clone(forward(layer, x))
      for _, mode in ipairs { 'binary', 'ascii' } do
         local again = torch.deserialize(torch.serialize(layer, mode), mode)
         same(y, forward(again, x), mode, 1e-15)
         assert.equal(tostring(layer), tostring(again))
         assert.equal(torch.typename(layer), torch.typename(again))
      end
      local copy = layer:clone()
      for _, p in ipairs((copy:parameters()) or {}) do
         p:fill(0.125)
      end
      forward(copy, x) -- running statistics are no parameters: a clone has its own as well
      same(y, forward(layer, x), 'the original', 0)
   end,

   ['shares its parameters'] = function(sample)
      local names = sample.names or { 'weight', 'bias', 'gradWeight', 'gradBias' }
      local layer, x = sample.new(), sample.input()
      torch.manualSeed(3) -- what is not shared is the same
      local second = sample.new()
      forward(layer, x) -- a container may make modules now
      forward(second, x)
      second:share(layer, unpack(names))
      for _, twin in ipairs { layer:clone(unpack(names)), second } do
         local mine, myGradients = layer:parameters()
         local its, itsGradients = twin:parameters()
         for i, p in ipairs(mine or {}) do
            p:fill(i)
            myGradients[i]:fill(-i)
            assert.equal(i, its[i]:min())
            assert.equal(-i, itsGradients[i]:min())
         end
         same(forward(layer, x), forward(twin, x), 'the output', 1e-12)
      end
   end,

   ['does not remember the sizes, modes or inputs of other calls'] = function(sample)
      local layer, x = sample.new(), sample.input()
      local function pass(net, input)
         local y = clone(forward(net, input))
         return y, clone(net:backward(clone(input), clone(y)))
      end
      -- One that remembers nothing, if it takes the input, and the layer.
      local function compare(input, what)
         local taken, y, g = pcall(pass, layer:clone():clearState(), input)
         if taken then
            local y2, g2 = pass(layer, input)
            same(y, y2, 'the output ' .. what, 1e-12)
            same(g, g2, 'gradInput ' .. what, 1e-12)
         else
            assert.is_nil(y:find('attempt to', 1, true), y) -- a refusal
         end
         return taken
      end
      pass(layer, x)
      local inputs = { sample.single and sample.single() or x, first_part(x), twice(x), x }
      for i, input in ipairs(inputs) do
         local taken = compare(input, 'of input ' .. i)
         assert.is_true(taken or i == 2 or i == 3)
      end
      for _, mode in ipairs { 'evaluate', 'training' } do
         layer[mode](layer)
         if not compare(x, 'in ' .. mode) then -- some have no gradient in evaluation
            forward(layer, x)
         end
      end
   end,

   ['treats each sample of a batch by itself'] = function(sample)
      local single, layer = sample.single and sample.single(), sample.new()
      if not single or sample.mixes or not is_batch(sample.input(), single)
         or draws(layer:clone(), single) then
         return
      end
      local second = map(function(x) -- another one like it
         return is_integer(x) and x:clone() or x:clone():mul(0.75)
      end, single)
      local both = together(single, second)
      local y = clone(forward(layer, both))
      layer:zeroGradParameters()
      local gradInput = clone(layer:backward(clone(both), clone(y)))
      local _, gradients = layer:parameters()
      local at_once = clone(gradients or {})
      layer:zeroGradParameters()
      for i, x in ipairs { single, second } do
         local function part(t)
            return t:dim() == 1 and t:narrow(1, i, 1) or t:select(1, i)
         end
         same(map(part, y), forward(layer, x), 'the output', 1e-12)
         same(map(part, gradInput), layer:backward(clone(x), map(part, y)), 'gradInput', 1e-12)
      end
      if not sample.unsupervised then
         same(at_once, gradients or {}, 'the gradients', 1e-12)
      end
   end,

   ['survives saving between forward and backward'] = function(sample)
      local layer, x = sample.new(), sample.input()
      layer:zeroGradParameters()
      local y = clone(forward(layer, x))
      local again = layer:clone()
      same(layer:backward(clone(x), clone(y)), again:backward(clone(x), clone(y)), 'gradInput')
      same(select(2, layer:parameters()) or {}, select(2, again:parameters()) or {},
         'the gradients')
   end,

   ['has an output apart from its input, unless Torch7\'s is a view too'] = function(sample, name)
      local layer, x, seen = sample.new(), sample.input(), {}
      for _, t in ipairs(leaves(x)) do
         seen[torch.pointer(t:storage())] = true
      end
      local shared = false
      for _, t in ipairs(leaves(layer:forward(x))) do
         shared = shared or t:storage() and seen[torch.pointer(t:storage())]
      end
      assert.is_true(not shared or sample.inplace or VIEWS[name] or false,
         'what writes over the output would write over the input')
   end,

   ['converts to float and back'] = function(sample)
      local layer, x = sample.new(), sample.input()
      if sample.noise then
         layer:evaluate()
      end
      local y = clone(forward(layer, x))
      local g = clone(layer:backward(clone(x), clone(y)))
      assert.equal(layer, layer:type(other))
      assert.equal(other, layer:type())
      local xf = to_type(x, other)
      -- Float has 24 bits; the values are around 1, the sums below a hundred terms.
      same(y, forward(layer, xf), 'the output in float', 1e-4)
      local yf = to_type(y, other)
      local gf = layer:backward(clone(xf), yf)
      same(g, gf, 'gradInput in float', 1e-3)
      for _, t in ipairs(leaves { layer.output, gf }) do
         assert.is_truthy(is_integer(t) or t:type() == other)
      end
      layer:type(torch.Tensor():type())
      same(y, forward(layer, x), 'the output after the return', 1e-4)
   end,

   ['forgets its buffers, and works on'] = function(sample)
      local layer, x = sample.new(), sample.input()
      local fresh = elements(layer)
      local y = clone(forward(layer, x))
      layer:backward(clone(x), clone(y))
      layer:backward(clone(x), odd(y)) -- may need a copy
      assert.equal(layer, layer:clearState())
      assert.is_true(elements(layer) <= fresh, 'holds more than when it was new')
      same(y, forward(layer, x), 'the output', 1e-12)
   end,

   ['names its path, itself, what came and what was wanted'] = function(sample)
      if sample.anything then
         return
      end
      local layer = sample.new()
      local wrong = sample.wrong and sample.wrong()
         or to_type(sample.input(), other)
      local net = nn.Sequential():add(nn.Identity()):add(layer)
      local ok, err = pcall(function() net:forward(wrong) end)
      assert.is_false(ok, 'a wrong input was accepted')
      local class = sample.inside and (sample.refuser or 'nn.Linear') or torch.typename(layer)
      assert.matches('test/nn/walk_spec.lua:%d+: net.2' .. (sample.inside or '') .. ': ' .. class
         .. ': ', err)
      local came = leaves(wrong)
      local named = false
      for _, t in ipairs(came) do
         named = named or err:find(check.describe(t), 1, true) ~= nil
            or err:find(torch.typename(t), 1, true) ~= nil
      end
      assert.is_true(named, 'what came is missing: ' .. err)
      local wanted = err:find 'expected' or err:find 'but the' or err:find 'do not match'
         or err:find 'differ' or err:find 'mismatch'
      assert.is_truthy(wanted, 'what was wanted is missing: ' .. err)
   end,
}

local function arguments(sample, make)
   local input, target = make()
   return sample.new(), input, target
end

local function to_other(nest)
   return map(function(x)
      return torch.typename(x):match 'Long' and x or x:type(other)
   end, nest)
end

local function tensor_count(nest)
   local count = 0
   nested.each(function(x) count = count + (torch.isTensor(x) and 1 or 0) end, nest)
   return count
end

local criterion_checks = {
   ['has the gradients of central differences'] = function(sample)
      for _, make in pairs { sample.input, sample.single } do
         for _, arrange in ipairs { clone, odd } do
            local criterion, x, t = arguments(sample, make)
            x, t = arrange(x), arrange(t)
            local before, target = clone(x), clone(t)
            criterion:forward(x, t)
            local gs, xs = leaves(clone(criterion:backward(x, t))), leaves(x)
            assert.equal(#xs, #gs)
            for i, g in ipairs(gs) do
               close(g, numeric(xs[i], function() return (criterion:forward(x, t)) end),
                  ('gradInput %d'):format(i))
            end
            same(before, x, 'the input')
            if tensor_count(t) > 0 then
               same(target, t, 'the target')
            end
         end
      end
   end,

   ['survives saving, cloning and conversion'] = function(sample)
      local criterion, x, t = arguments(sample, sample.input)
      assert.equal(0, criterion.output)
      local loss = criterion:forward(x, t)
      assert.equal(loss, criterion.output)
      for _, again in ipairs { criterion:clone(), torch.deserialize(torch.serialize(criterion)) } do
         assert.near(loss, (again:forward(x, t)), 1e-14)
      end
      local g = clone(criterion:backward(x, t))
      local xf, tf = to_other(x), to_other(t)
      assert.equal(criterion, criterion:type(other))
      assert.near(loss, (criterion:forward(xf, tf)), 1e-4)
      local gf = criterion:backward(xf, tf)
      same(g, gf, 'gradInput in float', 1e-4)
      for _, f in ipairs(leaves(gf)) do
         assert.equal(other, f:type())
      end
   end,

   ['names itself, what came and what was wanted'] = function(sample)
      local criterion, x, t = arguments(sample, sample.wrong)
      local ok, err = pcall(function() criterion:forward(x, t) end)
      assert.is_false(ok, 'a wrong target was accepted')
      -- The criterion, or the one inside of it.
      assert.matches('test/nn/walk_spec.lua:%d+: nn%.%w+: ', err)
      x, t = sample.input()
      ok, err = pcall(function() criterion:backward(to_other(x), t) end)
      assert.is_false(ok)
      if not sample.inside then
         assert.matches(': ' .. torch.typename(criterion) .. ': input %d? ?is a ' .. other, err)
      end
   end,
}

local function run_check(f, sample, name)
   local print = _G.print
   _G.print = sample.prints and function() end or print
   local ok, err = pcall(f, sample, name)
   _G.print = print
   if not ok then
      error(err, 0)
   end
end

-- nn.StochasticGradient, say, is neither.
local function is_class(name)
   if not torch.getmetatable('nn.' .. name) or nn[name] == nil then
      return false
   end
   local object = torch.factory('nn.' .. name)()
   return torch.typename(object) == 'nn.' .. name
      and (torch.isTypeOf(object, 'nn.Module') or torch.isTypeOf(object, 'nn.Criterion'))
end

describe('nn, class by class:', function()
   local names = {}
   for name in pairs(nn) do
      if type(name) == 'string' and not name:match '%lSpec' and is_class(name) then
         names[#names + 1] = name
      end
   end
   table.sort(names)

   for _, name in ipairs(names) do
      local list = samples.layers[name] or samples.criterions[name]
      local checks = samples.layers[name] and layer_checks or criterion_checks
      if name ~= 'DataParallelTable' then -- has specs of its own, on devices
         it(name .. ' has samples', function()
            assert.is_true(list ~= nil or samples.abstract[name] ~= nil, 'nn.' .. name
               .. ' has no sample in test/support/samples')
         end)
      end
      for text, f in pairs(list and checks or {}) do
         it(('%s %s'):format(name, text), function()
            for _, sample in ipairs(list) do
               torch.manualSeed(3)
               run_check(f, sample, name)
            end
         end)
      end
   end
end)
