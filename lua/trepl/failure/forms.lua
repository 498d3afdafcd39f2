--- How a library's function is called, for errors that Lua found within it: nothing there tells
-- what was wrong with the call.
-- @module trepl.failure.forms
local M = {}

local MOST = 3 -- forms that are shown

local function forms(entry)
   if #entry.usage > 0 then
      return table.concat(entry.usage, '  |  ', 1, math.min(MOST, #entry.usage))
   elseif #entry.params > 0 and entry.names[1] then
      return entry.names[1]:gsub(':__init$', '') .. require('torch.help.entries').signature(entry)
   end
end

--- The forms of the call that the user's line made.
-- @param frames list of the calls, the innermost first
-- @param own frame: the user's
-- @return sentence, or nil
function M.of(frames, own)
   local find = require 'torch.help.find'
   local sentence
   for _, frame in ipairs(frames) do
      if frame == own then
         break
      elseif frame.library and frame.what == 'Lua' then
         local entry = find.atDefinition(frame.func)
         sentence = entry and forms(entry) or sentence
      end
   end
   return sentence and 'the call: ' .. sentence or nil
end

return M
