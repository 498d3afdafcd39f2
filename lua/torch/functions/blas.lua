--- Products of vectors and matrices.
-- @module torch.functions.blas
local th = require 'torch.ffi'
local core = require 'torch.core'
local class = require 'torch.class'
local shapes = require 'torch.functions.shapes'

local type = type -- torch puts its own in the global's place

local raise = th.raise
local like, isTensor, badArguments = th.like, th.isTensor, th.badArguments
local withNumbers = th.withNumbers

local T, F = {}, {}

-- r = beta t + alpha A B, in all its call forms. A single number is alpha.
local function family(name, call)
   local forms = '[*T*] [beta = 1] T [alpha = 1] T T'

   local function run(r, beta, t, alpha, a, b)
      if not isTensor(r) or not isTensor(t) or not isTensor(a) or not isTensor(b)
         or type(beta) ~= 'number' or type(alpha) ~= 'number' then
         return withNumbers(run, name, forms, 6, r, beta, t, alpha, a, b)
      end
      call(r, beta, t, alpha, a, b)
      return r
   end

   -- t:f([alpha,] A, B), t:f(beta, alpha, A, B), r:f([beta,] t, [alpha,] A, B)
   T[name] = function(r, a, b, c, d, e)
      if c == nil then -- A, B
         return run(r, 1, r, 1, a, b)
      elseif d == nil then
         if type(a) ~= 'cdata' then -- alpha, A, B
            return run(r, 1, r, a, b, c)
         end
         return run(r, 1, a, 1, b, c) -- t, A, B
      elseif e == nil then
         if type(a) ~= 'cdata' and type(b) ~= 'cdata' then -- beta, alpha, A, B
            return run(r, a, r, b, c, d)
         elseif type(a) ~= 'cdata' then -- beta, t, A, B
            return run(r, a, b, 1, c, d)
         end
         return run(r, 1, a, b, c, d) -- t, alpha, A, B
      end
      return run(r, a, b, c, d, e) -- beta, t, alpha, A, B
   end

   -- f([r,] [beta,] t, [alpha,] A, B): the number of arguments and the place of numbers decide.
   F[name] = function(a, b, c, d, e, f)
      if type(a) ~= 'cdata' then
         if type(c) ~= 'cdata' then
            return run(isTensor(b) and like(b), a, b, c, d, e)
         end
         return run(isTensor(b) and like(b), a, b, 1, c, d)
      elseif f ~= nil then
         return run(a, b, c, d, e, f)
      elseif e ~= nil then
         if type(b) ~= 'cdata' then
            return run(a, b, c, 1, d, e)
         end
         return run(a, 1, b, c, d, e)
      elseif d ~= nil then
         if type(b) ~= 'cdata' then
            return run(isTensor(a) and like(a), 1, a, b, c, d)
         end
         return run(a, 1, b, 1, c, d)
      end
      return run(isTensor(a) and like(a), 1, a, 1, b, c)
   end
end

--- beta t + alpha A x, for an n x m matrix A and a vector x of m elements.
-- @usage torch.addmv([res,] [beta=1,] t1(1D), [alpha=1,] t2(2D), t3(1D)) -> res
-- t:addmv([t1(1D),] [alpha=1,] t2(2D), t3(1D)) -> self
-- t:addmv(beta, [t1(1D),] alpha, t2(2D), t3(1D)) -> self
-- @example
-- torch.addmv(torch.ones(2), torch.Tensor { { 1, 2 }, { 3, 4 } }, torch.ones(2)) --> { 4, 8 }
family('addmv', core.addmv)

--- beta t + alpha A B, for an n x m matrix A and an m x p matrix B.
-- @usage torch.addmm([res,] [beta=1,] t1(2D), [alpha=1,] t2(2D), t3(2D)) -> res
-- t:addmm([t1(2D),] [alpha=1,] t2(2D), t3(2D)) -> self
-- t:addmm(beta, [t1(2D),] alpha, t2(2D), t3(2D)) -> self
-- @example
-- local A = torch.Tensor { { 1, 2 }, { 3, 4 } }
-- torch.addmm(torch.ones(2, 2), A, A) --> { { 8, 11 }, { 16, 23 } }
family('addmm', core.addmm)

--- beta t + alpha x y', the outer product of vectors x (n) and y (m).
-- @usage torch.addr([res,] [beta=1,] t1(2D), [alpha=1,] t2(1D), t3(1D)) -> res
-- t:addr([t1(2D),] [alpha=1,] t2(1D), t3(1D)) -> self
-- t:addr(beta, [t1(2D),] alpha, t2(1D), t3(1D)) -> self
-- @example
-- local y = torch.addr(torch.zeros(2, 3), torch.Tensor { 1, 2 }, torch.Tensor { 1, 2, 3 })
-- y --> { { 1, 2, 3 }, { 2, 4, 6 } }
family('addr', core.addr)

--- beta t[k] + alpha A[k] B[k] for every k: batches b x n x m and b x m x p.
-- @usage torch.baddbmm([res,] [beta=1,] t1(3D), [alpha=1,] t2(3D), t3(3D)) -> res
-- t:baddbmm([t1(3D),] [alpha=1,] t2(3D), t3(3D)) -> self
-- t:baddbmm(beta, [t1(3D),] alpha, t2(3D), t3(3D)) -> self
-- @example
-- #torch.baddbmm(torch.zeros(5, 2, 4), torch.ones(5, 2, 3), torch.ones(5, 3, 4)) --> { 5, 2, 4 }
family('baddbmm', core.baddbmm)

--- beta t + alpha times the sum over k of A[k] B[k]: batches b x n x m and b x m x p, t is n x p.
-- @usage torch.addbmm([res,] [beta=1,] t1(2D), [alpha=1,] t2(3D), t3(3D)) -> res
-- t:addbmm([t1(2D),] [alpha=1,] t2(3D), t3(3D)) -> self
-- t:addbmm(beta, [t1(2D),] alpha, t2(3D), t3(3D)) -> self
-- @example
-- local y = torch.addbmm(torch.zeros(2, 2), torch.ones(5, 2, 3), torch.ones(5, 3, 2))
-- y --> { { 15, 15 }, { 15, 15 } }
family('addbmm', core.addbmm)

local function listed(t)
   return (shapes.text(t):gsub('x', ' x '))
end

-- What the operation beneath, addmm, would refuse by its own name, which no line has.
local function check_factors(name, rank, a, b)
   if a.ndim ~= rank[1] or b.ndim ~= rank[2] then
      raise(('%s: wanted a %dD and a %dD tensor, got %dD and %dD'):format(
         name, rank[1], rank[2], a.ndim, b.ndim))
   elseif a.dtype ~= b.dtype and a.device_type == b.device_type then
      raise(('%s: types differ: %s and %s; convert one, as in x:typeAs(y)'):format(name,
         class.type(a):match '%a+$', class.type(b):match '%a+$'))
   end
   local columns, rows = a.sizes[a.ndim - 1], b.sizes[b.ndim == 1 and 0 or b.ndim - 2]
   local A, B = rank[3], rank[4]
   if A and columns ~= rows then
      raise(('%s: size mismatch, %s: [%s], %s: [%s]; the columns of %s (%d) must equal the %s of '
         .. '%s (%d)'):format(name, A, listed(a), B, listed(b), A, tonumber(columns),
            b.ndim == 1 and 'elements' or 'rows', B, tonumber(rows)))
   end
end

-- f([r,] A, B): the product alone. A given result must have the right shape already.
local function product(name, call, rank, shape)
   local forms = '[*T*] T T'
   local function run(r, a, b)
      call(r, 0, r, 1, a, b)
      return r
   end
   T[name] = function(r, a, b)
      if not isTensor(a) or not isTensor(b) then
         badArguments(name, '*T* T T', 3, r, a, b)
      end
      check_factors(name, rank, a, b)
      return run(r, a, b)
   end
   F[name] = function(a, b, c)
      if c ~= nil then
         return T[name](a, b, c)
      elseif not isTensor(a) or not isTensor(b) then
         badArguments(name, forms, 2, a, b)
      end
      check_factors(name, rank, a, b)
      return run(like(a):resize(shape(a, b)), a, b)
   end
end

local function size(t, d)
   return tonumber(t.sizes[d])
end

--- Matrix times vector: n x m and m give n.
-- @usage torch.mv([res,] t1(2D), t2(1D)) -> res
-- t:mv(t1(2D), t2(1D)) -> self
-- @example torch.mv(torch.Tensor { { 1, 2 }, { 3, 4 } }, torch.Tensor { 1, 10 }) --> { 21, 43 }
product('mv', core.addmv, { 2, 1, 'm', 'v' }, function(a)
   return size(a, 0)
end)

--- Matrix product: n x m and m x p give n x p.
-- @usage torch.mm([res,] t1(2D), t2(2D)) -> res
-- t:mm(t1(2D), t2(2D)) -> self
-- @example
-- local y = torch.mm(torch.Tensor { { 1, 2 }, { 3, 4 } }, torch.Tensor { { 1 }, { 10 } })
-- y --> { { 21 }, { 43 } }
product('mm', core.addmm, { 2, 2, 'm1', 'm2' }, function(a, b)
   return size(a, 0), size(b, 1)
end)

--- A linear layer's function, x W' + b: of each row of x (n x in, or a single vector) and a weight
-- of out x in. One operation, where addmm of W:t() and an expanded bias are three.
-- @param x tensor n x in, or in
-- @param weight tensor out x in
-- @param[opt] bias tensor of out elements
-- @return tensor n x out, or out
-- @raise "linear: input is 5x4, expected N x 3 or 3 for a weight of 2x3; flatten it first ..."
-- @usage torch.linear(x, weight [, bias]) -> tensor
-- @example
-- local W = torch.Tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }
-- torch.linear(torch.ones(2), W, torch.ones(3)) --> { 4, 8, 12 }
function F.linear(x, weight, bias)
   if not isTensor(x) or not isTensor(weight) or bias ~= nil and not isTensor(bias) then
      badArguments('linear', 'T T [T]', 3, x, weight, bias)
   end
   local r = like(x)
   core.linear(r, x, weight, bias)
   return r
end

--- Outer product: x y', n x m for vectors of n and m elements.
-- @usage torch.ger([res,] t1(1D), t2(1D)) -> res
-- t:ger(t1(1D), t2(1D)) -> self
-- @example
-- torch.ger(torch.Tensor { 1, 2 }, torch.Tensor { 1, 2, 3 }) --> { { 1, 2, 3 }, { 2, 4, 6 } }
product('ger', core.addr, { 1, 1 }, function(a, b)
   return size(a, 0), size(b, 0)
end)

--- Matrix products of two batches: b x n x m and b x m x p give b x n x p.
-- @usage torch.bmm([res,] t1(3D), t2(3D)) -> res
-- t:bmm(t1(3D), t2(3D)) -> self
-- @example #torch.bmm(torch.ones(5, 2, 3), torch.ones(5, 3, 4)) --> { 5, 2, 4 }
product('bmm', core.baddbmm, { 3, 3, 'batch1', 'batch2' }, function(a, b)
   return size(a, 0), size(a, 1), size(b, 2)
end)

return { methods = T, functions = F }
