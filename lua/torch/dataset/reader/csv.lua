--- Tables in text: comma-separated values.
--
-- Fields may stand in double quotes; then they may hold separators, line ends and doubled quotes
-- (RFC 4180). Lines end with LF or CRLF. Lines without anything are left out.
-- @module torch.dataset.reader.csv
local torch = require 'torch'
local errors = require 'torch.errors'
local options = require 'torch.options'
local bytes = require 'torch.dataset.reader.bytes'
local rows = require 'torch.dataset.reader.rows'

local M = {}

local OPTIONS = {
   separator = { 'text', ',' }, header = { 'boolean', true }, types = { 'list', {} },
   missing = { 'list', { '', 'NA', 'NaN', 'nan', 'null' } }, levels = { 'list', {} },
}

-- Numbers, NaN where one is missing; nil and what is none.
local function asNumbers(column, missing)
   local values = torch.DoubleTensor(#column)
   for i, field in ipairs(column) do
      local value = missing[field] and 0 / 0 or tonumber(field)
      if not value then
         return nil, i
      end
      values[i] = value
   end
   return values
end

local function levelsOf(column, missing)
   local seen, levels = {}, {}
   for _, field in ipairs(column) do
      if not missing[field] and not seen[field] then
         seen[field] = true
         levels[#levels + 1] = field
      end
   end
   table.sort(levels)
   return levels
end

-- Classes from 1 in the order of their names, given or alphabetical, 0 where one is missing; and
-- the names. Without values the first field that is none of them.
local function asClasses(column, missing, levels)
   levels = levels or levelsOf(column, missing)
   local numbers = {}
   for k, level in ipairs(levels) do
      numbers[level] = k
   end
   local values = torch.LongTensor(#column)
   for i, field in ipairs(column) do
      local number = missing[field] and 0 or numbers[field]
      if not number then
         return nil, i
      end
      values[i] = number
   end
   return values, levels
end

local function asText(column, missing)
   local values = {}
   for i, field in ipairs(column) do
      values[i] = not missing[field] and field
   end
   return values
end

-- A column in the type that is asked for, or that its fields have.
local function convert(self, name, column, kind, missing)
   if #column == 0 then
      self.columns[name] = torch.DoubleTensor()
      return
   elseif kind == 'text' then
      self.columns[name] = asText(column, missing)
      return
   elseif kind == 'class' or kind == nil and self.given[name] then
      local values, levels = asClasses(column, missing, self.given[name])
      if not values then
         errors.raise(("dataset.readCsv: %s, line %d: %s is '%s', which is none of its levels: %s")
            :format(self.path, self.lines[levels], name, column[levels],
            table.concat(self.given[name], ', ')))
      end
      self.columns[name], self.levels[name] = values, levels
      return
   elseif kind ~= nil and kind ~= 'number' then
      errors.raise(("dataset.readCsv: the type of %s is '%s'; wanted 'number', 'class' or 'text'")
         :format(name, tostring(kind)))
   end
   local values, bad = asNumbers(column, missing)
   if values then
      self.columns[name] = values
   elseif kind == 'number' then
      errors.raise(("dataset.readCsv: %s, line %d: %s is '%s', wanted a number"):format(self.path,
         self.lines[bad], name, column[bad]))
   else
      convert(self, name, column, 'class', missing)
   end
end

--- Read a table in text.
--
-- A column whose fields are all numbers becomes a DoubleTensor, in which missing ones are NaN; any
-- other a LongTensor of classes from 1, whose names are in `levels`, in which missing ones are 0.
-- Asked for as 'text' it becomes a list of strings, in which missing ones are false.
-- @string path
-- @tparam[opt] table options separator (','); header: the first line has the names (true; otherwise
-- they are '1', '2', ...); types: name -> 'number', 'class' or 'text'; missing: the fields that
-- stand for nothing ({'', 'NA', 'NaN', 'nan', 'null'}); levels: name -> list of the classes, so
-- that the numbers of one file mean in another one the same, as in {levels = first.levels}
-- @return table: rows (number), names (list), columns (by name), levels (by name)
-- @raise "dataset.readCsv: x.csv, line 7: 3 fields, wanted 4"
-- @usage dataset.readCsv(path [, options]) -> table
function M.readCsv(path, given)
   local read = options.read('dataset.readCsv', given, OPTIONS)
   options.value('dataset.readCsv', 'the file', path, 'text')
   if #read.separator ~= 1 or read.separator:match '["\r\n]' then
      errors.raise('dataset.readCsv: the separator must be one character other than a quote')
   end
   local function fail(line, message)
      errors.raise(('dataset.readCsv: %s, line %d: %s'):format(path, line, message))
   end
   local names, raw, lines = nil, {}, {}
   rows.parse(bytes.text('dataset.readCsv', path), read.separator, fail, function(fields, line)
      if not names then
         names = {}
         for k, field in ipairs(fields) do
            names[k] = read.header and field or tostring(k)
            raw[k] = {}
         end
         if read.header then
            return
         end
      end
      if #fields ~= #names then
         fail(line, ('%d fields, wanted %d'):format(#fields, #names))
      end
      lines[#lines + 1] = line
      for k, field in ipairs(fields) do
         raw[k][#lines] = field
      end
   end)
   if not names then
      errors.raise(('dataset.readCsv: %s is empty'):format(path))
   end
   local missing = {}
   for _, text in ipairs(read.missing) do
      missing[text] = true
   end
   local self = { path = path, rows = #lines, names = names, columns = {}, levels = {},
      lines = lines, given = read.levels }
   for k, name in ipairs(names) do
      if self.columns[name] then
         fail(1, ("two columns are called '%s'"):format(name))
      end
      convert(self, name, raw[k], read.types[name], missing)
   end
   for _, option in ipairs { 'types', 'levels' } do
      for name in pairs(read[option]) do
         if self.columns[name] == nil then
            errors.raise(("dataset.readCsv: %s has no column '%s'; there are %s"):format(path,
               tostring(name), table.concat(names, ', ')))
         end
      end
   end
   self.lines, self.given = nil, nil
   return self
end

local function column(read, name)
   local values = read.columns[name]
   if not torch.isTensor(values) then
      errors.raise(("dataset.Csv: %s has no column '%s' of numbers or classes; there are %s")
         :format(read.path, tostring(name), table.concat(read.names, ', ')))
   end
   return values
end

--- A table in text as samples: input has some columns, target is another one.
-- @tparam table options path; target: a column's name; inputs: list of names (default: all others);
-- tensor: the type of input ('torch.FloatTensor'); and those of dataset.readCsv
-- @return dataset.Tensors with input, N x D, and target, N: a LongTensor of classes, or numbers of
-- input's type; its field `levels` has the names of classes by column, `names` those of the inputs
-- @raise "dataset.Csv: x.csv has no column 'colour' of numbers or classes; there are ..."
-- @usage dataset.Csv{path = 'iris.csv', target = 'species'}
function M.Csv(given)
   local declared = { path = { 'text', required = true }, target = { 'text' },
      inputs = { 'list' }, tensor = { 'type', 'torch.FloatTensor' } }
   for name, row in pairs(OPTIONS) do
      declared[name] = row
   end
   local wanted = options.read('dataset.Csv', given, declared)
   local read = M.readCsv(wanted.path, { separator = wanted.separator, header = wanted.header,
      types = wanted.types, missing = wanted.missing, levels = wanted.levels })
   if read.rows == 0 then
      errors.raise(('dataset.Csv: %s has a header and no rows'):format(wanted.path))
   end
   local names = wanted.inputs
   if not names then
      names = {}
      for _, name in ipairs(read.names) do
         if name ~= wanted.target and torch.isTensor(read.columns[name]) then
            names[#names + 1] = name
         end
      end
   end
   local fields = {}
   if #names > 0 then
      fields.input = torch.getmetatable(wanted.tensor).new():resize(read.rows, #names)
      for d, name in ipairs(names) do
         fields.input:select(2, d):copy(column(read, name))
      end
   end
   if wanted.target then
      local target = column(read, wanted.target)
      fields.target = read.levels[wanted.target] and target or target:type(wanted.tensor)
   end
   local set = require('torch.dataset.module').Tensors(fields)
   set.levels, set.names = read.levels, names
   return set
end

return M
