--- What runs a function on all replicas of an nn.DataParallelTable: its field `impl`.
-- @module cunn.parallel.executors
local torch = require 'torch'
local nn = require 'nn'
local cutorch = require 'cutorch'

--- Runs functions on the replicas, one after the other; devices work at the same time, because
-- operations return before they are done.
-- @type nn.DataParallelTable.Basic
-- @usage local sizes = model.impl:exec(function(replica, i) return replica.weight:nElement() end)
local Basic = torch.class('nn.DataParallelTable.Basic', nn.DataParallelTable)

--- @param dpt the nn.DataParallelTable
function Basic:__init(dpt)
   self.dpt = dpt
end

--- Call f(replica, i) for each replica, its device the current one.
-- @func closure f
-- @int[opt] maxGpuId run on the first so many replicas alone
-- @return list of what f gave
function Basic:exec(closure, maxGpuId)
   local dpt, results = self.dpt, {}
   for i = 1, math.min(maxGpuId or #dpt.modules, #dpt.modules) do
      results[i] = cutorch.withDevice(dpt.gpuAssignments[i], closure, dpt.modules[i], i)
   end
   return results
end

--- Nothing is left running.
function Basic:close()
   return self
end

--- What `threads` puts in the place of a Basic. Torch7's has a thread for each replica; this one
-- runs as Basic does.
-- @type nn.DataParallelTable.Threads
local Threads = torch.class('nn.DataParallelTable.Threads', 'nn.DataParallelTable.Basic',
   nn.DataParallelTable)

--- @param dpt the nn.DataParallelTable
-- @func[opt] initFunc what a thread would have run first; run here
function Threads:__init(dpt, initFunc)
   nn.DataParallelTable.Basic.__init(self, dpt)
   if initFunc then
      initFunc()
   end
end
