--- CIFAR's binary files.
--
-- A file is rows of a fixed length: of CIFAR-10 a byte for the class, of CIFAR-100 one for the
-- coarse and one for the fine class, then 3072 bytes: 32 x 32 pixels of red, of green, of blue, row
-- by row. Source: Krizhevsky, "The CIFAR-10 dataset", section "Binary version".
-- @module torch.dataset.reader.cifar
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local bytes = require 'torch.dataset.reader.bytes'

local M = {}

local SIDE, PIXELS = 32, 3 * 32 * 32

local FILES = {
   [10] = {
      train = { 'data_batch_1.bin', 'data_batch_2.bin', 'data_batch_3.bin', 'data_batch_4.bin',
         'data_batch_5.bin' },
      test = { 'test_batch.bin' },
   },
   [100] = { train = { 'train.bin' }, test = { 'test.bin' } },
}
local SOURCES = 'folder is what the archive of the binary version of CIFAR unpacks to: '
   .. 'cifar-10-batches-bin, cifar-100-binary (www.cs.toronto.edu/~kriz/cifar.html)'
local COARSE = 20

local function readFile(path, classes)
   local file = bytes.open('dataset.Cifar', path)
   local size, row = file.size, PIXELS + (classes == 100 and 2 or 1)
   if size == 0 or size % row ~= 0 then
      file:fail('it has %d bytes, which is no multiple of the %d of a row of CIFAR-%d: it is '
         .. 'truncated or of another format', size, row, classes)
   end
   local data = torch.ByteTensor(file:read(size, 'data'))
   file:close()
   return data:view(size / row, row)
end

-- Classes from 1; a row's class must be one.
local function classesOf(path, column, most)
   local labels = column:long():add(1)
   for i = 1, labels:size(1) do
      if labels[i] > most then
         errors.raise(('dataset.Cifar: %s: row %d has the class %d; classes are 0 to %d: the file '
            .. 'is damaged or of another format'):format(path, i, labels[i] - 1, most - 1))
      end
   end
   return labels
end

--- The CIFAR-10 or CIFAR-100 of a folder (binary version). Classes count from 1.
-- @tparam table options folder; classes: 10 (default) or 100; part: 'train' (default) or 'test';
-- files: a list of names instead of the usual ones
-- @return dataset.Tensors with input, a ByteTensor N x 3 x 32 x 32, target, a LongTensor N, and of
-- CIFAR-100 coarse, a LongTensor N
-- @raise "dataset.Cifar: test.bin: it has 3000 bytes, which is no multiple of the 3073 ..."
-- @usage dataset.Cifar{folder = 'cifar-10-batches-bin', part = 'train'}
function M.Cifar(given)
   local read = options.read('dataset.Cifar', given, {
      folder = { 'text', required = true }, classes = { 'count', 10 }, part = { 'text', 'train' },
      files = { 'list' },
   })
   local names = FILES[read.classes]
   if not names then
      errors.raise(('dataset.Cifar: classes are 10 or 100, got %d'):format(read.classes))
   end
   local list = read.files or names[read.part]
   if not list then
      errors.raise(("dataset.Cifar: the part is 'train' or 'test', got '%s'"):format(read.part))
   end
   local inputs, targets, coarse = {}, {}, {}
   for k, name in ipairs(list) do
      local path = read.folder .. '/' .. name
      local rows = readFile(bytes.find('dataset.Cifar', { path }, SOURCES), read.classes)
      local skip = read.classes == 100 and 2 or 1
      inputs[k] = rows:narrow(2, skip + 1, PIXELS)
      targets[k] = classesOf(path, rows:select(2, skip), read.classes)
      coarse[k] = skip == 2 and classesOf(path, rows:select(2, 1), COARSE) or nil
   end
   local input = #inputs > 1 and torch.cat(inputs, 1) or inputs[1]:contiguous()
   return require('torch.dataset.module').Tensors {
      input = input:view(input:size(1), 3, SIDE, SIDE), target = torch.cat(targets, 1),
      coarse = #coarse > 0 and torch.cat(coarse, 1) or nil,
   }
end

return M
