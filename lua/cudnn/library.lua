--- What scripts for Torch7's cuDNN binding use of the library itself, as far as it has a meaning
-- here: the binding's handles and descriptors have none.
-- @module cudnn.library

local ffi = require 'ffi'
local torch = require 'torch'

local M = {}

local handle = ffi.new 'void *'

function M.install(cudnn)
   --- What stands for the library's handle in calls of cudnn.functional: a null pointer.
   function cudnn.getHandle()
      return handle
   end

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
   cudnn.typemap = {
      ['torch.CudaHalfTensor'] = 'CUDNN_DATA_HALF',
      ['torch.CudaTensor'] = 'CUDNN_DATA_FLOAT',
      ['torch.CudaDoubleTensor'] = 'CUDNN_DATA_DOUBLE',
   }

   cudnn.find = require 'cudnn.find'
end

return M
