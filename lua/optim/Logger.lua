--- A table of numbers that grows by a row at a time, kept in memory and in a text file, and
-- plotted.
--
-- Columns are separated by tabs; the first line has their names. A file that is already there is
-- kept, and new rows follow the old ones: a training run that goes on loses nothing.
-- @classmod optim.Logger
-- @example
-- local logger = optim.Logger 'accuracy.log'
-- logger:setNames { 'train', 'test' }
-- logger:add { 0.93, 0.91 }

local torch = require 'torch'
local optim = require 'optim'
local makeParents = require 'paths.parents'
local raise = require('torch.errors').raise

local Logger = torch.class('optim.Logger', optim)

-- Open the file at its end; what stands in its first line is in self.header then.
local function open(self)
   local file, err = io.open(self.path, 'a+')
   if not file then
      raise(('optim.Logger: cannot write %s: %s'):format(self.path, err))
   end
   file:seek('set')
   self.header = file:read '*l'
   if file:seek('end') > 0 then
      file:seek('end', -1)
      if file:read(1) ~= '\n' then -- a program that ended in the middle of a row
         file:write('\n')
      end
   end
   self.file = file
end

--- @string[opt] filename where to write; nothing is written without. Its folder is made if need be.
-- @bool[opt=false] timestamp put the date and time behind the file's name
function Logger:__init(filename, timestamp)
   if filename then
      self.name = filename
      self.path = timestamp and filename .. os.date('-%Y_%m_%d_%X') or filename
      makeParents(self.path)
      open(self)
      self.epsfile = self.name .. '.eps'
   else
      self.name = 'unknown'
   end
   self.empty = true
   self.symbols = {}
   self.styles = {}
   self.names = {}
   self.idx = {}
   self.figure = nil
   self.showPlot = true
   self.plotRawCmd = nil
   self.defaultStyle = '+'
   self.logscale = false
end

local function write(self, line)
   if self.path and not self.file then -- the logger comes from a file made by torch.save
      open(self)
   end
   if self.file then
      self.file:write(line, '\n')
      self.file:flush()
   end
end

--- Name the columns.
-- @tparam table names strings, in the order of values in `add`
-- @return self
function Logger:setNames(names)
   if type(names) ~= 'table' then
      raise(("optim.Logger: setNames wants a table of names, { 'loss', 'error' }, got a %s"):format(
         torch.type(names)))
   end
   self.names = names
   self.empty = false
   self.nsymbols = #names
   for i, name in ipairs(names) do
      self.symbols[i] = {}
      self.styles[i] = { self.defaultStyle }
      self.idx[name] = i
   end
   local header = table.concat(names, '\t') .. '\t'
   if header ~= self.header then
      write(self, header)
   end
   return self
end

local function column(value)
   if type(value) == 'number' then
      return ('%11.4e'):format(value)
   elseif type(value) == 'string' then
      return value
   end
   raise('optim.Logger: a value must be a number or a string, got a ' .. torch.type(value))
end

-- Without setNames, the keys of the first row name the columns.
local function name_columns(self, symbols)
   local names = {}
   for name in pairs(symbols) do
      names[#names + 1] = name
   end
   table.sort(names, function(a, b)
      return tostring(a) < tostring(b)
   end)
   self:setNames(names)
end

--- Add a row.
-- @tparam table symbols values in the order of the names, or by name
-- @return self
function Logger:add(symbols)
   if self.empty then
      name_columns(self, symbols)
   end
   local row = {}
   for i, name in ipairs(self.names) do
      local value = symbols[name]
      if value == nil then
         value = symbols[i]
      end
      if value == nil then
         raise(('optim.Logger: the row has no value for %s'):format(tostring(name)))
      end
      row[i] = column(value)
      if type(value) == 'number' then
         table.insert(self.symbols[i], value)
      end
   end
   write(self, table.concat(row, '\t') .. '\t')
   return self
end

--- How to draw the columns: gnuplot styles such as '-', '+', '~'.
-- @param symbols one style for all, or a table of styles by column or by name
-- @return self
function Logger:style(symbols)
   for i, name in ipairs(self.names) do
      local style = symbols
      if type(symbols) == 'table' then
         style = symbols[name] or symbols[i]
      end
      self.styles[i] = type(style) == 'table' and style or { style or self.defaultStyle }
   end
   return self
end

--- Whether to draw the y axis logarithmically.
function Logger:setlogscale(state)
   self.logscale = state
   return self
end

--- Whether `plot` shows a window (true) or only writes the .eps file.
function Logger:display(state)
   self.showPlot = state
   return self
end

local function curves(self)
   local plots, plotted = {}, false
   for i, name in ipairs(self.names) do
      if #self.symbols[i] > 0 then
         plotted = plotted or #self.symbols[i] > 1
         for _, style in ipairs(self.styles[i]) do
            local values = torch.Tensor(self.symbols[i])
            plots[#plots + 1] = style == '' and { name, values } or { name, values, style }
         end
      end
   end
   return plots, plotted
end

local function draw(self, gnuplot, plots)
   if self.logscale then
      gnuplot.logscale 'on'
   end
   if self.plotRawCmd then
      gnuplot.raw(self.plotRawCmd)
   end
   gnuplot.plot(plots)
   gnuplot.grid 'on'
   gnuplot.title('<Logger::' .. self.name .. '>')
end

--- Draw the columns over the rows, in a window and in `<filename>.eps`; does nothing before row 2.
-- Needs the package gnuplot; without it, says so once and does nothing.
function Logger:plot(...)
   local found, gnuplot = pcall(require, 'gnuplot')
   if not found then
      if not self.warned then -- a missing picture must not end a training run
         print('optim.Logger: cannot plot: the Lua package gnuplot is not installed')
         self.warned = true
      end
      return
   end
   local plots, plotted = curves(self)
   if not plotted then
      return
   end
   if self.showPlot then
      self.figure = gnuplot.figure(self.figure)
      draw(self, gnuplot, plots)
   end
   if self.epsfile then
      local previous = gnuplot.getfigure and gnuplot.getfigure()
      gnuplot.epsfigure(self.epsfile)
      draw(self, gnuplot, plots)
      gnuplot.plotflush()
      if previous then
         gnuplot.figure(previous)
      end
   end
   return ...
end

return Logger
