--- The logs that the option `log` asks for.
-- @module torch.train.log

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'
require 'torch.train.log.Console'
require 'torch.train.log.CSV'
require 'torch.train.log.TensorBoard'
require 'torch.train.log.Plot'

local M = {}

local KNOWN = { console = 'boolean', csv = 'text', tensorboard = 'text', plot = 'text' }

--- Logs by an option.
-- @param[opt] log nil: the console; false: none; a table, see train.Trainer
-- @return list of objects with add(row)
function M.list(log)
   if log == nil or log == true then
      log = { console = true }
   elseif log == false then
      return {}
   elseif type(log) ~= 'table' then
      options.fail("train.Trainer: log is %s, expected true, false, or { csv = 'run.csv', "
         .. "tensorboard = 'runs' }", options.describe(log))
   end
   local named, list = {}, {}
   for key, value in pairs(log) do
      if type(key) ~= 'number' then
         named[key] = value
      end
   end
   options.check('train.Trainer: log', named, KNOWN)
   if named.console ~= false then
      list[1] = train.Console()
   end
   if named.csv then
      list[#list + 1] = train.CSV(named.csv)
   end
   if named.tensorboard then
      list[#list + 1] = train.TensorBoard(named.tensorboard)
   end
   if named.plot then
      list[#list + 1] = train.Plot(named.plot)
   end
   for i, own in ipairs(log) do
      if type(own) ~= 'table' or type(own.add) ~= 'function' then
         options.fail('train.Trainer: log %d is %s, expected an object with add(row)', i,
            options.describe(own))
      end
      list[#list + 1] = own
   end
   return list
end

--- A log as a part of a training.
-- @param log
-- @int number which of the logs it is
function M.part(log, number)
   local part = {
      onEndEpoch = function(_, state) log:add(state.row) end,
   }
   if log.startEpoch then
      function part.onStart(_, state) log:startEpoch(state) end
      function part.onStartEpoch(_, state) log:startEpoch(state) end
   end
   if log.batch then
      function part.onBackward(_, state) log:batch(state) end
   end
   if log.goOn then -- drop what a run that was killed wrote after its last checkpoint
      part.name = ('log %d %s'):format(number, torch.type(log))
      function part.state() return {} end
      function part.restore() log.resumed = true end
      local started = part.onStart
      function part.onStart(self, state)
         if log.resumed then
            log.resumed = nil
            log:goOn(state.t, state.trainer.history)
         end
         if started then
            started(self, state)
         end
      end
   end
   return part
end

return M
