--- What the arguments of plot, splot and scatter3 say: curves, surfaces and clouds of points.
-- @module gnuplot.curves
local torch = require 'torch'
local program = require 'gnuplot.program'
local text = require 'gnuplot.text'

local fail = program.fail

local M = {}

local STYLES = {
   ['-'] = 'with lines', ['+'] = 'with points', ['.'] = 'with dots', ['+-'] = 'with linespoints',
   ['-+'] = 'with linespoints', ['~'] = 'smooth csplines with lines', ['|'] = 'with boxes',
   v = 'with vectors',
}

-- matplotlib writes a colour, a mark of points and a kind of line in any order: 'r-', 'o--', '--b'.
local COLOURS = {
   b = 'blue', g = 'green', r = 'red', c = 'cyan', m = 'magenta', y = 'yellow', k = 'black',
   w = 'white',
}
local DASHES = { ['--'] = ' dashtype 2', [':'] = ' dashtype 3', ['-.'] = ' dashtype 4' }

-- gnuplot's words for a style of matplotlib's; nil where it is none.
local function ofMatplotlib(style)
   local line = style:match '%-%-' or style:match '%-%.' or style:match '[-:]'
   local rest = line and style:gsub(line:gsub('%p', '%%%0'), '', 1) or style
   local colour, mark = rest:match '[bgrcmykw]', rest:match '[ov^<>s*xDd+.]'
   if #rest ~= (colour and 1 or 0) + (mark and 1 or 0) or #style == 0 then
      return nil
   end
   return ('with %s%s%s'):format(not mark and 'lines' or line and 'linespoints' or 'points',
      line and DASHES[line] or '', colour and (" linecolor '%s'"):format(COLOURS[colour]) or '')
end

local function unknownStyle(operation, value)
   local words = ofMatplotlib(value)
   if words then
      fail('%s: the style \'%s\' is matplotlib\'s; here it is "%s"', operation, value, words)
   end
   fail("%s: the style '%s' is unknown; expected '-', '+', '.', '+-', '~', '|', 'v' or "
      .. "gnuplot's own, as 'with lines lw 2'", operation, value)
end

-- The arguments as lists of what belongs to one curve each.
local function curves(operation, ...)
   local n, first = select('#', ...), (...)
   if n == 0 then
      fail('%s: nothing to plot: expected a tensor', operation)
   elseif torch.type(first) ~= 'table' then
      return { { ... } }
   end
   local list = { ... }
   if n == 1 and torch.type(first[1]) == 'table' then
      list = first
   end
   for i, one in ipairs(list) do
      if torch.type(one) ~= 'table' then
         fail('%s: argument %d is a %s; expected a table such as { title, x, y } for each curve',
            operation, i, torch.type(one))
      end
   end
   return list
end

-- One curve: its title, its tensors and its style.
local function read(operation, one, many, i)
   local curve = { tensors = {}, title = many and ('Data %d'):format(i) or nil }
   for place = 1, table.maxn(one) do
      local value = one[place]
      if torch.isTensor(value) then
         if curve.style then
            fail('%s: a tensor follows a style, which is the last of a curve; several curves are '
               .. 'tables: %s({ x, y, style }, { x, y, style })', operation, operation)
         elseif value:nElement() == 0 then
            fail('%s: a tensor is empty; there is nothing to plot', operation)
         end
         local host = value:double() -- from any type and device
         table.insert(curve.tensors, host)
      elseif type(value) == 'string' and #curve.tensors == 0 then
         curve.title = value
      elseif type(value) == 'string' then
         curve.style = STYLES[value] or value:match '^%s*with%s' and value
            or value:match '^%s*smooth%s' and value or unknownStyle(operation, value)
      elseif type(value) == 'number' then
         fail('%s: numbers are drawn from a tensor: torch.Tensor { %s, ... }', operation, value)
      else
         fail('%s: expected tensors, before them a title, behind them a style; got %s', operation,
            value == nil and 'nil' or 'a ' .. torch.type(value))
      end
   end
   if #curve.tensors == 0 then
      fail('%s: no tensor is given', operation)
   end
   return curve
end

local function titled(curve)
   return curve.title and 'title ' .. text.quoted(curve.title) or 'notitle'
end

-- Title and style; 'smooth' stands before 'title' in gnuplot.
local function dressed(curve)
   local smooth = ''
   local style = (curve.style or ''):gsub('%f[%w]smooth%s+%S+%s*', function(words)
      smooth = words:gsub('%s+$', '') .. ' '
      return ''
   end, 1)
   return ((smooth .. titled(curve) .. ' ' .. style):gsub('%s+$', ''))
end

local function parse(operation, ...)
   local list = curves(operation, ...)
   local result = {}
   for i, one in ipairs(list) do
      result[i] = read(operation, one, #list > 1, i)
   end
   return result
end

local function sizes(t)
   return table.concat(t:size():totable(), 'x')
end

-- Columns of a curve of plot, and how gnuplot is to use them: a list, for a matrix has several.
local function columnsOf(curve)
   local x, y = curve.tensors[1], curve.tensors[2]
   if #curve.tensors > 2 then
      fail('plot: %d tensors for one curve; expected y, or x and y: put several curves into tables',
         #curve.tensors)
   elseif curve.style == 'with vectors' then
      if not y or x:dim() ~= 2 or y:dim() ~= 2 or x:size(2) ~= 2 or not x:isSameSizeAs(y) then
         fail("plot: vectors ('v') want x and y of two columns each: where they begin, and how far "
            .. 'they go')
      end
      return { x:select(2, 1), y:select(2, 1), x:select(2, 2), y:select(2, 2) }, { '1:2:3:4' }
   elseif y then
      if x:nElement() ~= y:nElement() then
         fail('plot: x has %d elements (%s), and y has %d (%s); expected as many', x:nElement(),
            sizes(x), y:nElement(), sizes(y))
      end
      return { x:contiguous():view(-1), y:contiguous():view(-1) }, { '1:2' }
   elseif x:dim() > 2 then
      fail('plot: a tensor of %d dimensions (%s); expected a vector, or a matrix with x in its '
         .. 'first column', x:dim(), sizes(x))
   elseif x:dim() == 2 and x:size(2) > 1 then
      local columns, using = {}, {}
      for j = 1, x:size(2) do
         columns[j] = x:select(2, j)
      end
      local style = curve.style or ''
      local own = style:match '^%s*with' and not style:match '^with %a+$'
      if own then -- gnuplot's own style knows what to do with all columns
         using[1] = '1'
         for j = 2, #columns do
            using[1] = using[1] .. ':' .. j
         end
      else
         for j = 2, #columns do
            using[j - 1] = '1:' .. j
         end
      end
      return columns, using
   end
   local values = x:contiguous():view(-1)
   return { torch.range(1, values:size(1)), values }, { '1:2' }
end

--- The commands for curves.
-- @return data blocks and the plot command, as one text
function M.plot(...)
   local data, parts = {}, {}
   for i, curve in ipairs(parse('plot', ...)) do
      local columns, using = columnsOf(curve)
      local name = 'data' .. i
      data[i] = text.columns(name, columns)
      for _, use in ipairs(using) do
         parts[#parts + 1] = ('$%s using %s %s'):format(name, use, dressed(curve))
      end
   end
   return table.concat(data) .. 'plot ' .. table.concat(parts, ', ') .. '\n'
end

--- The commands for surfaces: z alone, or x, y and z, matrices of one shape.
function M.splot(...)
   local data, parts = {}, {}
   for i, curve in ipairs(parse('splot', ...)) do
      local t = curve.tensors
      if #t ~= 1 and #t ~= 3 then
         fail('splot: %d tensors for one surface; expected z, or x, y and z', #t)
      end
      for _, one in ipairs(t) do
         if one:dim() ~= 2 or not one:isSameSizeAs(t[1]) then
            fail('splot: expected matrices of one size, got %s and %s', sizes(t[1]), sizes(one))
         end
      end
      local rows, columns = t[1]:size(1), t[1]:size(2)
      local matrices = #t == 3 and t or {
         torch.range(1, rows):view(rows, 1):expand(rows, columns),
         torch.range(1, columns):view(1, columns):expand(rows, columns), t[1],
      }
      data[i] = text.surface('data' .. i, matrices)
      parts[i] = ('$data%d using 1:2:3 %s %s'):format(i, titled(curve), curve.style or 'with lines')
   end
   return table.concat(data) .. 'splot ' .. table.concat(parts, ', ') .. '\n'
end

--- The commands for points in space.
function M.scatter3(...)
   local data, parts = {}, {}
   for i, curve in ipairs(parse('scatter3', ...)) do
      local t = curve.tensors
      if #t ~= 3 or t[1]:nElement() ~= t[2]:nElement() or t[1]:nElement() ~= t[3]:nElement() then
         fail('scatter3: expected x, y and z with as many elements each')
      end
      for k = 1, 3 do
         t[k] = t[k]:contiguous():view(-1)
      end
      data[i] = text.columns('data' .. i, t)
      parts[i] = ('$data%d using 1:2:3 %s %s'):format(i, titled(curve),
         curve.style or 'with points')
   end
   return table.concat(data) .. 'splot ' .. table.concat(parts, ', ') .. '\n'
end

return M
