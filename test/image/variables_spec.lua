-- Pictures that are Variables, and pictures that a derivative reads.
local torch = require 'torch'
local image = require 'image'
local raises = require 'test.support.raises'

describe('functions of pictures', function()
   local x, p
   before_each(function()
      x, p = torch.rand(1, 4, 4):requiresGrad(), torch.rand(1, 4, 4)
   end)

   it('end no gradient unseen', function()
      for name, f in pairs {
         scale = function(t) return image.scale(t, 8, 8) end, hflip = image.hflip,
         rotate = function(t) return image.rotate(t, 1) end,
         ['vflip into'] = function(t) return image.vflip(torch.Tensor(), t) end,
      } do
         raises('image: a picture is a Variable, and functions of pictures have', f, x)
         assert.is_false(f(x:detach()):isVariable(), name)
         assert.is_false(torch.noGrad(f, x):isVariable(), name)
      end
      raises('image: a picture is a Variable', image.hflip, x * 1, p)
   end)

   it('are changes of what they write', function()
      for _, f in ipairs {
         function() image.hflip(p, torch.zeros(1, 4, 4)) end,
         function() image.scale(p, torch.zeros(1, 8, 8)) end,
         function() image.rotate(p, torch.zeros(1, 4, 4), 1) end,
      } do
         local y = torch.cmul(x, p):sum()
         f()
         raises('that was changed in place since', y.backward, y)
      end
   end)
end)
