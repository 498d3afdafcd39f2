local torch = require 'torch'
local nn = require 'nn'
local class = require 'torch.class'
local raises = require 'test.support.raises'

describe('nn.additions', function()
   it('lists classes that there are', function()
      for _, name in ipairs(require 'nn.additions') do
         assert.is_not_nil(torch.getmetatable('nn.' .. name), name)
      end
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
