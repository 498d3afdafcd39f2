--- The system's compilers of C and C++.
-- @module torch.native.compiler
local paths = require 'paths'
local cache = require 'torch.native.cache'

local M = {}

local NAMES = { c = { 'gcc', 'cc', 'clang' }, ['c++'] = { 'g++', 'c++', 'clang++' } }
local VARIABLES = { c = 'CC', ['c++'] = 'CXX' }

local function quote(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- The first line of what it says of itself; nil where it does not run.
local function versionOf(path)
   local pipe = io.popen(('LD_PRELOAD= LC_ALL=C %s --version 2>/dev/null'):format(quote(path)))
   local line = pipe and pipe:read '*l'
   if pipe then
      pipe:close()
   end
   return line
end

local found = {} -- language, PATH -> compiler, or false

--- The compiler of a language: what CC or CXX names, or the first that is found.
-- @param language 'c' or 'c++'
-- @return table: path, version; or nil and the reason
function M.find(language)
   local own = os.getenv(VARIABLES[language])
   local key = table.concat({ language, own or '', os.getenv 'PATH' or '' }, '\n')
   if found[key] == nil then
      local path = own and own ~= '' and paths.findprogram(own)
         or paths.findprogram(unpack(NAMES[language]))
      local version = path and versionOf(path)
      found[key] = version and { path = path, version = version, language = language } or false
   end
   return found[key] or nil,
      not found[key] and ('no compiler is on the PATH (%s)'):format(table.concat(NAMES[language],
         ', ')) or nil
end

local function read(path)
   local file = io.open(path, 'rb')
   local text = file and file:read '*a' or ''
   if file then
      file:close()
   end
   return text
end

--- A shared library's bytes from a source.
-- @param compiler what find gave
-- @param source string
-- @param flags string: before the source
-- @param libraries string: behind it
-- @return bytes; or nil and what the compiler said
function M.compile(compiler, source, flags, libraries)
   local folder, reason = cache.temporary()
   if not folder then
      return nil, reason
   end
   local input, output, log = folder .. '/source', folder .. '/library', folder .. '/log'
   local file = io.open(input, 'wb')
   if file then
      file:write(source)
      file:close()
   end
   -- A sanitizer that is loaded before this process has no business in the compiler.
   local command = ('%s -x %s %s -fPIC -shared -o %s %s %s > %s 2>&1'):format(quote(compiler.path),
      compiler.language, flags, quote(output), quote(input), libraries, quote(log))
   local status = os.execute('LD_PRELOAD= LC_ALL=C ' .. command)
   local bytes, said = read(output), read(log)
   paths.rmall(folder, 'yes')
   if status ~= 0 and status ~= true or bytes == '' then -- true: a LuaJIT with Lua 5.2's features
      return nil, (said:gsub(input:gsub('%p', '%%%0') .. ':', ''))
   end
   return bytes
end

return M
