--- Line search for a step that meets the strong Wolfe conditions.
--
-- f(x + t d) <= f + c1 t g'd (the loss falls enough) and |g_t'd| <= c2 |g'd| (the slope too).
-- Source: Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 3.5 and 3.6; cubic
-- interpolation and safeguards as in Schmidt's minFunc.

local polyinterp = require 'optim.line_search.polyinterp'
local arguments = require('optim.step').arguments

local function triple(point)
   return { point.t, point.f, point.slope }
end

-- Grow the step until an interval is found that holds an acceptable one, or it is met by chance.
local function bracket(evaluate, start, first, c1, c2, maxIter)
   local previous, point, iterations = start, first, 0
   while iterations < maxIter do
      local too_high = point.f > start.f + c1 * point.t * start.slope
      if too_high or (iterations > 1 and point.f >= previous.f) then
         return previous, point, false, iterations
      elseif math.abs(point.slope) <= -c2 * start.slope then
         return point, point, true, iterations
      elseif point.slope >= 0 then
         return previous, point, false, iterations
      end
      local low, high = point.t + 0.01 * (point.t - previous.t), point.t * 10
      local t = polyinterp({ triple(previous), triple(point) }, low, high)
      previous, point = point, evaluate(t)
      iterations = iterations + 1
   end
   return start, point, false, iterations
end

-- Keep a step from creeping along an end of its interval: once is allowed, then it moves in by 10%.
local function safeguard(t, a, b, stuck)
   local low, high = math.min(a.t, b.t), math.max(a.t, b.t)
   if math.min(high - t, t - low) / (high - low) >= 0.1 then
      return t, false
   elseif not stuck and t < high and t > low then
      return t, true
   elseif math.abs(t - high) < math.abs(t - low) then
      return high - 0.1 * (high - low), false
   end
   return low + 0.1 * (high - low), false
end

local function zoom(evaluate, start, a, b, c1, c2, tolX, iterations, maxIter)
   local stuck = false
   while iterations < maxIter do
      local low, high = a, b
      if b.f < a.f then
         low, high = b, a
      end
      local t
      t, stuck = safeguard(polyinterp { triple(a), triple(b) }, a, b, stuck)
      local point = evaluate(t)
      iterations = iterations + 1
      if point.f > start.f + c1 * t * start.slope or point.f >= low.f then
         a, b = low, point
      else
         if math.abs(point.slope) <= -c2 * start.slope then
            return point
         elseif point.slope * (high.t - low.t) >= 0 then
            high = low
         end
         a, b = point, high
      end
      if math.abs((a.t - b.t) * point.slope) < tolX then
         break
      end
   end
   return a.f <= b.f and a or b
end

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, moved to x + t d
-- @number t first step to try
-- @tparam Tensor d direction
-- @number f loss at x
-- @tparam Tensor g gradient at x
-- @number[opt] gtd slope g'd at x
-- @tparam[opt] table options c1 (1e-4), c2 (0.9), tolX (1e-9), maxIter (20)
-- @return loss and gradient at the new x, x, t, number of evaluations
local function lswolfe(opfunc, x, t, d, f, g, gtd, options)
   options = arguments('lswolfe', opfunc, x, options)
   local c1, c2 = options.c1 or 1e-4, options.c2 or 0.9
   local tolX, maxIter = options.tolX or 1e-9, options.maxIter or 20
   local origin = x:clone()
   local evaluations = 0
   local function evaluate(step)
      evaluations = evaluations + 1
      x:copy(origin):add(step, d)
      local loss, gradient = opfunc(x)
      return { t = step, f = loss, g = gradient:clone(), slope = gradient:dot(d) }
   end

   local start = { t = 0, f = f, g = g:clone(), slope = gtd or g:dot(d) }
   local a, b, done, iterations = bracket(evaluate, start, evaluate(t), c1, c2, maxIter)
   local best = done and a or zoom(evaluate, start, a, b, c1, c2, tolX, iterations, maxIter)
   x:copy(origin):add(best.t, d)
   return best.f, best.g, x, best.t, evaluations
end

return lswolfe
