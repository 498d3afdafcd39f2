--- Objects as text: equal for two graphs of objects that are alike, by other means than files.
local class = require 'torch.class'
local ffi = require 'ffi'
local functions = require 'torch.serialize.functions'
local types = require 'torch.io.types'

local M = {}

local function scalar(x)
   if type(x) == 'number' then
      return x ~= x and 'nan' or ('%.17g'):format(x)
   end
   return type(x) == 'string' and ('%q'):format(x) or tostring(x)
end

local function isScalar(x)
   local kind = type(x)
   return kind == 'number' or kind == 'string' or kind == 'boolean' or kind == 'nil'
end

-- Keys that have an order, in order, and the others.
local function sortedKeys(t)
   local keys, others = {}, {}
   for key in next, t do
      table.insert(isScalar(key) and keys or others, key)
   end
   table.sort(keys, function(a, b)
      return type(a) .. scalar(a) < type(b) .. scalar(b)
   end)
   return keys, others
end

local function showStorage(storage, put)
   local T = types[class.typename(storage):match '^torch%.(%w+)Storage$']
   local pointer = ffi.cast(T.pointer, storage:data())
   put('%d', #storage)
   for i = 0, #storage - 1 do
      local value = T.opaque and storage[i + 1] or T.integer and pointer[i] or T.at(pointer, i)
      -- a NaN's other bits are lost in text
      put(value ~= value and ' nan' or ' %s', tostring(value))
   end
end

local function showTensor(tensor, put, show)
   for d = 1, tensor:dim() do
      put('%d/%d ', tensor:size(d), tensor:stride(d))
   end
   put('from %d ', tensor:storageOffset())
   show(tensor:storage())
end

local function showFields(t, put, show)
   local keys, others = sortedKeys(t)
   for _, key in ipairs(keys) do
      put('%s=', scalar(key))
      show(rawget(t, key))
      put(';')
   end
   put('%d others', #others)
   if #others == 1 then
      show(others[1])
      show(rawget(t, others[1]))
   end
end

-- Returns what must live as long as its addresses stand for objects.
local function showFunction(f, put, show)
   local code, upvalues = functions.dump(f, {})
   put('%q ', code)
   showFields(upvalues, put, show)
   return upvalues
end

--- The graph as text.
function M.show(object)
   local parts, numbers, anchors, count = {}, {}, {}, 0
   local function put(format, ...)
      parts[#parts + 1] = format:format(...)
   end
   local depth = 0
   local function show(x)
      if isScalar(x) then
         return put('%s', (scalar(x)))
      end
      local key = class.pointer(x)
      if numbers[key] then
         return put('#%d', numbers[key])
      end
      count = count + 1
      numbers[key] = count
      local name = class.typename(x) or type(x)
      put('%s{', name)
      depth = depth + 1
      assert(depth < 10000, 'too deep for this test')
      if name:match '^torch%.%w+Storage$' then
         showStorage(x, put)
      elseif name:match '^torch%.%w+Tensor$' then
         showTensor(x, put, show)
      elseif type(x) == 'table' then
         showFields(x, put, show)
      elseif type(x) == 'function' then
         anchors[#anchors + 1] = showFunction(x, put, show)
      end
      depth = depth - 1
      put '}'
   end
   show(object)
   return table.concat(parts)
end

--- Whether the graph has a table whose entries may come in another order when it is read again:
-- any but 1, 2, 3, ... in that order, and those with a single entry.
function M.hashed(object)
   local seen = {}
   local function look(x)
      if type(x) == 'function' then
         return true -- upvalues are tables with several names
      elseif type(x) ~= 'table' or seen[x] then
         return false
      end
      seen[x] = true
      local count, inOrder = 0, true
      for key, value in next, x do
         count = count + 1
         inOrder = inOrder and key == count
         if look(key) or look(value) then
            return true
         end
      end
      return count > 1 and not inOrder
   end
   return look(object)
end

return M
