--- CMA-ES: samples a normal distribution and fits its mean and covariance to the best samples.
--
-- No gradients are used. Suited to some tens of parameters: a step costs O(n^2) per sample, and the
-- decomposition of the covariance O(n^3).
-- Source: Hansen, "The CMA Evolution Strategy: A Tutorial" (arXiv:1604.00772), figure 6 and table
-- 1.

local torch = require 'torch'
local options = require 'optim.options'
local step = require 'optim.step'

-- Eigenvalues and eigenvectors (columns) of a symmetric matrix, by Jacobi's rotations.
local function eigen(matrix)
   local n = #matrix
   local A, V = {}, {}
   for i = 1, n do
      A[i], V[i] = {}, {}
      for j = 1, n do
         A[i][j], V[i][j] = matrix[i][j], i == j and 1 or 0
      end
   end
   local function rotate(p, q)
      local theta = (A[q][q] - A[p][p]) / (2 * A[p][q])
      local t = (theta >= 0 and 1 or -1) / (math.abs(theta) + math.sqrt(theta * theta + 1))
      local c = 1 / math.sqrt(t * t + 1)
      local s = t * c
      for k = 1, n do
         A[k][p], A[k][q] = c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]
      end
      for k = 1, n do
         A[p][k], A[q][k] = c * A[p][k] - s * A[q][k], s * A[p][k] + c * A[q][k]
         V[k][p], V[k][q] = c * V[k][p] - s * V[k][q], s * V[k][p] + c * V[k][q]
      end
   end
   for _ = 1, 100 do
      local off, diagonal = 0, 0
      for p = 1, n do
         diagonal = diagonal + A[p][p] ^ 2
         for q = p + 1, n do
            off = off + A[p][q] ^ 2
         end
      end
      if off <= 1e-30 * diagonal then
         break
      end
      for p = 1, n do
         for q = p + 1, n do
            if A[p][q] ~= 0 then
               rotate(p, q)
            end
         end
      end
   end
   local values = {}
   for i = 1, n do
      values[i] = A[i][i]
   end
   return values, V
end

-- The strategy's constants for n parameters and lambda samples (the tutorial's table 1).
local function constants(n, lambda)
   local k = { n = n, lambda = lambda, mu = math.floor(lambda / 2), weights = {} }
   local sum, squares = 0, 0
   for i = 1, k.mu do
      k.weights[i] = math.log((lambda + 1) / 2) - math.log(i)
      sum = sum + k.weights[i]
   end
   for i = 1, k.mu do
      k.weights[i] = k.weights[i] / sum
      squares = squares + k.weights[i] ^ 2
   end
   local mueff = 1 / squares
   k.mueff = mueff
   k.cc = (4 + mueff / n) / (n + 4 + 2 * mueff / n)
   k.cs = (mueff + 2) / (n + mueff + 5)
   k.c1 = 2 / ((n + 1.3) ^ 2 + mueff)
   k.cmu = math.min(1 - k.c1, 2 * (mueff - 2 + 1 / mueff) / ((n + 2) ^ 2 + mueff))
   k.damps = 1 + 2 * math.max(0, math.sqrt((mueff - 1) / (n + 1)) - 1) + k.cs
   k.chiN = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
   return k
end

local function new_state(mean, sigma)
   local n = #mean
   local s = { mean = mean, sigma = sigma, pc = {}, ps = {}, C = {}, generation = 0 }
   for i = 1, n do
      s.pc[i], s.ps[i], s.C[i] = 0, 0, {}
      for j = 1, n do
         s.C[i][j] = i == j and 1 or 0
      end
   end
   return s
end

-- y = B D z, with C = B D^2 B'.
local function transform(B, D, z)
   local y = {}
   for i = 1, #z do
      y[i] = 0
      for j = 1, #z do
         y[i] = y[i] + B[i][j] * D[j] * z[j]
      end
   end
   return y
end

local function samples(k, B, D)
   local population = {}
   for i = 1, k.lambda do
      local z = {}
      for j = 1, k.n do
         z[j] = torch.normal()
      end
      population[i] = { z = z, y = transform(B, D, z) }
   end
   return population
end

-- Move mean, paths, covariance and step size; `best` holds the mu best samples in order.
local function update(s, k, best, B)
   local n, y, z = k.n, {}, {}
   for i = 1, n do
      y[i], z[i] = 0, 0
      for m = 1, k.mu do
         y[i] = y[i] + k.weights[m] * best[m].y[i]
         z[i] = z[i] + k.weights[m] * best[m].z[i]
      end
      s.mean[i] = s.mean[i] + s.sigma * y[i]
   end
   -- C^-1/2 y = B z.
   local ones = {}
   for i = 1, n do
      ones[i] = 1
   end
   local conjugate = transform(B, ones, z)
   local norm = 0
   for i = 1, n do
      s.ps[i] = (1 - k.cs) * s.ps[i] + math.sqrt(k.cs * (2 - k.cs) * k.mueff) * conjugate[i]
      norm = norm + s.ps[i] ^ 2
   end
   norm = math.sqrt(norm)
   s.generation = s.generation + 1
   local expected = math.sqrt(1 - (1 - k.cs) ^ (2 * s.generation)) * k.chiN
   local hsig = norm / expected < 1.4 + 2 / (n + 1) and 1 or 0
   for i = 1, n do
      s.pc[i] = (1 - k.cc) * s.pc[i] + hsig * math.sqrt(k.cc * (2 - k.cc) * k.mueff) * y[i]
   end
   local kept = 1 - k.c1 - k.cmu + (1 - hsig) * k.c1 * k.cc * (2 - k.cc)
   for i = 1, n do
      for j = 1, i do
         local c = kept * s.C[i][j] + k.c1 * s.pc[i] * s.pc[j]
         for m = 1, k.mu do
            c = c + k.cmu * k.weights[m] * best[m].y[i] * best[m].y[j]
         end
         s.C[i][j], s.C[j][i] = c, c
      end
   end
   s.sigma = s.sigma * math.exp(k.cs / k.damps * (norm / k.chiN - 1))
end

local default = options.declare('cmaes', {
   sigma = 0.5, maxEval = false, ftarget = false, popsize = false,
   verb_disp = false, -- of Torch7, which printed
}, 'mean C paths')

--- @param opfunc function: x -> loss (a gradient is ignored)
-- @param x Tensor, the start; receives the best point seen
-- @param config table: sigma (0.5: first step size), maxEval (1000 n^2), ftarget (stop below),
-- popsize (4 + 3 ln n), verb_disp (none: Torch7 prints as often)
-- @param[opt] state table: mean, sigma, C, paths; defaults to a fresh one
-- @return x, { loss at the start, best loss after each generation }, number of evaluations
-- @example
-- local x = torch.Tensor { 4, -2 }
-- local options = { sigma = 1, maxEval = 600, verb_disp = 0 }
-- x = optim.cmaes(function(p) return p:dot(p) end, x, options)
-- x:norm() < 0.1 --> true
local function cmaes(opfunc, x, config, state)
   config = step.arguments('cmaes', opfunc, x, config, state)
   state = state or {}
   local n = x:nElement()
   local k = constants(n, config.popsize or 4 + math.floor(3 * math.log(n)))
   local maxEval = tonumber(config.maxEval) or 1000 * n * n
   local target = config.ftarget or -math.huge
   local flat = x:contiguous():view(-1)
   if not state.C then
      for key, value in pairs(new_state(flat:totable(), config.sigma or default.sigma)) do
         state[key] = value
      end
   end

   local trial = x:clone()
   local point = trial:view(-1)
   local best, best_loss, evaluations = flat:totable(), opfunc(trial), 1
   local history = { best_loss }
   while evaluations < maxEval and best_loss > target and state.sigma > 1e-150 do
      local values, B = eigen(state.C)
      local D = {}
      for i = 1, n do
         D[i] = math.sqrt(math.max(values[i], 0))
      end
      local population = samples(k, B, D)
      for _, sample in ipairs(population) do
         for i = 1, n do
            point[i] = state.mean[i] + state.sigma * sample.y[i]
         end
         sample.loss = opfunc(trial)
         evaluations = evaluations + 1
         if sample.loss < best_loss then
            best, best_loss = point:totable(), sample.loss
         end
      end
      table.sort(population, function(a, b)
         return a.loss < b.loss
      end)
      update(state, k, population, B)
      history[#history + 1] = best_loss
   end
   for i = 1, n do
      point[i] = best[i]
   end
   x:copy(trial)
   return x, history, evaluations
end

return cmaes
