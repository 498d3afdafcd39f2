---@meta cunn
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local cunn = {}

---One module on several devices: each takes a part of the batch.
---
---Every part has a replica of the module. `forward` cuts the input along `dimension`, runs the
---replicas, and joins their outputs on the first device; `backward` does so with the gradients, and
---adds the replicas' parameter gradients to those of the first, in the order of the parts. The
---parameters are the first replica's; the others get them with the next `forward`, whoever wrote
---them.
---
---In deterministic mode (`cutorch.setOptions { deterministic = true }`) outputs and gradients
---depend on the number of parts, not on where they are computed: with as many parts, one device
---and four of its kind give the same bits.
---@class nn.DataParallelTable: nn.Container
---@overload fun(...: any): nn.DataParallelTable
nn.DataParallelTable = {}

---Runs functions on the replicas, one after the other; devices work at the same time, because
---operations return before they are done.
---@class nn.DataParallelTable.Basic
---@overload fun(...: any): nn.DataParallelTable.Basic
nn.DataParallelTable.Basic = {}

---What `threads` puts in the place of a Basic. Torch7's has a thread for each replica; this one
---runs as Basic does.
---@class nn.DataParallelTable.Threads: nn.DataParallelTable.Basic
---@overload fun(...: any): nn.DataParallelTable.Threads
nn.DataParallelTable.Threads = {}

---The module (or criterion) as that type of CUDA tensors, as `m:cuda()` makes it one of floats.
---@param ... any
function nn.Criterion:cudaBFloat16(...) end

---Nothing is left running.
function nn.DataParallelTable.Basic:close() end

---Call f(replica, i) for each replica, its device the current one.
---@param closure function f (function)
---@param maxGpuId? integer run on the first so many replicas alone (integer, optional)
---@return any
function nn.DataParallelTable.Basic:exec(closure, maxGpuId) end

---parameters <- parameters - lr * gradient, the gradients left as they were.
---@param ... any
function nn.DataParallelTable:accUpdateGradParameters(...) end

---Put a module on devices. The module itself serves on the first if it is there.
---@param module any of a CUDA type
---@param gpus table device numbers; the first one has the parameters and the output (table)
---@param parts? integer into how many a batch is cut: default one for each device. With more, a device has a replica for each of its parts and runs them one after the other. (integer, optional)
---@return self
function nn.DataParallelTable:add(module, gpus, parts) end

---Call a method of a replica on its device.
---@param ... any
function nn.DataParallelTable:callReplica(...) end

---A deep copy, on the same devices.
---@param ... any
function nn.DataParallelTable:clone(...) end

---Forget parts and outputs.
function nn.DataParallelTable:dropBuffers() end

---Let each replica have its parameters in one tensor. Earlier results of getParameters go stale.
function nn.DataParallelTable:flattenParameters() end

---The first replica's parameters and gradients, each in one tensor.
function nn.DataParallelTable:getParameters() end

---Whether the first replica's parameters have been written since the others got them.
function nn.DataParallelTable:hasNewParameters() end

---The parameters and gradients of each replica: a list of { parameters, gradients }.
function nn.DataParallelTable:moduleParameters() end

---The first replica's.
function nn.DataParallelTable:parameters() end

---Append replicas of a module, one for each device in the list.
---@param ... any
function nn.DataParallelTable:replicate(...) end

---What a file holds, on the devices that are here: where some are missing the others take larger
---parts, or, where devices had several parts, more of them.
---@param ... any
function nn.DataParallelTable:replicateAgain(...) end

---Copy the first replica's parameters to the others. `forward` does so where they have been
---written since.
function nn.DataParallelTable:syncParameters() end

---Torch7 ran replicas in threads of their own; here one thread keeps all devices busy, because
---operations return before they are done.
---@param initFunc? function what a thread would have run first; run here (function, optional)
---@return self
function nn.DataParallelTable:threads(initFunc) end

---Convert to another CUDA type.
---@param ... any
function nn.DataParallelTable:type(...) end

---The module (or criterion) as that type of CUDA tensors, as `m:cuda()` makes it one of floats.
---@param ... any
function nn.Module:cudaBFloat16(...) end

---The module (or criterion) as that type of CUDA tensors, as `m:cuda()` makes it one of floats.
---@param ... any
function nn.Module:cudaDouble(...) end

---The module (or criterion) as that type of CUDA tensors, as `m:cuda()` makes it one of floats.
---@param ... any
function nn.Module:cudaHalf(...) end

return cunn
