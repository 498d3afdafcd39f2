--- What Torch7's th gives to scripts and to the prompt, by its names.
-- @module trepl.scripts.globals
local printing = require 'trepl.print'

local M = {}

local system = {} -- globals that were there before any user code

--- Take the globals of now for the system's: `who` tells them from the user's.
function M.snapshot()
   for name in next, _G do
      system[name] = true
   end
   system.warn = true -- Penlight makes it, when a module of it is first named
end

--- Make a package's fields globals.
-- @param package string: a package, which is required, or its table
-- @param forced boolean, optional: replace globals that exist
-- @raise "import: ... are globals already"
function M.import(package, forced)
   local fields = type(package) == 'string' and require(package) or package
   if type(fields) ~= 'table' then
      error(('import: %s is a %s, not a table of functions'):format(tostring(package),
         type(fields)), 2)
   end
   local taken = {}
   for name in pairs(fields) do
      if type(name) == 'string' and rawget(_G, name) ~= nil and not forced
         and rawget(_G, name) ~= fields[name] then
         taken[#taken + 1] = name
      end
   end
   if #taken > 0 then
      table.sort(taken)
      error(('import: %s %s already; import(package, true) replaces them'):format(
         table.concat(taken, ', '), #taken == 1 and 'is a global' or 'are globals'), 2)
   end
   for name, value in pairs(fields) do
      if type(name) == 'string' then
         rawset(_G, name, value)
      end
   end
end

-- What a variable is, in one line: of objects and tables not all that they hold.
local function brief(value)
   local class = package.loaded['torch.class']
   if class and (class.isTensor(value) or class.isStorage(value)) then
      return value -- which is shown by its sizes
   end
   local name = class and class.typename(value)
   if name then
      local modules = type(value) == 'table' and rawget(value, 'modules')
      return type(modules) == 'table' and ('%s of %d'):format(name, #modules) or name
   elseif type(value) ~= 'table' or next(value) == nil then
      return value
   end
   local entries = 0
   for _ in next, value do
      entries = entries + 1
   end
   return ('table of %d'):format(entries)
end

--- Print the user's global variables, a line each.
-- @param all boolean, optional: those of libraries, too
function M.who(all)
   local modules = {}
   for _, module in next, package.loaded do
      modules[module] = true
   end
   local variables = {}
   for name, value in next, _G do
      if all or not (system[name] or modules[value]) then
         variables[name] = brief(value)
      end
   end
   print(variables)
end

-- Where the user's code is that makes or reads a global; nil for libraries.
local function place(level)
   local info = debug.getinfo(level + 1, 'Sl')
   local errors = require 'torch.errors'
   if not info or info.currentline < 0 or errors.isLibrary(info.source) then
      return nil
   end
   return ('%s:%d'):format(info.short_src, info.currentline)
end

local function warn(name, event, where)
   local what = event == 'newindex' and 'a new global variable' or 'a global variable that is nil'
   io.stderr:write(('%s: %s: %s\n'):format(where, what, name))
end

--- Report global variables that user code makes, and reads before they are made: most are a `local`
-- that was forgotten, or a name mistyped. Each name is reported once.
-- @param callback function(name, event, place), optional: called with 'newindex' or 'index' and
-- 'file:line'; by default a warning is written
function M.monitor_G(callback)
   callback = callback or warn
   local told = {}
   local before = getmetatable(_G) or {}
   local meta = {}
   for event, f in pairs(before) do
      meta[event] = f
   end
   local function report(name, event)
      local where = not told[name] and place(3)
      if where then
         told[name] = true
         callback(name, event, where)
      end
   end
   function meta.__newindex(t, name, value)
      report(name, 'newindex')
      rawset(t, name, value)
   end
   function meta.__index(t, name)
      local index = before.__index
      local value
      if type(index) == 'function' then
         value = index(t, name)
      elseif index then
         value = index[name]
      end
      if value == nil then
         report(name, 'index')
      end
      return value
   end
   setmetatable(_G, meta)
end

--- Define the globals.
-- @param repl optional: what the global `repl` is, a function that runs the prompt
function M.install(repl)
   local globals = {
      import = M.import, who = M.who, monitor_G = M.monitor_G,
      print = printing.print, print_new = printing.print, print_old = printing.plain,
      setprintlevel = printing.setprintlevel, noColors = printing.noColors,
      printvar = printing.printvar, sizestr = printing.sizestr, colorize = printing.colorize,
      repl = repl or function()
         return require('trepl').repl()
      end,
   }
   for name, value in pairs(globals) do
      rawset(_G, name, value)
   end
   -- Not files of their own, whose names other packages have: Debian's lua-readline.
   for _, name in ipairs { 'readline', 'treplutils' } do
      package.preload[name] = package.preload[name] or function()
         return require('trepl.scripts.' .. name)
      end
   end
   require('trepl.scripts.require').install()
   require('trepl.scripts.penlight').install()
end

return M
