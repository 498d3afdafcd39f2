--- Torch7's names for the C structs of tensors and storages: THFloatTensor, THFloatStorage, ...
--
-- Scripts with FFI code read `x:cdata().size[0]`, `.stride[0]`, `.nDimension`, `.storage.data`,
-- `.storageOffset`, or cast an address to `THFloatTensor *`. The structs declared here give our
-- own memory (TH_Tensor and TH_Storage) those names: there is nothing to copy and nothing that
-- goes stale. Unlike Torch7's, size and stride are arrays within the struct, which reads the same.
-- @module torch.tensor.structs
local ffi = require 'ffi'
local errors = require 'torch.errors'

local M = {
   tensors = {}, -- class number -> pointer type
   storages = {},
}

local classes = {} -- the pointer types' numbers, by LuaJIT's number of the type
local TENSOR = ffi.typeof 'TH_Tensor *'

-- The words of Torch7's structs for elements.
local WORDS = {
   uint8_t = 'unsigned char', int8_t = 'char', int16_t = 'short', int32_t = 'int', int64_t = 'long',
   uint16_t = 'unsigned short',
}
local rows = require('torch.gen.rows').dtypes

-- @ is the class, # the element.
local DECLARATIONS = [[
   typedef struct TH@Storage {
      # *const data;
      int32_t *const version;
      const ptrdiff_t size;
      const ptrdiff_t capacity;
      const int refcount;
      const uint8_t dtype, device_type;
      const int16_t device;
   } TH@Storage;
   typedef struct TH@Tensor {
      TH@Storage *const storage;
      const ptrdiff_t storageOffset;
      const long size[TH_MAX_DIMS];
      const long stride[TH_MAX_DIMS];
      void *const gradient;
      const int16_t nDimension;
      const uint8_t is_view, flags, dtype, device_type;
      const int16_t device;
   } TH@Tensor;
]]

-- What every storage of Torch7's has: it counts references, can grow and frees its memory.
local REFCOUNTED, RESIZABLE, FREEMEM = 1, 2, 4
local NULL = ffi.cast('void *', 0)
local STORAGE = {
   flag = REFCOUNTED + RESIZABLE + FREEMEM, allocator = NULL, allocatorContext = NULL, view = NULL,
}

local function missingInStorage(_, field)
   if rawequal(STORAGE[field], nil) then -- a null pointer equals nil
      errors.raise(('a storage as a C struct has no field %s; it has data, size, refcount, flag, '
         .. 'allocator and allocatorContext'):format(tostring(field)))
   end
   return STORAGE[field]
end

-- A tensor's struct belongs to one handle: that is the one reference to it.
local function missing(field)
   if field == 'refcount' or field == 'flag' then
      return 1
   end
   errors.raise(('a tensor as a C struct has no field %s; it has size, stride, nDimension, '
      .. 'storage, storageOffset and refcount'):format(tostring(field)))
end

--- Declare the structs of a class.
-- @param name string, as in torch.<name>Tensor
function M.declare(dtype, deviceType, name)
   local ctype = rows[dtype + 1].ctype
   ffi.cdef((DECLARATIONS:gsub('[@#]', { ['@'] = name, ['#'] = WORDS[ctype] or ctype })))
   local number = deviceType * 16 + dtype
   M.tensors[number] = ffi.typeof('TH' .. name .. 'Tensor *')
   M.storages[number] = ffi.typeof('TH' .. name .. 'Storage *')
   classes[tonumber(M.tensors[number])] = number
   for field, own in pairs { storage = 'store', storageOffset = 'offset', size = 'sizes',
         stride = 'strides', nDimension = 'ndim', device = 'device' } do
      assert(ffi.offsetof('TH' .. name .. 'Tensor', field) == ffi.offsetof('TH_Tensor', own))
   end
   for field, own in pairs { data = 'data', size = 'length', refcount = 'references',
         device = 'device' } do
      assert(ffi.offsetof('TH' .. name .. 'Storage', field) == ffi.offsetof('TH_Storage', own))
   end
   ffi.metatype('TH' .. name .. 'Storage', { __index = missingInStorage })
   ffi.metatype('TH' .. name .. 'Tensor', {
      __index = function(_, field)
         return missing(field)
      end,
   })
end

-- Pointer -> the tensor it points to, which lives as long as the pointer: Torch7's scripts write
-- `kernel(x:contiguous():cdata())`.
local owners = setmetatable({}, { __mode = 'k' })

--- A tensor as a C struct.
-- @return pointer
function M.pointer(t)
   local p = ffi.cast(M.tensors[t.device_type * 16 + t.dtype], t)
   owners[p] = t
   return p
end

--- The tensor behind such a pointer.
-- @param p what `pointer` gave, or a pointer of one of these types from elsewhere
-- @return the tensor itself; nil where p is something else, or a null pointer
function M.tensor(p)
   local t = owners[p]
   if t == nil and type(p) == 'cdata' and p ~= nil and classes[tonumber(ffi.typeof(p))] then
      t = ffi.cast(TENSOR, p)[0]
   end
   return t
end

return M
