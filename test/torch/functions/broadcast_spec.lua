local torch = require 'torch'
local Tensors = require 'torch.Tensor'

local function refused(pattern, f, ...)
   local ok, message = pcall(f, ...)
   assert.is_false(ok)
   assert.matches(pattern, message)
end

-- The definition of broadcasting, by expansion written out with repeated copies.
local function repeated(x, sizes)
   local lead = #sizes - x:dim()
   local shape, times = torch.LongStorage(#sizes), torch.LongStorage(#sizes)
   for d = 1, #sizes do
      shape[d] = d > lead and x:size(d - lead) or 1
      times[d] = sizes[d] / shape[d]
   end
   return x:contiguous():view(shape):repeatTensor(times)
end

local pairsOfSizes = { -- x, y, result
   { { 4, 1 }, { 3 }, { 4, 3 } },
   { { 3 }, { 2, 3 }, { 2, 3 } },
   { { 2, 3 }, { 1 }, { 2, 3 } },
   { { 2, 1, 4 }, { 3, 1 }, { 2, 3, 4 } },
   { { 1, 3 }, { 2, 3 }, { 2, 3 } },
   { { 5, 1, 2 }, { 1, 3, 1 }, { 5, 3, 2 } },
}

local function tensor(sizes)
   return torch.rand(torch.LongStorage(sizes)):add(0.5)
end

local function same(wanted, got)
   assert.same(wanted:size():totable(), got:size():totable())
   assert.is_true(wanted:equal(got))
end

describe('torch.broadcast', function()
   after_each(function()
      torch.broadcast(false)
   end)

   it('is off at first, and off again leaves no trace', function()
      assert.is_false(torch.broadcast())
      local methods = torch.getmetatable 'torch.FloatTensor'
      local before = {}
      for _, owner in ipairs { torch, methods } do
         before[owner] = {}
         for name, f in pairs(owner) do
            before[owner][name] = f
         end
      end
      local equip = Tensors.equip
      assert.is_false(torch.broadcast(true))
      assert.is_true(torch.broadcast(true))
      assert.is_true(before[torch].add ~= torch.add)
      assert.is_true(before[methods].add ~= methods.add)
      assert.is_true(torch.broadcast(false))
      assert.is_false(torch.broadcast())
      for owner, fields in pairs(before) do
         for name, f in pairs(fields) do
            assert.is_true(f == owner[name], name)
         end
         for name in pairs(owner) do
            assert.is_true(fields[name] ~= nil, name)
         end
      end
      assert.equals(equip, Tensors.equip)
      refused('size: dimension %-1 out of range', function() return tensor { 2 }:size(-1) end)
      refused('%[4x1%] and %[3%]', function() return tensor { 4, 1 } + tensor { 3 } end)
      refused('expected true or false, got string', torch.broadcast, 'on')
   end)

   it('keeps what a script has put in place of a function meanwhile', function()
      local original, mine = torch.cmul, function() end
      torch.broadcast(true)
      torch.cmul = mine
      torch.broadcast(false)
      assert.equals(mine, torch.cmul)
      torch.cmul = original
   end)

   it('expands operands of functions and methods', function()
      torch.broadcast(true)
      local names = { 'add', 'csub', 'cmul', 'cdiv', 'cpow', 'cmax', 'cmin', 'cfmod', 'atan2' }
      for _, sizes in ipairs(pairsOfSizes) do
         local x, y = tensor(sizes[1]), tensor(sizes[2])
         local fullX, fullY = repeated(x, sizes[3]), repeated(y, sizes[3])
         for _, name in ipairs(names) do
            local wanted = torch[name](fullX, fullY)
            same(wanted, torch[name](x, y))
            local r = torch.Tensor()
            assert.equals(r, r[name](r, x, y))
            same(wanted, r)
            assert.equals(r, torch[name](r:resize(1), x, y))
            same(wanted, r)
            same(wanted, fullX:clone()[name](fullX:clone(), y)) -- in place
         end
         same(torch.add(fullX, 3, fullY), torch.add(x, 3, y))
         same(torch.lerp(fullX, fullY, 0.25), torch.lerp(x, y, 0.25))
         for _, name in ipairs { 'lt', 'le', 'gt', 'ge', 'eq', 'ne' } do
            local wanted = fullX[name](fullX, fullY)
            same(wanted, x[name](x, y))
            same(wanted, torch[name](x, y))
         end
         same(torch.addcmul(fullX, 2, fullY, fullY), torch.addcmul(x, 2, y, fullY))
      end
   end)

   it('expands operands of operators', function()
      torch.broadcast(true)
      for _, sizes in ipairs(pairsOfSizes) do
         local x, y = tensor(sizes[1]), tensor(sizes[2])
         local fullX, fullY = repeated(x, sizes[3]), repeated(y, sizes[3])
         same(torch.add(fullX, fullY), x + y)
         same(torch.csub(fullX, fullY), x - y)
         same(torch.cdiv(fullX, fullY), x / y)
         same(torch.cremainder(fullX, fullY), x % y)
      end
      local x = tensor { 2, 2 }
      same(torch.add(x, 1), 1 + x)
      same(torch.div(x, 4), x / 4)
   end)

   it('leaves * the product of linear algebra for vectors and matrices', function()
      local a, v, b = tensor { 3, 3 }, tensor { 3 }, tensor { 2, 3, 3 }
      local mm, mv, dot = a * a, a * v, v * v
      torch.broadcast(true)
      same(mm, a * a)
      same(mv, a * v)
      assert.equals(dot, v * v)
      refused('multiplication between 1D and 2D', function() return v * a end)
      same(torch.cmul(b, repeated(a, { 2, 3, 3 })), b * a)
      same(torch.mul(a, 3), 3 * a)
   end)

   it('keeps sizes in place, and Torch7\'s rule where sizes do not agree', function()
      torch.broadcast(true)
      local x = tensor { 3 }
      refused('%[3%] and %[2x3%]', function() x:add(tensor { 2, 3 }) end)
      local y = tensor { 2, 3 }
      same(torch.add(y, tensor { 6 }:fill(1)), y + 1) -- equal counts, as in Torch7
      same(x + repeated(x, { 2, 3 }), torch.add(x, x, repeated(x, { 2, 3 })))
   end)

   it('expands into a result that is an operand', function()
      torch.broadcast(true)
      local x, y = tensor { 3 }, tensor { 2, 3 }
      local wanted = torch.add(repeated(x, { 2, 3 }), y)
      assert.equals(x, x:add(x, y))
      same(wanted, x)
   end)

   it('reaches classes that are registered while it is on', function()
      local methods = {}
      torch.broadcast(true)
      Tensors.equip(methods)
      local on = methods.add
      torch.broadcast(false)
      assert.is_true(on ~= methods.add)
      assert.equals(torch.getmetatable('torch.FloatTensor').add, methods.add)
   end)

   it('counts negative dimensions from the end', function()
      local x = tensor { 2, 3, 4 }
      local last = torch.LongTensor { 2, 1 }
      local calls = { -- operation, arguments with dimension d
         { 'size', function(d) return d end },
         { 'stride', function(d) return d end },
         { 'select', function(d) return d, 2 end },
         { 'narrow', function(d) return d, 1, 2 end },
         { 'unfold', function(d) return d, 2, 1 end },
         { 'sum', function(d) return d end },
         { 'prod', function(d) return d end },
         { 'mean', function(d) return d end },
         { 'min', function(d) return d end },
         { 'max', function(d) return d end },
         { 'var', function(d) return d, true end },
         { 'std', function(d) return d end },
         { 'norm', function(d) return 2, d end },
         { 'cumsum', function(d) return d end },
         { 'cumprod', function(d) return d end },
         { 'index', function(d) return d, last end },
         { 'sort', function(d) return d, true end },
         { 'topk', function(d) return 1, d end },
         { 'kthvalue', function(d) return 2, d end },
         { 'median', function(d) return d end },
         { 'renorm', function(d) return 2, d, 0.1 end },
         { 'transpose', function(d) return d, 1 end },
         { 'transpose', function(d) return 2, d end },
         { 'logsumexp', function(d) return d end },
      }
      for _, call in ipairs(calls) do
         local name, arguments = call[1], call[2]
         for d = 1, 3 do
            torch.broadcast(false)
            local wanted = x:clone()[name](x:clone(), arguments(d))
            torch.broadcast(true)
            local got = x:clone()[name](x:clone(), arguments(d - 4))
            if torch.isTensor(wanted) then
               same(wanted, got)
            else
               assert.equals(wanted, got, name)
            end
         end
      end
      same(x:sum(3), torch.sum(torch.Tensor(), x, -1))
      same(x:permute(3, 1, 2), x:permute(-1, 1, -2))
      same(torch.cat(x, x, 2), torch.cat(x, x, -2))
      same(torch.cat({ x, x }, 1), torch.cat({ x, x }, -3))
      same(x:view(2, 3, 4, 1), x:unsqueeze(-1))
      same(x:view(1, 2, 3, 4), x:unsqueeze(-4))
      same(x, x:view(2, 3, 4, 1):squeeze(-1))
      assert.equals(2, #x:split(2, -1))
      assert.equals(3, #torch.chunk(x, 3, -2))
      refused('sum: dimension %-4 out of range of 3D tensor', function() x:sum(-4) end)
   end)

   it('works on every type', function()
      torch.broadcast(true)
      local types = { 'byte', 'char', 'short', 'int', 'long', 'half', 'bfloat16', 'float' }
      for _, type in ipairs(types) do
         local x, y = torch.Tensor { { 1 }, { 2 } }, torch.Tensor { 10, 20 }
         x, y = x[type](x), y[type](y)
         assert.same({ { 11, 21 }, { 12, 22 } }, (x + y):totable())
         assert.same({ { 10, 20 }, { 20, 40 } }, torch.cmul(x, y):totable())
      end
   end)
end)
