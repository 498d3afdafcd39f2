-- What scripts for Torch's package `dok` ask of it.
local dok = require 'dok'
local xlua = require 'xlua'

describe('dok', function()
   it('is a global, whose usage and unpack are those of xlua', function()
      assert.equal(dok, rawget(_G, 'dok'))
      assert.equal(dok, require 'dok.inline')
      assert.equal(xlua.usage('f', 'adds', nil, { arg = 'x', type = 'number', help = 'one' }),
         dok.usage('f', 'adds', nil, { arg = 'x', type = 'number', help = 'one' }))
      local _, x, y = dok.unpack({ { y = 4, x = 3 } }, 'f', 'adds', { arg = 'x', req = true },
         { arg = 'y', default = 1 })
      assert.same({ 3, 4 }, { x, y })
      _, x, y = dok.unpack({ 3 }, 'f', 'adds', { arg = 'x', req = true },
         { arg = 'y', default = 1 })
      assert.same({ 3, 1 }, { x, y })
   end)

   it('raises errors with the function that does', function()
      local ok, message = pcall(function() dok.error('missing file name', 'image.load') end)
      assert.is_false(ok)
      assert.matches('^[^\n]*dok_spec.lua:%d+: image.load: missing file name$', message)
   end)

   it('shows help', function()
      assert.matches('torch.add', dok.help(require('torch').add, true))
   end)

   it('leaves texts as they are', function()
      dok.usecolors()
      assert.equal('text', dok.colors.red .. dok.stylize 'text' .. dok.colors.none)
      dok.dontusecolors()
      dok.refresh()
   end)
end)
