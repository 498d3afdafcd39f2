--- Paths in a file, and data that are to get one.
-- @module hdf5.paths
local torch = require 'torch'
local fail = require('hdf5.ffi').fail
local objects = require 'hdf5.objects'

local M = {}

--- The names of a path: 'a/b/c' -> { 'a', 'b', 'c' }.
function M.split(operation, path)
   if type(path) ~= 'string' then
      fail("%s: expected a path such as '/x', got %s", operation,
         path == nil and 'nil' or 'a ' .. torch.type(path))
   elseif path:find '%z' then
      fail('%s: the path contains a NUL character', operation)
   end
   local parts = {}
   for part in path:gmatch '[^/]+' do
      if part ~= '.' then
         parts[#parts + 1] = part
      end
   end
   return parts
end

--- Raise an error if a name is too long to be listed again by `keys` and `all`.
function M.checkLength(operation, name)
   if #name >= objects.NAMES then
      fail("%s: the name '%s...' has %d bytes, and names in a file %d at most: shorten it",
         operation, name:sub(1, 40), #name, objects.NAMES - 1)
   end
end

--- Raise an error unless data are a tensor or a table of such, with names that a file can have:
-- before anything is written.
function M.check(operation, data, path, above)
   if torch.isTensor(data) then
      return
   elseif torch.type(data) ~= 'table' then
      fail("%s: '%s' is %s; expected a tensor or a table of tensors", operation, path,
         data == nil and 'nil' or 'a ' .. torch.type(data))
   elseif above[data] then
      fail("%s: the table '%s' holds itself", operation, path)
   end
   above[data] = true
   local names = {}
   for key, value in pairs(data) do
      if type(key) ~= 'string' and type(key) ~= 'number' or key == ''
         or tostring(key):find '[/%z]' or key == '.' then
         fail("%s: '%s' has a key %s, which cannot be a name in a file: expected text without /",
            operation, path, tostring(key))
      end
      local name = tostring(key)
      M.checkLength(operation, name)
      if names[name] then
         fail("%s: '%s' has two keys that are '%s' as a name in a file, a number and a string; "
            .. 'rename one', operation, path, name)
      end
      names[name] = true
      M.check(operation, value, path .. '/' .. key, above)
   end
   above[data] = nil
end

return M
