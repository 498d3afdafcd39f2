---@meta cutorch
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class cutorch
cutorch = {}

---Torch7's way to a storage in page-locked memory, of any of the CPU's types.
cutorch.CudaHostAllocator = {}

---The memory of the CPU's tensors, in the place of a device.
cutorch.HOST = 0

---Page-locked host memory, in the place of a device: cutorch.memoryStatistics(cutorch.PINNED).
cutorch.PINNED = 0

---The newest version of CUDA that the driver serves, as getDriverVersion tells it: 13000 for 13.0.
cutorch.driverVersion = 0

---Half tensors exist, on every device; hasFastHalfInstructions tells what they gain.
cutorch.hasHalf = true

---Linear algebra is not MAGMA's.
cutorch.magma = true

---A mark in the work of a stream: other streams, and the host, can wait for what came before it.
---It is recorded when it is made, on the current stream of the current device.
---@class cutorch.Event
---@overload fun(...: any): cutorch.Event
cutorch.Event = {}

---Kernels of CUDA C that a script brings along: cutorch.kernel.
---@class cutorch.Kernel
---@overload fun(...: any): cutorch.Kernel
cutorch.Kernel = {}

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cuda(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaBFloat16(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaByte(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaChar(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaDouble(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaHalf(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaInt(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaLong(...) end

---The storage in that type, on the current device: itself when it already is, a copy otherwise.
---@param ... any
function torch.Storage:cudaShort(...) end

---Device of the tensor, counted from 1.
---@param ... any
function torch.Storage:getDevice(...) end

---t:copyAsync(src): as copy, but between a device and compact page-locked memory it returns at
---once. Leave that memory alone until the device's current stream has passed.
---@param ... any
function torch.Tensor:copyAsync(...) end

---Device of the tensor, counted from 1.
---@param ... any
function torch.Tensor:getDevice(...) end

---Milliseconds between two events, both made with cutorch.Event(true).
---@param later any another event; the work before it must be done: later:synchronize() first
function cutorch.Event:elapsed(later) end

---Whether the work before the event is done.
---@param ... any
function cutorch.Event:query(...) end

---Record the event anew, on the current stream.
---@param ... any
function cutorch.Event:record(...) end

---Wait for the event.
---@param ... any
function cutorch.Event:synchronize(...) end

---A device's current stream waits for the event; the host does not.
---@param which? integer device; default: the current one (integer, optional)
function cutorch.Event:waitOn(which) end

---Launch the kernel on the current stream of its tensors' device, and return before it is done.
---@param options table table: grid (blocks) and block (threads), each a number or up to three, as { x, y, z }; shared (0), bytes of dynamic shared memory; and the arguments, in their order
---@return self
function cutorch.Kernel:launch(options) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostBFloat16Tensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostByteTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostCharTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostDoubleTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostFloatTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostHalfTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostIntTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostLongTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@param ... any
function cutorch.createCudaHostShortTensor(...) end

---A CPU tensor in page-locked memory, elements undefined: createCudaHostTensor and
---createCudaHostFloatTensor make a FloatTensor, the others the type of their name. `resize` stays
---in such memory: without sizes the tensor is empty, for scripts that resize it to each batch.
---@overload fun(d1: any, d2?: any)
---@overload fun(LongStorage: any)
---@overload fun()
---@param ... any
---@return any
function cutorch.createCudaHostTensor(...) end

---cuDNN's version, 90000 for 9.0.0.
---@param ... any
---@return any
function cutorch.cudnnVersion(...) end

---Does nothing, as in Torch7.
function cutorch.deviceReset() end

---Give free memory back to the device.
---@param ... any
---@return integer
function cutorch.emptyCache(...) end

---The number given to setBlasHandle last, 1 at first.
function cutorch.getBlasHandle() end

---Number of the current device.
function cutorch.getDevice() end

---Devices of this machine (of the environment's THC_SIM_DEVICES when simulated).
function cutorch.getDeviceCount() end

---What CUDA tells about a device: name, major, minor, totalGlobalMem, multiProcessorCount, ...
---@param id? any the current device by default (optional)
function cutorch.getDeviceProperties(id) end

---The newest version of CUDA that the driver serves, 13000 for 13.0; 0 where there is no driver.
---cutorch.driverVersion is the same as a field.
function cutorch.getDriverVersion() end

---Whether every pair of devices that can has direct access.
function cutorch.getKernelPeerToPeerAccess() end

---Whether a device's memory is taken in ranges; see setMemoryRanges.
---@param ... any
function cutorch.getMemoryRanges(...) end

---Bytes of a device's memory that are free, and all of them. What the cache holds is not free
---here; cutorch.memoryStatistics tells about it.
---@param ... any
function cutorch.getMemoryUsage(...) end

---How many numbers of handles there are: 1 at first.
function cutorch.getNumBlasHandles() end

---How many there are besides the default stream.
function cutorch.getNumStreams() end

---The present options.
---@param ... any
---@return table
function cutorch.getOptions(...) end

---Whether a device may read and write another's memory directly.
---@param ... any
function cutorch.getPeerToPeerAccess(...) end

---The state of the current device's generator, a ByteTensor.
function cutorch.getRNGState() end

---The version of the CUDA runtime that the backend uses, 13000 for 13.0.
function cutorch.getRuntimeVersion() end

---The current stream of the current device; 0 is the default stream.
function cutorch.getStream() end

---Whether it does so faster than with floats.
function cutorch.hasFastHalfInstructions() end

---Whether the current device computes with halves.
function cutorch.hasHalfInstructions() end

---The seed that the current device's generator last got.
function cutorch.initialSeed() end

---Always: tensors come from the caching allocator.
function cutorch.isCachingAllocatorEnabled() end

---Whether a tensor or storage lies in CUDA's managed memory. None does: the allocator takes device
---memory, and the host's tensors have the host's or page-locked memory.
---@param ... any
function cutorch.isManaged(...) end

---Whether a CPU tensor lies in page-locked memory.
---@param ... any
function cutorch.isPinned(...) end

---Whether the devices are simulated ones.
function cutorch.isSimulated() end

---Remember the latest `entries` events of a pool and the script's line of each live block, for
---snapshots and for out-of-memory errors. Scripts run slower meanwhile: LuaJIT's compiler is off.
---0 stops.
---@param ... any
function cutorch.keepHistory(...) end

---A kernel from CUDA C.
---
---The parameters of the `__global__` function say what it takes: pointers to numbers get tensors of
---that type (`float *`: torch.CudaTensor, `int *`: torch.CudaIntTensor, `__half *`, `void *`: any),
---numbers get numbers. Tensors behind `const` are only read; others count as written. A launch goes
---to the current stream of the tensors' device and returns before the kernel is done.
---
---On devices NVRTC compiles it, with CUDA's headers (`cuda_fp16.h`, ...) where the toolkit is
---installed: at `$CUDA_HOME`, beside NVRTC, in /usr/local/cuda. Of C's library it has the names of
---`<cstdint>` and `<cmath>`. On simulated devices the host's C++ compiler does, and threads,
---`__shared__`, `__syncthreads`, shuffles and atomic functions are simulated. Code stays in
---`$XDG_CACHE_HOME/luatorch` (`~/.cache/luatorch`).
---
---A kernel that touches memory which is not its own is a fault of the device: calls from then on
---say so, as for any other kernel. Within the memory of tensors nobody checks its indices.
---@param source string string
---@param name string string: of the `__global__` function
---@param options? any table: strided (false), whether tensors that are not contiguous may be given (optional)
---@return any
function cutorch.kernel(source, name, options) end

---Seed the current device's generator.
---@param ... any
function cutorch.manualSeed(...) end

---Seed every device's generator, all alike.
---@param ... any
function cutorch.manualSeedAll(...) end

---Everything a pool holds, as JSON.
---@param id? any device (optional)
---@param filename? any string: where to write it; 'x.html' gets a page that shows it (optional)
---@return any
function cutorch.memorySnapshot(id, filename) end

---What a pool holds and held, in bytes unless said otherwise.
---@param id? any device; the current one by default (optional)
---@return table
function cutorch.memoryStatistics(id) end

---Record what f allocates and frees in a pool, for bench/replay.
---@param filename string string: where the trace is written
---@param f function function: called with a function that marks the end of a step
---@param id? any device (optional)
---@param header? any table of strings: comments at the head of the file (optional)
function cutorch.recordAllocations(filename, f, id, header) end

---Have at least n numbers of cuBLAS handles. Each device and stream has a handle of its own
---without being asked; this and the next three are for scripts written for Torch7.
---@param ... any
function cutorch.reserveBlasHandles(...) end

---Have streams 1 to n on every device.
---@param n number number
---@param nonBlocking? boolean boolean: they do not wait for the default stream, nor it for them (default false)
function cutorch.reserveStreams(n, nonBlocking) end

---Let the peaks of the statistics start anew.
---@param ... any
function cutorch.resetPeaks(...) end

---Seed the current device's generator from the operating system.
---@param ... any
---@return any
function cutorch.seed(...) end

---Seed every device's generator with one seed from the operating system.
---@param ... any
---@return any
function cutorch.seedAll(...) end

---Remember a handle's number.
---@param ... any
function cutorch.setBlasHandle(...) end

---Make the default stream the current one of the current device: setStream(0).
function cutorch.setDefaultStream() end

---Make a device the current one.
---@param ... any
function cutorch.setDevice(...) end

---Whether tensor memory makes Lua's collector run (torch.setheaptracking).
---@param ... any
function cutorch.setHeapTracking(...) end

---Give every pair of devices that can direct access, or take it away. Copies between devices then
---need no way round; the operands of one operation must still be on one device.
---@param ... any
function cutorch.setKernelPeerToPeerAccess(...) end

---Let this process take at most so many bytes of a device; 0: no limit.
---@param ... any
function cutorch.setMemoryLimit(...) end

---Take a device's memory in ranges of addresses that are filled page by page, or in segments, from
---now on. Ranges, the default, waste least; segments are for devices that cannot map pages, and for
---comparison. `THC_MEMORY=segments` in the environment says so from the start.
---@param on boolean boolean
---@param id? any device (optional)
function cutorch.setMemoryRanges(on, id) end

---Change options: cutorch.setOptions { deterministic = true }.
---@param ... any
function cutorch.setOptions(...) end

---Let a device read and write another's memory directly, or not.
---@param id any device
---@param peer any the other device
---@param on boolean boolean
function cutorch.setPeerToPeerAccess(id, peer, on) end

---Set the state.
---@param state any ByteTensor, as getRNGState returns it
function cutorch.setRNGState(state) end

---Make a stream the current one of the current device.
---@param ... any
function cutorch.setStream(...) end

---None of these streams of the current device goes on before all of them have come here.
---@param ... any
function cutorch.streamBarrier(...) end

---As streamBarrier, for device -> list of streams.
---@param ... any
function cutorch.streamBarrierMultiDevice(...) end

---Wait until the work of a stream of the current device is done.
---@param ... any
function cutorch.streamSynchronize(...) end

---What comes next on a stream of the current device waits for what is on the others now.
---@param stream number number
---@param others table table of numbers, streams of the current device
function cutorch.streamWaitFor(stream, others) end

---As streamWaitFor, between devices.
---@param id any device of the stream that waits
---@param stream number number
---@param others table table: device -> list of streams
function cutorch.streamWaitForMultiDevice(id, stream, others) end

---Wait for all work of the current device.
function cutorch.synchronize() end

---Wait for all work of all devices.
function cutorch.synchronizeAll() end

---What became of the convolutions of this process that cuDNN was asked for.
---cutorch.vendorCounts().ran grows with each that it ran.
---@param ... any
---@return table
function cutorch.vendorCounts(...) end

---f(...) with another current device, which is the former one again afterwards, error or not.
---@param ... any
---@return any
function cutorch.withDevice(...) end

return cutorch
