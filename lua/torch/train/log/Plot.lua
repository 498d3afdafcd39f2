--- Curves of a training in a picture, drawn anew after each epoch; needs the program gnuplot.
-- @classmod train.Plot
-- @usage local plot = require('torch.train').Plot('run/curves.png')

local torch = require 'torch'
local makeParents = require 'paths.parents'
local train = require 'torch.train.module'
local options = require 'torch.options'

local Plot = torch.class('train.Plot', train)

local FIGURES = { png = 'pngfigure', pdf = 'pdffigure', svg = 'svgfigure', eps = 'epsfigure' }

--- @string path of a .png, .svg, .pdf or .eps; '-' draws on the terminal, in characters
-- @tparam[opt] table names of the values to draw; by default those whose name has 'loss'
-- The field `drawn` says whether there is a picture by now.
-- @raise "train.Plot: curves.gif: pictures are .png, .svg, .pdf or .eps"
function Plot:__init(path, names)
   local ending = type(path) == 'string' and path:match '%.(%a+)$'
   if path ~= '-' and not FIGURES[ending or ''] then
      options.fail('train.Plot: %s: pictures are .png, .svg, .pdf or .eps', tostring(path))
   end
   self.path, self.names, self.rows = path, names, {}
end

local function names_of(self)
   if self.names then
      return self.names
   end
   local names = {}
   for _, name in ipairs(train.Console.columns(self.rows[1])) do
      names[#names + 1] = name:find 'loss' and name or nil
   end
   return names
end

-- What the values are: the name that they share but for 'validation.'; nil if they share none.
local function quantity_of(names)
   local shared = names[1] and names[1]:match '[^.]+$'
   for _, name in ipairs(names) do
      if name:match '[^.]+$' ~= shared then
         return nil
      end
   end
   return shared
end

--- The values of an epoch, with which the picture is drawn anew.
-- Without the package or the program, says so once and does nothing: a picture must not end a run.
-- @tab row numbers by name
function Plot:add(row)
   self.rows[#self.rows + 1] = row
   if self.failed then
      return
   end
   local ok, message = pcall(self.draw, self)
   if not ok then
      self.failed = true
      io.stderr:write(('train.Plot: cannot draw %s: %s\n'):format(self.path, tostring(message)))
   end
end

--- Go on with a run that was killed.
-- @int _ step of the checkpoint
-- @tab rows that it knows of
function Plot:goOn(_, rows)
   self.rows = { unpack(rows) }
end

--- Draw the curves of all rows so far.
function Plot:draw()
   local gnuplot = require 'gnuplot'
   local x, curves, names = torch.Tensor(#self.rows), {}, names_of(self)
   local style = #self.rows > 1 and 'with lines linewidth 2'
      or 'with points pointtype 7' -- a line of one point is none
   for i, row in ipairs(self.rows) do
      x[i] = row.epoch or i
   end
   for _, name in ipairs(names) do
      local y = torch.Tensor(#self.rows)
      for i, row in ipairs(self.rows) do
         y[i] = row[name] or 0 / 0
      end
      curves[#curves + 1] = { name, x, y, style }
   end
   local before = gnuplot.getfigure and gnuplot.getfigure()
   if self.path == '-' then
      gnuplot.figure()
      gnuplot.raw 'set term dumb'
   else
      makeParents(self.path)
      gnuplot[FIGURES[self.path:match '%.(%a+)$']](self.path)
   end
   gnuplot.plot(curves)
   gnuplot.xlabel 'epoch'
   local quantity, first = quantity_of(names), curves[1] and curves[1][3]
   if quantity then
      gnuplot.ylabel(quantity)
   end
   if first and first[#self.rows] > first[1] then -- where a rising curve is not
      gnuplot.movelegend('right', 'bottom')
   end
   gnuplot.grid(true)
   gnuplot.plotflush()
   self.drawn = true
   if before then
      gnuplot.figure(before)
   end
end
