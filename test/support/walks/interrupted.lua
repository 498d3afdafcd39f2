-- Runs families of operations while a timer's signal interrupts them some thousands of times a
-- second: th test/support/walks/interrupted.lua SECONDS-FOR-EACH, in the root of the repository.
-- Results must be those without a timer.
--
-- The handler runs on the ordinary stack, as a profiler's or the prompt's does, below wherever the
-- stack pointer points at that moment. The kernel puts some 3 KiB there (all registers) before the
-- handler has done anything, so any function will do as one.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'
local add_layers = require 'test.support.walks.interrupted_layers'

ffi.cdef [[
struct interrupted_timer { long interval_s, interval_us, first_s, first_us; };
int interrupted_setitimer(int which, const struct interrupted_timer *new, void *old)
   __asm__("setitimer");
void *interrupted_signal(int number, void *handler) __asm__("signal");
int interrupted_handler(int number) __asm__("toascii");
]]
local ITIMER_REAL, SIGALRM = 0, 14
local MICROSECONDS = 150

local seconds = tonumber(arg[1]) or 0.5
torch.manualSeed(1)
torch.setnumthreads(2)

local function random(type, ...)
   return torch[type .. 'Tensor'](...):uniform(-1, 1)
end

local families = {}
local function family(name, make)
   families[#families + 1] = { name = name, run = make() }
end

for _, type in ipairs { 'Float', 'Double', 'Half' } do
   family('products, ' .. type, function()
      local sides = {}
      for _, s in ipairs { { 1000, 200, 500 }, { 64, 64, 64 }, { 130, 300, 40 }, { 8, 700, 300 },
         { 300, 1, 300 }, { 37, 4000, 41 } } do
         local m, k, n = unpack(s)
         sides[#sides + 1] = { random(type, m, k), random(type, k, n) }
         sides[#sides + 1] = { random(type, k, m):t(), random(type, n, k):t() }
      end
      local xs, ys = random(type, 10, 50, 60), random(type, 10, 60, 70)
      return function()
         local results = { torch.bmm(xs, ys) }
         for _, pair in ipairs(sides) do
            results[#results + 1] = pair[1] * pair[2]
         end
         return results
      end
   end)
end

for _, type in ipairs { 'Float', 'Double' } do
   family('convolutions, ' .. type, function()
      local cases = {}
      -- inputs, outputs, kernel, step, padding, groups, size
      for _, s in ipairs { { 3, 16, 5, 2, 2, 1, 33 }, { 32, 32, 3, 1, 1, 1, 14 },
         { 64, 48, 1, 1, 0, 1, 14 }, { 32, 32, 3, 1, 1, 32, 14 }, { 24, 36, 3, 1, 1, 3, 9 },
         { 65, 70, 3, 1, 1, 1, 7 }, { 128, 128, 7, 3, 3, 1, 12 },
         { 40, 48, 3, 1, 1, 1, 28 } } do
         local C, K, kernel, step, pad, groups, size = unpack(s)
         local x = random(type, 4, C, size, size)
         local layer = nn.SpatialConvolution(C, K, kernel, kernel, step, step, pad, pad)
         layer = layer:type('torch.' .. type .. 'Tensor')
         if groups > 1 then
            layer = nil
            cases[#cases + 1] = function()
               local w = torch[type .. 'Tensor'](K, C / groups, kernel, kernel):fill(0.1)
               local r = x.new()
               require('torch.ffi').check(require('torch.ffi').C.TH_conv(r, x, w, nil, 2,
                  ffi.new('int64_t[2]', step, step), ffi.new('int64_t[2]', pad, pad),
                  ffi.new('int64_t[2]', 1, 1), groups))
               return r
            end
         else
            cases[#cases + 1] = function()
               local y = layer:forward(x):clone()
               layer:zeroGradParameters()
               return y, layer:backward(x, y):clone(), layer.gradWeight:clone()
            end
         end
      end
      return function()
         local results = {}
         for _, case in ipairs(cases) do
            for _, r in ipairs { case() } do
               results[#results + 1] = r
            end
         end
         return results
      end
   end)

   family('layers, ' .. type, function()
      local x = random(type, 8, 16, 15, 15)
      local layers = { nn.SpatialMaxPooling(3, 3, 2, 2), nn.SpatialAveragePooling(2, 2, 2, 2),
         nn.SpatialBatchNormalization(16), nn.SpatialFullConvolution(16, 8, 3, 3, 2, 2),
         nn.LogSoftMax(), nn.Tanh() }
      for i, layer in ipairs(layers) do
         layers[i] = layer:type('torch.' .. type .. 'Tensor')
      end
      return function()
         local results = {}
         for _, layer in ipairs(layers) do
            local y = layer:forward(x):clone()
            results[#results + 1] = y
            results[#results + 1] = layer:backward(x, y):clone()
         end
         return results
      end
   end)

   add_layers(type, family, random)

   family('linear algebra, ' .. type, function()
      local a, b = random(type, 90, 90), random(type, 90, 20)
      local symmetric = a * a:t()
      for i = 1, 90 do
         symmetric[i][i] = symmetric[i][i] + 90
      end
      return function()
         local values = torch.symeig(symmetric)
         local q, r = torch.qr(a)
         local _, singular = torch.svd(a)
         return { torch.gesv(b, a), torch.inverse(a), torch.potrf(symmetric), values, q, r,
            singular }
      end
   end)

   family('elements and reductions, ' .. type, function()
      local x, y = random(type, 300, 400), random(type, 300, 400)
      local positions = torch.LongTensor(500):random(300)
      local kernel = random(type, 5, 5)
      return function()
         return { torch.add(x, y), torch.exp(x), torch.tanh(x), torch.cmul(x, y), torch.lt(x, y),
            torch.sum(x, 1), torch.sum(x, 2), torch.max(x, 2), torch.var(x, 1), torch.cumsum(x, 2),
            (torch.sort(x, 2)), (torch.topk(x, 10, 2)), x:index(1, positions), x:t():clone(),
            x:narrow(2, 3, 200):clone(), torch.cat(x, y, 2), x[x:gt(0)], torch.conv2(x, kernel),
            torch.histc(x), x:type('torch.ByteTensor') }
      end
   end)
end

family('random numbers', function()
   local x = torch.DoubleTensor(300, 300)
   return function()
      torch.manualSeed(7)
      return { x:uniform():clone(), x:normal():clone(), x:exponential(1):clone(),
         x:bernoulli(0.3):clone(), torch.randperm(5000) }
   end
end)

local function same(a, b)
   for i, r in ipairs(a) do
      if not r:equal(b[i]) then
         return false
      end
   end
   return true
end

ffi.C.interrupted_signal(SIGALRM, ffi.cast('void *', ffi.C.interrupted_handler))
local function timer(microseconds)
   local every = ffi.new('struct interrupted_timer', 0, microseconds, 0, microseconds)
   assert(ffi.C.interrupted_setitimer(ITIMER_REAL, every, nil) == 0)
end

for _, f in ipairs(families) do
   local quiet = f.run()
   local clock, rounds = torch.Timer(), 0
   timer(MICROSECONDS)
   repeat
      local interrupted = f.run()
      rounds = rounds + 1
      assert(same(quiet, interrupted), f.name .. ': other results when interrupted')
      interrupted = nil -- luacheck: ignore 311
      collectgarbage() -- finds a heap that was overwritten
   until clock:time().real > seconds
   timer(0)
   print(('%s: %d rounds'):format(f.name, rounds))
end
print 'survived'
