local torch = require 'torch'
local nn = require 'nn'
local th = require 'torch.ffi'
local nests = require 'test.support.nests'
local numbers = require 'test.support.numbers'
local samples = require 'test.support.samples'

local clone, leaves, same = nests.clone, nests.leaves, nests.same

local function conv(planes, outputs)
   return nn.Sequential():add(nn.SpatialConvolution(planes, outputs, 3, 3, 1, 1, 1, 1))
      :add(nn.SpatialBatchNormalization(outputs))
end

local function residual(planes)
   return nn.Sequential()
      :add(nn.ConcatTable()
         :add(nn.Sequential():add(conv(planes, planes)):add(nn.ReLU(true))
            :add(conv(planes, planes)))
         :add(nn.Identity()))
      :add(nn.CAddTable(true)):add(nn.ReLU(true))
end

local function around(planes)
   return nn.Concat(2):add(nn.Identity()):add(nn.Sequential():add(conv(planes, 2)):add(nn.Tanh()))
end

-- Residual sums, parts of a joined gradient, modules in place, one that passes its gradient on.
local function network()
   torch.manualSeed(5)
   return nn.Sequential():add(conv(2, 4)):add(residual(4)):add(residual(4)):add(around(4))
      :add(conv(6, 3)):add(nn.View(-1):setNumInputDims(3))
      :add(nn.Linear(3 * 6 * 7, 5)):add(nn.Identity())
end

-- What a step gives: the gradients by the input and the parameters.
local function step(net, x, g)
   torch.manualSeed(9)
   net:zeroGradParameters()
   net:forward(x)
   local gradInput = net:backward(x, g)
   local _, gradients = net:parameters()
   return clone(gradInput), clone(gradients or {})
end

local function live_with_garbage()
   return tonumber(th.C.TH_liveBytes(torch.Tensor().device_type)[0])
end

-- Bytes that tensors have when nothing is left to collect.
local function live()
   collectgarbage()
   collectgarbage()
   return live_with_garbage()
end

describe('A net that shares the memory of its gradients', function()
   local x, g

   before_each(function()
      torch.manualSeed(3)
      x, g = torch.randn(3, 2, 6, 7), torch.randn(3, 5)
   end)

   it('computes the same, step after step', function()
      local plain, net = network(), network():shareGradInput()
      for _ = 1, 3 do
         local given = g:clone()
         local gx, gp = step(plain, x, g)
         local own_gx, own_gp = step(net, x, given)
         numbers.same(g, given)
         numbers.same(gx, own_gx)
         same(gp, own_gp, 'gradients of the parameters')
         x:mul(0.5)
      end
   end)

   it('has empty gradients inside, and its own', function()
      local net = network():shareGradInput()
      step(net, x, g)
      for i = 2, net:size() - 1 do
         for _, t in ipairs(leaves(net:get(i).gradInput)) do
            assert.equal(0, t:nElement(), i)
         end
      end
      assert.equal(x:nElement(), net.gradInput:nElement())
      net:shareGradInput(false)
      step(net, x, g)
      assert.equal(3 * 4 * 6 * 7, net:get(2).gradInput:nElement())
   end)

   for name, of in pairs {
      ['normalised in front'] = { true }, ['normalised behind'] = { false },
   } do
      it('has empty gradients inside Transformers, ' .. name, function()
         torch.manualSeed(5)
         local encoder = nn.TransformerEncoder(2, 8, 2, 16, 0.1, of[1])
         local decoder = nn.TransformerDecoder(2, 8, 2, 16, 0.1, of[1])
         local y, memory = torch.randn(3, 4, 8), torch.randn(3, 5, 8)
         for net, input in pairs { [encoder] = y, [decoder] = { y, memory } } do
            local plain = net:clone():shareGradInput(false)
            local gx, gp = step(plain, input, y)
            for _ = 1, 2 do
               local own_gx, own_gp = step(net:shareGradInput(), input, y)
               same(gx, own_gx, 'gradInput')
               same(gp, own_gp, 'gradients of the parameters')
            end
            local own, kept = leaves(net.gradInput), {}
            net:apply(function(module)
               for _, t in ipairs(leaves(module.gradInput)) do
                  local is_own = false
                  for _, g_own in ipairs(own) do
                     is_own = is_own or rawequal(t, g_own)
                  end
                  if not is_own and t:nElement() > 0 then
                     kept[#kept + 1] = torch.type(module)
                  end
               end
            end)
            assert.same({}, kept)
         end
      end)
   end

   it('holds less', function()
      local function held(net)
         local before = live()
         step(net, x, g)
         return live() - before
      end
      local plain, shared = network(), network():shareGradInput()
      local elements = 0
      step(plain, x, g)
      local first = nil
      plain:apply(function(module) -- gradients that have memory of their own
         if torch.type(module):find 'Convolution' then
            first = first or module
            elements = elements + (module ~= first and module.gradInput:nElement() or 0)
         end
      end)
      local size = g:elementSize()
      assert.is_true(held(network()) - held(shared) >= elements * size)
   end)

   for _, inFront in ipairs { true, false } do
      it(('leaves no Transformer\'s to the collector, inFront = %s'):format(inFront), function()
         local net = nn.Sequential():add(nn.LookupTable(7, 16))
            :add(nn.TransformerEncoder(2, 16, 2, 32, 0, inFront)):shareGradInput()
         local words, gradOutput = torch.Tensor(4, 20):random(7), torch.randn(4, 20, 16)
         local function train()
            net:forward(words)
            net:backward(words, gradOutput)
         end
         train()
         train()
         local before = live()
         collectgarbage 'stop'
         torch.setheaptracking(false)
         finally(function()
            torch.setheaptracking(true)
            collectgarbage 'restart'
         end)
         train()
         local left = live_with_garbage() - before
         assert.is_true(left < gradOutput:nElement() * gradOutput:elementSize(), left)
      end)
   end

   it('is what blocks of attention do unasked', function()
      local blocks = {
         nn.MultiHeadAttention(8, 2), nn.FeedForward(8, 16, 0.1),
         nn.Residual(nn.Linear(8, 8), nn.LayerNorm(8), 0.1, true),
      }
      local y = torch.randn(3, 4, 8)
      for _, block in ipairs(blocks) do
         local function inside() -- elements of the gradients by inputs inside
            local flat = torch.type(block) == 'nn.Residual' and y:view(12, 8) or y
            step(block, flat, flat)
            local count = 0
            block:apply(function(module)
               for _, t in ipairs(module ~= block and leaves(module.gradInput) or {}) do
                  count = count + t:nElement()
               end
            end)
            assert.equal(y:nElement(), block.gradInput:nElement())
            return count
         end
         assert.equal(0, inside(), torch.type(block))
         block:shareGradInput(false)
         assert.is_true(inside() > 0, torch.type(block))
      end
   end)

   it('keeps them between updateGradInput and accGradParameters', function()
      local plain, net = network(), network():shareGradInput()
      local gx, gp = step(plain, x, g)
      net:zeroGradParameters()
      net:forward(x)
      numbers.same(gx, net:updateGradInput(x, g))
      net:accGradParameters(x, g)
      local _, gradients = net:parameters()
      same(gp, clone(gradients), 'gradients of the parameters')
   end)

   it('is saved and cloned so', function()
      local net = network():shareGradInput():clone()
      step(net, x, g)
      assert.equal(0, net:get(2).gradInput:nElement())
   end)

   it('leaves alone what is not its own', function()
      local net = nn.Sequential():add(nn.Linear(2, 2)):add(nn.Identity()):shareGradInput()
      local outer = nn.Sequential():add(nn.Tanh()):add(net):add(nn.Identity()):shareGradInput()
      local input, gradOutput = torch.randn(4, 2), torch.randn(4, 2)
      outer:forward(input)
      local before = gradOutput:clone()
      outer:backward(input, gradOutput)
      numbers.same(before, gradOutput)
   end)

   local function between(sample)
      torch.manualSeed(5)
      return nn.Sequential():add(sample.new()):add(nn.Identity())
   end

   local function compare(sample, what)
      local plain = between(sample):shareGradInput(false)
      local net = between(sample):shareGradInput()
      local input = sample.input()
      local gradOutput = nests.map(function(y)
         local r = y.new():resize(y:size())
         return nests.is_integer(y) and r:zero() or r:uniform(-1, 1)
      end, between(sample):forward(clone(input)))
      for _ = 1, 2 do
         local gx, gp = step(plain, clone(input), clone(gradOutput))
         local own_gx, own_gp = step(net, clone(input), clone(gradOutput))
         same(gx, own_gx, what .. ': gradInput')
         same(gp, own_gp, what .. ': gradients of the parameters')
      end
   end

   for chapter, classes in pairs(samples.chapters) do
      it('computes the same with layers of the chapter ' .. chapter, function()
         for name, list in pairs(classes) do
            for i, sample in ipairs(list) do
               if not sample.prints then
                  compare(sample, ('%s, sample %d'):format(name, i))
               end
            end
         end
      end)
   end
end)
