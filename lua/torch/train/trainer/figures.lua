--- Figures of a script's own, told from hooks: their means are in the row of the epoch.
-- @module torch.train.trainer.figures

local torch = require 'torch'
local options = require 'torch.options'
local meters = require 'torch.train.meter'
local train = require 'torch.train.module'
local sorted_keys = require 'xlua.sorted_keys'

local M = {}

local function number(name, value)
   if torch.isTensor(value) and value:nElement() == 1 then
      value = torch.item(value)
   end
   if type(value) ~= 'number' then
      options.fail('train.Trainer: log: %s is %s, expected a number', name, options.describe(value))
   end
   return value
end

local function check_name(self, name)
   if type(name) ~= 'string' then
      options.fail("train.Trainer: log: the name is %s, expected a string such as 'gradientNorm'",
         options.describe(name))
   elseif meters.reserved[name] then
      options.fail('train.Trainer: log: a figure cannot be called %s, which rows have already',
         name)
   end
   for _, entry in ipairs(self.meters) do
      if entry[1] == name then
         options.fail('train.Trainer: log: there is a metric %s already', name)
      end
   end
end

--- Add a value to a figure; in `onEndEpoch` it goes to the row, which is made by then.
function M.add(self, name, value)
   check_name(self, name)
   value = number(name, value)
   if self.row then
      self.row[name] = value
      return
   end
   self.figures[name] = self.figures[name] or train.Average()
   self.figures[name]:add(value)
end

--- What hooks and meters have put into a row, as logs and checkpoints take it: of a tensor of one
-- element its number, which leads back to no record; texts stay.
-- @raise "train.Trainer: note of epoch 3 is a table, expected a number or a text"
function M.plain(row)
   for name, value in pairs(row) do
      if torch.isTensor(value) and value:nElement() == 1 then
         row[name] = torch.item(value)
      elseif type(value) ~= 'number' and type(value) ~= 'string' and type(value) ~= 'boolean' then
         options.fail('train.Trainer: %s of epoch %d is %s, expected a number or a text',
            tostring(name), row.epoch, options.describe(value))
      end
   end
end

--- Put the means into a table by name.
function M.into(values, figures)
   for _, name in ipairs(sorted_keys(figures)) do
      values[name] = figures[name]:value()
   end
   return values
end

--- What a checkpoint keeps of them, and figures of that.
function M.saved(figures)
   local list = {}
   for name, average in pairs(figures) do
      list[name] = { average.sum, average.count }
   end
   return list
end

function M.restored(list)
   local figures = {}
   for name, pair in pairs(list or {}) do
      figures[name] = train.Average()
      figures[name].sum, figures[name].count = pair[1], pair[2]
   end
   return figures
end

return M
