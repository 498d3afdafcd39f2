-- Every operation on CUDA types against the same call on the CPU. Operations that the backend has
-- no function for yet are pending, so that the list of them is printed.
local cuda = require 'test.support.cuda'
if not cuda.available then
   return
end

local torch = require 'torch'
local th = require 'torch.ffi'
local C = th.C

local CUDA_OF = {
   ['torch.ByteTensor'] = 'torch.CudaByteTensor', ['torch.CharTensor'] = 'torch.CudaCharTensor',
   ['torch.ShortTensor'] = 'torch.CudaShortTensor', ['torch.IntTensor'] = 'torch.CudaIntTensor',
   ['torch.LongTensor'] = 'torch.CudaLongTensor', ['torch.HalfTensor'] = 'torch.CudaHalfTensor',
   ['torch.BFloat16Tensor'] = 'torch.CudaBFloat16Tensor',
   ['torch.FloatTensor'] = 'torch.CudaTensor', ['torch.DoubleTensor'] = 'torch.CudaDoubleTensor',
}

-- Relative to the size of the value. Both backends compute with the same formulas, in the same
-- width, but with other functions of the C library and other orders of sums.
local TOLERANCE = {
   ['torch.DoubleTensor'] = 1e-13, ['torch.FloatTensor'] = 4e-6, ['torch.HalfTensor'] = 2e-3,
   ['torch.BFloat16Tensor'] = 1.6e-2,
}

local FLOATING = { 'torch.HalfTensor', 'torch.BFloat16Tensor', 'torch.FloatTensor',
   'torch.DoubleTensor' }
local INTEGRAL = { 'torch.ByteTensor', 'torch.CharTensor', 'torch.ShortTensor', 'torch.IntTensor',
   'torch.LongTensor' }

local function onHost(t)
   return t
end
local function onDevice(t)
   return t:type(CUDA_OF[torch.typename(t)])
end

-- Numbers, booleans, tensors, and tensors on a device, compared with what the CPU gave.
local function compare(expected, got, relative, what)
   if torch.isTensor(expected) then
      assert.equal(CUDA_OF[torch.typename(expected)], torch.typename(got), what)
      assert.same(expected:size():totable(), got:size():totable(), what)
      if expected:dim() == 0 then
         return
      end
      local e = expected:double():contiguous():view(-1)
      local g = got:double():contiguous():view(-1)
      for i = 1, e:size(1) do
         compare(e[i], g[i], relative, what)
      end
   elseif type(expected) == 'number' and expected ~= got
      and not (expected ~= expected and got ~= got) then
      local room = relative * math.max(1, math.abs(expected))
      assert.is_true(math.abs(expected - got) <= room,
         ('%s: expected %.17g, got %.17g'):format(what, expected, got))
   elseif type(expected) ~= 'number' then
      assert.equal(expected, got, what)
   end
end

-- --- element-wise: every row of the list --------------------------------------------------------

local N = 133 -- a multiple of 7 and 19

local DOMAIN = {
   log = { 0.1, 4 }, log1p = { -0.9, 4 }, sqrt = { 0.1, 4 }, rsqrt = { 0.1, 4 }, cinv = { 0.3, 4 },
   asin = { -0.9, 0.9 }, acos = { -0.9, 0.9 }, tan = { -1.4, 1.4 }, pow = { 0.1, 4 },
   cpow = { 0.1, 4 },
}

local function samples(name, shift)
   local range = DOMAIN[name] or { -3, 3 }
   local x = torch.DoubleTensor(N)
   for i = 1, N do
      x[i] = range[1] + (range[2] - range[1]) * ((i - 1 + shift) % N + 0.31) / N
   end
   return x
end

local function integers(shift, first, last)
   local x = torch.DoubleTensor(N)
   for i = 1, N do
      x[i] = (i * 7 + shift) % (last - first + 1) + first
   end
   return x
end

-- The same elements in row-major order, laid out on the device in ways that kernels tell apart.
local LAYOUTS = {
   contiguous = onDevice,
   strided = function(x)
      local base = torch.zeros(N, 2):type(torch.typename(x))
      base:select(2, 1):copy(x)
      return onDevice(base):select(2, 1)
   end,
   transposed = function(x)
      return onDevice(x:view(7, 19):t():clone()):t()
   end,
   offset = function(x)
      local base = torch.zeros(N + 3):type(torch.typename(x))
      base:narrow(1, 4, N):copy(x)
      return onDevice(base):narrow(1, 4, N)
   end,
}

local OPERANDS = {
   unary = 1, scalar = 1, scalar2 = 1, binary = 2, binary_scalar = 2, ternary_scalar = 3,
   compare = 2,
}

local function call(op, r, xs, a, b)
   local f, family = C['TH_' .. op.name], op.family
   if family == 'unary' then
      th.check(f(r, xs[1]))
   elseif family == 'scalar' then
      th.check(f(r, xs[1], a))
   elseif family == 'scalar2' then
      th.check(f(r, xs[1], a, b))
   elseif family == 'binary' or family == 'compare' then
      th.check(f(r, xs[1], xs[2]))
   elseif family == 'binary_scalar' then
      th.check(f(r, xs[1], a, xs[2]))
   else
      th.check(f(r, xs[1], a, xs[2], xs[3]))
   end
   return r
end

local function resultOf(op, x)
   return op.family == 'compare' and th.likeType(x, C.TH_BYTE) or th.like(x)
end

local function elementwise(op, typename, xs, a, b)
   for k, x in ipairs(xs) do
      xs[k] = x:type(typename)
   end
   local expected = call(op, resultOf(op, xs[1]), xs, a, b)
   for layout, arrange in pairs(LAYOUTS) do
      local what = ('%s of %s (%s)'):format(op.name, CUDA_OF[typename], layout)
      local arranged = {}
      for k, x in ipairs(xs) do
         arranged[k] = arrange(x)
      end
      local r = call(op, resultOf(op, arranged[1]), arranged, a, b)
      assert.equal(N, r:nElement(), what)
      compare(expected:view(-1), r:contiguous():view(-1), TOLERANCE[typename] or 0, what)
      if op.family ~= 'compare' then -- in place
         call(op, arranged[1], arranged, a, b)
         compare(expected:view(-1), arranged[1]:contiguous():view(-1), TOLERANCE[typename] or 0,
            what .. ', in place')
      end
   end
end

describe('an element-wise operation on a device #cuda', function()
   for _, op in ipairs(torch.ops) do
      if OPERANDS[op.family] then
         it(op.name .. ' gives what it gives on the CPU', function()
            if op.dtypes ~= 'Integral' then
               for _, typename in ipairs(FLOATING) do
                  local xs = {}
                  for k = 1, OPERANDS[op.family] do
                     xs[k] = samples(op.name, 17 * (k - 1))
                  end
                  elementwise(op, typename, xs, op.family == 'scalar2' and -1 or 2, 2)
               end
            end
            if op.dtypes ~= 'Floating' then
               for _, typename in ipairs(INTEGRAL) do
                  local unsigned = typename == 'torch.ByteTensor' or op.name:match 'shift'
                  local low, xs = unsigned and 0 or -5, {}
                  for k = 1, OPERANDS[op.family] do
                     xs[k] = integers(3 * k, k > 1 and 1 or low, 5)
                  end
                  elementwise(op, typename, xs, op.family == 'scalar2' and 1 or 2, 4)
               end
            end
         end)
      end
   end
end)

-- --- everything else: calls that take a tensor and whatever else they need ----------------------

-- t: the tensor (3 x 4 x 5, distinct values); to: brings a CPU tensor to where t is.
local function longs(to, ...)
   return to(torch.LongTensor { ... })
end

local CASES = {
   { 'fill', function(t) return t:fill(3) end },
   { 'zero', function(t) return t:zero() end },
   { 'clone', function(t) return t:transpose(1, 3):clone() end },
   { 'contiguous', function(t) return t:transpose(1, 2):contiguous() end },
   { 'view', function(t) return t:view(12, 5):select(2, 3) end },
   { 'unfold', function(t) return t:unfold(2, 2, 1):contiguous() end },
   { 'expand', function(t) return t:narrow(1, 2, 1):expand(6, 4, 5):contiguous() end },
   { 'repeatTensor', function(t) return t:repeatTensor(2, 1, 2) end },
   { 'permute', function(t) return t:permute(3, 1, 2):contiguous() end },
   { 'element', function(t) return t[{ 2, 3, 4 }] end },
   { 'assignment', function(t)
      t[{ 2, 3, 4 }] = 7
      t[{ {}, 4 }] = t[{ {}, 1 }]
      return t
   end },
   { 'assignment of a number to a view', function(t) t[1] = 2; return t end },
   { 'mask', function(t) return t[t:gt(1)] end },
   { 'cat', function(t) return torch.cat({ t, t:clone(), t }, 2) end },
   { 'sum', function(t) return t:sum() end },
   { 'sum over a dimension', function(t) return t:sum(1) end },
   { 'sum over the middle', function(t) return t:sum(2) end },
   { 'sum over the last', function(t) return t:sum(3) end },
   { 'sum of a transpose', function(t) return t:transpose(1, 3):sum(2) end },
   { 'prod', function(t) return t:narrow(2, 1, 1):prod(1) end },
   { 'mean', function(t) return t:mean() end, 'floating' },
   { 'mean over a dimension', function(t) return t:mean(2) end, 'floating' },
   { 'var', function(t) return t:var() end, 'floating' },
   { 'var over a dimension', function(t) return t:var(3) end, 'floating' },
   { 'std over a dimension', function(t) return t:std(1, true) end, 'floating' },
   { 'norm', function(t) return t:norm() end, 'floating' },
   { 'norm over a dimension', function(t) return t:norm(1, 2) end, 'floating' },
   { 'dist', function(t) return t[1]:dist(t[2]) end, 'floating' },
   { 'min', function(t) return t:min() end },
   { 'max', function(t) return t:max() end },
   { 'min over a dimension', function(t) return t:min(2) end },
   { 'max over a dimension', function(t) return t:max(3) end },
   { 'equal', function(t) return t:equal(t:clone()) end },
   { 'dot', function(t) return t:view(-1):dot(t:view(-1)) end },
   { 'trace', function(t) return t[1]:trace() end },
   { 'cumsum', function(t) return t:cumsum(2) end },
   { 'cumprod', function(t) return t:narrow(1, 1, 1):narrow(2, 1, 1):cumprod(3) end },
   { 'sort', function(t) return t:sort(2) end },
   { 'sort, descending', function(t) return t:sort(3, true) end },
   { 'topk', function(t) return t:topk(2, 3, true, true) end },
   { 'kthvalue', function(t) return t:kthvalue(2, 3) end },
   { 'median', function(t) return t:median(3) end },
   { 'mode', function(t) return (t:mode(3)) end },
   { 'index', function(t, to) return t:index(2, longs(to, 4, 1, 1)) end },
   { 'index by a LongTensor', function(t) return t:index(2, torch.LongTensor { 4, 1, 1 }) end },
   { 'indexFill', function(t, to) return t:indexFill(1, longs(to, 3, 1), 9) end },
   { 'indexCopy', function(t, to)
      return t:indexCopy(1, longs(to, 3, 1), t:narrow(1, 1, 2):clone())
   end },
   { 'indexAdd', function(t, to)
      return t:indexAdd(1, longs(to, 3, 1), t:narrow(1, 1, 2):clone())
   end },
   { 'gather', function(t, to)
      return t[1]:gather(2, longs(to, { 1, 5 }, { 2, 2 }, { 3, 1 }, { 5, 4 }))
   end },
   { 'scatter', function(t, to)
      return t[1]:scatter(2, longs(to, { 1 }, { 2 }, { 3 }, { 5 }), 8)
   end },
   { 'maskedFill', function(t) return t:maskedFill(t:gt(1), 5) end },
   { 'maskedSelect', function(t) return t:maskedSelect(t:le(1)) end },
   { 'maskedCopy', function(t) return t:maskedCopy(t:le(1), t:clone()) end },
   { 'nonzero', function(t) return t:nonzero() end },
   { 'range', function(t) return t.new():range(1, 12, 3) end },
   { 'linspace', function(t) return t.new():linspace(1, 3, 9) end, 'floating' },
   { 'logspace', function(t) return t.new():logspace(0, 1, 5) end, 'floating' },
   { 'eye', function(t) return torch.eye(t.new(), 3, 4) end },
   { 'diag', function(t) return t[1]:diag(1) end },
   { 'tril', function(t) return t[1]:tril(-1) end },
   { 'triu', function(t) return t[1]:triu(1) end },
   { 'mm', function(t) return torch.mm(t[1], t[2]:t()) end },
   { 'addmm', function(t) return t.new(4, 4):zero():addmm(2, t[1], t[2]:t()) end },
   { 'mv', function(t) return torch.mv(t[1], t[{ 2, 1 }]) end },
   { 'ger', function(t) return torch.ger(t[{ 1, 1 }], t[{ 2, 2 }]) end },
   { 'bmm', function(t) return torch.bmm(t, t:transpose(2, 3)) end },
   { 'addbmm', function(t) return t.new(4, 4):zero():addbmm(t, t:transpose(2, 3)) end },
   { 'baddbmm', function(t) return t.new(3, 4, 4):fill(2):baddbmm(3, 2, t, t:transpose(2, 3)) end },
   { 'renorm', function(t) return t:renorm(2, 1, 3) end, 'floating' },
   { 'cross', function(t) return torch.cross(t, t:clone():transpose(1, 3):transpose(1, 3), 1) end },
   { 'match', function(t) return torch.match(t[1], t[2]) end },
   { 'conv2', function(t) return torch.conv2(t, t:narrow(2, 1, 2), 'F') end },
   { 'xcorr2', function(t) return torch.xcorr2(t, t.new(2, 3, 2, 2):fill(2)) end },
   { 'conv3', function(t) return torch.conv3(t, t:narrow(1, 2, 2)) end },
   { 'xcorr3', function(t) return torch.xcorr3(t, t:narrow(3, 2, 2), 'F') end },
   { 'histc', function(t) return t:histc(7) end, 'floating' },
   { 'bhistc', function(t) return t[1]:bhistc(5, 1, 3) end, 'floating' },
   { 'addition', function(t) return t + t * 2 - 1 end },
   { 'totable', function(t) return t[3]:totable()[4][5] end },
   { 'apply', function(t) return t:apply(function(x) return x + 1 end) end },
}

describe('an operation on a device #cuda', function()
   -- 0 to 4.9 in steps that halves hold, in no order; integers 0 to 59
   local function tensor(typename, floating)
      local x = torch.DoubleTensor(60)
      for i = 1, 60 do
         x[i] = (i * 37) % 60
      end
      if floating then
         x:div(16)
      end
      return x:view(3, 4, 5):type(typename)
   end

   for _, case in ipairs(CASES) do
      local name, f, kinds = unpack(case)
      it(name .. ' gives what it gives on the CPU', function()
         local typenames = { 'torch.FloatTensor', 'torch.DoubleTensor', 'torch.HalfTensor' }
         if kinds ~= 'floating' then
            typenames[4], typenames[5] = 'torch.IntTensor', 'torch.LongTensor'
         end
         for _, typename in ipairs(typenames) do
            local x = tensor(typename, TOLERANCE[typename])
            local supported, expected, second = pcall(function()
               return f(x:clone(), onHost)
            end)
            if supported then
               local device = onDevice(x)
               local got, gotSecond = f(device, onDevice)
               compare(expected, got, TOLERANCE[typename] or 0, name .. ' of ' .. typename)
               if second ~= nil then
                  compare(second, gotSecond, 0, 'positions of ' .. name .. ' of ' .. typename)
               end
            else
               assert.is_true(typename ~= 'torch.FloatTensor', expected)
            end
         end
      end)
   end
end)

describe('a class of CUDA tensors #cuda', function()
   it('has every method of the CPU class', function()
      local methods = torch.getmetatable 'torch.FloatTensor'
      for name, method in pairs(methods) do
         if type(method) == 'function' then -- x.image is a table, of the CPU's types
            assert.truthy(torch.getmetatable('torch.CudaTensor')[name], name)
         end
      end
   end)
end)

describe('an operation that only the CPU has', function()
   it('says so at the user\'s line, with what to do', function()
      local a = torch.rand(3, 3):cuda()
      for _, name in ipairs { 'inverse', 'symeig', 'svd', 'potrf', 'qr' } do
         local ok, message = pcall(function() torch[name](a) end)
         assert.is_false(ok)
         assert.matches('^[^:]*operations_spec%.lua:%d+: ' .. name .. ': there is no CUDA', message)
         assert.matches('convert the tensors first, as in x:double%(%)', message)
      end
      assert.is_true((torch.inverse(a:double()) * a:double() - torch.eye(3)):abs():max() < 1e-4)
   end)
end)

describe('the product operator', function()
   local a, b = torch.rand(2, 3), torch.rand(3, 2)

   it('multiplies matrices and vectors of a device', function()
      local x, y = a:cudaDouble(), b:cudaDouble()
      assert.is_true(((a * b) - (x * y):double()):abs():max() < 1e-14)
      assert.is_true(((a * b[{ {}, 1 }]) - (x * y[{ {}, 1 }]):double()):abs():max() < 1e-14)
      assert.is_near(a[1] * b[{ {}, 1 }], x[1] * y[{ {}, 1 }], 1e-14)
   end)

   it('refuses what does not fit, other types and other devices, at the user\'s line', function()
      local function refused(pattern, f)
         local ok, message = pcall(f)
         assert.is_false(ok)
         assert.matches('^[^:]*operations_spec%.lua:%d+: [%*%a]+: ' .. pattern, message)
      end
      local x = a:cuda()
      refused('size mismatch, m1: %[2 x 3%], m2: %[2 x 3%]; .* the columns of x %(3%) must equal',
         function() return x * x end)
      refused('tensors are on different kinds of device .* move one with :cuda%(%)',
         function() return x * b:float() end)
      refused('types differ: CudaTensor and CudaDoubleTensor; convert one, as in x:typeAs%(y%)',
         function() return x * b:cudaDouble() end)
      if require('cutorch').getDeviceCount() > 1 then
         local away = require('cutorch').withDevice(2, function() return b:cuda() end)
         refused("tensors are on devices 1 and 2; copy one of them", function() return x * away end)
      end
   end)

   -- Torch7's empty tensors have no device.
   it('makes an empty result where the operands are', function()
      local cutorch = require 'cutorch'
      if cutorch.getDeviceCount() < 2 then
         return
      end
      local function far()
         return cutorch.withDevice(2, torch.CudaTensor)
      end
      local x = a:cuda()
      assert.equal(1, torch.add(far(), x, 1):getDevice())
      local values, places = torch.max(far(), cutorch.withDevice(2, torch.CudaLongTensor), x, 1)
      assert.same({ 1, 1 }, { values:getDevice(), places:getDevice() })
      local away = cutorch.withDevice(2, function() return torch.CudaTensor(2, 3):copy(x) end)
      assert.equal(2, torch.add(torch.CudaTensor(), away, 1):getDevice())
      local ok, message = pcall(torch.add, far(), x, away)
      assert.is_false(ok)
      assert.matches('tensors are on devices 1 and 2', message)
      local r = far()
      assert.is_false(pcall(torch.add, r, x, 1, torch.CudaTensor(7)))
      assert.equal(2, r:getDevice()) -- as it was
      assert.equal(2, far():resizeAs(x):getDevice()) -- nothing of x is read
      assert.equal(1, torch.cat(far(), { x, x }):getDevice())
      local joined = torch.cat(torch.CudaTensor(), { torch.CudaTensor(), away, x }, 1)
      assert.equal(2, joined:getDevice()) -- where the first is that has elements
      assert.equal(2, torch.cat(torch.CudaTensor(), { torch.CudaTensor(4):resize(0), away }, 1)
         :getDevice())
      assert.equal(1, torch.cat(torch.CudaTensor(), { away.new(3):resize(0) }, 1):getDevice())
      r = torch.CudaTensor()
      cutorch.emptyCache()
      cutorch.setMemoryLimit(cutorch.memoryStatistics(2).reserved.current + 2 ^ 22, 2)
      assert.is_false(pcall(torch.cat, r, { away:narrow(1, 1, 1):expand(2 ^ 22, 3), away }, 1))
      cutorch.setMemoryLimit(0, 2)
      assert.equal(1, r:getDevice())
      assert.equal(2 * x:sum(), joined:sum())
      local nn = require 'nn'
      require 'cunn'
      local layer = cutorch.withDevice(2, function() return nn.Linear(3, 2):cuda() end)
      layer.weight, layer.bias = torch.CudaTensor(2, 3):fill(1), torch.CudaTensor(2):fill(0)
      assert.equal(1, layer:forward(x):getDevice())
   end)
end)
