--- Nonlinear conjugate gradients (Polak-Ribière), with a line search by cubic interpolation.
-- Source: Rasmussen's `minimize`, described in Rasmussen and Williams, Gaussian Processes for
-- Machine Learning (2006); Wolfe-Powell conditions.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local like = require('torch.ffi').like

local function finite(z)
   return z == z and math.abs(z) ~= math.huge
end

-- Step, from the point with slope d2, to the minimum of the parabola or cubic between two points
-- that are z3 apart.
local function interpolate(f1, f2, d2, f3, d3, z3)
   local z2
   if f2 > f1 then
      z2 = z3 - 0.5 * d3 * z3 * z3 / (d3 * z3 + f2 - f3)
   else
      local A = 6 * (f2 - f3) / z3 + 3 * (d2 + d3)
      local B = 3 * (f3 - f2) - z3 * (d3 + 2 * d2)
      z2 = (math.sqrt(B * B - A * d2 * z3 * z3) - B) / A
   end
   return finite(z2) and z2 or z3 / 2
end

-- Step beyond the point with slope d2; `limit` is the longest total step known to be too long.
local function extrapolate(z1, f2, d2, f3, d3, z3, limit, int, ext)
   local A = 6 * (f2 - f3) / z3 + 3 * (d2 + d3)
   local B = 3 * (f3 - f2) - z3 * (d3 + 2 * d2)
   local z2 = -d2 * z3 * z3 / (B + math.sqrt(B * B - A * d2 * z3 * z3))
   if not finite(z2) or z2 < 0 then
      return limit and (limit - z1) / 2 or z1 * (ext - 1)
   elseif limit and z2 + z1 > limit then
      return (limit - z1) / 2
   elseif not limit and z2 + z1 > z1 * ext then
      return z1 * (ext - 1)
   elseif z2 < -z3 * int then
      return -z3 * int
   elseif limit and z2 < (limit - z1) * (1 - int) then
      return (limit - z1) * (1 - int)
   end
   return z2
end

local default = options.declare('cg', {
   maxIter = 20, maxEval = false, rho = 0.01, sig = 0.5, int = 0.1, ext = 3, ratio = 100, red = 1,
}, 'df0 df1 df2 lowest_df s x0')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: maxIter (20: evaluations in a line search), maxEval (1.25 maxIter: no line
-- search begins after so many), rho (0.01) and sig (0.5) of the Wolfe-Powell conditions, int (0.1:
-- least share of an interval), ext (3: most growth of a step), ratio (100: most growth of the
-- slope), red (1: size of the first step)
-- @param[opt] state table: buffers; defaults to config
-- @return x, { loss after each line search, first the one before }, number of evaluations
-- @example
-- local x = torch.Tensor { 4, -2 }
-- optim.cg(function(p) return p:dot(p), p * 2 end, x, { maxIter = 10 })
-- x:norm() < 1e-6 --> true
local function cg(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(cg, opfunc, x, config, state)
   end
   config = step.arguments('cg', opfunc, x, config, state)
   state = state or config
   local rho, sig = config.rho or default.rho, config.sig or default.sig
   local int, ext = config.int or default.int, config.ext or default.ext
   local maxIter = config.maxIter or default.maxIter
   local maxEval = config.maxEval or maxIter * 1.25
   local ratio, red = config.ratio or default.ratio, config.red or default.red

   local f1, g = step.evaluate('cg', opfunc, x)
   local evaluations = 1
   local losses = { f1 }
   local df0 = state.df0 or like(x)
   local df1 = (state.df1 or like(x)):resizeAs(g):copy(g)
   local df2 = (state.df2 or like(x)):resizeAs(g)
   local lowest_df = (state.lowest_df or like(x)):resizeAs(g)
   local s = (state.s or like(x)):resizeAs(g):copy(df1):mul(-1)
   local x0 = state.x0 or like(x)
   state.df0, state.df1, state.df2, state.s, state.x0 = df0, df1, df2, s, x0
   state.lowest_df = lowest_df
   df0:resizeAs(g)
   x0:resizeAs(x)

   local d1 = -s:dot(s)
   local z1 = red / (1 - d1)
   local failed_before = false
   local lowest, lowest_z -- of the points of a line search, how far along s: z1 when it is tried
   local function move(z)
      x:add(z, s)
      local f, gradient = opfunc(x)
      df2:copy(gradient)
      evaluations = evaluations + 1
      if f < lowest then
         lowest, lowest_z = f, z1
         lowest_df:copy(df2)
      end
      return f, df2:dot(s)
   end

   while evaluations < math.abs(maxEval) do
      x0:copy(x)
      df0:copy(df1)
      local f0 = f1
      lowest, lowest_z = f0, 0
      local f2, d2 = move(z1)
      local f3, d3, z3 = f1, d1, -z1
      local left = math.min(maxIter, maxEval - evaluations)
      local success, limit = false, nil
      while true do
         while (f2 > f1 + z1 * rho * d1 or d2 > -sig * d1) and left > 0 do
            limit = z1
            local z2 = interpolate(f1, f2, d2, f3, d3, z3)
            z2 = math.max(math.min(z2, int * z3), (1 - int) * z3)
            z1 = z1 + z2
            f2, d2 = move(z2)
            left = left - 1
            z3 = z3 - z2
         end
         if f2 > f1 + z1 * rho * d1 or d2 > -sig * d1 then
            break
         elseif d2 > sig * d1 then
            success = true
            break
         elseif left == 0 then -- not below 0, as in Torch7: maxIter = 1 goes on while it descends
            break
         elseif d2 == 0 or d2 ~= d2 or f2 ~= f2 then -- at the minimum, or beyond all numbers
            break
         end
         local z2 = extrapolate(z1, f2, d2, f3, d3, z3, limit, int, ext)
         f3, d3, z3 = f2, d2, -z2
         z1 = z1 + z2
         f2, d2 = move(z2)
         left = left - 1
      end

      if success then
         f1 = f2
         losses[#losses + 1] = f1
         s:mul((df2:dot(df2) - df1:dot(df2)) / df1:dot(df1)):add(-1, df2)
         df1:copy(df2)
         d2 = df1:dot(s)
         if d2 > 0 then -- not a descent direction: start again along the steepest
            s:copy(df1):mul(-1)
            d2 = -s:dot(s)
         end
         z1 = z1 * math.min(ratio, d1 / (d2 - 2.2e-308))
         d1 = d2
         failed_before = false
      else
         local progress = lowest < f0
         x:copy(x0)
         f1 = lowest
         if progress then -- a budget ran out, say, but what was found is kept
            x:add(lowest_z, s)
            df1:copy(lowest_df)
            losses[#losses + 1] = f1
         else
            df1:copy(df0)
         end
         if (failed_before and not progress) or evaluations >= math.abs(maxEval) then
            break
         end
         s:copy(df1):mul(-1)
         d1 = -s:dot(s)
         z1 = 1 / (1 - d1)
         failed_before = not progress
      end
   end
   return x, losses, evaluations
end

return cg
