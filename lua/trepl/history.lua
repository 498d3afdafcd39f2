--- The statements typed before, kept in a file from one start to the next.
--
-- Each is added to the file when it is entered, in one write at its end: what ends the program
-- loses none, and several prompts may share a file. Of a statement of several lines, all lines but
-- the last end with a backslash. A file that has grown to twice LINES statements is cut to the last
-- LINES, by a file that takes its place.
-- @module trepl.history
local ffi = require 'ffi'
local replace = require 'torch.io.replace'

local M = {}

local LINES = 1000

--- Where the history is: $TREPL_HISTORY, or ~/.th_history; nil without a home.
function M.path()
   local path, home = os.getenv 'TREPL_HISTORY', os.getenv 'HOME'
   if path and path ~= '' then
      return path
   end
   return home and home ~= '' and home .. '/.th_history' or nil
end

local function encode(statement)
   statement = statement:gsub('\n', '\\\n')
   return statement:match '\\$' and statement .. ' \n' or statement .. '\n'
end

-- Lines of a file -> list of statements.
local function decode(lines)
   local list, parts = {}, {}
   for line in lines do
      local goes_on = line:match '^(.*)\\$'
      parts[#parts + 1] = goes_on or line
      if not goes_on then
         local statement = table.concat(parts, '\n')
         if statement:find '%S' then
            list[#list + 1] = statement
         end
         parts = {}
      end
   end
   return list
end

local History = {}
History.__index = History

-- Said once: nobody needs to read it after each statement.
local function warn(history, message)
   if not history.warned then
      history.warned = true
      io.stderr:write(('th: the history is not kept: %s\n'):format(message))
   end
end

--- Write all of it to a file, which is whole at any time: another takes its place, with the same
-- permissions, where a link points.
-- @param path string
-- @return true, or nil and a message
function History:write(path)
   local texts = {}
   for i, statement in ipairs(self.list) do
      texts[i] = encode(statement)
   end
   local stream, finish = replace.open(path)
   if not stream then
      return nil, finish
   end
   local text = table.concat(texts)
   local written = stream:write(ffi.cast('const uint8_t *', text), #text)
   local stored, reason = stream:close()
   local placed, obstacle = finish(written and stored)
   if written and stored and placed then
      return true
   end
   return nil, ('%s cannot be written: %s'):format(path, stream.failure or reason or obstacle)
end

local function cut(history)
   local kept = {}
   for i = math.max(1, #history.list - LINES + 1), #history.list do
      kept[#kept + 1] = history.list[i]
   end
   history.list = kept
   history:write(history.path) -- a file that cannot be replaced stays as long as it is
end

--- @param path string, optional: the file; without it the history lasts as long as the program
-- @return { list = statements, oldest first; add = method }
function M.open(path)
   local history = setmetatable({ list = {}, path = path }, History)
   local file = path and io.open(path)
   local read = file and pcall(function()
      history.list = decode(file:lines())
   end)
   if file then
      file:close()
   end
   if file and not read then
      warn(history, path .. ' cannot be read')
      history.path = nil
   elseif #history.list >= 2 * LINES then
      cut(history)
   end
   return history
end

--- Add a statement, unless it is the last one again or there is nothing in it.
function History:add(statement)
   local list = self.list
   if statement == list[#list] or not statement:find '%S' then
      return
   end
   list[#list + 1] = statement
   if #list > 2 * LINES then
      table.remove(list, 1)
   end
   if not self.path then
      return
   end
   local file, message = io.open(self.path, 'a')
   if not file then
      return warn(self, message)
   end
   file:setvbuf('full', 65536) -- one write, which several programs do not mix
   local written, problem = file:write(encode(statement))
   local closed, late = file:close()
   if not (written and closed) then
      warn(self, problem or late or self.path)
   end
end

return M
