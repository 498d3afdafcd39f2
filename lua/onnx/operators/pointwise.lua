-- Operators for each element by itself.
local torch = require 'torch'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'

local stretched = tools.stretched
local M = {}

for operator, name in pairs {
   Abs = 'abs', Neg = 'neg', Sqrt = 'sqrt', Exp = 'exp', Log = 'log', Floor = 'floor',
   Ceil = 'ceil',
   Sign = 'sign', Sin = 'sin', Cos = 'cos', Tan = 'tan', Tanh = 'tanh', Sigmoid = 'sigmoid',
   Softsign = 'softsign', Softplus = 'softplus', Mish = 'mish', HardSwish = 'hardswish',
   Asin = 'asin',
   Acos = 'acos', Atan = 'atan', Sinh = 'sinh', Cosh = 'cosh', Reciprocal = 'cinv',
} do
   M[operator] = function(_, x)
      return torch[name](x)
   end
end

function M.Round(_, x)
   return tools.to_even(x)
end

function M.Identity(_, x)
   return x
end

function M.Dropout(_, x, _, training)
   if training and tools.number(training) ~= 0 then
      error('it is in training mode', 0)
   end
   return x
end

function M.Relu(_, x)
   return torch.clamp(x, 0, nil)
end

function M.LeakyRelu(c, x)
   return torch.clamp(x, 0, nil) + torch.clamp(x, nil, 0) * (c.alpha or 0.01)
end

function M.Elu(c, x)
   return torch.clamp(x, 0, nil) + (torch.exp(torch.clamp(x, nil, 0)) - 1) * (c.alpha or 1)
end

function M.Celu(c, x)
   local alpha = c.alpha or 1
   return torch.clamp(x, 0, nil) + (torch.exp(torch.clamp(x, nil, 0) / alpha) - 1) * alpha
end

function M.Selu(c, x)
   local y = torch.clamp(x, 0, nil)
      + (torch.exp(torch.clamp(x, nil, 0)) - 1) * (c.alpha or 1.6732632423543772)
   return y * (c.gamma or 1.0507009873554805)
end

function M.HardSigmoid(c, x)
   return torch.clamp(x * (c.alpha or 0.2) + (c.beta or 0.5), 0, 1)
end

function M.Gelu(c, x)
   if c.approximate == 'tanh' then
      return torch.cmul(x, torch.tanh((x + torch.pow(x,
         3) * 0.044715) * math.sqrt(2 / math.pi)) + 1)
         * 0.5
   end
   return torch.gelu(x)
end

-- Abramowitz and Stegun, 7.1.26: off by 1.5e-7 at most.
function M.Erf(_, x)
   local a = torch.abs(x)
   local t = torch.cinv(a * 0.3275911 + 1)
   local p = torch.cmul(t * 1.061405429 - 1.453152027, t) + 1.421413741
   p = torch.cmul(torch.cmul(torch.cmul(p, t) - 0.284496736, t) + 0.254829592, t)
   return torch.cmul(torch.sign(x), -torch.cmul(p, torch.exp(-torch.cmul(x, x))) + 1)
end

-- Chosen, not multiplied with 0, which an infinite element would make NaN.
function M.Shrink(c, x)
   local lambda, bias = c.lambd or 0.5, c.bias or 0
   local below = torch.where(torch.lt(x, -lambda), x + bias, 0)
   return torch.where(torch.gt(x, lambda), x - bias, below)
end

function M.ThresholdedRelu(c, x)
   return torch.where(torch.gt(x, c.alpha or 1), x, 0)
end

function M.Swish(c, x)
   return torch.cmul(x, torch.sigmoid(x * (c.alpha or 1)))
end

-- Of the size alone, so that nothing is lost where x is far below 0. From 1 on a is taken out of
-- the logarithm, log(a + sqrt(a^2 + 1)) = log(a) + log(1 + sqrt(1 + a^-2)): no square overflows.
function M.Asinh(_, x)
   local a = torch.abs(x)
   local small, large = torch.clamp(a, nil, 1), torch.clamp(a, 1, nil)
   local square, inverse = torch.cmul(small, small), torch.cinv(large)
   local near = torch.log1p(small + torch.cdiv(square, torch.sqrt(square + 1) + 1))
   local far = torch.log(large) + torch.log1p(torch.sqrt(torch.cmul(inverse, inverse) + 1))
   return torch.cmul(torch.sign(x), torch.where(torch.gt(a, 1), far, near))
end

-- Of what is above 1, so that nothing is lost near it; of two roots: x * x may be infinite.
function M.Acosh(_, x)
   local above = x - 1
   return torch.log1p(above + torch.cmul(torch.sqrt(above), torch.sqrt(above + 2)))
end

function M.Atanh(_, x)
   return (torch.log1p(x) - torch.log1p(-x)) / 2
end

function M.PRelu(_, x, slope)
   slope = tools.expand(slope, tools.sizes(x))
   return torch.where(torch.lt(x, 0), torch.cmul(x, slope), x)
end

function M.Clip(c, x, low, high)
   if torch.isVariable(low) or torch.isVariable(high) then -- which numbers would have no gradient
      x = low and torch.cmax(stretched(x, low)) or x
      return high and torch.cmin(stretched(x, high)) or x
   end
   low, high = low and tools.number(low) or c.min, high and tools.number(high) or c.max
   if low and high then
      low = math.min(low, high) -- where they are the wrong way round, all becomes the upper one
   end
   return (low or high) and torch.clamp(x, low, high) or x
end

for operator, f in pairs {
   Add = torch.add, Sub = torch.csub, Mul = torch.cmul, Max = torch.cmax, Min = torch.cmin,
} do
   M[operator] = function(_, x, ...)
      for i = 1, select('#', ...) do
         local a, b = stretched(x, (select(i, ...)))
         x = f(a, b)
      end
      return x
   end
end
M.Sum = M.Add

function M.Sub(_, x, y)
   local a, b = stretched(x, y)
   return a - b
end

function M.Div(_, x, y)
   local a, b = stretched(x, y)
   return torch.cdiv(a, b)
end

function M.Mean(_, ...)
   return M.Add(nil, ...) / select('#', ...)
end

-- The result is of the base's type, the exponent of any: 4 ^ 0.5 is 2 of integers, too.
function M.Pow(c, x, y)
   if types.is_real(y) and not types.is_real(x) then
      return M.Pow(c, x:type(tools.beside('torch.DoubleTensor', x)), y):typeAs(x)
   end
   y = y:typeAs(x)
   if y:nElement() == 1 and y:dim() <= x:dim() and not torch.isVariable(y) then
      return torch.pow(x, tools.number(y))
   end
   return torch.cpow(stretched(x, y))
end

function M.Mod(c, x, y)
   local a, b = stretched(x, y)
   return c.fmod == 1 and torch.cfmod(a, b) or torch.cremainder(a, b)
end

for operator, name in pairs {
   Greater = 'gt', Less = 'lt', Equal = 'eq', GreaterOrEqual = 'ge', LessOrEqual = 'le',
} do
   M[operator] = function(_, x, y)
      local a, b = stretched(x, y)
      return torch[name](a, b)
   end
end

function M.And(_, x, y)
   local a, b = stretched(x, y)
   return torch.cmul(torch.ne(a, 0), torch.ne(b, 0))
end

function M.Or(_, x, y)
   local a, b = stretched(x, y)
   return torch.cmax(torch.ne(a, 0), torch.ne(b, 0))
end

function M.Xor(_, x, y)
   local a, b = stretched(x, y)
   return torch.ne(torch.ne(a, 0), torch.ne(b, 0))
end

function M.Not(_, x)
   return torch.eq(x, 0)
end

function M.IsNaN(_, x)
   return torch.ne(x, x)
end

function M.IsInf(c, x)
   local below = c.detect_negative ~= 0 and torch.eq(x, -math.huge)
   local above = c.detect_positive ~= 0 and torch.eq(x, math.huge)
   return below and above and torch.cmax(below, above) or below or above or torch.ne(x, x):zero()
end

function M.Where(_, condition, x, y)
   local mask, a, b = stretched(condition, x, y)
   return torch.where(torch.ne(mask, 0), a:contiguous(), b:contiguous())
end

function M.Cast(c, x)
   local class = types.class(c.to)
   if not class then
      error(('Cast to %s, which there is no tensor for'):format(types.name(c.to)), 0)
   elseif c.to == types.BOOL then
      return torch.ne(x, 0)
   end
   return x:type(tools.beside(class, x))
end

function M.CastLike(_, x, like)
   return x:typeAs(like)
end

return M
