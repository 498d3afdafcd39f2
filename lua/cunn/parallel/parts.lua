--- nn.DataParallelTable: what goes from one device to the others and comes back. A subclass that
-- cuts, joins or adds in another way overrides these, as in Torch7.
-- @module cunn.parallel.parts
local nn = require 'nn'
local batch = require 'cunn.batch'
local cutorch = require 'cutorch'
local wholes_of = require('torch.sharing').wholes

local Table = nn.DataParallelTable

--- Part `idx` of the `n` that a batch is cut into, on the current device; nil where the batch has
-- fewer samples than parts, and this one would be empty.
-- @param[opt] dst what it gave before, whose tables are used again
-- @param src tensor or nested table
-- @int idx 1 to n
-- @int n
function Table:_distributeTensorRecursive(dst, src, idx, n)
   local range = batch.ranges(batch.size(src, self.dimension, 'the batch'), n)[idx]
   -- Libraries may choose an algorithm by how memory is aligned: in deterministic mode every part
   -- has memory of its own, as on a device that the batch is not on.
   return range and batch.part(dst, src, self.dimension, range, cutorch.getOptions().deterministic)
end

--- The parts of a batch, each on its replica's device; none that would be empty.
-- @tab dst list to put them in
-- @param src tensor or nested table
-- @return dst
function Table:_distribute(dst, src)
   for i, id in ipairs(self.gpuAssignments) do
      dst[i] = cutorch.withDevice(id, self._distributeTensorRecursive, self, dst[i], src, i,
         #self.gpuAssignments)
   end
   return dst
end

--- Parts put together along the dimension of samples, on the current device.
-- @param[opt] dst tensor or nested table to write into, made anew where it does not fit
-- @tab src list of the parts
-- @return dst
function Table:_concatTensorRecursive(dst, src)
   return batch.join(dst, src, self.dimension, 'the result')
end

--- Parts put together on the first device.
-- @param[opt] dst as `_concatTensorRecursive` takes it
-- @tab src list of the parts
-- @return dst
function Table:_concat(dst, src)
   return cutorch.withDevice(self.gpuAssignments[1], self._concatTensorRecursive, self, dst, src)
end

--- Copy the first replica's tensors to the others.
-- @tab params for each replica a list of tensors
function Table._broadcast(_, params)
   for i = 2, #params do
      for k, p in ipairs(params[i]) do
         p:copy(params[1][k])
      end
   end
end

--- Add the replicas' tensors to those of the first, in the order of the replicas.
-- @tab gradParams for each replica a list of tensors
function Table:_reduce(gradParams)
   local wholes = wholes_of(gradParams[1] or {})
   cutorch.withDevice(self.gpuAssignments[1], function()
      for i = 2, #gradParams do
         for k, g in ipairs(gradParams[i]) do
            if wholes[k] == k then
               gradParams[1][k]:add(g.new():resizeAs(g):copy(g))
            end
         end
      end
   end)
end
