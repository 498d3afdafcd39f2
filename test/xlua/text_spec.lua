describe('xlua.byte_text', function()
   local text = require 'xlua.byte_text'

   it('writes bytes in the largest unit that has one of them', function()
      assert.same({ '0 B', '1023 B', '1.0 KiB', '1.5 KiB', '-2.0 MiB', '3.0 GiB', '4096.0 TiB' }, {
         text(0), text(1023), text(1024), text(1536), text(-2 ^ 21), text(3 * 2 ^ 30), text(2 ^ 52),
      })
   end)

   it('takes the number of digits', function()
      assert.equal('1.50 KiB', text(1536, 2))
      assert.equal('7 B', text(7, 2))
   end)
end)

describe('xlua.xml_escaped', function()
   local escaped = require 'xlua.xml_escaped'

   it('leaves no character that XML would read as its own', function()
      assert.equal('a &lt;b c=&quot;1&quot;&gt; &amp;amp; d?', escaped 'a <b c="1"> &amp; d\n')
      assert.equal('3', escaped(3))
   end)
end)
