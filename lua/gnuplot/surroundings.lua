--- What stands around a plot: title, labels, axes, legend; and commands as they are.
-- @module gnuplot.surroundings
local torch = require 'torch'
local M = require 'gnuplot.module'
local figures = require 'gnuplot.figures'
local fail = require('gnuplot.program').fail
local text = require 'gnuplot.text'

local function label(operation, key)
   return function(s)
      if type(s) ~= 'string' and type(s) ~= 'number' then
         fail('%s: expected a text, got %s', operation,
            s == nil and 'nil' or 'a ' .. torch.type(s))
      end
      figures.current():add(key, ('set %s %s\n'):format(key, text.quoted(s)))
   end
end

--- The title of the figure; the labels of its axes.
-- @function title
-- @function xlabel
-- @function ylabel
-- @function zlabel
-- @usage gnuplot.title(text)
M.title, M.xlabel = label('title', 'title'), label('xlabel', 'xlabel')
M.ylabel, M.zlabel = label('ylabel', 'ylabel'), label('zlabel', 'zlabel')

local function switch(operation, value)
   if value == true or value == 'on' then
      return true
   elseif value == false or value == 'off' then
      return false
   end
   fail("%s: expected true, false, 'on' or 'off', got %s", operation, tostring(value))
end

--- Lines at the marks of the axes, or none.
-- @param toggle true, false, 'on' or 'off'
function M.grid(toggle)
   figures.current():add('grid', switch('grid', toggle) and 'set grid\n' or 'unset grid\n')
end

--- A y axis in powers of ten, or an even one.
-- @param toggle true, false, 'on' or 'off'
function M.logscale(toggle)
   figures.current():add('logscale', switch('logscale', toggle) and 'set logscale y\n'
      or 'unset logscale y\n')
end

local HORIZONTAL = { left = 'left', right = 'right', center = 'center' }
local VERTICAL = { top = 'top', bottom = 'bottom', middle = 'center', center = 'center' }

--- Where the legend stands.
-- @string hloc 'left', 'right' or 'center'
-- @string vloc 'top', 'bottom' or 'middle'
function M.movelegend(hloc, vloc)
   if not HORIZONTAL[hloc or ''] or not VERTICAL[vloc or ''] then
      fail("movelegend: expected 'left', 'right' or 'center', then 'top', 'bottom' or 'middle'; "
         .. 'got %s and %s', tostring(hloc), tostring(vloc))
   end
   figures.current():add('key', ('set key %s %s\n'):format(HORIZONTAL[hloc], VERTICAL[vloc]))
end

local AXES = {
   auto = 'set autoscale\n', image = 'set size ratio -1\n', equal = 'set size ratio -1\n',
   fill = 'set size noratio\n',
}

--- The axes: 'auto' shows all data, 'image' or 'equal' draws a circle as a circle, 'fill' takes all
-- room; or limits, of which '' leaves one as it is.
-- @usage gnuplot.axis('auto'|'image'|'equal'|'fill'|{ xmin, xmax, ymin, ymax })
function M.axis(axis)
   if type(axis) == 'string' and AXES[axis] then
      figures.current():add(axis == 'auto' and 'range' or 'size', AXES[axis])
      return
   elseif type(axis) ~= 'table' or #axis ~= 4 then
      fail("axis: expected 'auto', 'image', 'equal', 'fill' or { xmin, xmax, ymin, ymax }, got %s",
         type(axis) == 'string' and axis or 'a ' .. torch.type(axis))
   end
   local limits = {}
   for i = 1, 4 do
      if axis[i] ~= '' and (type(axis[i]) ~= 'number' or axis[i] - axis[i] ~= 0) then
         fail("axis: limit %d is %s; expected a number, or '' to leave it", i, tostring(axis[i]))
      end
      limits[i] = axis[i] == '' and '' or text.number(axis[i])
   end
   figures.current():add('range',
      ('set xrange [%s:%s]\nset yrange [%s:%s]\n'):format(unpack(limits)))
end

--- Give a command to gnuplot as it is. One that plots takes the place of what was plotted.
-- @string command
-- @usage gnuplot.raw 'set xtics rotate'
function M.raw(command)
   if type(command) ~= 'string' then
      fail('raw: expected a command of gnuplot, got %s', command == nil and 'nil'
         or 'a ' .. torch.type(command))
   end
   local plots = command:match '^%s*s?plot%f[%W]' or command:match '^%s*set%s+multiplot'
   figures.current():add(plots and 'plot' or nil, command .. '\n')
end
