-- Files that h5py wrote (test/data/hdf5/generate.py), files of ours, and what is refused.
local torch = require 'torch'
local hdf5 = require 'hdf5'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local THEIRS, STRANGE = 'test/data/hdf5/h5py.h5', 'test/data/hdf5/strange.h5'

-- The numbers of generate.py.
local WIDE = { { 0, 1, -2 }, { 30000, -30001, 32767 } }

local function each(f)
   local result = {}
   for i, row in ipairs(WIDE) do
      result[i] = {}
      for j, x in ipairs(row) do
         result[i][j] = f(x)
      end
   end
   return result
end

local ints = each(function(x)
   return x * 65536 + 5
end)
local doubles = each(function(x)
   return x / 3
end)
local expected = {
   u1 = { 'Byte', { { 0, 1, 2 }, { 100, 101, 255 } } },
   i1 = { 'Char', { { 0, 1, -2 }, { 100, -101, 127 } } },
   i2 = { 'Short', WIDE }, i4 = { 'Int', ints }, i4_big = { 'Int', ints },
   i8 = { 'Long', each(function(x)
      return x * 2 ^ 40 + 7
   end) },
   -- In half: 10 bits behind the first one. 32767 / 1024 is 32 then, 30001 / 1024 is 29.296875.
   f2 = { 'Half', { { 0, 1 / 1024, -2 / 1024 }, { 29.296875, -29.296875, 32 } } },
   f4 = { 'Float', each(function(x)
      return x / 64
   end) },
   f8 = { 'Double', doubles }, f8_big = { 'Double', doubles },
   u2 = { 'Int', { { 0, 1, 2 }, { 100, 101, 65535 } } },
   u4 = { 'Long', { { 0, 1, 2 }, { 100, 101, 4294967295 } } },
   u8 = { 'Long', { { 0, 1, 2 }, { 100, 101, 2 ^ 62 } } },
   bool = { 'Byte', { { 0, 1, 1 }, { 1, 0, 1 } } },
}

-- Call f with the name of a file that is not there yet.
local function with_file(f)
   shell.with_folder(function(folder)
      f(folder .. '/x.h5')
   end)
end

describe('files of h5py', function()
   it('hold every type', function()
      local all = hdf5.open(THEIRS, 'r'):read('types'):all()
      for name, pair in pairs(expected) do
         assert.equal('torch.' .. pair[1] .. 'Tensor', all[name]:type(), name)
         assert.same(pair[2], all[name]:totable(), name)
      end
   end)

   it('hold numbers, nothing, and packed chunks', function()
      local file = hdf5.open(THEIRS, 'r')
      assert.same({ 2.5 }, file:read('/number'):all():totable())
      assert.equal(0, file:read('empty'):all():nElement())
      assert.equal('torch.FloatTensor', file:read('empty'):all():type())
      local packed = file:read '/packed'
      assert.same({ 20, 10 }, packed:dataspaceSize())
      assert.equal(torch.DoubleTensor, packed:getTensorFactory())
      assert.same(torch.range(0, 199):view(20, 10):totable(), packed:all():totable())
      assert.same({ { 103, 104 }, { 113, 114 }, { 123, 124 } },
         packed:partial({ 11, 13 }, { 4, 5 }):totable())
      assert.same({ { 199 } }, packed:partial(20, 10):totable())
      assert.same({ { 199 } }, packed:partial({ { 20, 20 }, { 10, 10 } }):totable())
      file:close()
   end)

   it('that grow can be appended to', function()
      with_file(function(path)
         assert(os.execute(("cp '%s' '%s'"):format(THEIRS, path)) == 0)
         local file = hdf5.open(path, 'r+')
         file:append('growing', torch.LongTensor { { 6, 7, 8 } })
         assert.same({ { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 } },
            file:read('growing'):all():totable())
         raises("append: 'types' in / is a group", file.append, file, 'types', torch.ones(1))
         raises("append: 'f8' is not stored in chunks and cannot grow", file.append, file,
            'types/f8', torch.ones(1, 3))
         raises("append: 'growing' is 3x3, and the tensor 1x4", file.append, file, 'growing',
            torch.ones(1, 4):long())
         raises("append: 'growing' has the elements of a torch.LongTensor, and the tensor is a "
            .. "torch.DoubleTensor: convert it first, by tensor:type('torch.LongTensor')",
            file.append, file, 'growing', torch.ones(1, 3))
         file:close()
      end)
   end)

   it('with other contents are refused, with what helps', function()
      local file = hdf5.open(STRANGE, 'r')
      for name, text in pairs {
         text = 'the elements of /text are strings', complex = 'are records of several fields',
         large = '/large cannot be read: element 2 is 2^63 or more',
         unwritten = '/unwritten has 8796093022208 bytes, of which 0 are stored',
      } do
         local set = file:read(name)
         raises('hdf5: ', set.all, set)
         raises(text, set.all, set)
      end
      raises("'type' is neither a group nor a data set", file.read, file, 'type')
      raises("cannot open 'soft'", file.read, file, 'soft')
      assert.equal(0, file:read('null'):all():nElement())
      assert.same({ { 0, 0 } }, file:read('unwritten'):partial(1048576, { 1, 2 }):totable())
      file:close()
   end)

   it('whose groups hold themselves come to an end', function()
      local file = hdf5.open(STRANGE, 'r')
      local a = file:read 'a'
      raises("'up' in /a/b is a group that holds this one", a.all, a)
      assert.same({ 0, 1, 2 }, file:read('/two'):all():totable())
      file:close()
   end)
end)

-- --- files of ours ------------------------------------------------------------------------------

describe('an HDF5 file', function()
   it('keeps every type, tables, views and nothing', function()
      with_file(function(path)
         local x = torch.range(1, 6):view(2, 3)
         local data = {
            group = { deep = {} }, t = x:t(), [1] = x:narrow(2, 2, 1), e = torch.Tensor(),
         }
         for _, name in ipairs {
            'Byte', 'Char', 'Short', 'Int', 'Long', 'Half', 'BFloat16', 'Float', 'Double',
         } do
            data.group.deep[name] = x:type('torch.' .. name .. 'Tensor')
         end
         local file = hdf5.open(path, 'w')
         file:write('/', data)
         file:write('/other/way/x', x)
         file:write('other', { y = x })
         file:close()
         local all = hdf5.open(path, 'r'):all()
         for name, t in pairs(data.group.deep) do
            assert.equal('torch.' .. name .. 'Tensor', all.group.deep[name]:type())
            assert.same(t:totable(), all.group.deep[name]:totable())
         end
         assert.same(x:t():totable(), all.t:totable())
         assert.same({ { 2 }, { 5 } }, all['1']:totable())
         assert.equal(0, all.e:nElement())
         assert.same(x:totable(), all.other.way.x:totable())
         assert.same(x:totable(), all.other.y:totable())
      end)
   end)

   it('is read by the tools of HDF5', function()
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         file:write('/g/x', torch.IntTensor { { 1, -2 }, { 3, 4 } })
         file:close()
         local text, status = shell.run(("h5dump -d /g/x '%s'"):format(path))
         if status == 127 then
            pending 'h5dump (Debian: hdf5-tools) is not installed'
            return
         end
         assert.equal(0, status)
         assert.matches('H5T_STD_I32LE', text, 1, true)
         assert.matches('%(0,0%): 1, %-2,%s+%(1,0%): 3, 4', text)
      end)
   end)

   it('packs in chunks, and grows', function()
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         local options = hdf5.DataSetOptions():setChunked(16, 1000):setDeflate(9)
         file:write('zeros', torch.zeros(200, 300), options)
         for _ = 1, 3 do
            file:append('rows', torch.ones(2, 3))
            file:append('table', { a = torch.ones(1), b = { torch.ones(2) } })
         end
         file:append('rows', torch.Tensor())
         file:close()
         assert.is_true(#shell.read(path) < 20000)
         local all = hdf5.open(path):all()
         assert.equal(0, all.zeros:sum())
         assert.same({ 6, 3 }, all.rows:size():totable())
         assert.same({ 1, 1, 1 }, all.table.a:totable())
         assert.equal(6, all.table.b['1']:sum())
      end)
   end)

   it('takes what is appended to an empty tensor, whatever its sizes', function()
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         for i, way in ipairs { 'append', 'write' } do
            file[way](file, 'x' .. i, torch.FloatTensor())
            raises('is a torch.DoubleTensor', file.append, file, 'x' .. i, torch.ones(2, 3))
            file:append('x' .. i, torch.FloatTensor())
            file:append('x' .. i, torch.FloatTensor(2, 3):fill(7))
            file:append('x' .. i, torch.FloatTensor(1, 3):fill(8))
            assert.same({ { 7, 7, 7 }, { 7, 7, 7 }, { 8, 8, 8 } },
               file:read('x' .. i):all():totable())
         end
         file:close()
      end)
   end)

   it('has elements as they were, or refuses to append them', function()
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         for name, wrong in pairs {
            Long = torch.Tensor { 2 ^ 53 + 2, 1e30, 1.9 }, Float = torch.Tensor { 1e300 },
            Byte = torch.CharTensor { -1 }, Double = torch.LongTensor { 1 },
            Half = torch.FloatTensor { 1e6 },
         } do
            local right = torch.ones(1):type(('torch.%sTensor'):format(name))
            file:append(name, right)
            raises(("append: '%s' has the elements of a torch.%sTensor, and the tensor is a %s")
               :format(name, name, wrong:type()), file.append, file, name, wrong)
            file:append(name, right)
            assert.same({ 1, 1 }, file:read(name):all():totable())
         end
         file:close()
      end)
   end)

   it('takes what fits into unsigned numbers of others, and nothing else', function()
      local h5, kinds = require 'hdf5.ffi', require 'hdf5.types'
      local file = hdf5.open(THEIRS, 'r')
      for name, case in pairs {
         u2 = { 'torch.IntTensor', { 0, 65535 }, { 65536 }, { -1 } },
         u4 = { 'torch.LongTensor', { 0, 2 ^ 32 - 1 }, { 2 ^ 32 }, { -1 } },
         u8 = { 'torch.LongTensor', { 0, 2 ^ 62 }, { -1 } },
         i4_big = { 'torch.IntTensor', { -2 ^ 31, 2 ^ 31 - 1 } },
      } do
         local id = h5.C.H5Dget_type(file:read('types/' .. name)._box.id[0])
         for i = 2, #case do
            assert.equal(i == 2, (kinds.holds(id, torch.Tensor(case[i]):type(case[1]))), name)
         end
         assert.is_false((kinds.holds(id, torch.ones(1))))
         h5.C.H5Tclose(id)
      end
      file:close()
   end)

   it('writes and appends a table as a whole, or nothing of it', function()
      local x = torch.ones(2)
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         file:write('c', { x = x, g = { y = x } })
         file:append('d', { x = x, y = x })
         local function refused(method, message, name, data, options)
            -- In whatever order pairs gives the keys, some come before the one that cannot be.
            for i = 1, 20 do
               data['z' .. i] = x
            end
            raises(message, file[method], file, name, data, options)
            assert.same({ 'c', 'd' }, file:read():keys())
            assert.same({ 'g', 'x' }, file:read('c'):keys())
            assert.same({ 'y' }, file:read('c/g'):keys())
            assert.same({ 1, 1 }, file:read('d/x'):all():totable())
            assert.same({ 'x', 'y' }, file:read('d'):keys())
         end
         refused('write', "there is a 'x' in /c already", 'c', { x = x })
         refused('write', "there is a 'y' in /c/g already", '/', { c = { g = { y = x } } })
         refused('write', "'x' in /c is a data set, and nothing can be written below", 'c',
            { x = { x } })
         refused('write', 'chunks have 1 dimensions', 'new/group', { m = torch.ones(2, 3) },
            hdf5.DataSetOptions():setChunked(2))
         refused('append', 'they may differ in the', 'd', { x = x, y = torch.ones(1, 2) })
         refused('append', 'is a torch.FloatTensor: convert', 'd', { x = x, y = x:float() })
         refused('append', "'g' in /c is a group", 'c', { g = x })
         file:close()
      end)
   end)

   it('opens in modes', function()
      with_file(function(path)
         raises("in mode 'r': there is no such file", hdf5.open, path, 'r')
         raises("in mode 'r+': there is no such file", hdf5.open, path, 'r+')
         local file = hdf5.open(path) -- 'a'
         file:write('x', torch.ones(1))
         file:close()
         for _, mode in ipairs { 'w-', 'x' } do
            raises('the file exists', hdf5.open, path, mode)
         end
         file = hdf5.open(path, 'a')
         file:write('y', torch.ones(2))
         file:close()
         file = hdf5.open(path, 'r')
         assert.equal('[hdf5.HDF5Group /: x, y]', tostring(file:read()))
         raises("cannot write 'z': no write intent on file", file.write, file, 'z', torch.ones(1))
         file:close()
         file = hdf5.open(path, 'w')
         assert.same({}, file:all())
         file:close()
      end)
   end)

   it('is stored by its name, and opened again', function()
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         file:write('x', torch.ones(2))
         local again = torch.deserialize(torch.serialize(file))
         assert.equal(path, again:filename())
         assert.same({ 1, 1 }, again:read('x'):all():totable())
         again:close()
         file:close()
         raises('cannot be stored', torch.serialize, hdf5.open(path, 'r'):read())
      end)
   end)

   it('says what it is, open and closed', function()
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         file:write('x', torch.ones(2, 3))
         local set = file:read 'x'
         assert.equal('[hdf5.HDF5DataSet /x: 2x3]', tostring(set))
         assert.equal('dataset /x', hdf5._describeObject(set._box.id[0]))
         file:close()
         raises('/x has been closed', set.all, set)
         raises('has been closed; open the file again', file.read, file, 'x')
         raises('has been closed', file.close, file)
         assert.matches(', closed%]$', tostring(file))
      end)
   end)

   it('that is collected gives its objects back', function()
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         file:write('x', torch.ones(2))
         for _ = 1, 100 do
            file:read('x'):all()
         end
         collectgarbage()
         collectgarbage()
         local count = tonumber(hdf5.C.H5Fget_obj_count(file._box.id[0], hdf5.H5F_OBJ_DATASET))
         assert.is_true(count < 10)
         file:close()
      end)
   end)
end)

-- --- mistakes -----------------------------------------------------------------------------------

describe('hdf5 refuses', function()
   local x = torch.ones(2, 3)

   local function writing(...)
      local arguments = { n = select('#', ...), ... }
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         file:write('x', x)
         local ok, message = pcall(file.write, file, unpack(arguments, 1, arguments.n))
         file:close()
         if not ok then
            error(message, 0)
         end
      end)
   end

   it('what cannot be written', function()
      raises("hdf5: write: 'y' is a string; expected a tensor or a table of tensors", writing, 'y',
         's')
      raises("hdf5: write: 'y' is nil", writing, 'y')
      raises("write: 'y/z' is a number", writing, 'y', { z = 1 })
      raises("has a key a/b, which cannot be a name", writing, 'y', { ['a/b'] = x })
      raises("expected a path such as '/x', got a torch.DoubleTensor", writing, x)
      raises("a tensor needs a name", writing, '/', x)
      raises("there is a 'x' in / already", writing, 'x', x)
      raises("'x' in / is a data set, and nothing can be written below one", writing, 'x/y', x)
      raises('the options are a table; expected hdf5.DataSetOptions()', writing, 'y', x, {})
      local own = {}
      own.own = own
      raises("the table 'y/own' holds itself", writing, 'y', own)
   end)

   it('names that it could not list again, or not tell apart', function()
      raises("'y' has two keys that are '1' as a name in a file", writing, 'y', { x, ['1'] = x })
      local long = ('n'):rep(65536)
      raises("has 65536 bytes, and names in a file 65535 at most", writing, 'a/' .. long .. '/b', x)
      raises('has 65536 bytes', writing, 'y', { z = { [long] = x } })
      with_file(function(path)
         local file = hdf5.open(path, 'w')
         raises('createChild: the name', file:read().createChild, file:read(), long)
         file:write(long:sub(2), x)
         assert.same({ long:sub(2) }, file:read():keys())
         file:close()
      end)
   end)

   it('options that mean nothing', function()
      local options = hdf5.DataSetOptions()
      raises('size 2 of a chunk is a string', options.setChunked, options, 1, 'a')
      raises('size 1 of a chunk is 0', options.setChunked, options, 0)
      raises('from 0 to 9, got 10', options.setDeflate, options, 10)
      raises('chunks have 3 dimensions (1x1x1), and the tensor has 2 (2x3)', writing, 'y', x,
         hdf5.DataSetOptions():setChunked(1, 1, 1))
      assert.equal('[hdf5.DataSetOptions: chunks of 2x2, deflate 6]',
         tostring(hdf5.DataSetOptions():setChunked(2, 2):setDeflate()))
   end)

   it('parts that are not there', function()
      local set = hdf5.open(THEIRS, 'r'):read '/packed'
      raises('1 range is given, and /packed has 2 dimensions', set.partial, set, 1)
      raises('3 ranges are given', set.partial, set, 1, 2, 3)
      raises('21 is no place in dimension 1 of /packed, which has 20', set.partial, set, 21, 1)
      raises('0 is no place', set.partial, set, { 0, 1 }, 1)
      raises('ends at 1, before it begins at 2', set.partial, set, { 2, 1 }, 1)
      raises('has 1 numbers', set.partial, set, { 2 }, 1)
      raises('has the range a', set.partial, set, 'a', 1)
   end)

   it('files and names that are not there', function()
      raises("open: expected a file name, got nil", hdf5.open)
      raises("open: expected the mode 'r', 'r+', 'w', 'w-', 'x' or 'a', got 'rw'", hdf5.open, 'x',
         'rw')
      raises("cannot open 'no/x.h5': there is no directory no: make it first", hdf5.open, 'no/x.h5')
      raises("cannot open 'test': it is a directory", hdf5.open, 'test', 'r')
      raises('it is not an HDF5 file', hdf5.open, 'test/hdf5/hdf5_spec.lua', 'r')
      local file = hdf5.open(THEIRS, 'r')
      raises("there is no 'x' in /types; it has bool, f2, f4", file.read, file, 'types/x')
      raises("'f4' is a data set, and has no 'x' in it", file.read, file, 'types/f4/x')
      file:close()
   end)

   it('to load without the library, with the package that is missing', function()
      local text = shell.run(([['%s' -e "local ffi = require 'ffi'; local load = ffi.load
         ffi.load = function(name, ...) if name:match 'hdf5' then error 'none' end
         return load(name, ...) end; require 'hdf5'"]]):format(os.getenv 'TH_EXECUTABLE'))
      assert.matches('hdf5: the HDF5 library is not installed (Debian: apt-get install '
         .. 'libhdf5-103-1)', text, 1, true)
   end)
end)
