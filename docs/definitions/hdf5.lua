---@meta hdf5
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class hdf5
hdf5 = {}
hdf5.ffi = {}

---The HDF5 library's own functions and constants, as C has them; the constants are fields of hdf5
---as well (hdf5.H5F_ACC_RDONLY).
hdf5.C = {}

---The library's version: { 1, 10, 8 }.
hdf5.version = {}

---How a data set is to be stored: in chunks, and packed.
---
---    local options = hdf5.DataSetOptions():setChunked(64, 64):setDeflate(6)
---    file:write('/x', tensor, options)
---@class hdf5.DataSetOptions
---@overload fun(...: any): hdf5.DataSetOptions
hdf5.DataSetOptions = {}

---A data set of an open file: numbers of one type in some dimensions.
---
---    local set = file:read '/x'
---    local all, part = set:all(), set:partial({ 1, 10 }, { 3, 3 })
---@class hdf5.HDF5DataSet
---@overload fun(...: any): hdf5.HDF5DataSet
hdf5.HDF5DataSet = {}

---An open HDF5 file.
---
---    local file = hdf5.open('data.h5', 'w')
---    file:write('/inputs', torch.rand(10, 3))
---    file:close()
---@class hdf5.HDF5File
---@overload fun(...: any): hdf5.HDF5File
hdf5.HDF5File = {}

---A group of an open file: data sets and groups by name.
---@class hdf5.HDF5Group
---@overload fun(...: any): hdf5.HDF5Group
hdf5.HDF5Group = {}

---The options with chunks that suit a tensor: no larger than it. Raises an error when the numbers
---of dimensions differ.
---@param tensor any to be written
---@return any
function hdf5.DataSetOptions:adjustForData(tensor) end

---Give the library's list back.
function hdf5.DataSetOptions:close() end

---The library's property list (a hid_t) for these options, made once; `close` closes it.
function hdf5.DataSetOptions:creationProperties() end

---Whether data sets will be stored in chunks.
function hdf5.DataSetOptions:isChunked() end

---Store in chunks, of which each is read, written and packed as a whole. Such a data set can be
---appended to.
---@param ... any the chunk's size in each dimension, as numbers; without any, chunks are made to measure
---@return self
function hdf5.DataSetOptions:setChunked(...) end

---Pack by deflate, which needs chunks: without setChunked they are made to measure.
---@param level? integer from 0 (fast) to 9 (small) (integer, default 6)
---@return self
function hdf5.DataSetOptions:setDeflate(level) end

---All elements.
---@param ... any
---@return torch.Tensor
function hdf5.HDF5DataSet:all(...) end

---Close the data set; the file closes it, too.
function hdf5.HDF5DataSet:close() end

---The sizes of the data set, without reading it.
---@param ... any
---@return table
function hdf5.HDF5DataSet:dataspaceSize(...) end

---The constructor of the tensors that `all` and `partial` give.
---@overload fun(self: hdf5.HDF5DataSet)
---@param ... any
---@return any
function hdf5.HDF5DataSet:getTensorFactory(...) end

---A part of the elements, without reading the others; of a data set in chunks, the chunks that the
---part has a share in.
---@param ... any a range { first, last } or a place for each dimension, from 1 on. Dimensions stay.
---@return torch.Tensor
function hdf5.HDF5DataSet:partial(...) end

---Everything in the file as a table: tensors by name, groups as tables.
function hdf5.HDF5File:all() end

---Put a tensor behind a data set: see hdf5.HDF5Group:append.
---@param path string (string)
---@param data torch.Tensor tensor or table
---@param options? any hdf5.DataSetOptions (optional)
function hdf5.HDF5File:append(path, data, options) end

---Close the file and all groups and data sets of it. What was written is in the file then.
function hdf5.HDF5File:close() end

---The file's name.
function hdf5.HDF5File:filename() end

---Open a file.
---@param filename string (string)
---@param mode? string of access: 'r' to read, 'r+' to read and write, 'w' to write anew, 'w-' or 'x' to write a new one only, 'a' to read and write, made if missing (string, default 'a')
---@return any
function hdf5.HDF5File:open(filename, mode) end

---The data set or group at a path; without one, the group of everything.
---@param path? string (string, default '/')
---@return any
function hdf5.HDF5File:read(path) end

---Write a tensor, or a table of tensors as a group: see hdf5.HDF5Group:write.
---@param path string such as '/group/name'; '/' for a table's entries at the top (string)
---@param data torch.Tensor tensor or table
---@param options? any hdf5.DataSetOptions (optional)
function hdf5.HDF5File:write(path, data, options) end

---Everything below as a table: tensors by name, groups as tables.
function hdf5.HDF5Group:all() end

---Put a tensor behind what a data set has, along its first dimension; the data set is made if
---there is none, or only an empty tensor. One that was written before must be stored in chunks, and
---hold the tensor's elements as they are: a tensor of another type is to be converted first.
---@param path string (string)
---@param data torch.Tensor tensor whose other sizes are the data set's, or a table of such
---@param options? any hdf5.DataSetOptions for data sets that are made (optional)
function hdf5.HDF5Group:append(path, data, options) end

---Close the group; the file closes it, too.
function hdf5.HDF5Group:close() end

---Make a group in this one.
---@param name string (string)
---@return any
function hdf5.HDF5Group:createChild(name) end

---The group of that name in this one, made if there is none.
---@param name string (string)
---@return any
function hdf5.HDF5Group:getOrCreateChild(name) end

---Names of what the group holds.
---@param ... any
---@return any
function hdf5.HDF5Group:keys(...) end

---The data set or group at a path.
---@param path? string without one the group itself (string, optional)
---@return any
function hdf5.HDF5Group:read(path) end

---Write a tensor as a data set, or a table of tensors as a group; groups on the way are made. What
---is there already stays: writing it anew is an error, before which nothing of a table is written.
---@param path string such as '/group/name' (string)
---@param data torch.Tensor tensor of any type, or a table of such, nested at will
---@param options? any hdf5.DataSetOptions (optional)
function hdf5.HDF5Group:write(path, data, options) end

---Tell what is done on stderr from now on.
function hdf5.debugMode() end

---Write all elements of an open data set of the tensor's sizes.
---@param id any hid_t
function hdf5.ffi.fill(id) end

---Open an object of a file and make the Lua object for it.
---@param parent any hdf5.HDF5Group or hdf5.HDF5File
---@param place any hid_t from which the path leads
---@param path string (string)
---@return any
function hdf5.ffi.load(parent, place, path) end

---Open a file.
---@param filename string (string)
---@param mode? string of access: 'r' to read, 'r+' to read and write, 'w' to write anew, 'w-' or 'x' to write a new one only, 'a' to read and write, made if missing (string, default 'a')
---@return any
function hdf5.open(filename, mode) end

---Whether a file can be read as a whole, found out in a process of its own: a damaged file may
---crash the HDF5 library, and is an error here. For files of unknown origin, before `hdf5.open`.
---@param filename string (string)
---@param seconds? integer after which the file counts as unreadable (integer, default 600)
---@return any
function hdf5.verify(filename, seconds) end

return hdf5
