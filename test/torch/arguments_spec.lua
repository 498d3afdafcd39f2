-- Numbers given as text. Each expression below is evaluated as it stands, with each of its numbers
-- in quotes, and with all of them; the results must be the same.
local ffi = require 'ffi'
local torch = require 'torch'
local evaluate = require('test.support.expressions').evaluate
local Tensor = torch.getmetatable(torch.Tensor():type())

local expressions = {
   -- elements
   'x[2]', 'v[2]', 'x[2][3]', 'x[{ 2, 3 }]', 'x[{ 2 }]', 'x[{ { 1, 2 }, 3 }]', 'x[{ {}, { 2 } }]',
   'b[{ 1, 2, -1 }]', 'b[{ 1, {}, { 2, 3 } }]', 's[3]', 'k[-1]', 'put(v, 2, 5)', 'put(x, 2, 5)',
   'put(x, { 2, 3 }, 5)', 'put(x, { 1, { 2, 3 } }, 5)', 'put(x, x:gt(4), 5)', 'put(s, 2, 7.5)',
   'put(k, { 1, 2 }, 3.9)', 'put(x, torch.LongStorage { 1, 2 }, 3)',
   -- operators
   'x + 2', '2 + x', 'x - 2', '2 - x', 'x * 2', '2 * x', 'x / 2', 'x % 2', 'k * 3', 'k / 2',
   -- construction
   'torch.Tensor(3, 4):zero()', 'torch.Tensor(3):zero()', 'torch.IntTensor(2, 2, 2):zero()',
   'torch.Tensor { 1, 2 }', 'torch.Tensor { { 1, 2.5 }, { 3, 4 } }', 'torch.Tensor(s, 2, 3, 1)',
   'torch.Tensor(s, 1, 2, 3, 2, 1)', 'torch.Tensor(s, 2, torch.LongStorage { 2, 2 })',
   'torch.DoubleStorage { 1, 2, 3 }', 'torch.DoubleStorage(s, 2, 2)', 'x.new(2, 3):zero()',
   's:resize(3)', 's:fill(2)', 'torch.zeros(2, 3)', "torch.zeros(2, 3, 'torch.IntTensor')",
   'torch.ones(2, 3)', 'r:zeros(2)', 'r:ones(2)', 'torch.range(1, 7)', 'torch.range(1, 7, 2)',
   'r:range(1, 3)', 'torch.linspace(0, 1, 5)', 'r:linspace(0, 1, 3)', 'torch.logspace(0, 1, 5)',
   'r:logspace(0, 1, 3)', 'torch.eye(2)', 'torch.eye(2, 3)', 'r:eye(3)', 'x:fill(2)',
   'torch.fill(x, 2)', 'x:diag(1)', 'torch.diag(v, -1)', 'torch.tril(x, 1)', 'x:triu(1)',
   'torch.cat(x, x, 1)', 'x:cat(x, 2)', 'torch.cat({ x, x }, 1)', 'r:cat({ x, x }, 2)',
   'torch.reshape(x, 4, 3)', 'x:reshape(2, 6)', 'r:reshape(x, 12)', 'torch.repeatTensor(v, 2, 2)',
   'x:repeatTensor(1, 2)', 'r:repeatTensor(x, 2, 1)', 'torch.stack({ x, x }, 2)',
   'r:stack({ x, x }, 1)',
   -- geometry
   'x:size(1)', 'x:stride(1)', 'r:resize(2, 3):zero()', 'r:set(s, 2, 2, 2, 2, 1)',
   'x:narrow(1, 2, 1)', 'x:sub(1, 2, 2, -1)', 'x:select(2, 3)', 'v:select(1, 2)',
   'b:transpose(1, 3)', 'b:permute(3, 1, 2)', 'torch.permute(b, 3, 1, 2)', 'v:unfold(1, 2, 2)',
   'x:view(1, 3, 4):expand(2, 3, 4)', 'torch.expand(x:view(1, 3, 4), 2, 3, 4)',
   'torch.view(x, 4, 3)', 'x:view(2, -1)', 'r:view(x, 12)', 'x:view(3, 1, 4):squeeze(2)',
   'torch.squeeze(x:view(3, 1, 4), 2)', 'x:unsqueeze(1)', 'torch.unsqueeze(x, 3)', 'x:split(2)',
   'torch.split(x, 3, 2)', 'x:chunk(2, 2)', 'torch.chunk(x, 2)', 'x:narrow(1, 1.9, 2.9)',
   'torch.Tensor(2.7, 3.2):zero()', 'v[2.9]', 'put(v, 1.5, 4)',
   -- arithmetic that is not among the rows
   'x:add(2)', 'x:add(2, y)', 'r:add(x, 2)', 'r:add(x, 2, y)', 'torch.add(x, 2)',
   'torch.add(x, 2, y)', 'torch.add(r, x, 2, y)', 'x:csub(2)', 'x:csub(2, y)', 'r:csub(x, 2, y)',
   'torch.csub(x, 2)', 'torch.csub(x, 2, y)', 'torch.csub(r, x, 2)', 'x:pow(2)', 'r:pow(x, 2)',
   'r:pow(2, x)', 'torch.pow(x, 2)', 'torch.pow(2, x)', 'torch.pow(2, 3)', 'torch.pow(r, x, 2)',
   'x:lerp(y, 0.25)', 'r:lerp(x, y, 0.25)', 'torch.lerp(x, y, 0.25)', 'torch.lerp(r, x, y, 0.25)',
   'torch.lerp(1, 3, 0.25)', 'x:cmax(4)', 'r:cmax(x, 4)', 'torch.cmax(x, 4)', 'x:cmin(4)',
   'r:cmin(x, 4)', 'torch.cmin(x, 4)', 'k:bitand(3)', 'torch.bitor(k, 3)', 'k:bitxor(3)',
   'x:mod(3)', 'torch.mod(x, 3)', 'x:clamp(2, 5)', 'x:clamp(2, nil)', 'r:clamp(x, nil, 5)',
   'torch.clamp(x, 2, 5)', 'torch.clamp(r, x, 2, 5)', 'torch.where(x:gt(3), x, 0)',
   'torch.where(x:gt(3), 1, 0)', 'torch.atan2(1, 2)', 'torch.sqrt(4)', 'torch.exp(1)',
   'torch.abs(-1)', 'x:addcmul(2, y, y)', 'r:addcmul(x, 2, y, y)', 'torch.addcmul(x, 2, y, y)',
   'torch.addcdiv(r, x, 2, y, y)', 'x:addcdiv(2, y, y)',
   -- products
   'q:addmm(2, q, q)', 'q:addmm(2, 3, q, q)', 'r:addmm(2, q, 3, q, q)', 'r:addmm(q, 3, q, q)',
   'r:addmm(2, q, q, q)', 'torch.addmm(q, 2, q, q)', 'torch.addmm(2, q, q, q)',
   'torch.addmm(2, q, 3, q, q)', 'torch.addmm(r, 2, q, 3, q, q)', 'torch.addmm(r, 2, q, q, q)',
   'u:addmv(2, q, u)', 'torch.addmv(2, u, 3, q, u)', 'q:addr(2, u, u)', 'torch.addr(2, q, u, u)',
   'b:baddbmm(2, c, d)', 'torch.baddbmm(2, b, 3, c, d)', 'torch.addbmm(2, b[1], 3, c, d)',
   'b[1]:addbmm(2, c, d)',
   -- reductions and order
   'x:sum(1)', 'torch.sum(r, x, 2)', 'x:prod(1)', 'x:mean(2)', 'x:min(1)', 'torch.max(x, 2)',
   'x:var(1)', 'torch.std(x, 1, true)', 'x:norm(3)', 'x:norm(3, 1)', 'torch.norm(r, x, 1, 2)',
   'x:dist(y, 3)', 'x:cumsum(2)', 'torch.cumprod(x, 2)', 'r:cumsum(x, 1)', 'x:logsumexp(1)',
   'torch.allclose(x, y, 0.5, 100)', 'x:index(1, i)', 'torch.gather(x, 1, j)',
   'x:indexCopy(1, i, y)', 'x:indexAdd(1, i, y)', 'x:indexFill(1, i, 5)', 'x:scatter(1, j, 5)',
   'x:scatter(1, j, y)', 'torch.scatter(x, 1, j, 5)', 'x:maskedFill(x:gt(3), 5)', 'x:sort(1)',
   'torch.sort(x, 1, true)', 'x:topk(2)', 'torch.topk(x, 2, 1, true)', 'x:kthvalue(2, 1)',
   'torch.median(x, 1)', 'x:mode(1)',
   -- others
   'torch.cross(q, q, 2)', 'x:match(y, y, 2)', 'torch.match(y, y, 2)', 'x:renorm(2, 1, 3)',
   'torch.renorm(x, 2, 1, 3)', 'x:histc(3)', 'torch.histc(x, 3, 0, 10)',
   'torch.bhistc(x, 3, 0, 10)', "torch.pstrf(q, 'U', 0.5)", 'torch.pstrf(q, 0.5)',
   'x:apply(function() return 3 end)', 'x:map(y, function() return 3.5 end)',
   'x:map2(y, y, function() return 3 end)',
   -- random numbers
   'torch.random(5)', 'torch.random(3, 9)', 'v:random(5)', 'v:random(3, 9)', 'torch.uniform(1, 2)',
   'v:uniform(1, 2)', 'torch.normal(1, 2)', 'v:normal(1, 2)', 'v:cauchy(1, 2)',
   'v:logNormal(1, 2)', 'v:exponential(2)', 'v:geometric(0.5)', 'v:bernoulli(0.25)',
   'torch.bernoulli(0.25)', 'torch.rand(2, 3)', 'r:randn(2, 3)', 'torch.randn(2, 3)',
   'torch.randperm(5)', 'r:randperm(5)', 'torch.multinomial(v, 2)', 'v:multinomial(3, true)',
   'torch.random(torch.manualSeed(8))',
}

-- Public functions and methods that take no numbers.
local without = {}
for name in ([[
   acos all any asin atan bmm broadcast calls cbitand cbitor cbitxor cdata cdiv ceil cfmod cinv
   class cmod cmul conv2 conv3 cos cosh cpow cremainder data deserialize deserializeFromStorage dot
   einsum equal
   expandAs expm1 factory floor frac ger getRNGState getconstructortable getdefaulttensortype
   getenv getmetatable getnumcores getnumthreads getwinograd help include
   initialSeed isStorage isTensor
   isTypeOf isatty isequal load loadobj log log1p metatype mm multinomialAlias multinomialAliasSetup
   multinomialAliasSetup_ multinomialAlias_ mv neg newmetatable nonzero numel packageLuaPath pointer
   pushudata relu round rsqrt save saveobj seed serialize serializeToStorage setRNGState
   setdefaulttensortype setenv setheaptracking setmetatable setnumthreads setwinograd
   sigmoid sign sin sinh
   softplus square TestSuite tan tanh tic prelu selu tanhshrink softsign logsigmoid gelu gelu_tanh
   silu mish hardsigmoid hardswish toc totable trace trunc type typename
   updateerrorhandlers updatethreadlocals version viewAs xcorr2 xcorr3 zero clshift crshift
   eig gels geqrf gesv inverse orgqr ormqr potrf potri potrs qr svd symeig trtrs
   bfloat16 byte char clone contiguous copy cuda cudaBFloat16 cudaByte cudaChar cudaDouble cudaHalf
   cudaInt cudaLong cudaShort dim double elementSize float free half int isContiguous
   isSameSizeAs isSetTo isSize item long maskedCopy maskedSelect nDimension nElement new read real
   resizeAs retain short storage storageOffset t typeAs write
]]):gmatch '%S+' do
   without[name] = true
end

-- The rows of lib/TH/ops/*.def that take numbers.
local ROWS = {
   scalar = { '%s:NAME(2)', 'r:NAME(%s, 2)', 'torch.NAME(%s, 2)', 'torch.NAME(r, %s, 2)' },
   scalar2 = { '%s:NAME(2, 5)', 'r:NAME(%s, 2, 5)', 'torch.NAME(%s, 2, 5)',
      'torch.NAME(r, %s, 2, 5)' },
   ternary_scalar = { '%s:NAME(2, y, y)', 'r:NAME(%s, 2, y, y)', 'torch.NAME(%s, 2, y, y)',
      'torch.NAME(r, %s, 2, y, y)' },
   compare = { '%s:NAME(2)', 'torch.NAME(%s, 2)', 'torch.NAME(r, %s, 2)' },
}
for _, op in ipairs(torch.ops) do
   for _, form in ipairs(torch[op.name] and ROWS[op.family] or {}) do
      local operand = op.dtypes == 'Integral' and 'k' or 'x'
      local text = form:format(operand):gsub('NAME', op.name)
      if operand == 'k' then
         text = text:gsub('%f[%w]r%f[%W]', 'l')
      end
      expressions[#expressions + 1] = text
   end
end

-- The text with number n (or all, without n) in quotes, and how many there are. Digits that end a
-- name (atan2) are none.
local function quoted(text, n)
   local count = 0
   local result = (' ' .. text):gsub('([^%w_.])(%-?%d+%.?%d*)', function(before, number)
      count = count + 1
      if n == nil or n == count then
         return before .. "'" .. number .. "'"
      end
   end)
   return result:sub(2), count
end

describe('numbers as text', function()
   for _, text in ipairs(expressions) do
      it(text, function()
         local expected = evaluate(text)
         local all, count = quoted(text)
         assert.is_true(count > 0)
         assert.equal(expected, evaluate(all), all)
         for n = 1, count do
            local one = quoted(text, n)
            assert.equal(expected, evaluate(one), one)
         end
      end)
   end

   it('have an example for every function and method that takes numbers', function()
      local seen, missing = {}, {}
      for _, text in ipairs(expressions) do
         for name in text:gmatch '[.:](%a[%w_]*)[ (]' do
            seen[name] = true
         end
      end
      for _, owner in ipairs { torch, Tensor } do
         for name, value in pairs(owner) do
            if type(value) == 'function' and not name:match '^__' and not seen[name]
               and not without[name] then
               missing[#missing + 1] = name
            end
         end
      end
      assert.same({}, missing)
   end)

   it('may be written as Lua reads numbers, and stand for nothing else', function()
      assert.equal(16, torch.Tensor(1):fill('0x10')[1])
      assert.equal(-250, torch.Tensor(1):fill(' -2.5e2 ')[1])
      for _, text in ipairs { '', 'x', '1 2', '3 apples' } do
         local ok, message = pcall(torch.fill, torch.Tensor(1), text)
         assert.is_false(ok)
         assert.matches('fill: invalid arguments: DoubleTensor string\nexpected arguments: '
            .. '*DoubleTensor* number', message, 1, true)
      end
      assert.is_nil(torch.Tensor(3).x)
      assert.is_nil(torch.Tensor(3).inf)
   end)

   it('read from a line of a file', function()
      local data = torch.FloatTensor(2, 3)
      local i = 0
      for line in ('1,2.5,-3\n4,5e1,6\n'):gmatch '[^\n]+' do
         i = i + 1
         local k = 0
         for field in line:gmatch '[^,]+' do
            k = k + 1
            data[i][k] = field
         end
      end
      assert.same({ { 1, 2.5, -3 }, { 4, 50, 6 } }, data:totable())
   end)

   it('are not confused with names of types and files', function()
      assert.equal('torch.IntTensor', torch.type(torch.zeros('2', 'torch.IntTensor')))
      local path = os.tmpname()
      local file = assert(io.open(path, 'wb'))
      file:write(ffi.string(ffi.new('double[2]', 1.5, 2.5), 16))
      file:close()
      assert.same({ 1.5, 2.5 }, torch.DoubleStorage(path):totable())
      os.remove(path)
   end)
end)
