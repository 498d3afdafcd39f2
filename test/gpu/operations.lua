-- One of each operation on a device against the CPU: for the first minutes on a GPU, where each is
-- to have a process of its own.
--
--    th test/gpu/operations.lua          the names, a line each
--    th test/gpu/operations.lua NAME     run it; an error says what differs
package.path = './?.lua;./?/init.lua;' .. package.path

local torch = require 'torch'
local sorted_keys = require 'xlua.sorted_keys'
local compare = require 'test.gpu.compare'

local operations, names = {}, {}

-- f(to): `to` makes tensors of the CPU into those of the side that is asked for: first the CPU's.
-- It returns tensors and numbers, which both sides must agree on.
local function operation(name, f, tolerance)
   names[#names + 1] = name
   operations[name] = { f = f, tolerance = tolerance or 1e-5 }
end

-- The same numbers on both sides.
local function normal(...)
   return torch.FloatTensor(...):normal()
end
local function uniform(low, high, ...)
   return torch.FloatTensor(...):uniform(low, high)
end
local function integers(most, ...)
   return torch.LongTensor(...):random(most)
end

-- --- memory and copies --------------------------------------------------------------------------

operation('fill', function(to)
   return to(normal(1000, 33)):fill(3)
end)
operation('zero', function(to)
   return to(normal(1000, 33)):zero()
end)
operation('copy there and back, large', function(to)
   return to(normal(3000, 1000))
end)
operation('copy transposed', function(to)
   return to(normal(257, 129)):t():clone()
end)
operation('copy with gaps', function(to)
   local x = to(normal(40, 50, 6))
   x:narrow(2, 5, 20):select(3, 2):copy(to(normal(40, 20)))
   return x
end)
operation('conversions', function(to)
   local x = to(uniform(0, 100, 1000))
   local results = {}
   for _, kind in ipairs { 'Byte', 'Char', 'Short', 'Int', 'Long', 'Double', 'Half', 'BFloat16' } do
      local there = x:type(x:type() == 'torch.FloatTensor' and ('torch.%sTensor'):format(kind)
         or ('torch.Cuda%sTensor'):format(kind))
      results[#results + 1] = there:type(x:type())
   end
   return unpack(results)
end)
operation('elements', function(to)
   local x = to(normal(10))
   x[3] = 7
   return x, x[3]
end)
operation('a gigabyte', function(to)
   local x = to(normal(10))
   if torch.typename(x) == 'torch.FloatTensor' then
      return 2 ^ 28
   end
   local cutorch = require 'cutorch'
   local _, total = cutorch.getMemoryUsage(1)
   local n = total > 2 ^ 33 and 2 ^ 28 or 2 ^ 20
   return torch.CudaTensor(n):fill(1):sum() * (2 ^ 28 / n)
end)
operation('many sizes', function(to)
   local kept, sum = {}, 0
   for i = 1, 400 do
      kept[i % 37] = to(torch.FloatTensor((i * 7919) % 100000 + 1):fill(1))
      sum = sum + kept[i % 37]:sum()
   end
   return sum
end)

-- --- element by element -------------------------------------------------------------------------

for _, name in ipairs { 'abs', 'ceil', 'cos', 'exp', 'floor', 'neg', 'round', 'sign', 'sin', 'tanh',
   'sigmoid', 'atan' } do
   operation(name, function(to)
      return to(normal(1000, 37))[name](to(normal(1000, 37)):mul(2))
   end)
end
for _, name in ipairs { 'log', 'sqrt', 'rsqrt', 'log1p' } do
   operation(name, function(to)
      return torch[name](to(uniform(0.1, 5, 1000, 37)))
   end)
end
operation('add, mul, div, pow with numbers', function(to)
   return to(uniform(0.5, 2, 3001)):add(1):mul(3):div(2):pow(1.5)
end)
operation('cadd, cmul, cdiv, cpow', function(to)
   local x, y = to(uniform(0.5, 2, 3001)), to(uniform(0.5, 2, 3001))
   return x + y, torch.cmul(x, y), torch.cdiv(x, y), torch.cpow(x, y), torch.add(x, 0.3, y)
end)
operation('addcmul, addcdiv, lerp', function(to)
   local x, y, z = to(normal(3001)), to(normal(3001)), to(uniform(1, 2, 3001))
   return torch.addcmul(x, 0.5, y, z), torch.addcdiv(x, 0.5, y, z), torch.lerp(x, y, 0.25)
end)
operation('with gaps', function(to)
   return to(normal(33, 65)):t() + to(normal(65, 66)):narrow(2, 2, 33)
end)
operation('halves', function(to)
   local x = to(uniform(-2, 2, 3001))
   local half = x:type() == 'torch.FloatTensor' and 'torch.HalfTensor' or 'torch.CudaHalfTensor'
   return (x:type(half) * 3 + 1):type(x:type())
end, 1e-2)
operation('comparisons', function(to)
   local x, y = to(integers(5, 3001):float()), to(integers(5, 3001):float())
   local results = {}
   for _, name in ipairs { 'lt', 'le', 'gt', 'ge', 'eq', 'ne' } do
      results[#results + 1] = x[name](x, y)
      results[#results + 1] = x[name](x, 3)
   end
   return unpack(results)
end)
operation('clamp', function(to)
   return to(normal(3001)):clamp(-0.5, 0.5)
end)

-- --- reductions ---------------------------------------------------------------------------------

operation('sum, mean, prod of all', function(to)
   local x = to(uniform(0.9, 1.1, 100))
   return x:sum(), x:mean(), x:prod(), to(integers(9, 100000):float()):sum()
end)
for _, name in ipairs { 'sum', 'mean', 'max', 'min', 'var', 'std' } do
   operation(name .. ' along dimensions', function(to)
      local x = to(normal(33, 70, 41))
      return (torch[name](x, 1)), (torch[name](x, 2)), (torch[name](x, 3))
   end, 1e-4)
end
operation('norm, dist, renorm', function(to)
   local x, y = to(normal(100, 50)), to(normal(100, 50))
   return x:norm(2), x:norm(1, 2), torch.dist(x, y), torch.renorm(x, 2, 1, 3)
end, 1e-4)
operation('all, any, equal', function(to)
   local x = to(integers(2, 1000):float()):gt(1)
   return x:all() and 1 or 0, x:any() and 1 or 0, x:equal(x:clone()) and 1 or 0
end)
operation('cumsum, cumprod', function(to)
   return to(normal(20, 3000)):cumsum(2), to(uniform(0.9, 1.1, 300, 20)):cumprod(1)
end, 1e-3)
operation('histc', function(to)
   return to(uniform(0, 1, 10000)):histc(20, 0, 1)
end)

-- --- order --------------------------------------------------------------------------------------

operation('sort', function(to)
   return torch.sort(to(normal(30, 700)), 2)
end)
operation('sort, long', function(to)
   return (torch.sort(to(normal(200000)), 1, true))
end)
operation('topk, kthvalue, median, mode', function(to)
   local x = to(integers(50, 20, 301):float())
   return (torch.topk(x, 5, 2, true, true)), (torch.kthvalue(x, 7, 2)), (torch.median(x, 2)),
      (torch.mode(x, 2))
end)

-- --- positions ----------------------------------------------------------------------------------

operation('index, indexFill', function(to)
   local x, p = to(normal(50, 20)), to(integers(50, 70))
   return x:index(1, p), x:clone():indexFill(1, p, 3)
end)
operation('indexCopy, indexAdd', function(to)
   local x, p, y = to(normal(50, 20)), to(integers(50, 70)), to(normal(70, 20))
   return x:clone():indexCopy(1, p, y), x:clone():indexAdd(1, p, y)
end)
operation('gather, scatter', function(to)
   local x, p = to(normal(50, 20)), to(integers(50, 30, 20))
   return x:gather(1, p), x:clone():scatter(1, p, to(normal(30, 20))), x:clone():scatter(1, p, 2)
end)
operation('masks', function(to)
   local x, y = to(normal(50, 20)), to(normal(50, 20))
   local mask = x:gt(0)
   return x:maskedSelect(mask), x:clone():maskedFill(mask, 9), x:clone():maskedCopy(mask, y),
      mask:nonzero()
end)
operation('cat, diag, tril, range, eye', function(to)
   local x = to(normal(20, 20))
   return torch.cat(x, x, 2), x:diag(), x:tril(), x:triu(1)
end)

-- --- linear algebra -----------------------------------------------------------------------------

local function products(name, kind, tolerance)
   operation(name, function(to)
      local a, b, v = to(normal(65, 130)), to(normal(130, 33)), to(normal(130))
      if kind then
         local cuda = a:type() ~= 'torch.FloatTensor'
         local function cast(t)
            return t:type(('torch.%s%sTensor'):format(cuda and 'Cuda' or '', kind))
         end
         local back = a:type()
         return torch.mm(cast(a), cast(b)):type(back)
      end
      return torch.mm(a, b), torch.mm(b:t(), a:t()), torch.mv(a, v), torch.dot(v, v),
         torch.ger(v, v), torch.addmm(0.5, torch.mm(a, b), 2, a, b)
   end, tolerance)
end
products('mm, mv, dot, ger', nil, 1e-3)
products('mm of doubles', 'Double')
products('mm of halves', 'Half', 0.2)
products('mm of bfloat16', 'BFloat16', 1)
operation('mm of integers', function(to)
   local a, b = to(integers(9, 65, 33)), to(integers(9, 33, 20))
   return torch.mm(a, b)
end)
operation('bmm, baddbmm', function(to)
   local a, b = to(normal(7, 20, 30)), to(normal(7, 30, 10))
   return torch.bmm(a, b), torch.baddbmm(torch.bmm(a, b), a, b)
end, 1e-3)
operation('conv2, cross', function(to)
   local x, y = to(normal(10, 3)), to(normal(10, 3))
   return torch.conv2(to(normal(20, 20)), to(normal(3, 3))), torch.cross(x, y, 2)
end, 1e-4)

-- --- random numbers: only what must be true of them ---------------------------------------------

operation('random fills', function(to)
   local x = to(torch.FloatTensor(200000))
   local near = function(value, wanted, within)
      assert(math.abs(value - wanted) < within, ('%g, wanted %g'):format(value, wanted))
   end
   near(x:uniform(0, 1):mean(), 0.5, 0.01)
   near(x:normal(2, 3):mean(), 2, 0.05)
   near(x:std(), 3, 0.05)
   near(x:bernoulli(0.25):mean(), 0.25, 0.01)
   near(x:exponential(2):mean(), 0.5, 0.02)
   near(x:geometric(0.5):mean(), 2, 0.05)
   near(x:random(1, 6):mean(), 3.5, 0.05)
   local drawn = torch.multinomial(to(torch.FloatTensor { 1, 3 }), 10000, true)
   near(drawn:type(x:type()):mean(), 1.75, 0.05)
   return 1
end)

-- --- layers -------------------------------------------------------------------------------------

-- A module's outputs and gradients.
local function layer(name, make, shape, tolerance)
   operation(name, function(to)
      require 'nn'
      torch.manualSeed(3)
      local module = make()
      local probe = torch.typename(to(torch.FloatTensor(1)))
      if probe ~= 'torch.FloatTensor' then
         require 'cunn'
      end
      module:type(probe)
      local x = to(normal(unpack(shape)))
      local y = module:forward(x)
      module:zeroGradParameters()
      local dx = module:backward(x, to(normal(y:size())))
      local _, gradients = module:getParameters()
      return y, dx, gradients:nElement() > 0 and gradients or 0
   end, tolerance or 1e-3)
end
local function nn(class, ...)
   local arguments = { ... }
   return function()
      return require 'nn'[class](unpack(arguments))
   end
end
layer('Linear', nn('Linear', 40, 30), { 50, 40 })
layer('ReLU', nn 'ReLU', { 50, 40 })
layer('Tanh', nn 'Tanh', { 50, 40 })
layer('SoftMax, short rows', nn 'SoftMax', { 50, 10 })
layer('SoftMax, long rows', nn 'SoftMax', { 5, 9000 })
layer('LogSoftMax', nn 'LogSoftMax', { 50, 1000 })
layer('SoftMax of planes', nn 'SoftMax', { 3, 10, 8, 8 })
layer('SpatialConvolution', nn('SpatialConvolution', 3, 8, 5, 5, 1, 1, 2, 2), { 4, 3, 20, 20 })
layer('SpatialConvolution with steps', nn('SpatialConvolution', 8, 6, 3, 3, 2, 2), { 4, 8, 21, 20 })
layer('SpatialFullConvolution', nn('SpatialFullConvolution', 8, 6, 3, 3, 2, 2), { 4, 8, 10, 9 })
layer('SpatialMaxPooling', nn('SpatialMaxPooling', 3, 3, 2, 2), { 4, 5, 20, 21 })
layer('SpatialAveragePooling', nn('SpatialAveragePooling', 3, 3, 2, 2, 1, 1), { 4, 5, 20, 21 })
layer('BatchNormalization', nn('BatchNormalization', 40), { 50, 40 })
layer('SpatialBatchNormalization', nn('SpatialBatchNormalization', 7), { 8, 7, 20, 20 })

-- What getParameters() does to weights: they begin anywhere in a storage.
local function odd_convolution(name, kind, tolerance)
   operation(name, function(to)
      local cuda = torch.typename(to(torch.FloatTensor(1))) ~= 'torch.FloatTensor'
      local prefix = cuda and 'Cuda' or ''
      local type = ('torch.%s%sTensor'):format(prefix, cuda and kind == 'Float' and '' or kind)
      local function off_by_one(...) -- a tensor of these sizes at storage offset 1
         local values = to(normal(...)):mul(0.5):type(type)
         local whole = torch.Tensor():type(type):resize(values:nElement() + 1)
         return whole:narrow(1, 2, values:nElement()):view(values:size()):copy(values)
      end
      local module = require 'nn'.SpatialConvolution(4, 8, 3, 3, 1, 1, 1, 1):type(type)
      module.weight, module.gradWeight = off_by_one(8, 4, 3, 3), off_by_one(8, 4, 3, 3)
      module.bias, module.gradBias = off_by_one(8), off_by_one(8)
      assert(module.weight:storageOffset() == 2)
      local x, g = off_by_one(2, 4, 9, 9), off_by_one(2, 8, 9, 9)
      local y, dx = module:forward(x), module:backward(x, g)
      local back = cuda and 'torch.CudaTensor' or 'torch.FloatTensor'
      return y:type(back), dx:type(back), module.gradWeight:type(back), module.gradBias:type(back)
   end, tolerance)
end
odd_convolution('convolution of halves at storage offset 1', 'Half', 0.05)
odd_convolution('convolution of bfloat16 at storage offset 1', 'BFloat16', 0.2)
odd_convolution('convolution of floats at storage offset 1', 'Float', 1e-3)

operation('convolution by kernels of our own', function(to)
   require 'nn'
   local x, w, b = to(normal(4, 3, 12, 12)), to(normal(5, 3, 3, 3)), to(normal(5))
   local module = require 'nn'.SpatialConvolution(3, 5, 3, 3):type(x:type())
   module.weight:copy(w)
   module.bias:copy(b)
   if x:type() ~= 'torch.FloatTensor' then
      require 'cutorch'.setOptions { cudnn = false }
   end
   local y = module:forward(x)
   module:zeroGradParameters()
   return y, module:backward(x, to(normal(4, 5, 10, 10))), module.gradWeight, module.gradBias
end, 1e-3)
operation('criterions', function(to)
   local n = require 'nn'
   local x, target = to(normal(50, 10)), to(integers(10, 50):float())
   local type = x:type()
   local nll, cross, mse = n.ClassNLLCriterion():type(type), n.CrossEntropyCriterion():type(type),
      n.MSECriterion():type(type)
   local log = n.LogSoftMax():type(type):forward(x)
   return nll:forward(log, target), nll:backward(log, target), cross:forward(x, target),
      cross:backward(x, target), mse:forward(x, to(normal(50, 10))),
      mse:backward(x, to(normal(50, 10)))
end, 1e-4)
operation('dropout', function(to)
   local x = to(torch.FloatTensor(100000):fill(1))
   local y = require 'nn'.Dropout(0.25):type(x:type()):forward(x)
   assert(math.abs(y:mean() - 1) < 0.02, y:mean())
   return 1
end)
operation('training steps', function(to)
   local n = require 'nn'
   local optim = require 'optim'
   torch.manualSeed(5)
   local type = torch.typename(to(torch.FloatTensor(1)))
   local results = {}
   for _, method in ipairs { 'sgd', 'adam', 'rmsprop', 'adagrad' } do
      torch.manualSeed(5)
      local net = n.Sequential():add(n.Linear(20, 16)):add(n.Tanh()):add(n.Linear(16, 4))
         :add(n.LogSoftMax()):type(type)
      local criterion = n.ClassNLLCriterion():type(type)
      local parameters, gradients = net:getParameters()
      local x, target = to(normal(32, 20)), to(integers(4, 32):float())
      local state = { learningRate = 0.05, momentum = method == 'sgd' and 0.9 or nil }
      for _ = 1, 5 do
         optim[method](function()
            gradients:zero()
            local loss = criterion:forward(net:forward(x), target)
            net:backward(x, criterion:backward(net.output, target))
            return loss, gradients
         end, parameters, state)
      end
      results[#results + 1] = parameters
   end
   return unpack(results)
end, 1e-2)

require 'test.gpu.samples'(operation)

-- --- every optimiser ----------------------------------------------------------------------------

-- What of optim's functions is none, or is called otherwise.
local NO_OPTIMISERS = {
   checkgrad = true, accumulate = true, lswolfe = true, polyinterp = true, FistaLS = true,
   clipGradNorm = true, clipGradValue = true, groups = true, offload = true, vectors = true,
}
local optim = require 'optim'
for _, name in ipairs(sorted_keys(optim)) do
   if type(optim[name]) == 'function' and not NO_OPTIMISERS[name] then
      operation('optim.' .. name, function(to)
         local draws = name == 'cmaes' or name == 'de' -- and takes long for many parameters
         local n = draws and 8 or 300
         local x, center, weight = to(normal(n)), to(normal(n)), to(uniform(0.5, 2, n))
         local state = { learningRate = 0.01, maxIter = 3, maxEval = 200 }
         for _ = 1, 3 do
            optim[name](function(at)
               local d = at - center
               return 0.5 * torch.dot(torch.cmul(d, weight), d), d:cmul(weight)
            end, x, state)
         end
         assert(x:eq(x):all(), 'a NaN')
         return draws and 1 or x
      end, 1e-3)
   end
end

-- --- what the CPU has not -----------------------------------------------------------------------

local function only_cuda(name, f)
   operation(name, function(to)
      if torch.typename(to(torch.FloatTensor(1))) ~= 'torch.FloatTensor' then
         f(require 'cutorch', to)
      end
      return 1
   end)
end
only_cuda('streams and events', function(cutorch)
   cutorch.reserveStreams(2)
   local x = torch.CudaTensor(1000000):fill(1)
   local e = cutorch.Event()
   cutorch.setStream(1)
   e:waitOn()
   local y = x * 2
   local done = cutorch.Event()
   cutorch.setStream(2)
   done:waitOn()
   assert((y + 1):sum() == 3e6)
   cutorch.setStream(0)
end)
only_cuda('pinned memory', function(cutorch)
   local host = cutorch.createCudaHostTensor(1000):fill(3)
   local there = torch.CudaTensor(1000):copyAsync(host)
   cutorch.synchronize()
   host:zero()
   assert(there:sum() == 3000)
end)
only_cuda('emptyCache and statistics', function(cutorch)
   do
      local x = torch.CudaTensor(1e7):fill(2)
      assert(cutorch.memoryStatistics().allocated.current >= 4e7 and x[1] == 2)
   end
   collectgarbage()
   collectgarbage()
   cutorch.emptyCache()
   assert(torch.CudaTensor(1e7):fill(1):sum() == 1e7)
end)
only_cuda('out of memory', function(cutorch)
   local _, total = cutorch.getMemoryUsage(1)
   local ok, message = pcall(torch.CudaTensor, total)
   assert(not ok and message:find 'out of memory', message)
   assert(torch.CudaTensor(10):fill(1):sum() == 10)
end)
only_cuda('cudnn layers', function(_, to)
   local cudnn = require 'cudnn'
   local net = cudnn.SpatialConvolution(4, 6, 3, 3, 1, 1, 1, 1, 2):cuda()
   local y = net:forward(to(normal(2, 4, 9, 9)))
   net:backward(to(normal(2, 4, 9, 9)), y)
   assert(y:size(2) == 6 and y:eq(y):all())
end)
-- A convolution of each type goes through cuDNN where cuDNN is there: kernels of our own would give
-- the same numbers, and nobody would see the difference.
for _, kind in ipairs { '', 'Half', 'BFloat16', 'Double' } do
   only_cuda('cuDNN convolves Cuda' .. kind .. 'Tensors', function(cutorch)
      if not cutorch.cudnnVersion() then
         return
      end
      local before = cutorch.vendorCounts()
      local type = ('torch.Cuda%sTensor'):format(kind)
      local net = require 'nn'.SpatialConvolution(4, 8, 3, 3, 1, 1, 1, 1):type(type)
      local x = torch.CudaTensor(2, 4, 9, 9):normal():type(type)
      net:backward(x, net:forward(x):clone())
      local after = cutorch.vendorCounts()
      local told = ('cuDNN ran %d of 3 passes; its last trouble has status %d'):format(
         after.ran - before.ran, after.lastTrouble)
      assert(after.ran - before.ran == 3 and after.declined == before.declined, told)
   end)
end
only_cuda('DataParallelTable', function(_, to)
   require 'cunn'
   local n = require 'nn'
   local net = n.DataParallelTable(1):add(n.Linear(10, 3):cuda(), { 1 }, 3)
   local y = net:forward(to(normal(12, 10)))
   net:backward(to(normal(12, 10)), y:clone())
   assert(y:size(1) == 12)
end)

-- --- running one --------------------------------------------------------------------------------

local function run(name)
   local o = operations[name] or error('there is no operation ' .. name, 0)
   local function side(to)
      torch.manualSeed(1)
      return { o.f(to) }
   end
   local expected = side(function(t)
      return t:clone()
   end)
   require 'cutorch'
   local kinds = {
      ['torch.FloatTensor'] = 'torch.CudaTensor', ['torch.LongTensor'] = 'torch.CudaLongTensor',
   }
   local found = side(function(t)
      return t:type(kinds[t:type()])
   end)
   for i = 1, #expected do
      compare(name .. ', result ' .. i, expected[i], found[i], o.tolerance)
   end
end

if arg[1] then
   run(arg[1])
else
   print(table.concat(names, '\n'))
end
