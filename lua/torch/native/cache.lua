--- What compilers have made, on disk: in luatorch of XDG_CACHE_HOME, which is ~/.cache by itself.
--
-- A file's name is the digest of all that it depends on, and its last bytes are the digest of the
-- others: a file that was cut off or changed counts as none. Files are put there whole, by
-- renaming, so that processes which make the same one at once do not meet.
-- @module torch.native.cache
local bit = require 'bit'
local ffi = require 'ffi'
local paths = require 'paths'

local M = {}

ffi.cdef [[
int native_getpid(void) __asm__("getpid");
char *native_mkdtemp(char *name) __asm__("mkdtemp");
]]

local MARK = 'luatorch:'
local TRAILER = #MARK + 16

--- 64 bits of a text as 16 digits. Fowler, Noll, Vo: FNV-1a.
function M.digest(text)
   local hash = 0xcbf29ce484222325ULL
   for i = 1, #text do
      hash = bit.bxor(hash, text:byte(i) + 0ULL) * 0x100000001b3ULL
   end
   return bit.tohex(hash)
end

--- The folder; nil where the environment names none.
function M.folder()
   local base = os.getenv 'XDG_CACHE_HOME'
   if not base or base:sub(1, 1) ~= '/' then -- as the specification wants it
      base = os.getenv 'HOME' and os.getenv 'HOME' .. '/.cache'
   end
   return base and base .. '/luatorch'
end

local function place(key)
   local folder = M.folder()
   return folder and ('%s/%s'):format(folder, M.digest(key))
end

--- What was kept under a key.
-- @param key string: everything that it depends on
-- @return the bytes, and the path of a file that begins with them; nil where there is none
function M.get(key)
   local path = place(key)
   local file = path and io.open(path, 'rb')
   if not file then
      return nil
   end
   local text = file:read '*a' or ''
   file:close()
   local bytes = text:sub(1, -TRAILER - 1)
   if text:sub(-TRAILER) ~= MARK .. M.digest(bytes) then
      return nil
   end
   return bytes, path
end

local made = 0

-- A file as it should be, or nothing.
local function write(path, text)
   local file = io.open(path, 'wb')
   if not file then
      return nil
   end
   local written = file:write(text)
   return file:close() and written
end

--- Keep bytes under a key.
-- @return the path of the file; nil where it cannot be written, which is no error
function M.put(key, bytes)
   local path = place(key)
   if not path then
      return nil
   end
   made = made + 1
   -- States of one process have tables at different addresses.
   local own = ('%s.%d.%s.%d'):format(path, ffi.C.native_getpid(), tostring(M):match '0x(%x+)',
      made)
   require 'paths.parents'(path)
   if write(own, bytes .. MARK .. M.digest(bytes)) and os.rename(own, path) then
      return path
   end
   os.remove(own)
   return nil
end

--- A folder of one's own for what is not to stay; nil and the reason where there is none.
function M.temporary()
   local template = (os.getenv 'TMPDIR' or '/tmp') .. '/luatorch-XXXXXX'
   local name = ffi.new('char[?]', #template + 1, template)
   if ffi.C.native_mkdtemp(name) == nil then
      return nil, ('no folder can be made in %s'):format(paths.dirname(template))
   end
   return ffi.string(name)
end

return M
