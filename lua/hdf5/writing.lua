--- Tensors as data sets.
-- @module hdf5.writing
local ffi = require 'ffi'
local torch = require 'torch'
local hdf5 = require 'hdf5.module'
local h5 = require 'hdf5.ffi'
local kinds = require 'hdf5.types'

local C, fail, check = h5.C, h5.fail, h5.check

local UNLIMITED = ffi.cast('hsize_t', -1)
local CHUNKED = 2 -- H5D_layout_t

local M = {}

local function onHost(tensor)
   return tensor:type(kinds.host(tensor)):contiguous()
end

local function sizesOf(tensor)
   local rank = math.max(tensor:dim(), 1)
   local sizes = ffi.new('hsize_t[?]', rank)
   for d = 1, tensor:dim() do
      sizes[d - 1] = tensor:size(d)
   end
   return sizes, rank
end

--- Write all elements of an open data set of the tensor's sizes.
-- @param id hid_t
function M.fill(id, tensor)
   if tensor:nElement() == 0 then
      return
   end
   tensor = onHost(tensor)
   check(C.H5Dwrite(id, kinds.native(tensor:type()), 0, 0, 0, tensor:data()),
      'cannot write the elements')
end

--- The options for a data set that is made of a tensor.
-- @string operation for messages of errors
-- @param[opt] options hdf5.DataSetOptions
function M.adjusted(operation, tensor, options)
   if options ~= nil and not torch.isTypeOf(options, 'hdf5.DataSetOptions') then
      fail('%s: the options are a %s; expected hdf5.DataSetOptions()', operation,
         torch.type(options))
   elseif operation == 'append' and not (options and options._chunking) then
      options = hdf5.DataSetOptions():setChunked()
   end
   return (options or hdf5.DataSetOptions()):adjustForData(tensor)
end

--- Make a data set of a tensor.
-- @param place hid_t of the group
-- @param[opt] options hdf5.DataSetOptions
function M.create(place, name, tensor, options)
   options = M.adjusted('write', tensor, options)
   tensor = onHost(tensor)
   local properties = options:creationProperties()
   local sizes, rank = sizesOf(tensor)
   local most
   if options:isChunked() then -- more can be appended
      most = ffi.new('hsize_t[?]', rank)
      ffi.copy(most, sizes, ffi.sizeof(most))
      most[0] = UNLIMITED
   end
   local space = check(C.H5Screate_simple(rank, sizes, most), "cannot write '%s'", name)
   local id = C.H5Dcreate2(place, name, kinds.output(tensor:type()), space, 0, properties, 0)
   local problem = h5.problem(id)
   C.H5Sclose(space)
   options:close()
   if problem then
      fail("cannot write '%s': %s", name, problem)
   end
   local ok, message = pcall(M.fill, id, tensor)
   C.H5Oclose(id)
   if not ok then
      error(message, 0)
   end
end

-- Sizes of an open data set.
local function sizesOfSet(id)
   local space = C.H5Dget_space(id)
   local rank = math.max(C.H5Sget_simple_extent_ndims(space), 0)
   local sizes = ffi.new('hsize_t[?]', math.max(rank, 1))
   C.H5Sget_simple_extent_dims(space, sizes, nil)
   C.H5Sclose(space)
   return sizes, rank
end

local function isChunked(id)
   local list = C.H5Dget_create_plist(id)
   local chunked = C.H5Pget_layout(list) == CHUNKED
   C.H5Pclose(list)
   return chunked
end

--- Whether a data set is what an empty tensor is written as. That has no dimensions from which the
-- data set could know what will be appended, and so it makes way for the first elements.
-- @param id hid_t of the data set
function M.isVacant(id)
   local sizes, rank = sizesOfSet(id)
   return rank == 1 and sizes[0] == 0 and not isChunked(id) and C.H5Aget_num_attrs(id) == 0
end

local function checkType(id, name, tensor)
   local type_ = C.H5Dget_type(id)
   local wanted, is = kinds.torch(type_), kinds.host(tensor)
   local fits, has = kinds.holds(type_, tensor)
   C.H5Tclose(type_)
   if wanted and wanted ~= is then
      fail("append: '%s' has the elements of a %s, and the tensor is a %s: convert it first, by "
         .. "tensor:type('%s')", name, wanted, tensor:type(), wanted)
   elseif not fits then
      fail("append: '%s' has %s, which do not hold all elements of the %s: write it under another "
         .. 'name', name, has, tensor:type())
   end
end

--- Raise an error if a tensor cannot be put behind the elements of a data set.
-- @param id hid_t of the data set
function M.checkExtend(id, name, tensor)
   local before, rank = sizesOfSet(id)
   checkType(id, name, tensor)
   if M.isVacant(id) then
      return
   elseif not isChunked(id) then
      fail("append: '%s' is not stored in chunks and cannot grow; write it with "
         .. 'hdf5.DataSetOptions():setChunked()', name)
   end
   local added = sizesOf(tensor)
   local fits = tensor:dim() == rank
   for d = 1, fits and rank - 1 or 0 do
      fits = fits and added[d] == before[d]
   end
   if not fits then
      local list_ = {}
      for d = 0, rank - 1 do
         list_[d + 1] = tostring(tonumber(before[d]))
      end
      fail("append: '%s' is %s, and the tensor %s: they may differ in the first dimension only",
         name, table.concat(list_, 'x'), table.concat(tensor:size():totable(), 'x'))
   end
end

--- Put a tensor behind the elements of a data set, along the first dimension.
-- @param id hid_t of the data set
function M.extend(id, name, tensor)
   M.checkExtend(id, name, tensor)
   tensor = onHost(tensor)
   local before, rank = sizesOfSet(id)
   local added = sizesOf(tensor)
   local start, after = ffi.new('hsize_t[?]', rank), ffi.new('hsize_t[?]', rank)
   ffi.copy(after, before, ffi.sizeof(after))
   start[0], after[0] = before[0], before[0] + added[0]
   check(C.H5Dset_extent(id, after), "append: '%s' cannot grow", name)
   local file, memory = C.H5Dget_space(id), C.H5Screate_simple(rank, added, nil)
   C.H5Sselect_hyperslab(file, 0, start, nil, added, nil)
   local status = C.H5Dwrite(id, kinds.native(tensor:type()), memory, file, 0, tensor:data())
   local problem = h5.problem(status)
   C.H5Sclose(file)
   C.H5Sclose(memory)
   if problem then
      fail("cannot append to '%s': %s", name, problem)
   end
end

return M
