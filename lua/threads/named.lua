--- What a function's upvalues have of Lua's and our libraries: another thread takes it from its own,
-- by name. Everything else in upvalues is copied or shared.
--
--    local torch = require 'torch'
--    local floor = math.floor
--    pool:addjob(function() return floor(torch.uniform(1, 6)) end)
-- @module threads.named
local errors = require 'torch.errors'
require 'torch' -- the global `type`

local M = {}

local lua = {
   _G = true, string = true, table = true, math = true, io = true, os = true, coroutine = true,
   debug = true, package = true, bit = true, jit = true, ffi = true,
}

-- Modules of C, and those whose Lua files are libraries'; asked once for each.
local library = {}

local function isLibrary(name)
   if library[name] == nil then
      local path = package.searchpath(name, package.path)
      library[name] = lua[name] or name:match '^jit%.' ~= nil
         or (path ~= nil and errors.isLibrary('@' .. path))
         or (path == nil and package.searchpath(name, package.cpath) ~= nil)
   end
   return library[name]
end

local modules, members = {}, {} -- value -> name; value -> { module, key }
local seen = 0 -- modules that these were made of

local function look()
   local count = 0
   for _ in pairs(package.loaded) do
      count = count + 1
   end
   if count == seen then
      return
   end
   seen = count
   for name, module in pairs(package.loaded) do
      if type(name) == 'string' and isLibrary(name) then
         if type(module) ~= 'boolean' and (modules[module] == nil or #name < #modules[module]) then
            modules[module] = name
         end
         if type(module) == 'table' and name ~= '_G' then
            for key, value in next, module do
               local kind = type(value)
               if type(key) == 'string' and (kind == 'function' or kind == 'cdata') then
                  members[value] = { name, key }
               end
            end
         end
      end
   end
   for key, value in next, _G do
      if type(value) == 'function' then
         members[value] = { '_G', key }
      end
   end
end

local kinds = { table = true, ['function'] = true, cdata = true }

local function isForeign(f)
   local source = debug.getinfo(f, 'S').source
   return source == '=[C]' or errors.isLibrary(source)
end

--- The name of a value.
-- @param file the message, a torch.File
-- @return module, key: the value is require(module)[key], or the module itself without a key; nil
-- for what is no library's
function M.name(value, file)
   local kind = type(value) -- torch's: tensors and storages are userdata
   if not kinds[kind] or (kind == 'function' and not isForeign(value)) then
      return nil
   elseif file.looked_ ~= file.written_ then -- once for a message
      file.looked_ = file.written_
      look()
   end
   if modules[value] then
      return modules[value]
   end
   local member = members[value]
   if member then
      return member[1], member[2]
   end
   return nil
end

--- The value of a name.
function M.find(module, key)
   local found = module == '_G' and _G or require(module)
   if key ~= nil then
      return found[key]
   end
   return found
end

return M
