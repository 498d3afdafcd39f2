--- L-BFGS: quasi-Newton steps from the last steps and changes of the gradient.
--
-- The direction is -H g, with H given by the pairs s (step) and y (change of gradient), s'y > 0.
-- Without a line search, the step has length `learningRate` (shorter at first): for full batches.
-- Source: Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 7.4 and 7.5.

local on_variables = require 'optim.on_variables'
local options = require 'optim.options'
local step = require 'optim.step'
local raise = require('torch.errors').raise

-- Take in the last step as a pair of the memory, if it saw positive curvature.
local function remember(state, g, nCorrection)
   local y = g:clone():add(-1, state.g_prev)
   local s = state.d:clone():mul(state.t)
   local ys = y:dot(s)
   if ys <= 1e-10 then
      return
   end
   local pairs_kept = state.memory
   if #pairs_kept == nCorrection then
      table.remove(pairs_kept, 1)
   end
   pairs_kept[#pairs_kept + 1] = { s = s, y = y, ro = 1 / ys }
   state.Hdiag = ys / y:dot(y)
end

-- The two loops that multiply by H.
local function direction(state, g)
   local d = state.d:copy(g):mul(-1)
   local pairs_kept = state.memory
   local alpha = {}
   for i = #pairs_kept, 1, -1 do
      local pair = pairs_kept[i]
      alpha[i] = pair.s:dot(d) * pair.ro
      d:add(-alpha[i], pair.y)
   end
   d:mul(state.Hdiag)
   for i, pair in ipairs(pairs_kept) do
      local beta = pair.y:dot(d) * pair.ro
      d:add(alpha[i] - beta, pair.s)
   end
   return d
end

-- Torch7 keeps steps and changes apart, with buffers beside them.
local function convert(state)
   if not state.old_dirs then
      return
   end
   local memory = {}
   for i, s in ipairs(state.old_dirs) do
      local y = state.old_stps[i]
      memory[i] = { s = s:clone(), y = y:clone(), ro = 1 / y:dot(s) }
   end
   state.memory, state.g_prev = memory, state.g_old
   for _, field in ipairs {
      'old_dirs', 'old_stps', 'g_old', 'f_old', 'dir_bufs', 'stp_bufs', 'ro', 'al', 'tmp1',
   } do
      state[field] = nil
   end
end

local default = options.declare('lbfgs', {
   maxIter = 20, maxEval = false, tolFun = 1e-5, tolX = 1e-9, nCorrection = 100,
   learningRate = 1, lineSearch = false, lineSearchOptions = false, verbose = false,
}, 'funcEval nIter memory Hdiag g_prev d t old_dirs old_stps g_old')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: maxIter (20: steps per call), maxEval (1.25 maxIter), tolFun (1e-5: stop
-- when
-- sum |g| is below), tolX (1e-9: stop when the step or the change of loss is below), nCorrection
-- (100: pairs kept), learningRate (1), lineSearch (function such as optim.lswolfe),
-- lineSearchOptions, verbose
-- @param[opt] state table: carries the memory between calls; defaults to config
-- @return x, { loss at each evaluation }, number of evaluations
-- @example
-- local x = torch.Tensor { 4, -2 }
-- optim.lbfgs(function(p) return p:dot(p), p * 2 end, x, { maxIter = 20 })
-- x:norm() < 1e-6 --> true
local function lbfgs(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(lbfgs, opfunc, x, config, state)
   end
   config = step.arguments('lbfgs', opfunc, x, config, state)
   state = state or config
   local maxIter = tonumber(config.maxIter) or default.maxIter
   local maxEval = tonumber(config.maxEval) or maxIter * 1.25
   local tolFun = config.tolFun or default.tolFun
   local tolX = config.tolX or default.tolX
   local nCorrection = config.nCorrection or default.nCorrection
   local learningRate = config.learningRate or default.learningRate
   local function verbose(reason)
      if config.verbose then
         print('<optim.lbfgs> ' .. reason)
      end
   end
   convert(state)
   if (state.nIter or 0) > 0 and not (state.memory and state.g_prev and state.d) then
      raise('lbfgs: its state has no memory of the steps it counts, so it cannot go on; give it an '
         .. 'empty table as state to start anew')
   end
   state.funcEval = state.funcEval or 0
   state.nIter = state.nIter or 0

   local f, g = step.evaluate('lbfgs', opfunc, x)
   local losses, evaluations = { f }, 1
   state.funcEval = state.funcEval + 1
   if g:clone():abs():sum() <= tolFun then
      verbose 'the gradient is below tolFun at the start'
      return x, losses, evaluations
   end

   local iteration = 0
   while iteration < maxIter do
      iteration = iteration + 1
      state.nIter = state.nIter + 1
      if state.nIter == 1 then
         state.d = g:clone():mul(-1)
         state.memory, state.Hdiag = {}, 1
         state.g_prev = g:clone()
         state.t = math.min(1, 1 / g:clone():abs():sum()) * learningRate
      else
         remember(state, g, nCorrection)
         direction(state, g)
         state.g_prev:copy(g)
         state.t = learningRate
      end
      local f_prev, d = f, state.d
      local slope = g:dot(d)
      if slope > -tolX then
         verbose 'no descent along the direction'
         break
      end

      local used = 0
      if config.lineSearch then
         f, g, x, state.t, used =
            config.lineSearch(opfunc, x, state.t, d, f, g, slope, config.lineSearchOptions)
         losses[#losses + 1] = f
      else
         x:add(state.t, d)
         -- After the last step of a call nobody asks for the loss.
         if iteration ~= maxIter then
            f, g = opfunc(x)
            used = 1
            losses[#losses + 1] = f
         end
      end
      evaluations = evaluations + used
      state.funcEval = state.funcEval + used

      if iteration == maxIter then
         verbose 'maxIter reached'
      elseif evaluations >= maxEval then
         verbose 'maxEval reached'
         break
      elseif g:clone():abs():sum() <= tolFun then
         verbose 'the gradient is below tolFun'
         break
      elseif d:clone():mul(state.t):abs():sum() <= tolX then
         verbose 'the step is below tolX'
         break
      elseif math.abs(f - f_prev) < tolX then
         verbose 'the loss changes by less than tolX'
         break
      end
   end
   return x, losses, evaluations
end

return lbfgs
