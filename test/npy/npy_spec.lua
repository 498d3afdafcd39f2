-- Files that NumPy wrote (test/data/npy/generate.py), files of ours, what is refused, and mapping.
local torch = require 'torch'
local npy = require 'npy'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local FOLDER = 'test/data/npy/'

local function with_folder(f)
   shell.with_folder(f)
end

-- The numbers of generate.py.
local SMALL = { 0, 1, 2, 100, 101, 127 }
local SIGNED = { 0, 1, -2, 100, -101, 127 }
local WIDE = { 0, 1, -2, 30000, -30001, 32767 }

local function each(list, f)
   local result = {}
   for i, x in ipairs(list) do
      result[i] = f(x)
   end
   return result
end

local halves = each(SIGNED, function(x)
   return x / 8
end)
local floats = each(WIDE, function(x)
   return x / 64
end)
local doubles = each(WIDE, function(x)
   return x / 3
end)
local ints = each(WIDE, function(x)
   return x * 65536 + 5
end)
local longs = each(WIDE, function(x)
   return x * 2 ^ 40 + 7
end)
local expected = {
   u1 = { 'Byte', { 0, 1, 2, 228, 229, 255 } }, i1 = { 'Char', SIGNED }, i2 = { 'Short', WIDE },
   i4 = { 'Int', ints }, i8 = { 'Long', longs }, f2 = { 'Half', halves }, f4 = { 'Float', floats },
   f8 = { 'Double', doubles }, i2_big = { 'Short', WIDE }, i4_big = { 'Int', ints },
   i8_big = { 'Long', longs }, f2_big = { 'Half', halves }, f4_big = { 'Float', floats },
   f8_big = { 'Double', doubles },
   u2 = { 'Int', each(SMALL, function(x)
      return x * 512 + 1
   end) },
   u4 = { 'Long', each(SMALL, function(x)
      return x * 2 ^ 25 + 3
   end) },
   u8 = { 'Long', each(SMALL, function(x)
      return x * 2 ^ 40
   end) },
}
expected.u2_big = expected.u2

local function elements(t)
   local list = {}
   local flat = t:contiguous():storage()
   for i = 1, #flat do
      list[i] = flat[i]
   end
   return list
end

describe('files of NumPy', function()
   for name, pair in pairs(expected) do
      it(('with elements %s become a %sTensor'):format(name, pair[1]), function()
         for _, map in ipairs { false, true } do
            local x = npy.load(FOLDER .. name .. '.npy', { map = map })
            assert.equal('torch.' .. pair[1] .. 'Tensor', x:type())
            assert.same({ 2, 3 }, x:size():totable())
            assert.same(pair[2], elements(x))
         end
      end)
   end

   it('hold bool, bfloat16, numbers and nothing', function()
      assert.same({ 1, 0, 1 }, npy.load(FOLDER .. 'b1.npy'):totable())
      assert.equal('torch.ByteTensor', npy.load(FOLDER .. 'b1.npy'):type())
      local x = npy.load(FOLDER .. 'bf16.npy')
      assert.equal('torch.BFloat16Tensor', x:type())
      assert.same({ 0, 0.25, 0.5, 0.75, 1, 1.25 }, x:totable())
      assert.same({ 2.5 }, npy.load(FOLDER .. 'number.npy'):totable())
      local empty = npy.load(FOLDER .. 'empty.npy', { map = true })
      assert.equal('torch.FloatTensor', empty:type())
      assert.equal(0, empty:nElement())
      assert.same({ 0, 1, 2, 3, 4 }, npy.load(FOLDER .. 'one.npy'):totable())
   end)

   it("have Fortran's order where the elements lie so", function()
      local x = npy.load(FOLDER .. 'fortran.npy')
      assert.same({ 2, 3, 4 }, x:size():totable())
      assert.same({ 1, 2, 6 }, x:stride():totable())
      assert.same(torch.range(0, 23):totable(), elements(x))
   end)

   it('are of three versions, and of Python 2', function()
      for _, name in ipairs { 'version2', 'version3', 'python2' } do
         assert.same({ { 0, 1, 2 }, { 3, 4, 5 } }, npy.load(FOLDER .. name .. '.npy'):totable())
      end
   end)

   it('may be archives, stored or packed', function()
      for _, name in ipairs { 'stored.npz', 'packed.npz' } do
         local all = npy.load(FOLDER .. name)
         assert.same({ { 0, 1, 2 }, { 3, 4, 5 } }, all.x:totable())
         assert.same({ 0, 1, 2 }, all['name with/slash']:totable())
         assert.same({ 7 }, all.n:totable())
         assert.equal('torch.LongTensor', all.n:type())
      end
      local big = npy.load(FOLDER .. 'packed.npz', { names = { 'big' } })
      assert.equal(10000, big.big:nElement())
      assert.is_nil(big.x)
      local list = npy.load(FOLDER .. 'list.npz')
      assert.same({ 0, 1, 2 }, list.arr_1:totable())
   end)

   it('tell what is in them', function()
      assert.same({
         type = 'torch.IntTensor', descr = '>u2', shape = { 2, 3 }, fortran = false,
      }, npy.info(FOLDER .. 'u2_big.npy'))
      local info = npy.info(FOLDER .. 'stored.npz')
      assert.same({}, info.n.shape)
      assert.equal('torch.DoubleTensor', info.x.type)
   end)

   it('with other elements are refused, with what helps', function()
      for name, text in pairs {
         c8 = "elements of type '<c8': complex numbers; save x.real and x.imag apart",
         object = "elements of type '|O': Python objects, which only Python can read",
         text = "elements of type '<U2': strings", dates = "'<M8[D]': dates",
         records = 'elements are records of several fields',
         g16 = "elements of type '<f16': floating-point numbers of a size",
         u8_large = 'element 2 is 2^63 or more',
      } do
         raises(text, npy.load, FOLDER .. name .. '.npy')
      end
   end)
end)

-- --- files of ours ------------------------------------------------------------------------------

describe('npy.save', function()
   local x = torch.DoubleTensor { { 0.5, -2 }, { 3, 100 }, { 7, 8 } }

   -- Head and data of an .npy file, put together here.
   local function file(descr, fortran, shape, data)
      local text = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr, fortran,
         shape)
      text = text .. (' '):rep(128 - 10 - #text - 1) .. '\n'
      return '\147NUMPY\1\0\118\0' .. text .. data
   end

   it('writes what NumPy writes', function()
      with_folder(function(folder)
         local path = folder .. '/x.npy'
         for name in pairs { i1 = 1, i2 = 1, i4 = 1, i8 = 1, f2 = 1, f4 = 1, f8 = 1, u1 = 1,
            fortran = 1, one = 1, bf16 = 1 } do
            local theirs = FOLDER .. name .. '.npy'
            npy.save(path, npy.load(theirs))
            local same = name ~= 'fortran' -- of three dimensions, in both libraries
            assert.equal(shell.read(theirs), shell.read(path), same and name or nil)
         end
         npy.save(path, torch.ByteTensor { { 1, 2 } })
         assert.equal(file('|u1', 'False', '(1, 2)', '\1\2'), shell.read(path))
         npy.save(path, torch.FloatTensor())
         assert.equal(file('<f4', 'False', '(0,)', ''), shell.read(path))
      end)
   end)

   it('and load keep every type, any strides and views', function()
      with_folder(function(folder)
         local path = folder .. '/x.npy'
         for _, name in ipairs {
            'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Float', 'Double',
         } do
            local typed = x:type('torch.' .. name .. 'Tensor')
            for _, view in ipairs {
               typed, typed:t(), typed:narrow(1, 2, 2), typed:select(2, 2), typed:view(3, 1, 2),
            } do
               npy.save(path, view)
               for _, map in ipairs { false, true, 'shared' } do
                  local y = npy.load(path, { map = map })
                  assert.equal(view:type(), y:type())
                  assert.same(view:totable(), y:totable())
               end
            end
         end
      end)
   end)

   it('keeps the former file when it cannot write', function()
      raises("npy.save: '/dev/full': write error: No space left on device", npy.save, '/dev/full',
         torch.ones(100000))
      with_folder(function(folder)
         npy.save(folder .. '/x.npy', x)
         raises('expected a tensor as b, got a number', npy.savez, folder .. '/x.npy',
            { a = x, b = 1 })
         assert.same(x:totable(), npy.load(folder .. '/x.npy'):totable())
      end)
   end)

   it('of archives is read by unpacking tools', function()
      with_folder(function(folder)
         for _, compress in ipairs { false, true } do
            local path = folder .. '/x.npz'
            npy.savez(path, { x = x, ['é'] = torch.range(1, 100000):int(), e = torch.Tensor() },
               { compress = compress })
            local all = npy.load(path, { map = not compress })
            assert.same(x:totable(), all.x:totable())
            assert.equal(5000050000, all['é']:sum())
            assert.equal(0, all.e:nElement())
            assert.is_true((#shell.read(path) < 200000) == compress)
         end
         npy.savez(folder .. '/y.npz', { x, x:t() })
         assert.same(x:t():totable(), npy.load(folder .. '/y.npz').arr_1:totable())
         npy.savez_compressed(folder .. '/z.npz', {})
         assert.same({}, npy.load(folder .. '/z.npz'))
      end)
   end)
end)

-- --- mapping ------------------------------------------------------------------------------------

describe('a mapped file', function()
   it('takes no memory, and changes stay here or reach it', function()
      with_folder(function(folder)
         local path = folder .. '/x.npy'
         npy.save(path, torch.zeros(1000))
         local private = npy.load(path, { map = true })
         private[1] = 5
         assert.equal(0, npy.load(path)[1])
         local shared = npy.load(path, { map = 'shared' })
         shared[2] = 6
         assert.equal(6, npy.load(path)[2])
         assert.equal(5, private[1])
         os.remove(path) -- it lives as long as the tensor
         collectgarbage()
         assert.equal(6, shared:max())
      end)
   end)

   it('keeps its elements when another array is saved in its place', function()
      with_folder(function(folder)
         local path = folder .. '/x.npy'
         npy.save(path, torch.ones(100000))
         local x = npy.load(path, { map = 'shared' })
         npy.save(path, torch.zeros(1))
         assert.equal(100000, x:sum())
         assert.same({ 0 }, npy.load(path):totable())
      end)
   end)

   it('may be larger than all memory', function()
      with_folder(function(folder)
         local path = folder .. '/large.npy'
         local elements_ = 2 ^ 37 -- a sparse file of a tebibyte
         local text = ("{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }"):format(2 ^ 27)
         text = text:gsub('%d%d%d+', ('%.0f'):format(elements_))
         text = text .. (' '):rep(128 - 10 - #text - 1) .. '\n'
         local out = assert(io.open(path, 'wb'))
         out:write('\147NUMPY\1\0\118\0', text)
         out:close()
         local _, status = shell.run(("truncate -s %.0f '%s'"):format(128 + 8 * elements_, path))
         if status ~= 0 then
            pending 'no files of this size here'
            return
         end
         local x = npy.load(path, { map = true })
         assert.equal(elements_, x:nElement())
         x[elements_] = 3
         assert.equal(3, x[elements_])
         assert.equal(0, x[elements_ / 2])
      end)
   end)
end)

-- --- mistakes -----------------------------------------------------------------------------------

describe('a header', function()
   local header = require 'npy.header'

   it('is what the format says, in any order and spacing', function()
      for _, text in ipairs {
         "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }",
         '{"shape":(3,4,),"fortran_order":False,"descr":"<f4"}\n',
         " { 'shape' : ( 3 , 4 ) , 'descr' : '<f4' , 'fortran_order' : False } ",
      } do
         assert.same({ descr = '<f4', fortran_order = false, shape = { 3, 4 } }, header.parse(text))
      end
   end)

   it('that is something else is refused', function()
      for text, problem in pairs {
         [''] = 'no dictionary', ['{'] = 'no dictionary', ['{}'] = 'nothing of descr',
         ["{'descr': __import__('os').system('id')}"] = 'nothing readable of descr',
         ["{'descr': '<f4', 'descr': '<f4'}"] = 'the key descr twice',
         ["{'descr': '<f4', 'fortran_order': 0, 'shape': ()}"]
            = 'nothing readable of fortran_order',
         ["{'descr': '<f4', 'fortran_order': True, 'shape': (3)}"] = 'nothing readable of shape',
         ["{'descr': '<f4', 'fortran_order': True, 'shape': (-3,)}"] = 'nothing readable of shape',
         ["{'descr': '<f4', 'fortran_order': True, 'shape': (3 4)}"] = 'nothing readable of shape',
         ["{'descr': '<f4', 'fortran_order': True, 'shape': (3,)} x"] = 'text follows',
         ["{'descr': '<f4' 'fortran_order': True, 'shape': (3,)}"] = 'no dictionary',
         ["{'x': 1}"] = "a key 'x'", ["{'descr\": 1}"] = 'no dictionary',
      } do
         local parsed, message = header.parse(text)
         assert.is_nil(parsed, text)
         assert.matches(problem, message, 1, true)
      end
      assert.matches('more than any file has', select(2, header.count { 2 ^ 30, 2 ^ 30 }))
      assert.matches('17 dimensions', select(2, header.count(torch.ones(17):totable())))
      assert.equal(0, (header.count { 2 ^ 50, 0, 2 ^ 50 }))
   end)
end)

describe('npy refuses', function()
   local x = torch.ones(2)

   it('arguments that mean nothing', function()
      raises('npy.load: expected a file name, got nil', npy.load)
      raises('npy.load: unknown option mmap; there are map and names', npy.load, 'x', { mmap = 1 })
      raises("the option map can be true, false or 'shared', got r", npy.load, 'x', { map = 'r' })
      raises('npy.load: expected a table of options, got a boolean', npy.load, 'x', true)
      raises('npy.save: expected a tensor, got a table; npy.savez', npy.save, '/tmp/x', { x })
      raises('npy.save: expected a file name, got nil', npy.save, nil, x)
      raises('npy.savez: expected a table of tensors, got a torch.DoubleTensor', npy.savez, 'x', x)
      raises('npy.savez: unknown option level', npy.savez, 'x', { x }, { level = 9 })
      raises('no name for an array', npy.savez, '/tmp/x', { [true] = x })
   end)

   it('files that are none', function()
      raises('cannot open <no.npy> in mode r', npy.load, 'no.npy')
      raises('cannot open <test> in mode r  (Is a directory', npy.load, 'test')
      raises('neither an .npy nor an .npz file: it begins with other bytes', npy.load,
         'test/npy/npy_spec.lua')
      raises("there is no array 'y' in it", npy.load, FOLDER .. 'stored.npz', { names = { 'y' } })
      with_folder(function(folder)
         local text = shell.read(FOLDER .. 'stored.npz')
         local out = assert(io.open(folder .. '/x.npz', 'wb'))
         local at = text:find('\240?', 1, true) -- in the data of x: 1
         out:write(text:sub(1, at - 1), '\241', text:sub(at + 1))
         out:close()
         raises('its checksum is wrong', npy.load, folder .. '/x.npz')
      end)
   end)

   it('a type in place that it converts', function()
      raises("changes cannot reach the file", npy.load, FOLDER .. 'i4_big.npy', { map = 'shared' })
   end)
end)
