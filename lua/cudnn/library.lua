--- What scripts for Torch7's cuDNN binding use of the library itself, as far as it has a meaning
-- here: the binding's handles and descriptors have none.
-- @module cudnn.library

local ffi = require 'ffi'
local near = require 'torch.near'
local raise = require('torch.errors').raise
local torch = require 'torch'

local M = {}

local handle = ffi.new 'void *'
local MOST_DEVICES = 64

-- The library's names of the element types, and of what is computed in: sums of halves are floats.
local TYPES = {
   ['torch.CudaHalfTensor'] = 'CUDNN_DATA_HALF',
   ['torch.CudaTensor'] = 'CUDNN_DATA_FLOAT',
   ['torch.CudaDoubleTensor'] = 'CUDNN_DATA_DOUBLE',
}
local COMPUTED = {
   ['torch.CudaHalfTensor'] = 'CUDNN_DATA_FLOAT',
   ['torch.CudaTensor'] = 'CUDNN_DATA_FLOAT',
   ['torch.CudaDoubleTensor'] = 'CUDNN_DATA_DOUBLE',
}
local NAMES = { CUDNN_DATA_HALF = true, CUDNN_DATA_FLOAT = true, CUDNN_DATA_DOUBLE = true }

local function checkKnown(name, list)
   if not list[name] then
      raise(('cudnn.configureMath: there is no type %s%s'):format(tostring(name),
         near.hint(tostring(name), list)))
   end
end

function M.install(cudnn)
   --- What stands for the library's handle in calls of cudnn.functional: a null pointer.
   function cudnn.getHandle()
      return handle
   end

   --- The same for each device, from 0: older scripts give `cudnn.handle[cutorch.getDevice() - 1]`
   -- to cudnn.functional.
   -- @table cudnn.handle
   cudnn.handle = ffi.new('void *[?]', MOST_DEVICES)

   --- Bytes of an element of a tensor.
   function cudnn.sizeof(t)
      return t:elementSize()
   end

   --- A number as the library reads it beside tensors of a type: one double, or one float.
   -- @param t tensor, or a type's name
   -- @number val
   -- @return FFI array of one number
   function cudnn.scalar(t, val)
      local typename = torch.isTensor(t) and t:type() or t
      return ffi.new(typename:match 'Double' and 'double[1]' or 'float[1]', val)
   end

   --- A string as C has it.
   -- @return FFI array of chars
   function cudnn.externalizeString(luaStr)
      return ffi.new('char[?]', #luaStr + 1, luaStr)
   end

   --- The library's names of the element types.
   -- @table cudnn.typemap
   cudnn.typemap = TYPES

   --- The type that layers compute in: floats for half tensors, otherwise the tensors' own.
   -- @string tensortype a tensor's type
   -- @return the library's name of it; nil for a type that it does not have
   -- @usage cudnn.configmap 'torch.CudaHalfTensor' --> 'CUDNN_DATA_FLOAT'
   function cudnn.configmap(tensortype)
      return COMPUTED[tensortype]
   end

   --- Torch7's choice of what is computed in, by type of tensor. Nothing is chosen here: half
   -- tensors have sums in floats, as nearly every script asks for, and what asks for less is given
   -- more digits than it wants.
   -- @tparam[opt] table overrides
   -- @raise "cudnn.configureMath: there is no type CUDNN_DATA_FLAOT; near: CUDNN_DATA_FLOAT"
   -- @usage cudnn.configureMath { ['torch.CudaHalfTensor'] = 'CUDNN_DATA_FLOAT' }
   function cudnn.configureMath(overrides)
      for tensortype, name in pairs(overrides or {}) do
         checkKnown(tensortype, TYPES)
         checkKnown(name, NAMES)
      end
   end

   cudnn.find = require 'cudnn.find'
end

return M
