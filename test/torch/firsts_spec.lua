local torch = require 'torch'
local firsts = require 'torch.firsts'

describe('torch.firsts', function()
   it('numbers the first tensor that each one of a list is', function()
      local w, b = torch.rand(3, 4), torch.rand(4)
      assert.same({}, firsts.of {})
      assert.same({ 1, 2, 1, 1, 2 }, firsts.of { w, b, w, w:t(), b:view(2, 2) })
      assert.same({ 1, 2, 1 }, firsts.of { w, w:narrow(1, 2, 2), w[1] })
      assert.same({ 1, 2, 2 }, firsts.of { w[1], w, w[1] }) -- the larger one has more to it
      assert.same({ 1, 2 }, firsts.of { w, w:clone() })
      assert.same({ 1, 2 }, firsts.of { torch.Tensor(), torch.Tensor() })
   end)

   it('leaves out what is there already', function()
      local w, b = torch.rand(3, 4), torch.rand(4)
      local once = firsts.once { w, b, w:t(), b }
      assert.equal(2, #once)
      assert.is_true(rawequal(w, once[1]) and rawequal(b, once[2]))
   end)
end)
