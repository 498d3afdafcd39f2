--- safetensors: files of named tensors that hold no code and can be mapped into memory.
--
--     local safetensors = require 'safetensors'
--     safetensors.save('model.safetensors', { weight = w, bias = b }, { format = 'torch' })
--     local tensors, metadata = safetensors.load 'model.safetensors'
--
-- | file | here |
-- | --- | --- |
-- | U8, BOOL | ByteTensor (BOOL as 0 and 1) |
-- | I8, I16, I32, I64 | CharTensor, ShortTensor, IntTensor, LongTensor |
-- | F16, BF16, F32, F64 | HalfTensor, BFloat16Tensor, FloatTensor, DoubleTensor |
-- | U16, U32, U64 | read as IntTensor, LongTensor, LongTensor |
--
-- A number without dimensions becomes a tensor of one element, a tensor without elements an empty
-- one: there are no others here. Files are checked as the format demands: headers of 100 MB at
-- most, data without gaps and overlaps, sizes that fit. Source: github.com/huggingface/safetensors.
-- @module safetensors
require 'torch'
local errors = require 'torch.errors'
errors.library()

if not pcall(require, 'cjson') then
   error('safetensors: the headers of these files are JSON, which lua-cjson reads, and it is not '
      .. 'installed (Debian: apt-get install lua-cjson)', 0)
end

local class = require 'torch.class'
local M = require 'safetensors.module'
require 'safetensors.File'
local saving = require 'safetensors.save'

local function checkOptions(options)
   if options ~= nil and type(options) ~= 'table' then
      errors.raise(('safetensors.load: expected a table of options, got a %s'):format(
         class.type(options)))
   end
   for key in pairs(options or {}) do
      if key ~= 'map' and key ~= 'names' and key ~= 'shared' then
         errors.raise(('safetensors.load: unknown option %s; there are map, names and shared')
            :format(tostring(key)))
      end
   end
   options = options or {}
   if options.map and options.map ~= true and options.map ~= 'shared' then
      errors.raise(("safetensors.load: the option map can be true, false or 'shared', got %s")
         :format(tostring(options.map)))
   elseif options.names ~= nil and type(options.names) ~= 'table' then
      errors.raise(('safetensors.load: the option names is a list of names, got a %s'):format(
         class.type(options.names)))
   end
   return options
end

--- Open a file, to look at what is in it and read tensors one by one.
-- @string path
-- @return a safetensors.File
-- @usage safetensors.open(path)
function M.open(path)
   return M.File('safetensors.open', path)
end

-- Names of all tensors of a file, further ones behind the others.
local function allNames(file, aliases)
   local names = {}
   for i, entry in ipairs(file.list) do
      names[i] = entry.name
   end
   for name in pairs(aliases) do
      names[#names + 1] = name
   end
   return names
end

local function read(file, options, result)
   local aliases = options.shared and file.aliases or {}
   local tensors = {} -- by the name in the file
   for _, name in ipairs(options.names or allNames(file, aliases)) do
      local entry = file.entries[aliases[name] or name]
      if not entry then
         errors.raise(("safetensors.load: '%s' has no tensor '%s'%s"):format(file.file.path,
            tostring(name), require('torch.near').hint(tostring(name), file.entries)))
      end
      local t = tensors[entry.name]
      tensors[entry.name] = t or file:__tensor(entry, options.map)
      result[name] = t and t.new(t) or tensors[entry.name]
   end
end

--- Read the tensors of a file.
-- With `map` the elements stay in the file and come into memory as they are used, so that a file of
-- any size is there at once. Changes stay in this process, or reach the file with `map = 'shared'`.
-- The file must keep its length as long as a tensor lives: a use of elements that another program
-- has cut off ends the process ("Bus error"), which pcall cannot catch. `safetensors.save` cuts
-- nothing off: it puts a new file in the old one's place, and tensors keep the old one.
-- Elements that do not lie at a multiple of their size, and those that are converted, are read into
-- memory all the same.
-- @string path
-- @tparam[opt] table options map: true or 'shared'; names: list of the tensors wanted; shared: true
-- gives tensors their further names back that `save` with `shared` put into the metadata, or
-- save_model of the reference implementation, in whose files any text that names a tensor counts
-- @return table of tensors by name; table of the metadata, texts by name
-- @raise "safetensors.load: 'x.safetensors': the tensor 'a' begins at byte 8 of the data, ..."
-- @usage safetensors.load(path [, options])
function M.load(path, options)
   options = checkOptions(options)
   local file = M.File('safetensors.load', path)
   local result = {}
   local ok, message = pcall(read, file, options, result)
   file:close()
   if not ok then
      error(message, 0)
   end
   return result, file:metadata()
end

--- Write tensors to a file.
-- A file that was there before stays as it was unless everything could be written. The format has
-- no tensors that share memory: each is written with all its elements. With `shared` those that are
-- the same elements of the same memory are written once, and the metadata have their other names,
-- as save_model of the reference implementation does: { name = 'name that was written' }.
-- @string path
-- @tparam table tensors by name, of any type; those on a device are copied from there
-- @tparam[opt] table metadata texts by name
-- @tparam[opt] table options bool: list of the names of ByteTensors of 0 and 1 to be written as
-- BOOL; shared: true writes tensors that are one only once
-- @raise "safetensors.save: expected a tensor as 'bias', got a number"
-- @usage safetensors.save(path, tensors [, metadata [, options]])
-- @example
-- local safetensors = require 'safetensors'
-- safetensors.save('x.safetensors', { w = torch.ones(2), b = torch.zeros(3) }, { epoch = '7' })
-- local tensors, metadata = safetensors.load 'x.safetensors'
-- tensors.b, metadata.epoch --> { 0, 0, 0 }, '7'
function M.save(path, tensors, metadata, options)
   saving.save(path, tensors, metadata, options)
end

--- `load` by its name in Python.
-- @function load_file
M.load_file = M.load

--- `save` by its name in Python, and with Python's order of arguments.
-- @usage safetensors.save_file(tensors, path [, metadata])
function M.save_file(tensors, path, metadata)
   saving.save(path, tensors, metadata)
end

return M
