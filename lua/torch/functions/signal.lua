--- Convolution, correlation and histograms.
-- @module torch.functions.signal
local th = require 'torch.ffi'
local core = require 'torch.core'

local raise = th.raise
local like, isTensor, badArguments = th.like, th.isTensor, th.badArguments
local withNumbers = th.withNumbers

local F = {}

-- f([res,] x, kernel[, 'V'|'F']).
local function convolution(name, call)
   F[name] = function(a, b, c, d)
      local r, x, kernel, mode = nil, a, b, c
      if isTensor(c) then
         r, x, kernel, mode = a, b, c, d
      end
      if not isTensor(x) or not isTensor(kernel) then
         badArguments(name, "[*T*] T T ['V'|'F']", 4, a, b, c, d)
      elseif mode ~= nil and mode ~= 'V' and mode ~= 'F' then
         raise(("%s: the mode should be 'V' (valid) or 'F' (full), got %s"):format(
            name, tostring(mode)))
      end
      r = r or like(x)
      call(r, x, kernel, mode == 'F')
      return r
   end
end

--- Convolution of images: the kernel is mirrored in both directions, then correlated.
--
-- r[i][j] = sum over a, b of x[i + a][j + b] k[A - a][B - b] for a kernel of A x B elements.
-- Sizes of a result: m - A + 1 by n - B + 1 for 'V' (kernel wholly inside), m + A - 1 by n + B - 1
-- for 'F' (every overlap).
-- @function conv2
-- @param[opt] res result
-- @param x m x n; or p x m x n
-- @param k A x B; with planes: p x A x B (a kernel for each), or q x p x A x B (q sums over all
-- planes)
-- @param[opt] mode 'V' (default) or 'F'
-- @return res: m' x n', p x m' x n', or q x m' x n'
-- @example torch.conv2(torch.ones(3, 3), torch.ones(2, 2)) --> { { 4, 4 }, { 4, 4 } }
convolution('conv2', core.conv2)

--- Correlation of images: as conv2 with the kernel as it is.
-- @function xcorr2
-- @see conv2
-- @usage torch.xcorr2([res,] t1(2D), t2(2D) [, 'V'|'F'='V']) -> res
-- torch.xcorr2([res,] t1(3D), t2(3D) [, 'V'|'F'='V']) -> res
-- torch.xcorr2([res,] t1(3D), t2(4D) [, 'V'|'F'='V']) -> res
-- t:xcorr2(t2(2D) [, 'V'|'F'='V']) -> res
-- res:xcorr2(t1(2D), t2(2D) [, 'V'|'F'='V'])
-- t:xcorr2(t2(3D) [, 'V'|'F'='V']) -> res
-- res:xcorr2(t1(3D), t2(3D) [, 'V'|'F'='V'])
-- t:xcorr2(t2(4D) [, 'V'|'F'='V']) -> res
-- res:xcorr2(t1(3D), t2(4D) [, 'V'|'F'='V'])
-- @example
-- torch.xcorr2(torch.range(1, 4):view(2, 2), torch.Tensor { { 1, 0 } }) --> { { 1 }, { 3 } }
convolution('xcorr2', core.xcorr2)

--- Convolution of volumes: as conv2, with three directions. With planes x has 4 dimensions, the
-- kernel 4 or 5.
-- @function conv3
-- @see conv2
-- @usage torch.conv3([res,] t1(3D), t2(3D) [, 'V'|'F'='V']) -> res
-- torch.conv3([res,] t1(4D), t2(4D) [, 'V'|'F'='V']) -> res
-- torch.conv3([res,] t1(4D), t2(5D) [, 'V'|'F'='V']) -> res
-- t:conv3(t2(3D) [, 'V'|'F'='V']) -> res
-- res:conv3(t1(3D), t2(3D) [, 'V'|'F'='V'])
-- t:conv3(t2(4D) [, 'V'|'F'='V']) -> res
-- res:conv3(t1(4D), t2(4D) [, 'V'|'F'='V'])
-- t:conv3(t2(5D) [, 'V'|'F'='V']) -> res
-- res:conv3(t1(4D), t2(5D) [, 'V'|'F'='V'])
-- @example torch.conv3(torch.ones(2, 2, 2), torch.ones(2, 2, 2)) --> { { { 8 } } }
convolution('conv3', core.conv3)

--- Correlation of volumes: as conv3 with the kernel as it is.
-- @function xcorr3
-- @see conv2
-- @usage torch.xcorr3([res,] t1(3D), t2(3D) [, 'V'|'F'='V']) -> res
-- torch.xcorr3([res,] t1(4D), t2(4D) [, 'V'|'F'='V']) -> res
-- torch.xcorr3([res,] t1(4D), t2(5D) [, 'V'|'F'='V']) -> res
-- t:xcorr3(t2(3D) [, 'V'|'F'='V']) -> res
-- res:xcorr3(t1(3D), t2(3D) [, 'V'|'F'='V'])
-- t:xcorr3(t2(4D) [, 'V'|'F'='V']) -> res
-- res:xcorr3(t1(4D), t2(4D) [, 'V'|'F'='V'])
-- t:xcorr3(t2(5D) [, 'V'|'F'='V']) -> res
-- res:xcorr3(t1(4D), t2(5D) [, 'V'|'F'='V'])
-- @example torch.xcorr3(torch.ones(2, 2, 2), torch.ones(2, 2, 2)) --> { { { 8 } } }
convolution('xcorr3', core.xcorr3)

local function histogram(name, call)
   F[name] = function(a, b, c, d, e)
      local r, x, bins, min, max = nil, a, b, c, d
      if isTensor(b) then
         r, x, bins, min, max = a, b, c, d, e
      end
      bins, min, max = bins or 100, min or 0, max or 0
      if not isTensor(x) or type(bins) ~= 'number' or type(min) ~= 'number'
         or type(max) ~= 'number' then
         return withNumbers(F[name], name, '[*T*] T [bins = 100] [min = 0] [max = 0]', 5, a, b, c,
            d, e)
      end
      r = r or like(x)
      call(r, x, bins, min, max)
      return r
   end
end

--- How many elements lie in each of `bins` equal parts of [min, max]; those outside do not count.
-- @function histc
-- @param[opt] res result
-- @param x tensor of a floating type
-- @param[opt] bins number of parts (default 100)
-- @param[opt] min default 0
-- @param[opt] max default 0; min == max stands for the range of x
-- @return res: vector of counts, of x's type
-- @example torch.histc(torch.Tensor { 1, 1, 2, 5 }, 4, 1, 5) --> { 2, 1, 0, 1 }
histogram('histc', core.histc)

--- As histc, for each row of a matrix; the range is that of the whole matrix.
-- @function bhistc
-- @see histc
-- @return res: rows x bins
-- @usage torch.bhistc([res,] t, [nbins=100,] [min=0,] [max=0]) -> res
-- t:bhistc([nbins=100,] [min=0,] [max=0]) -> res
-- res:bhistc(t, [nbins=100,] [min=0,] [max=0])
-- @example torch.bhistc(torch.Tensor { { 1, 1, 5 }, { 5, 5, 5 } }, 2) --> { { 2, 1 }, { 0, 3 } }
histogram('bhistc', core.bhistc)

local T = {}
for name, f in pairs(F) do
   T[name] = f
end

return { methods = T, functions = F }
