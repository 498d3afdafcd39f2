-- Layers that are split among ranks, against the whole layer on each.
local torch = require 'torch'
local distributed = require 'distributed'
local nn = require 'nn'
local raises = require 'test.support.raises'
local split_layers = require 'test.support.split_layers'
local workers = require 'test.support.workers'

describe('distributed.split', function()
   it('says what cannot be split, and why', function()
      raises('distributed.split: expected a layer or a network (nn.Module), got 3',
         distributed.split, 3)
      raises('distributed.split: a nn.SpatialConvolution cannot be split; nn.Linear, '
         .. 'nn.LookupTable, nn.MultiHeadAttention and networks with such layers can',
         distributed.split, nn.SpatialConvolution(1, 1, 1, 1))
      raises('distributed.split: a nn.Sequential cannot be split', distributed.split,
         nn.Sequential():add(nn.WeightNorm(nn.Linear(2, 2))))
      local first, second = nn.Linear(3, 3), nn.Linear(3, 3)
      local net = nn.Sequential():add(first):add(second:share(first, 'weight'))
      raises('distributed.split: layers share a parameter of 3x3, and would cut it differently: '
         .. 'one by rows, another by columns or not at all', distributed.split, net)
      assert.equal('nn.Linear', torch.type(net:get(1)))          -- nothing has changed
      local add = nn.Add(3)
      raises('layers share a parameter of 3, and would cut it differently', distributed.split,
         nn.Sequential():add(first:clone():share(add, 'bias')):add(add))
      raises("by is 'heads', expected 'columns' or 'rows'", distributed.split, nn.Linear(2, 2),
         { by = 'heads' })
      raises('distributed.whole: expected a network (nn.Module), got nil', distributed.whole)
   end)

   it('leaves the original of a network as it is in a whole copy', function()
      local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh())
      local whole = distributed.whole(net)
      whole:get(1).weight:fill(7)
      assert.is_true(net:get(1).weight:max() < 7)
   end)

   it('keeps the parameters shared that layers of a network share, and nothing else', function()
      for _, flat in ipairs { false, true } do
         local words, last = nn.LookupTable(9, 3), nn.Linear(3, 9)
         local twice = nn.Linear(3, 3)
         local net = nn.Sequential():add(words):add(twice):add(nn.Residual(twice)):add(nn.Tanh())
            :add(last:share(words, 'weight', 'gradWeight'))
         net.name = 'words'
         if flat then
            net:getParameters()
         end
         local whole = distributed.whole(net)
         whole:get(1).weight:fill(7)
         whole:get(2).weight:fill(8)
         assert.equal(7, whole:get(5).weight:min())
         assert.equal(whole:get(2), whole:get(3):get(1))
         assert.is_true(net:get(5).weight:max() < 7)
         assert.equal('words', whole.name)
         assert.equal(9 * 3 + 12 + 9, (whole:getParameters()):nElement())
         local again = torch.deserialize(torch.serialize(whole))
         again:get(1).weight:fill(5)
         assert.equal(5, again:get(5).weight:max())
      end
   end)

   it('copies the flat vector of a network once', function()
      local net = nn.Sequential()
      for _ = 1, 5 do
         net:add(nn.Linear(30, 30))
      end
      net:getParameters()
      local whole, storages = distributed.whole(net), {}
      for _, p in ipairs(whole:parameters()) do
         storages[tostring(torch.pointer(p:storage()))] = true
      end
      local count = 0
      for _ in pairs(storages) do
         count = count + 1
      end
      assert.equal(1, count)
   end)
end)

describe('distributed.split over devices, on the CPU', function()
   split_layers.specs(it, { devices = { 1, 2, 3 } })

   it('drops features between layers, and learns without those', function()
      torch.manualSeed(1)
      local net = distributed.split(nn.Sequential():add(nn.Linear(4, 60)):add(nn.Dropout(0.5))
         :add(nn.Linear(60, 2)), { devices = { 1, 2 } })
      net:forward(torch.ones(3, 4))
      local masks = {}
      for i = 1, 2 do
         masks[i] = net:get(2):get(i):get(1).noise
         assert.same({ 3, 30 }, masks[i]:size():totable())
      end
      assert.is_false(masks[1]:equal(masks[2]))
      net:evaluate()
      assert.is_true(net:forward(torch.ones(3, 4)):equal(net:forward(torch.ones(3, 4))))
      assert.equal('nn.Dropout', torch.type(distributed.whole(net):get(2)))
   end)

   it('says what it cannot do', function()
      raises('a nn.Linear has 2 outputs, and there are 3 devices', distributed.split,
         nn.Linear(5, 2), { devices = { 1, 2, 3 } })
      raises('cannot be split; nn.Linear, nn.LookupTable, nn.MultiHeadAttention and networks with '
         .. 'such layers can, if they have an output, row or head for each device',
         distributed.split, nn.Sequential():add(nn.Tanh()), { devices = { 1, 2 } })
      raises("device 2 of the list is 'cuda', expected a whole number from 1 on",
         distributed.split, nn.Linear(5, 5), { devices = { 1, 'cuda' } })
      raises('devices is an empty list', distributed.split, nn.Linear(5, 5), { devices = {} })
      raises('devices are those of one process, and group are ranks: give one of the two',
         distributed.split, nn.Linear(5, 5),
         { devices = { 1, 2 }, group = distributed.group { 1 } })
      local first = nn.Linear(3, 3)
      raises('layers share a parameter of 3x3, and would cut it differently', distributed.split,
         nn.Sequential():add(first):add(nn.Linear(3, 3):share(first, 'weight')),
         { devices = { 1, 2 } })
      local table_of_rows = distributed.split(nn.LookupTable(11, 3), { devices = { 1, 2 } })
      raises('position 12 is out of range: there are rows 1 to 11', table_of_rows.forward,
         table_of_rows, torch.LongTensor { 3, 12 })
      local columns = distributed.split(nn.Linear(4, 6), { devices = { 1, 2 } })
      raises('nn.Linear: input is 2x5, expected N x 4', columns.forward, columns, torch.ones(2, 5))
   end)
end)

if not workers.available then
   return
end

-- `check` compares outputs, gradients by inputs and, after steps, parameters of the split layer and
-- the whole one; it gives how many parameters a rank has, and how many there are.
local SETUP = [[
   local nn, optim, joined = require 'nn', require 'optim', require 'test.support.joined'
   local function near(x, wanted, what)
      assert(x and x:isSameSizeAs(wanted), what)
      local error = (x:double() - wanted:double()):abs():max()
      assert(error <= 1e-13, ('%s, rank %d: %g'):format(what, rank, error))
   end
   local function check(what, layer, input, settings, positions)
      torch.manualSeed(4)
      layer = layer:clone()
      local whole = layer:clone()
      if rank == 2 then for _, p in ipairs(layer:parameters()) do p:fill(5) end end
      local parts = distributed.split(layer, settings)
      local count, all = 0, 0
      for _, p in ipairs(parts:parameters()) do count = count + p:nElement() end
      for _, p in ipairs(whole:parameters()) do all = all + p:nElement() end
      for step = 1, 3 do
         whole:zeroGradParameters() parts:zeroGradParameters()
         local y, z = whole:forward(input), parts:forward(input)
         near(z, y, what .. ': output')
         torch.manualSeed(step)
         local g = torch.randn(y:size())
         local gx, gz = whole:backward(input, g, 0.5), parts:backward(input, g, 0.5)
         if not positions then near(joined(gz), joined(gx), what .. ': gradInput') end
         whole:updateParameters(0.1) parts:updateParameters(0.1)
      end
      local again = distributed.whole(parts)
      assert(torch.type(again) == torch.type(whole), torch.type(again))
      for i, p in ipairs(whole:parameters()) do
         near(again:parameters()[i], p, what .. ': parameter ' .. i)
      end
      near(again:forward(input), whole:forward(input), what .. ': the whole again')
      local copy = torch.deserialize(torch.serialize(parts))
      near(copy:forward(input), parts:forward(input), what .. ': a copy')
      return count, all
   end
   torch.manualSeed(1)
]]

for _, size in ipairs { 2, 3 } do
   describe(('distributed.split over %d ranks'):format(size), function()
      local of_all = workers.blocks(it, size, SETUP)

      of_all('draws apart between parts, and alike behind them', [[
         local function drew_alike(net, x)
            torch.manualSeed(5)
            for _ = 1, 2 do net:forward(x) end
            local next = distributed.gatherObjects(torch.random())
            for _, one in ipairs(next) do assert(one == next[1]) end
         end
         local net = distributed.split(nn.Sequential():add(nn.Linear(4, 65)):add(nn.Dropout(0.5))
            :add(nn.Linear(65, 6)):add(nn.Dropout(0.5)))
         assert(torch.type(net:get(2)) == 'distributed.Dropout')
         drew_alike(net, torch.ones(2, 4))
         local masks = distributed.gatherObjects(net:get(2).noise:narrow(2, 1, 10):totable())
         local same = distributed.gatherObjects(net:get(4).noise:totable())
         local text = torch.serialize
         assert(text(masks[1]) ~= text(masks[2]) and text(same[1]) == text(same[2]))
         assert(torch.type(distributed.whole(net):get(2)) == 'nn.Dropout')
         drew_alike(distributed.split(nn.MultiHeadAttention(10, 5, false, 0.5)),
            torch.randn(2, 3, 10))
      ]])

      of_all('has the outputs and gradients of the whole nn.Linear', [[
         for _, by in ipairs { 'columns', 'rows' } do
            for _, bias in ipairs { true, false } do
               for _, x in ipairs { torch.randn(5, 7), torch.randn(7), torch.randn(7, 5):t() }
               do
                  check('Linear by ' .. by, nn.Linear(7, 8, bias), x, { by = by })
               end
            end
         end
         assert(tostring(distributed.split(nn.Linear(6, 6)))
            == ('distributed.ColumnLinear(6 -> %d of 6)'):format(6 / size))
         local net = distributed.split(nn.Linear(6, 6):float())
         near(net:forward(torch.FloatTensor(2, 6):fill(1)),
            distributed.whole(net):forward(torch.FloatTensor(2, 6):fill(1)), 'floats')
         raises('a nn.Linear has 1 outputs, and there are ' .. size .. ' ranks', distributed.split,
            nn.Linear(5, 1))
         raises('a nn.Linear has 1 inputs', distributed.split, nn.Linear(1, 5), { by = 'rows' })
         raises('distributed.ColumnLinear: input is 2x5, expected N x 4', function()
            distributed.split(nn.Linear(4, 6)):forward(torch.ones(2, 5))
         end)
      ]])

      of_all('has those of the whole nn.LookupTable', [[
         local x = torch.LongTensor(4, 5):random(11)
         check('LookupTable', nn.LookupTable(11, 3), x, nil, true)
         check('padding', nn.LookupTable(11, 3, 7), x, nil, true)
         check('norms', nn.LookupTable(11, 3, 0, 0.5), x, nil, true)
         check('frequency', nn.LookupTable(11, 3):scaleGradByFreq(), x, nil, true)
         check('a vector', nn.LookupTable(11, 3), torch.Tensor { 1, 11, 1 }, nil, true)
         check('rows of one rank', nn.LookupTable(11, 3), torch.LongTensor { 1, 2 }, nil, true)
         raises('position 12 is out of range: there are rows 1 to 11', function()
            distributed.split(nn.LookupTable(11, 3)):forward(torch.LongTensor { 3, 12 })
         end)
      ]])

      of_all('has those of the whole attention, and of a Transformer', [[
         local x, mask = torch.randn(2, 4, 12), torch.ByteTensor(2, 4):zero()
         mask[1][4] = 1
         for _, causal in ipairs { false, true } do
            check('attention', nn.MultiHeadAttention(12, 3, causal), x)
         end
         check('without bias', nn.MultiHeadAttention(12, 4, false, 0, false), x)
         check('of a context', nn.MultiHeadAttention(12, 6), { x, torch.randn(2, 5, 12) })
         check('of three', nn.MultiHeadAttention(12, 6), { x, x:clone(), torch.randn(2, 4, 12) })
         check('masked', nn.MultiHeadAttention(12, 3), { x, mask = mask })
         local turning = nn.MultiHeadAttention(12, 3)
         turning.rotary = nn.RotaryEmbedding(4)
         check('rotary', turning, x)
         local count, all = check('encoder', nn.TransformerEncoderLayer(12, 6, 24, 0), x)
         local heads = 4 * 12 * 12 + 3 * 12 + 2 * 12 * 24 + 24    -- what is split
         assert(count == all - heads + heads / size, count .. ' of ' .. all)
         check('layers', nn.Sequential():add(nn.LookupTable(9, 12))
            :add(nn.TransformerEncoder(2, 12, 3, 24, 0, true)):add(nn.Mean(2))
            :add(nn.Linear(12, 1)), torch.LongTensor(2, 4):random(9), nil, true)
         raises('a nn.MultiHeadAttention has 1 heads', distributed.split,
            nn.MultiHeadAttention(12, 1))
      ]])

      of_all('has a pair of linear layers without gathering between', [[
         local net = nn.Sequential():add(nn.Linear(4, 10)):add(nn.ReLU()):add(nn.Linear(10, 5))
            :add(nn.LogSoftMax())
         check('pair', net, torch.randn(3, 4))
         local parts = distributed.split(net)
         assert(torch.type(parts:get(1)) == 'distributed.ColumnLinear'
            and torch.type(parts:get(3)) == 'distributed.RowLinear')
         local widths = distributed.allGather(torch.Tensor {
            parts:forward(torch.randn(3, 4)) and parts:get(2).output:size(2) })
         assert(widths:sum() == 10)                               -- nobody has them all
         check('branches', nn.Sequential():add(nn.ConcatTable():add(nn.Linear(4, 3))
            :add(nn.Linear(4, 3))):add(nn.CAddTable()), torch.randn(3, 4))
      ]])

      of_all('trains in a Trainer in each process, with the steps of one', [[
         local train = require 'torch.train'
         local x, t = torch.randn(24, 4), torch.randn(24, 2)
         local function trained(model)
            train.Trainer { model = model, criterion = nn.MSECriterion(), optimizer = 'adam',
               data = { input = x, target = t }, batchSize = 8, epochs = 2, seed = 5,
               workers = false, log = false }:run()
            return model
         end
         local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.Tanh()):add(nn.Linear(8, 2))
         local wanted = trained(net:clone()):parameters()
         for i, p in ipairs(distributed.whole(trained(distributed.split(net))):parameters()) do
            near(p, wanted[i], 'parameter ' .. i)
         end
      ]])

      of_all('has parts in common where layers have parameters in common', [[
         local words, last = nn.LookupTable(11, 6), nn.Linear(6, 11)
         local function tied(net)
            return net:get(1).weight:isSetTo(net:get(5).weight)
               and net:get(1).gradWeight:isSetTo(net:get(5).gradWeight)
         end
         last:share(words, 'weight', 'gradWeight')
         local net = nn.Sequential():add(words):add(nn.MultiHeadAttention(6, 3)):add(nn.Mean(2))
            :add(nn.Tanh()):add(last)
         check('tied', net, torch.LongTensor(4, 5):random(11), nil, true)
         for _, flat in ipairs { false, true } do
            local parts = distributed.split(net:clone())
            if flat then parts:getParameters() end
            assert(tied(parts), 'the parts')
            local whole = distributed.whole(parts)
            assert(tied(whole), 'the whole')
            assert(tied(torch.deserialize(torch.serialize(whole))), 'the whole of a file')
            assert(tied(distributed.whole(torch.deserialize(torch.serialize(parts)))), 'files')
            assert((whole:getParameters()):nElement() == (net:clone():getParameters()):nElement())
         end
      ]])

      of_all('says which ranks hold other layers', [[
         raises('parameter 1 is 6x4 DoubleTensor on rank 1 (of 2), 8x4 DoubleTensor', function()
            distributed.split(nn.Linear(4, rank == 1 and 6 or 8))
         end)
      ]])
   end)
end

describe('layers in parts and parts of batches', function()
   it('go together, by groups of ranks', function()
      workers.passes(4, SETUP:gsub('\n', ' ') .. [[
         torch.manualSeed(6)
         local plain = nn.Sequential():add(nn.Linear(4, 6)):add(nn.Tanh()):add(nn.Linear(6, 2))
         local x, t, criterion = torch.randn(8, 4), torch.randn(8, 2), nn.MSECriterion()
         local first = rank <= 2
         local along = distributed.group(first and { 1, 2 } or { 3, 4 })
         local across = distributed.group(rank % 2 == 1 and { 1, 3 } or { 2, 4 })
         local net = distributed.DataParallel(distributed.split(plain:clone(), { group = along }),
            { group = across })
         local own, target = x:narrow(1, first and 1 or 5, 4), t:narrow(1, first and 1 or 5, 4)
         for _ = 1, 3 do
            plain:zeroGradParameters() net:zeroGradParameters()
            criterion:forward(plain:forward(x), t)
            plain:backward(x, criterion:backward(plain.output, t))
            criterion:forward(net:forward(own), target)
            net:backward(own, criterion:backward(net.output, target))
            plain:updateParameters(0.1) net:updateParameters(0.1)
         end
         local whole = distributed.whole(net)
         for i, p in ipairs(plain:parameters()) do
            near(whole:parameters()[i], p, 'parameter ' .. i)
         end
      ]])
   end)

   it('go together with stages', function()
      workers.passes(4, SETUP:gsub('\n', ' ') .. [[
         torch.manualSeed(6)
         local plain = nn.Sequential():add(nn.Linear(4, 6)):add(nn.Tanh()):add(nn.Linear(6, 4))
            :add(nn.Sigmoid()):add(nn.Linear(4, 3)):add(nn.Linear(3, 2))
         local x, t, criterion = torch.randn(8, 4), torch.randn(8, 2), nn.MSECriterion()
         local along = distributed.group(rank <= 2 and { 1, 2 } or { 3, 4 })
         local across = distributed.group(rank % 2 == 1 and { 1, 3 } or { 2, 4 })
         local net = distributed.Pipeline(distributed.split(plain:clone(), { group = along }),
            { group = across, microBatches = 4, layers = { 3, 3 } })
         for _ = 1, 3 do
            plain:zeroGradParameters() net:zeroGradParameters()
            local loss = criterion:forward(plain:forward(x), t)
            plain:backward(x, criterion:backward(plain.output, t))
            assert(math.abs(net:forwardBackward(x, t, criterion) - loss) < 1e-13)
            plain:updateParameters(0.1) net:updateParameters(0.1)
         end
         for i, p in ipairs(distributed.whole(net):parameters()) do
            near(p, plain:parameters()[i], 'parameter ' .. i)
         end
      ]])
   end)
end)
