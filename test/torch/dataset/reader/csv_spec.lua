local torch = require 'torch'
local dataset = require 'torch.dataset'
local raises = require 'test.support.raises'
local scratch = require 'test.support.scratch'

local write = scratch.write

describe('readers of torch.dataset', function()
   before_each(scratch.make)
   after_each(scratch.remove)

   describe('CSV', function()
      it('reads back any texts that are quoted by the rules', function()
         torch.manualSeed(4)
         local alphabet = { 'a', '"', ',', '\n', '\r', ' ', ';', 'ñ', '1' }
         for _ = 1, 100 do
            local rows, lines = {}, { 'x,y' }
            for r = 1, torch.random(1, 6) do
               local fields = {}
               for d = 1, 2 do
                  local parts = { 'k' }
                  for k = 1, torch.random(0, 6) do
                     parts[k + 1] = alphabet[torch.random(1, #alphabet)]
                  end
                  fields[d] = table.concat(parts)
               end
               rows[r] = fields
               lines[#lines + 1] = ('"%s","%s"'):format((fields[1]:gsub('"', '""')),
                  (fields[2]:gsub('"', '""'))):gsub('^"(%w*)",', '%1,')
            end
            local read = dataset.readCsv(write('any.csv', table.concat(lines, '\r\n')),
               { types = { x = 'text', y = 'text' } })
            assert.equal(#rows, read.rows)
            for r, fields in ipairs(rows) do
               assert.same(fields, { read.columns.x[r], read.columns.y[r] })
            end
         end
      end)

      it('has the classes of another file', function()
         local first = dataset.Csv { path = write('a.csv', 'x,k\n1,low\n2,high\n3,mid\n'),
            target = 'k' }
         local path = write('b.csv', 'x,k\n1,mid\n2,low\n')
         assert.same({ 2, 1 }, dataset.Csv({ path = path, target = 'k' }).fields.target:totable())
         local second = dataset.Csv { path = path, target = 'k', levels = first.levels }
         assert.same({ 3, 2 }, second.fields.target:totable())
         assert.same({ k = { 'high', 'low', 'mid' } }, second.levels)
         raises("line 3: k is 'low', which is none of its levels: high, mid", dataset.readCsv, path,
            { levels = { k = { 'high', 'mid' } } })
         raises("has no column 'kind'", dataset.readCsv, path, { levels = { kind = { 'a' } } })
         local digits = dataset.readCsv(write('c.csv', 'k\n2\n7\n'),
            { levels = { k = { '7', '2' } } })
         assert.same({ 2, 1 }, digits.columns.k:totable())
      end)

      it('reads a field that is quoted and empty', function()
         local read = dataset.readCsv(write('e.csv', 'x\n"a"\n""\n\n"b"\n'),
            { types = { x = 'text' } })
         assert.same({ 'a', false, 'b' }, read.columns.x)
      end)

      it('reads quotes, line ends, missing values and types', function()
         local path = write('x.csv', '\239\187\191a,name,"b ""q"""\r\n1,"x, y",2.5\n\n'
            .. ',"two\nlines",NA\n-3e2,x,')
         local read = dataset.readCsv(path)
         assert.equal(3, read.rows)
         assert.same({ 'a', 'name', 'b "q"' }, read.names)
         local a = read.columns.a
         assert.same({ 1, -300 }, { a[1], a[3] })
         assert.is_true(a[2] ~= a[2])
         local b = read.columns['b "q"']
         assert.equal(2.5, b[1])
         assert.is_true(b[2] ~= b[2] and b[3] ~= b[3])
         assert.same({ 'two\nlines', 'x', 'x, y' }, read.levels.name)
         assert.same({ 3, 1, 2 }, read.columns.name:totable())
         read = dataset.readCsv(path, { types = { a = 'text', name = 'text' } })
         assert.same({ '1', false, '-3e2' }, read.columns.a)
         assert.same({ 'x, y', 'two\nlines', 'x' }, read.columns.name)
      end)

      it('reads other separators, and tables without a header', function()
         local read = dataset.readCsv(write('x.tsv', '1\t2\n3\t4\n'),
            { separator = '\t', header = false })
         assert.same({ '1', '2' }, read.names)
         assert.same({ 2, 4 }, read.columns['2']:totable())
         read = dataset.readCsv(write('y', 'a;b\n1;"2"'), { separator = ';' })
         assert.same({ 2 }, read.columns.b:totable())
      end)

      it('says in which line something is wrong', function()
         raises('line 3: 1 fields, wanted 2', dataset.readCsv, write('a', 'x,y\n1,2\n3\n'))
         raises('line 4: 3 fields, wanted 2', dataset.readCsv,
            write('a', 'x,y\n1,"a\nb"\n3,4,5\n'))
         raises('line 2: a quote is not closed', dataset.readCsv, write('a', 'x,y\n1,"2\n3,4\n'))
         raises('line 2: after a quoted field there is "z"', dataset.readCsv,
            write('a', 'x,y\n"1"z,2\n'))
         raises("line 3: y is 'four', wanted a number", dataset.readCsv,
            write('a', 'x,y\n1,2\n3,four\n'), { types = { y = 'number' } })
         raises("has no column 'z'; there are x, y", dataset.readCsv, write('a', 'x,y\n1,2\n'),
            { types = { z = 'text' } })
         raises("two columns are called 'x'", dataset.readCsv, write('a', 'x,x\n1,2\n'))
         raises('is empty', dataset.readCsv, write('a', ''))
         raises('cannot read', dataset.readCsv, scratch.folder .. '/none')
         raises('cannot read ' .. scratch.folder .. ': Is a directory', dataset.readCsv,
            scratch.folder)
      end)

      it('makes samples of columns', function()
         local path = write('iris.csv', 'w,h,kind\n1,2,b\n3,4,a\n5,6,b\n')
         local set = dataset.Csv { path = path, target = 'kind' }
         assert.same({ 3, 4 }, set:get(2).input:totable())
         assert.equal('torch.FloatTensor', set:get(2).input:type())
         assert.same({ 2, 1, 2 }, set.fields.target:totable())
         assert.same({ 'a', 'b' }, set.levels.kind)
         local other = dataset.Csv { path = path, inputs = { 'h' }, target = 'w',
            tensor = 'torch.DoubleTensor' }
         assert.same({ 6 }, other:get(3).input:totable())
         assert.equal(5, other:get(3).target)
         raises("has no column 'colour'", dataset.Csv, { path = path, target = 'colour' })
         for _, name in ipairs { 'float', 'torch.FloatStorage' } do
            raises(("tensor is '%s', expected a type of tensors such as"):format(name), dataset.Csv,
               { path = path, tensor = name })
         end
         raises("there is no option 'seperator'; near: separator", dataset.Csv,
            { path = path, seperator = ';' })
      end)
   end)
end)
