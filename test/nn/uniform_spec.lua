-- Equal elements, equal rows and equal columns give equal results, to the last bit, wherever they
-- stand. What is computed vector by vector must not treat what is left over another way: sizes run
-- over several vectors and all that may be left.
local torch = require 'torch'
local nn = require 'nn'
local optim = require 'optim'

local SIZES = { 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 31, 33, 40, 65, 100, 129, 259 }
local DRAWS = 3

-- Raise unless all elements are the same as the first; all are behind a class's name in messages.
local function uniform(t, what)
   t = t:double():contiguous():view(-1)
   local first = t[1]
   assert(first == first, what .. ': NaN')
   if not (t:min() == first and t:max() == first) then
      for i = 2, t:nElement() do
         if t[i] ~= first then
            error(('%s: element %d of %d is %.17g, the first %.17g'):format(what, i,
               t:nElement(), t[i], first), 0)
         end
      end
   end
end

-- f(make, size, value) for tensors of each class; make(sizes...) is empty.
local function each(f)
   torch.manualSeed(5)
   for _, class in ipairs { 'Float', 'Double' } do
      for _, size in ipairs(SIZES) do
         for _ = 1, DRAWS do
            f(torch[class .. 'Tensor'], size, torch.uniform(-3, 3),
               ('%s, size %d'):format(class, size))
         end
      end
   end
end

local function typed(layer, make)
   return layer:type(make():type())
end

describe('equal elements of a row', function()
   for _, name in ipairs { 'SoftMax', 'LogSoftMax', 'SoftMin' } do
      it('stay equal in ' .. name, function()
         each(function(make, n, value, what)
            local layer = typed(nn[name](), make)
            local x, g = make(3, n):fill(value), make(3, n):fill(0.31)
            x:select(2, 1):fill(name == 'SoftMin' and value - 1.3 or value + 1.3)
            g:select(2, 1):fill(0.7)
            uniform(layer:forward(x):narrow(2, 2, n - 1), what)
            uniform(layer:backward(x, g):narrow(2, 2, n - 1), what .. ', gradient')
         end)
      end)
   end

   it('have equal gradients of the cross entropy', function()
      each(function(make, n, value, what)
         local criterion = typed(nn.CrossEntropyCriterion(), make)
         local x, target = make(2, n):fill(value), torch.LongTensor { 1, 1 }
         x:select(2, 1):fill(value + 1)
         criterion:forward(x, target)
         uniform(criterion:backward(x, target):narrow(2, 2, n - 1), what)
      end)
   end)

   for _, name in ipairs { 'MSECriterion', 'AbsCriterion', 'SmoothL1Criterion',
         'DistKLDivCriterion', 'SoftMarginCriterion', 'BCEWithLogitsCriterion', 'HuberCriterion',
         'MarginCriterion', 'MultiLabelSoftMarginCriterion' } do
      it('have equal gradients of nn.' .. name, function()
         each(function(make, n, value, what)
            local criterion = typed(nn[name](), make)
            local x, target = make(n):fill(value), make(n):fill(0.83)
            criterion:forward(x, target)
            uniform(criterion:backward(x, target), what)
         end)
      end)
   end

   for _, name in ipairs { 'ELU', 'SoftPlus', 'LogSigmoid', 'GELU', 'SiLU', 'Mish', 'Sigmoid',
         'Tanh', 'TanhShrink', 'SoftSign', 'CELU', 'SELU', 'PReLU', 'Sqrt' } do
      it('stay equal in nn.' .. name, function()
         each(function(make, n, value, what)
            local layer = typed(nn[name](), make)
            local x = make(n):fill(name == 'Sqrt' and math.abs(value) or value)
            uniform(layer:forward(x), what)
            uniform(layer:backward(x, make(n):fill(0.77)), what .. ', gradient')
         end)
      end)
   end

   for _, name in ipairs { 'LSTM', 'GRU', 'RNN' } do
      it('stay equal in the states of nn.' .. name, function()
         each(function(make, n, value, what)
            if n <= 40 then
               local layer = typed(nn[name](3, n), make)
               for _, p in ipairs((layer:parameters())) do
                  p:fill(value / 10)
               end
               local y = layer:forward(make(4, 2, 3):fill(0.7))
               uniform(y:select(1, 4)[1], what)
            end
         end)
      end)
   end

   for _, name in ipairs { 'sgd', 'adam', 'adamw', 'adagrad', 'rmsprop', 'adadelta', 'adamax',
         'nadam', 'rprop', 'nag', 'lion', 'lamb' } do
      it('stay equal in steps of optim.' .. name, function()
         each(function(make, n, value, what)
            local x, g, state = make(n):fill(value), make(n):fill(0.21), { learningRate = 0.1 }
            if name == 'sgd' then
               state.momentum, state.dampening = 0.9, 0
            elseif name == 'nag' then
               state.momentum = 0.9
            end
            for _ = 1, 3 do
               optim[name](function()
                  return 0, g
               end, x, state)
            end
            uniform(x, what)
         end)
      end)
   end
end)

describe('equal columns', function()
   for _, name in ipairs { 'SpatialSoftMax', 'SpatialLogSoftMax' } do
      it('stay equal in ' .. name, function()
         each(function(make, n, value, what)
            local layer = typed(nn[name](), make)
            local x = make(4, n, 3)
            for c = 1, 4 do
               x[c]:fill(value + 0.3 * c)
            end
            local y = layer:forward(x):clone()
            local gx = layer:backward(x, x)
            for c = 1, 4 do
               uniform(y[c], what)
               uniform(gx[c], what .. ', gradient')
            end
         end)
      end)
   end

   local reductions = {
      ['norm 1.7'] = function(x, dim) return torch.norm(x, 1.7, dim) end,
      ['norm 0.5'] = function(x, dim) return torch.norm(x, 0.5, dim) end,
      ['norm 2'] = function(x, dim) return torch.norm(x, 2, dim) end,
      ['norm 3'] = function(x, dim) return torch.norm(x, 3, dim) end,
      renorm = function(x, dim) return torch.renorm(x, 1.7, 3 - dim, 0.5):sum(dim) end,
      dist = function(x, dim) return torch.norm(x - 0.3, 2.5, dim) end,
   }
   for _, name in ipairs { 'sum', 'mean', 'prod', 'std', 'var', 'logsumexp', 'max', 'median' } do
      reductions[name] = torch[name]
   end
   for name, reduce in pairs(reductions) do
      it('and equal rows reduce to equal numbers by ' .. name, function()
         each(function(make, n, value, what)
            for _, length in ipairs { 4, 9, 70 } do
               local x = make(length, n)
               for i = 1, length do
                  x[i]:fill(value + 0.01 * i * i)
               end
               uniform((reduce(x, 1)), what .. ', columns')
               uniform((reduce(x:t(), 2)), what .. ', rows of the transposed')
               uniform((reduce(x:t():clone(), 2)), what .. ', rows')
            end
         end)
      end)
   end
end)
