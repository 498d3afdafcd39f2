--- An open safetensors file: what is in it, and its tensors one by one.
-- @classmod safetensors.File
-- @usage local file = safetensors.open(path)
local torch = require 'torch'
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local contents = require 'torch.io.contents'
local elements = require 'torch.io.elements'
local errors = require 'torch.errors'
local types = require 'torch.types'
local headers = require 'safetensors.header'
local kinds = require 'safetensors.types'

local C = th.C

local File = torch.class('safetensors.File', require 'safetensors.module')

function File:__init(operation, path)
   self.file = contents.open(operation, path)
   self.list, self.start, self.texts = headers.read(self.file)
   self.entries = {}
   for _, entry in ipairs(self.list) do
      self.entries[entry.name] = entry
   end
   self.aliases = headers.aliases(self.texts, self.entries)
end

-- The entry of a name, of a file that is open.
local function find(self, operation, name)
   local entry = self.entries[name]
   if not self.file.stream then
      errors.raise(("%s: '%s' has been closed"):format(operation, self.file.path))
   elseif not entry then
      errors.raise(("%s: '%s' has no tensor '%s'%s"):format(operation, self.file.path,
         headers.shown(name), require('torch.near').hint(tostring(name), self.entries)))
   end
   return entry
end

--- Names of the tensors, sorted.
-- @return list of strings
function File:keys()
   local names = {}
   for name in pairs(self.entries) do
      names[#names + 1] = name
   end
   table.sort(names)
   return names
end

--- What the file says of a tensor.
-- @string name
-- @return table: type (of the tensor that get would give; nil where there is none of such
-- elements), dtype (as the file names it), shape (list of sizes)
function File:info(name)
   local entry = find(self, 'safetensors.File:info', name)
   local kind = kinds.find(entry.dtype)
   return {
      type = kind and 'torch.' .. types.names[kind.dtype] .. 'Tensor', dtype = entry.dtype,
      shape = { unpack(entry.shape) },
   }
end

--- The file's metadata: texts by name.
function File:metadata()
   local copy = {}
   for key, text in pairs(self.texts) do
      copy[key] = text
   end
   return copy
end

local function tensor(self, entry, map)
   local file, name = self.file, (headers.shown(entry.name):gsub('[%c\127-\255]', '?'))
   local kind = kinds.find(entry.dtype)
   local function fail(message, ...)
      errors.raise(("%s: '%s': the tensor '%s' " .. message):format(file.operation, file.path,
         name, ...))
   end
   if not kind then
      fail('has elements of type %s, of which there are none here; the others can be read by name, '
         .. 'or this one saved as another type', entry.dtype)
   elseif not headers.fits(entry) then
      fail('has %d dimensions; tensors have %d at most', #entry.shape, C.TH_MAX_DIMS)
   elseif map == 'shared' and kind.unsigned then
      fail("has elements of type %s, which are converted, so that changes cannot reach the file; "
         .. "leave out map = 'shared'", entry.dtype)
   end
   local t = th.Tensor()
   C.TH_Tensor_init(t, kind.dtype, 0, 0)
   if entry.count == 0 then
      return t
   end
   local storage, problem = elements.read(kind, file:elements(kind.stored,
      self.start + entry.data_offsets[1], entry.count, map and not kind.unsigned and map))
   if not storage then
      fail('cannot be read: %s', problem)
   end
   local n = math.max(#entry.shape, 1)
   local sizes = ffi.new('int64_t[?]', n, 1)
   for d, size in ipairs(entry.shape) do
      sizes[d - 1] = size
   end
   th.check(C.TH_setStorage(t, storage, 0, n, sizes, nil))
   return t
end

--- Read a tensor.
-- @string name
-- @param[opt] map true or 'shared', as in safetensors.load
-- @raise "safetensors.File:get: 'x.safetensors' has no tensor 'wieght'; near: weight"
function File:get(name, map)
   if map and map ~= true and map ~= 'shared' then
      errors.raise(("safetensors.File:get: map can be true, false or 'shared', got %s"):format(
         tostring(map)))
   end
   local entry = find(self, 'safetensors.File:get', name)
   self.file.operation = 'safetensors.File:get'
   return tensor(self, entry, map)
end

-- As `get`, of an entry, with the operation's name as it was.
function File:__tensor(entry, map)
   return tensor(self, entry, map)
end

--- Close the file. Tensors that were read stay, mapped ones too.
function File:close()
   self.file:close()
end

function File:__tostring__()
   return ("%s '%s' of %d tensors"):format(class.typename(self), self.file.path, #self.list)
end
