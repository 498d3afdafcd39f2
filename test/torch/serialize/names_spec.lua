-- Names of classes in files: which are of packages that a message can name.
local registry = require 'torch.class.registry'
local names = require 'torch.serialize.names'
require 'nn'

describe('classes of torch.dataset and torch.train', function()
   it('are known by name', function()
      require 'torch.dataset'
      require 'torch.train'
      local found = {}
      for name, class in pairs(registry.classes) do
         local package = name:match '^(%a+)%.'
         local init = type(class.__init) == 'function' and debug.getinfo(class.__init, 'S').source
         if (package == 'dataset' or package == 'train') and init
            and init:match('/torch/' .. package .. '/') then -- other specs define some, too
            found[name] = true
         end
      end
      for name in pairs(found) do
         assert.is_true(names.ours[name], name)
      end
      for name in pairs(names.ours) do
         assert.is_table(registry.classes[name], name)
      end
   end)

   it('are said to be of those packages, others are not', function()
      local function advice(name)
         return select(2, pcall(names.unknown, name))
      end
      assert.equal("unknown Torch class <dataset.text.Bpe>: require 'torch.dataset' before loading",
         advice 'dataset.text.Bpe')
      assert.equal("unknown Torch class <train.Trainer>: require 'torch.train' before loading",
         advice 'train.Trainer')
      assert.equal("unknown Torch class <dataset.TableDataset>: require 'dataset' (or what defines "
         .. 'the class) before loading', advice 'dataset.TableDataset')
   end)
end)
