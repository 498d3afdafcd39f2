-- Every row of lib/TH/ops/pointwise.def against the formula on plain numbers.
local torch = require 'torch'
local th = require 'torch.ffi'
local C = th.C

-- The normal distribution: 1/2 + density times x + x^3/3 + x^5/15 + ...
local function normal(x)
   local term, sum, k = x, x, 1
   while math.abs(term) > 1e-18 do
      k = k + 2
      term = term * x * x / k
      sum = sum + term
   end
   return 0.5 + sum * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
end

-- name -> the operation on Lua numbers. A new row needs a line here.
local oracle = {
   abs = math.abs,
   neg = function(x) return -x end,
   sign = function(x) return x > 0 and 1 or x < 0 and -1 or 0 end,
   square = function(x) return x * x end,
   exp = math.exp,
   expm1 = function(x) return math.exp(x) - 1 end,
   log = math.log,
   log1p = function(x) return math.log(1 + x) end,
   sqrt = math.sqrt,
   rsqrt = function(x) return 1 / math.sqrt(x) end,
   cinv = function(x) return 1 / x end,
   sin = math.sin,
   cos = math.cos,
   tan = math.tan,
   asin = math.asin,
   acos = math.acos,
   atan = math.atan,
   sinh = math.sinh,
   cosh = math.cosh,
   tanh = math.tanh,
   floor = math.floor,
   ceil = math.ceil,
   round = function(x) return x < 0 and -math.floor(0.5 - x) or math.floor(x + 0.5) end,
   trunc = function(x) return x < 0 and math.ceil(x) or math.floor(x) end,
   frac = function(x) return x - (x < 0 and math.ceil(x) or math.floor(x)) end,
   sigmoid = function(x) return 1 / (1 + math.exp(-x)) end,
   softplus = function(x) return math.log(1 + math.exp(x)) end,
   relu = function(x) return math.max(x, 0) end,
   selu = function(x)
      return 1.0507009873554805 * (x > 0 and x or 1.6732632423543772 * (math.exp(x) - 1))
   end,
   tanhshrink = function(x) return x - math.tanh(x) end,
   softsign = function(x) return x / (1 + math.abs(x)) end,
   logsigmoid = function(x) return -math.log(1 + math.exp(-x)) end,
   gelu = function(x) return x * normal(x) end,
   gelu_tanh = function(x)
      return x / 2 * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ^ 3)))
   end,
   silu = function(x) return x / (1 + math.exp(-x)) end,
   mish = function(x) return x * math.tanh(math.log(1 + math.exp(x))) end,
   hardsigmoid = function(x) return math.min(math.max(x / 6 + 0.5, 0), 1) end,
   hardswish = function(x) return x * math.min(math.max(x / 6 + 0.5, 0), 1) end,

   add_value = function(x, v) return x + v end,
   mul = function(x, v) return x * v end,
   div = function(x, v) return x / v end,
   fmod = math.fmod,
   remainder = function(x, v) return x % v end,
   pow = function(x, v) return x ^ v end,
   tpow = function(x, v) return v ^ x end,
   cmax_value = math.max,
   cmin_value = math.min,
   lshift = function(x, v) return x * 2 ^ v end,
   rshift = function(x, v) return x / 2 ^ v end,
   bitand_value = bit.band,
   bitor_value = bit.bor,
   bitxor_value = bit.bxor,

   clamp = function(x, a, b) return math.min(math.max(x, a), b) end,
   threshold = function(x, a, b) return x > a and x or b end,
   leaky_relu = function(x, a, b) return x > 0 and b * x or a * x end,
   elu = function(x, a, b) return x > 0 and x or a * (math.exp(b * x) - 1) end,
   hardshrink = function(x, a, b) return (x < a or x > b) and x or 0 end,
   softshrink = function(x, a, b) return x < a and x - a or x > b and x - b or 0 end,

   cmul = function(x, y) return x * y end,
   cdiv = function(x, y) return x / y end,
   cpow = function(x, y) return x ^ y end,
   cfmod = math.fmod,
   cremainder = function(x, y) return x % y end,
   cmax = math.max,
   cmin = math.min,
   atan2 = math.atan2,
   prelu = function(x, y) return x > 0 and x or y * x end,
   clshift = function(x, y) return x * 2 ^ y end,
   crshift = function(x, y) return x / 2 ^ y end,
   cbitand = bit.band,
   cbitor = bit.bor,
   cbitxor = bit.bxor,

   add_scaled = function(x, v, y) return x + v * y end,
   lerp = function(x, v, y) return x + v * (y - x) end,
   pow_backward = function(x, v, y) return x * v * y ^ (v - 1) end,
   addcmul = function(x, v, y, z) return x + v * y * z end,
   addcdiv = function(x, v, y, z) return x + v * y / z end,
   prelu_backward = function(x, v, y, z) return y > v and x or z * x end,

   lt = function(x, y) return x < y and 1 or 0 end,
   le = function(x, y) return x <= y and 1 or 0 end,
   gt = function(x, y) return x > y and 1 or 0 end,
   ge = function(x, y) return x >= y and 1 or 0 end,
   eq = function(x, y) return x == y and 1 or 0 end,
   ne = function(x, y) return x ~= y and 1 or 0 end,
}

local function towardsZero(x)
   return x < 0 and math.ceil(x) or math.floor(x)
end

-- Where integers do not simply truncate the result.
local integerOracle = {
   addcdiv = function(x, v, y, z) return x + towardsZero(v * y / z) end,
}

-- A number as an element of an integer type.
local function asElement(typename, value)
   return torch.LongTensor({ towardsZero(value) }):type(typename)[1]
end

-- Where functions are numbers, and smooth enough for central differences.
local domain = {
   log = { 0.1, 4 }, log1p = { -0.9, 4 }, sqrt = { 0.1, 4 }, rsqrt = { 0.1, 4 }, cinv = { 0.3, 4 },
   asin = { -0.9, 0.9 }, acos = { -0.9, 0.9 }, tan = { -1.4, 1.4 },
   pow = { 0.1, 4 }, cpow = { 0.1, 4 },
   hardsigmoid = { -4, 4 }, hardswish = { -4, 4 }, mish = { -5, 25 },
}

local N = 133 -- several vectors of every instruction set, and a remainder

-- Evenly spread, never on a multiple of 1/2 (where step functions jump).
local function samples(name, shift)
   local range = domain[name] or { -3, 3 }
   local x = torch.DoubleTensor(N)
   for i = 1, N do
      x[i] = range[1] + (range[2] - range[1]) * ((i - 1 + (shift or 0)) % N + 0.31) / N
   end
   return x
end

local function integers(shift, first, last)
   local x = torch.DoubleTensor(N)
   for i = 1, N do
      x[i] = (i * 7 + (shift or 0)) % (last - first + 1) + first
   end
   return x
end

-- Relative to the size of the value: a few units in the last place of libmvec's vector functions.
local tolerance = { ['torch.DoubleTensor'] = 1e-14, ['torch.FloatTensor'] = 2e-6,
   ['torch.HalfTensor'] = 1.5e-3, ['torch.BFloat16Tensor'] = 1.2e-2 }

local function near(expected, got, relative, what)
   if expected ~= expected then
      assert.is_true(got ~= got, what .. ': expected NaN, got ' .. got)
   elseif expected ~= got then
      assert.near(expected, got, relative * math.max(1, math.abs(expected)), what)
   end
end

local floating = { 'torch.HalfTensor', 'torch.BFloat16Tensor', 'torch.FloatTensor',
   'torch.DoubleTensor' }
local integral = { 'torch.ByteTensor', 'torch.CharTensor', 'torch.ShortTensor', 'torch.IntTensor',
   'torch.LongTensor' }

-- Operand count and numbers of a family, as C and the oracle take them.
local families = {
   unary = { operands = 1, numbers = {} },
   scalar = { operands = 1, numbers = { 2 } },
   scalar2 = { operands = 1, numbers = { -1, 2 } },
   binary = { operands = 2, numbers = {} },
   binary_scalar = { operands = 2, numbers = { 3 } },
   ternary_scalar = { operands = 3, numbers = { 3 } },
   compare = { operands = 2, numbers = {} },
}

-- Numbers with which a gradient by the output is one of the input, or that make it differ.
local gradient_numbers = { elu = { 0.7, 1.5 }, leaky_relu = { 0.3, 2 } }

local function call(op, r, xs, numbers)
   local f = C['TH_' .. op.name]
   if op.family == 'unary' then
      th.check(f(r, xs[1]))
   elseif op.family == 'scalar' then
      th.check(f(r, xs[1], numbers[1]))
   elseif op.family == 'scalar2' then
      th.check(f(r, xs[1], numbers[1], numbers[2]))
   elseif op.family == 'binary' or op.family == 'compare' then
      th.check(f(r, xs[1], xs[2]))
   elseif op.family == 'binary_scalar' then
      th.check(f(r, xs[1], numbers[1], xs[2]))
   else
      th.check(f(r, xs[1], numbers[1], xs[2], xs[3]))
   end
   return r
end

local function expectedAt(op, f, numbers, x, y, z)
   if op.family == 'unary' then
      return f(x)
   elseif op.family == 'scalar' then
      return f(x, numbers[1])
   elseif op.family == 'scalar2' then
      return f(x, numbers[1], numbers[2])
   elseif op.family == 'binary' or op.family == 'compare' then
      return f(x, y)
   elseif op.family == 'binary_scalar' then
      return f(x, numbers[1], y)
   end
   return f(x, numbers[1], y, z)
end

-- Layouts that the engine treats differently, all with the same elements in row-major order.
local layouts = {
   contiguous = function(x)
      return x
   end,
   strided = function(x) -- every second element of a longer vector
      local base = x.new(2 * x:nElement()):fill(99)
      return base:view(x:nElement(), 2):select(2, 1):copy(x)
   end,
   transposed = function(x)
      local n = x:nElement()
      local rows = n % 7 == 0 and 7 or 1
      return x.new(n / rows, rows):t():copy(x)
   end,
}

describe('an element-wise operation', function()
   for _, op in ipairs(torch.ops) do
      assert(oracle[op.name], 'no oracle for ' .. op.name .. ': add a line to this file')
      local family = families[op.family]

      local function check(typename, xs, numbers, formula)
         local operands = {}
         for k, x in ipairs(xs) do
            operands[k] = x:type(typename)
         end
         for layout, arrange in pairs(layouts) do
            local arranged = {}
            for k, x in ipairs(operands) do
               arranged[k] = arrange(x)
            end
            local r = call(op, torch.factory(op.family == 'compare' and 'torch.ByteTensor'
               or typename)(), arranged, numbers)
            local flat = r:double():contiguous():view(-1)
            for i = 1, N do
               local e = expectedAt(op, formula, numbers, operands[1][i],
                  operands[2] and operands[2][i], operands[3] and operands[3][i])
               near(e, flat[i], tolerance[typename] or 0,
                  ('%s of %s (%s), element %d'):format(op.name, typename, layout, i))
            end
         end
      end

      if op.dtypes ~= 'Integral' then
         it(op.name .. ' agrees with the formula for floating types', function()
            for _, typename in ipairs(floating) do
               local numbers = family.numbers
               local xs = {}
               for k = 1, family.operands do
                  xs[k] = samples(op.name, 17 * (k - 1))
               end
               -- A quotient or remainder of rounded operands may be far from that of exact ones:
               -- the oracle sees the operands as the type holds them, so only the result rounds.
               check(typename, xs, numbers, oracle[op.name])
            end
         end)
      end

      if op.dtypes ~= 'Floating' then
         it(op.name .. ' agrees with the formula for integers', function()
            for _, typename in ipairs(integral) do
               -- what a shift does to a negative number depends on the width of the type
               local low = (typename == 'torch.ByteTensor' or op.name:match 'shift') and 0 or -5
               local numbers, xs = {}, {}
               for k, v in ipairs(family.numbers) do
                  numbers[k] = math.max(v, 1)
               end
               if op.family == 'scalar2' then
                  numbers = { 1, 4 }
               end
               for k = 1, family.operands do
                  local divisor = k == family.operands and k > 1
                  xs[k] = integers(3 * k, divisor and 1 or low, 5)
               end
               check(typename, xs, numbers, function(...)
                  return asElement(typename, (integerOracle[op.name] or oracle[op.name])(...))
               end)
            end
         end)
      end

      if op.family == 'unary' or op.family == 'scalar2' then
         it(op.name .. ' has the gradient that central differences show', function()
            local numbers = gradient_numbers[op.name] or family.numbers
            local x, h = samples(op.name), 1e-6
            local function f(v)
               return oracle[op.name](v, unpack(numbers))
            end
            local y = torch.DoubleTensor()
            th.check(C['TH_' .. op.name](y, x, unpack(numbers)))
            local g, gx = samples('g', 40), torch.DoubleTensor()
            th.check(C['TH_' .. op.name .. '_backward'](gx, g, x, y, unpack(numbers)))
            for i = 1, N do
               local slope = (f(x[i] + h) - f(x[i] - h)) / (2 * h)
               -- h^2 of the third derivative, and rounding of the values over 2h
               assert.near(slope * g[i], gx[i], 2e-7 * math.max(1, math.abs(slope * g[i])),
                  op.name .. ' at ' .. x[i])
            end
         end)
      end
   end
end)

describe('element-wise call forms', function()
   local function t(...)
      return torch.DoubleTensor { ... }
   end

   it('add takes numbers, tensors and factors, in place and into a result', function()
      assert.is_true(t(1, 2):add(3):equal(t(4, 5)))
      assert.is_true(t(1, 2):add(t(10, 20)):equal(t(11, 22)))
      assert.is_true(t(1, 2):add(2, t(10, 20)):equal(t(21, 42)))
      local r = torch.DoubleTensor()
      assert.equal(r, r:add(t(1, 2), 5))
      assert.is_true(r:equal(t(6, 7)))
      assert.is_true(r:add(t(1, 2), t(3, 4)):equal(t(4, 6)))
      assert.is_true(r:add(t(1, 2), 2, t(3, 4)):equal(t(7, 10)))
      assert.is_true(torch.add(t(1, 2), 3):equal(t(4, 5)))
      assert.is_true(torch.add(t(1, 2), 2, t(3, 4)):equal(t(7, 10)))
      assert.is_true(torch.add(r, t(1, 2), 2, t(3, 4)):equal(t(7, 10)))
      assert.is_true(torch.csub(t(5, 5), 2, t(1, 2)):equal(t(3, 1)))
      assert.is_true(t(5, 5):csub(1):equal(t(4, 4)))
   end)

   it('functions leave their operand alone and methods change it', function()
      local x = t(1, 4)
      assert.is_true(torch.sqrt(x):equal(t(1, 2)))
      assert.is_true(x:equal(t(1, 4)))
      assert.equal(x, x:sqrt())
      assert.is_true(x:equal(t(1, 2)))
   end)

   it('pow takes the number on either side', function()
      -- pow is good to some units in the last place, no better: at most 9 * 2^-52 each here.
      assert.near(0, (torch.pow(t(1, 2, 3), 2) - t(1, 4, 9)):abs():max(), 1e-14)
      assert.near(0, (torch.pow(2, t(1, 2, 3)) - t(2, 4, 8)):abs():max(), 1e-14)
      assert.near(8, torch.pow(2, 3), 1e-14)
   end)

   it('functions of numbers give numbers', function()
      assert.near(math.exp(1), torch.exp(1), 1e-15)
      assert.equal(2, torch.sqrt(4))
      assert.equal(3, torch.abs(-3))
   end)

   it('operands of different shapes go by row-major order', function()
      local a = torch.range(1, 6):view(2, 3)
      local b = torch.range(1, 6):view(3, 2)
      local r = torch.cmul(a, b)
      assert.same({ { 1, 4, 9 }, { 16, 25, 36 } }, r:totable())
   end)

   it('operators make new tensors', function()
      local x = t(1, 2)
      assert.is_true((x + 1):equal(t(2, 3)))
      assert.is_true((1 + x):equal(t(2, 3)))
      assert.is_true((x + x):equal(t(2, 4)))
      assert.is_true((x - 1):equal(t(0, 1)))
      assert.is_true((1 - x):equal(t(0, -1)))
      assert.is_true((-x):equal(t(-1, -2)))
      assert.is_true((x * 2):equal(t(2, 4)))
      assert.is_true((2 * x):equal(t(2, 4)))
      assert.is_true((x / 2):equal(t(0.5, 1)))
      assert.is_true((t(-3, 5) % 4):equal(t(1, 1)))
      assert.equal(5, x * x)
      assert.is_true(x:equal(t(1, 2)))
   end)

   it('a comparison into a tensor of the operand type gives 0 and 1 there', function()
      local r = torch.DoubleTensor()
      assert.equal(r, r:gt(t(1, 2, 3), 1.5))
      assert.is_true(r:equal(t(0, 1, 1)))
      assert.matches('ByteTensor$', torch.gt(t(1, 2), t(2, 1)):type())
   end)

   it('reads an operand that lies under the result as it was', function()
      for _, n in ipairs { 10, 300000 } do -- in one block of elements, and by several threads
         local x = torch.range(1, n)
         local later, earlier = x:narrow(1, 2, n - 1), x:narrow(1, 1, n - 1)
         local wanted = later:clone():add(earlier)
         assert.is_true(torch.add(later, later, earlier):equal(wanted))
         assert.equal(1, x[1])
      end
      local m = torch.range(1, 12):view(3, 4)
      local turned = torch.range(1, 9):view(3, 3)
      local wanted = turned:clone():csub(turned:t():clone())
      assert.is_true(turned:add(-1, turned:t()):equal(wanted))
      m:select(2, 1):add(m:select(2, 2)) -- these do not meet
      assert.same({ 3, 11, 19 }, m:select(2, 1):totable())
   end)

   it('integers wrap', function()
      assert.equal(44, torch.ByteTensor { 200 }:add(100)[1])
      assert.equal(-2147483648, torch.IntTensor { 2147483647 }:add(1)[1])
      assert.equal(0, (torch.LongTensor { 3 } * 0.5)[1])
   end)
end)

describe('element-wise results too large for the caches', function()
   -- Written past the caches, in blocks: the end of the last block, and what must not be touched.
   it('have every element', function()
      local n = 9e6 + 5 -- a copy spans 144 MB: more than any cache is taken to hold
      local x, y = torch.range(1, n), torch.range(1, n):mul(3)
      local all = torch.DoubleTensor(n + 1):fill(-1)
      local r = all:narrow(1, 1, n)
      assert.equal(r, r:add(x, y))
      assert.equal(-1, all[n + 1])
      assert.equal(0, r:add(-4, x):norm())
      local shifted = all:narrow(1, 2, n) -- not aligned to a cache line
      shifted:cmul(x, y)
      assert.equal(0, shifted:cdiv(x):add(-1, y):norm())
      assert.equal(0, torch.gt(y, x):add(-1):sum())
      all:fill(-1)
      assert.equal(0, r:copy(x):add(-1, x):norm())
      r:copy(x)
      assert.equal(-1, all[n + 1])
      assert.equal(0, shifted:copy(x):add(-1, x):norm())
   end)
end)

describe('element-wise mistakes', function()
   local x = torch.DoubleTensor(2, 3):fill(1)

   local function nameOf(tensor)
      return tensor:type():match '%.(.*)'
   end

   local function refused(pattern, f, ...)
      local before = x:clone()
      local ok, message = pcall(f, ...)
      assert.is_false(ok)
      assert.matches(pattern, message)
      assert.matches('^[^:]*pointwise_spec%.lua:%d+: ', message) -- the user's line
      assert.is_true(x:equal(before))
   end

   it('different element counts name the shapes', function()
      refused('add: inconsistent tensor size.*2x3.*%[4%].*6 and 4', function()
         x:add(torch.DoubleTensor(4))
      end)
   end)

   it('different types name both', function()
      local y = torch.FloatTensor(2, 3)
      refused('cmul: types differ: %w*DoubleTensor and %w+Tensor; convert one', function()
         x:cmul(y)
      end)
   end)

   it('a type without the operation names those that have it', function()
      refused('exp: IntTensor is not supported; wanted one of .*DoubleTensor', function()
         torch.IntTensor(2):fill(1):exp()
      end)
   end)

   it('an argument that is no tensor or number shows the forms', function()
      refused('add: invalid arguments: ' .. nameOf(x) .. ' string\nexpected arguments: ', function()
         x:add 'one'
      end)
      for _, name in ipairs { 'add', 'csub' } do -- as they are called where y is nil
         refused(name .. ': invalid arguments: ' .. nameOf(x) .. '\n', torch[name], x, nil)
      end
      refused('mul: invalid arguments: ' .. nameOf(x) .. '\n', function()
         x:mul()
      end)
   end)

   it('integer division by zero is refused before anything is written', function()
      local i = torch.IntTensor { 1, 2, 3 }
      refused('div: integer division by zero', function()
         i:div(0)
      end)
      refused('cdiv: integer division by zero: element 2', function()
         i:cdiv(torch.IntTensor { 1, 0, 1 })
      end)
      assert.same({ 1, 2, 3 }, i:totable())
   end)
end)
