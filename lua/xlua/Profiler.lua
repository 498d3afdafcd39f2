--- Times of named parts of a program (xlua.Profiler).
--
--     local profiler = xlua.Profiler()
--     profiler:start('load')
--     ...
--     profiler:lap('load')
--     profiler:printAll()
--
-- @classmod xlua.Profiler
local class = require 'torch.class'
local clock = require 'torch.clock'
local colors = require 'sys.colors'
local errors = require 'torch.errors'

local Profiler = class.class('xlua.Profiler')

--- @param mode string, optional: 'cpu' (of all threads) or 'real' to show only these times; 'off'
-- for a profiler that costs nothing and knows nothing
-- @param verbose boolean, optional: print each part when it ends
function Profiler:__init(mode, verbose)
   self.off = mode == 'off'
   self.mode = (mode == 'cpu' or mode == 'real') and mode or 'both'
   self.verbose = verbose or false
   self.parts = {} -- name -> part
   self.order = {} -- names, in the order of their first start
end

local function now()
   local user, system = clock.cpu()
   return { cpu = user + system, real = clock.wall() }
end

local function partOf(self, name)
   local part = self.parts[name]
   if not part then
      errors.raise(('Profiler: %s was never started'):format(tostring(name)))
   end
   return part
end

--- Begin a part.
-- @param name string
-- @param fps boolean, optional: show how many times it could be done in a second
function Profiler:start(name, fps)
   if self.off then
      return
   end
   local part = self.parts[name]
   if not part then
      part = { color = 'none' }
      self.parts[name] = part
      table.insert(self.order, name)
   end
   part.fps = fps or false
   part.begun, part.lapped = now(), nil
end

--- The colour of a part, a name of sys.COLORS.
function Profiler:setColor(name, color)
   if not colors[color] then
      errors.raise(('Profiler:setColor: no colour %s in sys.COLORS'):format(tostring(color)))
   end
   if not self.off then
      partOf(self, name).color = color
   end
end

-- Time since the start or, once lapped, up to the lap.
local function elapsed(self, name, kind, divider)
   if self.off then
      return 0
   end
   local part = partOf(self, name)
   return part.lapped and part.lapped[kind] or (now()[kind] - part.begun[kind]) / (divider or 1)
end

--- Processor time of a part in seconds; while it goes on, up to now.
-- @param divider number, optional: how many times it was done
function Profiler:cpu(name, divider)
   return elapsed(self, name, 'cpu', divider)
end

--- Wall-clock time of a part in seconds; while it goes on, up to now.
function Profiler:real(name, divider)
   return elapsed(self, name, 'real', divider)
end

--- End a part.
-- @param divider number, optional: how many times it was done; the times are of one
-- @return table: cpu, real (seconds)
function Profiler:lap(name, divider)
   if self.off then
      return { cpu = 0, real = 0 }
   end
   local part = partOf(self, name)
   part.lapped = { cpu = self:cpu(name, divider), real = self:real(name, divider) }
   if self.verbose then
      self:print(name)
   end
   return { cpu = part.lapped.cpu, real = part.lapped.real }
end

--- The times of a part as text: 'load: 12.00ms (cpu) 15.00ms (real)'.
function Profiler:format(name)
   if self.off then
      return ''
   end
   local part = partOf(self, name)
   local shown = {}
   for _, kind in ipairs { 'cpu', 'real' } do
      if self.mode == kind or self.mode == 'both' then
         local seconds = elapsed(self, name, kind)
         local text = part.fps and ('%.2ffps'):format(1 / seconds)
            or ('%.2fms'):format(seconds * 1000)
         shown[#shown + 1] = ('%s (%s)'):format(text, kind)
      end
   end
   return ('%s: %s'):format(name, table.concat(shown, ' '))
end

--- Print the times of a part.
function Profiler:print(name)
   if self.off then
      return
   end
   local part = partOf(self, name)
   local text = self:format(name)
   if part.color ~= 'none' then
      text = colors[part.color] .. text .. colors.none
   end
   print(text)
end

--- The times of all parts as text, one a line.
function Profiler:formatAll()
   local lines = {}
   for i, name in ipairs(self.order) do
      lines[i] = self:format(name)
   end
   return table.concat(lines, '\n')
end

--- Print the times of all parts.
function Profiler:printAll()
   for _, name in ipairs(self.order) do
      self:print(name)
   end
end

--- Write the times of all parts on an image.
-- @param args table: painter (an object with the methods setcolor(name), moveto(x, y) and
-- show(text), as qtlua's painters have), x, y (position of the first line, 10 and 20), zoom (1),
-- height (of a line, 16)
function Profiler:displayAll(args)
   local painter = type(args) == 'table' and (args.painter or args.win)
   if not painter then
      errors.raise('Profiler:displayAll: expected a table with a painter, as in '
         .. '{ painter = window }')
   end
   local zoom = args.zoom or 1
   for i, name in ipairs(self.order) do
      local color = self.parts[name].color
      painter:setcolor(color == 'none' and 'black' or color)
      painter:moveto((args.x or 10) * zoom, ((args.y or 20) + (i - 1) * (args.height or 16)) * zoom)
      painter:show(self:format(name))
   end
end

return class.getconstructortable('xlua.Profiler')
