--- Reductions and running sums: to one number, or along a dimension.
-- @module torch.reduce
local ffi = require 'ffi'
local th = require 'torch.ffi'

local C, check, recover = th.C, th.check, th.recover
local like, likeType, isTensor, badArguments = th.like, th.likeType, th.isTensor, th.badArguments

local T, F = {}, {}

local number = ffi.new 'double[1]'
local flag = ffi.new 'bool[1]'

-- f(t) is a number; f([res,] t, dim) a tensor with that dimension of size 1.
local function reduction(name, whole, along)
   local forms = 'T | [*T*] T dim'
   T[name] = function(a, b, c)
      if b == nil then
         if not isTensor(a) then
            badArguments(name, forms, 1, a)
         end
         check(whole(number, a))
         return number[0]
      end
      local r, x, dim = nil, a, b
      if isTensor(b) then
         r, x, dim = a, b, c
      end
      if not isTensor(x) or type(dim) ~= 'number' then
         badArguments(name, forms, 3, a, b, c)
      end
      r = r or like(x)
      if along(r, x, dim - 1) ~= 0 then
         recover()
         check(along(r, x, dim - 1))
      end
      return r
   end
   F[name] = T[name]
end

reduction('sum', C.TH_sum_all, C.TH_sum)
reduction('prod', C.TH_prod_all, C.TH_prod)
reduction('mean', C.TH_mean_all, C.TH_mean)

-- f(t) is a number; f([res, [indices,]] t, dim) values and their positions.
local function extreme(name, whole, along)
   local forms = 'T | [*T*] [*LongTensor*] T dim'
   T[name] = function(a, b, c, d)
      if b == nil then
         if not isTensor(a) then
            badArguments(name, forms, 1, a)
         end
         check(whole(number, a))
         return number[0]
      end
      local r, indices, x, dim
      if isTensor(c) then
         r, indices, x, dim = a, b, c, d
      elseif isTensor(b) then
         r, x, dim = a, b, c
      else
         x, dim = a, b
      end
      if not isTensor(x) or type(dim) ~= 'number' then
         badArguments(name, forms, 4, a, b, c, d)
      end
      r, indices = r or like(x), indices or likeType(x, C.TH_LONG)
      if along(r, indices, x, dim - 1) ~= 0 then
         recover()
         check(along(r, indices, x, dim - 1))
      end
      return r, indices
   end
   F[name] = T[name]
end

extreme('min', C.TH_min_all, C.TH_min)
extreme('max', C.TH_max_all, C.TH_max)

-- f(t[, biased]) is a number; f([res,] t, dim[, biased]) a tensor.
local function spread(name, whole, along)
   local forms = 'T [biased = false] | [*T*] T dim [biased = false]'
   T[name] = function(a, b, c, d)
      if b == nil or type(b) == 'boolean' then
         if not isTensor(a) then
            badArguments(name, forms, 2, a, b)
         end
         check(whole(number, a, b or false))
         return number[0]
      end
      local r, x, dim, biased = nil, a, b, c
      if isTensor(b) then
         r, x, dim, biased = a, b, c, d
      end
      if not isTensor(x) or type(dim) ~= 'number' then
         badArguments(name, forms, 4, a, b, c, d)
      end
      r = r or like(x)
      if along(r, x, dim - 1, biased or false) ~= 0 then
         recover()
         check(along(r, x, dim - 1, biased or false))
      end
      return r
   end
   F[name] = T[name]
end

spread('var', C.TH_var_all, C.TH_var)
spread('std', C.TH_std_all, C.TH_std)

--- t:norm([p = 2]) is a number; t:norm(p, dim), res:norm(t, p, dim) a tensor.
function T.norm(a, b, c, d)
   local r, x, p, dim = nil, a, b, c
   if isTensor(b) then
      r, x, p, dim = a, b, c, d
   end
   p = p or 2
   if not isTensor(x) or type(p) ~= 'number' or (dim ~= nil and type(dim) ~= 'number') then
      badArguments('norm', 'T [p = 2] | [*T*] T p dim', 4, a, b, c, d)
   elseif dim == nil then
      check(C.TH_norm_all(number, x, p))
      return number[0]
   end
   r = r or like(x)
   if C.TH_norm(r, x, p, dim - 1) ~= 0 then
      recover()
      check(C.TH_norm(r, x, p, dim - 1))
   end
   return r
end
F.norm = T.norm

--- p-norm of the difference.
function T.dist(a, b, p)
   if not isTensor(a) or not isTensor(b) then
      badArguments('dist', 'T T [p = 2]', 3, a, b, p)
   end
   check(C.TH_dist(number, a, b, p or 2))
   return number[0]
end
F.dist = T.dist

--- Sum of products, element by element in row-major order.
function T.dot(a, b)
   if not isTensor(a) or not isTensor(b) then
      badArguments('dot', 'T T', 2, a, b)
   end
   check(C.TH_dot(number, a, b))
   return number[0]
end
F.dot = T.dot

--- Sum of the diagonal of a matrix.
function T.trace(t)
   if not isTensor(t) then
      badArguments('trace', 'T', 1, t)
   end
   check(C.TH_trace(number, t))
   return number[0]
end
F.trace = T.trace

--- Same sizes and same values.
function T.equal(a, b)
   if not isTensor(a) or not isTensor(b) then
      badArguments('equal', 'T T', 2, a, b)
   end
   check(C.TH_equal(flag, a, b))
   return flag[0]
end
F.equal = T.equal

-- all, any: of a ByteTensor.
for name, call in pairs { all = C.TH_all, any = C.TH_any } do
   T[name] = function(t)
      if not isTensor(t) then
         badArguments(name, 'ByteTensor', 1, t)
      end
      check(call(flag, t))
      return flag[0]
   end
   F[name] = T[name]
end

-- Running sum and product: t:f([dim = 1]), res:f(t[, dim]).
local function scan(name, call)
   T[name] = function(a, b, c)
      local r, x, dim = nil, a, b
      if isTensor(b) then
         r, x, dim = a, b, c
      end
      dim = dim or 1
      if not isTensor(x) or type(dim) ~= 'number' then
         badArguments(name, '[*T*] T [dim = 1]', 3, a, b, c)
      end
      r = r or like(x)
      if call(r, x, dim - 1) ~= 0 then
         recover()
         check(call(r, x, dim - 1))
      end
      return r
   end
   F[name] = T[name]
end

scan('cumsum', C.TH_cumsum)
scan('cumprod', C.TH_cumprod)

return { methods = T, functions = F }
