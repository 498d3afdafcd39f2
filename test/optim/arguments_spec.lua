-- Optimisers called with arguments missing: the error names the argument, at the user's line.

local torch = require 'torch'
local optim = require 'optim'

local function opfunc(x)
   return x:sum(), torch.ones(x:size())
end

local function assert_says(text, f, ...)
   local _, err = pcall(function(...) f(...) end, ...)
   assert.matches('^test/optim/arguments_spec.lua:%d+: ', err)
   assert.matches(text, err, 1, true)
end

describe('optim: arguments', function()
   local names = {
      'sgd', 'nag', 'asgd', 'adagrad', 'adadelta', 'rmsprop', 'adam', 'adamax', 'rprop', 'cg',
      'lbfgs', 'lswolfe', 'cmaes', 'de', 'checkgrad', 'adamw', 'nadam', 'radam', 'lamb', 'lion',
      'adafactor',
   }
   for _, name in ipairs(names) do
      it(name .. ' needs opfunc and x', function()
         local x = torch.Tensor(2)
         assert_says(name .. ': opfunc is nil, expected a function', optim[name])
         assert_says(name .. ': opfunc is a torch.DoubleTensor', optim[name], x:double(), opfunc)
         assert_says(name .. ': x is nil, expected the tensor of parameters', optim[name], opfunc)
         assert_says(name .. ': x is a table', optim[name], opfunc, {})
         if name ~= 'checkgrad' and name ~= 'lswolfe' then
            assert_says(name .. ': config is a number, expected a table', optim[name], opfunc, x, 1)
         end
      end)
   end

   it('opfunc may be an object that can be called', function()
      local object = setmetatable({}, { __call = function(_, x) return opfunc(x) end })
      local x = torch.zeros(2)
      optim.sgd(object, x, { learningRate = 1 })
      assert.equal(-2, x:sum())
   end)

   it('FistaLS needs three functions and a start', function()
      assert_says('FistaLS: f is nil', optim.FistaLS)
      assert_says('FistaLS: pl is nil', optim.FistaLS, opfunc, opfunc)
      assert_says('FistaLS: x is nil', optim.FistaLS, opfunc, opfunc, opfunc)
   end)

   it('ConfusionMatrix needs the classes', function()
      local wanted = 'expected their number or a table of names'
      for _, value in ipairs { 'none', 'a', 0, 1.5, {} } do
         assert_says(wanted, optim.ConfusionMatrix, value ~= 'none' and value or nil)
      end
   end)

   it('numbers of config may be text, in whichever step they come', function()
      for name, options in pairs {
         sgd = { learningRate = '0.5', learningRateDecay = '0.1', momentum = '0.9',
            dampening = '0', weightDecay = '0.01' },
         adam = { learningRate = '0.5', beta1 = '0.8', beta2 = '0.9', epsilon = '1e-3' },
         rmsprop = { learningRate = '0.5', alpha = '0.9', epsilon = '1e-3' },
         adagrad = { learningRate = '0.5' }, adadelta = { rho = '0.8', eps = '1e-3' },
         nag = { learningRate = '0.5', momentum = '0.9' }, asgd = { eta0 = 0.1, t0 = '3' },
         lbfgs = { maxIter = '3', learningRate = '0.5' },
         rprop = { stepsize = '0.1' }, adamax = { learningRate = '0.5', beta1 = '0.8' },
      } do
         local given, wanted = { note = '7' }, {}
         for key, value in pairs(options) do
            given[key], wanted[key] = value, tonumber(value)
         end
         local x, y = torch.Tensor { 1, -2 }, torch.Tensor { 1, -2 }
         local function valley(p)
            return p:dot(p), p * 2
         end
         for step = 1, 3 do
            optim[name](valley, x, given)
            optim[name](valley, y, wanted)
            assert.same(y:totable(), x:totable(), name)
            if step == 2 and given.learningRate then
               given.learningRate, wanted.learningRate = '0.25', 0.25
            end
         end
         assert.equal('7', given.note)
      end
   end)

   it('ConfusionMatrix takes classes as text', function()
      local confusion = optim.ConfusionMatrix('3')
      confusion:add('1', '2')
      assert.equal(1, confusion.mat[2][1])
      assert.equal(3, confusion.mat:size(1))
   end)
end)
