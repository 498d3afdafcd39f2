local torch = require 'torch'
local nn = require 'nn'
local class = require 'torch.class'
local raises = require 'test.support.raises'

describe('nn.additions', function()
   it('lists classes that there are', function()
      for _, names in pairs(require 'nn.additions') do
         for _, name in ipairs(names) do
            assert.is_not_nil(torch.getmetatable('nn.' .. name), name)
         end
      end
   end)

   -- torch-autograd tells a layer by the parents that it finds so.
   it('do not stand between a class of Torch7 and its parent there', function()
      for name, parent in pairs {
         Linear = 'Module', Tanh = 'Module', SoftMax = 'Module', SpatialConvolution = 'Module',
         SpatialMaxPooling = 'Module', SpatialFullConvolution = 'Module', CAddTable = 'Module',
         ParallelTable = 'Container', MSECriterion = 'Criterion', ReLU = 'Threshold',
         SpatialBatchNormalization = 'BatchNormalization', SoftMin = 'SoftMax',
      } do
         local own = getmetatable(nn[name])
         assert.equal(torch.getmetatable('nn.' .. name), own)
         assert.equal('nn.' .. parent, getmetatable(own).__typename, name)
      end
      local layer = nn.Tanh()
      assert.equal(torch.getmetatable 'nn.Tanh', getmetatable(layer))
      assert.is_true(torch.isTypeOf(layer, 'nn.Pointwise'))
      assert.equal(torch.getmetatable 'nn.Pointwise', getmetatable(nn.Pointwise()))
      assert.is_nil(getmetatable(torch.getmetatable 'nn.Module'))
   end)

   it('give way to classes of scripts, and ours go on', function()
      local ours = nn.declare('nn.GivesWaySpec', 'nn.Module', {}) and nn.GivesWaySpec()
      class.yields 'nn.GivesWaySpec'
      local Theirs = torch.class('nn.GivesWaySpec', 'nn.Container')
      function Theirs:__init()
         nn.Container.__init(self)
         self.theirs = true
      end
      local object = torch.deserialize(torch.serialize(nn.GivesWaySpec()))
      assert.is_true(object.theirs)
      assert.is_true(torch.isTypeOf(object, 'nn.Container'))
      assert.equal('nn.GivesWaySpec', torch.typename(ours))
      assert.is_nil(ours.theirs)
      -- Once only: two classes of a script are as in Torch7.
      raises('already assigned', torch.class, 'nn.GivesWaySpec', 'nn.Container')
   end)

   it('do not need the names that scripts take', function()
      local name = 'nn.LayerNorm'
      local constructor, before = nn.LayerNorm, torch.getmetatable(name)
      local layer = nn.TransformerEncoderLayer(4, 2)
      class.yields(name)
      torch.class(name, 'nn.Module')
      local ok, again = pcall(nn.TransformerEncoderLayer, 4, 2)
      -- As it was, for the specs after this one.
      nn.LayerNorm, class.classes[name] = constructor, before
      class.yields(name)
      assert.is_true(ok, tostring(again))
      assert.equal(tostring(layer), tostring(again))
   end)
end)
