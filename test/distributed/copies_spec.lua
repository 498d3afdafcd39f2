-- Copies of every layer, as a stage of a pipeline has them: two batches under way at a time give
-- what one after the other gives.
local torch = require 'torch'
local distributed = require 'distributed'
local nn = require 'nn'
local copies = require 'distributed.pipeline.copies'
local fields = require 'distributed.pipeline.fields'
local nested = require 'nn.nested'
local nests = require 'test.support.nests'
local samples = require 'test.support.samples'

local clone, map, is_integer, same = nests.clone, nests.map, nests.is_integer, nests.same

local function slope(y)
   return map(function(t)
      local g = t.new():resize(t:size())
      return is_integer(t) and g:zero() or g:uniform(-1, 1)
   end, y)
end

-- Gradients by two inputs, the second of which goes forward before the first goes back, or after.
local function gradients(all, by_turns, inputs, slopes)
   torch.manualSeed(11)
   local x, z, first, g = clone(inputs[1]), clone(inputs[2]), all[1], nil
   local function forward(slot, input)
      if by_turns then
         copies.forward(all, slot, first.forward, input)
      else
         first:forward(input)
      end
   end
   forward(1, x)
   if not by_turns then
      g = clone(first:backward(x, clone(slopes[1])))
   end
   forward(2, z)
   local second = by_turns and all[2] or first
   if by_turns then
      g = clone(first:backward(x, clone(slopes[1])))
   end
   return { g, clone(second:backward(z, clone(slopes[2]))) }
end

describe('copies for micro-batches', function()
   for name, list in pairs(samples.layers) do
      it('of nn.' .. name, function()
         for _, sample in ipairs(list) do
            torch.manualSeed(5)
            local layer = sample.new()
            layer:training()
            layer:zeroGradParameters()
            local alone, inputs, slopes = layer:clone(), { sample.input(), sample.input() }, {}
            for i, x in ipairs(inputs) do
               slopes[i] = slope(layer:clone():forward(clone(x)))
            end
            local wanted = gradients({ alone }, false, inputs, slopes)
            local pair = copies.begin({}, layer, 2)
            assert.equal(layer, pair[1])
            same(wanted, gradients(pair, true, inputs, slopes), 'the gradient', 1e-15)
            local own, slopes_of = layer:parameters()
            local others, theirs = alone:parameters()
            same(nested.append({}, theirs), nested.append({}, slopes_of), 'of parameters', 1e-15)
            for i, p in ipairs(own or {}) do -- what one learns, both have
               p:fill(i)
               assert.equal(i, pair[2]:parameters()[i]:max())
               assert.is_not_nil(others[i])
            end
         end
      end)
   end
end)

local function is_plain(value)
   local kind = type(value)
   return kind == 'number' or kind == 'boolean' or kind == 'string'
end

local function other_than(value)
   if type(value) == 'number' then
      return value + 1
   elseif type(value) == 'boolean' then
      return not value
   end
   return value .. ' and more'
end

-- Change what a script could set: fields that are no buffers; those that copies have to have then.
local function changed(layer)
   local list, count = {}, #layer:clone():clearState():listModules() -- nn.MapTable drops some
   for at, module in ipairs(layer:listModules()) do
      if at > count then break end
      local buffers, _, common = fields.note(module).buffers, fields.common(layer)
      for key, value in pairs(module) do
         if is_plain(value) and not buffers[key] and key ~= '_type' then
            list[#list + 1] = { at, key, other_than(value) }
         elseif torch.isTensor(value) and value:nElement() > 0 and not buffers[key]
            and not common[value] then
            value:fill(3)
            list[#list + 1] = { at, key, 3 }
         end
      end
      list[#list + 1] = { at, 'aNewField', 'set by a script' }
   end
   for _, entry in ipairs(list) do
      local module = layer:listModules()[entry[1]]
      if not torch.isTensor(module[entry[2]]) then
         module[entry[2]] = entry[3]
      end
   end
   return list
end

describe('what a script sets between batches', function()
   for name, list in pairs(samples.layers) do
      it('comes to copies of nn.' .. name, function()
         for _, sample in ipairs(list) do
            torch.manualSeed(5)
            local layer, x = sample.new(), sample.input()
            layer:training()
            local pair = copies.begin({}, layer, 2)
            for slot = 1, 2 do
               copies.forward(pair, slot, layer.forward, clone(x))
            end
            copies.finish(pair)
            copies.begin(pair, layer, 2)
            copies.forward(pair, 1, function() end)
            local entries, modules = changed(layer), nil
            copies.forward(pair, 2, function(copy) modules = copy:listModules() end)
            for _, entry in ipairs(entries) do
               local at, key, wanted = unpack(entry)
               local got = modules[at][key]
               if torch.isTensor(got) then
                  got = got:min() == got:max() and got:max()
               end
               assert.equal(wanted, got, ('%s of %s'):format(key, torch.typename(modules[at])))
            end
         end
      end)
   end
end)

-- Two micro-batches under way in a pipeline, and one after the other: outputs, gradients and what
-- the layer itself is in the end have to be the same, bit by bit.
local function check_as_one(layer, alter, input)
   local plain = nn.Sequential():add(layer):add(nn.MulConstant(1))
   local net = distributed.Pipeline(plain:clone(), { devices = { 1, 2 }, microBatches = 5 })
   local criterion = nn.MSECriterion()
   for batch = 1, 4 do
      torch.manualSeed(batch)
      local x = input and input() or torch.randn(10, 4)
      for _, one in ipairs { plain, net } do
         if alter then
            alter(one == plain and plain:get(1) or net:get(1):get(1):get(1), batch)
         end
      end
      plain:zeroGradParameters()
      net:zeroGradParameters()
      local state, loss = torch.getRNGState(), 0
      local target = plain:clone():forward(x:narrow(1, 1, 1)).new()
      target:resize(torch.LongStorage { 10, unpack(plain:clone():forward(x):size():totable(), 2) })
         :fill(0.3)
      torch.setRNGState(state)
      -- A pipeline's first stage runs two forward before the first goes back.
      local found = net:forwardBackward(x, target, criterion)
      torch.setRNGState(state)
      for first = 1, 9, 2 do
         local part, t = x:narrow(1, first, 2), target:narrow(1, first, 2)
         loss = loss + 0.2 * criterion:forward(plain:forward(part), t)
         plain:backward(part, criterion:backward(plain.output, t):mul(0.2))
      end
      assert.equal(loss, found)
      local own, slopes = plain:parameters()
      local theirs, their_slopes = net:parameters()
      for i in ipairs(own or {}) do
         same(slopes[i], their_slopes[i], 'gradient ' .. i, 0)
         own[i]:add(-0.1, slopes[i])
         theirs[i]:add(-0.1, their_slopes[i])
      end
   end
   return plain:get(1), net:get(1):get(1):get(1)
end

describe('a stage with two micro-batches under way', function()
   local Counting, Careless, Net
   setup(function()
      Net = torch.class('nn.CopiesSpecNet', 'nn.Sequential', {}) -- which counts as one layer
      Counting = torch.class('nn.CopiesSpecCounting', 'nn.Module', {})
      function Counting:__init()
         nn.Module.__init(self)
         self.n, self.seen, self.sum = 0, { last = 0 }, torch.zeros(1)
      end
      function Counting:updateOutput(input)
         self.n = self.n + 1
         self.seen.last = self.seen.last + self.n
         self.sum:add(input:sum())                             -- a state, in place
         self.mean = self.sum / self.n                         -- a state, another tensor each time
         self.factor = 1 + self.n + self.seen.last + self.mean[1]
         return self.output:resizeAs(input):copy(input):mul(self.factor)
      end
      function Counting:updateGradInput(_, g)
         return self.gradInput:resizeAs(g):copy(g):mul(self.factor + self.mean[1])
      end

      -- As scripts have them: buffers that clearState does not know, and the input kept.
      Careless = torch.class('nn.CopiesSpecCareless', 'nn.Module', {})
      function Careless:updateOutput(input)
         self.kept = input
         self.squares = self.squares or input.new()
         self.squares:resizeAs(input):copy(input):cmul(input)
         self.output = self.squares * 2
         return self.output
      end
      function Careless:updateGradInput(_, g)
         self.gradInput = torch.cmul(g, self.kept):mul(4):addcmul(0.1, self.squares, g)
         return self.gradInput
      end
   end)

   it('counts on, and follows data, as one layer does', function()
      local one, other = check_as_one(Counting.new())
      assert.equal(20, one.n)
      for _, key in ipairs { 'n', 'factor' } do
         assert.equal(one[key], other[key])
      end
      assert.same(one.seen, other.seen)
      assert.equal(one.sum[1], other.sum[1])
      assert.equal(one.mean[1], other.mean[1])
   end)

   it('keeps apart what a class without clearState keeps, and writes to no input', function()
      local x = torch.randn(10, 4)
      local before = x:clone()
      check_as_one(Net.new():add(nn.Linear(4, 3)):add(Careless.new()):add(nn.Linear(3, 2)))
      check_as_one(Careless.new(), nil, function() return x end)
      assert.is_true(x:equal(before))
   end)

   it('follows what a script sets', function()
      check_as_one(Net.new():add(nn.Linear(4, 6)):add(nn.Dropout(0.2)), function(layer, batch)
         layer:get(2):setp(0.1 * batch)
         if batch == 3 then layer:get(2):evaluate() end
      end)
      check_as_one(Net.new():add(nn.Linear(4, 6)):add(nn.LeakyReLU(0.2)):add(nn.AddConstant(
         torch.ones(6))), function(layer, batch)
         layer:get(2).negval = 0.1 * batch
         layer:get(3).constant_scalar[2] = batch                  -- in place
         if batch == 3 then layer:get(3).constant_scalar = torch.ones(6):mul(7) end
      end)
      check_as_one(Net.new():add(nn.Linear(4, 6)):add(nn.Tanh()), function(layer, batch)
         if batch == 2 then layer:insert(nn.HardTanh(-0.2, 0.2), 2) end
         if batch == 3 then layer:remove(2) end
         if batch == 4 then layer.modules[2] = nn.ReLU() end
      end)
      check_as_one(nn.Lambda(function(y, w) return y * w:sum() end, { torch.ones(2) }),
         function(layer, batch)
            if batch == 2 then
               local by = 3
               layer.f = function(y, w) return y * w:sum() * by end
            end
         end)
      local _, layer = check_as_one(Net.new():add(nn.Linear(4, 3)):add(nn.Linear(3, 2)),
         function(layer, batch)
            if batch == 2 then layer:get(1).gradInput = nil end
            if batch == 3 then layer:get(2):noBias() end
            if batch == 4 then layer:getParameters() end
         end)
      assert.is_nil(layer:get(1).gradInput)
   end)

   it('has one state of classes that have one', function()
      local one, other = check_as_one(nn.SpectralNorm(nn.Linear(4, 5)))
      assert.is_true(one.u:equal(other.u))
      assert.is_true(other.weight:isSetTo(other:get(1).weight))
      one, other = check_as_one(nn.FakeQuantize(0.5))
      assert.equal(one.low, other.low)
      assert.equal(one.high, other.high)
      check_as_one(nn.FakeQuantizedWeight(nn.Linear(4, 5)), function(layer, batch)
         if batch == 3 then layer:evaluate() end
      end)
      check_as_one(nn.WeightNorm(nn.Linear(4, 5)))
      check_as_one(nn.SpatialFractionalMaxPooling(2, 2, 3, 3), function(layer, batch)
         layer:fixPoolingRegions(batch == 2 or batch == 3)
      end, function() return torch.randn(10, 1, 7, 7) end)
      one, other = check_as_one(nn.BatchNormalization(4))
      assert.is_true(one.running_var:equal(other.running_var))
      local function sequences() return torch.randn(10, 3, 4) end
      for _, class in ipairs { 'RNN', 'GRU', 'LSTM' } do
         local net = nn[class](4, 5)
         net.batchFirst = true
         one, other = check_as_one(net:remember(), function(layer, batch)
            if batch == 3 then layer:forget() end
         end, sequences)
         assert.is_true(one:finalState():equal(other:finalState()))
         assert.is_true(one:remembered()[1]:equal(other:remembered()[1]))
      end
   end)
end)
