--- The user's global variables, and modules that may be there.
-- @module xlua.globals
local errors = require 'torch.errors'
local printing = require 'xlua.print'

local M = {}

-- Globals that are no variables of the user's.
local own = {}
for name in ([[_G _VERSION arg assert bit collectgarbage coroutine debug dofile error ffi gcinfo
   colorize getfenv getmetatable help import include io ipairs jit load loadfile loadstring math
   module monitor_G newproxy next noColors os package pairs pcall print print_new print_old printvar
   rawequal rawget rawlen rawset repl require select setfenv setmetatable setprintlevel sizestr
   string table tonumber tostring type unpack who xerror xpcall xprint xrequire
   warn]]):gmatch('%S+') do
   own[name] = true -- warn is Penlight's, once a module of it was named
end

local function isLibrary(name, value)
   return package.loaded[name] ~= nil and package.loaded[name] == value
end

local function variables()
   local found = {}
   for name, value in pairs(_G) do
      if not own[name] and not isLibrary(name, value) then
         found[name] = value
      end
   end
   return found
end

--- Print the loaded libraries that are globals, and the user's global variables.
function M.who()
   local libraries = {}
   for name, value in pairs(_G) do
      if isLibrary(name, value) then
         libraries[#libraries + 1] = name
      end
   end
   table.sort(libraries)
   print('\nGlobal Libs:')
   printing.print(libraries)
   print('\nGlobal Vars:')
   printing.print(variables())
   print('')
end

--- Delete global variables of the user's.
-- @param var a variable's name, or its value
function M.clear(var)
   local mine = variables()
   if type(var) == 'string' and mine[var] ~= nil then
      rawset(_G, var, nil)
   else
      for name, value in pairs(mine) do
         if rawequal(value, var) then
            rawset(_G, name, nil)
         end
      end
   end
   collectgarbage()
end

--- Delete all global variables of the user's, and free their memory.
function M.clearall()
   for name in pairs(variables()) do
      rawset(_G, name, nil)
   end
   collectgarbage()
end

--- Whether `require` would find a module.
-- @example xlua.installed 'no_such_package' --> false
function M.installed(name)
   return package.loaded[name] ~= nil or package.preload[name] ~= nil
      or package.searchpath(name, package.path .. ';' .. package.cpath) ~= nil
end

--- Require a module that may be missing; if it is, say so and go on.
-- @param name string
-- @param rock string, optional: the rock that has it, for the advice
-- @param server string, optional: where the rock is
-- @return true and the module; or false and the message of the failure
function M.require(name, rock, server)
   local loaded, result = pcall(require, name)
   if loaded then
      return true, result
   end
   local advice = ''
   if rock then
      advice = (' (try: luarocks %sinstall %s)'):format(
         server and '--server=' .. server .. ' ' or '', rock == true and name or rock)
   end
   io.stderr:write(('warning: <%s> could not be loaded%s\n'):format(name, advice))
   return false, result
end

local convert = {
   number = tonumber,
   string = tostring,
   boolean = function(text)
      if text == 'true' or text == '1' then
         return true
      elseif text == 'false' or text == '0' then
         return false
      end
   end,
}

--- Parameters with values from the environment: variable `lr` replaces the default of key lr.
-- @param defaults table: key -> number, string or boolean (others are taken over as they are)
-- @return a new table
-- @raise "xlua.envparams: ..." when a variable's text is not of the default's type
function M.envparams(defaults)
   local params = {}
   for key, default in pairs(defaults) do
      local kind = type(default)
      local text = convert[kind] and os.getenv(tostring(key))
      local value = default
      if text then
         value = convert[kind](text)
         if value == nil then
            errors.raise(('xlua.envparams: the variable %s should be a %s, got %q'):format(
               tostring(key), kind, text))
         end
      end
      params[key] = value
   end
   return params
end

return M
