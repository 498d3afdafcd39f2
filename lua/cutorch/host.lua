--- Page-locked ("pinned") host memory, and copies that do not wait.
-- @module cutorch.host
local th = require 'torch.ffi'
local class = require 'torch.class'
local types = require 'torch.types'
local Tensors = require 'torch.Tensor'
local cuda = require 'cutorch.ffi'

local C, check, recover = cuda.C, th.check, th.recover

local M = {}

local function pinnedStorage(dtype, length)
   th.relieve()
   local s = th.Storage()
   if C.THC_PinnedStorage_new(s, dtype, length) ~= 0 then
      recover()
      check(C.THC_PinnedStorage_new(s, dtype, length))
   end
   return s
end

--- Torch7's way to a storage in page-locked memory, of any of the CPU's types.
-- @usage torch.FloatStorage(cutorch.CudaHostAllocator, n)
-- @raise "cutorch.CudaHostAllocator: page-locked memory is the host's; ..."
M.CudaHostAllocator = class.setmetatable({
   __allocate = function(dtype, deviceType, length)
      if deviceType ~= th.C.TH_CPU then
         th.raise('cutorch.CudaHostAllocator: page-locked memory is the host\'s; make a storage of '
            .. 'the CPU\'s types')
      end
      return pinnedStorage(dtype, length)
   end,
}, 'torch.Allocator')

local function constructor(name, dtype)
   return function(...)
      local sizes, n = Tensors.givenSizes(name, select('#', ...), ...)
      local r, s = Tensors.empty(dtype), pinnedStorage(dtype, 0)
      if th.C.TH_setStorage(r, s, 0, n, sizes, nil) ~= 0 then
         recover()
         check(th.C.TH_setStorage(r, s, 0, n, sizes, nil))
      end
      return r
   end
end

--- A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
-- createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
-- in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
-- @function cutorch.createCudaHostTensor
-- @function cutorch.createCudaHostFloatTensor
-- @function cutorch.createCudaHostDoubleTensor
-- @function cutorch.createCudaHostHalfTensor
-- @function cutorch.createCudaHostBFloat16Tensor
-- @function cutorch.createCudaHostByteTensor
-- @function cutorch.createCudaHostCharTensor
-- @function cutorch.createCudaHostShortTensor
-- @function cutorch.createCudaHostIntTensor
-- @function cutorch.createCudaHostLongTensor
-- @usage cutorch.createCudaHostTensor(d1 [, d2 ...])
-- cutorch.createCudaHostTensor(LongStorage sizes)
-- cutorch.createCudaHostTensor() -- empty
for dtype, name in pairs(types.names) do
   local full = 'createCudaHost' .. name .. 'Tensor'
   M[full] = constructor(full, dtype)
end
M.createCudaHostTensor = constructor('createCudaHostTensor', th.C.TH_FLOAT)

--- Whether a CPU tensor lies in page-locked memory.
function M.isPinned(t)
   if not th.isTensor(t) then
      th.badArguments('isPinned', 'T', 1, t)
   elseif t.store == nil or t.device_type ~= th.C.TH_CPU then
      return false
   end
   local ref = th.Storage()
   th.C.TH_StorageRef_set(ref, t.store)
   return C.THC_isPinned(ref)
end

--- t:copyAsync(src): as copy, but between a device and compact page-locked memory it returns at
-- once. Leave that memory alone until the device's current stream has passed.
function M.copyAsync(r, x)
   if not th.isTensor(x) then
      th.badArguments('copyAsync', '*T* Tensor', 2, r, x)
   end
   if C.THC_copyAsync(r, x) ~= 0 then
      recover()
      check(C.THC_copyAsync(r, x))
   end
   return r
end

return M
