--- Batches cut into parts, which devices take, and put together again.
--
-- A batch is a tensor, or a table (nested at will) of tensors with the same number of samples.
-- @module cunn.batch
local torch = require 'torch'
local nested = require 'nn.nested'
local th = require 'torch.ffi'
local types = require 'torch.types'
local cutorch = require 'cutorch'

local CUDA = th.C.TH_CUDA

local M = {}

local function fail(message, ...)
   th.raise('nn.DataParallelTable: ' .. message:format(...))
end

--- Number of samples.
-- @param batch tensor or nested table
-- @param dimension number: the one that counts samples
-- @param name string, for the error
function M.size(batch, dimension, name)
   local count
   nested.each(function(x)
      if not torch.isTensor(x) then
         fail('%s must be a tensor or a table of tensors, got %s', name, torch.type(x))
      elseif x:dim() < dimension then
         fail('%s has %d dimensions; dimension %d, along which it is to be split, is missing', name,
            x:dim(), dimension)
      elseif count and count ~= x:size(dimension) then
         fail('the tensors of %s have %d and %d samples (dimension %d); the numbers must agree',
            name, count, x:size(dimension), dimension)
      end
      count = x:size(dimension)
   end, batch)
   return count or fail('%s must be a tensor or a table of tensors, got an empty table', name)
end

--- First sample and number of samples of each part: as even as possible, none empty.
-- @param count samples
-- @param parts their number
function M.ranges(count, parts)
   parts = math.min(count, parts)
   local ranges, first = {}, 1
   for i = 1, parts do
      local last = math.floor(count * i / parts)
      ranges[i] = { first, last - first + 1 }
      first = last + 1
   end
   return ranges
end

local function cudaType(x)
   local name = types.names[x.dtype]
   return 'torch.Cuda' .. (name == 'Float' and '' or name) .. 'Tensor'
end

local function cut(_, x, dimension, range, own)
   local view = x:narrow(dimension, range[1], range[2])
   if not own and x.device_type == CUDA and x:getDevice() == cutorch.getDevice() then
      return view
   end
   -- A view handed out before must not be written into: it is the user's memory.
   local typename = x.device_type == CUDA and torch.typename(x) or cudaType(x)
   return torch.getmetatable(typename).new():resize(view:size()):copy(view)
end

--- One part of a batch, on the current device.
-- @param buffer what this returned for that device before, or nil
-- @param range { first, count }
-- @param[opt=false] own whether to copy in any case
-- @return tensor or nested table; a view where the batch is on this device already
function M.part(buffer, batch, dimension, range, own)
   return nested.into(cut, buffer, batch, dimension, range, own)
end

-- Sizes of the joined tensor.
local function joinedSize(parts, dimension, name)
   local size, total = parts[1]:size(), 0
   if #size < dimension then
      fail('%s of a replica has %d dimensions; dimension %d, which counts samples, is missing',
         name, #size, dimension)
   end
   for _, part in ipairs(parts) do
      total = total + part:size(dimension)
   end
   size[dimension] = total
   return size
end

local function join(r, parts, dimension, name)
   local typename, id = torch.typename(parts[1]), cutorch.getDevice()
   if torch.typename(r) ~= typename or r:getDevice() ~= id then
      r = torch.getmetatable(typename).new()
   end
   r:resize(joinedSize(parts, dimension, name))
   local at = 1
   for _, part in ipairs(parts) do
      local n = part:size(dimension)
      r:narrow(dimension, at, n):copy(part)
      at = at + n
   end
   return r
end

--- Join parts, in their order, on the current device.
-- @param r tensor or nested table to write into, made anew where it does not fit
-- @param parts list of tensors or nested tables
-- @return r
function M.join(r, parts, dimension, name)
   return nested.zip(join, r, parts, dimension, name)
end

return M
