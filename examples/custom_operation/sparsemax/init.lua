--- sparsemax(x): each row of x as the nearest probabilities, many of which are 0.
--
-- r = max(x - tau, 0) along the last dimension, with tau such that r sums up to 1; float or double,
-- on the CPU. Takes Variables, and has gradients of gradients.
-- Source: Martins and Astudillo, ICML 2016 (arXiv:1602.02068).
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'

errors.library() -- errors are raised at the line of the script that called us

ffi.cdef [[
int sparsemax_forward(TH_Tensor *r, const TH_Tensor *x);
int sparsemax_backward(TH_Tensor *r, const TH_Tensor *y, const TH_Tensor *g);
]]
local C = ffi.load(assert(package.searchpath('libsparsemax', package.cpath)))

-- f(r, ...) with a new r; once more after a collection when memory had run out.
local function computed(f, ...)
   local r = th.like((...))
   if f(r, ...) ~= 0 then
      th.recover()
      th.check(f(r, ...))
   end
   return r
end

-- Linear in g, with a symmetric matrix of y's support: its own derivative by g; by y there is none.
local backward
backward = torch.Function {
   forward = function(context, y, g)
      context:save(y)
      return computed(C.sparsemax_backward, y, g)
   end,
   backward = function(context, g)
      return nil, backward(context:saved(), g)
   end,
}

local sparsemax = torch.Function {
   forward = function(context, x)
      local y = computed(C.sparsemax_forward, x)
      context:save(y)
      return y
   end,
   backward = function(context, g)
      return backward(context:saved(), g)
   end,
}

return function(x)
   if not torch.isTensor(x) then
      errors.raise('sparsemax: x is a ' .. torch.type(x) .. ', wanted a tensor')
   end
   return sparsemax(x)
end
