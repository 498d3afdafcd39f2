-- Files that the reference implementation wrote (test/data/safetensors/generate.py), files of ours,
-- and what is refused.
local torch = require 'torch'
local safetensors = require 'safetensors'
local raises = require 'test.support.raises'
local shell = require 'test.support.shell'

local FOLDER = 'test/data/safetensors/'

local with_folder = shell.with_folder

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

local expected = {
   U8 = { 'Byte', { 0, 1, 200 } }, BOOL = { 'Byte', { 1, 0, 1 } },
   I8 = { 'Char', { { 0, 1 }, { -2, 127 } } }, I16 = { 'Short', WIDE },
   I32 = { 'Int', each(function(x)
      return x * 65536 + 5
   end) },
   I64 = { 'Long', each(function(x)
      return x * 2 ^ 40 + 7
   end) },
   -- 30000/64 and its neighbours in half: 10 bits behind the first one, steps of 1/4.
   F16 = { 'Half', { { 0, 1 / 64, -2 / 64 }, { 468.75, -468.75, 512 } } },
   BF16 = { 'BFloat16', { { 0, 0.25 }, { 0.5, 0.75 }, { 1, 1.25 } } },
   F32 = { 'Float', each(function(x)
      return x / 64
   end) },
   F64 = { 'Double', each(function(x)
      return x / 3
   end) },
   number = { 'Float', { 2.5 } }, empty = { 'Float', {} }, ['a/b"c'] = {
      'Float', { { { 1, 1 } }, { { 1, 1 } } },
   },
}

describe('files of the reference implementation', function()
   it('hold every type', function()
      for _, map in ipairs { false, true } do
         local tensors, metadata = safetensors.load(FOLDER .. 'torch.safetensors', { map = map })
         assert.same({ format = 'pt' }, metadata)
         for name, pair in pairs(expected) do
            assert.equal('torch.' .. pair[1] .. 'Tensor', tensors[name]:type(), name)
            assert.same(pair[2], tensors[name]:totable(), name)
            tensors[name] = nil
         end
         assert.is_nil(next(tensors))
      end
   end)

   it('hold unsigned numbers, which become larger types', function()
      local t = safetensors.load(FOLDER .. 'unsigned.safetensors', { map = true })
      assert.same({ 1, 65535 }, t.U16:totable())
      assert.same({ 1, 4294967295 }, t.U32:totable())
      assert.same({ 1, 2 ^ 53 }, t.U64:totable())
      assert.equal('torch.IntTensor torch.LongTensor torch.LongTensor',
         table.concat({ t.U16:type(), t.U32:type(), t.U64:type() }, ' '))
      raises("the tensor 'x' cannot be read: element 2 is 2^63 or more", safetensors.load,
         FOLDER .. 'large.safetensors')
   end)

   it('are read one by one', function()
      local file = safetensors.open(FOLDER .. 'torch.safetensors')
      assert.equal('torch.HalfTensor', file:info('F16').type)
      assert.same({ type = 'torch.ByteTensor', dtype = 'BOOL', shape = { 3 } }, file:info 'BOOL')
      assert.equal(13, #file:keys())
      assert.same({ format = 'pt' }, file:metadata())
      assert.same({ 1, 0, 1 }, file:get('BOOL', true):totable())
      raises("File:get: 'test/data/safetensors/torch.safetensors' has no tensor 'nummer'"
         .. '; near: number', file.get, file, 'nummer')
      file:close()
      raises('has been closed', file.get, file, 'BOOL')
   end)

   it('with elements that there are none of are read but for those', function()
      local path = FOLDER .. 'float8.safetensors'
      raises("the tensor 'f8' has elements of type F8_E4M3, of which there are none here",
         safetensors.load, path)
      assert.same({ x = { 0, 1, 2 } }, { x = safetensors.load(path, { names = { 'x' } }).x
         :totable() })
      assert.is_nil(safetensors.open(path):info('f8').type)
   end)

   it('with tied weights give both names back', function()
      local tensors = safetensors.load(FOLDER .. 'tied.safetensors', { shared = true })
      tensors['a.weight'][1][1] = 9
      assert.same({ { 9, 1 }, { 2, 3 } }, tensors['b.weight']:totable())
      local one = safetensors.load(FOLDER .. 'tied.safetensors', { shared = true,
         names = { 'b.weight' } })
      assert.is_nil(one['a.weight'])
      assert.same({ { 0, 1 }, { 2, 3 } }, one['b.weight']:totable())
      raises("has no tensor 'b.weight'", safetensors.load, FOLDER .. 'tied.safetensors',
         { names = { 'b.weight' } })
   end)
end)

describe('safetensors.save', function()
   local function tensors()
      return {
         weight = torch.range(0, 5):float():view(2, 3), steps = torch.LongTensor { 7 },
         mask = torch.ByteTensor { 0, 1, 1 }, half = torch.HalfTensor { 0.5, -2 },
         brain = torch.BFloat16Tensor { 3 }, short = torch.ShortTensor { -5 },
         double = torch.DoubleTensor { 0.1 }, int = torch.IntTensor { 9, 8 },
         char = torch.CharTensor { -1 }, truth = torch.ByteTensor { 1, 0 },
      }
   end

   it('writes what the reference implementation writes, byte by byte', function()
      with_folder(function(folder)
         local path = folder .. '/x.safetensors'
         safetensors.save(path, tensors(), { k = 'v"\né/' }, { bool = { 'truth' } })
         assert.equal(shell.read(FOLDER .. 'written.safetensors'), shell.read(path))
         local python = folder .. '/y.safetensors'
         safetensors.save_file(tensors(), python)
         assert.same({ 1, 0 }, safetensors.load_file(python).truth:totable())
      end)
   end)

   it('and load keep types, views and names', function()
      with_folder(function(folder)
         local path = folder .. '/x'
         local x = torch.range(1, 12):view(3, 4)
         local views = {
            x = x, t = x:t(), part = x:narrow(2, 2, 2), ['ü "\\/'] = x:select(2, 1),
            e = torch.Tensor(),
         }
         safetensors.save(path, views)
         for _, map in ipairs { false, true, 'shared' } do
            local read, metadata = safetensors.load(path, { map = map })
            assert.same({}, metadata)
            for name, view in pairs(views) do
               assert.same(view:totable(), read[name]:totable())
            end
         end
         safetensors.save(path, {})
         assert.same({}, (safetensors.load(path)))
      end)
   end)

   it('keeps what is written to private pages from the file, whoever shares it', function()
      with_folder(function(folder)
         local path = folder .. '/x'
         for _, first in ipairs { true, 'shared' } do
            safetensors.save(path, { a = torch.zeros(2) })
            local file = safetensors.open(path)
            local a = file:get('a', first)
            local b = file:get('a', first == true and 'shared' or true)
            a:fill(first == true and 9 or 7)
            b:fill(first == true and 7 or 9)
            file:close()
            assert.same({ 7, 7 }, safetensors.load(path).a:totable())
         end
      end)
   end)

   it('writes tensors that share memory apart, or the same one once', function()
      with_folder(function(folder)
         local x = torch.range(1, 6)
         local shared = { a = x, b = x:view(6), c = x:narrow(1, 1, 3), d = x:view(2, 3) }
         safetensors.save(folder .. '/apart', shared)
         local apart = safetensors.load(folder .. '/apart')
         apart.a:fill(0)
         assert.same({ 1, 2, 3, 4, 5, 6 }, apart.b:totable())
         safetensors.save(folder .. '/once', shared, { k = 'v' }, { shared = true })
         local once, metadata = safetensors.load(folder .. '/once', { shared = true })
         assert.same({ k = 'v', b = 'a' }, metadata)
         once.a:fill(0)
         assert.same({ 0, 0, 0, 0, 0, 0 }, once.b:totable())
         assert.same({ 1, 2, 3 }, once.c:totable())
         assert.is_nil(safetensors.load(folder .. '/once').b)
      end)
   end)

   it('tells further names from texts of the metadata that look like some', function()
      with_folder(function(folder)
         local x, path = torch.range(1, 2), folder .. '/x'
         local function back(...)
            safetensors.save(path, ...)
            local read, texts = safetensors.load(path, { shared = true })
            local sums = {}
            for name, t in pairs(read) do
               sums[name] = t:sum()
            end
            return sums, texts
         end
         local kind = { kind = 'weight' }
         local names, metadata = back({ weight = x }, kind)
         assert.same({ { weight = 3 }, kind }, { names, metadata })
         assert.same(kind, (select(2, safetensors.load(path))))
         names, metadata = back({ weight = x, z = x, ['"y/'] = x }, kind, { shared = true })
         assert.same({ weight = 3, z = 3, ['"y/'] = 3 }, names)
         assert.same({ kind = 'weight', weight = '"y/', z = '"y/' }, metadata)
         names, metadata = back({ a = x, b = x }, { kind = 'a', b = 'a' }, { shared = true })
         assert.same({ { a = 3, b = 3 }, { kind = 'a', b = 'a' } }, { names, metadata })
         local file = safetensors.open(path)
         assert.same(metadata, file:metadata())
         file:close()
         names = back({ a = x, kind = x:clone() }, { kind = 'a' })
         assert.same({ a = 3, kind = 3 }, names)
         names, metadata = back({ a = x }, { other = 'text' })
         assert.same({ { a = 3 }, { other = 'text' } }, { names, metadata })
         assert.is_nil(shell.read(path):find('__shared__', 1, true)) -- only where it is needed
         raises("the metadata have a text 'b', where the option shared is to put that the tensor "
            .. "'b' is 'a'", safetensors.save, path, { a = x, b = x }, { b = 'mine' },
            { shared = true })
         raises("the metadata cannot have '__shared__'", safetensors.save, path, { a = x },
            { __shared__ = '[]' })
      end)
   end)

   it('keeps the former file when it cannot write', function()
      raises("safetensors.save: '/dev/full': write error: No space left on device",
         safetensors.save, '/dev/full', { x = torch.ones(100000) })
   end)

   it('refuses what no file can hold', function()
      local x = torch.ones(2)
      for text, arguments in pairs {
         ['expected a table of tensors, got a torch.DoubleTensor'] = { x },
         ["expected a tensor as 'x', got a number"] = { { x = 1 } },
         ["expected a tensor as 'x', got a table"] = { { x = { x } } },
         ["a number (1) is no name for a tensor"] = { { x } },
         ["'__metadata__' is no name for a tensor"] = { { __metadata__ = x } },
         ["is no name for a tensor; expected a string of UTF-8"] = { { ['\255'] = x } },
         ['the metadata are a table of texts, got a string'] = { { x = x }, 'pt' },
         ['the metadata are texts by name; n is a number'] = { { x = x }, { n = 1 } },
         ['the metadata n are no UTF-8'] = { { x = x }, { n = '\192\128' } },
         ['unknown option compress'] = { { x = x }, nil, { compress = true } },
         ["there is no tensor 'y' to be BOOL"] = { { x = x }, nil, { bool = { 'y' } } },
         ["the tensor 'x' is to be BOOL and is a torch.DoubleTensor"] = {
            { x = x }, nil, { bool = { 'x' } },
         },
         ["the tensor 'b' is to be BOOL and has elements other than 0 and 1"] = {
            { b = torch.ByteTensor { 2 } }, nil, { bool = { 'b' } },
         },
      } do
         raises('safetensors.save: ' .. (text:match '^is no' and '' or text), safetensors.save,
            '/tmp/none', unpack(arguments, 1, 3))
      end
   end)

   it('says what a net has to be turned into', function()
      raises("; of a net: require('torch.train').weights(net)", safetensors.save, '/tmp/none',
         require('nn').Tanh())
   end)
end)

describe('safetensors.load refuses', function()
   -- A file with that header and so many bytes of data.
   local function load(text, bytes)
      local result
      with_folder(function(folder)
         local out = assert(io.open(folder .. '/x', 'wb'))
         out:write(string.char(#text % 256, math.floor(#text / 256)), ('\0'):rep(6), text,
            ('\0'):rep(bytes))
         out:close()
         result = safetensors.load(folder .. '/x')
      end)
      return result
   end

   local function entry(name, dtype, shape, first, behind)
      return ('"%s":{"dtype":"%s","shape":[%s],"data_offsets":[%d,%d]}'):format(name, dtype, shape,
         first, behind)
   end

   it('data with gaps, overlaps, and of other sizes than they say', function()
      local a = entry('a', 'U8', '4', 0, 4)
      assert.equal(4, load('{' .. a .. '}', 4).a:nElement())
      for text, case in pairs {
         ["'b' begins at byte 5 of the data, expected 4: no tensor has what lies between"]
            = { a .. ',' .. entry('b', 'U8', '1', 5, 6), 6 },
         ["the tensor 'b' begins at byte 3 of the data, expected 4: it overlaps another one"]
            = { a .. ',' .. entry('b', 'U8', '1', 3, 4), 4 },
         ["the tensor 'a' ends at byte 4 of 3 bytes of data: the file is not whole"] = { a, 3 },
         ['1 bytes of data belong to no tensor'] = { a, 5 },
         ["the tensor 'a' has 4 bytes, and 4 of F32 need 16"] = { entry('a', 'F32', '4', 0, 4), 4 },
         ["the tensor 'a' has -4 bytes"] = { entry('a', 'U8', '4', 4, 0), 4 },
         ['1099511627776x1099511627776, more than any file has']
            = { entry('a', 'U8', '1099511627776,1099511627776', 0, 4), 4 },
         ['has no shape: expected a list of sizes'] = { entry('a', 'U8', '-4', 0, 4), 4 },
         ['has elements of a type U9 that is not known'] = { entry('a', 'U9', '4', 0, 4), 4 },
         ['has 17 dimensions; tensors have 16 at most']
            = { entry('a', 'U8', ('1,'):rep(16) .. '4', 0, 4), 4 },
         ['its header has a name twice'] = { a .. ',' .. a, 4 },
         ['its header has a name twice ']
            = { a:gsub('"dtype"', '"dtype":"F32","dtype"'), 4 },
         ["the tensor 'a' is no object with dtype, shape and data_offsets"] = { '"a":1', 0 },
         ["the tensor 'a' has no dtype"] = { '"a":{}', 0 },
         ['has no data_offsets'] = { '"a":{"dtype":"U8","shape":[4],"data_offsets":[0]}', 4 },
         ['its __metadata__ is no object'] = { '"__metadata__":1', 0 },
         ['its __metadata__ is no object '] = { '"__metadata__":[]', 0 },
         ['a tensor has an object as its shape']
            = { entry('a', 'U8', '', 0, 1):gsub('%[%]', '{}'), 1 },
         ['a tensor has an object as its shape ']
            = { '"b":{"data_offsets":[0,1],"x":{},"dtype":"U8","sh\\u0061pe":{ }}', 1 },
         ["its __metadata__ has under 'a' something else than text"]
            = { '"__metadata__":{"a":1}', 0 },
         ['its header is no JSON'] = { '"a":', 0 },
         ['its header is no JSON: Found too many nested data structures']
            = { '"a":{"shape":[[[0]]]}', 0 },
      } do
         raises(text:match '^(.-)%s*$', load, '{' .. case[1] .. '}', case[2])
      end
   end)

   it('text behind what JSON calls its end, an open string in it', function()
      raises('its header has a byte of 0', load, '{' .. entry('a', 'U8', '4', 0, 4) .. '}\0"', 4)
   end)

   it('names written in two ways that are one', function()
      local a = entry('a', 'U8', '0', 0, 0)
      raises('its header has a name twice', load, '{' .. a .. ',' .. a:gsub('"a"', '"\\u0061"')
         .. '}', 0)
   end)

   it('arguments that mean nothing', function()
      raises('safetensors.load: expected a file name, got nil', safetensors.load)
      raises('unknown option device', safetensors.load, 'x', { device = 'cpu' })
      raises("the option map can be true, false or 'shared', got 1", safetensors.load, 'x',
         { map = 1 })
      raises("has no tensor 'U9'", safetensors.load, FOLDER .. 'torch.safetensors',
         { names = { 'U9' } })
      raises("cannot open <none> in mode r", safetensors.open, 'none')
      raises("not a whole safetensors file: a header of", safetensors.load,
         'test/safetensors/safetensors_spec.lua')
   end)
end)
