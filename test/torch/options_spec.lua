local options = require 'torch.options'
local raises = require 'test.support.raises'
local torch = require 'torch'

describe('torch.options', function()
   it('tells a class from its objects', function()
      local Class = torch.class('OptionsSpecClass', {})
      assert.equal('the class OptionsSpecClass', options.describe(Class))
      assert.equal('the class torch.Timer', options.describe(torch.Timer))
      assert.equal('; with brackets it is one: OptionsSpecClass()', options.brackets(Class))
      assert.equal('a OptionsSpecClass', options.describe(Class()))
      assert.equal('', options.brackets(Class()) .. options.brackets(nil))
   end)

   local declared = { size = { 'count', 3 }, name = { 'text', required = true },
      kind = { { 'a', 'b', 'c' }, 'b' } }

   it('read gives values and defaults, and numbers of strings', function()
      assert.same({ size = 3, name = 'x', kind = 'b' }, options.read('f', { name = 'x' }, declared))
      assert.same({ size = 7, name = '1', kind = 'c' },
         options.read('f', { name = '1', size = '7', kind = 'c' }, declared))
   end)

   it('read and check say what is wrong', function()
      raises("f: there is no option 'sise'; near: size", options.read, 'f', { sise = 1 }, declared)
      raises("f: there is no option 'q'; the options are kind, name, size", options.read, 'f',
         { q = 1 }, declared)
      raises("f: the option 'name' is missing: a string", options.read, 'f', nil, declared)
      raises("f: kind is 'd', expected 'a', 'b' or 'c'", options.read, 'f', { kind = 'd' },
         declared)
      raises('f: size is 0.5, expected a whole number from 1 on', options.check, 'f',
         { size = 0.5 }, { size = 'count' })
      raises("f: size is '7', expected a whole number from 1 on", options.check, 'f',
         { size = '7' }, { size = 'count' })
      raises('f: expected a table of options, got 2x3 FloatTensor', options.check, 'f',
         torch.FloatTensor(2, 3), {})
      raises('f: expected a table of options, got 3; the options are kind, name, size',
         options.read, 'f', 3, declared)
   end)

   it('know names of elsewhere, and names within others', function()
      local all = { model = 'any', batchSize = 'count', epochs = 'count', opset = 'count',
         optimizer = 'text', data = 'any' }
      for wanted, hint in pairs { net = '; here it is model', bs = '; here it is batchSize',
         batch_size = '; near: batchSize', num_epochs = '; near: epochs',
         optim = '; near: optimizer',
         opset_version = '; near: opset', dataset = '; here it is data', folder = '', lr = '',
      } do
         assert.equal(hint, options.hint(wanted, all), wanted)
      end
      raises("f: there is no option 'net'; here it is model", options.check, 'f', { net = 1 }, all)
   end)

   it('read says how the one value that must be there is given', function()
      raises("f: expected a table of options, got 'a': f { name = 'a' }", options.read, 'f', 'a',
         declared)
      raises("f: the option 'data' is missing: such as x", options.read, 'f', {},
         { data = { 'any', required = 'such as x' } })
   end)

   it('value knows kinds', function()
      local right = { number = -0.5, positive = 0.5, share = 1, count = 1, natural = 0,
         boolean = false, text = '', call = print, list = {}, tensor = torch.ones(1), any = {} }
      local wrong = { number = 0 / 0, positive = 0, share = 1.1, count = 0, natural = -1,
         boolean = 0, text = 1, call = torch.ones(1), list = 1, tensor = {}, dataset = {} }
      for kind, x in pairs(right) do
         assert.equal(x, options.value('f', 'x', x, kind))
      end
      for kind, x in pairs(wrong) do
         raises('f: x is ', options.value, 'f', 'x', x, kind)
      end
   end)

   it('callable knows functions, and objects that can be called', function()
      local home = {}
      local Called = torch.class('optionsSpec.Called', home)
      Called.__call__ = function() end
      assert.is_true(options.callable(print))
      assert.is_true(options.callable(home.Called()))
      assert.is_true(options.callable(setmetatable({}, { __call = print })))
      for _, x in ipairs { torch.ones(1), {}, 'f', torch.Timer() } do
         assert.is_false(options.callable(x))
      end
   end)

   it('describe is short', function()
      assert.equal("'" .. ('x'):rep(37) .. "...'", options.describe(('x'):rep(50)))
      assert.equal('empty DoubleTensor', options.describe(torch.DoubleTensor()))
      assert.equal('nil', options.describe(nil))
      assert.equal('a torch.Timer', options.describe(torch.Timer()))
   end)
end)
