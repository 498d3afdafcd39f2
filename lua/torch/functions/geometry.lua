--- Cross products, distances between sets of vectors, limits on norms.
-- @module torch.functions.geometry
local th = require 'torch.ffi'
local core = require 'torch.core'

local raise = th.raise
local like, isTensor, withNumbers = th.like, th.isTensor, th.withNumbers

local T, F = {}, {}

--- Cross product along a dimension of size 3.
-- @param[opt] res result
-- @param x tensor
-- @param y tensor of the same sizes
-- @param[opt] dim default, as 0 and -1: the first dimension of size 3
-- @return res
-- @example torch.cross(torch.Tensor { 1, 0, 0 }, torch.Tensor { 0, 1, 0 }) --> { 0, 0, 1 }
function F.cross(a, b, c, d)
   local r, x, y, dim = nil, a, b, c
   if isTensor(c) then
      r, x, y, dim = a, b, c, d
   end
   if not isTensor(x) or not isTensor(y) or (dim ~= nil and type(dim) ~= 'number') then
      return withNumbers(F.cross, 'cross', '[*T*] T T [dim]', 4, a, b, c, d)
   end
   if dim == nil or dim == 0 or dim == -1 then
      dim = nil
      for i = x.ndim, 1, -1 do
         if x.sizes[i - 1] == 3 then
            dim = i
         end
      end
      if dim == nil then
         raise('cross: no dimension of size 3')
      end
   end
   r = r or like(x)
   core.cross(r, x, y, dim - 1)
   return r
end
T.cross = F.cross

local function match(r, x, y, gain)
   if gain == nil then
      gain = 1
   end
   if not isTensor(x) or not isTensor(y) or type(gain) ~= 'number' then
      return withNumbers(match, 'match', '*T* T T [gain = 1]', 4, r, x, y, gain)
   end
   core.match(r, x, y, gain)
   return r
end

--- Squared distances: r[i][j] = gain times the sum of (x[i] - y[j])^2.
-- @param[opt] res result
-- @param x n x ... tensor of n vectors
-- @param y m x ... tensor of m vectors with as many elements
-- @param[opt] gain default 1
-- @return res: n x m
-- @example
-- local x, y = torch.Tensor { { 0, 0 } }, torch.Tensor { { 3, 4 }, { 0, 2 } }
-- torch.match(torch.Tensor(), x, y, 1) --> { { 25, 4 } }
function F.match(a, b, c, d)
   if isTensor(c) then
      return match(a, b, c, d)
   elseif not isTensor(a) then
      return withNumbers(F.match, 'match', '[*T*] T T [gain = 1]', 4, a, b, c, d)
   end
   return match(like(a), a, b, c)
end

--- t:match(x, y[, gain]) writes into t.
-- @usage t:match(t1, t2 [, value=1]) -> self
T.match = match

local function renorm(r, x, p, dim, maxNorm)
   if not isTensor(x) or type(p) ~= 'number' or type(dim) ~= 'number'
      or type(maxNorm) ~= 'number' then
      return withNumbers(renorm, 'renorm', '[*T*] T p dim maxnorm', 5, r, x, p, dim, maxNorm)
   end
   core.renorm(r, x, p, dim - 1, maxNorm)
   return r
end

--- Scale the slices of dim whose p-norm is above maxnorm down to it.
-- The factor is maxnorm / (norm + 1e-7), as in Torch7.
-- @param[opt] res result
-- @param t tensor of at least 2 dimensions
-- @param p exponent of the norm, above 0
-- @param dim slices are t:select(dim, i)
-- @param maxnorm the largest norm
-- @return res
-- @example
-- local y = torch.renorm(torch.Tensor { { 3, 4 }, { 0.3, 0.4 } }, 2, 1, 1)
-- y --> { { 0.6, 0.8 }, { 0.3, 0.4 } }
function F.renorm(a, b, c, d, e)
   if isTensor(b) then
      return renorm(a, b, c, d, e)
   elseif not isTensor(a) then
      return withNumbers(F.renorm, 'renorm', '[*T*] T p dim maxnorm', 5, a, b, c, d, e)
   end
   return renorm(like(a), a, b, c, d)
end

--- t:renorm(p, dim, maxnorm) works in place, r:renorm(t, p, dim, maxnorm) writes into r.
-- @usage t:renorm([t,] p, dim, maxnorm) -> self
function T.renorm(r, a, b, c, d)
   if isTensor(a) then
      return renorm(r, a, b, c, d)
   end
   return renorm(r, r, a, b, c)
end

return { methods = T, functions = F }
