--- Compares a module's gradients with central differences of its output, in double precision.
--
-- The loss is L = sum(w .* output) with fixed random w, so that dL/doutput = w and a wrong term
-- anywhere shows. Central differences with step h err by O(h^2) + O(1e-16 / h): with h = 1e-5 and
-- values around 1, by about 1e-10; `tolerance` leaves room for sums of many terms.

local torch = require 'torch'

local STEP = 1e-5

local function numeric_gradient(tensor, loss)
   local gradient = torch.DoubleTensor():resizeAs(tensor)
   local x, g = tensor:view(-1), gradient:view(-1)
   for i = 1, x:nElement() do
      local original = x[i]
      x[i] = original + STEP
      local high = loss()
      x[i] = original - STEP
      local low = loss()
      x[i] = original
      g[i] = (high - low) / (2 * STEP)
   end
   return gradient
end

local function assert_close(name, analytic, numeric, tolerance)
   assert(
      analytic:nElement() == numeric:nElement(),
      ('%s has %d elements, expected %d'):format(name, analytic:nElement(), numeric:nElement())
   )
   local difference = (analytic:typeAs(numeric) - numeric):abs():max()
   local message = '%s differs from central differences by %g'
   assert(difference <= tolerance, message:format(name, difference)) -- a nan fails too
end

--- @param module a double module; its parameters are left as they were
-- @tparam DoubleTensor input contiguous; away from kinks by more than 1e-5
-- @tparam[opt] table options tolerance (1e-7), forward (function run before each forward, to make a
-- random layer repeat itself)
local function gradcheck(module, input, options)
   options = options or {}
   local tolerance = options.tolerance or 1e-7
   local function forward()
      if options.forward then
         options.forward()
      end
      return module:forward(input)
   end
   local w = torch.DoubleTensor():resizeAs(forward()):uniform(-1, 1)
   local function loss()
      return forward():dot(w)
   end

   -- Gradients accumulate: what was there stays, and `scale` multiplies what is added.
   local parameters, gradients = module:parameters()
   for _, g in ipairs(gradients or {}) do
      g:fill(0.5)
   end
   forward()
   local gradInput = module:backward(input, w:clone(), 2):clone()
   assert_close('gradInput', gradInput, numeric_gradient(input, loss), tolerance)
   for i, p in ipairs(parameters or {}) do
      local added = gradients[i]:clone():add(-0.5):div(2)
      local name = ('the gradient of parameter %d'):format(i)
      assert_close(name, added, numeric_gradient(p, loss), tolerance)
   end
end

return gradcheck
