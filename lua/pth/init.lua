--- PyTorch's files of tensors (.pth, .pt), read safely.
--
--     local pth = require 'pth'
--     local weights = pth.load 'net.pth'          -- of torch.save(net.state_dict(), 'net.pth')
--     require('torch.train').loadWeights(net, weights, { map = { { '^1%.', 'conv1.' } } })
--
-- Such a file is a zip archive with a pickle, a program for a stack machine that may call anything
-- in Python. Here the machine knows the opcodes of plain values and a list of names: tensors,
-- storages, OrderedDict. All else is an error that names it, and no code of the file runs.
-- @module pth
local torch = require 'torch'
local errors = require 'torch.errors'
errors.library()
local contents = require 'torch.io.contents'
local pickle = require 'pth.pickle'
local types = require 'torch.types'
require 'npy' -- whose lines are a library's
local zip = require 'npy.zip'

local M = {}

-- Class of storage in Python -> our type.
local STORAGES = {
   FloatStorage = 'Float', DoubleStorage = 'Double', HalfStorage = 'Half',
   BFloat16Storage = 'BFloat16',
   LongStorage = 'Long', IntStorage = 'Int', ShortStorage = 'Short', CharStorage = 'Char',
   ByteStorage = 'Byte', BoolStorage = 'Byte',
}
-- dtype in Python -> our type, where storages have none.
local DTYPES = {
   float32 = 'Float', float64 = 'Double', float16 = 'Half', bfloat16 = 'BFloat16', int64 = 'Long',
   int32 = 'Int', int16 = 'Short', int8 = 'Char', uint8 = 'Byte', bool = 'Byte',
}

local function count_of(value, what)
   if type(value) ~= 'number' or value < 0 or value % 1 ~= 0 or value > 2 ^ 53 then
      pickle.fail('%s is no number of elements', what)
   end
   return value
end

local function sizes_of(value, what)
   if type(value) ~= 'table' or (value.kind ~= 'tuple'
      and value.kind ~= 'list') or value.n > 16 then
      pickle.fail('the %s of a tensor are no list of at most 16 numbers', what)
   end
   local list = {}
   for i = 1, value.n do
      list[i] = count_of(value[i], ('one of the %s of a tensor'):format(what))
   end
   return list
end

-- A tensor of sizes and strides in a storage.
local function tensor(storage, offset, sizes, strides)
   if type(storage) ~= 'table' or storage.kind ~= 'storage' then
      pickle.fail 'a tensor has no storage'
   elseif #sizes ~= #strides then
      pickle.fail('a tensor has %d sizes and %d strides', #sizes, #strides)
   end
   local last, count = offset, 1
   for d, n in ipairs(sizes) do
      count = count * n
      last = last + math.max(n - 1, 0) * strides[d]
   end
   local class = torch[storage.type .. 'Tensor']
   if count == 0 then
      return class()
   elseif count > storage.count or last >= storage.count then
      pickle.fail('a tensor of %s reaches beyond its storage of %g elements, or repeats them',
         #sizes > 0 and table.concat(sizes, 'x') or 'one element', storage.count)
   end
   if #sizes == 0 then
      sizes, strides = { 1 }, { 1 }
   end
   return class(storage.elements(), offset + 1, torch.LongStorage(sizes),
      torch.LongStorage(strides))
end

local function rebuild(arguments)
   return tensor(arguments[1], count_of(arguments[2], 'the place of a tensor'),
      sizes_of(arguments[3], 'sizes'), sizes_of(arguments[4], 'strides'))
end

local function globals()
   local known = {
      ['collections.OrderedDict'] = { call = function(arguments)
         if arguments.n > 0 then
            pickle.fail 'an OrderedDict is made of entries'
         end
         return pickle.dict()
      end },
      ['torch._utils._rebuild_tensor'] = { call = rebuild },
      ['torch._utils._rebuild_tensor_v2'] = { call = rebuild },
      ['torch._utils._rebuild_parameter'] = { call = function(arguments)
         return torch.isTensor(arguments[1])
            and arguments[1] or pickle.fail 'a parameter has no tensor'
      end },
      ['torch.Size'] = { call = function(arguments)
         return type(arguments[1]) == 'table'
            and arguments[1] or pickle.fail 'a Size has no numbers'
      end },
   }
   for name, kind in pairs(STORAGES) do
      known['torch.' .. name] = { value = kind }
   end
   for name, kind in pairs(DTYPES) do
      known['torch.' .. name] = { value = kind }
   end
   return known
end

-- What ('storage', class, key, location, elements) stands for: its elements are read when a tensor
-- wants them.
local function storages_of(file, members, root)
   local known = {}
   return function(id)
      if type(id) ~= 'table' or id.kind ~= 'tuple' or id.n ~= 5 or id[1] ~= 'storage' then
         pickle.fail 'it refers to something that is no storage'
      end
      local kind, key = type(id[2]) == 'table' and id[2].value, id[3]
      local count = count_of(id[5], 'the length of a storage')
      local member = type(key) == 'string' and members[root .. 'data/' .. key]
      if not kind then
         pickle.fail 'a storage is of no type that is read'
      elseif not member then
         pickle.fail('the archive has no storage %s', tostring(key))
      end
      local number = types.numbers['torch.' .. kind .. 'Tensor']
      if member.size ~= count * types.sizes[number % 16] then
         pickle.fail('the storage %s has %g bytes, its %g elements want %g', key, member.size,
            count,
            count * types.sizes[number % 16])
      end
      local name = key .. kind
      known[name] = known[name] or { kind = 'storage', type = kind, count = count,
         elements = function()
         local storage = known[name]
         storage.read = storage.read or require('npy.zip').source(file, member):elements(number,
            count)
         return storage.read
      end }
      return known[name]
   end
end

-- Dicts as tables by key, sequences as lists; what is there twice is one table.
local function plain(value, seen)
   if value == pickle.None then
      return nil
   elseif type(value) ~= 'table' or torch.isTensor(value) then
      return value
   elseif seen[value] then
      return seen[value]
   end
   local result = {}
   seen[value] = result
   if value.kind == 'dict' then
      for _, key in ipairs(value.order) do
         result[key] = plain(value.entries[key], seen)
      end
   elseif value.kind == 'list' or value.kind == 'tuple' then
      for i = 1, value.n do
         result[i] = plain(value[i], seen)
      end
   else
      pickle.fail 'it holds a storage or a type by itself'
   end
   return result
end

-- The names of an archive begin with a folder; its pickle is data.pkl there.
local function find(file)
   local members, root = {}, nil
   for _, member in ipairs(zip.members(file)) do
      members[member.name] = member
      root = root or member.name:match '^(.*/)data%.pkl$' or member.name == 'data.pkl' and '' or nil
   end
   if not root then
      file:fail('the archive has no data.pkl: it is not of torch.save')
   end
   local order = members[root .. 'byteorder']
   if order and zip.source(file, order):text(order.size) ~= 'little' then
      file:fail('it was written by a machine that keeps the highest byte first')
   end
   return members, root
end

--- Read what `torch.save` of PyTorch 1.6 or later has written: tensors, numbers, texts, and
-- lists and dicts of them, such as a state_dict.
--
-- Dicts become tables by key, lists and tuples lists; None is left out. A tensor without
-- dimensions has one element here. Tensors that share a storage share it here, too. In Python,
-- `torch.save(net.state_dict(), path)` writes such a file; whole nets name their classes, which are
-- code, and are refused.
-- @string path
-- @return a table, tensor, number, text or boolean
-- @raise "pth.load: 'x.pth': it wants 'os.system', which is not read: ..."
-- @usage pth.load(path)
function M.load(path)
   local file = contents.open('pth.load', path)
   file.kind = '.pth'
   local start = file:text(0, math.min(file.size, 4))
   if start ~= zip.MAGIC then
      file:fail(start:find '^\128[\1-\5]'
         and 'it is of the format from before PyTorch 1.6, a pickle alone: in Python, load it and '
         .. 'torch.save it again' or 'it is no zip archive, as torch.save writes')
   end
   local members, root = find(file)
   local member = members[root .. 'data.pkl']
   local ok, result = pcall(function()
      local text = zip.source(file, member):text(member.size)
      return plain(pickle.read(text, globals(), storages_of(file, members, root)), {})
   end)
   if not ok then
      if type(result) == 'table' and result.pickle then
         file:fail('%s', result.pickle:sub(1, 300))
      end
      file:close()
      error(result, 0)
   end
   file:close()
   return result
end

return M
