--- What a function's upvalues have of Lua's and our libraries: another thread takes it from its
-- own, by name. Everything else in upvalues is copied or shared.
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

-- A script may give these other names too, which other states do not know.
local base = 'assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile '
   .. 'loadstring module newproxy next pairs pcall print rawequal rawget rawlen rawset require '
   .. 'select setfenv setmetatable tonumber tostring type unpack xpcall'

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

-- value -> name; value -> { module, key }; what a script lets go is not held here.
local modules = setmetatable({}, { __mode = 'k' })
local members = setmetatable({}, { __mode = 'k' })
local seen = 0 -- modules that these were made of

local function isForeign(f)
   local source = debug.getinfo(f, 'S').source
   return source == '=[C]' or errors.isLibrary(source)
end

-- The directory of a module's files, or nil for one of C.
local function folderOf(name)
   local path = package.searchpath(name, package.path)
   return path and '@' .. (path:match '^(.*/)' or '')
end

-- A function by which module? One whose files it is of, rather than one that shows it too. What a
-- script has put into a library's table, or given another name in _G, must not become the name: the
-- other state has no such field, or another value there.
local function enter(value, name, key, folder)
   local source = type(value) == 'function' and debug.getinfo(value, 'S').source or '=[C]'
   local owner = source == '=[C]' and (lua[name] or folder == nil)
      or (folder ~= nil and source:sub(1, #folder) == folder)
   local known = members[value]
   if known == nil or owner and not known.owner then
      members[value] = { name, key, owner = owner }
   end
end

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
            local folder = folderOf(name)
            for key, value in next, module do
               local kind = type(value)
               if type(key) == 'string' and (kind == 'function' or kind == 'cdata') then
                  enter(value, name, key, folder)
               end
            end
         end
      end
   end
   for key in base:gmatch '%S+' do
      local value = rawget(_G, key)
      local known = members[value]
      if value ~= nil and not (known and known.owner) then
         members[value] = { '_G', key, owner = true }
      end
   end
   for key, value in next, _G do
      if type(value) == 'function' and isForeign(value) and members[value] == nil then
         members[value] = { '_G', key, owner = false }
      end
   end
end

local kinds = { table = true, ['function'] = true, cdata = true }

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
   for _ = 1, 2 do
      local member = members[value]
      if not member then
         return nil
      end
      local module = member[1] == '_G' and _G or package.loaded[member[1]]
      if type(module) == 'table' and rawget(module, member[2]) == value then
         return member[1], member[2]
      end
      members[value], seen = nil, 0 -- it has gone from there
      look()
   end
   return nil
end

--- Whether a function is a library's, and has a name there.
function M.isNamed(f)
   return isForeign(f) and M.name(f, { written_ = {} }) ~= nil
end

--- The value of a name.
function M.find(module, key)
   local found = module == '_G' and _G or require(module)
   if key ~= nil then
      local value = found[key]
      if value == nil then
         error(('this thread has no %s in the module %s, which a job refers to'):format(key,
            module), 0)
      end
      return value
   end
   return found
end

return M
