local kinds = require 'trepl.scripts.kinds'
local raises = require 'test.support.raises'

describe('comma-separated values', function()
   it('are rows of fields, numbers where they are such', function()
      assert.same({ { 'a', 'b' }, { 1, -2.5 } }, kinds.rows 'a,b\n1,-2.5\n')
      assert.same({ { 1, 2 } }, kinds.rows '1,2')
      assert.same({ { 1 }, { 2 } }, kinds.rows '1\r\n2\r\n')
      assert.same({}, kinds.rows '')
   end)

   it('may have quotes, with commas, ends of lines and quotes within', function()
      assert.same({ { 'a,b', 'c"d', 'e\nf', '1' } }, kinds.rows '"a,b","c""d","e\nf","1"\n')
   end)

   it('may be empty', function()
      assert.same({ { '', 1, '' }, { '', '' } }, kinds.rows ',1,\n,\n')
      assert.same({ { '', '' } }, kinds.rows '"",')
   end)

   it('are refused when quotes do not fit', function()
      raises('data.csv: row 2: a quote is not closed', kinds.rows, '1\n"x', 'data.csv')
      raises('row 1: text after a quote', kinds.rows, '"x"y\n')
   end)
end)
