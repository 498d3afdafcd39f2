--- The order of a stage's passes: one forward, one backward.
--
-- A stage runs forward as many micro-batches as there are stages behind it, then by turns forward
-- and backward, and at the end backward what is left. So the last stage goes back at once, and no
-- stage has more micro-batches under way than there are stages from it on: memory depends on the
-- number of stages, not on that of micro-batches.
-- Source: Narayanan et al., "PipeDream", SOSP 2019, section 3.2; with a flush at the end of each
-- batch, Narayanan et al., "Memory-Efficient Pipeline-Parallel DNN Training", ICML 2021
-- (arXiv:2006.09503), section 3.3.
-- @module distributed.pipeline.schedule

local M = {}

--- The passes of a stage.
-- @int stage from 1
-- @int stages how many there are
-- @int count micro-batches
-- @return list of { forward = true or false, at = number of the micro-batch }
function M.passes(stage, stages, count)
   local list, ahead = {}, math.min(stages - stage, count)
   local function add(forward, at)
      list[#list + 1] = { forward = forward, at = at }
   end
   for m = 1, ahead do
      add(true, m)
   end
   for m = ahead + 1, count do
      add(true, m)
      add(false, m - ahead)
   end
   for m = count - ahead + 1, count do
      add(false, m)
   end
   return list
end

--- How many micro-batches a stage has under way at most.
function M.underway(stage, stages, count)
   return math.min(stages - stage + 1, count)
end

return M
