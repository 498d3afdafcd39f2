-- Each option of the optimisers that search, and of those that scale by parameter, does what it
-- says: by formula, or as the original did from the same start.

local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'
local numbers = require 'test.support.numbers'
local objectives = dofile 'test/optim/objectives.lua'

local function merged(base, more)
   local all = {}
   for _, list in ipairs { base, more } do
      for key, value in pairs(list) do
         all[key] = value
      end
   end
   return all
end

-- Torch7's optim, run over these tensors: Rosenbrock's valley from (-1.2, 1); x, the last loss,
-- evaluations.
describe('optim.cg takes', function()
   local BASE = { maxIter = 8, maxEval = 24 }
   local rows = {
      { 'its defaults', {}, { -0.28150242701830624, 0.051498040753088253 }, 1.7192301673470867 },
      { 'sig', { sig = 0.1 }, { 0.074944175760187332, -0.033065989939044908 }, 1.0053627824747586 },
      { 'int', { int = 0.3 }, { -0.37549609584786603, 0.090828371150638187 }, 2.1436818324599272 },
      { 'ext', { ext = 1.5 }, { -0.66262256086564419, 0.40494845929821605 }, 2.880732576991778 },
      { 'ratio', { ratio = 1.5 }, { -0.28929970262514776, 0.098721612677675763 },
         1.6848756819056012 },
   }
   for _, row in ipairs(rows) do
      it(row[1], function()
         local x = torch.Tensor { -1.2, 1 }
         local _, losses, evaluations = optim.cg(objectives.rosenbrock, x, merged(BASE, row[2]), {})
         numbers.equal(row[3], x, 1e-9)
         assert.near(row[4], losses[#losses], 1e-9)
         assert.equal(24, evaluations)
      end)
   end

   it('red and rho', function()
      for _, red in ipairs { 0.25, 1, 3 } do
         local seen = {}
         optim.cg(function(x)
            seen[#seen + 1] = x:clone()
            return objectives.quadratic(x)
         end, torch.Tensor { 3, -2 }, { maxIter = 4, red = red })
         local _, g = objectives.quadratic(torch.Tensor { 3, -2 })
         numbers.same(torch.add(seen[1], -red / (1 + g:dot(g)), g), seen[2], 1e-14)
      end
      -- From 1, half a square is first asked for at 1 - 1.5. That falls by a quarter of what the
      -- slope promised: too little for rho = 0.5, where the middle is next.
      for rho, third in pairs { [0.01] = 2.5, [0.5] = 0.25 } do
         local seen = {}
         optim.cg(function(x)
            seen[#seen + 1] = x[1]
            return x[1] ^ 2 / 2, x:clone()
         end, torch.Tensor { 1 }, { maxIter = 9, maxEval = 3, rho = rho, sig = 0.99, red = 3 })
         numbers.equal({ 1, -0.5, third }, torch.Tensor(seen), 1e-12)
      end
   end)
end)

describe('optim.lbfgs takes', function()
   local rows = {
      { 'its defaults', {}, { -0.93329035330997967, 0.90435452529410243 }, 10 },
      { 'tolFun', { tolFun = 20 }, { -0.99465552856405726, 0.99225116304319583 }, 7 },
      { 'tolX, for losses', { tolX = 0.5 }, { -0.96791981109612701, 1.0040193895843792 }, 6 },
      { 'tolX, for steps', { tolX = 1e-3, learningRate = 1e-4 },
         { -1.1999289855072464, 1.0000289855072464 }, 2 },
      { 'nCorrection', { nCorrection = 1 }, { -0.85540337212253981, 0.76396994277354602 }, 10 },
      { 'learningRate', { learningRate = 0.3 }, { -1.0230336383465537, 1.0561329107400368 }, 10 },
      { 'maxEval', { maxEval = 6 }, { -0.96791981109612701, 1.0040193895843792 }, 6 },
      { 'lineSearch', { lineSearch = optim.lswolfe }, { -0.66570845708889703, 0.41398308319536259 },
         12 },
   }
   for _, row in ipairs(rows) do
      it(row[1], function()
         local x = torch.Tensor { -1.2, 1 }
         local config = merged({ maxIter = 10 }, row[2])
         local _, _, evaluations = optim.lbfgs(objectives.rosenbrock, x, config, {})
         numbers.equal(row[3], x, 1e-9)
         assert.equal(row[4], evaluations)
      end)
   end

   it('lineSearchOptions, which the search is given', function()
      local options, seen = { c2 = 0.3 }, {}
      local function search(opfunc, x, t, d, f, g, slope, given)
         seen[#seen + 1] = given
         return optim.lswolfe(opfunc, x, t, d, f, g, slope, given)
      end
      optim.lbfgs(objectives.rosenbrock, torch.Tensor { -1.2, 1 },
         { maxIter = 3, maxEval = 30, lineSearch = search, lineSearchOptions = options })
      assert.equal(3, #seen)
      assert.equal(options, seen[1])
      -- Its curvature: |g'd| falls to c2 of what it was.
      local x = torch.Tensor { -1.2, 1 }
      local f, g = objectives.rosenbrock(x)
      local d = g:clone():mul(-1)
      local slope = g:dot(d)
      local _, after = optim.lswolfe(objectives.rosenbrock, x, 1e-4, d, f, g, slope, { c2 = 0.05 })
      assert.is_true(math.abs(after:dot(d)) <= -0.05 * slope)
   end)
end)

-- sum a_i (x_i - b_i)^2 / 2 + lambda |x_i|; the original's ISTA from 0, five iterations.
describe('optim.FistaLS takes', function()
   local a, b, lambda = torch.Tensor { 1, 2, 3, 4 }, torch.Tensor { 3, -0.2, 0.7, -2 }, 0.5
   local function f(x)
      local d = x - b
      local g = torch.cmul(d, a)
      return d:dot(g) / 2, g
   end
   local function g(x)
      return lambda * x:clone():abs():sum()
   end
   local function shrink(x, L)
      x:copy(torch.cmul(torch.sign(x), torch.abs(x):add(-lambda / L):cmax(0)))
   end
   local function run(options)
      local x, params = torch.zeros(4), merged({ maxiter = 5, doFistaUpdate = false }, options)
      local _, history = optim.FistaLS(f, g, shrink, x, params)
      return x, history, params
   end

   local rows = {
      { 'its defaults', {}, { 1.945709042344923, 0, 0.53306076936524993, -1.8750002040969038 },
         3.8443359375 },
      { 'L', { L = 1 }, { 1.6680797465802359, 0, 0.52734724208145844, -1.8742364793549504 },
         5.0625 },
      { 'Lstep', { Lstep = 3 }, { 1.2063801890915937, 0, 0.48055878634751287, -1.8126989363573212 },
         8.1 },
      { 'both', { L = 1, Lstep = 1.2 },
         { 1.8345132415878846, 0, 0.53198697741821988, -1.8749969094739278 }, 4.29981696 },
   }
   for _, row in ipairs(rows) do
      it(row[1], function()
         local x, history, params = run(row[2])
         numbers.equal(row[3], x, 1e-9)
         assert.equal(5, #history)
         assert.near(row[4], history[5].L, 1e-9)
         assert.near(row[4], params.L, 1e-9) -- for the next call
      end)
   end

   it('maxline, and no step that it leaves unproven', function()
      for _, momentum in ipairs { true, false } do
         local x, history = run { maxline = 2, maxiter = 40, errthres = 1e-9,
            doFistaUpdate = momentum }
         assert.same({ 2, 2 }, { history[1].nline, history[2].nline })
         assert.near(f(torch.zeros(4)), history[1].F, 1e-12) -- x has not moved
         numbers.equal({ 2.5, 0, 0.7 - 0.5 / 3, -1.875 }, x, 1e-3)
      end
   end)

   it('errthres', function()
      local _, history = run { maxiter = 50, errthres = 0.1 }
      local n = #history
      assert.is_true(math.abs(history[n].F - history[n - 1].F) <= 0.1 * history[n - 1].F)
      for i = 2, n - 1 do
         assert.is_true(math.abs(history[i].F - history[i - 1].F) > 0.1 * history[i - 1].F)
      end
   end)
end)

describe('optim.de takes', function()
   -- The candidates of a population that none of them may join, and the members they challenge.
   local function candidates(n, size, count, config)
      torch.manualSeed(11)
      local state, list, calls = {}, {}, 0
      optim.de(function(x)
         calls = calls + 1
         if calls > size then
            list[#list + 1] = x:totable()
            return 1
         end
         return 0
      end, torch.zeros(n), merged({ popsize = size, maxFEs = size + count }, config), state)
      local members = {}
      for i, member in ipairs(state.population) do
         members[i] = member:totable()
      end
      return list, members
   end

   local function mixed(members, i, candidate, F)
      for p = 1, #members do
         for q = 1, #members do
            for r = 1, #members do
               local fits = p ~= q and q ~= r and p ~= r and p ~= i and q ~= i and r ~= i
               for j, value in ipairs(candidate) do
                  local mix = members[p][j] + F * (members[q][j] - members[r][j])
                  fits = fits and math.abs(value - mix) < 1e-12
               end
               if fits then
                  return true
               end
            end
         end
      end
   end

   it('scaleFactor', function()
      for _, F in ipairs { 0.8, 0.25 } do
         local config = { crossoverRate = 1, scaleFactor = F ~= 0.8 and F or nil }
         local list, members = candidates(3, 5, 20, config)
         for k, candidate in ipairs(list) do
            assert.is_true(mixed(members, (k - 1) % 5 + 1, candidate, F))
         end
      end
   end)

   it('crossoverRate', function()
      for _, CR in ipairs { 0, 0.3, 0.9, 1 } do
         local changed = 0
         local config = { crossoverRate = CR ~= 0.9 and CR or nil }
         local list, members = candidates(20, 6, 240, config)
         for k, candidate in ipairs(list) do
            for j, value in ipairs(candidate) do
               changed = changed + (value ~= members[(k - 1) % 6 + 1][j] and 1 or 0)
            end
         end
         -- One coordinate is always the mutant's, the others with probability CR.
         local share = changed / (20 * 240)
         local room = (CR == 0 or CR == 1) and 1e-12 or 0.03
         assert.near((1 + 19 * CR) / 20, share, room)
      end
   end)
end)

describe('optim.cmaes takes', function()
   local function first_generation(sigma, popsize, n, seed)
      torch.manualSeed(seed or 5)
      local points, state = {}, {}
      optim.cmaes(function(x)
         points[#points + 1] = x:totable()
         return x[1] + 0.5 * x[2] ^ 2
      end, torch.Tensor(n):fill(1), { sigma = sigma, popsize = popsize, maxEval = popsize + 1 },
         state)
      table.remove(points, 1) -- the start
      return points, state
   end

   it('sigma as the deviation of its first samples', function()
      for _, sigma in ipairs { 0.1, 0.5, 4 } do
         local points, sum = first_generation(sigma ~= 0.5 and sigma or nil, 300, 3), 0
         for _, point in ipairs(points) do
            for _, value in ipairs(point) do
               sum = sum + ((value - 1) / sigma) ^ 2
            end
         end
         assert.near(1, sum / 900, 0.2)
      end
   end)

   -- The tutorial's equations 43 and 44, from what was sampled.
   it('steps whose size follows the path of the mean', function()
      for _, popsize in ipairs { 6, 12 } do
         local n, sigma = 3, 0.7
         local points, state = first_generation(sigma, popsize, n)
         table.sort(points, function(p, q) return p[1] + 0.5 * p[2] ^ 2 < q[1] + 0.5 * q[2] ^ 2 end)
         local mu = math.floor(popsize / 2)
         local weights, sum, squares = {}, 0, 0
         for i = 1, mu do
            weights[i] = math.log((popsize + 1) / 2) - math.log(i)
            sum = sum + weights[i]
         end
         for i = 1, mu do
            weights[i] = weights[i] / sum
            squares = squares + weights[i] ^ 2
         end
         local mueff = 1 / squares
         local cs = (mueff + 2) / (n + mueff + 5)
         local damps = 1 + 2 * math.max(0, math.sqrt((mueff - 1) / (n + 1)) - 1) + cs
         local norm = 0
         for j = 1, n do
            local mean = 0
            for i = 1, mu do
               mean = mean + weights[i] * (points[i][j] - 1) / sigma
            end
            assert.near(1 + sigma * mean, state.mean[j], 1e-12)
            norm = norm + cs * (2 - cs) * mueff * mean ^ 2
         end
         local chi = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n ^ 2))
         assert.near(sigma * math.exp(cs / damps * (math.sqrt(norm) / chi - 1)), state.sigma, 1e-12)
      end
   end)

   -- Equations 45 and 47, with h that stops the path of the covariance where that of the step size
   -- is long: above 1.4 + 2 / (n + 1) of what is expected.
   it('a covariance that follows its path and the best samples', function()
      local n, popsize, mu = 2, 6, 3
      local weights, sum, squares = {}, 0, 0
      for i = 1, mu do
         weights[i] = math.log(3.5) - math.log(i)
         sum = sum + weights[i]
      end
      for i = 1, mu do
         weights[i] = weights[i] / sum
         squares = squares + weights[i] ^ 2
      end
      local mueff = 1 / squares
      local cc = (4 + mueff / n) / (n + 4 + 2 * mueff / n)
      local c1 = 2 / ((n + 1.3) ^ 2 + mueff)
      local cmu = math.min(1 - c1, 2 * (mueff - 2 + 1 / mueff) / ((n + 2) ^ 2 + mueff))
      local chi, stopped = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n ^ 2)), 0
      for seed = 1, 300 do
         local points, state = first_generation(1, popsize, n, seed)
         table.sort(points, function(p, q) return p[1] + 0.5 * p[2] ^ 2 < q[1] + 0.5 * q[2] ^ 2 end)
         local mean = { 0, 0 }
         for i = 1, mu do
            for j = 1, n do
               mean[j] = mean[j] + weights[i] * (points[i][j] - 1)
            end
         end
         -- In the first generation both paths have the mean's direction.
         local length = math.sqrt(mueff * (mean[1] ^ 2 + mean[2] ^ 2)) / chi
         local h = length < 1.4 + 2 / (n + 1) and 1 or 0
         stopped = stopped + 1 - h
         for i = 1, n do
            local path = h * math.sqrt(cc * (2 - cc) * mueff)
            assert.near(path * mean[i], state.pc[i], 1e-12)
            for j = 1, n do
               local c = i == j and 1 - c1 - cmu + (1 - h) * c1 * cc * (2 - cc) or 0
               c = c + c1 * path ^ 2 * mean[i] * mean[j]
               for m = 1, mu do
                  c = c + cmu * weights[m] * (points[m][i] - 1) * (points[m][j] - 1)
               end
               assert.near(c, state.C[i][j], 1e-12)
            end
         end
      end
      assert.is_true(stopped > 0 and stopped < 300)
   end)
end)

describe('decay and rates by parameter:', function()
   local START, G = { 1, -2, 4 }, { 0.5, 1, -3 }
   local DECAYS, RATES = { 0.1, 0.2, 0.3 }, { 1, 2, 0.5 }
   local function opfunc(x)
      return 0, x.new(torch.LongStorage { 3 }):copy(torch.DoubleTensor(G))
   end
   local cases = {
      ['sgd with weightDecay and learningRates'] = {
         { weightDecay = 0.2, learningRates = RATES },
         function(x, i) return x - 0.1 * RATES[i] * (G[i] + 0.2 * x) end,
      },
      ['sgd with weightDecays and learningRates'] = {
         { weightDecays = DECAYS, learningRates = RATES },
         function(x, i) return x - 0.1 * RATES[i] * (G[i] + DECAYS[i] * x) end,
      },
      ['nag with weightDecays'] = {
         { weightDecays = DECAYS, momentum = 0.8 },
         function(x, i, s)
            local y = x + 0.8 * (s.v or 0)
            local g = G[i] + DECAYS[i] * y
            s.v = 0.8 * (s.v or 0) - 0.1 * g
            return y - 0.1 * g
         end,
      },
      ['nag with weightDecay and learningRates'] = {
         { weightDecay = 0.2, learningRates = RATES, momentum = 0.8 },
         function(x, i, s)
            local y = x + 0.8 * (s.v or 0)
            local g = RATES[i] * (G[i] + 0.2 * y)
            s.v = 0.8 * (s.v or 0) - 0.1 * g
            return y - 0.1 * g
         end,
      },
   }
   for name, case in pairs(cases) do
      it(name, function()
         local config = merged({ learningRate = 0.1 }, case[1])
         for _, key in ipairs { 'weightDecays', 'learningRates' } do
            config[key] = config[key] and torch.Tensor(config[key])
         end
         local x, state, wanted, memory = torch.Tensor(START), {}, { unpack(START) }, { {}, {}, {} }
         for _ = 1, 4 do
            optim[name:match '^%w+'](opfunc, x, config, state)
            for i = 1, 3 do
               wanted[i] = case[2](wanted[i], i, memory[i])
            end
         end
         numbers.equal(wanted, x, 1e-12)
      end)
   end
end)

describe('a schedule', function()
   for _, name in ipairs {
      'sgd', 'nag', 'adagrad', 'adadelta', 'rmsprop', 'adam', 'adamw', 'adamax', 'nadam', 'radam',
      'lamb', 'lion', 'adafactor',
   } do
      it('of ' .. name .. ' is asked with the steps taken before', function()
         local asked, state, x = {}, {}, torch.ones(2)
         local config = { schedule = function(n)
            asked[#asked + 1] = n
            return n == 2 and 0 or 1
         end }
         for step = 1, 3 do
            local before = x:clone()
            optim[name](function(p) return 0, p:clone() end, x, config, state)
            if name ~= 'nag' then -- whose momentum goes on
               assert.equal(step == 3, x:equal(before))
            end
         end
         assert.same({ 0, 1, 2 }, asked)
      end)
   end
end)

describe('optim.EMA:copyTo', function()
   it('writes into what it is given, and leaves the parameters', function()
      local x = torch.Tensor { 1, 3 }
      local ema = optim.EMA(x, 0.5)
      x:fill(5)
      ema:update()
      local tensor, list = torch.zeros(2), { torch.zeros(2) }
      ema:copyTo(tensor)
      ema:copyTo(list)
      numbers.equal({ 3, 4 }, tensor)
      numbers.equal({ 3, 4 }, list[1])
      numbers.equal({ 5, 5 }, x)
      local net, other = nn.Linear(2, 1), nn.Linear(2, 1)
      local kept = optim.EMA(net)
      kept:copyTo(other)
      assert.is_true(other.weight:equal(net.weight))
      assert.is_true(other.bias:equal(net.bias))
   end)
end)

describe('optim.ConfusionMatrix:render', function()
   it('sorts its classes', function()
      local confusion = optim.ConfusionMatrix(3)
      -- Shares of hits 0.5, 0.25, 1; occurrences 4, 8, 2.
      confusion.mat:copy(torch.LongTensor { { 2, 2, 0 }, { 3, 2, 3 }, { 0, 0, 2 } })
      local function hits(...)
         local picture = confusion:render(...)
         return { picture[2][1][1], picture[2][2][2], picture[2][3][3] }
      end
      assert.same({ 1, 0.5, 0.25 }, hits('score', false, 1, 0))
      assert.same({ 1, 0.5, 0.25 }, hits(nil, false, 1, 0))
      assert.same({ 0.25, 0.5, 1 }, hits('occurrence', false, 1, 0))
      assert.same({ 0.5, 0.25, 1 }, hits('class', false, 1, 0))
   end)
end)
