--- What few programs need of a package, loaded when it is first named. It would lie in Lua's heap
-- otherwise, which every cycle of the collector walks: 90 KB are a tenth of a new tensor's time.
-- @module torch.later
local registry = require 'torch.class.registry'

local M = {}

local waiting = {} -- table -> field -> function that returns its value

local function load(owner, name)
   local fields = waiting[owner]
   local value = fields[name]
   if value then
      fields[name] = nil
      rawset(owner, name, value())
   end
   return rawget(owner, name)
end

--- Let fields of a table be made when they are first read.
-- @param owner table without a metatable
-- @param fields table: name -> function that returns the value
function M.fields(owner, fields)
   waiting[owner] = fields
   setmetatable(owner, { __index = load })
end

--- Let classes be looked for when nobody has made one of a name: torch.load asks for one, and
-- torch.class for a parent.
-- @param make function(name), which makes the class if it can
function M.classes(make)
   local others = getmetatable(registry.classes)
   others = others and others.__index
   setmetatable(registry.classes, {
      __index = function(classes, name)
         make(name)
         return rawget(classes, name) or others and others(classes, name) or nil
      end,
   })
end

--- Load all of it, for those who list what there is.
function M.finish()
   for owner, fields in pairs(waiting) do
      local names = {}
      for name in pairs(fields) do
         names[#names + 1] = name
      end
      for _, name in ipairs(names) do
         load(owner, name)
      end
   end
end

return M
