---@meta distributed
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local distributed = {}

---A network whose gradients are the means over all ranks: each computes a part of the batch.
---
---The network's parameters and statistics become those of rank 1. `backward` reduces gradients in
---buckets while it still runs (`distributed.Reducer`); everything else is the network's own. A
---step is that of one process on the batch of all, where the criterion gives means and the parts
---are equally large.
---Source: Li et al., "PyTorch Distributed", VLDB 2020 (arXiv:2006.15704).
---@class distributed.DataParallel: nn.Container
---@overload fun(module: any, settings?: table): distributed.DataParallel
distributed.DataParallel = {}

---The mean over all ranks of the gradients of Variables, taken while backward still runs.
---
---    local gradients = distributed.Gradients { w, b }
---    loss:backward()
---    gradients:finish()          -- w.grad and b.grad are the means over the ranks
---
---A Variable that the loss does not depend on, on this rank or on all, counts with zeros.
---@class distributed.Gradients
---@overload fun(variables: table, settings?: any): distributed.Gradients
distributed.Gradients = {}

---The mean over all ranks of a network's gradients, taken while backward still runs.
---
---    local reducer = distributed.Reducer(net)
---    reducer:begin()
---    net:backward(x, criterion:backward(net.output, target))
---    reducer:finish()           -- gradients are the means over the ranks
---
---`distributed.DataParallel` does so in its `backward`; this is for loops that call it themselves,
---and for losses of Variables. Gradients go in buckets, the last layers' first. Which layers work
---how often is seen in the first pass, where all buckets are reduced at the end; layers that are
---not used have the gradient that is there, zeros after `zeroGradParameters`.
---Source: Li et al., "PyTorch Distributed", VLDB 2020 (arXiv:2006.15704), section 3.2.
---@class distributed.Reducer
---@overload fun(network: any, settings?: any): distributed.Reducer
distributed.Reducer = {}

---What an operation with `async = true` gives: it goes on by itself while the script computes.
---
---    local work = distributed.allReduce(x, { async = true })
---    ...                       -- x is left alone meanwhile
---    work:wait()
---@class distributed.Work
---@overload fun(request: any, tensors: any, finish?: any): distributed.Work
distributed.Work = {}

---nn.BatchNormalization over the samples of all ranks.
---@class nn.SyncBatchNormalization: nn.BatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): nn.SyncBatchNormalization
nn.SyncBatchNormalization = {}

---nn.SpatialBatchNormalization over the images of all ranks.
---@class nn.SyncSpatialBatchNormalization: nn.SpatialBatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): nn.SyncSpatialBatchNormalization
nn.SyncSpatialBatchNormalization = {}

---nn.VolumetricBatchNormalization over the volumes of all ranks.
---@class nn.SyncVolumetricBatchNormalization: nn.VolumetricBatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): nn.SyncVolumetricBatchNormalization
nn.SyncVolumetricBatchNormalization = {}

---Gradients by input and parameters, those of the parameters as means over all ranks.
---@param ... any
function distributed.DataParallel:backward(...) end

---Call f with gradients kept to this rank: several batches make a step when the last one's
---`backward` comes outside, which reduces their sum.
---@param f function  (func)
---@return any
function distributed.DataParallel:noSync(f) end

---After backward: waits until the gradients are the means over the ranks.
function distributed.Gradients:finish() end

---Call f with gradients kept to this rank, as `distributed.DataParallel:noSync` does.
---@param ... any
function distributed.Gradients:noSync(...) end

---Before backward.
function distributed.Reducer:begin() end

---After an error in backward: as if `begin` had not been called. What was on its way comes to its
---end, so that ranks which all give up can go on together.
function distributed.Reducer:cancel() end

---After backward: waits until the gradients are the means over the ranks.
function distributed.Reducer:finish() end

---Whether it has come to its end.
function distributed.Work:done() end

---Wait for the end.
---@param ... any
---@return any
function distributed.Work:wait(...) end

---The tensors of all ranks, one after the other, on all ranks.
---@param x torch.Tensor of the same sizes and type on all ranks (Tensor)
---@param settings? table async, group (tab, optional)
---@return any
function distributed.allGather(x, settings) end

---Combine the tensors of all ranks, element by element; all get the result, the same bits.
---@param x any of the same sizes and type on all ranks; becomes the result. 16-bit numbers are (Tensor) rounded after each step, sums of integers come round.
---@param settings? any op ('sum', 'mean', 'product', 'min', 'max'; also in place of the table); (tab, optional) ordered (false): in the order of ranks, ((x1 + x2) + x3) + x4, so that the bits are those of one process that adds the parts up; async, group
---@return torch.Tensor
function distributed.allReduce(x, settings) end

---Make the running statistics of all ranks their means: each has seen other samples.
---@param network any  (nn.Module)
---@param settings? table group (tab, optional)
---@return any
function distributed.averageStatistics(network, settings) end

---Wait until all ranks have come here.
---@param settings? table async, group (tab, optional)
function distributed.barrier(settings) end

---Give all ranks the elements that one has.
---@param x torch.Tensor of the same sizes and type on all ranks; overwritten on all but the root (Tensor)
---@param settings? table root (1; a group's first), async, group (tab, optional)
---@return torch.Tensor
function distributed.broadcast(x, settings) end

---Give all ranks a value that one has: nil, number, string, table, torch object.
---@param object any on the root; ignored on the others
---@param settings? table root (1), group (tab, optional)
---@return any
function distributed.broadcastObject(object, settings) end

---The tensors of all ranks, one after the other, on one of them.
---@param x torch.Tensor of the same sizes and type on all ranks (Tensor)
---@param settings? table root (1; a group's first), async, group (tab, optional)
---@return any
function distributed.gather(x, settings) end

---The values of all ranks, on all ranks.
---@param object any of this rank
---@param settings? table group (tab, optional)
---@return any
function distributed.gatherObjects(object, settings) end

---Some of the ranks, which work together apart from the others. Each of them calls this, with the
---same ranks; the group is the option `group` of the operations.
---@param ranks table numbers, ascending (tab)
---@return table
function distributed.group(ranks) end

---Join the other processes. The first call of anything else here does so, too; this one is for the
---options. A process that nobody has started with others is rank 1 of 1, and needs no MPI.
---
---`timeout`: seconds that a rank waits for another one before it raises an error (30; TH_TIMEOUT in
---the environment). `check`: whether ranks compare what they are about to do before each operation
---(true; TH_CHECK=0); without, a disagreement is undefined, and an operation is some 3 us faster.
---
---`devices`: how tensors of devices travel. 'host' (the default): through page-locked memory, by
---MPI. 'nccl': broadcast, allReduce, reduceScatter and allGather by NCCL, which is opened then; one
---device for each process. Simulated devices exchange files. It has not run on GPUs yet.
---@param settings? table timeout, check, devices (tab, optional)
function distributed.init(settings) end

---What has started this process: 'mpirun', 'slurm', or nil.
function distributed.launcher() end

---The MPI library's name and version; nil where there is one process.
function distributed.library() end

---This process's place among those on its machine, from 1: the device that is its own.
function distributed.place() end

---This process's number, from 1.
---@param group? any of `distributed.group`: its place there, or nil (optional)
---@return number
function distributed.rank(group) end

---Receive a tensor that another rank sends. Tensors of one sender come in the order of its calls.
---@param x torch.Tensor of the sizes and the type that are sent; overwritten (Tensor)
---@param from integer rank (int)
---@param settings? table async (tab, optional)
---@return torch.Tensor
function distributed.receive(x, from, settings) end

---Combine the tensors of all ranks, and give each one its part of the result: rank r the r-th.
---@param x any of the same sizes and type on all ranks; its first dimension divides by their (Tensor) number
---@param settings? table op, ordered: as of `distributed.allReduce`; async, group (tab, optional)
---@return any
function distributed.reduceScatter(x, settings) end

---Share one rank's tensor out: rank r gets x[r].
---@param y torch.Tensor what a rank gets is written here; of the same sizes and type on all ranks (Tensor)
---@param x torch.Tensor on the root: size x the sizes of y; ignored on the others (Tensor)
---@param settings? table root (1; a group's first), async, group (tab, optional)
---@return torch.Tensor
function distributed.scatter(y, x, settings) end

---Send a tensor to another rank, which calls `distributed.receive`.
---@param x torch.Tensor  (Tensor)
---@param to integer rank (int)
---@param settings? table async (tab, optional)
function distributed.send(x, to, settings) end

---An optimiser whose state is shared out among the ranks: each keeps and steps its part of the
---parameters, and gets the others'. The gradients are the same on all ranks before (DataParallel).
---It steps as the optimiser alone does; its state takes 1 / size of the memory. A state of all
---parameters, such as `whole` gives, is cut when it comes.
---Source: Rajbhandari et al., "ZeRO", SC 2020 (arXiv:1910.02054), stage 1.
---@param optimizer function of optim, one that treats each element for itself: adam, adamw, sgd, ... (func)
---@param settings? table group (tab, optional)
---@return any
function distributed.sharded(optimizer, settings) end

---How many processes work together.
---@param group? any of `distributed.group` (optional)
---@return number
function distributed.size(group) end

---A network whose batch normalisations take their statistics over the batches of all ranks.
---The layers are replaced by ones with the same tensors: nn.SyncBatchNormalization,
---nn.SyncSpatialBatchNormalization, nn.SyncVolumetricBatchNormalization.
---@param network any  (nn.Module)
---@return any
function distributed.syncBatchNormalization(network) end

---Give all ranks the parameters and the running statistics that one has.
---@param network any of the same architecture on all ranks (nn.Module)
---@param settings? table root (1), group (tab, optional)
---@return any
function distributed.synchronize(network, settings) end

return distributed
