local nn = require 'nn'
local train = require 'torch.train'

describe('names of tensors', function()
   it('are places and names of modules, and shared ones come once', function()
      local first = nn.Linear(2, 2)
      local twin = nn.Linear(2, 2)
      twin.weight = first.weight
      twin.gradWeight = first.gradWeight
      first.name = 'first'
      local net = nn.Sequential():add(first):add(nn.ConcatTable():add(twin)
         :add(nn.BatchNormalization(2)))
      local names = {}
      for i, entry in ipairs(train.tensors(net)) do
         names[i] = entry.name
      end
      assert.same({ 'first.bias', 'first.weight', '2.1.bias', '2.2.bias', '2.2.running_mean',
         '2.2.running_var', '2.2.weight' }, names)
   end)

   it('name each parameter of each kind of layer', function()
      for _, net in ipairs { nn.LSTM(3, 4), nn.MultiHeadAttention(4, 2), nn.LookupTable(5, 3),
         nn.TransformerEncoder(1, 4, 2, 8) } do
         local count, own = 0, 0
         for _, entry in ipairs(train.tensors(net)) do
            assert.not_matches('^parameter', entry.name)
            count = count + (entry.gradient and entry.tensor:nElement() or 0)
         end
         for _, p in ipairs(net:parameters()) do
            own = own + p:nElement()
         end
         assert.equal(own, count)
      end
   end)
end)
