--- The meters of a training, by what the option `metrics` says.
-- @module torch.train.meter

local torch = require 'torch'
local optim = require 'optim'
local near = require 'torch.near'
local train = require 'torch.train.module'
local copy = require('torch.train.meter.copy').copy
local options = require 'torch.options'
require 'torch.train.meter.Average'
require 'torch.train.meter.Accuracy'
require 'torch.train.meter.Function'
require 'torch.train.meter.MeanAveragePrecision'
require 'torch.train.meter.TimeMeter'

local M = {}

local made = {
   accuracy = function() return train.Accuracy() end,
   top5 = function() return train.Accuracy(5) end,
   mAP = function() return train.MeanAveragePrecision() end,
}

local CPU = torch.Tensor().device_type

local function host(x)
   return torch.isTensor(x) and x.device_type ~= CPU and x:double() or x
end

-- Values of a row that are no metrics.
M.reserved = { epoch = true, step = true, loss = true, learningRate = true, seconds = true }

-- optim's table of counts with the methods of a meter.
local function of_confusion(confusion)
   return {
      confusion = confusion,
      reset = function() confusion:zero() end,
      add = function(_, output, target) -- which reads element by element: not on a device
         confusion:batchAdd(host(output), host(target))
      end,
      value = function(self)
         self.confusion:updateValids()
         return self.confusion.totalValid
      end,
      merge = function(self, other) self.confusion.mat:add(other.confusion.mat) end,
   }
end

-- A meter of an entry of `metrics`.
local function meter_of(name, value, copied)
   local cure = options.brackets(value) -- a class has an object's methods, and nothing to count in
   if cure == '' and copied and type(value) == 'table' and not options.callable(value) then
      value = copy(value)
   end
   if torch.isTypeOf(value, optim.ConfusionMatrix) then
      return of_confusion(value)
   elseif cure == '' and type(value) == 'table' and value.add and value.value and value.reset then
      return value
   elseif cure == '' and options.callable(value) then
      return train.FunctionMeter(value, name)
   end
   options.fail('train.Trainer: metric %s is %s, expected a function of output and target, or a '
      .. 'meter (add, value, reset)%s', tostring(name), options.describe(value), cure)
end

--- Meters by name.
-- @tab[opt] metrics entries 'accuracy', 'top5', 'mAP'; name = function(output, target) -> number;
-- name = a meter, or an optim.ConfusionMatrix
-- @bool[opt=false] copied whether objects are copied
-- @return list of { name, meter }
function M.list(metrics, copied)
   if metrics ~= nil and (type(metrics) ~= 'table' or torch.typename(metrics)) then
      options.fail("train.Trainer: metrics is %s, expected a list: metrics = { 'accuracy' }",
         options.describe(metrics))
   end
   local list, taken = {}, {}
   local function add(name, meter)
      if taken[name] then
         options.fail('train.Trainer: two metrics are called %s', name)
      end
      taken[name] = true
      list[#list + 1] = { name, meter }
   end
   for _, name in ipairs(metrics or {}) do
      if not made[name] then
         options.fail('train.Trainer: there is no metric %s%s; there are accuracy, mAP and top5; '
            .. 'others as '
            .. 'name = function(output, target) ... end', options.describe(name),
            near.hint(tostring(name), made))
      end
      add(name, made[name]())
   end
   local named = {}
   for name, value in pairs(metrics or {}) do
      if type(name) ~= 'number' then
         if M.reserved[name] then
            options.fail('train.Trainer: a metric cannot be called %s, which rows have already',
               name)
         end
         named[#named + 1] = { name, meter_of(name, value, copied) }
      end
   end
   table.sort(named, function(a, b) return a[1] < b[1] end)
   for _, entry in ipairs(named) do
      add(entry[1], entry[2])
   end
   return list
end

return M
