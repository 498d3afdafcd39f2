-- What an element gives depends on the element alone: neither on its place in the tensor, nor on
-- the tensor's length or strides. Walks the list of element-wise operations.
local torch = require 'torch'
local th = require 'torch.ffi'
local C = th.C

local OPERANDS = {
   unary = 1, scalar = 1, scalar2 = 1, binary = 2, binary_scalar = 2, ternary_scalar = 3,
   compare = 2,
}

local function call(op, r, x)
   local f, family = C['TH_' .. op.name], op.family
   if family == 'unary' then
      th.check(f(r, x[1]))
   elseif family == 'scalar' then
      th.check(f(r, x[1], 1.7))
   elseif family == 'scalar2' then
      th.check(f(r, x[1], 1.7, 2.3))
   elseif family == 'binary' or family == 'compare' then
      th.check(f(r, x[1], x[2]))
   elseif family == 'binary_scalar' then
      th.check(f(r, x[1], 1.7, x[2]))
   else
      th.check(f(r, x[1], 1.7, x[2], x[3]))
   end
   return r
end

local function backward(op, r, x)
   local f = C['TH_' .. op.name .. '_backward']
   if op.family == 'scalar2' then
      th.check(f(r, x[1], x[2], x[3], 1.7, 2.3))
   else
      th.check(f(r, x[1], x[2], x[3]))
   end
   return r
end

local LONGEST = 40

-- Numbers of the type, with some that are special.
local function numbers(class, which)
   torch.manualSeed(which)
   local x = torch.DoubleTensor(LONGEST)
   for i = 1, LONGEST do
      x[i] = torch.uniform(i % 2 == 0 and -4 or 0, 4)
   end
   local special = { 0 / 0, math.huge, -math.huge, 0, -0, 1 }
   for k, v in ipairs(special) do
      x[(k * 7 + which * 3) % LONGEST + 1] = v
   end
   return x:type(class)
end

-- Every n-th element of something larger.
local function spread(x)
   local base = torch.zeros(x:size(1), 3):type(x:type())
   base:select(2, 2):copy(x)
   return base:select(2, 2)
end

local function same(a, b)
   return a == b and (a ~= 0 or 1 / a == 1 / b) or a ~= a and b ~= b
end

local function check(op, compute, class, count)
   local x = {}
   for k = 1, count do
      x[k] = numbers(class, k)
   end
   local function run(first, n, arrange)
      local parts = {}
      for k = 1, count do
         parts[k] = x[k]:narrow(1, first, n)
         if arrange then
            parts[k] = arrange(parts[k])
         end
      end
      return compute(op, th.like(x[1]), parts):totable()
   end
   local alone = {}
   for i = 1, LONGEST do
      alone[i] = run(i, 1)[1]
   end
   for n = 2, LONGEST do
      for first = 1, math.min(2, LONGEST - n + 1) do
         local got, strided = run(first, n), run(first, n, spread)
         for i = 1, n do
            local wanted = alone[first + i - 1]
            if not same(got[i], wanted) or not same(strided[i], wanted) then
               error(('%s of %s: element %d of %d is %.17g (strided %.17g), alone %.17g'):format(
                  op.name, class, i, n, got[i], strided[i], wanted), 0)
            end
         end
      end
   end
end

describe('an element-wise operation', function()
   for _, op in ipairs(torch.ops) do
      if OPERANDS[op.family] and op.dtypes ~= 'Integral' then
         it(op.name .. ' gives an element the same result wherever it stands', function()
            for _, class in ipairs { 'Float', 'Double', 'Half' } do
               local name = torch[class .. 'Tensor']():type()
               check(op, call, name, OPERANDS[op.family])
               if op.family == 'unary' or op.family == 'scalar2' then
                  check(op, backward, name, 3)
               end
            end
         end)
      end
   end
end)

-- --- NaN ----------------------------------------------------------------------------------------

local NAN = 0 / 0

local function isNan(x)
   return x ~= x
end

describe('a NaN', function()
   -- Reduced along rows and along columns, contiguous and not.
   local function each(f)
      for _, class in ipairs { 'Float', 'Double', 'Half' } do
         for _, n in ipairs { 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 40, 65, 129, 1000 } do
            for p = 1, n, n <= 40 and 1 or 37 do
               local x = torch[class .. 'Tensor'](n)
               x:copy(torch.range(1, n):mul(0.5)):mul(p % 2 == 0 and -1 or 1)
               x[p] = NAN
               f(x, p, n)
            end
         end
      end
   end

   it('is the largest and the smallest wherever it stands', function()
      each(function(x, p, n)
         assert.is_true(isNan(x:max()) and isNan(x:min()), n .. ' ' .. p)
         for _, name in ipairs { 'max', 'min' } do
            local columns = x:view(n, 1):expand(n, 3)
            for _, case in ipairs {
               { x:view(1, n), 2 }, { columns, 1 }, { columns:contiguous(), 1 },
               { columns:t(), 2 }, { columns:t():contiguous(), 2 },
            } do
               local t, dim = case[1], case[2]
               local value, place = torch[name](t, dim)
               assert.is_true(isNan(value:view(-1)[1]) and isNan(value:view(-1)[-1]))
               assert.equal(p, place:view(-1)[1])
               assert.equal(p, place:view(-1)[-1])
            end
         end
      end)
   end)

   it('sorts as the largest wherever it stands', function()
      each(function(x, p, n)
         local up, order = x:sort()
         assert.is_true(isNan(up[n]))
         assert.equal(p, order[n])
         local down, reverse = x:sort(1, true)
         assert.is_true(isNan(down[1]))
         assert.equal(p, reverse[1])
         local top, place = x:topk(1, 1, true)
         assert.is_true(isNan(top[1]))
         assert.equal(p, place[1])
         local last = x:kthvalue(n)
         assert.is_true(isNan(last[1]))
         if n > 2 then
            assert.is_false(isNan((x:median())[1]))
            assert.is_false(isNan((x:kthvalue(1))[1]))
         end
      end)
   end)
end)
