--- The classes torch.CudaTensor, torch.CudaDoubleTensor, ... and their storages; conversions.
--
-- The methods are those of every tensor class; the operations find the CUDA backend by the tensor.
-- @module cutorch.tensors
local th = require 'torch.ffi'
local types = require 'torch.types'
local Tensors = require 'torch.Tensor'
local Storages = require 'torch.Storage'
local printing = require 'torch.tensor.print'
local convert = require 'torch.functions.convert'
local pick = require 'torch.functions.pick'
local host = require 'cutorch.host'
local serialize = require 'cutorch.serialize'

local M = {}

local CUDA = th.C.TH_CUDA

local function cudaName(dtype)
   return dtype == th.C.TH_FLOAT and 'Cuda' or 'Cuda' .. types.names[dtype]
end

-- What differs from the CPU's classes.
local T, S = {}, {}

--- Device of the tensor, counted from 1.
function T.getDevice(t)
   return t.device + 1
end
function S.getDevice(s)
   return s.store.device + 1
end

--- The elements as nested tables; one transfer for all of them.
function T.totable(t)
   return convert.methods.type(t, 'torch.' .. types.names[t.dtype] .. 'Tensor'):totable()
end
function S.totable(s)
   return s:type('torch.' .. types.names[s.store.dtype] .. 'Storage'):totable()
end

--- The storage in that type, on the current device: itself when it already is, a copy otherwise.
-- @function torch.FloatStorage:cuda
-- @function torch.FloatStorage:cudaByte
-- @function torch.FloatStorage:cudaChar
-- @function torch.FloatStorage:cudaShort
-- @function torch.FloatStorage:cudaInt
-- @function torch.FloatStorage:cudaLong
-- @function torch.FloatStorage:cudaHalf
-- @function torch.FloatStorage:cudaBFloat16
-- @function torch.FloatStorage:cudaDouble
-- @example torch.FloatStorage { 1, 2 }:cudaDouble() --> { 1, 2 }

-- t:cuda(), t:cudaDouble(), ... of tensors and storages wherever they are.
local function addConversions(methods, kind)
   for dtype in pairs(types.names) do
      local name = cudaName(dtype)
      local target = 'torch.' .. name .. kind
      methods[name:gsub('^C', 'c')] = function(t)
         return t:type(target)
      end
   end
end

--- Register everything.
-- @param torch the table, which gets the functions that cutorch adds
function M.install(torch)
   for _, name in ipairs { 'maskedFill', 'maskedCopy', 'maskedSelect' } do
      torch[name] = pick.methods[name]
   end
   for dtype in pairs(types.names) do
      local name = cudaName(dtype)
      local tensors = Tensors.register(dtype, CUDA, name)
      local storages = Storages.register(dtype, CUDA, name)
      Tensors.equip(tensors)
      for key, method in pairs(T) do
         tensors[key] = method
      end
      for key, method in pairs(S) do
         storages[key] = method
      end
      storages.__tostring__ = printing.storageText
      serialize.install(tensors, storages)
   end
   for number = 0, 31 do
      if next(types.tensors[number]) then
         addConversions(types.tensors[number], 'Tensor')
         addConversions(types.storages[number], 'Storage')
         types.tensors[number].copyAsync = host.copyAsync
      end
   end
end

return M
