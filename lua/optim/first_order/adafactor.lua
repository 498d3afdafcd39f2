--- Adafactor: an adaptive rate for each weight from the sums over rows and columns alone, so that a
-- matrix of n x m costs n + m numbers of memory and not 2 n m.
--
-- For the t-th step and each layer's tensor: r = t^beta2Decay, rms(z) = |z| / sqrt(elements)
-- a = max(eps2, rms(x)) min(lr, 1 / sqrt(t));  x <- (1 - lr weightDecay) x
-- R <- R + r (mean over columns of g^2 - R);  C <- C + r (mean over rows of g^2 - C)
-- V = R C / mean R, for the last two dimensions; a vector has V <- V + r (g^2 - V)
-- u = g / max(sqrt(V), eps1);  x <- x - a / max(1, rms(u) / d) u
-- Source: Shazeer and Stern, "Adafactor: adaptive learning rates with sublinear memory cost", ICML
-- 2018 (arXiv:1804.04235), Algorithms 4 to 6.

local torch = require 'torch'
local on_variables = require 'optim.on_variables'
local parts = require 'optim.parts'
local options = require 'optim.options'
local step = require 'optim.step'
local like = require('torch.ffi').like

-- The last bit of 1 in each type.
local EPSILON = {
   HalfTensor = 2 ^ -10, BFloat16Tensor = 2 ^ -7, FloatTensor = 2 ^ -23, DoubleTensor = 2 ^ -52,
   CudaHalfTensor = 2 ^ -10, CudaBFloat16Tensor = 2 ^ -7, CudaTensor = 2 ^ -23,
   CudaDoubleTensor = 2 ^ -52,
}

-- What the state keeps of one part.
local function memory_for(x, part)
   local sizes, n = part.sizes, #part.sizes
   if n < 2 then
      return { variance = like(x):resize(sizes):zero() }
   end
   local rows, columns = torch.LongStorage(n), torch.LongStorage(n)
   rows:copy(sizes)
   columns:copy(sizes)
   rows[n], columns[n - 1] = 1, 1
   return { rows = like(x):resize(rows):zero(), columns = like(x):resize(columns):zero() }
end

-- mean <- mean + r (new - mean)
local function towards(mean, new, r)
   return mean:mul(1 - r):add(r, new)
end

-- V, in a tensor of its own.
local function second_moment(kept, g, r, epsilon)
   local squares = torch.cmul(g, g)
   if kept.variance then
      return squares:copy(towards(kept.variance, squares, r))
   end
   local n = g:dim()
   local rows = towards(kept.rows, squares:mean(n), r)
   local columns = towards(kept.columns, squares:mean(n - 1), r)
   local share = rows:mean(n - 1):cmax(epsilon)
   return squares:cmul(rows:expandAs(g), columns:expandAs(g)):cdiv(share:expandAs(g))
end

-- |z| / sqrt(elements) as a tensor of one element: on a device nobody waits for it.
local function rms(z)
   return z:view(1, -1):norm(2, 2):div(math.sqrt(z:nElement()))
end

local default = options.declare('adafactor', {
   learningRate = 0.01, learningRateDecay = 0, beta2Decay = -0.8, eps1 = false, eps2 = 1e-3,
   d = 1, weightDecay = 0, parameters = false, shapes = false,
}, 't parts kept')

--- @param opfunc function: x -> loss, gradient
-- @param x Tensor, updated in place
-- @param config table: learningRate (0.01), learningRateDecay (0), beta2Decay (-0.8), eps1 (the
-- last bit of 1 in the type of x), eps2 (1e-3), d (1), weightDecay (0); parameters (the list of
-- `net:parameters()`, or the network) or shapes (a list of sizes): the layers' tensors in x, which
-- is one tensor of its own shape without
-- @param[opt] state table: t (steps), parts, kept (for each part rows and columns, or variance);
-- defaults to config
-- @return x, { loss before the step }
-- @raise "adafactor: the 2 shapes have 20 elements, x has 12"
-- @usage optim.adafactor(feval, parameters, { parameters = net }, state)
-- @example
-- local x, config = torch.Tensor { 4, -2 }, { learningRate = 0.1 }
-- local function square(p) return p:dot(p), p * 2 end
-- for _ = 1, 200 do optim.adafactor(square, x, config) end
-- x:norm() < 1 --> true
local function adafactor(opfunc, x, config, state)
   if on_variables.concerns(x) then
      return on_variables.call(adafactor, opfunc, x, config, state)
   end
   config = step.arguments('adafactor', opfunc, x, config, state)
   state = state or config
   local epsilon = config.eps1 or EPSILON[torch.type(x):match '[^.]+$']
   local d = config.d or default.d

   local fx, g = step.evaluate('adafactor', opfunc, x)
   local steps = state.t or 0
   local rate = step.rate('adafactor', config, default.learningRate, steps)
   local list = parts.of('adafactor', x, config, state)
   local t = steps + 1
   local r = t ^ (config.beta2Decay or default.beta2Decay)
   local longest = math.min(rate, 1 / math.sqrt(t))
   local xs, gs = parts.flat('adafactor', 'x', x), parts.flat('adafactor', 'the gradient', g)
   state.kept = state.kept or {}
   for i = 1, #list do
      local px, pg = parts.view(xs, list[i]), parts.view(gs, list[i])
      local kept = state.kept[i] or memory_for(x, list[i])
      state.kept[i] = kept
      local factor = rms(px):cmax(config.eps2 or default.eps2):mul(longest)
      px:mul(1 - rate * (config.weightDecay or default.weightDecay))
      local u = second_moment(kept, pg, r, epsilon):cmax(epsilon * epsilon):sqrt()
      u:cdiv(pg, u)
      factor:cdiv(rms(u):div(d):cmax(1))
      local sizes = torch.LongStorage(u:dim()):fill(1)
      px:addcmul(-1, u, factor:view(sizes):expandAs(u))
   end
   state.t = t
   return x, { fx }
end

return adafactor
