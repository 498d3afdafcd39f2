local torch = require 'torch'

local function refused(pattern, f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   assert.matches(pattern, message)
end

-- The definition: a loop over every index.
local function byLoops(terms, output, operands)
   local sizes, letters = {}, {}
   for i, term in ipairs(terms) do
      for d = 1, #term do
         local letter = term:sub(d, d)
         if not sizes[letter] then
            letters[#letters + 1] = letter
         end
         sizes[letter] = operands[i]:size(d)
      end
   end
   local at, shape = {}, torch.LongStorage(math.max(#output, 1)):fill(1)
   for d = 1, #output do
      shape[d] = sizes[output:sub(d, d)]
   end
   local r = torch.zeros(shape)
   local function place(term)
      local index = torch.LongStorage(math.max(#term, 1)):fill(1)
      for d = 1, #term do
         index[d] = at[term:sub(d, d)]
      end
      return index
   end
   local function loop(k)
      if k > #letters then
         local product = 1
         for i, term in ipairs(terms) do
            product = product * operands[i][place(term)]
         end
         r[place(output)] = r[place(output)] + product
         return
      end
      for i = 1, sizes[letters[k]] do
         at[letters[k]] = i
         loop(k + 1)
      end
   end
   loop(1)
   return #output > 0 and r or r[1]
end

local SIZES = { a = 2, b = 3, c = 4, d = 2, i = 3, j = 4, k = 5, l = 2, n = 3 }

local function random(term)
   local shape = torch.LongStorage(#term)
   for d = 1, #term do
      shape[d] = SIZES[term:sub(d, d)]
   end
   return torch.randn(shape)
end

describe('torch.einsum', function()
   local equations = {
      'ij->ji', 'ij->i', 'ij->j', 'ij->', 'ijk->kij', 'ijk->j', 'i->', -- one tensor
      'ii->i', 'ii->', 'iij->j', 'iji->ij', 'iii->i', -- diagonals
      'i,i->', 'i,j->ij', 'i,j->ji', 'ij,j->i', 'ij,jk->ik', 'ij,jk->ki', 'ji,jk->ik', 'ij,kj->ik',
      'ij,ij->ij', 'ij,ij->', 'ij,ij->i', 'ij,ji->', 'i,ij->ij', 'ij,jk->', 'ij,k->ijk',
      'ij,kl->ljik',
      'bij,bjk->bik', 'bij,bjk->ikb', 'bij,bkj->bik', 'bij,bij->b', 'bij,bj->bi', 'abij,abjk->abik',
      'abcj,cjk->kab', 'bij,jk->bik', 'bii,ij->bj', 'abij,cj->acib',
      'ij,jk,kl->il', 'i,j,k->ijk', 'ij,j,j->i', 'bij,bjk,bk->bi', 'ij,ij,ij->j', 'ij,jk,ki->',
      'abc,bd,cd->ad', 'i,i,i->',
   }
   for _, equation in ipairs(equations) do
      it('computes ' .. equation, function()
         torch.manualSeed(3)
         local left, output = equation:match '^(.*)%->(.*)$'
         local terms, operands = {}, {}
         for term in left:gmatch '[^,]+' do
            terms[#terms + 1] = term
            operands[#operands + 1] = random(term)
         end
         local wanted = byLoops(terms, output, operands)
         local got = torch.einsum(equation, unpack(operands))
         if output == '' then
            assert.equals('number', type(got))
            assert.is_near(wanted, got, 1e-12)
            return
         end
         assert.same(wanted:size():totable(), got:size():totable())
         assert.is_true((wanted - got):abs():max() < 1e-12)
         -- the same from views that are not contiguous, and from a table
         for i, operand in ipairs(operands) do
            local n = operand:dim()
            operands[i] = operand:transpose(1, n):clone():transpose(1, n)
         end
         assert.is_true((wanted - torch.einsum(equation, operands)):abs():max() < 1e-12)
      end)
   end

   it('has the gradients of Variables, along diagonals and of sums over everything too', function()
      for equation, sizes in pairs { ['ii->i'] = { 3, 3 }, ['iji->ij'] = { 3, 2, 3 },
         ['iij->j'] = { 3, 3, 2 }, ii = { 3, 3 }, ['ij->'] = { 2, 3 }, ['iii->'] = { 2, 2, 2 } } do
         local y = torch.einsum(equation, torch.randn(unpack(sizes)):requiresGrad())
         assert.is_true(torch.isVariable(y), equation)
         assert.is_true(torch.gradcheck(function(x)
            return torch.einsum(equation, x)
         end, { torch.randn(unpack(sizes)):requiresGrad() }), equation)
      end
      local x, y = torch.randn(3):requiresGrad(), torch.randn(3)
      torch.einsum('i,i', x, y):backward()
      assert.is_true(x.grad:equal(y))
   end)

   it('orders an implicit result by letters', function()
      local a, b = torch.randn(3, 4), torch.randn(4, 5)
      assert.is_true(torch.einsum('ij,jk', a, b):allclose(torch.mm(a, b)))
      assert.is_true(torch.einsum('kj,ji', b:t(), a:t()):allclose(torch.mm(a, b)))
      assert.is_true(torch.einsum('ba', a):equal(a:t()))
      local square = torch.mm(a, a:t())
      assert.is_near(torch.trace(square), torch.einsum('ij,ij', a, a), 1e-12)
      assert.is_near(torch.trace(square), torch.einsum(' ii ', square), 1e-12)
   end)

   it('broadcasts the dimensions of ...', function()
      local a, b = torch.randn(2, 3, 4, 5), torch.randn(3, 5, 6)
      local r = torch.einsum('...ij,...jk->...ik', a, b)
      assert.same({ 2, 3, 4, 6 }, r:size():totable())
      for i = 1, 2 do
         for j = 1, 3 do
            assert.is_true(r[i][j]:allclose(torch.mm(a[i][j], b[j])))
         end
      end
      local one = torch.einsum('...ij,...jk', a, b:narrow(1, 2, 1))
      assert.is_true(one[2][3]:allclose(torch.mm(a[2][3], b[2])))
      assert.same({ 5, 2, 3, 4 }, torch.einsum('...i->i...', a):size():totable())
      local x = torch.randn(4, 1)
      assert.is_true(torch.einsum('...,...', x, torch.ones(3)):equal(x:expand(4, 3)))
   end)

   it('keeps the type and never returns a view', function()
      for _, type in ipairs { 'torch.FloatTensor', 'torch.IntTensor' } do
         local x = torch.range(1, 4):view(2, 2):type(type)
         local r = torch.einsum('ij->ij', x)
         assert.equals(type, r:type())
         r:fill(0)
         assert.same({ { 1, 2 }, { 3, 4 } }, x:totable())
         assert.same({ { 7, 10 }, { 15, 22 } }, torch.einsum('ij,jk->ik', x, x):totable())
      end
   end)

   it('says what is wrong with an equation', function()
      local a, b = torch.zeros(2, 3), torch.zeros(4, 5)
      refused('einsum: index j is 3 in tensor 1 %(2x3%) and 4 in tensor 2 %(4x5%)',
         torch.einsum, 'ij,jk->ik', a, b)
      refused('einsum: index i is 2 in tensor 1 %(2x3%) and 3', torch.einsum, 'ii', a)
      refused('einsum: term "ijk" has 3 indices, tensor 1 is 2x3', torch.einsum, 'ijk', a)
      refused('einsum: 2 terms for 1 tensors', torch.einsum, 'ij,jk', a)
      refused('einsum: index z of the result is in no term', torch.einsum, 'ij->iz', a)
      refused('einsum: index i comes twice in the result', torch.einsum, 'ij->ii', a)
      refused('einsum: term "i1" is not made of letters', torch.einsum, 'i1', a)
      refused('einsum: invalid arguments', torch.einsum, 'ij', 3)
      refused('einsum: invalid arguments', torch.einsum, a, a)
   end)
end)
