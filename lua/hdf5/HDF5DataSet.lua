--- A data set of an open file: numbers of one type in some dimensions.
--
--     local set = file:read '/x'
--     local all, part = set:all(), set:partial({ 1, 10 }, { 3, 3 })
-- @classmod hdf5.HDF5DataSet
local torch = require 'torch'
local ffi = require 'ffi'
local tooLarge = require('torch.io.elements').tooLarge
local types = require 'torch.types'
local hdf5 = require 'hdf5.module'
local h5 = require 'hdf5.ffi'
local kinds = require 'hdf5.types'
local objects = require 'hdf5.objects'

local C, fail, check = h5.C, h5.fail, h5.check

local SCALAR, SIMPLE, NULL = 0, 1, 2 -- H5S_class_t
local MAX_DIMS = require('torch.ffi').C.TH_MAX_DIMS
local MOST_RANK = 32 -- of the format
-- Bytes that a data set may have beyond what its stored bytes can unpack to (1,032 each): parts
-- that were never written are read as zeros, and a file of a kilobyte could ask for all memory.
local MOST_PACKED, UNWRITTEN = 1032, 2 ^ 28

local DataSet = torch.class('hdf5.HDF5DataSet', hdf5)

function DataSet:__init(parent, id)
   self._parent = parent
   self._box = objects.hold(id)
   self:_refresh_dataspace()
end

-- The library's id while the data set is open.
local function idOf(self)
   return objects.id(self._box, 'the data set ' .. (self._name or ''))
end

--- Look anew at how large the data set is, as after something was appended.
-- @return table of sizes
function DataSet:_refresh_dataspace()
   local id = idOf(self)
   self._name = objects.name(id)
   local space = check(C.H5Dget_space(id), 'cannot look at %s', self._name)
   local kind, rank = C.H5Sget_simple_extent_type(space), C.H5Sget_simple_extent_ndims(space)
   local sizes = ffi.new('hsize_t[?]', MOST_RANK)
   if kind == SIMPLE and rank <= MOST_RANK then
      C.H5Sget_simple_extent_dims(space, sizes, nil)
   end
   C.H5Sclose(space)
   self._sizes, self._isNull = {}, kind == NULL
   for d = 1, kind == SIMPLE and rank or 0 do
      self._sizes[d] = tonumber(sizes[d - 1])
   end
   self._scalar = kind == SCALAR or kind == SIMPLE and rank == 0
   return self._sizes
end

-- Name of the tensor type, that in memory to read as, and whether numbers may be too large for it.
local function typeOf(self)
   local type_ = check(C.H5Dget_type(idOf(self)), 'cannot look at %s', self._name)
   local name, problem = kinds.torch(type_)
   local unsigned = name and kinds.isUnsigned64(type_)
   C.H5Tclose(type_)
   if not name then
      fail('the elements of %s are %s, of which there are no tensors', self._name, problem)
   end
   return name, unsigned
end

--- The constructor of the tensors that `all` and `partial` give.
-- @usage local tensor = set:getTensorFactory()(3, 4)
function DataSet:getTensorFactory()
   return torch[typeOf(self):match '[^.]+$']
end

--- The sizes of the data set, without reading it.
-- @return table of numbers
function DataSet:dataspaceSize()
   return { unpack(self._sizes) }
end

-- Raises an error when so many elements are more than the file can mean.
function DataSet:__checkMemory(elements, size)
   local bytes = elements * size
   local stored = tonumber(C.H5Dget_storage_size(idOf(self)))
   if bytes > UNWRITTEN + stored * MOST_PACKED then
      fail('%s has %.0f bytes, of which %.0f are stored in the file: too many for one tensor. Read '
         .. 'parts of it by partial', self._name, bytes, stored)
   end
end

-- Read what `space` (a hid_t, or 0 for all) selects.
local function read(self, sizes, space)
   local name, unsigned = typeOf(self)
   local factory = torch[name:match '[^.]+$']
   if #sizes > MAX_DIMS then
      fail('%s has %d dimensions; tensors have %d at most', self._name, #sizes, MAX_DIMS)
   end
   local elements = 1
   for _, n in ipairs(sizes) do
      elements = elements * n
   end
   if elements == 0 or self._isNull then
      return factory()
   end
   local dtype = types.numbers[name]
   self:__checkMemory(elements, types.sizes[dtype])
   local tensor = factory():resize(torch.LongStorage(#sizes > 0 and sizes or { 1 }))
   local memory = C.H5Screate_simple(1, ffi.new('hsize_t[1]', elements), nil)
   local status = C.H5Dread(idOf(self), unsigned and C.H5T_NATIVE_UINT64_g or kinds.native(name),
      space == 0 and 0 or memory, space, 0, tensor:data())
   local problem = h5.problem(status)
   C.H5Sclose(memory)
   if problem then
      fail('cannot read %s: %s', self._name, problem)
   end
   problem = unsigned and tooLarge(tensor:data(), elements)
   if problem then
      fail('%s cannot be read: %s', self._name, problem)
   end
   return tensor
end

--- All elements.
-- @return a tensor; a single number comes as a tensor of one element
function DataSet:all()
   return read(self, self._sizes, 0)
end

-- First and last of a range in a dimension.
local function range(self, d, given)
   local size = self._sizes[d]
   local first, last = given, given
   if type(given) == 'table' then
      first, last = given[1], given[2]
      if #given ~= 2 then
         fail('partial: the range of dimension %d has %d numbers; expected { first, last }', d,
            #given)
      end
   end
   for _, x in ipairs { first or 'nothing', last or 'nothing' } do
      if type(x) ~= 'number' or x ~= math.floor(x) then
         fail('partial: dimension %d has the range %s; expected { first, last } or a place', d,
            tostring(x))
      elseif x < 1 or x > size then
         fail('partial: %d is no place in dimension %d of %s, which has %d', x, d, self._name, size)
      end
   end
   if last < first then
      fail('partial: the range of dimension %d ends at %d, before it begins at %d', d, last, first)
   end
   return first, last
end

--- A part of the elements, without reading the others; of a data set in chunks, the chunks that the
-- part has a share in.
-- @param ... a range { first, last } or a place for each dimension, from 1 on. Dimensions stay.
-- @return a tensor
-- @raise "hdf5: partial: 1 range is given, and /x has 2 dimensions"
function DataSet:partial(...)
   local ranges, n, rank = { ... }, select('#', ...), #self._sizes
   if n == 1 and rank ~= 1 and type(ranges[1]) == 'table' and type(ranges[1][1]) == 'table' then
      ranges, n = ranges[1], #ranges[1] -- as one table
   end
   if n ~= rank or rank == 0 then
      fail('partial: %d range%s given, and %s has %d dimensions', n, n == 1 and ' is' or 's are',
         self._name, rank)
   end
   local start, count = ffi.new('hsize_t[?]', rank), ffi.new('hsize_t[?]', rank)
   local sizes = {}
   for d = 1, rank do
      local first, last = range(self, d, ranges[d])
      start[d - 1], count[d - 1] = first - 1, last - first + 1
      sizes[d] = last - first + 1
   end
   local space = check(C.H5Dget_space(idOf(self)), 'cannot look at %s', self._name)
   check(C.H5Sselect_hyperslab(space, 0, start, nil, count, nil), 'cannot select a part of %s',
      self._name)
   local ok, result = pcall(read, self, sizes, space)
   C.H5Sclose(space)
   if not ok then
      error(result, 0)
   end
   return result
end

-- Read some rows into memory that is large enough.
function DataSet:__readInto(memory, type_, first, rows)
   local rank, id = #self._sizes, idOf(self)
   local start, count = ffi.new('hsize_t[?]', rank), ffi.new('hsize_t[?]', rank, self._sizes)
   start[0], count[0] = first - 1, rows
   local space = check(C.H5Dget_space(id), 'cannot look at %s', self._name)
   check(C.H5Sselect_hyperslab(space, 0, start, nil, count, nil), 'cannot select a part of %s',
      self._name)
   local all = check(C.H5Screate_simple(rank, count, nil), 'cannot read %s', self._name)
   local problem = h5.problem(C.H5Dread(id, type_, all, space, 0, memory))
   C.H5Sclose(all)
   C.H5Sclose(space)
   if problem then
      fail('cannot read %s: %s', self._name, problem)
   end
end

--- Close the data set; the file closes it, too.
function DataSet:close()
   objects.release(self._box)
end

function DataSet:__tostring()
   local sizes = self._scalar and 'one number' or table.concat(self._sizes, 'x')
   return ('[hdf5.HDF5DataSet %s: %s]'):format(self._name, sizes)
end

DataSet.__tostring__ = DataSet.__tostring
DataSet.__write = false -- an open object of a file is nothing to store
