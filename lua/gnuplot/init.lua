--- gnuplot: curves, surfaces, images and histograms of tensors, drawn by the program gnuplot.
--
--     local gnuplot = require 'gnuplot'
--     gnuplot.plot('sine', torch.linspace(0, 6), torch.sin(torch.linspace(0, 6)), '-')
--     gnuplot.pngfigure 'loss.png'
--     gnuplot.plot({ 'train', losses, '-' }, { 'test', others, '+' })
--     gnuplot.xlabel 'epoch'
--     gnuplot.plotflush()
--
-- A figure goes to a window where there is a display and gnuplot has windows, and otherwise to the
-- terminal as text; or into a file. The program is started when it is needed: Debian's package is
-- gnuplot-nox, gnuplot-qt has windows. `gnuplot.scriptfigure` writes what would be drawn as a
-- script.
-- @module gnuplot
local torch = require 'torch'
require('torch.errors').library()

local curves = require 'gnuplot.curves'
local figures = require 'gnuplot.figures'
local histograms = require 'gnuplot.hist'
local program = require 'gnuplot.program'
local text = require 'gnuplot.text'

local fail = program.fail

local M = require 'gnuplot.module'
require 'gnuplot.surroundings'

-- Ranges that an earlier plot had are not those of the next one.
local AUTOSCALE = 'set autoscale\n'

-- --- what is drawn ------------------------------------------------------------------------------

--- Plot curves: y over 1, 2, ..., or y over x; a matrix has x in its first column and a curve in
-- each other one. Styles: `-` lines, `+` points, `.` dots, `+-` both, `~` smooth, `|` boxes, `v`
-- arrows (x and y of two columns: where they begin, and how far they go), or gnuplot's own: 'with
-- lines lw 2'. What is no finite number is a gap; where there is nothing else, nothing is drawn,
-- which is said on stderr.
-- @usage gnuplot.plot(y)
-- gnuplot.plot([title,] x [, y] [, style])
-- gnuplot.plot({ [title,] x [, y] [, style] }, { ... })
-- @raise "gnuplot: plot: x has 3 elements (3), and y has 4 (4); expected as many"
function M.plot(...)
   local commands = curves.plot(...)
   figures.current():add('plot', commands, AUTOSCALE)
end

--- Plot matrices as surfaces: z over rows and columns, or z over x and y.
-- @usage gnuplot.splot([title,] [x, y,] z)
-- gnuplot.splot({ ... }, { ... })
function M.splot(...)
   local commands = curves.splot(...)
   figures.current():add('plot', commands, AUTOSCALE)
end

--- Plot points in space.
-- @usage gnuplot.scatter3([title,] x, y, z)
-- gnuplot.scatter3({ ... }, { ... })
function M.scatter3(...)
   local commands = curves.scatter3(...)
   figures.current():add('plot', commands, AUTOSCALE)
end

--- Plot a matrix as an image, the first row on top.
-- @param z matrix
-- @string[opt='gray'] palette 'gray' or 'color'
function M.imagesc(z, palette)
   palette = palette or 'gray'
   if not torch.isTensor(z) or z:dim() ~= 2 then
      fail('imagesc: expected a matrix, got %s', not torch.isTensor(z) and torch.type(z)
         or ('a tensor of %d dimensions'):format(z:dim()))
   elseif palette ~= 'gray' and palette ~= 'color' then
      fail("imagesc: the palette is 'gray' or 'color', got %s", tostring(palette))
   end
   figures.current():add('plot', text.matrix('data1', z:double())
      .. 'plot $data1 matrix using ($1+1):($2+1):3 notitle with image\n',
      ('set palette %s\nset xrange [0.5:%s]\nset yrange [%s:0.5]\n'):format(palette == 'gray'
         and 'gray' or 'rgbformulae 33,13,10', text.number(z:size(2) + 0.5),
         text.number(z:size(1) + 0.5)))
end

--- Plot the heights of a tensor as bars.
-- @param t vector
-- @number[opt=0.8] width of a bar
function M.bar(t, width)
   if not torch.isTensor(t) or t:nElement() == 0 then
      fail('bar: expected a tensor with elements, got %s', torch.type(t))
   elseif width ~= nil and (type(width) ~= 'number' or width <= 0 or width ~= width) then
      fail('bar: the width is %s; expected a number above 0', tostring(width))
   end
   local y = t:double():contiguous():view(-1)
   figures.current():add('plot', text.columns('data1', { torch.range(1, y:size(1)), y })
      .. 'plot $data1 using 1:2 notitle with boxes\n',
      ('%sset boxwidth %g\nset style fill solid 0.5\n'):format(AUTOSCALE, width or 0.8))
end

--- Count the elements of a tensor by bins.
-- @param t tensor of any dimensions
-- @int[opt] bins how many; the root of a tenth of the elements otherwise
-- @number[opt] min elements below do not count; the least element otherwise
-- @number[opt] max
-- @return table: for each bin { val = its middle, nb = how many }; also min, max, binwidth; x and
-- hist, the same as tensors. tostring shows bars.
-- @example gnuplot.histc(torch.Tensor { 1, 2, 2, 4 }, 3).hist --> { 1, 2, 1 }
function M.histc(t, bins, min, max)
   return histograms.count('histc', t, bins, min, max)
end

--- Plot how the elements of a tensor are distributed.
-- @param t tensor of any dimensions
-- @int[opt] bins how many
-- @number[opt] min
-- @number[opt] max
-- @return what histc gives
function M.hist(t, bins, min, max)
   local h = histograms.count('hist', t, bins, min, max)
   figures.current():add('plot', text.columns('data1', { h.x, h.hist })
      .. 'plot $data1 using 1:2 notitle with boxes\n',
      ('set boxwidth %s\nset style fill solid 0.5\nset xrange [%s:%s]\nset yrange [0:*]\n')
         :format(text.number(h.binwidth), text.number(h.min), text.number(h.max)))
   return h
end

-- --- figures ------------------------------------------------------------------------------------

--- Go to a figure, which is made if there is none of that number; without one to a new figure.
-- @int[opt] n
-- @return its number
function M.figure(n)
   figures.checkNumber('figure', n)
   return figures.select(n)
end

--- The number of the current figure; nil without one.
function M.getfigure()
   return figures.number()
end

local TERMINALS = {
   png = { 'pngcairo', 'png' }, eps = { 'postscript eps enhanced color' }, svg = { 'svg' },
   pdf = { 'pdfcairo enhanced color', 'pdf enhanced color' },
}

local function checkFile(operation, file)
   if type(file) ~= 'string' or file == '' or file:find '[%z\n]' then
      fail('%s: expected a file name, got %s', operation, file == nil and 'nil'
         or type(file) == 'string' and 'one that is empty or has a NUL or a new line'
         or 'a ' .. torch.type(file))
   end
   local folder = file:match '^(.*)/[^/]*$'
   if folder and folder ~= '' and require('lfs').attributes(folder, 'mode') ~= 'directory' then
      fail("%s: cannot write '%s': its directory does not exist: make %s first", operation, file,
         folder)
   end
   return file
end

local function fileFigure(operation, kind)
   return function(file, n)
      figures.checkNumber(operation, n)
      checkFile(operation, file)
      return figures.select(n, { file = file, term = program.first(unpack(TERMINALS[kind])) })
   end
end

--- Begin a figure that goes into a file, when plotflush or close is called, or the process ends.
-- @function pngfigure
-- @function epsfigure
-- @function svgfigure
-- @function pdffigure
-- @string file
-- @int[opt] n the figure's number
-- @return its number
-- @usage gnuplot.pngfigure(file [, n])
-- @raise "gnuplot: pngfigure: cannot write 'no/x.png': its directory does not exist: ..."
M.pngfigure, M.epsfigure = fileFigure('pngfigure', 'png'), fileFigure('epsfigure', 'eps')
M.svgfigure, M.pdffigure = fileFigure('svgfigure', 'svg'), fileFigure('pdffigure', 'pdf')

--- Begin a figure that goes into a file as gnuplot's commands, with its data: `gnuplot -p file`
-- draws it. This needs no gnuplot.
-- @string file
-- @int[opt] n the figure's number
-- @return its number
function M.scriptfigure(file, n)
   figures.checkNumber('scriptfigure', n)
   return figures.select(n, { script = checkFile('scriptfigure', file), term = 'unknown' })
end

--- The commands of a figure, as gnuplot is given them.
-- @int[opt] n the current figure otherwise
-- @return string
function M.commands(n)
   figures.checkNumber('commands', n)
   local figure = figures.find(n)
   return figure and figure:commands() or ''
end

--- Draw the current figure into a file as well, of the kind that its name ends in: png, eps, svg,
-- pdf.
-- @string file
function M.figprint(file)
   checkFile('figprint', file)
   local kinds = TERMINALS[file:match '%.(%w+)$' or '']
   if not kinds then
      fail("figprint: '%s' says no kind of picture; expected a name that ends in .png, .eps, .svg "
         .. 'or .pdf', file)
   end
   figures.current():print(program.first(unpack(kinds)), file)
end

--- Draw what was not drawn yet: a figure that goes into a file is in it then. On a text terminal
-- the figure is shown again with what was set since.
-- @int[opt] n the figure's number; all figures that go into files, and the current one, otherwise
function M.plotflush(n)
   figures.checkNumber('plotflush', n)
   if n then
      local figure = figures.find(n) or fail('plotflush: there is no figure %d', n)
      figure:flush()
      return
   end
   for _, number in ipairs(figures.numbers()) do
      local figure = figures.find(number)
      if figure.file or figure.script or number == figures.number() then
         figure:flush()
      end
   end
end

--- Close a figure; a window stays, a file is drawn.
-- @int[opt] n the current figure otherwise
function M.close(n)
   figures.checkNumber('close', n)
   n = n or figures.number()
   if n then
      figures.close(n)
   end
end

--- Close all figures.
function M.closeall()
   for _, n in ipairs(figures.numbers()) do
      figures.close(n)
   end
end

-- --- the program --------------------------------------------------------------------------------

--- Terminal for figures that go to no file, from now on: 'dumb', 'qt', 'x11', or with options:
-- 'dumb size 120,40'.
-- @string name
function M.setterm(name)
   if type(name) ~= 'string' or not name:match '^%a' or name:find '[%z\n]' then
      fail("setterm: expected a terminal of gnuplot, 'dumb' for example, got %s", tostring(name))
   end
   figures.setTerm(name)
end

--- Use another program from now on, which has to be gnuplot.
-- @string path
-- @raise "gnuplot: there is no program '/opt/gnuplot'; ..."
function M.setgnuplotexe(path)
   if type(path) ~= 'string' or path == '' or path:find '%z' then
      fail('setgnuplotexe: expected the path of a program, got %s', tostring(path))
   end
   program.set(path)
end

rawset(_G, 'gnuplot', M) -- scripts of Torch7 use the global

return M
