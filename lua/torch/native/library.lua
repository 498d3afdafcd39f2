--- Libraries of generated sources: compiled once, found again on disk and in this process.
-- @module torch.native.library
local ffi = require 'ffi'
local paths = require 'paths'
local cache = require 'torch.native.cache'
local compiler = require 'torch.native.compiler'

local M = {}

local loaded = {} -- key -> library

-- The library in bytes that could not be put into the cache. Once loaded, its file is not needed.
local function loadApart(bytes, load)
   local folder, reason = cache.temporary()
   if not folder then
      return nil, reason
   end
   local path = folder .. '/library'
   local file = io.open(path, 'wb')
   if file then
      file:write(bytes)
      file:close()
   end
   local ok, library = pcall(load, path)
   paths.rmall(folder, 'yes')
   return ok and library or nil, not ok and library or nil
end

--- A library.
-- @param language 'c' or 'c++'
-- @param source string
-- @param flags string
-- @param libraries string
-- @param[opt=ffi.load] load function(path): what is kept in this process
-- @return what load gave; or nil and why there is none
function M.load(language, source, flags, libraries, load)
   local with, reason = compiler.find(language)
   if not with then
      return nil, reason
   end
   load = load or ffi.load
   local key = table.concat({ with.path, with.version, flags, libraries, source }, '\n')
   if loaded[key] then
      return loaded[key]
   end
   local _, path = cache.get(key)
   if path then
      local ok, library = pcall(load, path)
      loaded[key] = ok and library or nil
   end
   if not loaded[key] then
      local bytes, said = compiler.compile(with, source, flags, libraries)
      if not bytes then
         return nil, said
      end
      path = cache.put(key, bytes)
      local ok, library = false, nil
      if path then
         ok, library = pcall(load, path)
      end
      if not ok then -- a file system may forbid that code is run from it
         library, reason = loadApart(bytes, load)
         if not library then
            return nil, reason
         end
      end
      loaded[key] = library
   end
   return loaded[key]
end

return M
