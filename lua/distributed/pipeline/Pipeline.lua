--- A network in stages, which work on different parts of a batch at the same time.
--
-- The layers of an nn.Sequential are cut into stages, one for each rank, or, with `devices`, one
-- for each of these devices of one process. A batch is cut into micro-batches. Each stage hands its
-- outputs on to the next, and its gradients back to the one before, in the order "one forward, one
-- backward" (distributed.pipeline.schedule).
--
--     local net = distributed.Pipeline(model, { microBatches = 8 })     -- th --workers 4
--     local net = distributed.Pipeline(model, { microBatches = 8, devices = { 1, 2 } }):cuda()
--     local parameters, gradients = net:getParameters()   -- lists: a vector for each stage here
--     local adam = optim.groups { optim.adam }
--     for x, t in batches() do
--        adam(function()
--           net:zeroGradParameters()
--           return net:forwardBackward(x, t, criterion), gradients
--        end, parameters, config, state)
--     end
--     local whole = distributed.whole(net)                -- an nn.Sequential, to be saved
--
-- Gradients and loss are those of the micro-batches one after the other in one process, which for
-- means and sums over samples are those of the batch. Batch normalisation takes its statistics from
-- each micro-batch; layers that draw numbers draw them in the order of a stage's passes.
-- Source: Huang et al., "GPipe", NeurIPS 2019 (arXiv:1811.06965).
-- @classmod distributed.Pipeline
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- local net = nn.Sequential():add(nn.Linear(2, 3)):add(nn.Tanh()):add(nn.Linear(3, 1))
-- net = distributed.Pipeline(net, { devices = { 1, 2 }, microBatches = 4 })
-- net:zeroGradParameters()
-- local x, t = torch.ones(8, 2), torch.zeros(8, 1)
-- net:forwardBackward(x, t, nn.MSECriterion()) > 0, #net:forward(x) --> true, { 8, 1 }

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local balance = require 'nn.containers.balance'
local distributed = require 'distributed.module'
local batches = require 'distributed.pipeline.batches'
local losses = require 'distributed.pipeline.losses'
local meeting = require 'distributed.pipeline.meeting'
local passes = require 'distributed.pipeline.passes'
local options = require 'torch.options'

local TITLE = 'distributed.Pipeline'
local fail = options.fail

local Pipeline, parent = torch.class(TITLE, 'nn.Container', distributed)

local KNOWN = { microBatches = 'count', devices = 'list', layers = 'list', input = 'any',
   group = 'list' }
local OF_A_PASS = { keep = 'boolean', scale = 'number' }

--- @param net an nn.Sequential; sequences in it count by their layers, other containers as one
-- (so add an encoder's layers one by one). Its parameters become those of rank 1. It is not to be
-- used any more: its layers are the stages'.
-- @tab[opt] settings microBatches (as many as stages): parts of a batch; devices: a stage on each,
-- instead of each rank; layers: how many layers each stage has (default: so that stages need as
-- much memory, see nn.Placed); input: a batch, to measure outputs by; group: the ranks
-- @raise "distributed.Pipeline: the net has 3 layers, and there are 4 ranks"
function Pipeline:__init(net, settings)
   parent.__init(self)
   settings = options.check(TITLE, settings, KNOWN)
   self.group = settings.group
   local ranks = distributed.size(self.group)
   local cut = { layers = settings.layers, input = settings.input }
   if settings.devices then
      if ranks > 1 then
         fail('%s: devices are those of one process, and there are %d: leave them out, and each '
            .. 'process has a stage; or give group = distributed.group { distributed.rank() }',
            TITLE, ranks)
      end
      self.modules = nn.Placed(net, settings.devices, cut).modules
      self.first, self.stages = 1, #self.modules
      self.microBatches = settings.microBatches or self.stages
   else
      local parts = balance.parts(TITLE, net, ranks, cut, 'ranks')
      self.first, self.stages = distributed.rank(self.group), ranks
      self.microBatches = settings.microBatches or self.stages
      meeting.check_agreement(self, parts)
      distributed.synchronize(net, { group = self.group })
      self:add(parts[self.first])
   end
   self._type = self.modules[1]:type()
end

--- The loss of a batch; its gradients are added to those of the parameters, stage by stage.
--
-- A micro-batch counts by its rows where the criterion gives means, as all do whose `sizeAverage`
-- is not false (nn.L1Cost sums); parts of a criterion have to agree. A mean that is weighted
-- otherwise, by classes, is one of each micro-batch's.
--
-- In place of a criterion a function computes the loss by Variables: f(output, target) of a
-- micro-batch returns a Variable of one element, a mean over its samples. Of the target, which may
-- be a table of anything then, tensors with as many rows as the batch are cut, and so are lists
-- with an entry for each; what has to come whole (a weight for each class) is better left out of
-- it, and known to f. What f returns behind the loss is kept as the output: tensors one below the
-- other, of anything else what comes of the first micro-batch.
-- @param x the batch, a tensor or a table of tensors; only the first rank looks at it
-- @param target only the last rank looks at it
-- @param criterion nn.Criterion or function; only the last rank calls it
-- @tab[opt] settings keep: leave the batch's output in `net.output`, on all ranks; scale (1): a
-- factor of the gradients, as of `backward`
-- @treturn number the loss, the same on all ranks
-- @raise "distributed.Pipeline: 8 micro-batches of 5 rows: microBatches is at most the rows of a
-- batch"
-- @usage loss = net:forwardBackward(x, target, criterion)
-- loss = net:forwardBackward(x, target, function(y, t) return torch.pow(y - t, 2):mean() end)
function Pipeline:forwardBackward(x, target, criterion, settings)
   losses.check(criterion)
   settings = options.check(TITLE .. ': forwardBackward', settings, OF_A_PASS)
   local keep = settings.keep
   local rows = meeting.rows(self, x, target, true, type(criterion) == 'function')
   local ranges = batches.ranges(rows, self.microBatches)
   local work = passes.prepare(self, self.microBatches)
   local job = { loss = 0, outputs = keep and {} or nil,
      losses = losses.of(criterion, ranges, rows, settings.scale or 1) }
   if self.first == 1 then
      job.inputs = batches.cut(x, ranges)
   end
   if work[#self.modules].number == self.stages then
      job.targets = losses.targets(criterion, target, ranges, rows)
   end
   passes.run(self, work, job)
   passes.finish(work)
   if #self.modules < self.stages then
      job.loss = distributed.broadcast(torch.DoubleTensor { job.loss },
         { root = meeting.rank_of(self, self.stages), group = self.group })[1]
   end
   if keep then
      self.output = meeting.from_last(self, job.targets and batches.join(job.outputs) or nil)
   end
   return job.loss
end

-- --- a module's contract ------------------------------------------------------------------------

--- The output of a batch, micro-batch by micro-batch, on all ranks.
-- @param input only the first rank looks at it
function Pipeline:updateOutput(input)
   local rows = meeting.rows(self, input)
   local count = math.min(rows, self.microBatches)
   local work, parts = passes.prepare(self, 1), {}
   local inputs = self.first == 1 and batches.cut(input, batches.ranges(rows, count))
   for m = 1, count do
      if work.behind then
         work.behind:settle(1) -- the last output may lie in the memory of its input (nn.View)
      end
      work[1].came[1] = inputs and inputs[m] or work.before:receive(work[1].came[1])
      local x = work[1].came[1]
      for _, stage in ipairs(work) do
         x = self:rethrowErrors(stage.copies[1], stage.index, 'forward', x)
      end
      if work.behind then
         work.behind:send(x, 1)
      else
         parts[m] = nested.map(function(t) return t:clone() end, x)
      end
   end
   if work.behind then
      work.behind:finish()
   end
   self.output = meeting.from_last(self, not work.behind and batches.join(parts) or nil)
   return self.output
end

local function refuse()
   fail('%s: forwardBackward(x, target, criterion) computes gradients: micro-batches of a stage go '
      .. 'back while others come', TITLE)
end

function Pipeline.backward() refuse() end
function Pipeline.updateGradInput() refuse() end
function Pipeline.accGradParameters() refuse() end

--- The parameters of the stages of this process, each stage's in one flat storage.
-- @return list of vectors, one for each stage that has parameters; one empty vector where none has
-- @return list of their gradients
function Pipeline:getParameters()
   local parameters, gradients = {}, {}
   for _, module in ipairs(self.modules) do
      local p, g = module:getParameters()
      if p:nElement() > 0 or #self.modules == 1 then
         parameters[#parameters + 1], gradients[#gradients + 1] = p, g
      end
   end
   return parameters, gradients
end

--- Convert; stages with devices move there.
function Pipeline:type(typename, cache)
   if typename then
      passes.forget(self)
   end
   return parent.type(self, typename, cache)
end

-- For what hangs on layers, as train.Precision does: f(copy, stage) is called for each copy of a
-- stage's layers that is made from now on, of which there are none yet; nil ends that.
function Pipeline:__watchCopies(f)
   passes.watch(self, f)
end

--- Free outputs and buffers, the copies for micro-batches as well.
function Pipeline:clearState()
   passes.forget(self)
   return parent.clearState(self)
end

function Pipeline:__tostring__()
   local lines = { ('%s { stages %d to %d of %d, %d micro-batches'):format(TITLE, self.first,
      self.first + #self.modules - 1, self.stages, self.microBatches) }
   for i, module in ipairs(self.modules) do
      lines[#lines + 1] = ('  (%d): %s'):format(self.first + i - 1,
         (tostring(module):gsub('\n', '\n  ')))
   end
   lines[#lines + 1] = '}'
   return table.concat(lines, '\n')
end

return Pipeline
