--- What this machine and this build are like, and what is wrong with them: `th --doctor`.
--
-- Each room below is asked in turn; one that fails is itself a problem of the report.
-- @module torch.doctor
local debian = require 'torch.doctor.debian'
local report = require 'torch.doctor.report'

local M = {
   --- What is examined: modules with a function examine(report).
   rooms = { 'interpreter', 'build', 'processor', 'cuda', 'packages', 'libraries' },
}

local of_core = { build = true, processor = true, cuda = true } -- what calls torch

--- Look at everything.
-- @return report: sections, problems and notes (lists of what and remedy); tostring gives its text
function M.examine()
   local r = report.new()
   local whole, why = pcall(require, 'torch')
   if not whole then
      why = tostring(why):match '[^\n]*'
      r:problem('torch does not load: ' .. why:gsub('[.:]$', ''),
         debian.remedy(why) or 'Build or install LuaTorch again: cmake --workflow --preset cpu')
   end
   for _, room in ipairs(M.rooms) do
      local ok, reason = true, nil
      if whole or not of_core[room] then
         ok, reason = pcall(function()
            return require('torch.doctor.' .. room).examine(r)
         end)
      end
      if not ok then
         r:problem(('the examination of the %s failed: %s'):format(room, tostring(reason)),
            'Report it, with this text')
      end
   end
   return r
end

return M
