// The regular families as Lua functions, written by the preprocessor: methods (in place, or into
// self) in `T`, functions (a new result, or into the first argument) in `F`, one line per row in
// `rows`. Irregular forms are written by hand in lua/torch; rows whose name ends in _value,
// _scaled or _backward are building blocks for those. @NL@ marks the ends of Lua's lines.

local th = require 'torch.ffi'@NL@
local C, like, recover, check = th.C, th.like, th.recover, th.check @NL@
local isTensor, badArguments = th.isTensor, th.badArguments @NL@
local M = { methods = {}, functions = {}, rows = {} } @NL@
local T, F, rows = M.methods, M.functions, M.rows @NL@
local function row(name, family, dtypes, formula) @NL@
   rows[#rows + 1] = { name = name, family = family, dtypes = dtypes, formula = formula } @NL@
end @NL@

#define TH_CALL(NAME, ARGS) \
   if C.TH_##NAME ARGS ~= 0 then @NL@ \
      recover() @NL@ \
      check(C.TH_##NAME ARGS) @NL@ \
   end @NL@

#define TH_UNARY(NAME, FUNCTOR, DTYPES, FORMULA) \
row(#NAME, "unary", #DTYPES, FORMULA) @NL@ \
function T.NAME(r, x) @NL@ \
   if x == nil then x = r elseif not isTensor(x) then badArguments(#NAME, "*T* [T]", 2, r, x) end @NL@ \
   TH_CALL(NAME, (r, x)) \
   return r @NL@ \
end @NL@ \
function F.NAME(r, x) @NL@ \
   if type(r) == "number" and x == nil then return M.number(T.NAME, r) end @NL@ \
   if not isTensor(r) then badArguments(#NAME, "[*T*] T | number", 2, r, x) end @NL@ \
   if x == nil then r, x = like(r), r elseif not isTensor(x) then badArguments(#NAME, "[*T*] T", 2, r, x) end @NL@ \
   TH_CALL(NAME, (r, x)) \
   return r @NL@ \
end @NL@

#define TH_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
row(#NAME, "scalar", #DTYPES, FORMULA) @NL@ \
function T.NAME(r, a, b) @NL@ \
   local x, value = a, b @NL@ \
   if b == nil then x, value = r, a end @NL@ \
   if type(value) ~= "number" or not isTensor(x) then badArguments(#NAME, "*T* [T] number", 3, r, a, b) end @NL@ \
   TH_CALL(NAME, (r, x, value)) \
   return r @NL@ \
end @NL@ \
function F.NAME(a, b, c) @NL@ \
   local r, x, value = a, b, c @NL@ \
   if not isTensor(a) then badArguments(#NAME, "[*T*] T number", 3, a, b, c) end @NL@ \
   if c == nil then r, x, value = like(a), a, b end @NL@ \
   if type(value) ~= "number" or not isTensor(x) then badArguments(#NAME, "[*T*] T number", 3, a, b, c) end @NL@ \
   TH_CALL(NAME, (r, x, value)) \
   return r @NL@ \
end @NL@

#define TH_SCALAR2(NAME, FUNCTOR, DTYPES, FORMULA) \
row(#NAME, "scalar2", #DTYPES, FORMULA) @NL@ \
function T.NAME(r, a, b, c) @NL@ \
   local x, v, w = a, b, c @NL@ \
   if c == nil then x, v, w = r, a, b end @NL@ \
   if type(v) ~= "number" or type(w) ~= "number" or not isTensor(x) then badArguments(#NAME, "*T* [T] number number", 4, r, a, b, c) end @NL@ \
   TH_CALL(NAME, (r, x, v, w)) \
   return r @NL@ \
end @NL@ \
function F.NAME(a, b, c, d) @NL@ \
   local r, x, v, w = a, b, c, d @NL@ \
   if not isTensor(a) then badArguments(#NAME, "[*T*] T number number", 4, a, b, c, d) end @NL@ \
   if d == nil then r, x, v, w = like(a), a, b, c end @NL@ \
   if type(v) ~= "number" or type(w) ~= "number" or not isTensor(x) then badArguments(#NAME, "[*T*] T number number", 4, a, b, c, d) end @NL@ \
   TH_CALL(NAME, (r, x, v, w)) \
   return r @NL@ \
end @NL@

#define TH_BINARY(NAME, FUNCTOR, DTYPES, FORMULA) \
row(#NAME, "binary", #DTYPES, FORMULA) @NL@ \
function T.NAME(r, a, b) @NL@ \
   local x, y = a, b @NL@ \
   if b == nil then x, y = r, a end @NL@ \
   if not isTensor(x) or not isTensor(y) then badArguments(#NAME, "*T* [T] T", 3, r, a, b) end @NL@ \
   TH_CALL(NAME, (r, x, y)) \
   return r @NL@ \
end @NL@ \
function F.NAME(a, b, c) @NL@ \
   local r, x, y = a, b, c @NL@ \
   if not isTensor(a) then badArguments(#NAME, "[*T*] T T", 3, a, b, c) end @NL@ \
   if c == nil then r, x, y = like(a), a, b end @NL@ \
   if not isTensor(x) or not isTensor(y) then badArguments(#NAME, "[*T*] T T", 3, a, b, c) end @NL@ \
   TH_CALL(NAME, (r, x, y)) \
   return r @NL@ \
end @NL@

#define TH_BINARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
row(#NAME, "binary_scalar", #DTYPES, FORMULA) @NL@

#define TH_TERNARY_SCALAR(NAME, FUNCTOR, DTYPES, FORMULA) \
row(#NAME, "ternary_scalar", #DTYPES, FORMULA) @NL@ \
local function NAME(r, x, value, y, z) @NL@ \
   if type(value) ~= "number" or not isTensor(r) or not isTensor(x) or not isTensor(y) or not isTensor(z) then badArguments(#NAME, "[*T*] T [number] T T", 5, r, x, value, y, z) end @NL@ \
   TH_CALL(NAME, (r, x, value, y, z)) \
   return r @NL@ \
end @NL@ \
function T.NAME(r, a, b, c, d) @NL@ \
   if d ~= nil then return NAME(r, a, b, c, d) end @NL@ \
   if c == nil then return NAME(r, r, 1, a, b) end @NL@ \
   if type(a) == "number" then return NAME(r, r, a, b, c) end @NL@ \
   return NAME(r, a, 1, b, c) @NL@ \
end @NL@ \
function F.NAME(r, a, b, c, d) @NL@ \
   if not isTensor(r) then badArguments(#NAME, "[*T*] T [number] T T", 5, r, a, b, c, d) end @NL@ \
   if d ~= nil then return NAME(r, a, b, c, d) end @NL@ \
   if c == nil then return NAME(like(r), r, 1, a, b) end @NL@ \
   if type(a) == "number" then return NAME(like(r), r, a, b, c) end @NL@ \
   return NAME(r, a, 1, b, c) @NL@ \
end @NL@

#include "ops/pointwise.def"

#define TH_COMPARE(NAME, FUNCTOR, FORMULA) \
row(#NAME, "compare", "Numeric", FORMULA) @NL@ \
function T.NAME(r, x, y) @NL@ \
   if y == nil then @NL@ \
      if not isTensor(r) then badArguments(#NAME, "[*ByteTensor* | *T*] T (T | number)", 3, r, x, y) end @NL@ \
      r, x, y = th.likeType(r, C.TH_BYTE), r, x @NL@ \
   end @NL@ \
   if not isTensor(x) then badArguments(#NAME, "[*ByteTensor* | *T*] T (T | number)", 3, r, x, y) end @NL@ \
   if type(y) == "number" then @NL@ \
      TH_CALL(NAME##_value, (r, x, y)) \
   elseif isTensor(y) then @NL@ \
      TH_CALL(NAME, (r, x, y)) \
   else @NL@ \
      badArguments(#NAME, "[*ByteTensor* | *T*] T (T | number)", 3, r, x, y) @NL@ \
   end @NL@ \
   return r @NL@ \
end @NL@ \
F.NAME = T.NAME @NL@

#include "ops/compare.def"

// Every operation as C sees it, for tests that walk them all.
#undef TH_UNARY
#undef TH_SCALAR
#undef TH_SCALAR2
#undef TH_BINARY
#undef TH_BINARY_SCALAR
#undef TH_TERNARY_SCALAR
#undef TH_COMPARE
M.calls = {} @NL@
local function call(name, parameters) @NL@
   M.calls[#M.calls + 1] = { name = name, parameters = parameters } @NL@
end @NL@
#define TH_OP(NAME, PARAMS, ARGS) call(#NAME, #PARAMS) @NL@
#include "ops/all.def"

return M @NL@
