-- Residuals, orthogonality and reconstruction, and a few closed forms. Sizes cover square, thin and
-- fat matrices; operands and results of any layout.
local torch = require 'torch'

local function refused(pattern, f)
   local ok, message = pcall(f)
   assert.is_false(ok)
   assert.matches(pattern, message)
   assert.matches('^[^:]*linalg_spec%.lua:%d+: ', message)
end

local function near(tolerance, expected, actual)
   assert.same(expected:size():totable(), actual:size():totable())
   local difference = (expected - actual):abs():max()
   assert.is_true(difference <= tolerance, ('differs by %g'):format(difference))
end

-- Every second element of a larger tensor, so that no stride is 1.
local function view(t)
   local sizes = t:size():totable()
   sizes[#sizes + 1] = 2
   return t.new(unpack(sizes)):fill(7):select(#sizes, 2):copy(t)
end

local kinds = {
   { class = torch.DoubleTensor, tolerance = 1e-11 },
   { class = torch.FloatTensor, tolerance = 2e-4 },
}
local layouts = {
   compact = function(t) return t end,
   transposed = function(t) return t:t():contiguous():t() end,
   strided = view,
}

for _, kind in ipairs(kinds) do
   local Class, tolerance = kind.class, kind.tolerance
   local function random(...)
      return torch.randn(...):type(Class.__typename)
   end
   local function eye(n)
      return Class.torch.eye(n):type(Class.__typename)
   end
   -- Symmetric, eigenvalues at least 1.
   local function positive(n)
      local m = random(n, n)
      return (m * m:t()):div(n) + eye(n)
   end
   -- Diagonally dominant: well conditioned.
   local function regular(n)
      return random(n, n):add(3 * math.sqrt(n) + 1, eye(n))
   end

   for layout, arranged in pairs(layouts) do
      describe(Class.__typename .. ', ' .. layout, function()
         before_each(function()
            torch.manualSeed(11)
         end)

         it('gesv solves square systems', function()
            for _, n in ipairs { 1, 2, 7, 40 } do
               local a, b = arranged(regular(n)), arranged(random(n, 3))
               local a0, b0 = a:clone(), b:clone()
               local x, lu = torch.gesv(b, a)
               near(tolerance, b, a * x)
               assert.is_true(a:equal(a0) and b:equal(b0))
               assert.same({ n, n }, lu:size():totable())
               -- in place
               assert.equals(b, (torch.gesv(b, a, b, a)))
               assert.is_true(b:equal(x) and a:equal(lu))
            end
         end)

         it('inverse is one from both sides', function()
            local a = arranged(regular(9))
            local inverse = torch.inverse(a)
            near(tolerance, eye(9), a * inverse)
            near(tolerance, eye(9), inverse * a)
            torch.inverse(a, a)
            assert.is_true(a:equal(inverse))
         end)

         it('gels: residuals are orthogonal to the columns', function()
            local a, b = arranged(random(12, 4)), arranged(random(12, 2))
            local x = torch.gels(b, a)
            assert.same({ 4, 2 }, x:size():totable())
            near(20 * tolerance, x.new(4, 2):zero(), a:t() * (a * x - b))
         end)

         it('gels: the shortest of many solutions lies in the span of the rows', function()
            local a, b = arranged(random(4, 9)), arranged(random(4, 2))
            local x = torch.gels(b, a)
            near(10 * tolerance, b, a * x)
            local weights = torch.gels(x, a:t())
            near(20 * tolerance, x, a:t() * weights)
         end)

         it('trtrs reads one triangle only', function()
            local a, b = arranged(regular(6)), arranged(random(6, 2))
            near(tolerance, b, torch.triu(a) * torch.trtrs(b, a))
            near(tolerance, b, torch.tril(a) * torch.trtrs(b, a, 'L'))
            near(tolerance, b, torch.triu(a):t() * torch.trtrs(b, a, 'U', 'T'))
            local unit = torch.tril(a, -1) + eye(6)
            near(50 * tolerance, b, unit * torch.trtrs(b, a, 'L', 'N', 'U'))
         end)

         it('symeig gives orthonormal vectors, ascending values', function()
            local a = arranged(positive(8))
            local e, v = torch.symeig(a, 'V')
            near(tolerance, a, v * torch.diag(e) * v:t())
            near(tolerance, eye(8), v:t() * v)
            assert.is_true(torch.sort(e):equal(e))
            near(tolerance, e, (torch.symeig(a)))
            near(tolerance, e, (torch.symeig(torch.tril(a), 'N', 'L')))
         end)

         it('eig: A V = V diag(e), for real and for conjugate eigenvalues', function()
            local symmetric = arranged(positive(6))
            local e, v = torch.eig(symmetric, 'V')
            near(tolerance, symmetric * v, v * torch.diag(e:select(2, 1):clone()))
            near(0, e.new(6):zero(), e:select(2, 2):clone())
            -- A rotation by 0.3 has the eigenvalues cos 0.3 +- i sin 0.3.
            local c, s = math.cos(0.3), math.sin(0.3)
            local rotation = arranged(Class { { c, -s }, { s, c } })
            local values, vectors = torch.eig(rotation, 'V')
            near(tolerance, Class { { c, s }, { c, -s } }, values)
            local re, im = vectors:narrow(2, 1, 1):clone(), vectors:narrow(2, 2, 1):clone()
            near(tolerance, re * c - im * s, rotation * re)
            near(tolerance, re * s + im * c, rotation * im)
         end)

         it('svd reconstructs', function()
            for _, size in ipairs { { 5, 5 }, { 9, 4 }, { 3, 8 }, { 1, 4 } } do
               local m, n = unpack(size)
               local k = math.min(m, n)
               local a = arranged(random(m, n))
               local u, s, v = torch.svd(a)
               assert.same({ m, k }, u:size():totable())
               assert.same({ n, k }, v:size():totable())
               near(tolerance, a, u * torch.diag(s) * v:t())
               near(tolerance, eye(k), u:t() * u)
               near(tolerance, eye(k), v:t() * v)
               assert.is_true(torch.sort(s, true):equal(s))
               local uu, ss, vv = torch.svd(a, 'A')
               near(tolerance, eye(m), uu * uu:t())
               near(tolerance, eye(n), vv * vv:t())
               near(tolerance, s, ss)
               near(tolerance, a,
                  uu:narrow(2, 1, k) * torch.diag(ss) * vv:narrow(2, 1, k):t())
            end
         end)

         it('Cholesky: factor, solution, inverse', function()
            local a, b = arranged(positive(7)), arranged(random(7, 2))
            for _, uplo in ipairs { 'U', 'L' } do
               local factor = torch.potrf(a, uplo)
               local upper = uplo == 'U' and factor or factor:t()
               near(tolerance, a, upper:t() * upper)
               near(0, torch.triu(upper), upper)
               near(tolerance, b, a * torch.potrs(b, factor, uplo))
               near(tolerance, eye(7), a * torch.potri(factor, uplo))
               local r, pivots = torch.pstrf(a, uplo)
               upper = uplo == 'U' and r or r:t()
               assert.equals('torch.IntTensor', pivots:type())
               local order = pivots:long()
               near(tolerance, a:index(1, order):index(2, order), upper:t() * upper)
               near(0, torch.sort(torch.abs(upper:diag()), true), torch.abs(upper:diag()))
            end
         end)

         it('qr, and Q from its parts', function()
            for _, size in ipairs { { 5, 5 }, { 9, 4 }, { 4, 9 }, { 1, 3 } } do
               local m, n = unpack(size)
               local k = math.min(m, n)
               local a = arranged(random(m, n))
               local q, r = torch.qr(a)
               near(tolerance, eye(k), q:t() * q)
               near(0, torch.triu(r), r)
               near(tolerance, a, q * r)
               local parts, tau = torch.geqrf(a)
               assert.same({ k }, tau:size():totable())
               near(0, r, torch.triu(parts:narrow(1, 1, k)))
               near(tolerance, q, torch.orgqr(parts, tau))
               local square = torch.ormqr(parts, tau, eye(m))
               near(tolerance, eye(m), square * square:t())
               near(tolerance, q, square:narrow(2, 1, k))
               local c = arranged(random(m, m))
               near(tolerance, square:t() * c, torch.ormqr(parts, tau, c, 'L', 'T'))
               near(tolerance, c * square, torch.ormqr(parts, tau, c, 'R'))
               near(tolerance, c * square:t(), torch.ormqr(parts, tau, c, 'R', 'T'))
            end
         end)
      end)
   end
end

describe('closed forms', function()
   it('a Vandermonde system interpolates', function()
      -- 2 - 3 x + x^2 at 1, 2, 4
      local a = torch.DoubleTensor { { 1, 1, 1 }, { 1, 2, 4 }, { 1, 4, 16 } }
      local x = torch.gesv(torch.DoubleTensor { 0, 0, 6 }, a)
      near(1e-13, torch.DoubleTensor { { 2 }, { -3 }, { 1 } }, x)
   end)

   it('the inverse of the Hilbert matrix has integers', function()
      local a = torch.DoubleTensor { { 1, 1 / 2, 1 / 3 }, { 1 / 2, 1 / 3, 1 / 4 },
         { 1 / 3, 1 / 4, 1 / 5 } }
      near(1e-10, torch.DoubleTensor { { 9, -36, 30 }, { -36, 192, -180 }, { 30, -180, 180 } },
         torch.inverse(a))
   end)

   it('the second difference has the eigenvalues 2 - 2 cos(pi k / (n + 1))', function()
      local n = 12
      local a = torch.eye(n):mul(2)
      for i = 1, n - 1 do
         a[i][i + 1], a[i + 1][i] = -1, -1
      end
      local expected = torch.range(1, n):mul(math.pi / (n + 1)):cos():mul(-2):add(2)
      near(1e-13, expected, (torch.symeig(a)))
      near(1e-13, torch.sort(expected, true), (select(2, torch.svd(a))))
      near(1e-13, expected, (torch.sort(torch.eig(a):select(2, 1):clone())))
   end)
end)

describe('results', function()
   it('are column-major, also in a given compact tensor', function()
      local a = torch.eye(3):mul(2)
      local r = torch.zeros(3, 3)
      assert.equals(r, torch.inverse(r, a))
      for _, t in ipairs { r, (torch.inverse(a)), (torch.svd(a)), (torch.qr(a)) } do
         assert.same({ 1, 3 }, t:stride():totable())
      end
      near(0, torch.eye(3):div(2), r)
   end)

   it('leave the strides of a view, and all around it', function()
      local whole = torch.zeros(3, 6)
      local r = whole:narrow(2, 2, 3)
      torch.inverse(r, torch.eye(3):mul(2))
      near(0, torch.eye(3):div(2), r:clone())
      assert.equals(1.5, whole:sum())
      assert.same({ 6, 1 }, r:stride():totable())
   end)

   it('are resized', function()
      local x, lu = torch.zeros(9), torch.zeros(2, 2, 2)
      torch.gesv(x, lu, torch.ones(4), torch.eye(4))
      assert.same({ 4, 1 }, x:size():totable())
      assert.same({ 4, 4 }, lu:size():totable())
   end)

   it('methods are the functions', function()
      local a = torch.DoubleTensor { { 4, 1 }, { 1, 3 } }
      near(0, torch.inverse(a), a:inverse())
      near(0, torch.potrf(a, 'L'), a:potrf('L'))
   end)
end)

describe('refusals change nothing', function()
   local function fails(pattern, f, results)
      local r = torch.DoubleTensor { 5 }
      refused(pattern, function() f(r) end)
      assert.same({ 5 }, r:totable(), results)
   end
   local singular = torch.DoubleTensor { { 1, 2 }, { 2, 4 } }
   local indefinite = torch.DoubleTensor { { 1, 2 }, { 2, 1 } }
   local b = torch.ones(2, 1)

   it('singular matrices', function()
      fails('gesv: A is singular: U%(2,2%)', function(r) torch.gesv(r, r.new(), b, singular) end)
      fails('inverse: A is singular', function(r) torch.inverse(r, singular) end)
      fails('trtrs: A is singular: A%(2,2%)', function(r)
         torch.trtrs(r, r.new(), b, torch.DoubleTensor { { 1, 2 }, { 0, 0 } })
      end)
      fails('gels: A does not have full rank', function(r)
         torch.gels(r, r.new(), torch.ones(2), torch.DoubleTensor { { 1, 0 }, { 1, 0 } })
      end)
      fails('potri: the Cholesky factor is singular', function(r)
         torch.potri(r, torch.zeros(2, 2))
      end)
      fails('potrs: the Cholesky factor is singular', function(r)
         torch.potrs(r, b, torch.zeros(2, 2))
      end)
   end)

   it('matrices that are not positive definite', function()
      fails('potrf: A is not positive definite: its leading minor of order 2', function(r)
         torch.potrf(r, indefinite)
      end)
      fails('pstrf: A is rank deficient', function(r)
         torch.pstrf(r, torch.IntTensor(), singular)
      end)
   end)

   it('NaN and infinity where they would never converge', function()
      local bad = torch.eye(3)
      bad[2][3] = 0 / 0
      for _, name in ipairs { 'symeig', 'eig' } do
         fails(name .. ': A has the element %-?nan in row 2, column 3', function(r)
            torch[name](r, r.new(), bad, 'V')
         end)
      end
      bad[2][3] = math.huge
      fails('svd: A has the element inf', function(r) torch.svd(r, r.new(), r.new(), bad) end)
   end)

   it('shapes, types and letters', function()
      fails('gesv: A should be square, got 2x3', function(r)
         torch.gesv(r, r.new(), b, torch.ones(2, 3))
      end)
      fails('gesv: A is 3x3, B is 2x1', function(r) torch.gesv(r, r.new(), b, torch.eye(3)) end)
      fails('inverse: A should be a matrix', function(r) torch.inverse(r, torch.ones(4)) end)
      fails('potrf: types differ', function(r) torch.potrf(r, torch.eye(2):float()) end)
      fails('qr: IntTensor is not supported', function()
         torch.qr(torch.IntTensor { { 1, 2 }, { 3, 4 } })
      end)
      fails("potrf: the triangle should be 'U' or 'L', got 'X'", function(r)
         torch.potrf(r, torch.eye(2), 'X')
      end)
      fails("svd: the job should be 'S' or 'A', got number", function()
         torch.svd(torch.eye(2), 3)
      end)
      fails('ormqr: A is 3x3, C is 2x2', function(r)
         torch.ormqr(r, torch.eye(3), torch.zeros(3), torch.eye(2))
      end)
      fails('orgqr: tau has 4 elements', function(r)
         torch.orgqr(r, torch.eye(3), torch.zeros(4))
      end)
      fails('gesv: invalid arguments: DoubleTensor\n', function() torch.gesv(torch.eye(2)) end)
      fails('inverse: invalid arguments', function() torch.inverse(torch.eye(2), 'V') end)
   end)
end)
