--- nn and optim at the prompt and for -e: loaded when they are first named, which saves most of the
-- time that a start takes. Reading an object of a class of nn loads it, too.
-- @module trepl.autoload
local call = require 'trepl.call'
local later = require 'torch.later'

local M = {}

local waiting = { 'nn', 'optim' }

local function load(name)
   for i, one in ipairs(waiting) do
      if one == name then
         table.remove(waiting, i)
         call.preload(name)
         return
      end
   end
end

--- Load what has not been named yet.
function M.finish()
   while waiting[1] do
      load(waiting[1])
   end
   later.finish()
end

--- Let the packages' names stand for them.
function M.install()
   local meta = getmetatable(_G) or {}
   local other = meta.__index
   meta.__index = function(t, name)
      if waiting[1] then
         load(name)
      end
      local value = rawget(t, name)
      if value == nil and type(other) == 'function' then
         return other(t, name)
      elseif value == nil and other then
         return other[name]
      end
      return value
   end
   setmetatable(_G, meta)
   later.classes(function(name)
      local package = type(name) == 'string' and name:match '^(%w+)%.'
      if package then
         load(package)
      end
   end)
end

return M
