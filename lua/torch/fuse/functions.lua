--- What may stand in an expression: one row each for the functions that code is written for, their
-- derivatives, and formulas for all others.
--
-- A row: how many operands; `code`, C in which $1, $2, $3 are the operands, or `formula`, what it
-- is in terms of other rows (of a, b, c); `slopes`, the gradient for each operand in terms of the
-- operands, the result r and the result's gradient g, where a missing one is 0; `operation`, its
-- name in lib/TH/ops. Formulas and slopes are those of lib/TH/functors/pointwise, in the language
-- of torch.fuse itself.
-- @module torch.fuse.functions
local parse = require 'torch.fuse.parse'

local M = {}

local function call(name)
   return ('M(%s)($1)'):format(name)
end
local function compare(symbol)
   return { operands = 2, code = '$1 ' .. symbol .. ' $2', logical = true, slopes = {} }
end
local function step(name)
   return { operands = 1, code = call(name), slopes = {} }
end

--- Rows that code is written for.
M.rows = {
   add = { operands = 2, code = '$1 + $2', slopes = { 'g', 'g' } },
   sub = { operands = 2, code = '$1 - $2', slopes = { 'g', '-g' } },
   mul = { operands = 2, code = '$1 * $2', slopes = { 'g * b', 'g * a' }, operation = 'cmul' },
   div = { operands = 2, code = '$1 / $2', slopes = { 'g / b', '-(g * r / b)' },
      operation = 'cdiv' },
   neg = { operands = 1, code = '-$1', slopes = { '-g' } },
   pow = { operands = 2, code = 'M(pow)($1, $2)', costly = true, operation = 'cpow',
      slopes = { 'where(b == 0, 0, g * b * a ^ (b - 1))', 'where(a == 0, 0, g * r * log(a))' } },
   fmod = { operands = 2, code = 'M(fmod)($1, $2)', costly = true, operation = 'cfmod',
      slopes = { 'g', '-(g * trunc(a / b))' } },
   remainder = { operands = 2, operation = 'cremainder',
      code = '$2 == 0 ? NOT_A_NUMBER : $1 - $2 * M(floor)($1 / $2)',
      slopes = { 'g', '-(g * floor(a / b))' } },
   max = { operands = 2, code = '$1 > $2 || $1 != $1 ? $1 : $2', operation = 'cmax',
      slopes = { 'where(a >= b, g, 0)', 'where(a >= b, 0, g)' } },
   min = { operands = 2, code = '$1 < $2 || $1 != $1 ? $1 : $2', operation = 'cmin',
      slopes = { 'where(a <= b, g, 0)', 'where(a <= b, 0, g)' } },
   atan2 = { operands = 2, code = 'M(atan2)($1, $2)', costly = true, slopes = {
      'where(a * a + b * b == 0, 0, g * b / (a * a + b * b))',
      'where(a * a + b * b == 0, 0, -g * a / (a * a + b * b))' } },

   lt = compare '<', le = compare '<=', gt = compare '>', ge = compare '>=',
   eq = compare '==', ne = compare '!=',
   where = { operands = 3, code = '$1 ? $2 : $3', condition = true,
      slopes = { nil, 'where(a, g, 0)', 'where(a, 0, g)' } },

   abs = { operands = 1, code = call 'fabs', slopes = { 'where(a > 0, g, where(a < 0, -g, 0))' } },
   sign = { operands = 1, code = '(T)(($1 > 0) - ($1 < 0))', slopes = {} },
   floor = step 'floor', ceil = step 'ceil', round = step 'round', trunc = step 'trunc',
   relu = { operands = 1, code = '$1 < 0 ? (T)0 : $1', slopes = { 'where(r > 0, g, 0)' } },
   sqrt = { operands = 1, code = call 'sqrt', slopes = { 'where(r == 0, 0, g / (2 * r))' } },
   rsqrt = { operands = 1, formula = '1 / sqrt(a)', slopes = { '-0.5 * g * (r * r * r)' } },

   exp = { slopes = { 'g * r' } },
   expm1 = { slopes = { 'g * (r + 1)' } },
   log = { slopes = { 'g / a' } },
   log1p = { slopes = { 'g / (1 + a)' } },
   sin = { slopes = { 'g * cos(a)' } },
   cos = { slopes = { '-g * sin(a)' } },
   tan = { slopes = { 'g * (1 + r * r)' } },
   asin = { slopes = { 'g / sqrt(1 - a * a)' } },
   acos = { slopes = { '-g / sqrt(1 - a * a)' } },
   atan = { slopes = { 'g / (1 + a * a)' } },
   sinh = { slopes = { 'g * cosh(a)' } },
   cosh = { slopes = { 'g * sinh(a)' } },
   tanh = { slopes = { 'g * (1 - r * r)' } },

   sigmoid = { operands = 1, formula = '1 / (1 + exp(-a))', slopes = { 'g * r * (1 - r)' } },
   softplus = { operands = 1, formula = 'where(a > 0, a, 0) + log1p(exp(-abs(a)))',
      slopes = { 'g * sigmoid(a)' } },
   softsign = { operands = 1, formula = 'a / (1 + abs(a))',
      slopes = { 'g / ((1 + abs(a)) * (1 + abs(a)))' } },
   tanhshrink = { operands = 1, formula = 'a - tanh(a)', slopes = { 'g * tanh(a) * tanh(a)' } },
   -- The normal distribution, of which gelu is made.
   Phi = { operands = 1, code = '(T)0.5 * M(erfc)((T)-0.70710678118654752440 * $1)', costly = true,
      hidden = true, slopes = { 'g * 0.39894228040143267794 * exp(-0.5 * a * a)' } },
}

for name, row in pairs(M.rows) do
   if not row.operands then -- functions of libm, under its names
      row.operands, row.code, row.costly = 1, call(name), true
   end
   row.operation = row.operation or name
end

--- What is put in place of a call: parameters, expression.
M.formulas = {
   square = { 'x', 'x * x' },
   cinv = { 'x', '1 / x' },
   frac = { 'x', 'x - trunc(x)' },
   clamp = { 'x, least, most', 'where(x <= least, least, where(x >= most, most, x))' },
   threshold = { 'x, a, b', 'where(x > a, x, b)' },
   lerp = { 'x, y, weight', 'x + weight * (y - x)' },
   prelu = { 'x, slope', 'where(x > 0, x, slope * x)' },
   -- Where x is large, exp(x) is infinite, and its slope is none even if the branch is not taken.
   elu = { 'x, alpha', 'where(x > 0, x, alpha * expm1(min(x, 0)))' },
   selu = { 'x', '1.0507009873554804934 * elu(x, 1.6732632423543772848)' },
   logsigmoid = { 'x', '-softplus(-x)' },
   gelu = { 'x', 'x * Phi(x)' },
   gelu_tanh = { 'x', 'x * sigmoid(1.59576912160573071176 * (x + 0.044715 * x * x * x))' },
   silu = { 'x', 'x * sigmoid(x)' },
   mish = { 'x', 'x * tanh(softplus(x))' },
   hardsigmoid = { 'x', 'clamp(x / 6 + 0.5, 0, 1)' },
   hardswish = { 'x', 'x * hardsigmoid(x)' },
   ['and'] = { 'x, y', '(x ~= 0) * (y ~= 0)' },
   ['or'] = { 'x, y', 'max(x ~= 0, y ~= 0)' },
   ['not'] = { 'x', 'x == 0' },
   cmul = { 'x, y', 'x * y' },
   cdiv = { 'x, y', 'x / y' },
   cpow = { 'x, y', 'x ^ y' },
   cmax = { 'x, y', 'max(x, y)' },
   cmin = { 'x, y', 'min(x, y)' },
   cfmod = { 'x, y', 'fmod(x, y)' },
   cremainder = { 'x, y', 'x % y' },
}

--- Numbers that have names.
M.constants = { pi = math.pi, inf = math.huge, nan = 0 / 0 }

local trees = {} -- text -> tree

--- The tree of a formula or a slope.
function M.tree(source)
   trees[source] = trees[source] or parse.expression(source)
   return trees[source]
end

--- The names of a formula's parameters.
function M.parameters(formula)
   local list = {}
   for name in formula[1]:gmatch '%a+' do
      list[#list + 1] = name
   end
   return list
end

return M
