--- Element-wise operations whose call forms are irregular, and the operators.
--
-- The regular ones are generated from lib/TH/ops/pointwise.def and compare.def (torch.operations).
-- @module torch.functions.pointwise
local ffi = require 'ffi'
local th = require 'torch.ffi'
local gen = require 'torch.operations'
local class = require 'torch.class'
local shapes = require 'torch.functions.shapes'
local blas = require('torch.functions.blas').functions
local stretch = require 'torch.variables.stretch'

local C, like, check, recover, raise = th.C, th.like, th.check, th.recover, th.raise
local isTensor, numeric, withNumbers = th.isTensor, th.numeric, th.withNumbers

local T, F = {}, {}

local function addValue(r, x, value)
   if C.TH_add_value(r, x, value) ~= 0 then
      recover()
      check(C.TH_add_value(r, x, value))
   end
   return r
end

local function addScaled(r, x, value, y)
   if C.TH_add_scaled(r, x, value, y) ~= 0 then
      local _, all = stretch(x, y)
      if all and not rawequal(all, y) then
         return addScaled(r, x, value, all)
      end
      recover()
      check(C.TH_add_scaled(r, x, value, y))
   end
   return r
end

-- --- add, csub ----------------------------------------------------------------------------------

local ADD_FORMS = '[*T*] T number | [*T*] T [number] T'

--- In place: t:add(v), t:add(t2), t:add(v, t2); into t: t:add(t1, v), t:add(t1, t2),
-- t:add(t1, v, t2). Result t1 + v * t2.
-- @usage torch.add([res,] t, value) -> res
-- torch.add([res,] t1, [value=1,] t2) -> res
-- t:add([t,] value) -> self
-- t:add([t1,] [value=1,] t2) -> self
-- @example
-- torch.add(torch.Tensor { 1, 2 }, 10) --> { 11, 12 }
-- torch.add(torch.Tensor { 1, 2 }, 2, torch.Tensor { 10, 20 }) --> { 21, 42 }
function T.add(r, a, b, c)
   if b == nil then
      if type(a) == 'number' then
         return addValue(r, r, a)
      elseif isTensor(a) then
         return addScaled(r, r, 1, a)
      end
   elseif c == nil then
      if type(a) == 'number' and isTensor(b) then
         return addScaled(r, r, a, b)
      elseif isTensor(a) and type(b) == 'number' then
         return addValue(r, a, b)
      elseif isTensor(a) and isTensor(b) then
         return addScaled(r, a, 1, b)
      end
   elseif isTensor(a) and type(b) == 'number' and isTensor(c) then
      return addScaled(r, a, b, c)
   end
   return withNumbers(T.add, 'add', ADD_FORMS, 4, r, a, b, c)
end

-- The forms of a function are those of the method, with a new result where none was given.
local function isResultGiven(b, c)
   return c ~= nil and (isTensor(b) or not isTensor(c))
end

function F.add(a, b, c, d)
   if not isTensor(a) or b == nil then
      return withNumbers(F.add, 'add', ADD_FORMS, 4, a, b, c, d)
   elseif d ~= nil or isResultGiven(b, c) then
      return T.add(a, b, c, d)
   end
   return T.add(like(a), a, b, c)
end

--- As add, with t1 - v * t2.
-- @usage torch.csub([res,] t, value) -> res
-- torch.csub([res,] t1, [value=1,] t2) -> res
-- t:csub([t,] value) -> self
-- t:csub([t1,] [value=1,] t2) -> self
-- @example torch.csub(torch.Tensor { 10, 20 }, torch.Tensor { 1, 2 }) --> { 9, 18 }
function T.csub(r, a, b, c)
   if b == nil then
      if type(a) == 'number' then
         return addValue(r, r, -a)
      elseif isTensor(a) then
         return addScaled(r, r, -1, a)
      end
   elseif c == nil then
      if type(a) == 'number' and isTensor(b) then
         return addScaled(r, r, -a, b)
      elseif isTensor(a) and type(b) == 'number' then
         return addValue(r, a, -b)
      elseif isTensor(a) and isTensor(b) then
         return addScaled(r, a, -1, b)
      end
   elseif isTensor(a) and type(b) == 'number' and isTensor(c) then
      return addScaled(r, a, -b, c)
   end
   return withNumbers(T.csub, 'csub', ADD_FORMS, 4, r, a, b, c)
end

function F.csub(a, b, c, d)
   if not isTensor(a) or b == nil then
      return withNumbers(F.csub, 'csub', ADD_FORMS, 4, a, b, c, d)
   elseif d ~= nil or isResultGiven(b, c) then
      return T.csub(a, b, c, d)
   end
   return T.csub(like(a), a, b, c)
end

-- --- pow, lerp ----------------------------------------------------------------------------------

--- t:pow(n) = t^n in place, t:pow(x, n) = x^n into t, t:pow(n, x) = n^x into t.
-- @usage torch.pow([res,] t, n) -> res
-- torch.pow([res,] n, t) -> res
-- torch.pow(x, n) -> number
-- t:pow([t,] n) -> self
-- t:pow(n [, t]) -> self
-- @example
-- torch.pow(torch.Tensor { 1, 2, 3 }, 2) --> { 1, 4, 9 }
-- torch.pow(2, torch.Tensor { 1, 2, 3 }) --> { 2, 4, 8 }
function T.pow(r, a, b)
   if b == nil and type(a) == 'number' then
      return gen.methods.pow(r, r, a)
   elseif isTensor(a) and type(b) == 'number' then
      return gen.methods.pow(r, a, b)
   elseif type(a) == 'number' and isTensor(b) then
      return gen.methods.tpow(r, b, a)
   end
   return withNumbers(T.pow, 'pow', '[*T*] T number | [*T*] number T', 3, r, a, b)
end

function F.pow(a, b, c)
   if c ~= nil then
      return T.pow(a, b, c)
   elseif isTensor(a) and type(b) == 'number' then
      return T.pow(like(a), a, b)
   elseif type(a) == 'number' and isTensor(b) then
      return T.pow(like(b), a, b)
   elseif type(a) == 'number' and type(b) == 'number' then
      return a ^ b
   end
   return withNumbers(F.pow, 'pow', '[*T*] T number | [*T*] number T | number number', 3, a, b, c)
end

local function lerp(r, x, y, weight)
   if not isTensor(r) or not isTensor(x) or not isTensor(y) or type(weight) ~= 'number' then
      return withNumbers(lerp, 'lerp', '[*T*] T T number', 4, r, x, y, weight)
   elseif C.TH_lerp(r, x, weight, y) ~= 0 then
      recover()
      check(C.TH_lerp(r, x, weight, y))
   end
   return r
end

--- x + weight (y - x): t:lerp(y, weight) in place, t:lerp(x, y, weight) into t.
-- @usage torch.lerp([res,] t1, t2, weight) -> res
-- torch.lerp(a, b, weight) -> number
-- t:lerp([t1,] t2, weight) -> self
-- @example torch.lerp(torch.zeros(2), torch.Tensor { 10, 20 }, 0.25) --> { 2.5, 5 }
function T.lerp(r, a, b, c)
   if c == nil then
      return lerp(r, r, a, b)
   end
   return lerp(r, a, b, c)
end

function F.lerp(a, b, c, d)
   if type(a) == 'number' and type(b) == 'number' and type(c) == 'number' then
      return a + c * (b - a)
   elseif not isTensor(a) then
      return withNumbers(F.lerp, 'lerp', '[*T*] T T number | number number number', 4, a, b, c, d)
   elseif d == nil then
      return lerp(like(a), a, b, c)
   end
   return lerp(a, b, c, d)
end

-- --- a tensor or a number as second operand ------------------------------------------------------

-- Methods: t:f(v), t:f(u), t:f(x, v), t:f(x, u); functions the same with an optional result first.
local function tensorOrNumber(name, byTensor, byNumber)
   local forms = '[*T*] T (T | number)'
   local function apply(r, x, y)
      if type(y) == 'number' and isTensor(x) then
         return byNumber(r, x, y)
      elseif isTensor(x) and isTensor(y) then
         return byTensor(r, x, y)
      end
      return withNumbers(apply, name, forms, 3, r, x, y)
   end
   T[name] = function(r, x, y)
      if y == nil then
         return apply(r, r, x)
      end
      return apply(r, x, y)
   end
   F[name] = function(r, x, y)
      if not isTensor(r) then
         return withNumbers(F[name], name, forms, 3, r, x, y)
      elseif y == nil then
         return apply(like(r), r, x)
      end
      return apply(r, x, y)
   end
end

local methods = gen.methods

--- max(x, y), element by element; y is a tensor or a number.
-- @usage torch.cmax([res,] t1, t2) -> res
-- torch.cmax([res,] t, value) -> res
-- t:cmax(t2) -> res
-- res:cmax([t1,] t2)
-- t:cmax(value) -> res
-- res:cmax([t,] value)
-- @example torch.cmax(torch.Tensor { 1, 5 }, torch.Tensor { 3, 3 }) --> { 3, 5 }
tensorOrNumber('cmax', methods.cmax, methods.cmax_value)

--- min(x, y), element by element; y is a tensor or a number.
-- @usage torch.cmin([res,] t1, t2) -> res
-- torch.cmin([res,] t, value) -> res
-- t:cmin(t2) -> res
-- res:cmin([t1,] t2)
-- t:cmin(value) -> res
-- res:cmin([t,] value)
-- @example torch.cmin(torch.Tensor { 1, 5 }, 3) --> { 1, 3 }
tensorOrNumber('cmin', methods.cmin, methods.cmin_value)

for _, name in ipairs { 'bitand', 'bitor', 'bitxor' } do
   T[name] = methods[name .. '_value']
   F[name] = gen.functions[name .. '_value']
end
T.mod, F.mod = methods.fmod, gen.functions.fmod
T.cmod, F.cmod = methods.cfmod, gen.functions.cfmod

-- What libm has for numbers is exact to the last bit or nearly so: torch.exp(1) is math.exp(1). A
-- tensor's elements, however few, may be up to 4 units in the last place off (functors/math.h).
local ofNumber = {}
for _, name in ipairs { 'exp', 'log', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh',
   'tanh' } do
   ofNumber[methods[name]] = math[name]
end

local scratch
--- f(number): libm's, or by way of a tensor.
function gen.number(method, x)
   local f = ofNumber[method]
   if f then
      return f(x)
   end
   scratch = scratch or require('torch.Tensor').empty(C.TH_DOUBLE):resize(1)
   scratch[1] = x
   return method(scratch)[1]
end

--- Angle of the point (y, x) in radians, from -pi to pi: torch.atan2(y, x).
-- @usage torch.atan2([res,] t1, t2) -> res
-- torch.atan2(x, value) -> number
-- t:atan2([t1,] t2) -> self
-- @example torch.atan2(torch.Tensor { 1, -1 }, torch.Tensor { 0, 0 }) --> { 1.5708, -1.5708 }
function F.atan2(a, b, c)
   if type(a) == 'number' and type(b) == 'number' then
      return math.atan2(a, b)
   elseif not isTensor(a) then
      return withNumbers(F.atan2, 'atan2', '[*T*] T T | number number', 3, a, b, c)
   end
   return gen.functions.atan2(a, b, c)
end

-- --- operators ----------------------------------------------------------------------------------

-- What to write instead of an operator that there is not; x and y stand for the operands.
local INSTEAD = {
   ['/'] = { both = 'torch.cdiv(x, y) divides element by element',
      number = 'torch.cinv(x):mul(number) divides the number by each element' },
   ['*'] = { both = 'torch.cmul(x, y) multiplies element by element, torch.mm(x, y) matrices' },
}

-- An operator again, with numbers where strings stand for such; or an error.
local function operate(operator, symbol, a, b)
   if numeric(a) or numeric(b) then
      return operator(numeric(a) or a, numeric(b) or b)
   end
   local instead = INSTEAD[symbol]
   instead = instead and (isTensor(a) and isTensor(b) and instead.both
      or type(a) == 'number' and instead.number)
   if a == nil or b == nil then
      instead = ('the one %s it is nil'):format(a == nil and 'before' or 'behind')
   end
   raise(('%s: no such operation between %s and %s%s'):format(symbol, class.type(a), class.type(b),
      instead and '; ' .. instead or ''))
end

-- x + scale y for the operator `symbol`, whose name the error has.
local function sum(a, scale, b, symbol)
   local r = like(a)
   if C.TH_add_scaled(r, a, scale, b) ~= 0 then
      if C.TH_lastStatus() ~= C.TH_OUT_OF_MEMORY then
         local message = ffi.string(C.TH_lastError()):gsub('^add:', symbol .. ':')
         if message:find('inconsistent tensor size', 1, true) then
            local x, y = stretch(a, b)
            if x then
               return sum(x, scale, y, symbol)
            end
            message = message .. shapes.remedy(a, b)
         end
         raise(message)
      end
      recover()
      check(C.TH_add_scaled(r, a, scale, b))
   end
   return r
end

--- Sum of tensors with equal numbers of elements, or of a tensor and a number, as a new tensor.
-- @usage t+t | t+n | n+t
-- @example
-- local x = torch.Tensor { 1, 2 }
-- x + 10, x + torch.Tensor { 3, 4 } --> { 11, 12 }, { 4, 6 }
function T.__add__(a, b)
   if not isTensor(a) then
      a, b = b, a
   end
   if type(b) == 'number' then
      return addValue(like(a), a, b)
   elseif isTensor(b) then
      return sum(a, 1, b, '+')
   end
   return operate(T.__add__, '+', a, b)
end

--- Difference of tensors with equal numbers of elements, or of a tensor and a number either way.
-- @usage t-t | t-n | n-t
-- @example 10 - torch.Tensor { 1, 2 } --> { 9, 8 }
function T.__sub__(a, b)
   if type(b) == 'number' then
      return addValue(like(a), a, -b)
   elseif isTensor(a) and isTensor(b) then
      return sum(a, -1, b, '-')
   elseif type(a) == 'number' then
      local r = methods.neg(like(b), b)
      return addValue(r, r, a)
   end
   return operate(T.__sub__, '-', a, b)
end

--- The negated elements as a new tensor.
-- @usage -t
-- @example -torch.Tensor { 1, -2 } --> { -1, 2 }
function T.__unm__(a)
   return methods.neg(like(a), a)
end

--- A number scales; between tensors it is the product of linear algebra.
-- @usage t*n | n*t | vec*vec -> number | mat*vec | mat*mat
-- @example
-- torch.Tensor { 1, 2 } * 10, torch.Tensor { 1, 2 } * torch.Tensor { 3, 4 } --> { 10, 20 }, 11
-- torch.Tensor { { 1, 2 }, { 3, 4 } } * torch.Tensor { 1, 10 } --> { 21, 43 }
function T.__mul__(a, b)
   if type(a) == 'number' then
      a, b = b, a
   end
   if type(b) == 'number' then
      return methods.mul(like(a), a, b)
   elseif not isTensor(a) or not isTensor(b) then
      return operate(T.__mul__, '*', a, b)
   elseif a.ndim == 1 and b.ndim == 1 and a.sizes[0] == b.sizes[0] then
      return a:dot(b)
   elseif a.ndim == 2 and b.ndim == 1 and a.sizes[1] == b.sizes[0]
      and not (b.sizes[0] == 1 and b.flags ~= 0 and C.TH_Variable_isNumber(b)) then
      return blas.mv(a, b)
   end
   local x, y = stretch(a, b)
   if x then
      return methods.cmul(like(a), x, y)
   elseif a.ndim == 1 and b.ndim == 1 then
      return a:dot(b)
   elseif a.ndim == 2 and b.ndim == 1 then
      return blas.mv(a, b)
   elseif a.ndim == 2 and b.ndim == 2 then
      if a.sizes[1] ~= b.sizes[0] then
         raise(('*: size mismatch, m1: [%d x %d], m2: [%d x %d]; x * y is the product of matrices, '
            .. 'for which the columns of x (%d) must equal the rows of y (%d); element by element: '
            .. 'torch.cmul(x, y)'):format(tonumber(a.sizes[0]), tonumber(a.sizes[1]),
            tonumber(b.sizes[0]), tonumber(b.sizes[1]), tonumber(a.sizes[1]), tonumber(b.sizes[0])))
      end
      return blas.mm(a, b)
   end
   raise(('*: multiplication between %dD and %dD tensors not yet supported: x * y is the product '
      .. 'of matrices and vectors. Element by element: torch.cmul(x, y); a batch of matrices: '
      .. 'torch.bmm(x, y)'):format(a.ndim, b.ndim))
end

--- Quotient of a tensor and a number as a new tensor. For two tensors there is cdiv.
-- @usage t/n
-- @example torch.Tensor { 1, 2 } / 2 --> { 0.5, 1 }
function T.__div__(a, b)
   if isTensor(a) and type(b) == 'number' then
      return methods.div(like(a), a, b)
   elseif isTensor(a) and isTensor(b) then
      local x, y = stretch(a, b)
      if x then
         return methods.cdiv(like(a), x, y)
      end
   elseif type(a) == 'number' and isTensor(b) and b.flags ~= 0 and stretch(b, b) then
      return methods.mul(like(b), methods.pow(like(b), b, -1), a)
   end
   return operate(T.__div__, '/', a, b)
end

--- Remainder of the division by a number or by the elements of a tensor, with the sign of the
-- divisor.
-- @usage t%n
-- @example torch.Tensor { 5, 7 } % 3 --> { 2, 1 }
function T.__mod__(a, b)
   if isTensor(a) and type(b) == 'number' then
      return methods.remainder(like(a), a, b)
   elseif isTensor(a) and isTensor(b) then
      return methods.cremainder(like(a), a, b)
   end
   return operate(T.__mod__, '%', a, b)
end

-- The generated methods under their public names: building blocks stay inside.
for _, pair in ipairs { { gen.methods, T }, { gen.functions, F } } do
   for name, f in pairs(pair[1]) do
      if not name:match '_value$' and not name:match '_scaled$' and not pair[2][name] then
         pair[2][name] = f
      end
   end
end

return { methods = T, functions = F }
