-- Numbers given as text. Each expression below is evaluated as it stands, with each of its numbers
-- in quotes, and with all of them; the results must be the same.
local ffi = require 'ffi'
local torch = require 'torch'
local calls = require 'test.support.walks.expressions'

local expressions = calls.numeric

-- Public functions and methods that take no numbers.
local without = {}
for name in ([[
   acos all any asin atan bmm broadcast calls cbitand cbitor cbitxor cdata cdiv ceil cfmod cinv
   class cmod cmul conv2 conv3 cos cosh cpow cremainder data deserialize deserializeFromStorage dot
   einsum equal
   expandAs expm1 factory floor frac ger getRNGState getconstructortable getdefaulttensortype
   getenv getmetatable getnumcores getnumthreads getwinograd help include
   initialSeed isStorage isTensor
   isTypeOf isatty isequal linear
   load loadobj log log1p metatype mm multinomialAlias multinomialAliasSetup
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
   doctor empty_like matmul ones_like outer rand_like randn_like tolist zeros_like
   fuse Function Variable backward checkpoint detach detectAnomaly grad gradcheck gradgradcheck hook
   isGradEnabled isLeaf isVariable noGrad requiresGrad retainGrad setGradEnabled zeroGrad
]]):gmatch '%S+' do
   without[name] = true
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
         local expected = calls.evaluate(text)
         local all, count = quoted(text)
         assert.is_true(count > 0)
         assert.equal(expected, calls.evaluate(all), all)
         for n = 1, count do
            local one = quoted(text, n)
            assert.equal(expected, calls.evaluate(one), one)
         end
      end)
   end

   it('have an example for every function and method that takes numbers', function()
      assert.same({}, calls.missing(without, expressions))
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
