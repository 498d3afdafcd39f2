--- CUDA tensors and storages in .t7 files.
--
-- Tensors are written as on the CPU; a storage is written by way of a copy on the host, and read
-- into the current device.
-- @module cutorch.serialize
local Storage = require 'torch.Storage'
local serialize = require 'torch.serialize.tensor'

local M = {}

local function writeStorage(storage, file)
   local host = Storage.allocate(storage.store.dtype, #storage)
   host:copy(storage)
   serialize.writeStorage(host, file)
end

local function readStorage(storage, file)
   local host = Storage.allocate(storage.store.dtype, 0)
   serialize.readStorage(host, file)
   storage:resize(#host)
   storage:copy(host)
end

--- Give a class of CUDA tensors and its class of storages their read and write methods.
function M.install(tensorMethods, storageMethods)
   serialize.install(tensorMethods, storageMethods)
   storageMethods.read, storageMethods.write = readStorage, writeStorage
end

return M
