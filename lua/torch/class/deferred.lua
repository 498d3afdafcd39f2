--- Classes that few programs need: their names are there, their methods are loaded when one is
-- first looked for. They would lie in Lua's heap otherwise, which every cycle of the collector
-- walks: of Tester, CmdLine and xlua's two classes 70 KB, a twentieth of a new tensor's time.
-- @module torch.class.deferred
local M = {}

local waiting = {} -- class metatable -> name of the module that defines it

--- Define the class now, if it waits.
-- @return whether it did
function M.define(class)
   local module = waiting[class]
   if not module then
      return false
   end
   waiting[class] = nil
   local meta = debug.getmetatable(class)
   debug.setmetatable(class, nil)
   if package.loaded[module] ~= nil then -- LuaJIT's mark: somebody is requiring it by its name
      return true
   end
   local ok, err = pcall(require, module)
   if not ok then -- Ctrl-C, say: the next one who asks tries again
      waiting[class], package.loaded[module] = module, nil
      debug.setmetatable(class, meta)
      error(err, 0)
   end
   return true
end

local meta = {
   __index = function(class, key)
      M.define(class)
      return class[key]
   end,
   -- What a script puts in the place of a method comes after that.
   __newindex = function(class, key, value)
      M.define(class)
      class[key] = value
   end,
}

--- Let a module define a class that is registered and has nothing yet.
-- @param class metatable without a parent
-- @string module
function M.defer(class, module)
   waiting[class] = module
   debug.setmetatable(class, meta)
end

--- Define all that wait, for those who list what there is.
function M.finish()
   local class = next(waiting)
   while class do
      M.define(class)
      class = next(waiting)
   end
end

return M
