--- Products of vectors and matrices.
-- @module torch.blas
local th = require 'torch.ffi'

local C, check, recover, raise = th.C, th.check, th.recover, th.raise
local like, isTensor, badArguments = th.like, th.isTensor, th.badArguments

local T, F = {}, {}

-- r = beta t + alpha A B, in all its call forms. A single number is alpha.
local function family(name, call)
   local forms = '[*T*] [beta = 1] T [alpha = 1] T T'

   local function run(r, beta, t, alpha, a, b)
      if not isTensor(r) or not isTensor(t) or not isTensor(a) or not isTensor(b)
         or type(beta) ~= 'number' or type(alpha) ~= 'number' then
         badArguments(name, forms, 6, r, beta, t, alpha, a, b)
      elseif call(r, beta, t, alpha, a, b) ~= 0 then
         recover()
         check(call(r, beta, t, alpha, a, b))
      end
      return r
   end

   -- t:f([alpha,] A, B), t:f(beta, alpha, A, B), r:f([beta,] t, [alpha,] A, B)
   T[name] = function(r, a, b, c, d, e)
      if c == nil then -- A, B
         return run(r, 1, r, 1, a, b)
      elseif d == nil then
         if type(a) == 'number' then -- alpha, A, B
            return run(r, 1, r, a, b, c)
         end
         return run(r, 1, a, 1, b, c) -- t, A, B
      elseif e == nil then
         if type(a) == 'number' and type(b) == 'number' then -- beta, alpha, A, B
            return run(r, a, r, b, c, d)
         elseif type(a) == 'number' then -- beta, t, A, B
            return run(r, a, b, 1, c, d)
         end
         return run(r, 1, a, b, c, d) -- t, alpha, A, B
      end
      return run(r, a, b, c, d, e) -- beta, t, alpha, A, B
   end

   -- f([r,] [beta,] t, [alpha,] A, B): the number of arguments and the place of numbers decide.
   F[name] = function(a, b, c, d, e, f)
      if type(a) == 'number' then
         if type(c) == 'number' then
            return run(isTensor(b) and like(b), a, b, c, d, e)
         end
         return run(isTensor(b) and like(b), a, b, 1, c, d)
      elseif f ~= nil then
         return run(a, b, c, d, e, f)
      elseif e ~= nil then
         if type(b) == 'number' then
            return run(a, b, c, 1, d, e)
         end
         return run(a, 1, b, c, d, e)
      elseif d ~= nil then
         if type(b) == 'number' then
            return run(isTensor(a) and like(a), 1, a, b, c, d)
         end
         return run(a, 1, b, 1, c, d)
      end
      return run(isTensor(a) and like(a), 1, a, 1, b, c)
   end
end

family('addmv', C.TH_addmv)
family('addmm', C.TH_addmm)
family('addr', C.TH_addr)
family('baddbmm', C.TH_baddbmm)
family('addbmm', C.TH_addbmm)

-- f([r,] A, B): the product alone. A given result must have the right shape already.
local function product(name, call, rank, shape)
   local forms = '[*T*] T T'
   local function run(r, a, b)
      if call(r, 0, r, 1, a, b) ~= 0 then
         recover()
         check(call(r, 0, r, 1, a, b))
      end
      return r
   end
   T[name] = function(r, a, b)
      if not isTensor(a) or not isTensor(b) then
         badArguments(name, '*T* T T', 3, r, a, b)
      end
      return run(r, a, b)
   end
   F[name] = function(a, b, c)
      if c ~= nil then
         return T[name](a, b, c)
      elseif not isTensor(a) or not isTensor(b) then
         badArguments(name, forms, 2, a, b)
      elseif a.ndim ~= rank[1] or b.ndim ~= rank[2] then
         raise(('%s: wanted a %dD and a %dD tensor, got %dD and %dD'):format(
            name, rank[1], rank[2], a.ndim, b.ndim))
      end
      return run(like(a):resize(shape(a, b)), a, b)
   end
end

local function size(t, d)
   return tonumber(t.sizes[d])
end

product('mv', C.TH_addmv, { 2, 1 }, function(a)
   return size(a, 0)
end)
product('mm', C.TH_addmm, { 2, 2 }, function(a, b)
   return size(a, 0), size(b, 1)
end)
product('ger', C.TH_addr, { 1, 1 }, function(a, b)
   return size(a, 0), size(b, 0)
end)
product('bmm', C.TH_baddbmm, { 3, 3 }, function(a, b)
   return size(a, 0), size(a, 1), size(b, 2)
end)

return { methods = T, functions = F }
