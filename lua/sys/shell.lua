--- Commands run by the shell.
-- @module sys.shell
local ffi = require 'ffi'
local errors = require 'torch.errors'

local M = {}

local SYSTEMS = { Linux = 'linux', OSX = 'macos', Windows = 'windows' }

local function checkCommand(operation, command)
   if type(command) ~= 'string' then
      errors.raise(('%s: expected a command, got %s'):format(operation, type(command)))
   end
end

local function quote(text)
   return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- Run a command; what it writes to its standard output and error, without white space at the ends.
-- @example sys.execute 'echo hello' --> 'hello'
function M.execute(command)
   checkCommand('sys.execute', command)
   local pipe, message = io.popen('(' .. command .. '\n) 2>&1')
   if not pipe then
      errors.raise('sys.execute: ' .. message)
   end
   local text = pipe:read('*a')
   pipe:close()
   return text:match('^%s*(.-)%s*$')
end

--- Run a command with its output in a temporary file, and read from that.
-- @param command string
-- @param readwhat optional: how to read, as for file:read ('*all')
-- @return what was read; nil when there was nothing of that kind
function M.fexecute(command, readwhat)
   checkCommand('sys.fexecute', command)
   local name = os.tmpname()
   os.execute('(' .. command .. '\n) > ' .. quote(name) .. ' 2>&1')
   local file, message = io.open(name)
   if not file then
      errors.raise('sys.fexecute: ' .. message)
   end
   local result = file:read(readwhat or '*a')
   file:close()
   os.remove(name)
   return result
end

--- 'linux', 'macos' or 'windows'; another system's own name in lower case.
function M.uname()
   return SYSTEMS[ffi.os] or ffi.os:lower()
end

-- A listing of a directory, as `ls` with these flags gives it.
local function lister(flags)
   return function(directory)
      return M.execute('ls ' .. flags .. ' -- ' .. quote(directory or '.'))
   end
end

--- Listings of a directory (by default the current one): names; details; hidden files too; both.
M.ls, M.ll, M.la, M.lla = lister(''), lister('-l'), lister('-a'), lister('-la')

return M
