local xlua = require 'xlua'
local class = require 'torch.class'

local function blur(...)
   return xlua.unpack({ ... }, 'blur', 'blur an image',
      { arg = 'image', type = 'string', help = 'to be blurred', req = true },
      { arg = 'size', type = 'number', help = 'of the kernel', default = 3 },
      { arg = 'height', type = 'number', help = 'of the kernel', defaulta = 'size' },
      { arg = 'extra', type = 'table', defaultf = function() return { made = true } end },
      { arg = 'flag', type = 'boolean', default = false })
end

describe('xlua.unpack', function()
   it('takes arguments in order, with defaults for the rest', function()
      local values, image, size, height, extra, flag = blur('lena', 5)
      assert.same({ image = 'lena', size = 5, height = 5, extra = { made = true }, flag = false },
         values)
      assert.same({ 'lena', 5, 5, { made = true }, false }, { image, size, height, extra, flag })
   end)

   it('takes arguments by name', function()
      local values, _, size, height = blur { image = 'lena', height = 7, flag = true }
      assert.same({ 3, 7 }, { size, height })
      assert.is_true(values.flag)
   end)

   it('passes nil in the middle over to the default', function()
      local _, _, size, height = blur('lena', nil, 9)
      assert.same({ 3, 9 }, { size, height })
   end)

   it('takes a list, a table of other keys or an object as a positional argument', function()
      local Object = class.class('spec.XluaObject', {})
      for _, value in ipairs { { 1, 2 }, { other = 1 }, Object.new() } do
         local _, image = blur(value)
         assert.equal(value, image)
      end
   end)

   it('raises at the user\'s line with the usage when an argument is missing', function()
      for _, call in ipairs { function() blur() return 1 end, function() blur {} return 1 end } do
         local _, message = pcall(call)
         assert.matches('arguments_spec%.lua:%d+: blur: missing argument image', message)
         assert.matches('of the kernel  [default = 3]', message, 1, true)
      end
   end)

   it('refuses too many arguments', function()
      local _, message = pcall(blur, 'a', 1, 2, {}, true, 'more')
      assert.matches('blur: 6 arguments given, at most 5 taken', message, 1, true)
   end)
end)

describe('xlua.unpack_class', function()
   it('also sets the fields of the object', function()
      local object = {}
      local values, a = xlua.unpack_class(object, { 4 }, 'f', 'a function',
         { arg = 'a', type = 'number' }, { arg = 'b', default = 'x' }, { arg = 'c' })
      assert.same({ a = 4, b = 'x' }, object)
      assert.same(object, values)
      assert.equal(4, a)
   end)
end)

describe('xlua.usage', function()
   it('lists description, aligned arguments and examples', function()
      assert.equal([[
scale  -- scale an image

usage:
  scale(
    image = torch.Tensor  -- the image  [required]
    w     = number        -- width  [default = 3]
    h     = number        -- height  [default = w]
  )

example:
  scale(x, 4)
]], xlua.usage('scale', 'scale an image', 'scale(x, 4)',
         { arg = 'image', type = 'torch.Tensor', help = 'the image', req = true },
         { arg = 'w', type = 'number', help = 'width', default = 3 },
         { arg = 'h', type = 'number', help = 'height', defaulta = 'w' }))
   end)

   it('shows arguments without names by their types', function()
      assert.equal('f\n\nusage:\n  f(\n    number  -- first\n    string  -- second\n  )\n',
         xlua.usage('f', nil, nil,
            { type = 'number', help = 'first' }, { type = 'string', help = 'second' }))
   end)

   it('usage_module lists a module\'s fields', function()
      assert.equal('m  -- a module\n\nfunctions:\n  m.f\n  m.g\n\nvalues:\n  m.x\n',
         xlua.usage_module({ g = print, f = print, x = 1 }, 'm', 'a module'))
   end)
end)
