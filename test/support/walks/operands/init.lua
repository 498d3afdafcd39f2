--- Arguments for every operation of lib/TH/ops, by the names of its parameters.
--
-- `M.of(call, context)` makes the arguments of one of `torch.gen.calls`: a table by
-- parameter name. A context says where tensors live and how they lie:
--
--     context.tensor(sizes, [typename], [values])   an operand, or a result that is also read
--     context.result([typename])                    a result that is only written
--
-- Rows of the regular families need no line here: tensors of one shape and small numbers.

local ffi = require 'ffi'

local M = {}

local LONG, BYTE, INT = 'torch.LongTensor', 'torch.ByteTensor', 'torch.IntTensor'
local FLOAT = 'torch.FloatTensor'

-- Values that make a well-conditioned symmetric positive definite matrix.
local function definite(n)
   local values = {}
   for i = 1, n do
      for j = 1, n do
         values[#values + 1] = i == j and 2 * n or 1 / (i + j)
      end
   end
   return values
end

local function merged(a, b)
   local both = {}
   for key, value in pairs(a) do
      both[key] = value
   end
   for key, value in pairs(b) do
      both[key] = value
   end
   return both
end

-- name -> a function of the context, or several.
local makers = {}
for name, f in pairs(require 'test.support.walks.operands.sequences') do
   makers[name] = f
end

-- --- filling and joining ------------------------------------------------------------------------

function makers.fill(c) return { r = c.tensor { 6, 7 }, value = 3 } end
function makers.range(c) return { r = c.result(), first = 1, last = 60, step = 1 } end
function makers.linspace(c) return { r = c.result(), first = 1, last = 2, count = 50 } end
makers.logspace = makers.linspace
function makers.eye(c) return { r = c.result(), rows = 6, columns = 7 } end
makers.diag = {
   function(c) return { r = c.result(), x = c.tensor { 7, 7 }, k = 1 } end,
   function(c) return { r = c.result(), x = c.tensor { 9 }, k = -1 } end,
}
function makers.tril(c) return { r = c.result(), x = c.tensor { 6, 7 }, k = 1 } end
makers.triu = makers.tril
function makers.cat(c)
   return { r = c.result(), xs = { c.tensor { 6, 7 }, c.tensor { 6, 3 }, c.tensor { 6, 7 } },
      count = 3, dim = 1 }
end

-- --- reductions ---------------------------------------------------------------------------------

local function reduction(c) return { r = c.result(), x = c.tensor { 5, 6, 7 }, dim = 1 } end
for _, name in ipairs { 'sum', 'prod', 'mean', 'cumsum', 'cumprod', 'softmax', 'log_softmax' } do
   makers[name] = {
      reduction,
      function(c) return { r = c.result(), x = c.tensor { 3, 40000 }, dim = 1 } end,
   }
end
for _, name in ipairs { 'var', 'std' } do
   makers[name] = function(c) return merged(reduction(c), { biased = false }) end
end
function makers.norm(c) return merged(reduction(c), { p = 3 }) end
local function positioned(c) return merged(reduction(c), { indices = c.result(LONG) }) end
makers.min, makers.max = positioned, positioned
function makers.trace(c) return { x = c.tensor { 9, 9 } } end
for _, name in ipairs { 'all', 'any' } do
   makers[name] = function(c) return { x = c.tensor({ 6, 7 }, BYTE, { 1, 0 }) } end
end

-- --- positions and masks ------------------------------------------------------------------------

local function rows(c) return c.tensor({ 2 }, LONG, { 3, 1 }) end
local function places(c) return c.tensor({ 5, 3 }, LONG, { 3, 1, 2 }) end
local function mask(c) return c.tensor({ 6, 7 }, BYTE, { 1, 0, 0, 1, 1 }) end
function makers.index(c)
   return { r = c.result(), x = c.tensor { 6, 7 }, dim = 0, positions = rows(c) }
end
function makers.index_copy(c)
   return { r = c.tensor { 6, 7 }, dim = 0, positions = rows(c), x = c.tensor { 2, 7 } }
end
makers.index_add = {
   makers.index_copy,
   function(c) -- slices of another shape are rearranged
      return { r = c.tensor { 6, 7, 2 }, dim = 0, positions = rows(c), x = c.tensor { 2, 14 } }
   end,
}
function makers.index_fill(c)
   return { r = c.tensor { 6, 7 }, dim = 0, positions = rows(c), value = 2 }
end
function makers.gather(c)
   return { r = c.result(), x = c.tensor { 5, 6 }, dim = 1, positions = places(c) }
end
function makers.scatter(c)
   return { r = c.tensor { 5, 6 }, dim = 1, positions = places(c), x = c.tensor { 5, 3 } }
end
function makers.scatter_value(c)
   return { r = c.tensor { 5, 6 }, dim = 1, positions = places(c), value = 2 }
end
function makers.masked_select(c)
   return { r = c.result(), x = c.tensor { 6, 7 }, mask = mask(c) }
end
function makers.masked_copy(c)
   return { r = c.tensor { 6, 7 }, x = c.tensor { 6, 7 }, mask = mask(c) }
end
function makers.masked_fill(c) return { r = c.tensor { 6, 7 }, mask = mask(c), value = 2 } end
function makers.nonzero(c) return { r = c.result(LONG), x = c.tensor { 6, 7 } } end

-- --- order --------------------------------------------------------------------------------------

local long = function(c)
   return { r = c.result(), indices = c.result(LONG), x = c.tensor { 3, 400 }, dim = 1 }
end
makers.sort = {
   function(c) return merged(positioned(c), { descending = true }) end,
   function(c) return merged(long(c), { descending = false }) end,
}
makers.topk = {
   function(c) return merged(positioned(c), { k = 2, largest = true, sorted = true }) end,
   function(c) return merged(long(c), { k = 300, largest = false, sorted = true }) end,
}
function makers.kthvalue(c) return merged(positioned(c), { k = 2 }) end
makers.median = { positioned, long }
makers.mode = { positioned, long }

-- --- linear algebra -----------------------------------------------------------------------------

local function square(c) return c.tensor({ 6, 6 }, nil, definite(6)) end
local function system(c) return { x = c.result(), b = c.tensor { 6, 3 }, a = square(c) } end
function makers.dot(c) return { x = c.tensor { 6, 7 }, y = c.tensor { 6, 7 } } end
local scaled = { beta = 2, alpha = 3 }
local function product(t, a, b, second)
   return function(c)
      return merged(scaled, { r = c.result(), t = c.tensor(t), a = c.tensor(a),
         [second or 'b'] = c.tensor(b) })
   end
end
makers.addmv = product({ 7 }, { 7, 6 }, { 6 }, 'x')
makers.addmm = {
   product({ 7, 8 }, { 7, 6 }, { 6, 8 }), product({ 7, 1 }, { 7, 6 }, { 6, 1 }),
   product({ 70, 80 }, { 70, 60 }, { 60, 80 }),
   function(c) -- a result that is only written
      return merged(product({ 7, 8 }, { 7, 6 }, { 6, 8 })(c), { beta = 0 })
   end,
}
makers.baddbmm = product({ 5, 7, 8 }, { 5, 7, 6 }, { 5, 6, 8 })
makers.addbmm = product({ 7, 8 }, { 5, 7, 6 }, { 5, 6, 8 })
function makers.addr(c)
   return merged(scaled, { r = c.result(), t = c.tensor { 7, 8 }, x = c.tensor { 7 },
      y = c.tensor { 8 } })
end
function makers.gesv(c) return merged(system(c), { lu = c.result() }) end
function makers.gels(c)
   return { x = c.result(), qr = c.result(), b = c.tensor { 8, 3 },
      a = c.tensor({ 8, 6 }, nil, definite(8)) }
end
function makers.trtrs(c)
   return merged(system(c), { copy = c.result(), upper = true, transposed = false, unit = false })
end
function makers.symeig(c)
   return { e = c.result(), v = c.result(), a = square(c), vectors = true, upper = true }
end
function makers.eig(c)
   return { e = c.result(), v = c.result(), a = square(c), vectors = true }
end
function makers.svd(c)
   return { u = c.result(), s = c.result(), v = c.result(), a = c.tensor { 6, 4 },
      complete = false }
end
function makers.inverse(c) return { r = c.result(), a = square(c) } end
function makers.potrf(c) return { r = c.result(), a = square(c), upper = true } end
function makers.potrs(c)
   return { x = c.result(), b = c.tensor { 6, 3 }, factor = square(c), upper = true }
end
function makers.potri(c) return { r = c.result(), factor = square(c), upper = true } end
function makers.pstrf(c)
   return { r = c.result(), pivots = c.result(INT), a = square(c), upper = true, tolerance = -1 }
end
function makers.qr(c) return { q = c.result(), r = c.result(), a = c.tensor { 6, 4 } } end
function makers.geqrf(c) return { r = c.result(), tau = c.result(), a = c.tensor { 6, 4 } } end
function makers.orgqr(c)
   return { q = c.result(), a = c.tensor({ 6, 4 }, nil, { 0.5 }), tau = c.tensor { 4 } }
end
function makers.ormqr(c)
   return { r = c.result(), a = c.tensor({ 6, 4 }, nil, { 0.5 }), tau = c.tensor { 4 },
      c = c.tensor { 6, 5 }, left = true, transposed = false }
end
function makers.cross(c)
   return { r = c.result(), x = c.tensor { 5, 3, 7 }, y = c.tensor { 5, 3, 7 }, dim = 1 }
end
function makers.match(c)
   return { r = c.result(), x = c.tensor { 5, 7 }, y = c.tensor { 6, 7 }, gain = 2 }
end
function makers.renorm(c)
   return { r = c.result(), x = c.tensor { 6, 7 }, p = 2, dim = 0, max_norm = 3 }
end

-- --- signals ------------------------------------------------------------------------------------

for _, name in ipairs { 'conv2', 'xcorr2' } do
   makers[name] = function(c)
      return { r = c.result(), x = c.tensor { 2, 9, 8 }, kernel = c.tensor { 2, 3, 3 },
         full = false }
   end
end
for _, name in ipairs { 'conv3', 'xcorr3' } do
   makers[name] = function(c)
      return { r = c.result(), x = c.tensor { 2, 5, 6, 7 }, kernel = c.tensor { 3, 2, 2, 2, 2 },
         full = true }
   end
end
makers.histc = {
   function(c) return { r = c.result(), x = c.tensor { 6, 7 }, bins = 50, min = 0, max = 10 } end,
   function(c) return { r = c.result(), x = c.tensor { 6, 7 }, bins = 50, min = 0, max = 0 } end,
}
makers.bhistc = makers.histc

-- --- random numbers -----------------------------------------------------------------------------

for name, numbers in pairs {
   uniform = { a = 1, b = 2 }, normal = { mean = 1, stdv = 2 }, exponential = { lambda = 2 },
   cauchy = { median = 1, sigma = 2 }, log_normal = { mean = 1, stdv = 2 }, geometric = { p = 0.3 },
   bernoulli = { p = 0.3 }, random = {}, random_range = { a = 2, b = 90 },
} do
   makers[name] = function(c) return merged(numbers, { r = c.tensor { 6, 7 } }) end
end
function makers.bernoulli_tensor(c)
   return { r = c.tensor { 6, 7 }, p = c.tensor({ 6, 7 }, c.floating, { 0.5, 0.25 }) }
end
function makers.randperm(c) return { r = c.result(), n = 60 } end
makers.multinomial = {
   function(c)
      return { r = c.result(LONG), probabilities = c.tensor { 3, 40 }, n = 30, replacement = false }
   end,
   function(c)
      return { r = c.result(LONG), probabilities = c.tensor { 3, 40 }, n = 50, replacement = true }
   end,
}
function makers.multinomial_alias_setup(c)
   return { alias = c.result(LONG), q = c.result(), probabilities = c.tensor { 40 } }
end
function makers.multinomial_alias(c)
   return { r = c.tensor({ 6, 7 }, LONG), alias = c.tensor({ 40 }, LONG, { 2, 1 }),
      q = c.tensor({ 40 }, nil, { 0.5, 1 }) }
end

-- --- layers -------------------------------------------------------------------------------------

function makers.linear(c)
   return { r = c.result(), x = c.tensor { 4, 6 }, weight = c.tensor { 8, 6 },
      bias = c.tensor { 8 } }
end
for _, name in ipairs { 'softmax_backward', 'log_softmax_backward' } do
   makers[name] = function(c)
      return { r = c.result(), g = c.tensor { 5, 6, 7 }, y = c.tensor { 5, 6, 7 }, dim = 1 }
   end
end
function makers.dropout(c)
   return { r = c.result(), noise = c.result(), x = c.tensor { 6, 7 }, p = 0.5 }
end

local function pair(number)
   return ffi.new('int64_t[2]', number, number)
end
-- N, C, H, W of the input; planes of the output; kernels of 3 x 3, whose results have H and W again
local CONVOLUTIONS = {
   { 2, 3, 7, 6, 4 },
   { 2, 64, 7, 6, 64 }, -- oneDNN's
   { 2, 16, 16, 16, 16 }, -- by Winograd's way: more tiles than planes of the result
   { 2, 16, 16, 15, 40 }, -- and fewer
   { 2, 3, 7, 6, 4, step = 2 },
}
local function convolution(f)
   local several = {}
   for i, s in ipairs(CONVOLUTIONS) do
      several[i] = function(c)
         local N, C, H, W, K = unpack(s)
         local step = s.step or 1
         local y = { N, K, math.ceil(H / step), math.ceil(W / step) }
         local steps = { dims = 2, stride = pair(step), padding = pair(1), dilation = pair(1),
            groups = 1 }
         return merged(steps, f(c, { N, C, H, W }, { K, C, 3, 3 }, y, { K }))
      end
   end
   return several
end
makers.conv = convolution(function(c, x, weight, _, bias)
   return { r = c.result(), x = c.tensor(x), weight = c.tensor(weight), bias = c.tensor(bias) }
end)
makers.conv_add_relu = convolution(function(c, x, weight, y, bias)
   return { r = c.result(), x = c.tensor(x), weight = c.tensor(weight), bias = c.tensor(bias),
      addend = c.tensor(y), relu = true }
end)
local CHAR = 'torch.CharTensor'
function makers.quantize(c)
   return { r = c.result(BYTE), x = c.tensor { 6, 7 }, scale = 0.5, zero = 3 }
end
function makers.quantized_linear(c)
   return { r = c.result(BYTE), x = c.tensor({ 6, 8 }, BYTE), weight = c.tensor({ 5, 8 }, CHAR),
      bias = c.tensor({ 5 }, FLOAT), scale = c.tensor({ 5 }, FLOAT) }
end
function makers.quantized_conv(c)
   return { r = c.result(BYTE), x = c.tensor({ 2, 3, 6, 7 }, BYTE),
      weight = c.tensor({ 4, 3, 3, 3 }, CHAR), bias = c.tensor({ 4 }, FLOAT),
      scale = c.tensor({ 4 }, FLOAT), addend = c.tensor({ 2, 4, 6, 7 }, BYTE), addend_scale = 0.5,
      padding_value = 2, dims = 2, stride = pair(1), padding = pair(1), dilation = pair(1),
      groups = 1 }
end
function makers.quantized_add(c)
   return { r = c.result(BYTE), x = c.tensor({ 6, 7 }, BYTE), y = c.tensor({ 6, 7 }, BYTE),
      x_scale = 0.5, y_scale = 0.25, offset = 1 }
end
local function packed(c)
   return { r = c.result(FLOAT), codes = c.tensor({ 5, 16 }, BYTE),
      scale = c.tensor({ 5, 2 }, FLOAT), zero = c.tensor({ 5, 2 }, BYTE), bits = 4 }
end
makers.unpack_rows = packed
function makers.packed_linear(c)
   return merged(packed(c), { x = c.tensor({ 3, 32 }, FLOAT), bias = c.tensor({ 5 }, FLOAT) })
end
makers.conv_backward_input = convolution(function(c, x, weight, y)
   return { r = c.result(), g = c.tensor(y), x = c.tensor(x), weight = c.tensor(weight) }
end)
makers.conv_backward_weight = convolution(function(c, x, weight, y, bias)
   return { grad_weight = c.tensor(weight), grad_bias = c.tensor(bias), g = c.tensor(y),
      x = c.tensor(x), scale = 2 }
end)

local function integers(...) return ffi.new('int64_t[?]', select('#', ...), ...) end
local windows = { dims = 2, kernel = integers(2, 2), stride = integers(2, 2),
   padding = integers(0, 0), dilation = integers(1, 1), ceil_mode = false, count_padding = true }
local overlapping = merged(windows, { kernel = integers(3, 3), padding = integers(1, 1) })
local function pooling(f)
   return {
      function(c) return merged(windows, f(c)) end,
      function(c) return merged(overlapping, f(c)) end,
   }
end
function makers.quantized_max_pool(c)
   return merged(windows, { r = c.result(BYTE), x = c.tensor({ 2, 3, 6, 8 }, BYTE) })
end
local function adaptive(f)
   return function(c) return merged({ dims = 2, sizes = integers(4, 4) }, f(c)) end
end
local function fractional(f)
   return function(c)
      return merged({ dims = 2, sizes = integers(4, 4), kernel = integers(2, 2),
         samples = c.tensor({ 2, 3, 2 }, nil, { 0.1, 0.7, 0.4 }) }, f(c))
   end
end
local function averages(c) return { r = c.result(), x = c.tensor { 2, 3, 8, 8 } } end
local function spread(c) return merged(averages(c), { g = c.tensor { 2, 3, 4, 4 } }) end
local function maxima(c) return merged(averages(c), { indices = c.result(LONG) }) end
local function put_back(c)
   return merged(spread(c), { indices = c.tensor({ 2, 3, 4, 4 }, LONG,
      { 1, 3, 5, 7, 17, 19, 21, 23, 33, 35, 37, 39, 49, 51, 53, 55 }) })
end
makers.max_pool, makers.max_pool_backward = pooling(maxima), pooling(put_back)
makers.avg_pool, makers.avg_pool_backward = pooling(averages), pooling(spread)
makers.adaptive_max_pool, makers.adaptive_max_pool_backward = adaptive(maxima), adaptive(put_back)
makers.adaptive_avg_pool, makers.adaptive_avg_pool_backward = adaptive(averages), adaptive(spread)
makers.fractional_max_pool = fractional(maxima)
makers.fractional_max_pool_backward = fractional(put_back)

local function enlarged(c) return merged(averages(c), { g = c.tensor { 2, 3, 10, 10 } }) end
local function resampling(f)
   return function(c)
      return merged({ dims = 2, before = integers(1, 1), after = integers(1, 1),
         sizes = integers(10, 10) }, f(c))
   end
end
for _, name in ipairs { 'replicate_pad', 'reflect_pad', 'upsample_nearest', 'upsample_linear' } do
   makers[name], makers[name .. '_backward'] = resampling(averages), resampling(enlarged)
end

local PLANES = 5
local function planes(c) return c.tensor { PLANES } end
local function statistics(c, train)
   return { x = c.tensor { 4, PLANES, 3, 3 }, weight = planes(c), running_mean = planes(c),
      running_var = planes(c), train = train, eps = 1e-5 }
end
local function normalisation(train)
   return function(c)
      return merged(statistics(c, train), { r = c.result(), save_mean = c.result(),
         save_std = c.result(), bias = planes(c), momentum = 0.1 })
   end
end
makers.batch_norm = { normalisation(true), normalisation(false) }
local function normalisation_backward(train)
   return function(c)
      return merged(statistics(c, train), { r = c.result(), grad_weight = planes(c),
         grad_bias = planes(c), g = c.tensor { 4, PLANES, 3, 3 }, save_mean = planes(c),
         save_std = planes(c), scale = 2 })
   end
end
makers.batch_norm_backward = { normalisation_backward(true), normalisation_backward(false) }

local function classes(c)
   return { x = c.tensor { 6, 7 }, target = c.tensor({ 6 }, LONG, { 3, 1, 7 }),
      weights = c.tensor { 7 }, size_average = true, ignore_index = -100 }
end
function makers.nll_loss(c)
   return merged(classes(c), { r = c.result(), total_weight = c.result() })
end
function makers.nll_loss_backward(c)
   return merged(classes(c), { r = c.result(), total_weight = c.tensor { 1 } })
end

-- --- steps of optimisers ------------------------------------------------------------------------

-- name -> states and numbers.
for name, row in pairs {
   sgd_step = { {}, { rate = 0.5, decay = 0.25 } },
   momentum_step = { { 'v' }, { along_v = 0.5, along_g = 0.25, keep = 0.9, take = 0.1, decay = 0.1,
      shrink = 0.5 } },
   rms_step = { { 'v' }, { rate = 0.5, keep = 0.9, take = 0.1, epsilon = 0.1, decay = 0.1 } },
   adamax_step = { { 'm', 'u' }, { rate = 0.5, beta1 = 0.9, beta2 = 0.99, epsilon = 0.1,
      decay = 0.1 } },
   adadelta_step = { { 's', 'a' }, { rate = 0.5, rho = 0.9, epsilon = 0.1, decay = 0.1 } },
   lion_step = { { 'm' }, { rate = 0.5, beta1 = 0.9, beta2 = 0.99, shrink = 0.5 } },
   asgd_step = { { 'a' }, { rate = 0.5, shrink = 0.5, share = 0.25 } },
   rprop_step = { { 'last', 'size' }, { grow = 1.2, shrink = 0.5, least = 0.1, most = 9 } },
} do
   makers[name] = function(c)
      local arguments = merged(row[2], { x = c.tensor { 6, 7 }, g = c.tensor { 7, 6 } })
      for _, state in ipairs(row[1]) do
         arguments[state] = c.tensor { 6, 7 }
      end
      return arguments
   end
end
local adam = { along_m = 0.5, along_g = 0.25, beta1 = 0.9, beta2 = 0.99, root = 2, epsilon = 0.1,
   decay = 0.1, shrink = 0.5 }
function makers.adam_step(c)
   return merged(adam, { x = c.tensor { 6, 7 }, g = c.tensor { 6, 7 }, m = c.tensor { 6, 7 },
      v = c.tensor { 7, 6 } })
end
function makers.amsgrad_step(c)
   return merged(makers.adam_step(c), { u = c.tensor { 6, 7 } })
end

-- --- every row ----------------------------------------------------------------------------------

--- The parameters of a row: { name, type } with the type as in "const TH_Tensor*".
function M.parameters(call)
   local list = {}
   for text in call.parameters:sub(2, -2):gmatch '[^,]+' do
      local kind, name = text:match '^%s*(.-)%s*([%w_]+)%s*$'
      list[#list + 1] = { name = name, type = (kind:gsub('%s*%*', '*')) }
   end
   return list
end

-- Rows whose parameters are tensors of one shape and numbers.
local function regular(call)
   local list = M.parameters(call)
   for _, p in ipairs(list) do
      if p.type ~= 'TH_Tensor*' and p.type ~= 'const TH_Tensor*' and p.type ~= 'double'
         and p.type ~= 'double*' and p.type ~= 'bool*' and p.type ~= 'bool' then
         return nil
      end
   end
   return function(c)
      local arguments = {}
      for i, p in ipairs(list) do
         if p.type == 'TH_Tensor*' then
            arguments[p.name] = c.result()
         elseif p.type == 'const TH_Tensor*' then
            arguments[p.name] = c.tensor { 6, 7 }
         elseif p.type == 'double' then
            arguments[p.name] = i
         elseif p.type == 'bool' then
            arguments[p.name] = true
         end
      end
      return arguments
   end
end

--- The ways to call an operation: functions of a context that return its arguments.
-- @raise where there is none: add a line to this file.
function M.of(call)
   local found = makers[call.name] or regular(call)
   assert(found, ('no arguments for %s%s: add a line to test/support/walks/operands'):format(
      call.name, call.parameters))
   return type(found) == 'table' and found or { found }
end

--- Names with a line of their own that no operation has.
function M.unused(calls)
   local names, unused = {}, {}
   for _, call in ipairs(calls) do
      names[call.name] = true
   end
   for name in pairs(makers) do
      unused[#unused + 1] = not names[name] and name or nil
   end
   return unused
end

return M
