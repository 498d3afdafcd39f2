local markdown = dofile 'docs/generator/markdown.lua'

local function written(lines)
   local out, none = {}, {}
   markdown.write(out, { text = lines, usage = none, params = none, returns = none, raises = none,
      example = none })
   return table.concat(out, '\n')
end

describe('docs/generator/markdown', function()
   it('escapes what Markdown would take for emphasis or HTML', function()
      assert.equal([[a\*b\*c, L\*a\*b\*, \*N]], markdown.escape 'a*b*c, L*a*b*, *N')
      assert.equal([['\<unk>', THNN_\<type>\<name>]], markdown.escape "'<unk>', THNN_<type><name>")
   end)

   it('leaves alone what is none, and code', function()
      for _, text in ipairs { 'a * b', 'x < y, f(x + t d) <= f, m <- b1 m', '* a point\n* another',
         'see `a*b*c` and `<unk>`', '', 'a `code*\n*code` b' } do
         assert.equal(text, markdown.escape(text))
      end
      assert.equal([[`a*b` c\*d\*e `f*g`]], markdown.escape '`a*b` c*d*e `f*g`')
      assert.equal([[a lone ` and c\*d]], markdown.escape 'a lone ` and c*d')
   end)

   it('writes the paragraphs of a docstring, its code as code', function()
      assert.equal('one\\*two\nthree\n\n    a*b\n    c*d\n\nfour\\*five\n',
         written { 'one*two', 'three', '', '   a*b', '   c*d', '', 'four*five' })
      assert.equal('one\n\n    a*b\n\n    c*d\n', written { 'one', '', '    a*b', '', '    c*d' })
      assert.equal('', written {})
   end)
end)
