--- The calls that led to an error, those within libraries folded.
-- @module trepl.failure.frames
local errors = require 'torch.errors'

local M = {}

-- The folder of trepl: its functions are on the stack above the error, too.
local ours = debug.getinfo(1, 'S').source:gsub('failure/frames%.lua$', '')
errors.library(ours .. 'init.lua')

local function is_ours(info)
   return info.source:sub(1, #ours) == ours
end

local function is_library(info)
   return info.what == 'C' or errors.isLibrary(info.source)
end

--- The calls on the stack, the innermost first.
-- @param last function: the one that stands below the user's code
-- @return list of tables, as debug.getinfo(level, 'Slnf') gives them, with `library` and `level`,
-- the caller's
function M.list(last)
   local frames = {}
   local level = 2
   while true do
      local info = debug.getinfo(level, 'Slnf')
      if not info or info.func == last then
         break
      end
      info.level, info.library = level - 1, is_library(info)
      -- What handles the error comes first.
      if #frames > 0 or not (is_ours(info) or info.func == pcall) then
         frames[#frames + 1] = info
      end
      level = level + 1
   end
   if frames[#frames] and frames[#frames].func == xpcall then
      frames[#frames] = nil
   end
   return frames
end

--- The innermost frame of the user's own.
function M.own(frames)
   for _, frame in ipairs(frames) do
      if not frame.library and frame.currentline > 0 then
         return frame
      end
   end
end

local function title(frame)
   local where = frame.currentline > 0 and ('%s:%d: '):format(frame.short_src, frame.currentline)
      or frame.short_src .. ': '
   if frame.what == 'main' then
      return where .. 'in main chunk'
   elseif frame.name then
      return ("%sin function '%s'"):format(where, frame.name)
   end
   return ('%sin function <%s:%d>'):format(where, frame.short_src, frame.linedefined)
end

-- A library's file by its package: .../lua/nn/Linear.lua -> nn.
local function package_of(frame)
   local best
   for template in package.path:gmatch '[^;]+' do
      local root = template:match '^([^?]*)%?'
      if root and root ~= '' and frame.source:sub(2, #root + 1) == root
         and (not best or #root > #best) then
         best = root
      end
   end
   local rest = best and frame.source:sub(#best + 2) or frame.source:match '[^/]*$'
   return rest:match '^[^/.]+'
end

local function folded(group)
   local packages, seen = {}, {}
   for _, frame in ipairs(group) do
      local name = frame.what ~= 'C' and package_of(frame)
      if name and not seen[name] then
         seen[name] = true
         packages[#packages + 1] = name
      end
   end
   if #packages == 0 then
      return nil -- C's own: error, assert, pcall
   end
   return ('(%d call%s within %s)'):format(#group, #group == 1 and '' or 's',
      table.concat(packages, ', '))
end

--- The frames as lines of text; what libraries did is one line.
function M.lines(frames)
   local lines, group = {}, {}
   local function close()
      lines[#lines + 1] = folded(group)
      group = {}
   end
   for _, frame in ipairs(frames) do
      if frame.library then
         group[#group + 1] = frame
      else
         close()
         lines[#lines + 1] = title(frame)
      end
   end
   close()
   return lines
end

--- A frame's variables by name: its locals, what it has from outside, globals.
-- @return function(name): the value, and whether it is a local's
function M.lookup(frame, level)
   local values, found = {}, {}
   local i = 1
   while true do
      local name, value = debug.getlocal(level, i)
      if not name then
         break
      end
      values[name], found[name] = value, true -- a later one of the same name hides the first
      i = i + 1
   end
   i = 1
   while true do
      local name, value = debug.getupvalue(frame.func, i)
      if not name then
         break
      elseif not found[name] then
         values[name], found[name] = value, true
      end
      i = i + 1
   end
   local environment = debug.getfenv(frame.func)
   return function(name)
      if found[name] then
         return values[name], true
      end
      return type(environment) == 'table' and rawget(environment, name) or rawget(_G, name)
   end
end

return M
