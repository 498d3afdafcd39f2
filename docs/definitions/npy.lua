---@meta npy
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local npy = {}

---What is in a file, without its elements.
---@param path string (string)
---@return table
function npy.info(path) end

---Read a file.
---With `map` the elements stay in the file and come into memory as they are used, so that a file of
---any size is there at once. Changes stay in this process, or reach the file with `map = 'shared'`.
---The file must keep its length as long as the tensor lives: a use of elements that another program
---has cut off ends the process ("Bus error"), which pcall cannot catch. `npy.save` cuts nothing
---off: it puts a new file in the old one's place, and the tensor keeps the old one.
---What has to be converted, and packed members, are read into memory all the same. Of an .npz file
---`map` may map the members that are stored at a multiple of their elements' size.
---@param path string (string)
---@param options? table map: true or 'shared'; names: list of the arrays wanted of an .npz file (table, optional)
---@return torch.Tensor
function npy.load(path, options) end

---Read a file.
---With `map` the elements stay in the file and come into memory as they are used, so that a file of
---any size is there at once. Changes stay in this process, or reach the file with `map = 'shared'`.
---The file must keep its length as long as the tensor lives: a use of elements that another program
---has cut off ends the process ("Bus error"), which pcall cannot catch. `npy.save` cuts nothing
---off: it puts a new file in the old one's place, and the tensor keeps the old one.
---What has to be converted, and packed members, are read into memory all the same. Of an .npz file
---`map` may map the members that are stored at a multiple of their elements' size.
---@param path string (string)
---@param options? table map: true or 'shared'; names: list of the arrays wanted of an .npz file (table, optional)
---@return torch.Tensor
function npy.loadnpy(path, options) end

---Read a file.
---With `map` the elements stay in the file and come into memory as they are used, so that a file of
---any size is there at once. Changes stay in this process, or reach the file with `map = 'shared'`.
---The file must keep its length as long as the tensor lives: a use of elements that another program
---has cut off ends the process ("Bus error"), which pcall cannot catch. `npy.save` cuts nothing
---off: it puts a new file in the old one's place, and the tensor keeps the old one.
---What has to be converted, and packed members, are read into memory all the same. Of an .npz file
---`map` may map the members that are stored at a multiple of their elements' size.
---@param path string (string)
---@param options? table map: true or 'shared'; names: list of the arrays wanted of an .npz file (table, optional)
---@return torch.Tensor
function npy.loadnpz(path, options) end

---Write a tensor to an .npy file.
---A file that was there before stays as it was unless everything could be written. The transposed
---view of a matrix is written as it lies, in Fortran's order.
---@param path string (string)
---@param tensor any of any type; one on a device is copied from there
function npy.save(path, tensor) end

---Write a tensor to an .npy file.
---A file that was there before stays as it was unless everything could be written. The transposed
---view of a matrix is written as it lies, in Fortran's order.
---@param path string (string)
---@param tensor any of any type; one on a device is copied from there
function npy.savenpy(path, tensor) end

---Write tensors to an .npz file, sorted by name.
---@param path string (string)
---@param tensors table by name; those of a list are called arr_0, arr_1, ... as in NumPy (table)
---@param options? table compress: true packs them (table, optional)
function npy.savez(path, tensors, options) end

---Write tensors to an .npz file, packed: `savez` with `compress`, under NumPy's name.
---@param ... any
function npy.savez_compressed(...) end

return npy
