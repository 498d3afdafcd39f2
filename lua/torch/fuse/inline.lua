--- Functions of libm in C, for float, which a compiler puts into the loop instead of a call.
--
-- A call keeps nothing in the vector registers and costs more than the arithmetic: three operands
-- through tanh, 1e4 floats, 3.1 us with calls and 1.9 so. Polynomials are minimax (Remez). Results
-- are up to 2 units in the last place from the exact ones, tanh 3 (libmvec says 4); over all floats
-- gcc's are 1.0 for exp, 1.5 for expm1 and log1p, 0.9 for log, 2.6 for tanh. Doubles move twice the
-- bytes for an element, and call libmvec.
-- @module torch.fuse.inline
local M = {}

-- name -> what it is made of, C. Comparisons let NaN through, so it needs no branch of its own.
local FUNCTIONS = {
   reduced = { {}, [[
typedef struct { float q; int32_t n; } Reduced;
/* e^x = 2^n (1 + q), |log(1 + q)| <= log(2) / 2. To add 1.5 * 2^23 rounds to an integer, which is
   then in the last bits; log(2) is 0.693359375, of which multiples are exact, and a rest. */
static inline Reduced reduced(float x) {
  const float t = x * 1.44269504f + 0x1.8p23f;
  const float n = t - 0x1.8p23f;
  const float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  const float p = 0.4999999343f + r * (0.166665204f + r * (0.04166839074f + r * (0.008368745038f
    + r * 0.001381454247f)));
  Reduced e;
  e.q = r + r * r * p;
  e.n = bits_of(t) - bits_of(0x1.8p23f);
  return e;
}
static inline float power_of_2(int32_t n) { return of_bits((n + 127) << 23); }
]] },
   -- 2^n in two factors, each of which is finite and none of them subnormal.
   exp = { { 'reduced' }, [[
static inline float inline_expf(float x) {
  x = x > 89.0f ? 89.0f : x;
  const Reduced e = reduced(x < -104.0f ? -104.0f : x);
  const float half = power_of_2(e.n >> 1);
  return (e.q * half + half) * power_of_2(e.n - (e.n >> 1));
}
]] },
   expm1 = { { 'reduced' }, [[
static inline float inline_expm1f(float x) {
  x = x > 89.0f ? 89.0f : x;
  const Reduced e = reduced(x < -20.0f ? -20.0f : x);
  const float half = power_of_2(e.n - 1);
  return __builtin_copysignf((e.q * half + (half - 0.5f)) * 2, x);
}
]] },
   -- e / (e + 2), e = e^(2 |x|) - 1: nothing cancels.
   tanh = { { 'reduced' }, [[
static inline float inline_tanhf(float x) {
  const float twice = __builtin_fabsf(x) * 2;
  const Reduced reduction = reduced(twice > 20.0f ? 20.0f : twice);
  const float power = power_of_2(reduction.n);
  const float e = reduction.q * power + (power - 1);
  return __builtin_copysignf(e / (e + 2), x);
}
]] },
   -- x = 2^n (1 + f), 1 + f from sqrt(1/2) to sqrt(2): 0x3f3504f3 are the bits of that root.
   log = { {}, [[
static inline float inline_logf(float x) {
  const bool subnormal = x < 0x1p-126f;
  const int32_t bits = bits_of(subnormal ? x * 0x1p23f : x) - 0x3f3504f3;
  const float n = (float)((bits >> 23) - (subnormal ? 23 : 0));
  const float f = of_bits((bits & 0x7fffff) + 0x3f3504f3) - 1;
  const float p = 0.3333333171f + f * (-0.2500082103f + f * (0.2000122687f + f * (-0.1662335753f
    + f * (0.14201758f + f * (-0.1316018047f + f * (0.1276157735f + f * -0.0763450291f))))));
  float y = n * -2.12194440e-4f + (f * f * f * p - 0.5f * (f * f)) + f + n * 0.693359375f;
  y = x == 0 ? -__builtin_inff() : y;
  y = x < 0 ? __builtin_nanf("") : y;
  return x < __builtin_inff() ? y : x;
}
]] },
   -- What 1 + x has lost is added by its slope, as long as there is one.
   log1p = { { 'log' }, [[
static inline float inline_log1pf(float x) {
  const float whole = 1 + x, y = inline_logf(whole);
  const float lost = (x - (whole - 1)) / whole;
  return __builtin_copysignf(whole > 0 && whole < __builtin_inff() ? y + lost : y, x);
}
]] },
}

local BITS = [[
static inline int32_t bits_of(float x) { int32_t i; memcpy(&i, &x, sizeof i); return i; }
static inline float of_bits(int32_t i) { float x; memcpy(&x, &i, sizeof x); return x; }
]]

--- Whether a function of libm is here.
function M.has(name)
   return FUNCTIONS[name] ~= nil
end

--- The C of some functions, and macros that put them in the place of libm's.
-- @param names list
function M.text(names)
   local list, there = { BITS }, {}
   local function add(name)
      if not there[name] then
         there[name] = true
         for _, part in ipairs(FUNCTIONS[name][1]) do
            add(part)
         end
         list[#list + 1] = FUNCTIONS[name][2]
      end
   end
   for _, name in ipairs(names) do
      add(name)
      list[#list + 1] = ('#define %sf inline_%sf\n'):format(name, name)
   end
   return names[1] and table.concat(list) or ''
end

return M
