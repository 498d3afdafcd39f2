--- npy: NumPy's files, `.npy` with one array and `.npz` with several by name.
--
--     local npy = require 'npy'
--     npy.save('x.npy', torch.rand(3, 4))       -- numpy.load('x.npy')
--     local x = npy.load 'x.npy'
--
-- | NumPy | here |
-- | --- | --- |
-- | uint8, bool | ByteTensor (bool as 0 and 1) |
-- | int8, int16, int32, int64 | CharTensor, ShortTensor, IntTensor, LongTensor |
-- | float16, float32, float64 | HalfTensor, FloatTensor, DoubleTensor |
-- | bfloat16 of ml_dtypes ('V2') | BFloat16Tensor |
-- | uint16, uint32, uint64 | read as IntTensor, LongTensor, LongTensor |
--
-- Any byte order and Fortran's order of elements are read. An array without dimensions becomes a
-- tensor of one element, one without elements an empty tensor: there are no others here. Complex
-- numbers, strings, records and Python's objects are refused; nothing of a file is run.
-- @module npy
require 'torch'
local errors = require 'torch.errors'
errors.library()

local ffi = require 'ffi'
local class = require 'torch.class'
local contents = require 'torch.io.contents'
local output = require 'torch.io.output'
local array = require 'npy.array'
local headers = require 'npy.header'
local sources = require 'npy.sources'
local types = require 'torch.types'
local zip = require 'npy.zip'
local zlib = require 'torch.io.zlib'

local M = {}

local LEVEL = 6 -- of packing, zlib's and NumPy's usual one

-- --- reading ------------------------------------------------------------------------------------

local function checkOptions(operation, options)
   if options == nil then
      return {}
   elseif type(options) ~= 'table' then
      errors.raise(('%s: expected a table of options, got a %s'):format(operation,
         class.type(options)))
   end
   for key in pairs(options) do
      if key ~= 'map' and key ~= 'names' then
         errors.raise(('%s: unknown option %s; there are map and names'):format(operation,
            tostring(key)))
      end
   end
   local map, names = options.map, options.names
   if map and map ~= true and map ~= 'shared' then
      errors.raise(("%s: the option map can be true, false or 'shared', got %s"):format(operation,
         tostring(map)))
   elseif names ~= nil and type(names) ~= 'table' then
      errors.raise(('%s: the option names is a list of names, got a %s'):format(operation,
         class.type(names)))
   end
   return options
end

-- Call visit(name, member) for the arrays of an archive.
local function each(file, visit)
   for _, member in ipairs(zip.members(file)) do
      local name = member.name:match '^(.*)%.npy$'
      if name then
         visit(name, member)
      end
   end
end

local function readArchive(file, options)
   local wanted
   for _, name in ipairs(options.names or {}) do
      wanted = wanted or {}
      wanted[name] = true
   end
   local result = {}
   each(file, function(name, member)
      if not options.names or wanted and wanted[name] then
         local source = zip.source(file, member)
         result[name] = array.read(source, options.map)
         if source.member and source.remaining == 0 and source.sum ~= member.sum then
            source:fail 'its checksum is wrong: the data are damaged'
         end
      end
   end)
   for _, name in ipairs(options.names or {}) do
      if result[name] == nil then
         file:fail("there is no array '%s' in it", tostring(name))
      end
   end
   return result
end

-- Open a file and say whether it is an archive.
local function open(operation, path)
   local file = contents.open(operation, path)
   local start = file:text(0, math.min(file.size, 6))
   local archive = start:sub(1, 4) == zip.MAGIC or start:sub(1, 4) == zip.EMPTY
   if not archive and start ~= headers.MAGIC then
      file:fail('neither an .npy nor an .npz file: %s', file.size == 0 and 'it is empty'
         or 'it begins with other bytes (torch.load reads .t7 files)')
   end
   return file, archive
end

--- Read a file.
-- With `map` the elements stay in the file and come into memory as they are used, so that a file of
-- any size is there at once. Changes stay in this process, or reach the file with `map = 'shared'`.
-- The file must keep its length as long as the tensor lives: a use of elements that another program
-- has cut off ends the process ("Bus error"), which pcall cannot catch. `npy.save` cuts nothing
-- off: it puts a new file in the old one's place, and the tensor keeps the old one.
-- What has to be converted, and packed members, are read into memory all the same. Of an .npz file
-- `map` may map the members that are stored at a multiple of their elements' size.
-- @string path
-- @tparam[opt] table options map: true or 'shared'; names: list of the arrays wanted of an .npz
-- file
-- @return a tensor; of an .npz file a table of tensors by name
-- @raise "npy.load: 'x.npy': elements of type '|O': Python objects, ..."
-- @usage npy.load(path [, { map = true }])
function M.load(path, options)
   options = checkOptions('npy.load', options)
   local file, archive = open('npy.load', path)
   local result
   if archive then
      result = readArchive(file, options)
   else
      result = array.read(sources.plain(file, 0, file.size), options.map)
   end
   file:close()
   return result
end

local function describe(source)
   local head = array.head(source)
   return {
      type = 'torch.' .. types.names[head.kind.dtype] .. 'Tensor', descr = head.descr,
      shape = head.shape, fortran = head.fortran_order,
   }
end

--- What is in a file, without its elements.
-- @string path
-- @return table: type (of the tensor that load would give), shape (list of sizes), descr (NumPy's
-- name of the element type), fortran (order of elements); of an .npz file a table of those by name
-- @usage npy.info(path)
function M.info(path)
   local file, archive = open('npy.info', path)
   local result
   if archive then
      result = {}
      each(file, function(name, member)
         result[name] = describe(zip.source(file, member))
      end)
   else
      result = describe(sources.plain(file, 0, file.size))
   end
   file:close()
   return result
end

-- --- writing ------------------------------------------------------------------------------------

--- Write a tensor to an .npy file.
-- A file that was there before stays as it was unless everything could be written. The transposed
-- view of a matrix is written as it lies, in Fortran's order.
-- @string path
-- @param tensor of any type; one on a device is copied from there
-- @raise "npy.save: expected a tensor, got a table; npy.savez(path, { name = tensor }) writes
-- several"
-- @usage npy.save(path, tensor)
-- @example
-- local npy = require 'npy'
-- npy.save('x.npy', torch.IntTensor { { 1, 2 }, { 3, 4 } })
-- npy.load 'x.npy' --> { { 1, 2 }, { 3, 4 } }
-- npy.info('x.npy').descr --> '<i4'
function M.save(path, tensor)
   local head, t, bytes = array.prepare('npy.save', tensor)
   output.write('npy.save', path, function(stream)
      stream:write(ffi.cast('const uint8_t *', head), #head)
      if bytes > 0 then
         stream:write(array.data(t), bytes)
      end
   end)
end

local function sortedNames(tensors)
   local names = {}
   for name, t in pairs(tensors) do
      if type(name) == 'number' and tensors['arr_' .. name - 1] == nil then
         names[#names + 1] = { 'arr_' .. name - 1, t } -- as numpy.savez numbers them
      elseif type(name) == 'string' and #name > 0 and #name < 60000 and not name:find '%z' then
         names[#names + 1] = { name, t }
      else
         errors.raise(('npy.savez: %s is no name for an array; names are strings, or places in a '
            .. 'list'):format(type(name) == 'string'
               and 'one that is empty, very long or has a NUL character' or tostring(name)))
      end
   end
   table.sort(names, function(a, b)
      return a[1] < b[1]
   end)
   return names
end

-- A function that writes bytes of a member and counts them.
local function writer(stream, member)
   local function give(data, n)
      stream:write(data, n)
      member.packed = member.packed + n
   end
   local pack = member.method ~= 0 and zlib.deflater('npy.savez', LEVEL, give)
   return function(data, n)
      if data then
         data = ffi.cast('const uint8_t *', data)
         member.size = member.size + n
         member.sum = zlib.crc('npy.savez', member.sum, data, n)
         if pack then
            pack(data, n)
         else
            give(data, n)
         end
      elseif pack then
         pack()
      end
   end
end

--- Write tensors to an .npz file, sorted by name.
-- @string path
-- @tparam table tensors by name; those of a list are called arr_0, arr_1, ... as in NumPy
-- @tparam[opt] table options compress: true packs them
-- @raise "npy.savez: expected a tensor as x, got a number"
-- @usage npy.savez(path, { x = tensor, ... } [, { compress = true }])
-- @example
-- local npy = require 'npy'
-- npy.savez('all.npz', { x = torch.ones(2), y = torch.zeros(3) })
-- npy.load('all.npz').y --> { 0, 0, 0 }
function M.savez(path, tensors, options)
   if type(tensors) ~= 'table' then
      errors.raise(('npy.savez: expected a table of tensors, got %s: npy.savez(path, { x = x })')
         :format(tensors == nil and 'nil' or 'a ' .. class.type(tensors)))
   elseif options ~= nil and type(options) ~= 'table' then
      errors.raise(('npy.savez: expected a table of options, got a %s'):format(
         class.type(options)))
   end
   for key in pairs(options or {}) do
      if key ~= 'compress' then
         errors.raise(('npy.savez: unknown option %s; there is compress'):format(tostring(key)))
      end
   end
   local names = sortedNames(tensors)
   for _, pair in ipairs(names) do -- before anything is written
      pair.head, pair.tensor, pair.bytes = array.prepare('npy.savez', pair[2], ' as ' .. pair[1])
   end
   output.write('npy.savez', path, function(stream)
      local members = {}
      for i, pair in ipairs(names) do
         local member = zip.begin(stream, pair[1] .. '.npy', options and options.compress)
         local write = writer(stream, member)
         write(pair.head, #pair.head)
         if pair.bytes > 0 then
            write(array.data(pair.tensor), pair.bytes)
         end
         write()
         zip.finish(stream, member)
         members[i] = member
      end
      zip.close(stream, members)
   end)
end

--- Write tensors to an .npz file, packed: `savez` with `compress`, under NumPy's name.
-- @usage npy.savez_compressed(path, { x = tensor, ... })
function M.savez_compressed(path, tensors)
   M.savez(path, tensors, { compress = true })
end

--- `load` and `save` by the names of npy4th, a package of Torch7's.
-- @function loadnpy
-- @function loadnpz
-- @function savenpy
M.loadnpy, M.loadnpz, M.savenpy = M.load, M.load, M.save

return M
