--- Curves in a picture, by the program gnuplot.

local torch = require 'torch'

local curves = {}

--- Draw lists of numbers.
-- @string path of a .png or .svg; nothing is drawn for ''
-- @tparam table lists { title, list of numbers [, style] } for each curve
-- @string xlabel
-- @string ylabel
function curves.draw(path, lists, xlabel, ylabel)
   if path == '' then
      return
   end
   local gnuplot = require 'gnuplot'
   local all = {}
   for i, entry in ipairs(lists) do
      all[i] = { entry[1], torch.range(1, #entry[2]), torch.Tensor(entry[2]), entry[3] or '-' }
   end
   gnuplot[path:match '%.svg$' and 'svgfigure' or 'pngfigure'](path)
   gnuplot.plot(all)
   gnuplot.xlabel(xlabel)
   gnuplot.ylabel(ylabel)
   gnuplot.movelegend('right', 'bottom')
   gnuplot.plotflush()
end

return curves
