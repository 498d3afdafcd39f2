--- Values of epochs in a file of comma-separated columns.
-- @classmod train.CSV
-- @example
-- local train = require 'torch.train'
-- local csv = train.CSV 'log.csv'
-- csv:add { epoch = 1, step = 10, loss = 0.5 }
-- csv:add { epoch = 2, step = 20, loss = 0.25 }
-- io.open('log.csv'):read '*a' --> 'epoch,step,loss\n1,10,0.5\n2,20,0.25\n'

local lfs = require 'lfs'
local torch = require 'torch'
local makeParents = require 'paths.parents'
local train = require 'torch.train.module'
local options = require 'torch.options'

local CSV = torch.class('train.CSV', train)

--- @string path is written anew; a training that is resumed goes on with it. Its folder is made if
-- need be
-- @raise "train.CSV: the folder of '/lgos/run.csv' is not there, and cannot be made"
function CSV:__init(path)
   if type(path) ~= 'string' then
      options.fail('train.CSV: path is %s, expected a file name', options.describe(path))
   end
   self.path, self.rows = path, {}
   if not makeParents(path) then
      options.fail("train.CSV: the folder of '%s' is not there, and cannot be made", path)
   elseif lfs.attributes(path, 'mode') == 'directory' then
      options.fail("train.CSV: '%s' is a folder, expected the name of a file in it", path)
   end
end

local function quoted(text)
   return text:find '[,"\n]' and '"' .. text:gsub('"', '""') .. '"' or text
end

-- A file of lines, or lines behind those that are there.
local function write(self, path, mode, lines)
   local file, reason = io.open(path, mode)
   if not file then
      options.fail('train.CSV: cannot write %s', reason)
   end
   local ok, obstacle = file:write(table.concat(lines, '\n'), '\n')
   local closed, late = file:close()
   if not (ok and closed) then
      options.fail("train.CSV: '%s': write error: %s", self.path, obstacle or late)
   end
end

local function line_of(self, row)
   local cells = {}
   for i, name in ipairs(self.names) do
      local value = row[name]
      cells[i] = value == nil and '' or type(value) == 'number' and ('%.9g'):format(value)
         or quoted(tostring(value))
   end
   return table.concat(cells, ',')
end

-- All rows anew, with the columns of all.
local function write_all(self)
   local all, lines = {}, {}
   for _, row in ipairs(self.rows) do
      for name in pairs(row) do
         all[name] = true
      end
   end
   self.names = train.Console.columns(all)
   for i, name in ipairs(self.names) do
      lines[i] = quoted(name)
   end
   lines = { table.concat(lines, ',') }
   for _, row in ipairs(self.rows) do
      lines[#lines + 1] = line_of(self, row)
   end
   local aside = self.path .. '.partial'
   write(self, aside, 'w', lines)
   os.rename(aside, self.path)
end

local function has_columns(self, row)
   local known = {}
   for _, name in ipairs(self.names) do
      known[name] = true
   end
   for name in pairs(row) do
      if not known[name] then
         return false
      end
   end
   return true
end

--- Add a row. One with a value that none before it had writes the file anew, with a column more.
-- @tab row numbers by name
function CSV:add(row)
   self.rows[#self.rows + 1] = row
   if self.names and has_columns(self, row) then
      write(self, self.path, 'a', { line_of(self, row) })
   else
      write_all(self)
   end
end

--- Go on with a run that was killed: the file gets the rows that its checkpoint knows of, for
-- those of later steps come again.
-- @int _ step of the checkpoint
-- @tab rows
function CSV:goOn(_, rows)
   self.rows, self.names = { unpack(rows) }, nil
   if #rows > 0 then
      write_all(self)
   end
end
