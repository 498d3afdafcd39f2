--- hdf5: data sets of numbers by name, in files that h5py, MATLAB and many others read and write.
--
--     local hdf5 = require 'hdf5'
--     local file = hdf5.open('data.h5', 'w')
--     file:write('/train/x', torch.rand(100, 3))
--     file:close()
--     local x = hdf5.open('data.h5', 'r'):read('/train/x'):all()
--
-- All types of tensors can be written; half precision as h5py's float16, bfloat16 as a type of the
-- same kind. Read are integers and floating-point numbers of any byte order, and enumerations
-- (h5py's bool) as bytes; unsigned numbers become the next larger type. A file of torch-hdf5 is the
-- same.
--
-- The package calls the HDF5 library (Debian: libhdf5-103-1), which some damaged files bring down,
-- and the process with it: for files of unknown origin there is `hdf5.verify`.
-- @module hdf5
require 'torch'
require('torch.errors').library()

local h5 = require 'hdf5.ffi'
local M = require 'hdf5.module'

--- The HDF5 library's own functions and constants, as C has them; the constants are fields of hdf5
-- as well (hdf5.H5F_ACC_RDONLY).
M.C = h5.C
M.ffi, M.version = require 'ffi', h5.version
for name, value in pairs(h5.constants) do
   M[name] = value
end

require 'hdf5.DataSetOptions'
require 'hdf5.HDF5DataSet'
require 'hdf5.HDF5Group'
require 'hdf5.HDF5File'

local types = require 'hdf5.types'
local objects = require 'hdf5.objects'

--- Open a file.
-- @string filename
-- @string[opt='a'] mode of access:
-- 'r' to read, 'r+' to read and write, 'w' to write anew, 'w-' or 'x' to write a new one only, 'a'
-- to read and write, made if missing
-- @return hdf5.HDF5File
-- @usage hdf5.open(filename [, 'w'|'a'|'r'|'r+'|'w-'|'x'])
-- @example
-- local file = hdf5.open('x.h5', 'w')
-- file:write('/train/x', torch.range(1, 6):view(2, 3))
-- file:read('/train/x'):partial({ 1, 2 }, 3) --> { { 3 }, { 6 } }
-- file:close()
function M.open(filename, mode)
   return M.HDF5File.open(filename, mode)
end

M.verify = require('hdf5.verify').verify
M.debugMode, M._inDebugMode = h5.debugMode, h5.inDebugMode
M._outputTypeForTensorType, M._nativeTypeForTensorType = types.output, types.native
M._datatypeName, M._getTorchType = types.name, types.torch
M._getObjectName, M._getObjectType = objects.name, objects.kind
M._describeObject, M._loadObject = objects.describe, objects.load

--- Whether the library can check sums of chunks.
function M._fletcher32Available()
   return h5.C.H5Zfilter_avail(M.H5Z_FILTER_FLETCHER32) > 0
end

--- Whether the library can pack by deflate.
function M._deflateAvailable()
   return h5.C.H5Zfilter_avail(M.H5Z_FILTER_DEFLATE) > 0
end

rawset(_G, 'hdf5', M) -- scripts of Torch7 use the global

return M
