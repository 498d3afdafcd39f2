--- From options to the parts of a Trainer.
-- @module torch.train.trainer.build

local torch = require 'torch'
local optim = require 'optim'
local near = require 'torch.near'
local declared = require 'optim.options'
local train = require 'torch.train.module'
local devices = require 'torch.train.data.devices'
local logs = require 'torch.train.log'
local options = require 'torch.options'
local parameters_of = require 'torch.train.trainer.parameters'
local parts = require 'torch.train.trainer.parts'
local random = require 'torch.generators'
local schedules = require 'torch.train.trainer.schedules'
local source = require 'torch.train.data.source'
local staged = require 'torch.train.trainer.staged'
local stages = require 'torch.train.trainer.stages'
local teaching = require 'torch.train.trainer.teaching'
local vectors = require 'torch.train.trainer.vectors'
local workers = require 'torch.train.trainer.workers'

local M = {}

local fail = options.fail
local TITLE = 'train.Trainer'

local KNOWN = {
   model = 'any', criterion = 'any', loss = 'call', optimizer = 'any', options = 'list',
   groups = 'list', schedule = 'any', scheduleUnit = { 'epoch', 'step' }, scheduleMetric = 'text',
   data = 'any', validation = 'any', batchSize = 'count', shuffle = 'boolean', epochs = 'count',
   steps = 'count', device = 'any', accumulate = 'count', clip = 'any',
   precision = { 'float', 'bfloat16', 'half' }, average = 'any', stopEarly = 'any',
   checkpoint = 'any', seed = 'number', metrics = 'any', log = 'any', hooks = 'list',
   notFinite = { 'error', 'skip', 'ignore' }, workers = 'any', pipeline = 'any', pruning = 'list',
   distillation = 'list', shareGradInput = 'boolean',
}

-- An optimiser by its name or itself; and the name, where it has one.
local function optimizer_of(given)
   given = given or 'sgd'
   if type(given) == 'string' then
      if not declared.of[given] then
         fail('%s: there is no optimizer %s%s', TITLE, given, near.hint(given, declared.of))
      end
      return optim[given], given
   elseif not options.callable(given) then
      fail("%s: optimizer is %s, expected 'adam', optim.adam, or what optim.groups gives", TITLE,
         options.describe(given))
   end
   for name in pairs(declared.of) do
      if optim[name] == given then
         return given, name
      end
   end
   return given
end

-- An option that an optimiser lacks would be left out without a word.
local function check_options(name, config)
   for key in pairs(config) do
      if name and declared.of[name][key] == nil then
         local hint = near.hint(key, declared.of[name])
         local other = hint == '' and declared.proposal(name, tostring(key))
         fail('%s: optim.%s has no option %s%s', TITLE, name, tostring(key),
            other and '; here it is ' .. other or hint)
      end
   end
end

-- Other options for some parameters: patterns of names become tensors.
local function grouped(self, optimizer, name, groups)
   if not groups then
      return optimizer
   elseif next(groups) ~= nil and groups[1] == nil then
      fail("%s: groups is one table, expected a list of such: groups = { { parameters = '*.bias', "
         .. 'learningRate = 0.01 } }', TITLE)
   end
   local list = { optimizer }
   for i, group in ipairs(groups) do
      local own, others = {}, {}
      for key, value in pairs(group) do
         own[key], others[key] = value, value
      end
      others.parameters = nil
      check_options(name, others)
      if type(group.parameters) == 'string' then
         own.parameters = train.__learning(self.model, group.parameters)
      end
      own.parameters = staged.own_of(self, own.parameters)
      list[i + 1] = own
   end
   return optim.groups(list)
end

-- Options of the optimiser that stand beside the Trainer's.
local function check_apart(settings)
   if type(settings) ~= 'table' then
      return
   end
   local name = declared.of[settings.optimizer or 'sgd'] and settings.optimizer or 'sgd'
   for key in pairs(settings) do
      local wanted = type(key) == 'string' and not KNOWN[key] and near.hint(key, KNOWN) == ''
         and (declared.of[name][key] ~= nil and key or declared.proposal(name, key))
      if wanted then
         fail("%s: there is no option '%s'; the optimizer's are apart: options = { %s = ... }",
            TITLE, key, wanted:match '^%w+')
      end
   end
end

local function check_model(settings)
   local model = settings.model
   if model == nil then
      fail('%s: model is missing: train.Trainer { model = net, criterion = nn.MSECriterion(), '
         .. 'data = { input = x, target = y } }', TITLE)
   elseif not torch.isTypeOf(model, 'nn.Module') then
      local cure = options.brackets(model)
      fail('%s: model is %s, expected a network (nn.Module)%s', TITLE, options.describe(model),
         cure ~= '' and cure or '; nn.Lambda makes one of a function')
   end
   if torch.isTypeOf(settings.loss, 'nn.Criterion') then
      fail('%s: loss is %s, which criterion = takes; loss is a function(model, batch)', TITLE,
         options.describe(settings.loss))
   elseif (settings.criterion == nil) == (settings.loss == nil) then
      fail('%s: %s; give criterion = nn.MSECriterion(), or loss = function(model, batch) ... '
         .. 'end', TITLE,
         settings.loss and 'criterion and loss are both there' or 'there is no criterion and no '
            .. 'loss')
   elseif settings.criterion and not torch.isTypeOf(settings.criterion, 'nn.Criterion') then
      fail('%s: criterion is %s, expected an nn.Criterion%s', TITLE,
         options.describe(settings.criterion), options.brackets(settings.criterion))
   elseif settings.data == nil then
      fail("%s: data is missing: data = { input = x, target = y, batchSize = 32 }, a loader or a "
         .. "dataset",
         TITLE)
   end
end

local function place_model(self, settings)
   local place = devices.of(TITLE, settings.device)
   if not place.type and settings.precision and settings.precision ~= 'float' then
      fail("%s: precision = '%s' wants to know the device: device = 'cpu' or 'cuda'", TITLE,
         settings.precision)
   end
   self.place, self.move = place, devices.move
   self.model = settings.model
   local network = stages.network(self, settings, place) or devices.network(place, self.model)
   if place.type and self.criterion then
      self.criterion:type(place.type)
   end
   local parameters, gradients, partly = parameters_of.flat(network)
   if workers.over_stages(self, vectors.count(parameters)) == 0 then
      fail('%s: the model has no parameters to train', TITLE)
   end
   self.partly = partly
   return { network = network, parameters = parameters, gradients = gradients }
end

-- What would be left out without a word.
local function check_cut(settings)
   if not options.callable(settings.data) then
      return
   elseif settings.shuffle ~= nil then
      fail('%s: shuffle is for datasets and tensors; data is a loader, which has its own order',
         TITLE)
   elseif settings.batchSize and (not settings.validation
      or options.callable(settings.validation)) then
      fail('%s: batchSize is for datasets and tensors; data is a loader, which makes batches of '
         .. 'its own size', TITLE)
   end
end

--- Fill a Trainer.
function M.trainer(self, settings)
   check_apart(settings)
   settings = options.check(TITLE, settings, KNOWN)
   check_model(settings)
   check_cut(settings)
   if settings.seed then
      random.seed(settings.seed)
   end
   self.workers = workers.of(settings.workers)
   settings = workers.prepare(self, settings)
   self.criterion, self.loss = settings.criterion, settings.loss
   self.accumulate, self.notFinite = settings.accumulate or 1, settings.notFinite or 'error'
   self.shareGradInput = settings.shareGradInput ~= false
   self.epochs, self.steps = settings.epochs, settings.steps
   if not self.epochs and not self.steps then
      self.epochs = 10
   end
   self.batchSize = settings.batchSize
   local cut = { batchSize = settings.batchSize, seed = settings.seed, shuffle = settings.shuffle }
   self.data = source.loader(TITLE, settings.data, cut)
   self.validation = settings.validation
      and source.loader(TITLE, settings.validation, { batchSize = settings.batchSize,
         shuffle = false }, 'validation')

   local state = place_model(self, settings)
   self.state = state
   self.teacher = teaching.of(self, settings)
   self.learning = state.network == self.model and parameters_of.learning(self) or nil
   state.trainer, state.criterion, state.training = self, self.criterion, true
   state.epoch, state.batch, state.t, state.samples, state.skipped = 0, 0, 0, 0, 0
   state.failed = 0
   state.batches = source.size(self.data)
   state.iterator = self.data

   local optimizer, name = optimizer_of(settings.optimizer)
   local apart = not torch.isTensor(state.parameters)
   self.optimizer = grouped(self, workers.sharded(self, optimizer), name,
      settings.groups or apart and {} or nil)
   self.optimizerName = name
   self.options = settings.options or {}
   check_options(name, self.options)
   self.config, self.optimState, self.history, self.figures = {}, {}, {}, {}
   for key, value in pairs(self.options) do
      self.config[key] = value
   end
   schedules.attach(self, settings)
   state.config = self.config

   -- Meters of the script are those of the validation, where there is one, and of training else.
   self.meters = self.__meters(settings.metrics, self.validation ~= nil)
   self.evaluationMeters = self.__meters(settings.metrics, self.validation == nil)
   self.engine, self.parts = train.Engine(), {}
   self.logs = workers.first(self) and logs.list(settings.log) or {}
   parts.add(self, settings)
   workers.attach(self, settings)
end

return M
