--- FISTA with line search: minimises f(x) + g(x), f smooth, g with an easy proximal step.
-- Source: Beck and Teboulle, SIAM J. Imaging Sciences 2 (2009), 183-202, section 4.

local options = require 'optim.options'
local step = require 'optim.step'

local function difference_norm(a, b)
   local d = a:clone():add(-1, b)
   return d:dot(d)
end

local default = options.declare('FistaLS', {
   maxiter = 50, maxline = 20, errthres = 1e-4, doFistaUpdate = true, L = 0.1, Lstep = 1.5,
   verbose = false,
}, '')

--- @param f function: (x, mode) -> f(x), df/dx; the gradient is only used when mode is 'dx'
-- @param g function: x -> g(x)
-- @param pl function: (x, L), replaces x by argmin over z of g(z) + L/2 |z - x|^2
-- @param xinit Tensor, the start; updated in place
-- @param[opt] params table: maxiter (50), maxline (20), errthres (1e-4: stop when the relative
-- change of the loss is below), doFistaUpdate (true; false is ISTA), L (0.1: first estimate of the
-- Lipschitz constant; the last one is written there), Lstep (1.5), verbose
-- @return xinit, { one table for each iteration: F, fply, gply, Q, L, nline }
local function FistaLS(f, g, pl, xinit, params)
   step.callable('FistaLS', 'f', f, 'a function (x, mode) -> f(x), df/dx')
   step.callable('FistaLS', 'g', g, 'a function x -> g(x)')
   step.callable('FistaLS', 'pl', pl, 'a function (x, L) that takes the proximal step in x')
   params = step.arguments('FistaLS', f, xinit, params)
   local maxiter, maxline = params.maxiter or default.maxiter, params.maxline or default.maxline
   local errthres, Lstep = params.errthres or default.errthres, params.Lstep or default.Lstep
   local L = params.L or default.L
   local momentum = params.doFistaUpdate ~= false

   local x, previous = xinit, xinit:clone()
   local y, candidate = xinit:clone(), xinit:clone()
   -- What rounding may make of two equal losses, of float or of double elements.
   local rounding = xinit:type():match 'Double' and 1e-12 or 1e-6
   local t = 1
   local history = {}
   for iteration = 1, maxiter do
      local fy, gradient = f(y, 'dx')
      gradient = gradient:clone()
      local entry, found
      for nline = 1, maxline do
         candidate:copy(y):add(-1 / L, gradient)
         pl(candidate, L)
         local fply, gply = f(candidate), g(candidate)
         local move = candidate:clone():add(-1, y)
         local Q = fy + gradient:dot(move) + L / 2 * move:dot(move) + gply
         entry = { F = fply + gply, fply = fply, gply = gply, Q = Q, L = L, nline = nline }
         found = entry.F <= Q + rounding * math.abs(Q)
         if found then
            break
         end
         L = L * Lstep
      end
      if not found then -- even the last L was too small: stay, and go on from it
         candidate:copy(x)
         entry.fply, entry.gply = f(candidate), g(candidate)
         entry.F = entry.fply + entry.gply
      end
      history[iteration] = entry

      previous:copy(x)
      x:copy(candidate)
      if momentum then
         local next_t = (1 + math.sqrt(1 + 4 * t * t)) / 2
         y:copy(x):mul(1 + (t - 1) / next_t):add(-(t - 1) / next_t, previous)
         t = next_t
      else
         y:copy(x)
      end

      if params.verbose then
         print(('FistaLS %d: loss %g, L %g, |step| %g'):format(
            iteration,
            entry.F,
            entry.L,
            math.sqrt(difference_norm(x, previous))
         ))
      end
      local last = history[iteration - 1]
      if found and last and math.abs(entry.F - last.F) <= errthres * math.abs(last.F) then
         break
      end
   end
   params.L = L
   return x, history
end

return FistaLS
