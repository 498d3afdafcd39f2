--- torch.save, torch.load and their kin: objects in .t7 files, strings and storages.
-- @module torch.serialize
local class = require 'torch.class'
local errors = require 'torch.errors'
local reasons = require 'torch.io.reasons'
local replace = require 'torch.io.replace'
local stdio = require 'torch.io.stdio'
local reader = require 'torch.serialize.reader'
local writer = require 'torch.serialize.writer'
local DiskFile = require 'torch.file.DiskFile'
local MemoryFile = require 'torch.file.MemoryFile'

local M = {}

local longSizes = { b32 = 4, b64 = 8 }

-- Set a file to one of the modes; `names` are those the operation takes.
local function setMode(operation, file, mode, names)
   mode = mode or 'binary'
   if type(mode) ~= 'string' or not names:find("'" .. mode .. "'", 1, true) then
      errors.raise(('%s: the mode must be %s or nil, got %s'):format(
         operation, names, tostring(mode)))
   elseif mode == 'ascii' then
      return file:ascii()
   end
   return file:binary():longSize(longSizes[mode] or 0)
end

local WRITE_MODES = "'binary', 'ascii'"
local READ_MODES = "'binary', 'ascii', 'b32', 'b64'"

local function checkFlag(operation, name, value)
   if value ~= nil and type(value) ~= 'boolean' then
      errors.raise(('%s: %s must be true, false or nil, got %s'):format(
         operation, name, class.type(value)))
   end
   return value ~= false
end

local function checkName(operation, name)
   if type(name) ~= 'string' then
      errors.raise(('%s: expected a file name, got %s'):format(operation, class.type(name)))
   end
end

local function checkOptions(operation, options)
   if options == nil then
      return true
   elseif type(options) ~= 'table' then
      errors.raise(('%s: expected a table of options, got %s'):format(
         operation, class.type(options)))
   end
   for key in pairs(options) do
      if key ~= 'loadFunctions' and key ~= 'device' then
         errors.raise(("%s: unknown option %s; there are loadFunctions (boolean), device ('cpu')")
            :format(operation, tostring(key)))
      end
   end
   if options.device ~= nil and options.device ~= 'cpu' then
      errors.raise(("%s: the option device can be 'cpu' or nil, got %s"):format(
         operation, tostring(options.device)))
   end
   return checkFlag(operation, 'loadFunctions', options.loadFunctions)
end

--- `torch.save`; a durable one is on the disk when it returns, see `replace.open`.
function M.store(filename, object, mode, referenced, durable)
   checkName('torch.save', filename)
   referenced = checkFlag('torch.save', 'referenced', referenced)
   setMode('torch.save', MemoryFile.over '', mode, WRITE_MODES)

   local stream, finish = replace.open(filename, durable)
   if not stream then
      reasons.cannotOpen('torch.save', filename, 'w', finish)
   end
   local file = DiskFile.on(stream, filename, 'w'):referenced(referenced)
   setMode('torch.save', file, mode, WRITE_MODES)
   local ok, message = pcall(writer.writeObject, file, object, nil, nil, 'torch.save')
   file.stream_ = nil -- closed here, to know what becomes of the last bytes
   local stored, reason = stream:close()
   local placed, obstacle = finish(ok and stored)
   if not ok then
      error(message, 0)
   elseif not (stored and placed) then
      errors.raise(("torch.save: '%s': write error: %s"):format(filename, reason or obstacle))
   end
end

--- Save an object to a file.
-- A file that was there before stays as it was unless everything could be written.
-- @param filename string
-- @param object nil, number, string, boolean, table, function or torch object, nested at will
-- @param[opt='binary'] mode string: 'binary' or 'ascii'
-- @param[opt=true] referenced boolean: write an object that occurs twice only once
-- @raise "torch.save: 'model.t7': Unwritable object <userdata> at <object.field>"
-- @example
-- torch.save('x.t7', { a = torch.ones(2) })
-- torch.load('x.t7').a --> { 1, 1 }
function M.save(filename, object, mode, referenced)
   M.store(filename, object, mode, referenced)
end

-- Read the only object of a file and close it.
local function readAndClose(operation, file, mode, referenced, options)
   referenced = checkFlag(operation, 'referenced', referenced)
   file:referenced(referenced):loadFunctions(checkOptions(operation, options))
   file.onHost_ = options ~= nil and options.device == 'cpu'
   setMode(operation, file, mode, READ_MODES)
   local ok, result = pcall(reader.readObject, file, operation)
   file:close()
   if not ok then
      error(result, 0)
   end
   return result
end

-- Raise an error of torch.load again; of a file that is some other program's, say so.
local function refuse(filename, message)
   local place, tail = tostring(message):match "^(.*torch%.load: '.-'), byte %d+: ()"
   local handle = tail and io.open(filename, 'rb')
   local known
   if handle then
      known = require('torch.serialize.foreign').describe(handle:read(512) or '', filename)
      handle:close()
   end
   error(known and ('%s: %s'):format(place, known) or message, 0)
end

--- Load the first object of a file.
-- @param filename string
-- @param[opt='binary'] mode string: 'binary', 'ascii', or 'b32', 'b64': binary with longs of 4, 8
-- bytes
-- @param[opt=true] referenced boolean: what `save` was given
-- @param[opt] options table: loadFunctions (boolean, true). Loading runs no code of the file, but a
-- function from it can do anything once called, so for files you do not trust pass false: functions
-- become placeholders that raise an error when called, and are saved again unchanged. device:
-- 'cpu' reads CUDA tensors as CPU tensors, for which neither cutorch nor a GPU is needed.
-- @return the object
-- @raise "torch.load: 'model.t7', byte 17: unknown Torch class <nn.Linear>: require 'nn' ..."
-- @example
-- torch.save('x.t7', { a = torch.ones(2) })
-- torch.load('x.t7').a --> { 1, 1 }
function M.load(filename, mode, referenced, options)
   checkName('torch.load', filename)
   local stream, reason = stdio.open(filename, 'r')
   if not stream then
      reasons.cannotOpen('torch.load', filename, 'r', reason)
   end
   local file = DiskFile.on(stream, filename, 'r')
   local ok, result = pcall(readAndClose, 'torch.load', file, mode, referenced, options)
   if not ok then
      refuse(filename, result)
   end
   return result
end

local function write(operation, object, mode)
   local file = class.getconstructortable 'torch.MemoryFile'()
   setMode(operation, file, mode, WRITE_MODES)
   writer.writeObject(file, object, nil, nil, operation)
   return file
end

--- An object as a string: the bytes that `save` would write.
-- @param object as for `save`
-- @param[opt='binary'] mode string: 'binary' or 'ascii'
-- @example torch.deserialize(torch.serialize { 1, 'two' }) --> { 1, 'two' }
function M.serialize(object, mode)
   local file = write('torch.serialize', object, mode)
   local text = file:string()
   file:close()
   return text
end

--- An object from the string that `serialize` made.
-- @param text string
-- @param[opt='binary'] mode string, as for `load`
-- @param[opt] options table, as for `load`
-- @example torch.deserialize(torch.serialize(torch.ones(2))) --> { 1, 1 }
function M.deserialize(text, mode, options)
   if type(text) ~= 'string' then
      errors.raise(('torch.deserialize: expected a string, got %s'):format(class.type(text)))
   end
   return readAndClose('torch.deserialize', MemoryFile.over(text), mode, nil, options)
end

--- As `serialize`, into a torch.CharStorage.
-- @usage torch.serializeToStorage(obj [, mode]) -> CharStorage
-- @example
-- local bytes = torch.serializeToStorage { 1, 2 }
-- torch.type(bytes), torch.deserializeFromStorage(bytes) --> 'torch.CharStorage', { 1, 2 }
function M.serializeToStorage(object, mode)
   local file = write('torch.serializeToStorage', object, mode)
   local storage = file:storage()
   storage:resize(#storage - 1) -- without the NUL
   file:close()
   return storage
end

--- As `deserialize`, from a torch.CharStorage or the elements of a torch.CharTensor, which are not
-- copied if they lie one behind the other.
-- @usage torch.deserializeFromStorage(CharStorage|CharTensor [, mode]) -> obj
-- @example torch.deserializeFromStorage(torch.serializeToStorage { 1, 2 }) --> { 1, 2 }
function M.deserializeFromStorage(storage, mode, options)
   local kind = class.type(storage)
   if kind == 'torch.CharTensor' and storage:nElement() > 0 then
      local bytes = storage:contiguous()
      storage = bytes:storage().new(bytes:storage(), bytes:storageOffset(), bytes:nElement())
   elseif kind ~= 'torch.CharStorage' then
      errors.raise('torch.deserializeFromStorage: expected a torch.CharStorage or the elements of '
         .. 'a torch.CharTensor, got ' .. (kind == 'torch.CharTensor' and 'an empty one' or kind))
   end
   return readAndClose(
      'torch.deserializeFromStorage', MemoryFile.over(storage), mode, nil, options)
end

--- Other names of torch.save and torch.load.
-- @function saveobj
-- @function loadobj
M.saveobj, M.loadobj = M.save, M.load

--- Copy the public functions into the torch table.
function M.install(torch)
   for _, name in ipairs {
      'save', 'load', 'saveobj', 'loadobj', 'serialize', 'deserialize', 'serializeToStorage',
      'deserializeFromStorage',
   } do
      torch[name] = M[name]
   end
   torch.isatty = require('torch.io.terminal').isatty
   require 'torch.file.PipeFile'
end

return M
