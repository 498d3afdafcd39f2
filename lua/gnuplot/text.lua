--- Texts and numbers as gnuplot reads them.
-- @module gnuplot.text
local M = {}

--- A text in quotes. What gnuplot would run or replace in one is written as a number.
function M.quoted(text)
   return '"' .. tostring(text):gsub('[%c"\'`\\@$]', function(c)
      return c == '\n' and '\\n' or ('\\%03o'):format(c:byte())
   end) .. '"'
end

--- A number with as many digits as read back as the same one.
function M.number(x)
   if x - x ~= 0 then
      return 'NaN' -- what is no number leaves a gap
   end
   for _, form in ipairs { '%.9g', '%.15g' } do
      local text = form:format(x)
      if tonumber(text) == x then
         return text
      end
   end
   return ('%.17g'):format(x)
end

local number = M.number

local function block(name, lines)
   return ('$%s << EOD\n%s\nEOD\n'):format(name, table.concat(lines, '\n'))
end

--- Vectors of one length as the columns of a data block.
-- @string name of the block
-- @param columns list of tensors of one dimension
function M.columns(name, columns)
   local lines, row = {}, {}
   for i = 1, columns[1]:size(1) do
      for j, column in ipairs(columns) do
         row[j] = number(column[i])
      end
      lines[i] = table.concat(row, ' ')
   end
   return block(name, lines)
end

--- Matrices of one shape as the points of a surface: a line for each, an empty one after a row.
function M.surface(name, matrices)
   local lines, row = {}, {}
   local first = matrices[1]
   for i = 1, first:size(1) do
      for j = 1, first:size(2) do
         for k, matrix in ipairs(matrices) do
            row[k] = number(matrix[i][j])
         end
         lines[#lines + 1] = table.concat(row, ' ')
      end
      lines[#lines + 1] = ''
   end
   return block(name, lines)
end

--- A matrix, a line for each row.
function M.matrix(name, matrix)
   local lines = {}
   for i = 1, matrix:size(1) do
      local row = {}
      for j = 1, matrix:size(2) do
         row[j] = number(matrix[i][j])
      end
      lines[i] = table.concat(row, ' ')
   end
   return block(name, lines)
end

return M
