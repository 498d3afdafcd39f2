--- Curves in a picture, by the program gnuplot.

local torch = require 'torch'

local curves = {}

--- Draw lists of numbers.
-- @string[opt] path of a .png or .svg; nothing is drawn without one
-- @tparam table lists { title, list of numbers [, style] } for each curve
-- @string xlabel
-- @string ylabel
function curves.draw(path, lists, xlabel, ylabel)
   if not path then
      return
   end
   local gnuplot = require 'gnuplot'
   local all = {}
   for i, entry in ipairs(lists) do
      all[i] = { entry[1], torch.range(1, #entry[2]), torch.Tensor(entry[2]),
         entry[3] or 'with lines linewidth 2' }
   end
   gnuplot[path:match '%.svg$' and 'svgfigure' or 'pngfigure'](path)
   gnuplot.plot(all)
   gnuplot.xlabel(xlabel)
   gnuplot.ylabel(ylabel)
   gnuplot.raw 'set yrange [0:]'
   gnuplot.grid(true)
   gnuplot.movelegend('right', 'bottom')
   gnuplot.plotflush()
   print('written: ' .. path)
end

--- Draw the returns of episodes, and averages over the last hundred at each.
function curves.returns(path, returns, averages)
   curves.draw(path, {
      { 'an episode', returns, "with points pointtype 7 pointsize 0.4 linecolor rgb 'gray'" },
      { 'average of the last 100', averages, "with lines linewidth 2 linecolor rgb 'dark-green'" },
   }, 'episode', 'steps that the pole stood')
end

return curves
