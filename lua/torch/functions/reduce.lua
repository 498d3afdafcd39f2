--- Reductions and running sums: to one number, or along a dimension.
-- @module torch.functions.reduce
local ffi = require 'ffi'
local th = require 'torch.ffi'
local core = require 'torch.core'

local C = th.C
local like, likeType, isTensor, badArguments = th.like, th.likeType, th.isTensor, th.badArguments
local withNumbers = th.withNumbers
local asTensor = require('torch.variables.tracked').asTensor -- a Variable's number is a Variable

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
         local variable = a.flags ~= 0 and asTensor(a)
         whole(number, a)
         return variable or number[0]
      end
      local r, x, dim = nil, a, b
      if isTensor(b) then
         r, x, dim = a, b, c
      end
      if not isTensor(x) or type(dim) ~= 'number' then
         return withNumbers(T[name], name, forms, 3, a, b, c)
      end
      r = r or like(x)
      along(r, x, dim - 1)
      return r
   end
   F[name] = T[name]
end

--- Sum of all elements as a number, or along dim, which keeps size 1.
-- @usage torch.sum(t) -> number
-- torch.sum([res,] t, dim) -> res
-- t:sum() -> number
-- t:sum(dim) -> res
-- res:sum(t, dim)
-- @example
-- local x = torch.Tensor { { 1, 2 }, { 3, 4 } }
-- x:sum(), x:sum(1) --> 10, { { 4, 6 } }
reduction('sum', core.sum_all, core.sum)

--- Product of all elements as a number, or along dim, which keeps size 1.
-- @usage torch.prod(t) -> number
-- torch.prod([res,] t, dim) -> res
-- t:prod() -> number
-- t:prod(dim) -> res
-- res:prod(t, dim)
-- @example
-- local x = torch.Tensor { { 1, 2 }, { 3, 4 } }
-- x:prod(), x:prod(2) --> 24, { { 2 }, { 12 } }
reduction('prod', core.prod_all, core.prod)

--- Mean of all elements as a number, or along dim, which keeps size 1.
-- @usage torch.mean(t) -> number
-- torch.mean([res,] t, dim) -> res
-- t:mean() -> number
-- t:mean(dim) -> res
-- res:mean(t, dim)
-- @example
-- local x = torch.Tensor { { 1, 2 }, { 3, 4 } }
-- x:mean(), x:mean(1) --> 2.5, { { 2, 3 } }
reduction('mean', core.mean_all, core.mean)

-- f(t) is a number; f([res, [indices,]] t, dim) values and their positions.
local function extreme(name, whole, along)
   local forms = 'T | [*T*] [*LongTensor*] T dim'
   T[name] = function(a, b, c, d)
      if b == nil then
         if not isTensor(a) then
            badArguments(name, forms, 1, a)
         end
         local variable = a.flags ~= 0 and asTensor(a)
         whole(number, a)
         return variable or number[0]
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
         return withNumbers(T[name], name, forms, 4, a, b, c, d)
      end
      r, indices = r or like(x), indices or likeType(x, C.TH_LONG)
      along(r, indices, x, dim - 1)
      return r, indices
   end
   F[name] = T[name]
end

--- The smallest element as a number; or along dim, which keeps size 1, with its positions. NaN
-- wins.
-- @usage torch.min(t) -> number
-- torch.min([res,] [idx,] t, dim) -> res, idx
-- t:min() -> number
-- t:min(dim) -> res, idx
-- res:min([idx,] t, dim)
-- @example
-- local x = torch.Tensor { { 1, 5 }, { 7, 3 } }
-- x:min() --> 1
-- torch.min(x, 2) --> { { 1 }, { 3 } }, { { 1 }, { 2 } }
extreme('min', core.min_all, core.min)

--- The largest element as a number; or along dim, which keeps size 1, with its positions. NaN wins.
-- @usage torch.max(t) -> number
-- torch.max([res,] [idx,] t, dim) -> res, idx
-- t:max() -> number
-- t:max(dim) -> res, idx
-- res:max([idx,] t, dim)
-- @example
-- local x = torch.Tensor { { 1, 5 }, { 7, 3 } }
-- x:max() --> 7
-- torch.max(x, 2) --> { { 5 }, { 7 } }, { { 2 }, { 1 } }
extreme('max', core.max_all, core.max)

-- f(t[, biased]) is a number; f([res,] t, dim[, biased]) a tensor.
local function spread(name, whole, along)
   local forms = 'T [biased = false] | [*T*] T dim [biased = false]'
   T[name] = function(a, b, c, d)
      if b == nil or type(b) == 'boolean' then
         if not isTensor(a) then
            badArguments(name, forms, 2, a, b)
         end
         local variable = a.flags ~= 0 and asTensor(a)
         whole(number, a, b or false)
         return variable or number[0]
      end
      local r, x, dim, biased = nil, a, b, c
      if isTensor(b) then
         r, x, dim, biased = a, b, c, d
      end
      if not isTensor(x) or type(dim) ~= 'number' then
         return withNumbers(T[name], name, forms, 4, a, b, c, d)
      end
      r = r or like(x)
      along(r, x, dim - 1, biased or false)
      return r
   end
   F[name] = T[name]
end

--- Variance of all elements, or along dim: sum of (x - mean)^2 over n - 1, or over n when biased.
-- @usage torch.var(t [, biased=false]) -> number
-- torch.var([res,] t, dim [, biased=false]) -> res
-- t:var([biased=false]) -> number
-- t:var(dim [, biased=false]) -> res
-- res:var(t, dim [, biased=false])
-- @example
-- torch.var(torch.Tensor { 1, 2, 3 }), torch.var(torch.Tensor { 1, 2, 3 }, true) --> 1, 0.6667
spread('var', core.var_all, core.var)

--- Standard deviation: square root of the variance, over n - 1, or over n when biased.
-- @usage torch.std(t [, biased=false]) -> number
-- torch.std([res,] t, dim [, biased=false]) -> res
-- t:std([biased=false]) -> number
-- t:std(dim [, biased=false]) -> res
-- res:std(t, dim [, biased=false])
-- @example torch.std(torch.Tensor { 1, 2, 3 }) --> 1
spread('std', core.std_all, core.std)

--- t:norm([p = 2]) is a number; t:norm(p, dim), res:norm(t, p, dim) a tensor.
-- @usage torch.norm(t [, p=2]) -> number
-- torch.norm([res,] t, p, dim) -> res
-- t:norm([p=2]) -> number
-- t:norm(p, dim) -> res
-- res:norm(t, p, dim)
-- @example torch.norm(torch.Tensor { 3, -4 }), torch.norm(torch.Tensor { 3, -4 }, 1) --> 5, 7
function T.norm(a, b, c, d)
   local r, x, p, dim = nil, a, b, c
   if isTensor(b) then
      r, x, p, dim = a, b, c, d
   end
   p = p or 2
   if not isTensor(x) or type(p) ~= 'number' or (dim ~= nil and type(dim) ~= 'number') then
      return withNumbers(T.norm, 'norm', 'T [p = 2] | [*T*] T p dim', 4, a, b, c, d)
   elseif dim == nil then
      local variable = x.flags ~= 0 and asTensor(x)
      core.norm_all(number, x, p)
      return variable or number[0]
   end
   r = r or like(x)
   core.norm(r, x, p, dim - 1)
   return r
end
F.norm = T.norm

--- p-norm of the difference.
-- @usage torch.dist(t1, t2 [, p=2]) -> number
-- t:dist(t2 [, p=2]) -> number
-- @example torch.dist(torch.Tensor { 1, 2 }, torch.Tensor { 4, 6 }) --> 5
function T.dist(a, b, p)
   p = p or 2
   if not isTensor(a) or not isTensor(b) or type(p) ~= 'number' then
      return withNumbers(T.dist, 'dist', 'T T [p = 2]', 3, a, b, p)
   end
   local variable = a.flags ~= 0 and asTensor(a) or b.flags ~= 0 and asTensor(b)
   core.dist(number, a, b, p)
   return variable or number[0]
end
F.dist = T.dist

--- Sum of products, element by element in row-major order.
-- @usage torch.dot(t1, t2) -> number
-- t:dot(t2) -> number
-- @example torch.dot(torch.Tensor { 1, 2 }, torch.Tensor { 3, 4 }) --> 11
function T.dot(a, b)
   if not isTensor(a) or not isTensor(b) then
      badArguments('dot', 'T T', 2, a, b)
   end
   local variable = a.flags ~= 0 and asTensor(a) or b.flags ~= 0 and asTensor(b)
   core.dot(number, a, b)
   return variable or number[0]
end
F.dot = T.dot

--- Sum of the diagonal of a matrix.
-- @usage torch.trace(t) -> number
-- t:trace() -> number
-- @example torch.trace(torch.range(1, 4):view(2, 2)) --> 5
function T.trace(t)
   if not isTensor(t) then
      badArguments('trace', 'T', 1, t)
   end
   local variable = t.flags ~= 0 and asTensor(t)
   core.trace(number, t)
   return variable or number[0]
end
F.trace = T.trace

--- Same sizes and same values.
-- @usage torch.equal(t1, t2) -> bool
-- t:equal(t2) -> bool
-- @example
-- local x = torch.ones(2)
-- torch.equal(x, torch.ones(2)), torch.equal(x, torch.ones(3)) --> true, false
function T.equal(a, b)
   if not isTensor(a) or not isTensor(b) then
      badArguments('equal', 'T T', 2, a, b)
   end
   core.equal(flag, a, b)
   return flag[0]
end
F.equal = T.equal

--- Whether all elements (all) or any (any) of a ByteTensor are not 0.
-- @function all
-- @function any
-- @usage torch.all(t) -> bool
-- t:all() -> bool
-- @example
-- local x = torch.Tensor { 1, 2 }
-- x:gt(1):all(), x:gt(1):any() --> false, true

-- all, any: of a ByteTensor.
for name, call in pairs { all = core.all, any = core.any } do
   T[name] = function(t)
      if not isTensor(t) then
         badArguments(name, 'ByteTensor', 1, t)
      end
      call(flag, t)
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
         return withNumbers(T[name], name, '[*T*] T [dim = 1]', 3, a, b, c)
      end
      r = r or like(x)
      call(r, x, dim - 1)
      return r
   end
   F[name] = T[name]
end

--- Running sum along dim (default 1): r[i] = x[1] + ... + x[i].
-- @usage torch.cumsum([res,] t [, dim=1]) -> res
-- t:cumsum([dim=1]) -> res
-- res:cumsum(t [, dim=1])
-- @example torch.cumsum(torch.Tensor { 1, 2, 3 }) --> { 1, 3, 6 }
scan('cumsum', core.cumsum)

--- Running product along dim (default 1): r[i] = x[1] * ... * x[i].
-- @usage torch.cumprod([res,] t [, dim=1]) -> res
-- t:cumprod([dim=1]) -> res
-- res:cumprod(t [, dim=1])
-- @example torch.cumprod(torch.Tensor { 1, 2, 3 }) --> { 1, 2, 6 }
scan('cumprod', core.cumprod)

return { methods = T, functions = F }
