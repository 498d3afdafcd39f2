--- Tensors summed up: what a prompt shows of those that would fill the screen.
-- @module torch.tensor.summary
local class = require 'torch.class'
local printing = require 'torch.tensor.print'
local torch = require 'torch'

local M = {}

local LINES = 60 -- of text that are shown in full
local WIDTH = 80
local EDGE = { vector = 5, matrix = 5, columns = 4 } -- first and last that are shown

local function lines_of(t)
   if t:dim() == 1 then
      return t:size(1)
   elseif t:dim() == 0 then
      return 1
   end
   local columns = t:size(t:dim())
   local rows = t:nElement() / columns
   return rows * math.ceil(columns / 8)
end

--- Whether the text of a tensor or storage is too long to be shown in full.
function M.isLarge(x)
   if class.isStorage(x) then
      return #x > LINES
   end
   return lines_of(x) > LINES
end

-- The first and the last positions of n, with 0 for what is left out between them.
local function positions(n, edge)
   local list = {}
   for i = 1, n do
      if n <= 2 * edge + 1 or i <= edge or i > n - edge then
         list[#list + 1] = i
      elseif i == edge + 1 then
         list[#list + 1] = 0
      end
   end
   return list
end

-- Only the ends of a tensor, as doubles on the host: what is on a device stays there.
local function pick(t, edges)
   local lists = {}
   for d = 1, t:dim() do
      local edge = edges[d]
      lists[d] = positions(t:size(d), edge)
      if t:size(d) > 2 * edge + 1 then
         local long = t:size(d) - edge + 1
         t = torch.cat(t:narrow(d, 1, edge), t:narrow(d, long, edge), d)
      end
   end
   return t:double(), lists
end

local function row_text(row, list, format, scale, width)
   local texts, at = {}, 0
   for i, position in ipairs(list) do
      if position == 0 then
         texts[i] = ' ...'
      else
         at = at + 1
         texts[i] = printing.show(format, width, row[at] / scale)
      end
   end
   return table.concat(texts, ' ')
end

local function matrix_lines(lines, m, lists, indent, format, scale, width)
   local at = 0
   for _, position in ipairs(lists[1]) do
      if position == 0 then
         lines[#lines + 1] = indent .. ' ...'
      else
         at = at + 1
         lines[#lines + 1] = indent .. row_text(m[at], lists[2], format, scale, width)
      end
   end
end

local function sizes_text(t)
   return table.concat(t:size():totable(), 'x')
end

--- A tensor's or storage's first and last elements, `...` between them, type and sizes below.
-- @param t
-- @return string, without an end of line
function M.text(t)
   local name = class.typename(t)
   if class.isStorage(t) then
      local view = torch[name:match '%.(.*)Storage$' .. 'Tensor'](t)
      return (M.text(view):gsub('\n%[[^\n]*%]$', ('\n[%s of size %d]'):format(name, #t)))
   end
   local n, edges = t:dim(), {}
   for d = 1, n do
      edges[d] = d == n and (n == 1 and EDGE.vector or EDGE.columns)
         or d == n - 1 and EDGE.matrix or 1
   end
   local values, lists = pick(t, edges)
   local format, scale, width = printing.layout(values:contiguous())
   -- Wide numbers: fewer columns.
   if n > 1 and #lists[n] * (width + 1) > WIDTH and t:size(n) > 5 then
      edges[n] = 2
      values, lists = pick(t, edges)
      format, scale, width = printing.layout(values:contiguous())
   end
   local lines = {}
   if scale ~= 1 then
      lines[1] = ('%g *'):format(scale)
   end
   if n == 1 then
      local at = 0
      for _, position in ipairs(lists[1]) do
         at = at + (position == 0 and 0 or 1)
         lines[#lines + 1] = position == 0 and ' ...'
            or printing.show(format, width, values[at] / scale)
      end
   elseif n == 2 then
      matrix_lines(lines, values, lists, '', format, scale, width)
   else
      -- The first matrix and the last.
      for step, end_of in ipairs { 'first', 'last' } do
         local m, label = values, {}
         for d = 1, n - 2 do
            local at = end_of == 'first' and 1 or m:size(1)
            label[d] = end_of == 'first' and 1 or t:size(d)
            m = m[at]
         end
         if step == 1 or t:nElement() > t:size(n - 1) * t:size(n) then
            if step == 2 then
               lines[#lines + 1] = '...'
            end
            lines[#lines + 1] = ('(%s,.,.) ='):format(table.concat(label, ','))
            matrix_lines(lines, m, { lists[n - 1], lists[n] }, ' ', format, scale, width)
         end
      end
   end
   lines[#lines + 1] = ('[%s of size %s]'):format(name, sizes_text(t))
   return table.concat(lines, '\n')
end

return M
