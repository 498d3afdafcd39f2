local near = require 'torch.near'

local names = { 'zeros', 'zero', 'transpose', 'forward', 'backward', 'Linear', 'LinearWeightNorm',
   'index', 'indexSelect', 't', 'abs', 'max', 'min', 'narrow' }

describe('names near to', function()
   for wrong, right in pairs {
      zeroes = 'zeros', tranpose = 'transpose', forwrad = 'forward', Lineer = 'Linear',
      linear = 'Linear', indexselect = 'indexSelect', index_select = 'indexSelect',
      narow = 'narrow', backwrd = 'backward',
   } do
      it(('%s: %s first'):format(wrong, right), function()
         assert.equal(right, near.names(wrong, names)[1])
      end)
   end

   it('what is near to nothing: none', function()
      assert.same({}, near.names('quaternion', names))
      assert.same({}, near.names('xyz', names))
      assert.same({}, near.names('q', names))
      assert.same({}, near.names('x', {}))
   end)

   it('a name that exists: others', function()
      assert.same({ 'zero' }, near.names('zeros', names))
   end)

   it('types and classes, in the messages about them', function()
      local torch = require 'torch'
      require 'nn'
      local raises = require 'test.support.raises'
      raises('torch.FlotTensor is not a tensor type; near: torch.FloatTensor', torch.Tensor(1).type,
         torch.Tensor(1), 'torch.FlotTensor')
      raises('near: torch.FloatTensor', torch.setdefaulttensortype, 'torch.FloatTenor')
      raises('the parent class nn.Modul does not exist; near: nn.Module', torch.class, 'near.A',
         'nn.Modul')
      raises('unknown class nn.Lineer; near: nn.Linear', torch.setmetatable, {}, 'nn.Lineer')
   end)

   it('many: three at most', function()
      assert.equal(3, #near.names('abcd', { 'abce', 'abcf', 'abcg', 'abch', 'abci' }))
   end)
end)
