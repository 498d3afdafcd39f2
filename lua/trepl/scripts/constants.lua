--- Python's True and False: globals here that are nil, so that `if True then` is passed over and
-- `{ shuffle = True }` has no option. Only a text that has such a word is watched, and only what is
-- read while it is nil is told of.
-- @module trepl.scripts.constants
local M = {}

local ours = { True = 'true', False = 'false' }
local watched, watching, told = false, {}, {}

local function tell(name)
   local info = debug.getinfo(3, 'Sl')
   if info and info.currentline > 0 and not require('torch.errors').isLibrary(info.source) then
      told[name] = true
      require('trepl.failure.screen').write(('%s:%d: warning: %s is nil here; write %s\n')
         :format(info.short_src, info.currentline, name, ours[name]))
   end
end

--- Watch what a text reads that is about to run.
-- @string text of Lua
function M.watch(text)
   for name in pairs(ours) do -- one that a script gives a value is its own
      local word = '%f[%w_]' .. name
      if text:find(word .. '%f[^%w_]') and not text:find(word .. '%s*=[^=]') then
         watching[name] = true
      end
   end
   if watched or not next(watching) then
      return
   end
   watched = true
   local meta = getmetatable(_G) or {}
   local before = meta.__index
   meta.__index = function(t, name)
      local value
      if type(before) == 'function' then
         value = before(t, name)
      elseif before then
         value = before[name]
      end
      if value == nil and watching[name] and not told[name] then
         tell(name)
      end
      return value
   end
   setmetatable(_G, meta)
end

return M
