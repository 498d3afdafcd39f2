--- The passes of a pipeline's stages in this process.
-- @module distributed.pipeline.passes

local nested = require 'nn.nested'
local copies = require 'distributed.pipeline.copies'
local meeting = require 'distributed.pipeline.meeting'
local schedule = require 'distributed.pipeline.schedule'
local Link = require 'distributed.pipeline.Link'

local M = {}

-- What belongs to this process and no file: copies of stages, links to other ranks.
local working = setmetatable({}, { __mode = 'k' })

local watchers = setmetatable({}, { __mode = 'k' })

--- Call f(copy, stage) for each copy of a stage that is made from now on; those that are there are
-- forgotten.
-- @func[opt] f nil: nobody is told
function M.watch(self, f)
   M.forget(self)
   watchers[self] = f
end

--- Forget the copies of a pipeline's stages.
function M.forget(self)
   working[self] = nil
end

--- Stages of this process, with their passes for so many micro-batches, and links to those before
-- and behind.
function M.prepare(self, count)
   local work = working[self] or {}
   working[self] = work
   for i, module in ipairs(self.modules) do
      local stage = work[i] or { number = self.first + i - 1, index = i, copies = {}, came = {} }
      work[i] = stage
      stage.underway = schedule.underway(stage.number, self.stages, count)
      copies.begin(stage.copies, module, stage.underway, watchers[self])
      if stage.count ~= count then
         stage.count, stage.passes = count, schedule.passes(stage.number, self.stages, count)
      end
      stage.at = 1
      stage.inputs, stage.slopes = {}, {}
   end
   local last = self.first + #self.modules - 1
   work.before = self.first > 1 and Link.new(meeting.rank_of(self, self.first - 1))
   work.behind = last < self.stages and Link.new(meeting.rank_of(self, last + 1))
   return work
end

-- The input of a stage's micro-batch; nil where a stage of this process has not come to it yet.
local function input_of(work, stage, job, at, slot)
   if stage.number == 1 then
      return job.inputs[at]
   elseif stage.index > 1 then
      return stage.inputs[at]
   end
   stage.came[slot] = work.before:receive(stage.came[slot])
   return stage.came[slot]
end

local function run(module, self, index, x)
   return self:rethrowErrors(module, index, 'forward', x)
end

local function clone(t)
   return t:clone()
end

local function forward(self, work, stage, job, at, slot)
   if work.before and stage.index == 1 then
      work.before:settle(slot) -- gradients that this copy has made before
   end
   local x = input_of(work, stage, job, at, slot)
   if x == nil then
      return false
   end
   stage.inputs[at] = x
   local y = copies.forward(stage.copies, slot, run, self, stage.index, x)
   if stage.number == self.stages then
      local loss, slope, output = job.losses:of(y, job.targets[at], at)
      job.loss, stage.slopes[at] = job.loss + loss, slope
      if job.outputs then
         job.outputs[at] = nested.map(clone, output)
      end
   elseif work[stage.index + 1] then
      work[stage.index + 1].inputs[at] = y
   else
      work.behind:send(y, slot)
   end
   return true
end

local function backward(self, work, stage, at, slot)
   local g = stage.slopes[at]
   if g == nil and work.behind and stage.index == #self.modules then
      work.behind:settle(slot)
      if work.before then
         work.before:finish() -- gradients sent may lie in the memory of the last slope (nn.View)
      end
      stage.slope = work.behind:receive(stage.slope)
      g = stage.slope
   elseif g == nil then
      return false
   end
   local gx = self:rethrowErrors(stage.copies[slot], stage.index, 'backward', stage.inputs[at], g)
   if stage.index > 1 then
      work[stage.index - 1].slopes[at] = gx
   elseif work.before then
      work.before:send(gx, slot)
   end
   stage.inputs[at], stage.slopes[at] = nil, nil
   return true
end

--- Wait until all is on its way.
function M.finish(work)
   if work.before then
      work.before:finish()
   end
   if work.behind then
      work.behind:finish()
   end
end

--- Each stage of this process in turn takes its next pass, if what it needs is there: so all
-- devices have something to do, and operations of one are issued in its stage's order.
function M.run(self, work, job)
   local moved
   repeat
      moved = false
      for _, stage in ipairs(work) do
         local pass = stage.passes[stage.at]
         if pass then
            local slot = (pass.at - 1) % stage.underway + 1
            local done
            if pass.forward then
               done = forward(self, work, stage, job, pass.at, slot)
            else
               done = backward(self, work, stage, pass.at, slot)
            end
            stage.at = stage.at + (done and 1 or 0)
            moved = moved or done
         end
      end
   until not moved
   for _, stage in ipairs(work) do
      copies.finish(stage.copies)
   end
end

return M
