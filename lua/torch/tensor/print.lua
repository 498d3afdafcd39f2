--- Tensors and storages as text, in Torch7's format.
-- @module torch.tensor.print
local class = require 'torch.class'
local th = require 'torch.ffi'
local convert = require 'torch.functions.convert'
local Tensors = require 'torch.Tensor'

local LINE = 80 -- columns of a terminal

local T = {}

local function exponent(x)
   return x == 0 and 1 or math.floor(math.log10(x)) + 1
end

--- How to show a set of numbers: one width and format for all of them.
-- @param values DoubleTensor, contiguous
-- @return format, number to divide by first, width in characters
local function layout(values)
   local flat, n = values:view(values:nElement()), values:nElement()
   local integral, smallest, largest = true, math.huge, 0
   local digits = 0 -- at least so many, for the sake of NaN
   for i = 1, n do
      local x = math.abs(flat[i])
      if x ~= x then
         digits = #'nan'
      else
         if x ~= math.huge and x ~= math.floor(x) then
            integral = false
         end
         smallest, largest = math.min(smallest, x), math.max(largest, x)
      end
   end
   if smallest > largest then -- nothing but NaN
      smallest = largest
   end
   local low, high = exponent(smallest), exponent(largest)
   if integral then
      if high > 9 then
         return '%11.4e', 1, 11
      end
      local width = math.max(high, digits) + 1
      return ('%%%dd'):format(width), 1, width
   elseif high - low > 4 then
      local width = (math.abs(high) > 99 or math.abs(low) > 99) and 12 or 11
      return ('%%%d.4e'):format(width), 1, width
   elseif high > 5 or high < 0 then
      return '%7.4f', 10 ^ (high - 1), 7
   end
   local width = high == 0 and 7 or high + 6
   return ('%%%d.4f'):format(width), 1, width
end

-- C's %d of an infinity is undefined, and its text for a NaN may have a sign.
local function show(format, width, x)
   if x - x ~= 0 then
      local text = x > 0 and 'inf' or x < 0 and '-inf' or 'nan'
      return (' '):rep(width - #text) .. text
   end
   return format:format(x)
end

local function scaleLine(scale)
   return ('%g *\n'):format(scale)
end

local function vectorText(values, format, scale, width)
   local lines = {}
   if scale ~= 1 then
      lines[1] = scaleLine(scale)
   end
   for i = 1, values:nElement() do
      lines[#lines + 1] = show(format, width, values[i] / scale) .. '\n'
   end
   return table.concat(lines)
end

-- One matrix; columns that do not fit into a line follow in blocks of their own.
local function matrixText(m, indent, format, scale, width)
   local rows, columns = m:size(1), m:size(2)
   local perBlock = math.floor((LINE - #indent) / (width + 1))
   perBlock = math.max(perBlock, 1)
   local text = {}
   for first = 1, columns, perBlock do
      local last = math.min(first + perBlock - 1, columns)
      if perBlock < columns then
         if first > 1 then
            text[#text + 1] = '\n'
         end
         text[#text + 1] = ('%sColumns %d to %d\n'):format(first == 1 and indent or '', first, last)
      end
      if scale ~= 1 then
         text[#text + 1] = indent .. scaleLine(scale)
      end
      for i = 1, rows do
         local row = {}
         for j = first, last do
            row[#row + 1] = show(format, width, m[{ i, j }] / scale)
         end
         text[#text + 1] = indent .. (scale ~= 1 and ' ' or '') .. table.concat(row, ' ') .. '\n'
      end
   end
   return table.concat(text)
end

-- All matrices of the last two dimensions, the first index running fastest.
local function stackText(values, format, scale, width)
   local text = {}
   local ndim = values:dim()
   local index, total = {}, 1
   for d = 1, ndim - 2 do
      index[d], total = 1, total * values:size(d)
   end
   for k = 1, total do
      local m = values
      for d = 1, ndim - 2 do
         m = m[index[d]]
      end
      if k > 1 then
         text[#text + 1] = '\n'
      end
      text[#text + 1] = ('(%s,.,.) = \n'):format(table.concat(index, ','))
      text[#text + 1] = matrixText(m, ' ', format, scale, width)
      for d = 1, ndim - 2 do
         index[d] = index[d] + 1
         if index[d] <= values:size(d) then
            break
         end
         index[d] = 1
      end
   end
   return table.concat(text)
end

--- The elements as text with type and sizes below, matrix by matrix.
-- @usage tostring(t), print(t)
function T.__tostring__(t)
   local name = class.typename(t)
   if t.ndim == 0 then
      return ('[%s with no dimension]\n'):format(name)
   end
   if t.flags ~= 0 then
      t = t:detach()
   end
   local values = convert.methods.double(t):contiguous()
   local format, scale, width = layout(values)
   local body
   if t.ndim == 1 then
      body = vectorText(values, format, scale, width)
   elseif t.ndim == 2 then
      body = matrixText(values, '', format, scale, width)
   else
      body = stackText(values, format, scale, width)
   end
   local sizes = {}
   for d = 1, t.ndim do
      sizes[d] = tonumber(t.sizes[d - 1])
   end
   return ('%s[%s of size %s]\n'):format(body, name, table.concat(sizes, 'x'))
end

--- A storage prints like a vector, under its own type's name.
local function storageText(s)
   local name, n = class.typename(s), #s
   local body = ''
   if n > 0 then
      local doubles = s:type 'torch.DoubleStorage'
      local values = Tensors.setStorage(Tensors.empty(th.C.TH_DOUBLE), doubles, 1, n, 1)
      local format, scale, width = layout(values)
      body = vectorText(values, format, scale, width)
   end
   return ('%s[%s of size %d]\n'):format(body, name, n)
end

return {
   methods = T, functions = {}, storageText = storageText, layout = layout, show = show,
}
