--- What an option of th's may be meant for that there is not.
-- @module trepl.flags
local near = require 'torch.near'

local M = {}

-- Options of python's, luajit's and torchrun's, and what does the same here.
local elsewhere = {
   ['-c'] = '-e code', ['-E'] = '-e code', ['--eval'] = '-e code', ['--code'] = '-e code',
   ['-m'] = '-l name, which requires a package; a script is th name.lua', ['-r'] = '-l name',
   ['-V'] = '--version', ['-?'] = '--help', ['-d'] = '--doctor', ['-n'] = '--workers N',
   ['-np'] = '--workers N', ['--nproc_per_node'] = '--workers N', ['--nproc'] = '--workers N',
   ['--max_restarts'] = '--restarts N', ['--max-restarts'] = '--restarts N',
}

local LEAST = 3 -- letters that an option begins with, and is taken for

--- The end of a message about an option.
-- @string word as it was given
-- @string usage the help's text, whose lines begin with the options
function M.hint(word, usage)
   local option = word:match '^[^=]+'
   if elsewhere[option] then
      return '; here it is ' .. elsewhere[option]
   end
   local known, begun = { '--interactive' }, nil
   for name in usage:gmatch '\n +(%-%-?%l+)' do
      known[#known + 1] = name
      begun = begun or #option >= LEAST + 2 and name:sub(1, #option) == option and name or nil
   end
   local names = option:find '^%-%-' and near.names(option, known) or {}
   if #names > 0 then
      return '; near: ' .. table.concat(names, ', ')
   elseif begun then
      return '; near: ' .. begun
   end
   return ' (th --help lists the options; those of a script go behind its name)'
end

return M
