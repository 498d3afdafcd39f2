--- Linear algebra by LAPACK, for FloatTensor and DoubleTensor.
--
-- Matrices in results are column-major (strides 1 and the number of rows) and behave like any
-- other tensor. A right-hand side may be a vector, which counts as one column. Given result tensors
-- are resized; a result may be an operand. Errors: a matrix of the wrong shape, a singular or not
-- positive definite one, no convergence, NaN or infinite elements where LAPACK cannot bear them;
-- then no result has changed.
-- Source: E. Anderson et al., LAPACK Users' Guide, 3rd edition, SIAM 1999.
-- @module torch.functions.linalg
local th = require 'torch.ffi'
local core = require 'torch.core'
local class = require 'torch.class'

local C, raise = th.C, th.raise
local like, likeType, isTensor, badArguments = th.like, th.likeType, th.isTensor, th.badArguments
local numeric = th.numeric

local F = {}

-- Letters that stand for a choice. Returns the place of what came among them.
local function choice(name, value, what, first, second)
   if value == nil or value == first then
      return true
   elseif value == second then
      return false
   end
   raise(("%s: %s should be '%s' or '%s', got %s"):format(name, what, first, second,
      type(value) == 'string' and "'" .. value .. "'" or class.type(value)))
end

-- f([res...,] operands..., options...): `count` results, all given or none.
-- `new(i, operand)` makes result i, `call(results and operands, options...)` runs it.
local function define(name, results, operands, forms, options, call, new)
   new = new or function(_, operand)
      return like(operand)
   end

   F[name] = function(...)
      local count, tensors = select('#', ...), 0
      while tensors < count and isTensor((select(tensors + 1, ...))) do
         tensors = tensors + 1
      end
      local t = { ... }
      local rest = tensors + 1
      if tensors == operands then
         for i = operands, 1, -1 do
            t[results + i] = t[i]
         end
         for i = 1, results do
            t[i] = new(i, t[results + 1])
         end
      elseif tensors ~= results + operands then
         badArguments(name, forms, count, ...)
      end
      local values = { options(select(rest, ...)) }
      for i = 1, #values do
         t[results + operands + i] = values[i]
      end
      local total = results + operands + #values
      call(unpack(t, 1, total))
      return unpack(t, 1, results)
   end
end

local function none(name)
   return function(...)
      if select('#', ...) > 0 and (...) ~= nil then
         badArguments(name, 'no options', select('#', ...), ...)
      end
   end
end

local function uplo(name)
   return function(letter)
      return choice(name, letter, 'the triangle', 'U', 'L')
   end
end

--- Solve A x = b by LU factorisation with row exchanges.
-- @function gesv
-- @param[opt] x result: the solution, m x k
-- @param[opt] lu result: the factors of A: L below the diagonal (its own is 1), U on and above it
-- @param b m x k matrix or vector of m elements
-- @param A m x m matrix
-- @return x, lu
-- @example
-- (torch.gesv(torch.Tensor { 5, 11 }, torch.Tensor { { 1, 2 }, { 3, 4 } })) --> { { 1 }, { 2 } }
define('gesv', 2, 2, '[*T* *T*] T T', none 'gesv', core.gesv)

--- Least squares, or the shortest solution, of A x = b for A of full rank.
-- @function gels
-- @param[opt] x result: the solution, n x k
-- @param[opt] qr result: details of the factorisation (QR, or LQ for m < n)
-- @param b m x k matrix or vector of m elements
-- @param A m x n matrix
-- @return x, qr
-- @example
-- local x = torch.gels(torch.Tensor { 1, 2, 3 }, torch.ones(3, 1))
-- x[{ 1, 1 }] --> 2
define('gels', 2, 2, '[*T* *T*] T T', none 'gels', core.gels)

--- Solve A x = b for a triangular A. The other triangle is not read.
-- @function trtrs
-- @param[opt] x result: the solution
-- @param[opt] copy result: a copy of A
-- @param b m x k matrix or vector of m elements
-- @param A m x m matrix
-- @param[opt] uplo 'U' (default) or 'L': which triangle
-- @param[opt] trans 'N' (default), or 'T' for A' x = b
-- @param[opt] diag 'N' (default), or 'U': the diagonal counts as 1
-- @return x, copy
-- @example
-- (torch.trtrs(torch.Tensor { 4, 2 }, torch.Tensor { { 1, 1 }, { 0, 2 } })) --> { { 3 }, { 1 } }
define('trtrs', 2, 2, "[*T* *T*] T T ['U'|'L'] ['N'|'T'] ['N'|'U']", function(upper, trans, diag)
   return choice('trtrs', upper, 'the triangle', 'U', 'L'),
      not choice('trtrs', trans, 'the transposition', 'N', 'T'),
      not choice('trtrs', diag, 'the diagonal', 'N', 'U')
end, core.trtrs)

--- Eigenvalues and eigenvectors of a symmetric A = V diag(e) V'.
-- @function symeig
-- @param[opt] e result: n eigenvalues, ascending
-- @param[opt] V result: eigenvectors in its columns; left as it was without 'V'
-- @param A n x n matrix of which one triangle is read
-- @param[opt] vectors 'N' (default): eigenvalues only; 'V': vectors too
-- @param[opt] uplo 'U' (default) or 'L': which triangle
-- @return e, V
-- @example (torch.symeig(torch.Tensor { { 2, 1 }, { 1, 2 } })) --> { 1, 3 }
define('symeig', 2, 1, "[*T* *T*] T ['N'|'V'] ['U'|'L']", function(vectors, upper)
   return not choice('symeig', vectors, 'the job', 'N', 'V'),
      choice('symeig', upper, 'the triangle', 'U', 'L')
end, core.symeig)

--- Eigenvalues and right eigenvectors of any square matrix.
-- @function eig
-- @param[opt] e result: n x 2, real and imaginary parts
-- @param[opt] V result: n x n; a real eigenvalue's vector is its column; a conjugate pair's are
-- column j plus and minus i times column j + 1. Left as it was without 'V'
-- @param A n x n matrix
-- @param[opt] vectors 'N' (default) or 'V'
-- @return e, V
-- @example (torch.eig(torch.Tensor { { 2, 0 }, { 0, 3 } })) --> { { 2, 0 }, { 3, 0 } }
define('eig', 2, 1, "[*T* *T*] T ['N'|'V']", function(vectors)
   return not choice('eig', vectors, 'the job', 'N', 'V')
end, core.eig)

--- Singular values: A = U diag(s) V'.
-- @function svd
-- @param[opt] U result: m x k for k = min(m, n), or m x m
-- @param[opt] s result: k singular values, descending
-- @param[opt] V result: n x k, or n x n
-- @param A m x n matrix
-- @param[opt] size 'S' (default): k columns; 'A': all
-- @return U, s, V
-- @example
-- local U, s, V = torch.svd(torch.Tensor { { 3, 0 }, { 0, -2 } })
-- s --> { 3, 2 }
-- (U * torch.diag(s) * V:t()):round() --> { { 3, 0 }, { 0, -2 } }
define('svd', 3, 1, "[*T* *T* *T*] T ['S'|'A']", function(size)
   return not choice('svd', size, 'the job', 'S', 'A')
end, core.svd)

--- The inverse of a square matrix.
-- @function inverse
-- @param[opt] res result
-- @param A n x n matrix
-- @return res
-- @example torch.inverse(torch.Tensor { { 2, 0 }, { 0, 4 } }) --> { { 0.5, 0 }, { 0, 0.25 } }
define('inverse', 1, 1, '[*T*] T', none 'inverse', core.inverse)

--- Cholesky factor: A = U' U, or L L'.
-- @function potrf
-- @param[opt] res result: the factor, zero in the other triangle
-- @param A symmetric positive definite matrix of which one triangle is read
-- @param[opt] uplo 'U' (default) or 'L'
-- @return res
-- @example torch.potrf(torch.Tensor { { 4, 2 }, { 2, 5 } }) --> { { 2, 1 }, { 0, 2 } }
define('potrf', 1, 1, "[*T*] T ['U'|'L']", uplo 'potrf', core.potrf)

--- Solve A x = b by A's Cholesky factor.
-- @function potrs
-- @param[opt] res result: the solution, m x k
-- @param b m x k matrix or vector of m elements
-- @param factor m x m: what torch.potrf returned
-- @param[opt] uplo 'U' (default) or 'L', as for torch.potrf
-- @return res
-- @example
-- local A = torch.Tensor { { 4, 2 }, { 2, 5 } }
-- torch.potrs(torch.Tensor { { 6 }, { 7 } }, torch.potrf(A)) --> { { 1 }, { 1 } }
define('potrs', 1, 2, "[*T*] T T ['U'|'L']", uplo 'potrs', core.potrs)

--- The inverse of A by A's Cholesky factor.
-- @function potri
-- @param[opt] res result: n x n, symmetric
-- @param factor n x n: what torch.potrf returned
-- @param[opt] uplo 'U' (default) or 'L', as for torch.potrf
-- @return res
-- @example
-- torch.potri(torch.potrf(torch.Tensor { { 4, 0 }, { 0, 2 } })) --> { { 0.25, 0 }, { 0, 0.5 } }
define('potri', 1, 1, "[*T*] T ['U'|'L']", uplo 'potri', core.potri)

--- Cholesky factor with the largest pivots first: P' A P = U' U, or L L'.
-- @function pstrf
-- @param[opt] res result: the factor, zero in the other triangle
-- @param[opt] pivots result, IntTensor: P puts row pivots[i] of A in place i
-- @param A symmetric positive semidefinite matrix of which one triangle is read
-- @param[opt] uplo 'U' (default) or 'L'
-- @param[opt] tol the smallest pivot; below 0 (default): n times the machine precision times the
-- largest diagonal element
-- @return res, pivots
-- @example
-- local factor, pivots = torch.pstrf(torch.Tensor { { 1, 0 }, { 0, 9 } })
-- factor, pivots --> { { 3, 0 }, { 0, 1 } }, { 2, 1 }
define('pstrf', 2, 1, "[*T* *IntTensor*] T ['U'|'L'] [tol = -1]", function(upper, tol)
   upper, tol = numeric(upper) or upper, numeric(tol) or tol
   if type(upper) == 'number' then
      upper, tol = nil, upper
   end
   if tol ~= nil and type(tol) ~= 'number' then
      raise(('pstrf: the tolerance should be a number, got %s'):format(class.type(tol)))
   end
   return choice('pstrf', upper, 'the triangle', 'U', 'L'), tol or -1
end, core.pstrf, function(i, operand)
   return i == 1 and like(operand) or likeType(operand, C.TH_INT)
end)

--- A = Q R by Householder reflections.
-- @function qr
-- @param[opt] Q result: m x k for k = min(m, n), columns orthonormal
-- @param[opt] R result: k x n, upper triangular
-- @param A m x n matrix
-- @return Q, R
-- @example
-- local Q, R = torch.qr(torch.Tensor { { 0, 2 }, { 1, 3 } })
-- torch.allclose(Q * R, torch.Tensor { { 0, 2 }, { 1, 3 } }) --> true
define('qr', 2, 1, '[*T* *T*] T', none 'qr', core.qr)

--- The parts of a QR factorisation as LAPACK keeps them.
-- @function geqrf
-- @param[opt] res result: R in the upper triangle, Householder vectors below it
-- @param[opt] tau result: min(m, n) factors of the reflections
-- @param A m x n matrix
-- @return res, tau
-- @example
-- local a, tau = torch.geqrf(torch.Tensor { { 3, 1 }, { 4, 2 } })
-- math.abs(a[{ 1, 1 }]), #tau --> 5, { 2 }
define('geqrf', 2, 1, '[*T* *T*] T', none 'geqrf', core.geqrf)

--- Q from the parts that torch.geqrf returned.
-- @function orgqr
-- @param[opt] res result: m x k for the k elements of tau
-- @param a m x n
-- @param tau vector of up to min(m, n) elements
-- @return res
-- @example
-- local A = torch.Tensor { { 3, 1 }, { 4, 2 } }
-- local Q = torch.orgqr(torch.geqrf(A))
-- torch.allclose(Q:t() * Q, torch.eye(2)) --> true
define('orgqr', 1, 2, '[*T*] T T', none 'orgqr', core.orgqr)

--- Q C, Q' C, C Q or C Q' for the m x m matrix Q whose parts torch.geqrf returned.
-- @function ormqr
-- @param[opt] res result, shaped like C
-- @param a m x n
-- @param tau vector of up to min(m, n) elements
-- @param C matrix
-- @param[opt] side 'L' (default): Q on the left; 'R': on the right
-- @param[opt] trans 'N' (default): Q; 'T': its transpose
-- @return res
-- @example
-- local a, tau = torch.geqrf(torch.Tensor { { 3, 1 }, { 4, 2 } })
-- torch.allclose(torch.ormqr(a, tau, torch.eye(2)), torch.orgqr(a, tau)) --> true
define('ormqr', 1, 3, "[*T*] T T T ['L'|'R'] ['N'|'T']", function(side, trans)
   return choice('ormqr', side, 'the side', 'L', 'R'),
      not choice('ormqr', trans, 'the transposition', 'N', 'T')
end, core.ormqr)

local T = {}
for name, f in pairs(F) do
   T[name] = f
end

return { methods = T, functions = F }
