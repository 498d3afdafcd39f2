--- How a data set is to be stored: in chunks, and packed.
--
--     local options = hdf5.DataSetOptions():setChunked(64, 64):setDeflate(6)
--     file:write('/x', tensor, options)
-- @classmod hdf5.DataSetOptions
-- @usage hdf5.DataSetOptions()
local torch = require 'torch'
local ffi = require 'ffi'
local hdf5 = require 'hdf5.module'
local h5 = require 'hdf5.ffi'

local C, fail, check = h5.C, h5.fail, h5.check

local DEFLATE, LEVEL = 1, 6
local MOST_CHUNK = 2 ^ 32 - 1 -- bytes, of the format

local Options = torch.class('hdf5.DataSetOptions', hdf5)

function Options:__init()
   self._chunking, self._deflate = nil, nil
end

-- Whole numbers from 1 on.
local function isSize(x)
   return type(x) == 'number' and x >= 1 and x == math.floor(x) and x <= MOST_CHUNK
end

--- Store in chunks, of which each is read, written and packed as a whole. Such a data set can be
-- appended to.
-- @param ... the chunk's size in each dimension, as numbers; without any, chunks are made to
-- measure
-- @return self
-- @raise "hdf5: setChunked: size 2 of a chunk is a string; expected ..."
function Options:setChunked(...)
   local sizes = { ... }
   for i = 1, select('#', ...) do
      if not isSize(sizes[i]) then
         fail('setChunked: size %d of a chunk is %s; expected a whole number from 1 on', i,
            type(sizes[i]) == 'number' and tostring(sizes[i]) or 'a ' .. torch.type(sizes[i]))
      end
   end
   self._chunking = sizes
   return self
end

--- Pack by deflate, which needs chunks: without setChunked they are made to measure.
-- @int[opt=6] level from 0 (fast) to 9 (small)
-- @return self
function Options:setDeflate(level)
   level = level or LEVEL
   if type(level) ~= 'number' or level < 0 or level > 9 or level ~= math.floor(level) then
      fail('setDeflate: the level is a whole number from 0 to 9, got %s', tostring(level))
   elseif C.H5Zfilter_avail(DEFLATE) <= 0 then
      fail('setDeflate: this HDF5 library was built without deflate')
   end
   self._deflate = level
   self._chunking = self._chunking or {}
   return self
end

-- Chunks of about a mebibyte: the last dimensions as a whole, as far as that goes.
local function measured(tensor)
   local left, sizes = 2 ^ 20 / tensor:elementSize(), {}
   for d = tensor:dim(), 1, -1 do
      sizes[d] = math.max(1, math.min(tensor:size(d), math.floor(left)))
      left = left / sizes[d]
   end
   return sizes
end

--- The options with chunks that suit a tensor: no larger than it. Raises an error when the numbers
-- of dimensions differ.
-- @param tensor to be written
-- @return hdf5.DataSetOptions
function Options:adjustForData(tensor)
   local adjusted = hdf5.DataSetOptions()
   adjusted._deflate, adjusted._chunking = self._deflate, self._chunking
   if self._chunking and tensor:dim() > 0 then
      local sizes = #self._chunking > 0 and self._chunking or measured(tensor)
      if #sizes ~= tensor:dim() then
         fail('chunks have %d dimensions (%s), and the tensor has %d (%s); setChunked wants a size '
            .. 'for each', #sizes, table.concat(sizes, 'x'), tensor:dim(),
            table.concat(tensor:size():totable(), 'x'))
      end
      adjusted._chunking = {}
      for d, size in ipairs(sizes) do
         adjusted._chunking[d] = math.min(size, tensor:size(d))
      end
   elseif self._chunking then -- an empty tensor has nothing to store
      adjusted._chunking, adjusted._deflate = nil, nil
   end
   return adjusted
end

--- Whether data sets will be stored in chunks.
function Options:isChunked()
   return self._chunking ~= nil and #self._chunking > 0
end

--- The library's property list (a hid_t) for these options, made once; `close` closes it.
function Options:creationProperties()
   if self._properties then
      return self._properties
   end
   local list = check(C.H5Pcreate(C.H5P_CLS_DATASET_CREATE_ID_g), 'cannot make a property list')
   if self:isChunked() then
      local n = #self._chunking
      check(C.H5Pset_chunk(list, n, ffi.new('hsize_t[?]', n, self._chunking)),
         'cannot set chunks of %s', table.concat(self._chunking, 'x'))
      if self._deflate then
         check(C.H5Pset_deflate(list, self._deflate), 'cannot set deflate')
      end
   end
   self._properties = list
   return list
end

--- Give the library's list back.
function Options:close()
   if self._properties then
      C.H5Pclose(self._properties)
      self._properties = nil
   end
end

function Options:__tostring()
   return ('[hdf5.DataSetOptions: %s, %s]'):format(
      self._chunking and 'chunks of ' .. (#self._chunking > 0 and table.concat(self._chunking, 'x')
         or 'a measured size') or 'no chunks',
      self._deflate and 'deflate ' .. self._deflate or 'not packed')
end

Options.__tostring__ = Options.__tostring
