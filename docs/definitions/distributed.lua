---@meta distributed
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local distributed = {}

---An nn.Linear of which each rank computes some outputs; `distributed.split` makes it.
---Fields: `features` (outputs of all ranks), `first` (this rank's), `gathers` (whether the output
---is that of all ranks), `group`.
---@class distributed.ColumnLinear: nn.Linear
---@overload fun(inputSize: integer, outputSize: integer, bias?: boolean): distributed.ColumnLinear
distributed.ColumnLinear = {}

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

---An nn.Dropout of the features that a rank has; `distributed.split` makes it. What a rank draws
---is its own, and the numbers that layers behind draw are the same on all. Field: `group`.
---@class distributed.Dropout: nn.Dropout
---@overload fun(p?: number, v1?: boolean, inplace?: any, stochasticInference?: boolean): distributed.Dropout
distributed.Dropout = {}

---The mean over all ranks of the gradients of Variables, taken while backward still runs.
---
---    local gradients = distributed.Gradients { w, b }
---    loss:backward()
---    gradients:finish()          -- w.grad and b.grad are the means over the ranks
---
---A Variable that the loss does not depend on, on this rank or on all, counts with zeros.
---@class distributed.Gradients
---@overload fun(variables: table, settings?: table): distributed.Gradients
distributed.Gradients = {}

---Some rows of an nn.LookupTable, and zeros for positions of other rows; `distributed.split`
---makes it. Fields: `rows` (of the whole table), `first` (of its own).
---@class distributed.LookupRows: nn.LookupTable
---@overload fun(nIndex: integer, nOutput: integer, paddingValue?: integer, maxNorm?: number, normType?: number): distributed.LookupRows
distributed.LookupRows = {}

---An nn.LookupTable of which each rank has some rows; `distributed.split` makes it. Fields: as of
---distributed.LookupRows, `group`.
---@class distributed.LookupTable: distributed.LookupRows
---@overload fun(nIndex: integer, nOutput: integer, paddingValue?: integer, maxNorm?: number, normType?: number): distributed.LookupTable
distributed.LookupTable = {}

---An nn.MultiHeadAttention of which each rank has some heads; `distributed.split` makes it.
---Fields: `allHeads`, `heads` (this rank's), `group`.
---@class distributed.MultiHeadAttention: nn.MultiHeadAttention
---@overload fun(features: integer, heads: integer, causal?: boolean, p?: number, bias?: boolean): distributed.MultiHeadAttention
distributed.MultiHeadAttention = {}

---A layer of which each device computes a part; `distributed.split` with `devices` makes it.
---
---Its modules are nn.GPU with the parts. What they are given says `takes`: 'whole', the input;
---'cut', some of its features; 'parts', entry i of a table, which is on device i. What becomes of
---their outputs says `gives`: 'joined', side by side; 'sum'; 'parts', a table of them, which stay
---where they are. All else is on the first device. Gradients go the same ways back: of 'whole' they
---are added up. `ranges` are the features, first and count, of 'cut' and of 'joined'.
---@class distributed.Parts: nn.Branches
---@overload fun(...: any): distributed.Parts
distributed.Parts = {}

---A network in stages, which work on different parts of a batch at the same time.
---
---The layers of an nn.Sequential are cut into stages, one for each rank, or, with `devices`, one
---for each of these devices of one process. A batch is cut into micro-batches. Each stage hands its
---outputs on to the next, and its gradients back to the one before, in the order "one forward, one
---backward" (distributed.pipeline.schedule).
---
---    local net = distributed.Pipeline(model, { microBatches = 8 })     -- th --workers 4
---    local net = distributed.Pipeline(model, { microBatches = 8, devices = { 1, 2 } }):cuda()
---    local parameters, gradients = net:getParameters()   -- lists: a vector for each stage here
---    local adam = optim.groups { optim.adam }
---    for x, t in batches() do
---       adam(function()
---          net:zeroGradParameters()
---          return net:forwardBackward(x, t, criterion), gradients
---       end, parameters, config, state)
---    end
---    local whole = distributed.whole(net)                -- an nn.Sequential, to be saved
---
---Gradients and loss are those of the micro-batches one after the other in one process, which for
---means and sums over samples are those of the batch. Batch normalisation takes its statistics from
---each micro-batch; layers that draw numbers draw them in the order of a stage's passes.
---Source: Huang et al., "GPipe", NeurIPS 2019 (arXiv:1811.06965).
---@class distributed.Pipeline: nn.Container
---@overload fun(net: any, settings?: table): distributed.Pipeline
distributed.Pipeline = {}

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
---@overload fun(network: any, settings?: table): distributed.Reducer
distributed.Reducer = {}

---An nn.Linear of which each rank takes some inputs; `distributed.split` makes it. The bias is on
---all ranks. Fields: `features` (inputs of all ranks), `first` (this rank's), `cuts` (whether it is
---given the inputs of all ranks), `group`.
---@class distributed.RowLinear: nn.Linear
---@overload fun(inputSize: integer, outputSize: integer, bias?: boolean): distributed.RowLinear
distributed.RowLinear = {}

---What an operation with `async = true` gives: it goes on by itself while the script computes.
---
---    local work = distributed.allReduce(x, { async = true })
---    ...                       -- x is left alone meanwhile
---    work:wait()
---@class distributed.Work
---@overload fun(request: any, tensors: any, finish?: any, mark?: any): distributed.Work
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
---@param f function (function)
---@return any
function distributed.DataParallel:noSync(f) end

---After backward: waits until the gradients are the means over the ranks.
function distributed.Gradients:finish() end

---Call f with gradients kept to this rank, as `distributed.DataParallel:noSync` does.
---@param ... any
function distributed.Gradients:noSync(...) end

---Free outputs and buffers, the copies for micro-batches as well.
function distributed.Pipeline:clearState() end

---The loss of a batch; its gradients are added to those of the parameters, stage by stage.
---
---A micro-batch counts by its rows where the criterion gives means, as all do whose `sizeAverage`
---is not false (nn.L1Cost sums); parts of a criterion have to agree. A mean that is weighted
---otherwise, by classes, is one of each micro-batch's.
---
---In place of a criterion a function computes the loss by Variables: f(output, target) of a
---micro-batch returns a Variable of one element, a mean over its samples. Of the target, which may
---be a table of anything then, tensors with as many rows as the batch are cut, and so are lists
---with an entry for each; what has to come whole (a weight for each class) is better left out of
---it, and known to f. What f returns behind the loss is kept as the output: tensors one below the
---other, of anything else what comes of the first micro-batch.
---@param x any the batch, a tensor or a table of tensors; only the first rank looks at it
---@param target any only the last rank looks at it
---@param criterion any nn.Criterion or function; only the last rank calls it
---@param settings? table keep: leave the batch's output in `net.output`, on all ranks; scale (1): a factor of the gradients, as of `backward` (table, optional)
---@return number
function distributed.Pipeline:forwardBackward(x, target, criterion, settings) end

---The parameters of the stages of this process, each stage's in one flat storage.
---@param ... any
---@return any
---@return any
function distributed.Pipeline:getParameters(...) end

---Convert; stages with devices move there.
---@param ... any
function distributed.Pipeline:type(...) end

---The output of a batch, micro-batch by micro-batch, on all ranks.
---@param input any only the first rank looks at it
function distributed.Pipeline:updateOutput(input) end

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
---@param settings? table async, group (table, optional)
---@return any
function distributed.allGather(x, settings) end

---Combine the tensors of all ranks, element by element; all get the result, the same bits.
---@param x torch.Tensor of the same sizes and type on all ranks; becomes the result. 16-bit numbers are rounded after each step, sums of integers come round. (Tensor)
---@param settings? table op ('sum', 'mean', 'product', 'min', 'max'; also in place of the table); ordered (false): in the order of ranks, ((x1 + x2) + x3) + x4, so that the bits are those of one process that adds the parts up; async, group (table, optional)
---@return torch.Tensor
function distributed.allReduce(x, settings) end

---Make the running statistics of all ranks their means: each has seen other samples.
---@param network any (nn.Module)
---@param settings? table group (table, optional)
---@return any
function distributed.averageStatistics(network, settings) end

---Wait until all ranks have come here.
---@param settings? table async, group (table, optional)
function distributed.barrier(settings) end

---Give all ranks the elements that one has.
---@param x torch.Tensor of the same sizes and type on all ranks; overwritten on all but the root (Tensor)
---@param settings? table root (1; a group's first), async, group (table, optional)
---@return torch.Tensor
function distributed.broadcast(x, settings) end

---Give all ranks a value that one has: nil, number, string, table, torch object.
---@param object any on the root; ignored on the others
---@param settings? table root (1), group (table, optional)
---@return any
function distributed.broadcastObject(object, settings) end

---The tensors of all ranks, one after the other, on one of them.
---@param x torch.Tensor of the same sizes and type on all ranks (Tensor)
---@param settings? table root (1; a group's first), async, group (table, optional)
---@return any
function distributed.gather(x, settings) end

---The values of all ranks, on all ranks.
---@param object any of this rank
---@param settings? table group (table, optional)
---@return any
function distributed.gatherObjects(object, settings) end

---Some of the ranks, which work together apart from the others. Each of them calls this, with the
---same ranks; the group is the option `group` of the operations. Like them it waits for the others,
---and raises what they raise.
---@param ranks table numbers, ascending (table)
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
---@param settings? table timeout, check, devices (table, optional)
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
---@param from integer rank (integer)
---@param settings? table async (table, optional)
---@return torch.Tensor
function distributed.receive(x, from, settings) end

---Combine the tensors of all ranks, and give each one its part of the result: rank r the r-th.
---@param x torch.Tensor of the same sizes and type on all ranks; its first dimension divides by their number (Tensor)
---@param settings? table op, ordered: as of `distributed.allReduce`; async, group (table, optional)
---@return any
function distributed.reduceScatter(x, settings) end

---Share one rank's tensor out: rank r gets x[r].
---@param y torch.Tensor what a rank gets is written here; of the same sizes and type on all ranks (Tensor)
---@param x torch.Tensor on the root: size x the sizes of y; ignored on the others (Tensor)
---@param settings? table root (1; a group's first), async, group (table, optional)
---@return torch.Tensor
function distributed.scatter(y, x, settings) end

---Send a tensor to another rank, which calls `distributed.receive`.
---@param x torch.Tensor (Tensor)
---@param to integer rank (integer)
---@param settings? table async (table, optional)
function distributed.send(x, to, settings) end

---An optimiser whose state is shared out among the ranks: each keeps and steps its part of the
---parameters, and gets the others'. The gradients are the same on all ranks before (DataParallel).
---It steps as the optimiser alone does; its state takes 1 / size of the memory. A state of all
---parameters, such as `whole` gives, is cut when it comes.
---Source: Rajbhandari et al., "ZeRO", SC 2020 (arXiv:1910.02054), stage 1.
---@param optimizer function of optim, one that treats each element for itself: adam, adamw, sgd, ... (function)
---@param settings? table group (table, optional)
---@return any
function distributed.sharded(optimizer, settings) end

---How many processes work together.
---@param group? any of `distributed.group` (optional)
---@return number
function distributed.size(group) end

---A layer, or the layers of a network, split among the ranks: each has a part of the parameters,
---their gradients and the optimiser's state. All ranks are given the same batches.
---
---| layer | what a rank has | sums over the ranks |
---| --- | --- | --- |
---| nn.Linear, `by = 'columns'` | some outputs | backward; outputs are put together |
---| nn.Linear, `by = 'rows'` | some inputs | forward; gradients by inputs are put together |
---| nn.LookupTable | some rows | forward |
---| nn.MultiHeadAttention | some heads | forward and backward |
---
---In a network, two nn.Linear with only element-wise layers between them, as those of
---nn.FeedForward, are split by columns and by rows with one sum each way; other nn.Linear by
---columns. Layers of less than one output, row or head for each rank stay whole, as others do: all
---ranks have and step those. Their parameters become those of rank 1. Outputs and gradients are
---those of the whole layer but for the order in which sums are made. Ranks need the same seed where
---layers draw numbers (nn.Dropout): what is not split has to draw the same on all. Dropout within
---what is split draws for each rank's own features or heads. Layers that share a parameter share
---its part, if both cut it alike, as an nn.LookupTable and an nn.Linear behind it do.
---
---With `devices` the parts are on devices of this process: a distributed.Parts stands in the
---layer's place, and its output is on the first of them. Make the network on the CPU; it moves with
---`net:cuda()`, what is not split to the current device, which has to be the first of the list.
---Then `getParameters` gives lists: a vector for each device.
---
---`distributed.whole` puts layers together again, for saving.
---@param module any nn.Linear, nn.LookupTable, nn.MultiHeadAttention, or a network (nn.Module)
---@param settings? table by: 'columns' (the default) or 'rows', of a single nn.Linear; group: the ranks; devices: those of this process, instead of ranks (table, optional)
---@return any
function distributed.split(module, settings) end

---A network whose batch normalisations take their statistics over the batches of all ranks.
---The layers are replaced by ones with the same tensors: nn.SyncBatchNormalization,
---nn.SyncSpatialBatchNormalization, nn.SyncVolumetricBatchNormalization.
---@param network any (nn.Module)
---@return any
function distributed.syncBatchNormalization(network) end

---Give all ranks the parameters and the running statistics that one has.
---@param network any of the same architecture on all ranks (nn.Module)
---@param settings? table root (1), group (table, optional)
---@return any
function distributed.synchronize(network, settings) end

---A network in one piece, on the CPU: a copy of one that is in stages (distributed.Pipeline,
---nn.Placed), or has layers that are split (distributed.split), without those. All ranks call this,
---and all get it. Layers that share parameters still do; gradients are zero.
---@param net any (nn.Module)
---@return any
function distributed.whole(net) end

return distributed
