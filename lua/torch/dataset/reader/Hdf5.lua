local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local common = require 'torch.dataset.set.common'

--- Samples in an HDF5 file: a field for each data set, a sample for each row. Rows are read as they
-- are asked for; each worker opens the file itself.
-- @tparam table options path; fields: field -> name of a data set, {input = '/x', target = '/y'}
-- @raise "dataset.Hdf5: x.h5: input has 10 rows, target has 9"
-- @usage dataset.Hdf5{path = 'x.h5', fields = {input = '/x', target = '/y'}}
-- @type dataset.Hdf5
local Hdf5 = torch.class('dataset.Hdf5', require 'torch.dataset.module')

local NAME = 'dataset.Hdf5'

-- Files that this state has open: path -> field's data set by name.
local opened = {}

local function open(path)
   local known = opened[path]
   if not known then
      known = { file = require('hdf5').open(path, 'r'), sets = {} }
      opened[path] = known
   end
   return known
end

local function setOf(path, name)
   local known = open(path)
   if not known.sets[name] then
      known.sets[name] = known.file:read(name)
   end
   return known.sets[name]
end

function Hdf5:__init(given)
   local read = options.read(NAME, given, {
      path = { 'text', required = true }, fields = { 'list', required = true },
   })
   self.path, self.fields, self.shapes, self.types = read.path, read.fields, {}, {}
   opened[self.path] = nil -- it may be another file by now
   local first
   for field, name in pairs(read.fields) do
      local shape = setOf(self.path, name):dataspaceSize()
      self.shapes[field] = shape
      if self.count and shape[1] ~= self.count then
         errors.raise(('%s: %s: %s has %d rows, %s has %d'):format(NAME, self.path, first,
            self.count, tostring(field), shape[1] or 0))
      end
      first, self.count = first or tostring(field), shape[1]
      self.types[field] = torch.typename(setOf(self.path, name):getTensorFactory()())
   end
   if not self.count then
      errors.raise(('%s: %s: name at least one field'):format(NAME, self.path))
   end
end

--- Number of samples.
function Hdf5:size()
   return self.count
end

-- Rows first..last of a field.
local function rows(self, field, first, last)
   local ranges = { { first, last } }
   for d = 2, #self.shapes[field] do
      ranges[d] = { 1, self.shapes[field][d] }
   end
   return setOf(self.path, self.fields[field]):partial(unpack(ranges))
end

--- A sample.
function Hdf5:get(i)
   common.checkIndex(NAME, i, self.count)
   local sample = {}
   for field in pairs(self.fields) do
      local row = rows(self, field, i, i)
      sample[field] = row[1]
   end
   return sample
end

--- The samples of a LongTensor of indices as one batch; neighbours are read together.
function Hdf5:getBatch(indices)
   local n, batch = indices:size(1), {}
   for field in pairs(self.fields) do
      local result
      local j = 1
      while j <= n do
         local k = j
         while k < n and indices[k + 1] == indices[k] + 1 do
            k = k + 1
         end
         local part = rows(self, field, indices[j], indices[k])
         if not result then
            local sizes = part:size()
            sizes[1] = n
            result = part.new():resize(sizes)
         end
         result:narrow(1, j, k - j + 1):copy(part)
         j = k + 1
      end
      batch[field] = result
   end
   return batch
end

return Hdf5
