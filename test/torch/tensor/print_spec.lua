-- Torch7's format, byte for byte. The expected texts are the original's own output.
local torch = require 'torch'

local function lines(...)
   return table.concat({ ... }, '\n') .. '\n'
end

local inf, nan = math.huge, 0 / 0
local double = torch.DoubleTensor():type()

describe('a printed vector', function()
   local cases = {
      { { 0, 0, 0 }, ' 0', ' 0', ' 0' },
      { { 0.1, 0.25, 0.0625 }, ' 0.1000', ' 0.2500', ' 0.0625' },
      { { -1, 22, 333 }, '  -1', '  22', ' 333' },
      { { 1e9, 1, 1e10 }, ' 1.0000e+09', ' 1.0000e+00', ' 1.0000e+10' },
      { { 123456.5, 100000.25 }, '100000 *', ' 1.2346', ' 1.0000' },
      { { 1e-5, 2e-5 }, '1e-05 *', ' 1.0000', ' 2.0000' },
      { { 1e200, 1e-200 }, ' 1.0000e+200', ' 1.0000e-200' },
      { { 0.1 }, ' 0.1000' },
      { { 0.099 }, '0.01 *', ' 9.9000' },
      { { 0.5, 99999.5 }, ' 5.0000e-01', ' 1.0000e+05' },
      { { 0.1, 1000.5 }, '    0.1000', ' 1000.5000' },
      { { 999999999 }, ' 999999999' },
      { { inf, 1 }, '        inf', ' 1.0000e+00' },
      { { 1.5, inf }, '  1.5000e+00', '         inf' },
      { { inf, -inf }, '        inf', '       -inf' },
   }
   for _, case in ipairs(cases) do
      local values = torch.DoubleTensor(case[1])
      it(table.concat(case[1], ', '), function()
         local expected = lines(unpack(case, 2))
            .. ('[%s of size %d]\n'):format(double, #case[1])
         assert.equal(expected, tostring(values))
      end)
   end
end)

-- Torch7 prints every element by %f then, in no columns.
describe('NaN is printed in columns', function()
   local function text(values)
      return tostring(torch.DoubleTensor(values)):match '^(.*)%['
   end

   it('as wide as the numbers beside it', function()
      assert.equal(lines(' nan', '   1'), text { nan, 1 })
      assert.equal(lines(' nan', ' nan'), text { nan, -nan })
      assert.equal(lines('     nan', '  0.5000', '-10.0000'), text { nan, 0.5, -10 })
      assert.equal(lines('        nan', '        inf', ' 1.0000e+00'), text { nan, inf, 1 })
      assert.equal(lines(' 12345    nan', '     1     -2'), text { { 12345, nan }, { 1, -2 } })
      assert.equal(lines('100000 *', '  1.2346     nan', '  2.0000  3.0000'),
         text { { 123456.5, nan }, { 2e5, 300000.25 } })
   end)

   it('in blocks of columns', function()
      assert.equal('Columns 1 to 20', text { torch.range(1, 49):totable() }:match '^[^\n]*')
      assert.matches('^Columns 1 to 16\n', text { torch.range(1, 49):fill(nan):totable() })
   end)
end)

describe('a printed matrix', function()
   it('has its columns side by side', function()
      local last = '[' .. double .. ' of size 2x2]'
      assert.equal(lines(' 1  0', ' 0  1', last), tostring(torch.eye(2)))
      assert.equal(lines('  0.5000  -1.2500', ' 10.0000   3.0000', last),
         tostring(torch.DoubleTensor { { 0.5, -1.25 }, { 10, 3 } }))
   end)

   it('shows a common scale above the rows', function()
      assert.equal(lines('100000 *', '  1.2346  1.0000', '  2.0000  3.0000',
         '[' .. double .. ' of size 2x2]'),
         tostring(torch.DoubleTensor { { 123456.5, 1e5 }, { 2e5, 300000.25 } }))
   end)

   it('breaks into blocks of columns that fit into 80 characters', function()
      local text = tostring(torch.range(1, 50):view(1, 50))
      assert.equal('Columns 1 to 20', text:match '^[^\n]*')
      assert.matches('\n\nColumns 21 to 40\n', text)
      assert.matches('\n\nColumns 41 to 50\n 41  42', text)
   end)

   it('shows strided elements in row-major order', function()
      local t = torch.range(1, 4):view(2, 2):t()
      assert.equal(lines(' 1  3', ' 2  4', '[' .. double .. ' of size 2x2]'), tostring(t))
   end)
end)

describe('a printed stack of matrices', function()
   it('names each by its leading indices, the first running fastest', function()
      assert.equal(lines('(1,.,.) = ', '  1  2', '  3  4', '', '(2,.,.) = ', '  5  6', '  7  8',
         '[' .. double .. ' of size 2x2x2]'), tostring(torch.range(1, 8):view(2, 2, 2)))
      local text = tostring(torch.range(1, 16):view(2, 2, 2, 2))
      local names = {}
      for name in text:gmatch '%((%d,%d),' do
         names[#names + 1] = name
      end
      assert.same({ '1,1', '2,1', '1,2', '2,2' }, names)
   end)

   it('indents the scale with the rows', function()
      local t = torch.DoubleTensor { { { 123456.5, 1e5 } } }
      assert.equal(lines('(1,.,.) = ', ' 100000 *', '   1.2346  1.0000',
         '[' .. double .. ' of size 1x1x2]'), tostring(t))
   end)
end)

describe('other printed objects', function()
   it('an empty tensor', function()
      assert.equal('[' .. double .. ' with no dimension]\n', tostring(torch.DoubleTensor()))
   end)

   it('storages', function()
      assert.equal(lines(' 3', ' 4', '[torch.LongStorage of size 2]'),
         tostring(torch.LongStorage { 3, 4 }))
      local storage = double:gsub('Tensor', 'Storage')
      assert.equal('[' .. storage .. ' of size 0]\n', tostring(torch.DoubleStorage()))
   end)

   it('every type under its own name, values as they are stored', function()
      for _, name in ipairs { 'Byte', 'Char', 'Short', 'Int', 'Long' } do
         local typename = ('torch.%sTensor'):format(name)
         assert.equal(lines(' 1', ' 2', ('[%s of size 2]'):format(typename)),
            tostring(torch.factory(typename)():resize(2):copy(torch.DoubleTensor { 1, 2 })))
      end
      assert.equal(lines(' 0.1000', '[' .. torch.FloatTensor():type() .. ' of size 1]'),
         tostring(torch.FloatTensor { 0.1 }))
      assert.equal('0.10000000149012', tostring(torch.FloatTensor { 0.1 }[1]))
   end)
end)
