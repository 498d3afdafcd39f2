--- Figures: what is to be drawn, in a window, as text, into a file, or as a script.
--
-- A figure is a list of commands. A window shows each at once; a file is drawn when the figure is
-- flushed or closed, or the process ends, so that labels that come after the plot are in it.
-- @module gnuplot.figures
local program = require 'gnuplot.program'

local fail = program.fail

local M = {}

local figures = {} -- by number
local current -- number
local chosen -- by setterm

local Figure = {}
Figure.__index = Figure

--- The number of the current figure; nil without one.
function M.number()
   return current
end

local function checkNumber(operation, n)
   if n ~= nil and (type(n) ~= 'number' or n < 1 or n ~= math.floor(n)) then
      fail('%s: expected the number of a figure, from 1 on, got %s', operation, tostring(n))
   end
end
M.checkNumber = checkNumber

--- A figure of that number, or a new one; it becomes the current one.
-- @int[opt] n
-- @tparam[opt] table target term, file, script: where it goes, other than to the screen
-- @return its number
function M.select(n, target)
   n = n or table.maxn(figures) + 1
   if target and figures[n] then
      figures[n]:close()
      figures[n] = nil
   end
   figures[n] = figures[n] or setmetatable({
      items = {}, term = target and target.term, file = target and target.file,
      script = target and target.script,
   }, Figure)
   current = n
   return n
end

--- The current figure, made if there is none.
function M.current()
   if not figures[current or 0] then
      M.select()
   end
   return figures[current]
end

--- The figure of a number, or the current one; nil without one.
function M.find(n)
   return figures[n or current or 0]
end

--- Numbers of all figures, sorted.
function M.numbers()
   local list = {}
   for n in pairs(figures) do
      list[#list + 1] = n
   end
   table.sort(list)
   return list
end

--- Terminal of figures that go to the screen, from now on.
function M.setTerm(term)
   chosen = term
end

-- The terminal that it goes to.
function Figure:terminal()
   if not self.term then
      self.term = chosen or program.default()
   end
   return self.term
end

--- All commands of the figure: what its plot needs, settings, then what is plotted.
function Figure:commands()
   local needs, before, plots = {}, {}, {}
   for _, item in ipairs(self.items) do
      table.insert(needs, item.needs)
      table.insert((item.key == 'plot' and not self.multiplot) and plots or before, item.text)
   end
   return table.concat(needs) .. table.concat(before) .. table.concat(plots)
end

-- What the program prints that draws it; nil where nothing is drawn.
local function drawn(self, term)
   return program.run(('set terminal %s\n%s'):format(term, self:commands()))
end

-- The program itself does not tell when a disk is full.
local function draw(self, term, file)
   local picture = drawn(self, term)
   if picture then
      program.write('the picture', file, picture)
   end
end

local function show(self)
   local written, reason = io.stdout:write(drawn(self, self:terminal()) or '')
   if written then
      written, reason = io.stdout:flush()
   end
   if not written then
      fail('the plot cannot be written to the standard output: %s', reason)
   end
   self.changed = false
end

-- To a window.
local function send(self, commands)
   if not self.give then
      self.give, self.stop = program.start()
      commands = 'set terminal ' .. self:terminal() .. '\n' .. self:commands()
   end
   local ok, message = pcall(self.give, commands)
   if not ok then
      self.give = nil
      error(message, 0)
   end
end

-- What a new command makes visible at once.
local function update(self, commands, plotting)
   if self.file or self.script then
      return
   elseif program.isWindow(self:terminal()) then
      send(self, plotting and self:commands() or commands .. (self.plotted and 'replot\n' or ''))
      self.changed = false
   elseif plotting and not self.multiplot then
      show(self)
   end
end

--- Add commands. One with a key replaces what had the key before; 'plot' is what is drawn. If
-- gnuplot refuses them the figure is as it was.
-- @string[opt] key
-- @string commands
-- @string[opt] needs commands that come before all settings, which may be others
function Figure:add(key, commands, needs)
   local plotting, former = key == 'plot', self.items
   local multiplot, plotted = self.multiplot, self.plotted
   self.multiplot = multiplot or plotting and commands:match '^%s*set%s+multiplot' ~= nil
   self.items = {}
   for _, item in ipairs(former) do
      if key == nil or item.key ~= key or self.multiplot then
         table.insert(self.items, item)
      end
   end
   table.insert(self.items, { key = key, text = commands, needs = needs })
   self.plotted, self.changed = plotted or plotting, true
   local ok, message = pcall(update, self, commands, plotting)
   if not ok then
      self.items, self.multiplot, self.plotted = former, multiplot, plotted
      error(message, 0)
   end
end

--- Draw what was not drawn yet.
function Figure:flush()
   if not (self.changed and self.plotted) then
      return
   elseif self.script then
      program.write('the script', self.script, self:commands())
   elseif self.file then
      draw(self, self:terminal(), self.file)
   elseif not program.isWindow(self:terminal()) then
      show(self)
   end
   self.changed = false
end

--- Draw it into another file.
function Figure:print(term, file)
   if not self.plotted then
      fail('figprint: nothing is plotted in the figure yet')
   end
   draw(self, term, file)
end

--- Draw what was not drawn yet, and let go of a window, which stays.
function Figure:close()
   if self.file or self.script then
      self:flush()
   end
   if self.stop then
      self.stop()
      self.give, self.stop = nil, nil
   end
end

--- Close a figure: it is none any more.
function M.close(n)
   local figure = figures[n]
   figures[n] = nil
   if current == n then
      current = M.numbers()[1]
   end
   if figure then
      figure:close()
   end
end

-- Files that nobody flushed are drawn when the process ends.
M.atEnd = newproxy(true)
getmetatable(M.atEnd).__gc = function()
   for _, figure in pairs(figures) do
      local ok, message = pcall(figure.close, figure)
      if not ok then
         io.stderr:write(tostring(message), '\n')
      end
   end
end

return M
