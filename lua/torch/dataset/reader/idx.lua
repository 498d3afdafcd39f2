--- The IDX files of the MNIST family.
--
-- The format: two zero bytes, a byte for the type of the elements, the number of dimensions, each
-- size as four bytes, highest first; then the elements, highest byte first, the last index fastest.
-- Source: LeCun, Cortes and Burges, "The MNIST database", section "File formats".
-- @module torch.dataset.reader.idx
local ffi = require 'ffi'
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local bytes = require 'torch.dataset.reader.bytes'

local M = {}

-- code -> storage, bytes of an element
local TYPES = {
   [0x08] = { 'Byte', 1 }, [0x09] = { 'Char', 1 }, [0x0B] = { 'Short', 2 }, [0x0C] = { 'Int', 4 },
   [0x0D] = { 'Float', 4 }, [0x0E] = { 'Double', 8 },
}
local MOST_DIMS = 16

-- Elements in this machine's order of bytes.
local function swapped(data, size)
   local p = data:data()
   for at = 0, data:size() - 1, size do
      for k = 0, size / 2 - 1 do
         p[at + k], p[at + size - 1 - k] = p[at + size - 1 - k], p[at + k]
      end
   end
end

local function header(file)
   local magic = file:read(4, 'header')
   local row = TYPES[magic[3]]
   if magic[1] ~= 0 or magic[2] ~= 0 or not row or magic[4] < 1 or magic[4] > MOST_DIMS then
      file:fail('not an IDX file: it begins with %d %d %d %d, not with 0 0, a type (8, 9 or 11 to '
         .. '14) and the number of dimensions', magic[1], magic[2], magic[3], magic[4])
   end
   local sizes, elements = {}, 1
   for d = 1, magic[4] do
      local b = file:read(4, 'header')
      sizes[d] = ((b[1] * 256 + b[2]) * 256 + b[3]) * 256 + b[4]
      elements = elements * sizes[d]
   end
   return row, sizes, elements
end

--- Read an IDX file, gzipped (`.gz`) or not.
-- @string path
-- @number[opt] dims the number of dimensions that it must have
-- @return a tensor of the file's type and sizes
-- @raise "dataset.readIdx: x-ubyte: the file is truncated or damaged: its data has ..."
-- @usage dataset.readIdx(path [, dims]) -> tensor
function M.readIdx(path, dims)
   local file = bytes.open('dataset.readIdx', path)
   local row, sizes, elements = header(file)
   if dims and #sizes ~= dims then
      file:fail('it has %d dimensions (%s), wanted %d', #sizes, table.concat(sizes, 'x'), dims)
   elseif elements == 0 then
      file:close()
      return torch[row[1] .. 'Tensor']()
   end
   local data = file:read(elements * row[2], 'data')
   file:finish 'data'
   local shape = torch.LongStorage(sizes)
   if row[2] == 1 and row[1] == 'Byte' then
      return torch.ByteTensor(data, 1, shape)
   end
   if row[2] > 1 then
      swapped(data, row[2])
   end
   local result = torch[row[1] .. 'Tensor'](shape)
   ffi.copy(result:data(), data:data(), elements * row[2])
   return result
end

local PARTS = { train = 'train', test = 't10k' }

local SOURCES = "Debian's package dataset-fashion-mnist puts Fashion-MNIST into "
   .. "/usr/share/datasets/fashion-mnist, and folder may be any that has the four files of MNIST's"

local function locate(folder, part, what)
   local plain = ('%s/%s-%s-ubyte'):format(folder, part, what)
   return bytes.find('dataset.Mnist', { plain .. '.gz', plain }, SOURCES)
end

--- The MNIST of a folder, or what has its form (Fashion-MNIST, KMNIST): the files
-- `train-images-idx3-ubyte`, `train-labels-idx1-ubyte`, `t10k-images-...`, packed by gzip or not.
-- Classes count from 1: the file's label 0 is class 1.
-- @tparam table options folder; part: 'train' (default) or 'test'; count: only the first so many
-- @return dataset.Tensors with input, a ByteTensor N x 1 x H x W, and target, a LongTensor N
-- @raise "dataset.Mnist: folder: 10000 images, but 60000 labels"
-- @usage dataset.Mnist{folder = '/usr/share/datasets/fashion-mnist', part = 'train'}
function M.Mnist(given)
   local read = options.read('dataset.Mnist', given, {
      folder = { 'text', required = true }, part = { 'text', 'train' }, count = { 'count' },
   })
   local part = PARTS[read.part]
   if not part then
      errors.raise(("dataset.Mnist: the part is 'train' or 'test', got '%s'"):format(read.part))
   end
   local images = M.readIdx(locate(read.folder, part, 'images-idx3'), 3)
   local labels = M.readIdx(locate(read.folder, part, 'labels-idx1'), 1)
   if images:size(1) ~= labels:size(1) then
      errors.raise(('dataset.Mnist: %s: %d images, but %d labels'):format(read.folder,
         images:size(1), labels:size(1)))
   end
   local count = math.min(read.count or math.huge, images:size(1))
   images, labels = images:narrow(1, 1, count), labels:narrow(1, 1, count)
   return require('torch.dataset.module').Tensors {
      input = images:view(count, 1, images:size(2), images:size(3)), target = labels:long():add(1),
   }
end

return M
