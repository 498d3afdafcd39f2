--- Processes that train together, on one machine or on several: `mpirun -n 4 th script.lua`,
-- `srun`, or `th --workers 4 script.lua`.
--
--     local distributed = require 'distributed'
--     local x = torch.FloatTensor(10):fill(distributed.rank())
--     distributed.allReduce(x, 'mean')
--
-- | what | by |
-- | --- | --- |
-- | who is there | `distributed.rank`, `distributed.size`, `distributed.group` |
-- | tensors | `distributed.allReduce`, `distributed.broadcast` and their kin |
-- | values of Lua | `distributed.broadcastObject`, `distributed.gatherObjects` |
-- | gradients of a network | `distributed.DataParallel` |
-- | batch normalisation over all | `distributed.syncBatchNormalization` |
-- | an optimiser's state, shared out | `distributed.sharded` |
-- | a network in stages | `distributed.Pipeline` |
-- | layers in parts | `distributed.split` |
-- | a network in one piece again | `distributed.whole` |
-- | all of it | `train.Trainer`, which finds out by itself |
--
-- A script that nobody has started with others is rank 1 of 1, and all of this works, without MPI.
-- Source of the operations: Message Passing Interface Forum, "MPI: A Message-Passing Interface
-- Standard", 3.1.
-- @module distributed
require 'torch'
require('torch.errors').library()
require 'nn'
require 'optim'

local distributed = require 'distributed.module'
-- The files below may ask for the package while it is being filled.
package.loaded.distributed = distributed

for _, file in ipairs {
   'world', 'Work', 'operations', 'objects', 'training.Reducer', 'training.Gradients',
   'training.synchronize', 'training.DataParallel', 'training.SyncBatchNormalization',
   'training.sharded', 'pipeline.Pipeline', 'split.init', 'whole',
} do
   require('distributed.' .. file)
end

return distributed
