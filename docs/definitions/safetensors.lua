---@meta safetensors
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local safetensors = {}

---An open safetensors file: what is in it, and its tensors one by one.
---@class safetensors.File
---@overload fun(...: any): safetensors.File
safetensors.File = {}

---Close the file. Tensors that were read stay, mapped ones too.
function safetensors.File:close() end

---Read a tensor.
---@param name string (string)
---@param map? any true or 'shared', as in safetensors.load (optional)
function safetensors.File:get(name, map) end

---What the file says of a tensor.
---@param name string (string)
---@return table
function safetensors.File:info(name) end

---Names of the tensors, sorted.
---@param ... any
---@return any
function safetensors.File:keys(...) end

---The file's metadata: texts by name.
function safetensors.File:metadata() end

---Read the tensors of a file.
---With `map` the elements stay in the file and come into memory as they are used, so that a file of
---any size is there at once. Changes stay in this process, or reach the file with `map = 'shared'`.
---The file must keep its length as long as a tensor lives: a use of elements that another program
---has cut off ends the process ("Bus error"), which pcall cannot catch. `safetensors.save` cuts
---nothing off: it puts a new file in the old one's place, and tensors keep the old one.
---Elements that do not lie at a multiple of their size, and those that are converted, are read into
---memory all the same.
---@param path string (string)
---@param options? table map: true or 'shared'; names: list of the tensors wanted; shared: true gives tensors their further names back that `save` with `shared` put into the metadata, or save_model of the reference implementation, in whose files any text that names a tensor counts (table, optional)
---@return table
function safetensors.load(path, options) end

---Read the tensors of a file.
---With `map` the elements stay in the file and come into memory as they are used, so that a file of
---any size is there at once. Changes stay in this process, or reach the file with `map = 'shared'`.
---The file must keep its length as long as a tensor lives: a use of elements that another program
---has cut off ends the process ("Bus error"), which pcall cannot catch. `safetensors.save` cuts
---nothing off: it puts a new file in the old one's place, and tensors keep the old one.
---Elements that do not lie at a multiple of their size, and those that are converted, are read into
---memory all the same.
---@param path string (string)
---@param options? table map: true or 'shared'; names: list of the tensors wanted; shared: true gives tensors their further names back that `save` with `shared` put into the metadata, or save_model of the reference implementation, in whose files any text that names a tensor counts (table, optional)
---@return table
function safetensors.load_file(path, options) end

---Open a file, to look at what is in it and read tensors one by one.
---@param path string (string)
---@return torch.Tensor
function safetensors.open(path) end

---Write tensors to a file.
---A file that was there before stays as it was unless everything could be written. The format has
---no tensors that share memory: each is written with all its elements. With `shared` those that are
---the same elements of the same memory are written once, and the metadata have their other names,
---as save_model of the reference implementation does: { name = 'name that was written' }.
---@param path string (string)
---@param tensors table by name, of any type; those on a device are copied from there (table)
---@param metadata? table texts by name (table, optional)
---@param options? table bool: list of the names of ByteTensors of 0 and 1 to be written as BOOL; shared: true writes tensors that are one only once (table, optional)
function safetensors.save(path, tensors, metadata, options) end

---`save` by its name in Python, and with Python's order of arguments.
---@overload fun(tensors: any, path: any, metadata?: any)
---@param ... any
---@return any
function safetensors.save_file(...) end

return safetensors
