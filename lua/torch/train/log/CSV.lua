--- Values of epochs in a file of comma-separated columns.
-- @classmod train.CSV
-- @example
-- local train = require 'torch.train'
-- local csv = train.CSV 'log.csv'
-- csv:add { epoch = 1, step = 10, loss = 0.5 }
-- csv:add { epoch = 2, step = 20, loss = 0.25 }
-- io.open('log.csv'):read '*a' --> 'epoch,step,loss\n1,10,0.5\n2,20,0.25\n'

local torch = require 'torch'
local makeParents = require 'paths.parents'
local train = require 'torch.train.module'
local options = require 'torch.options'

local CSV = torch.class('train.CSV', train)

--- @string path is written anew; a training that is resumed goes on with it
function CSV:__init(path)
   if type(path) ~= 'string' then
      options.fail('train.CSV: path is %s, expected a file name', options.describe(path))
   end
   self.path = path
   makeParents(path)
end

local function quoted(text)
   return text:find '[,"\n]' and '"' .. text:gsub('"', '""') .. '"' or text
end

local function open(self, mode)
   local file, reason = io.open(self.path, mode)
   if not file then
      options.fail('train.CSV: cannot write %s', reason)
   end
   return file
end

local function write_line(self, mode, cells)
   local file = open(self, mode)
   local ok, reason = file:write(table.concat(cells, ','), '\n')
   local closed, obstacle = file:close()
   if not (ok and closed) then
      options.fail("train.CSV: '%s': write error: %s", self.path, reason or obstacle)
   end
end

--- Add a row. The first one says which columns there are.
-- @tab row numbers by name
-- @raise "train.CSV: 'log.csv' has no column accuracy"
function CSV:add(row)
   if not self.names then
      self.names = train.Console.columns(row)
      local cells = {}
      for i, name in ipairs(self.names) do
         cells[i] = quoted(name)
      end
      write_line(self, 'w', cells)
   end
   local cells, left = {}, {}
   for name in pairs(row) do
      left[name] = true
   end
   for i, name in ipairs(self.names) do
      local value = row[name]
      cells[i] = value == nil and '' or type(value) == 'number' and ('%.9g'):format(value)
         or quoted(tostring(value))
      left[name] = nil
   end
   if next(left) then
      options.fail("train.CSV: '%s' has no column %s", self.path, tostring((next(left))))
   end
   write_line(self, 'a', cells)
end

--- Go on with a run that was killed: the file gets the rows that its checkpoint knows of, for
-- those of later steps come again.
-- @int _ step of the checkpoint
-- @tab rows
function CSV:goOn(_, rows)
   local path = self.path
   self.names, self.path = nil, path .. '.partial'
   for _, row in ipairs(rows) do
      self:add(row)
   end
   self.path = path
   if #rows > 0 then
      os.rename(path .. '.partial', path)
   end
end
