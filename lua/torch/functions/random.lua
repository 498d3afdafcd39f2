--- Random numbers: generators, single draws, and random fills in Torch7's sequences.
-- @module torch.functions.random
local ffi = require 'ffi'
local th = require 'torch.ffi'
local core = require 'torch.core'
local class = require 'torch.class'
local Tensors = require 'torch.Tensor'
local fill = require 'torch.functions.fill'

local type = type -- torch puts its own in the global's place

local C, check, raise = th.C, th.check, th.raise
local isTensor, likeType, badArguments = th.isTensor, th.likeType, th.badArguments
local numeric, withNumbers, cut = th.numeric, th.withNumbers, th.cut

local T, F = {}, {}

-- --- generators ---------------------------------------------------------------------------------

local Generator = ffi.typeof 'struct { TH_Generator *generator; }'
local STATE_BYTES = 5048

--- A random number generator of its own: the first argument of the functions below that take `gen`.
-- A new one is seeded by the operating system. Without `gen` they use the default generator.
-- @type torch.Generator
-- @usage local gen = torch.Generator()
-- torch.manualSeed(gen, 7)
-- print(torch.uniform(gen))
-- @example
-- local gen = torch.Generator()
-- torch.manualSeed(gen, 7)
-- local x = torch.rand(gen, 3)
-- torch.manualSeed(gen, 7)
-- torch.rand(gen, 3):equal(x) --> true
local generatorClass
local function newGenerator()
   local g = Generator()
   g.generator = C.TH_Generator_new()
   if g.generator == nil then
      raise('Generator: out of memory')
   end
   ffi.gc(g, function(self)
      C.TH_Generator_free(self.generator)
   end)
   return g
end

local methods = {}
--- The state as bytes, for torch.save.
function methods.write(self, file)
   file:writeByte(F.getRNGState(self):storage())
end
--- What torch.load reads.
function methods.read(self, file)
   local bytes = file:readByte(STATE_BYTES)
   F.setRNGState(self, Tensors.setStorage(Tensors.empty(C.TH_BYTE), bytes, 1, #bytes, 1))
end
--- Take over another generator's state.
-- @return self
function methods.copy(self, other)
   C.TH_Generator_copy(self.generator, other.generator)
   return self
end

generatorClass = class.newmetatable('torch.Generator', nil, newGenerator, nil, newGenerator)
for name, method in pairs(methods) do
   generatorClass[name] = method
end
class.metatype('torch.Generator', Generator)

local function isGenerator(x)
   return type(x) == 'cdata' and ffi.istype(Generator, x)
end

local default = newGenerator()
F._gen = default

-- The generator given as the first argument, or the default one; and the other arguments.
local function pick(...)
   if isGenerator((...)) then
      return (...).generator, select(2, ...)
   end
   return default.generator, ...
end

--- Seed from the operating system.
-- @return the seed
-- @usage torch.seed([gen]) -> number
-- @example torch.seed() == torch.initialSeed() --> true
function F.seed(g)
   return tonumber(C.TH_Generator_seed((pick(g))))
end

--- The last seed that was set.
-- @usage torch.initialSeed([gen]) -> number
-- @example
-- torch.manualSeed(5)
-- torch.initialSeed() --> 5
function F.initialSeed(g)
   return tonumber(C.TH_Generator_initialSeed((pick(g))))
end

-- Tensors on other devices draw from a generator of their device unless one was given.
local function drawing(t, generator)
   if t.device_type ~= C.TH_CPU and generator == default.generator then
      return nil
   end
   return generator
end

local function setSeed(generator, seed)
   if type(seed) == 'string' then
      seed = numeric(seed) or seed
   end
   if type(seed) ~= 'number' then
      raise(('manualSeed: the seed must be a number, got %s'):format(class.type(seed)))
   end
   C.TH_Generator_manualSeed(generator, ffi.cast('uint64_t', ffi.cast('int64_t', seed)))
end

--- Seed: torch.manualSeed([gen,] seed).
-- @usage torch.manualSeed([gen,] seed)
-- @example
-- torch.manualSeed(1)
-- local x = torch.rand(3)
-- torch.manualSeed(1)
-- torch.rand(3):equal(x) --> true
function F.manualSeed(...)
   setSeed(pick(...))
end

--- The generator's state, a ByteTensor of 5048 bytes.
-- @usage torch.getRNGState([gen]) -> ByteTensor
-- @example
-- local state = torch.getRNGState()
-- local x = torch.rand(3)
-- torch.setRNGState(state)
-- torch.rand(3):equal(x) --> true
function F.getRNGState(g)
   local state = Tensors.empty(C.TH_BYTE):resize(STATE_BYTES)
   check(C.TH_Generator_getState((pick(g)), state.store.byte_data, STATE_BYTES))
   return state
end

local function setState(generator, state)
   if not isTensor(state) or state.dtype ~= C.TH_BYTE or state.device_type ~= 0
      or not C.TH_isContiguous(state) then
      raise('setRNGState: expected a ByteTensor as getRNGState returns it')
   end
   local bytes = state.store.byte_data + state.offset
   check(C.TH_Generator_setState(generator, bytes, C.TH_nElement(state)))
end

--- Set the state: torch.setRNGState([gen,] state).
-- @usage torch.setRNGState([gen,] ByteTensor)
-- @example
-- local state = torch.getRNGState()
-- local x = torch.randn(3)
-- torch.setRNGState(state)
-- torch.randn(3):equal(x) --> true
function F.setRNGState(...)
   setState(pick(...))
end

-- --- draws and fills ----------------------------------------------------------------------------

-- A distribution with up to two numbers. torch.f([gen,] a, b) draws one number,
-- torch.f(res, [gen,] a, b) and t:f([gen,] a, b) fill a tensor.
local function distribution(name, row, draw, defaultA, defaultB)
   local forms = '[gen] [numbers] | *T* [gen] [numbers]'
   local two = defaultB ~= nil
   local call = core[row]

   local function numbers(a, b)
      a = a == nil and defaultA or a
      b = b == nil and defaultB or b
      if type(a) ~= 'number' or (two and type(b) ~= 'number') then
         return withNumbers(numbers, name, forms, 2, a, b)
      end
      return a, b
   end

   local function fillWith(r, generator, a, b)
      a, b = numbers(a, b)
      generator = drawing(r, generator)
      call(r, generator, a, b) -- of one that takes a single number, b is nil and one too many
      return r
   end

   local function one(generator, a, b)
      a, b = numbers(a, b)
      return tonumber(draw(generator, a, b))
   end

   T[name] = function(r, ...)
      return fillWith(r, pick(...))
   end
   F[name] = function(...)
      local first = ...
      if isTensor(first) then
         return T[name](...)
      end
      return one(pick(...))
   end
end

local function positive(name, what, x)
   if not (x > 0) then -- luacheck: ignore 581 (NaN is refused too)
      raise(('%s: %s must be greater than 0, got %s'):format(name, what, tostring(x)))
   end
end

local function probability(name, p, open)
   if not (p >= 0 and p <= 1) or (open and (p == 0 or p == 1)) then
      raise(('%s: the probability must be %s, got %s'):format(
         name, open and 'between 0 and 1' or 'from 0 to 1', tostring(p)))
   end
end

--- Uniform in [a, b), by default [0, 1): one number, or a tensor filled.
-- @usage torch.uniform([gen,] [a=0,] [b=1]) -> number
-- torch.uniform(res, [gen,] [a=0,] [b=1]) -> res
-- t:uniform([gen,] [a=0,] [b=1]) -> self
-- @example
-- local x = torch.Tensor(1000):uniform(2, 3)
-- x:min() >= 2 and x:max() < 3 --> true
distribution('uniform', 'uniform', function(g, a, b)
   return C.TH_Generator_uniform(g, a, b)
end, 0, 1)

--- Normal with mean (default 0) and standard deviation (default 1): one number, or a tensor filled.
-- @usage torch.normal([gen,] [mean=0,] [stdv=1]) -> number
-- torch.normal(res, [gen,] [mean=0,] [stdv=1]) -> res
-- t:normal([gen,] [mean=0,] [stdv=1]) -> self
-- @example math.abs(torch.Tensor(10000):normal(5, 2):mean() - 5) < 0.1 --> true
distribution('normal', 'normal', function(g, mean, stdv)
   positive('normal', 'the standard deviation', stdv)
   return C.TH_Generator_normal(g, mean, stdv)
end, 0, 1)

--- Cauchy: p(x) = sigma / (pi ((x - median)^2 + sigma^2)); one number, or a tensor filled.
-- @usage torch.cauchy([gen,] [median=0,] [sigma=1]) -> number
-- torch.cauchy(res, [gen,] [median=0,] [sigma=1]) -> res
-- t:cauchy([gen,] [median=0,] [sigma=1]) -> self
-- @example math.abs(torch.Tensor(10001):cauchy(3, 0.1):median()[1] - 3) < 0.1 --> true
distribution('cauchy', 'cauchy', function(g, median, sigma)
   return C.TH_Generator_cauchy(g, median, sigma)
end, 0, 1)

--- e^x for a normal x with mean (default 1) and standard deviation (default 2).
-- @usage torch.logNormal([gen,] [mean=1,] [stdv=2]) -> number
-- torch.logNormal(res, [gen,] [mean=1,] [stdv=2]) -> res
-- t:logNormal([gen,] [mean=1,] [stdv=2]) -> self
-- @example torch.Tensor(1000):logNormal(1, 2):min() > 0 --> true
distribution('logNormal', 'log_normal', function(g, mean, stdv)
   positive('logNormal', 'the standard deviation', stdv)
   return C.TH_Generator_logNormal(g, mean, stdv)
end, 1, 2)

--- Exponential: p(x) = lambda e^(-lambda x); one number, or a tensor filled.
-- @usage torch.exponential([gen,] lambda) -> number
-- torch.exponential(res, [gen,] lambda) -> res
-- t:exponential([gen,] lambda) -> self
-- @example math.abs(torch.Tensor(10000):exponential(2):mean() - 0.5) < 0.05 --> true
distribution('exponential', 'exponential', function(g, lambda)
   return C.TH_Generator_exponential(g, lambda)
end)

--- Geometric: P(i) = (1 - p) p^(i - 1) for i = 1, 2, ...; 0 < p < 1.
-- @usage torch.geometric([gen,] p) -> number
-- torch.geometric(res, [gen,] p) -> res
-- t:geometric([gen,] p) -> self
-- @example torch.Tensor(1000):geometric(0.5):min() --> 1
distribution('geometric', 'geometric', function(g, p)
   probability('geometric', p, true)
   return C.TH_Generator_geometric(g, p)
end)
distribution('bernoulli', 'bernoulli', function(g, p)
   probability('bernoulli', p)
   return C.TH_Generator_bernoulli(g, p)
end, 0.5)

local fillBernoulli = T.bernoulli
local function bernoulliTensor(r, generator, p)
   generator = drawing(r, generator)
   core.bernoulli_tensor(r, generator, p)
   return r
end

--- t:bernoulli([gen,] [p = 0.5]), with p a number or a tensor of probabilities.
-- @usage torch.bernoulli([gen,] [p=0.5]) -> number
-- torch.bernoulli(res, [gen,] [p=0.5]) -> res
-- torch.bernoulli(res, [gen,] FloatTensor) -> res
-- torch.bernoulli(res, [gen,] t) -> res
-- t:bernoulli([gen,] [p=0.5]) -> self
-- t:bernoulli([gen,] FloatTensor) -> self
-- t:bernoulli([gen,] t) -> self
-- @example torch.Tensor(3):bernoulli(1) --> { 1, 1, 1 }
function T.bernoulli(r, a, b)
   local p = isGenerator(a) and b or a
   if isTensor(p) then
      return bernoulliTensor(r, (pick(a)), p)
   end
   return fillBernoulli(r, a, b)
end

local drawBernoulli = F.bernoulli
function F.bernoulli(...)
   if isTensor((...)) then
      return T.bernoulli(...)
   end
   return drawBernoulli(...)
end

local function checkRange(a, b)
   if type(a) ~= 'number' or type(b) ~= 'number' then
      return withNumbers(checkRange, 'random', '[gen] [[a] b] | *T* [gen] [[a] b]', 2, a, b)
   end
   a, b = cut(a), cut(b)
   if b < a then
      raise(('random: the range %s to %s is empty'):format(tostring(a), tostring(b)))
   end
   return a, b
end

local function drawInteger(generator, a, b)
   if a == nil then
      return tonumber(C.TH_Generator_random(generator))
   elseif b == nil then
      a, b = 1, a
   end
   a, b = checkRange(a, b)
   return tonumber(C.TH_Generator_random(generator)) % (b - a + 1) + a
end

local function fillIntegers(r, generator, a, b)
   generator = drawing(r, generator)
   if a == nil then
      core.random(r, generator)
      return r
   elseif b == nil then
      a, b = 1, a
   end
   a, b = checkRange(a, b)
   core.random_range(r, generator, a, b)
   return r
end

--- Integers: of the type's whole range, from 1 to b, or from a to b.
-- @usage torch.random([gen,] a, b) -> number
-- torch.random([gen,] a) -> number
-- torch.random([gen]) -> number
-- torch.random(res, [gen,] a, b) -> res
-- torch.random(res, [gen,] a) -> res
-- torch.random(res [, gen]) -> res
-- t:random([gen,] a, b) -> self
-- t:random([gen,] a) -> self
-- t:random([gen]) -> self
-- @example
-- local x = torch.LongTensor(1000):random(1, 6)
-- x:min(), x:max() --> 1, 6
function T.random(r, ...)
   return fillIntegers(r, pick(...))
end

function F.random(...)
   if isTensor((...)) then
      return T.random(...)
   end
   return drawInteger(pick(...))
end

-- --- new random tensors -------------------------------------------------------------------------

-- rand and randn: torch.f([res,] [gen,] sizes...).
local function sized(name, call, a, b)
   local function run(r, generator, ...)
      generator = drawing(r, generator)
      local sizes, n = Tensors.givenSizes(name, select('#', ...), ...)
      if n == 0 then
         raise(name .. ': sizes are missing')
      end
      core.resize(r, n, sizes, nil)
      call(r, generator, a, b)
      return r
   end
   T[name] = function(r, ...)
      return run(r, pick(...))
   end
   F[name] = function(...)
      return T[name](fill.target(name, ...))
   end
end

--- A tensor of these sizes, uniform in [0, 1).
-- @usage torch.rand([res,] [gen,] sizes...) -> res
-- t:rand([gen,] sizes...) -> self
-- @example #torch.rand(2, 3) --> { 2, 3 }
sized('rand', core.uniform, 0, 1)

--- A tensor of these sizes, normal with mean 0 and standard deviation 1.
-- @usage torch.randn([res,] [gen,] sizes...) -> res
-- t:randn([gen,] sizes...) -> self
-- @example #torch.randn(2, 3) --> { 2, 3 }
sized('randn', core.normal, 0, 1)

local function randperm(r, generator, n)
   generator = drawing(r, generator)
   if type(n) ~= 'number' then
      n = numeric(n) or badArguments('randperm', '[*T*] [gen] n', 2, r, n)
   end
   core.randperm(r, generator, n)
   return r
end

--- The numbers 1 to n in random order.
-- @usage torch.randperm([res,] [gen,] n) -> res
-- t:randperm([gen,] n) -> self
-- @example torch.sort(torch.randperm(4)) --> { 1, 2, 3, 4 }, { 4, 1, 3, 2 }
function T.randperm(r, ...)
   return randperm(r, pick(...))
end
function F.randperm(...)
   return T.randperm(fill.target('randperm', ...))
end

local function multinomial(r, generator, p, n, replacement)
   if type(n) == 'string' then
      n = numeric(n) or n
   end
   if not isTensor(p) or type(n) ~= 'number' then
      badArguments('multinomial', '[*LongTensor*] [gen] T n [replacement = false]', 3, p, n,
         replacement)
   end
   r, generator = r or likeType(p, C.TH_LONG), drawing(p, generator)
   core.multinomial(r, generator, p, n, replacement or false)
   return r
end

--- n draws from each row of weights: positions counted from 1.
-- torch.multinomial([res,] [gen,] p, n[, replacement = false]); also p:multinomial(n).
-- @usage torch.multinomial([idx,] [gen,] t, n [, replacement=false]) -> idx
-- t:multinomial([gen,] t, n [, replacement=false]) -> idx
-- @example torch.multinomial(torch.Tensor { 0, 1, 0 }, 3, true) --> { 2, 2, 2 }
function F.multinomial(a, b, c, d, e)
   if isGenerator(a) then
      return multinomial(nil, a.generator, b, c, d)
   elseif isGenerator(b) then
      return multinomial(a, b.generator, c, d, e)
   elseif isTensor(b) then
      return multinomial(a, default.generator, b, c, d)
   end
   return multinomial(nil, default.generator, a, b, c)
end
T.multinomial = F.multinomial

return { methods = T, functions = F, isGenerator = isGenerator }
