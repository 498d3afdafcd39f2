local torch = require 'torch'
local nn = require 'nn'
local complete = require('trepl.complete').complete

-- The texts that one may go on with; `before` is what stays.
local function texts(text)
   local first, list = complete(text)
   for i, candidate in ipairs(list) do
      list[i] = text:sub(1, first - 1) .. candidate
   end
   return list
end

local function has(text, wanted)
   for _, candidate in ipairs(texts(text)) do
      if candidate == wanted then
         return true
      end
   end
   return false
end

local function define(name, value)
   rawset(_G, name, value)
end

describe('completion', function()
   before_each(function()
      define('cx', torch.FloatTensor(2, 2))
      define('cnet', nn.Sequential():add(nn.Linear(2, 3)))
      define('ctable', { alpha = { beta = 1, f = print }, _private = 1, __hidden = 2, [1] = 3 })
   end)

   after_each(function()
      define('cx')
      define('cnet')
      define('ctable')
   end)

   it('knows globals and keywords', function()
      assert.same({ 'ctable' }, texts 'ctab')
      assert.same({ 'local y = ctable' }, texts 'local y = ctab')
      assert.is_true(has('unti', 'until'))
   end)

   it('knows fields, of tables in tables', function()
      assert.same({ 'torch.setdefaulttensortype' }, texts 'torch.setdef')
      assert.same({ 'ctable.alpha.beta' }, texts 'ctable.alpha.b')
      assert.same({ 'ctable._private', 'ctable.alpha' }, texts 'ctable.')
      assert.same({ 'ctable.__hidden' }, texts 'ctable.__')
   end)

   it('knows the methods of tensors and storages', function()
      assert.same({ 'cx:transpose' }, texts 'cx:transp')
      assert.same({ 'y = 1 + cx:transpose' }, texts 'y = 1 + cx:transp')
      assert.same({}, texts 'cx.transp') -- which would be no method call
   end)

   it('knows the methods and fields of layers, inherited ones too', function()
      assert.same({ 'cnet:forward' }, texts 'cnet:forw')
      assert.same({ 'cnet.modules' }, texts 'cnet.modu')
      assert.same({ 'cnet.modules[1].weight' }, texts 'cnet.modules[1].weig')
      assert.same({ 'cnet.modules[1]:noBias' }, texts 'cnet.modules[1]:noB')
      assert.is_true(has('nn.Linear(2, 3):upd', 'nn.Linear(2, 3):updateOutput'))
   end)

   it('offers only functions after a colon', function()
      assert.same({}, texts 'ctable:alp')
      assert.same({ 'ctable.alpha:f' }, texts 'ctable.alpha:')
   end)

   it('offers what tensors and layers have after a call', function()
      assert.is_true(has('f(x):transp', 'f(x):transpose'))
      assert.is_true(has('f(x):backw', 'f(x):backward'))
   end)

   it('runs no code', function()
      local called = false
      define('ctable', setmetatable({}, { __index = function()
         called = true
      end, __call = function()
         called = true
      end }))
      texts 'ctable.x.y'
      texts 'ctable(1).y'
      texts 'ctable:x'
      assert.is_false(called)
   end)

   it('survives what has no fields', function()
      for _, text in ipairs { 'nowhere.x', 'nowhere.x.y:z', '1.', 'x ..', ':', '.', 'a[', 'f(',
         'cx[1].', '"abc".', '', ' ', 'for', '}', 'ctable[1].x', '((', 'x = }.y' } do
         assert.has_no_error(function()
            texts(text)
         end)
      end
   end)

   it('knows files within strings', function()
      assert.is_true(has("torch.load('test/trepl/complete_sp",
         "torch.load('test/trepl/complete_spec.lua"))
      assert.same({ 'x = "test/trepl/' }, texts 'x = "test/tre')
      assert.same({ '$ ls test/trepl/' }, texts '$ ls test/tre')
      assert.same({}, texts "torch.load('/nowhere/x")
   end)

   it('knows no files after a string, or within a comment', function()
      assert.is_false(has("'test/tre", "'test/trepl"))
      assert.same({ '"a" .. ctable' }, texts '"a" .. ctab')
      assert.same({ 'ctable' }, (function()
         local _, list = complete "-- don't\nctab"
         return list
      end)())
   end)

   it('knows modules after require and the names of classes', function()
      assert.is_true(has("require 'opt", "require 'optim"))
      assert.is_true(has("require('nn.ut", "require('nn.utils"))
      assert.is_true(has("x:type('torch.LongT", "x:type('torch.LongTensor"))
   end)

   it('knows the options that a docstring names', function()
      define('optim', require 'optim')
      local call = 'optim.adam(f, x, { '
      assert.same({ call .. 'learningRate = ', call .. 'learningRateDecay = ' },
         texts(call .. 'lear'))
      assert.is_true(has('optim.adam(f, x, { learningRate = 0.1, be',
         'optim.adam(f, x, { learningRate = 0.1, beta1 = '))
      assert.is_false(has('f(x, { learn', 'f(x, { learningRate = '))
   end)
end)
