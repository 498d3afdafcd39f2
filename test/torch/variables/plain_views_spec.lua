-- Variables written into views of a plain tensor: it becomes part of the record, or an error says
-- what to write. Every way to take a view with every way to write.
local torch = require 'torch'
local raises = require 'test.support.raises'

local VIEWS = {
   view = function(y) return y:view(4) end,
   viewAs = function(y) return y:viewAs(torch.ones(4)) end,
   ['view of a view'] = function(y) return y:view(4):view(2, 2) end,
   narrow = function(y) return y:narrow(1, 2, 1) end,
   ['narrow, all of it'] = function(y) return y:narrow(1, 1, 2) end,
   sub = function(y) return y:sub(1, 2) end,
   select = function(y) return y:select(1, 2) end,
   ['y[1]'] = function(y) return y[1] end,
   ['y[{}]'] = function(y) return y[{}] end,
   ['y[{ {}, 1 }]'] = function(y) return y[{ {}, 1 }] end,
   t = function(y) return y:t() end,
   transpose = function(y) return y:transpose(1, 2) end,
   permute = function(y) return y:permute(2, 1) end,
   squeeze = function(y) return y:squeeze() end,
   unsqueeze = function(y) return y:unsqueeze(1) end,
   unfold = function(y) return y:unfold(1, 2, 1) end,
   expandAs = function(y) return y:expandAs(y) end,
   chunk = function(y) return y:chunk(2)[1] end,
   split = function(y) return y:split(1)[2] end,
   set = function(y) return torch.DoubleTensor():set(y) end,
   ['set to its own storage'] = function(y)
      local v = y:view(4)
      return v:set(v:storage(), 1, torch.LongStorage { 2, 2 })
   end,
   new = function(y) return y.new(y) end,
   storage = function(y) return torch.DoubleTensor(y:storage(), 1, y:size()) end,
}

-- These are plain tensors, whatever they show.
local APART = { storage = true, ['set to its own storage'] = true }

local WRITES = {
   copy = function(p, v) p:copy(v) end,
   ['p[{}] = v'] = function(p, v) p[{}] = v end,
   ['p[1] = v'] = function(p, v) p[1] = v[1] end,
   ['p[mask] = v'] = function(p, v) p[p:gt(0)] = v end,
   fill = function(p, v) p:fill(v:sum()) end,
   mul = function(p, v) p:mul(v:sum()) end,
   div = function(p, v) p:div(v:sum()) end,
   pow = function(p, v) p:pow(v:sum()) end,
   add = function(p, v) p:add(v) end,
   ['add, scaled'] = function(p, v) p:add(3, v) end,
   csub = function(p, v) p:csub(v) end,
   cmul = function(p, v) p:cmul(v) end,
   cdiv = function(p, v) p:cdiv(v) end,
   cpow = function(p, v) p:cpow(v) end,
   cmax = function(p, v) p:cmax(v) end,
   addcmul = function(p, v) p:addcmul(v, v) end,
   addcdiv = function(p, v) p:addcdiv(torch.cmul(v, v), v) end,
   maskedCopy = function(p, v) p:maskedCopy(p:gt(0), v) end,
   indexCopy = function(p, v) p:indexCopy(1, torch.LongTensor { 1 }, v:narrow(1, 1, 1)) end,
   indexAdd = function(p, v) p:indexAdd(1, torch.LongTensor { 1 }, v:narrow(1, 1, 1)) end,
   scatter = function(p, v) p:scatter(1, torch.ones(p:size()):long(), v) end,
   ['a result'] = function(p, v) p:mul(v, 2) end,
   ['a function\'s result'] = function(p, v) torch.exp(p, v) end,
}

local function variable_like(view)
   return view:clone():fill(2):requiresGrad()
end

describe('a Variable written into a view of a plain tensor', function()
   for name, take in pairs(VIEWS) do
      it('is refused: ' .. name, function()
         for form, write in pairs(WRITES) do
            local y = torch.ones(2, 2):mul(1.5)
            local p = take(y)
            local v = variable_like(p)
            local ok, message = pcall(write, p, v)
            assert.is_false(ok, form)
            assert.matches('writes what has a gradient into a view of a plain tensor, which would '
               .. 'not know of it; write into the tensor itself, as in x:copy', message, 1, true,
               form)
            assert.equal(6, y:sum(), form) -- nothing was written
         end
      end)

      it('reaches one that learns: ' .. name, function()
         for form, write in pairs(WRITES) do
            local y = torch.ones(2, 2):mul(1.5):requiresGrad(false)
            local p = take(y)
            local v = variable_like(p)
            local ok = pcall(write, p, v)
            assert.equal(not APART[name], ok, form)
            if ok then
               y:sum():backward()
               assert.is_true(v.grad:ne(0):any(), form)
            end
         end
      end)
   end

   it('is taken where nobody else has the memory', function()
      local y = torch.ones(2, 2):view(4)
      collectgarbage()
      collectgarbage()
      local v = variable_like(y)
      y:cmul(v):sum():backward()
      assert.equal(4, v.grad:sum())
   end)

   it('is taken by a tensor that is set to a view of itself', function()
      local y, v = torch.ones(2, 3), torch.ones(6):fill(2):requiresGrad()
      local view = y:view(6)
      y:set(view):cmul(v):sum():backward()
      assert.equal(6, v.grad:sum())
      assert.same({ 6 }, y:size():totable())
      assert.same({ 6 }, view:size():totable())
   end)

   it('is written by what the error says', function()
      local y, v = torch.ones(2, 3), torch.ones(6):fill(2):requiresGrad()
      local view = y:view(6)
      raises('as in x:copy(v)', function() view:copy(v) end)
      raises('write into a copy: view:clone()', function() view:add(v) end)
      view:clone():add(v):sum():backward()
      assert.equal(6, v.grad:sum())
      v.grad = nil
      y:copy(v)
      y:sum():backward()
      assert.equal(6, v.grad:sum())
   end)

   it('is refused by one that is moved over its memory', function()
      local y, v = torch.ones(2, 3), torch.ones(3):requiresGrad()
      local p = y[1]
      p:set(p:storage(), 4, 3, 1)
      raises('into a view of a plain tensor', function() p:copy(v) end)
   end)

   it('is taken outside of the record', function()
      local y, v = torch.ones(2, 3), torch.ones(6):fill(2):requiresGrad()
      torch.noGrad(function() y:view(6):copy(v) end)
      assert.equal(12, y:sum())
      assert.is_false(y:isVariable())
   end)
end)

describe('what detach gives', function()
   for form, write in pairs(WRITES) do
      it('takes a Variable: ' .. form, function()
         for name, take in pairs(VIEWS) do
            local y = torch.ones(2, 2):mul(1.5):requiresGrad()
            local d = take(torch.mul(y, 1)):detach()
            local v = variable_like(d)
            write(d, v)
            d:sum():backward()
            assert.is_true(v.grad:ne(0):any(), name)
            assert.is_nil(y.grad, name)
         end
      end)
   end

   it('is what truncated backpropagation goes on from, as often as it likes', function()
      local w, v = torch.ones(3):fill(2):requiresGrad(), torch.ones(3):requiresGrad()
      local all, state = torch.zeros(4, 3), torch.ones(3)
      for turn = 1, 5 do
         state = torch.cmul(state, w):detach()
         local before = state:clone()
         state:add(v)
         torch.cmul(state, w):sum():backward()
         assert.same({ 2, 2, 2 }, v.grad:totable()) -- w's
         assert.same((before + 1):totable(), w.grad:totable())
         w.grad, v.grad = nil, nil
         local part = torch.cmul(all, w:view(1, 3):expand(4, 3))[turn % 4 + 1]:detach()
         part:add(v):sum():backward()
         assert.same({ 1, 1, 1 }, v.grad:totable())
         v.grad = nil
      end
   end)

   it('shows what a derivative reads, and that it was changed', function()
      local x, v = torch.ones(2):requiresGrad(), torch.ones(2):requiresGrad()
      local y = torch.exp(x)
      y:detach():add(v)
      raises('the derivative of exp reads r', function() y:sum():backward() end)
   end)
end)
