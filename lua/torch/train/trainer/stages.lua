--- The option `pipeline`: a network whose stages are on several devices (distributed.Pipeline).
-- @module torch.train.trainer.stages

local torch = require 'torch'
local options = require 'torch.options'
local restore = require 'torch.train.checkpoint.restore'
local vectors = require 'torch.train.trainer.vectors'
local workers = require 'torch.train.trainer.workers'

local M = {}

local fail = options.fail
local TITLE = 'train.Trainer: pipeline'

local KNOWN = { microBatches = 'count', layers = 'list', input = 'any' }

-- The settings; nil where there are no stages.
local function settings_of(self, settings, place)
   local given = settings.pipeline
   if given == nil or given == false then
      return nil
   end
   given = options.check(TITLE, type(given) == 'number' and { microBatches = given } or given,
      KNOWN)
   local over_processes = workers.several(self) and self.workers.staged
   if not over_processes and (not place.ids or #place.ids < 2) then
      fail('%s: device is %s, expected a list of devices such as { 1, 2 }, each of which has a '
         .. 'stage; or start several processes (th --workers 2), each of which has one then', TITLE,
         options.describe(settings.device))
   end
   return given, over_processes
end

--- The network in stages; nil where there are to be none.
-- @param self the Trainer
-- @tab settings its options
-- @tab place of train.data.devices
function M.network(self, settings, place)
   local given, over_processes = settings_of(self, settings, place)
   if not given then
      return nil
   end
   if place.cuda then
      require('cutorch').setDevice(place.ids[1])
   end
   local distributed = require 'distributed'
   local cut = { microBatches = given.microBatches, layers = given.layers, input = given.input }
   if over_processes then
      settings.model:type(place.type and 'torch.FloatTensor') -- others' stages stay on the host
   else
      cut.devices, cut.group = place.ids, distributed.group { distributed.rank() } -- all stages
   end
   local network = distributed.Pipeline(settings.model, cut)
   if place.type then
      network:type(place.type)
      settings.model._type = place.type
   end
   self.stages = { microBatches = network.microBatches }
   return network
end

-- What stands for the model in a loss of its own: its output is there by then.
local function stand_in(input, output)
   local called = false
   local function forward(_, x)
      if not rawequal(x, input) then
         fail('%s: loss: the first stage was given batch.input: call model:forward(batch.input), '
            .. 'with the tensor that is there (hooks at onSample may put another one there)', TITLE)
      end
      called = true
      return output
   end
   local model = setmetatable({}, { __index = function(_, name)
      if name ~= 'forward' then
         fail('%s: loss: it asks for model.%s; of a network in stages it has '
            .. 'model:forward(batch.input), and nothing else', TITLE, tostring(name))
      end
      return forward
   end })
   return model, function() return called end
end

-- A loss of a model and a batch as one of the last stage's output and the batch.
local function of_output(loss)
   return function(output, part)
      local model, called = stand_in(part.input, output)
      local value, told = loss(model, part)
      if not called() then
         fail('%s: loss does not call model:forward(batch.input), which gives the output of the '
            .. 'stages', TITLE)
      end
      return value, told
   end
end

--- A batch's loss, and its gradient added to those that are there.
-- @param self the Trainer
-- @tab sample the batch
-- @param target what the criterion looks at
-- @param[opt] criterion nil: the option `loss` computes it
-- @int rows of the batch, of the smallest part where processes share it: the last one of an epoch
-- may have few
-- @number scale of the gradient
-- @return loss, output
function M.gradient(self, sample, target, criterion, rows, scale)
   local network = self.state.network
   network.microBatches = math.min(self.stages.microBatches, rows)
   if sample.input == nil then
      fail('%s: batch %d has no input, which the first stage is given', TITLE, self.state.batch)
   end
   if not criterion then
      criterion, target = of_output(self.loss), sample
   end
   return network:forwardBackward(sample.input, target, criterion, { keep = true, scale = scale }),
      network.output
end

--- f(...) with a tensor's device as the current one, where it is on one.
function M.on_device_of(t, f, ...)
   if t and torch.typename(t):find('Cuda', 1, true) and t:nElement() > 0 then
      return require('cutorch').withDevice(t:getDevice(), f, ...)
   end
   return f(...)
end

--- What a checkpoint has of the model: the script's own network on the host, as no device has room
-- for all of it.
function M.saved_model(self)
   self.state.network:clearState()
   return require('distributed.host_copy').copier()(self.model)
end

--- What it has of the optimiser's state.
function M.saved_state(state)
   return require('distributed.host_copy').nest(state)
end

--- The optimiser's state of a checkpoint, on the devices of the parameters.
-- @param optimizer of optim.groups
function M.restored(state, optimizer, parameters)
   for i, x in ipairs(optimizer:parts(parameters)) do
      if state.groups and state.groups[i] then
         M.on_device_of(x, restore.beside, state.groups[i], x)
      end
   end
   return state
end

--- The sizes of several vectors of parameters; nil of one.
function M.sizes(parameters)
   if torch.isTensor(parameters) then
      return nil
   end
   return vectors.sizes(parameters)
end

--- Raise if a checkpoint's optimiser has gone by other vectors.
-- @string path the file
-- @tab[opt] sizes of the checkpoint's
-- @param parameters
function M.check(path, sizes, parameters)
   local function shown(list)
      return list and ('in %d parts of %s elements'):format(#list, table.concat(list, ', '))
         or 'one vector'
   end
   local theirs, own = shown(sizes), shown(M.sizes(parameters))
   if theirs ~= own then
      fail("train.Trainer: '%s': the parameters are %s in the checkpoint, and %s in the Trainer; "
         .. 'stages are cut alike for a run that goes on', path, theirs, own)
   end
end

--- Whether a network's parameters are on several devices, so that they are no one vector.
function M.are_apart(list)
   for _, entry in ipairs(list) do
      if entry.tensor.device ~= list[1].tensor.device then
         return true
      end
   end
   return false
end

return M
