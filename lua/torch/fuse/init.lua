--- One pass over memory from an expression.
-- @module torch.fuse
local M = {}

--- A function of tensors from a text: each element of the results is computed from the arguments'
-- elements in one pass over memory, whatever number of operations the text has.
--
-- The text has statements `NAME = EXPRESSION`, a line or `;` apart; `--` begins a comment. Names
-- that are read before they are made are the arguments, in the order in which they come; the name
-- made last is the result. An argument is a tensor or a number. Sizes are broadcast: from the last
-- dimension on they are equal or 1. Tensors are of one floating type, which the results have, too
-- (half and bfloat16 are computed in float); those of integer types, such as masks and labels, may
-- stand beside and are read as numbers of that type.
--
-- There are `+ - * / % ^`, comparisons, which are 1 or 0, `and or not`, `where(condition, a, b)`,
-- `pi`, `inf` and `nan`, and the functions abs, acos, asin, atan, atan2, ceil, cinv, clamp(x,
-- least, most), cos, cosh, elu(x, alpha), exp, expm1, floor, fmod, frac, gelu, gelu_tanh,
-- hardsigmoid, hardswish, lerp(x, y, weight), log, log1p, logsigmoid, max, min, mish, pow, prelu(x,
-- slope), relu, remainder, round, rsqrt, selu, sigmoid, sign, silu, sin, sinh, softplus, softsign,
-- sqrt, square, tan, tanh, tanhshrink, threshold(x, a, b), trunc; each is the operation of that
-- name.
--
-- What comes is called as `f(a, b, c)`; as `f(y, a, b, c)` it writes into y, which may be an
-- argument; as `f { a = a, b = b, c = c }` by names. Of Variables it is recorded as one node; its
-- gradient, and that one's, are passes over memory as well, which compute the expression anew.
--
-- On the CPU the text becomes a loop by the system's compiler (CC, or gcc, cc or clang on the PATH)
-- when it is first called with such types: some 0.1 s, once, for the code stays in
-- `$XDG_CACHE_HOME/luatorch` (`~/.cache/luatorch`). On CUDA devices NVRTC makes a kernel. Where
-- there is neither, or clang would have to call libm element by element, the operations run one
-- after the other: the same results to some units in the last place; `f:how(...)` says which it is.
-- @function fuse
-- @param text string
-- @param[opt] options table: results, a list of names, where it is not the last one alone;
-- arguments, a list of names, where their order is to be another or an unknown name an error;
-- compile, false to have operations always
-- @return torch.Fused
-- @raise "torch.fuse: there is no function 'tahn'; near: tanh (line 1, column 9)", with the line
-- @usage torch.fuse(text [, options]) -> torch.Fused
-- @example
-- local f = torch.fuse 'y = a * tanh(b) + c'
-- f(torch.Tensor { 2, 3 }, torch.zeros(2), 1) --> { 1, 1 }
-- local step = torch.fuse([[
--    m = 0.9 * m + g
--    w = w - rate * m
-- ]], { results = { 'm', 'w' } })
-- local m, w = torch.zeros(2), torch.ones(2)
-- step(m, w, m, torch.Tensor { 1, 2 }, w, 0.1)
-- w --> { 0.9, 0.8 }
function M.fuse(text, options)
   return rawget(_G, 'torch').Fused(text, options)
end

return { methods = {}, functions = M }
