--- The lattice of nn.CTCCriterion: T frames by S = 2 L + 1 states for each of N samples, the labels
-- with a blank before, between and behind them. All samples and states of a frame at once.
--
-- Probabilities are logarithms; NEVER stands for that of 0, so that no difference of two is NaN.
-- @module nn.criterion.classification.ctc_lattice

local torch = require 'torch'
local th = require 'torch.ffi'

local M = {}

local NEVER = -1e30

-- The states' classes, NEVER where a state may not be entered from two before it, and where a
-- sample must end; of samples with fewer labels, states behind the end have no way to it.
local function states(labels, blank)
   local most = 0
   for _, list in ipairs(labels) do
      most = math.max(most, #list)
   end
   local class, skip, ends = {}, {}, {}
   for n, list in ipairs(labels) do
      class[n], skip[n], ends[n] = {}, {}, {}
      for s = 1, 2 * most + 1 do
         local i = s / 2
         local label = s % 2 == 0 and list[i]
         class[n][s] = label or blank
         skip[n][s] = label and i > 1 and label ~= list[i - 1] and 0 or NEVER
         ends[n][s] = (s == 2 * #list or s == 2 * #list + 1) and 0 or NEVER
      end
   end
   return class, skip, ends, 2 * most + 1
end

-- Memory for what is computed from log_p. Where that is a Variable, what is written into parts of
-- the memory belongs to the record, too.
local function room(l, ...)
   local r = th.like(l.log_p):resize(...)
   return l.log_p:isVariable() and r:requiresGrad(false) or r
end

local function beside(x, values)
   return torch.Tensor(values):type(x:type())
end

--- Make a lattice.
-- @tparam Tensor log_p T x N x C, of float or double; becomes 0 behind the samples' frames
-- @tparam table labels of each sample
-- @tparam[opt] table frames of each sample; nil: all T
-- @int blank
function M.new(log_p, labels, frames, blank)
   local T, N = log_p:size(1), log_p:size(2)
   local class, skip, ends, S = states(labels, blank)
   local l = {
      T = T, N = N, S = S, log_p = log_p,
      class = th.likeType(log_p, th.C.TH_LONG):resize(N, S):copy(torch.LongTensor(class)),
      skip = beside(log_p, skip), ends = beside(log_p, ends),
   }
   if frames then -- 1 in a sample's own frames; what lies behind them may be anything
      l.own = th.like(log_p):resize(T, N, 1):zero()
      for n, count in ipairs(frames) do
         l.own:select(2, n):narrow(1, 1, count):fill(1)
      end
      log_p:maskedFill(l.own:eq(0):expandAs(log_p), 0)
   end
   l.emission = log_p:gather(3, l.class:view(1, N, S):expand(T, N, S)):cmax(NEVER)
   return l
end

-- e^x in place for x up to 0, where what is below 1e-34 does not matter: the vector functions are
-- slow where e^x is 0.
local function exp(x)
   return x:cmax(-80):exp()
end

-- r = log(e^a + e^b + e^c)
local function add_up(r, a, b, c, largest, part)
   largest:cmax(a, b)
   largest:cmax(c)
   exp(r:add(a, -1, largest))
   r:add(exp(part:add(b, -1, largest)))
   r:add(exp(part:add(c, -1, largest)))
   return r:log():add(largest)
end

local function scratch(l)
   local N, S = l.N, l.S
   return room(l, N, S), room(l, N, S), room(l, N, S), room(l, N, S + 2):fill(NEVER)
end

-- The probability of what comes after frame t, from each state: T x N x S.
local function after(l)
   local T, S = l.T, l.S
   local r = room(l, T, l.N, S)
   local largest, part, jump, padded = scratch(l) -- two states that are none at the end
   local here = padded:narrow(2, 1, S)
   r[T]:copy(l.ends)
   for t = T - 1, 1, -1 do
      here:add(r[t + 1], l.emission[t + 1])
      jump:fill(NEVER)
      if S > 2 then
         jump:narrow(2, 1, S - 2):add(here:narrow(2, 3, S - 2), l.skip:narrow(2, 3, S - 2))
      end
      add_up(r[t], here, padded:narrow(2, 2, S), jump, largest, part)
      if l.own then -- samples that have ended
         local own = l.own[t + 1]:expandAs(here)
         r[t]:cmul(own):addcmul(l.ends, 1 - own)
      end
   end
   return r
end

-- The probability of what comes up to frame t, to each state: T x N x S.
local function up_to(l)
   local T, S = l.T, l.S
   local r = room(l, T, l.N, S)
   local largest, part, jump, padded = scratch(l) -- two states that are none at the front
   local here = padded:narrow(2, 3, S)
   r[1]:fill(NEVER)
   r[1]:narrow(2, 1, math.min(S, 2)):copy(l.emission[1]:narrow(2, 1, math.min(S, 2)))
   for t = 2, T do
      here:copy(r[t - 1])
      jump:add(padded:narrow(2, 1, S), l.skip)
      add_up(r[t], here, padded:narrow(2, 2, S), jump, largest, part)
      r[t]:add(l.emission[t])
   end
   return r
end

--- -log of the probability of each sample's labels: N numbers.
function M.costs(l)
   l.after = after(l)
   local starts = math.min(l.S, 2)
   local first = l.after[1]:narrow(2, 1, starts) + l.emission[1]:narrow(2, 1, starts)
   local largest = first:max(2)
   l.total = (first - largest:expandAs(first)):exp():sum(2):log():add(largest) -- N x 1
   local costs = -l.total:view(-1)
   return costs:maskedFill(costs:gt(-NEVER / 2), math.huge)
end

--- The gradient of the sum of the costs by the scores, T x N x C: the probability of each class
-- minus that of being in its states, given the labels.
function M.gradient(l)
   local T, N, S, C = l.T, l.N, l.S, l.log_p:size(3)
   local within = up_to(l):add(l.after)
   within:add(-1, l.total:view(1, N, 1):expandAs(within))
   exp(within:cmin(0)) -- of samples without a path `total` is no bound
   local g = torch.exp(l.log_p)
   local rows = torch.range(0, T * N - 1):mul(C):long():view(T, N, 1)
   local places = th.likeType(l.class, th.C.TH_LONG):resize(T, N, 1):copy(rows):expand(T, N, S)
      + l.class:view(1, N, S):expand(T, N, S)
   g:view(-1):indexAdd(1, places:view(-1), within:neg():view(-1))
   local possible = l.total:gt(NEVER / 2):typeAs(g):view(1, N, 1)
   g:cmul(possible:expandAs(g))
   if l.own then
      g:cmul(l.own:expandAs(g))
   end
   return g
end

return M
