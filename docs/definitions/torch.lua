---@meta torch
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class torch
torch = {}
torch.profiler = {}

---PyTorch's place of these: torch.autograd.Variable(x); torch.autograd(f) is torch.grad(f). The
---module autograd is Twitter's, which runs from its own sources.
torch.autograd = {}

---The rows of lib/TH/ops that became methods: name, family, dtypes, formula, parameters (name and
---role of each: 'in', 'out', 'inout', 'number', ...). Every other operation: torch.signatures.
torch.ops = {}

---The class of Torch7's C allocators, which scripts cannot make: cutorch.CudaHostAllocator is one.
---@class torch.Allocator
---@overload fun(...: any): torch.Allocator
torch.Allocator = {}

---Options of a script: declared, parsed from the command line, and logged (torch.CmdLine).
---
---    local cmd = torch.CmdLine()
---    cmd:text('Train a network')
---    cmd:option('-lr', 0.1, 'learning rate')
---    local params = cmd:parse(arg)  --> params.lr
---@class torch.CmdLine
---@overload fun(argsep: string, keysep: string): torch.CmdLine
torch.CmdLine = {}

---torch.File: what disk, memory and pipe files have in common.
---
---A file starts in ASCII mode, with auto-spacing, not quiet. Positions are 1-based. A file is a
---stream of bytes (torch.io.stdio, torch.io.memory) and a codec for numbers (torch.io.ascii,
---torch.io.binary); objects are torch.serialize's. Fields with a trailing underscore are private.
---@class torch.File
---@overload fun(...: any): torch.File
torch.File = {}

---torch.DiskFile: a file on disk, or a device.
---@class torch.DiskFile: torch.File
---@overload fun(...: any): torch.DiskFile
torch.DiskFile = {}

---Functions of tensors made from a text: torch.fuse.
---@class torch.Fused
---@overload fun(...: any): torch.Fused
torch.Fused = {}

---A random number generator of its own: the first argument of the functions below that take `gen`.
---A new one is seeded by the operating system. Without `gen` they use the default generator.
---@class torch.Generator
---@overload fun(...: any): torch.Generator
torch.Generator = {}

---torch.MemoryFile: a file in a CharStorage, which it grows as needed.
---@class torch.MemoryFile: torch.File
---@overload fun(...: any): torch.MemoryFile
torch.MemoryFile = {}

---torch.PipeFile: the output of a shell command, or its input.
---@class torch.PipeFile: torch.DiskFile
---@overload fun(...: any): torch.PipeFile
torch.PipeFile = {}

---What a program has spent its time and memory on (torch.Profile), as torch.profiler finds it.
---@class torch.Profile
---@overload fun(options?: any): torch.Profile
torch.Profile = {}

---Storages: flat, reference-counted memory, torch.FloatStorage and its kin.
---@class torch.Storage
---@overload fun(...: any): torch.Storage
torch.Storage = {}

---Tensor objects: the classes, construction, and what the handle's metatable does.
---
---A tensor is a C struct in Lua's own memory (see docs/architecture.md). One C type serves all
---classes; the struct's dtype says which class's methods apply.
---@class torch.Tensor
---@operator add(torch.Tensor|number): torch.Tensor
---@operator sub(torch.Tensor|number): torch.Tensor
---@operator mul(torch.Tensor|number): torch.Tensor
---@operator div(torch.Tensor|number): torch.Tensor
---@operator unm: torch.Tensor
---@operator len: torch.LongStorage
---@field [any] any
---@overload fun(...: any): torch.Tensor
torch.Tensor = {}

---Unit tests: collect them, run them, report (torch.Tester).
---
---    local tester, tests = torch.Tester(), torch.TestSuite()
---    function tests.squares() tester:eq(3 ^ 2, 9, 'three squared') end
---    tester:add(tests):run()
---@class torch.Tester
---@overload fun(...: any): torch.Tester
torch.Tester = {}

---A stop-watch for wall-clock and processor time (torch.Timer).
---@class torch.Timer
---@overload fun(...: any): torch.Timer
torch.Timer = {}

---@class torch.ByteTensor: torch.Tensor
---@overload fun(...: any): torch.ByteTensor
torch.ByteTensor = {}

---@class torch.ByteStorage: torch.Storage
---@overload fun(...: any): torch.ByteStorage
torch.ByteStorage = {}

---@class torch.CharTensor: torch.Tensor
---@overload fun(...: any): torch.CharTensor
torch.CharTensor = {}

---@class torch.CharStorage: torch.Storage
---@overload fun(...: any): torch.CharStorage
torch.CharStorage = {}

---@class torch.ShortTensor: torch.Tensor
---@overload fun(...: any): torch.ShortTensor
torch.ShortTensor = {}

---@class torch.ShortStorage: torch.Storage
---@overload fun(...: any): torch.ShortStorage
torch.ShortStorage = {}

---@class torch.IntTensor: torch.Tensor
---@overload fun(...: any): torch.IntTensor
torch.IntTensor = {}

---@class torch.IntStorage: torch.Storage
---@overload fun(...: any): torch.IntStorage
torch.IntStorage = {}

---@class torch.LongTensor: torch.Tensor
---@overload fun(...: any): torch.LongTensor
torch.LongTensor = {}

---@class torch.LongStorage: torch.Storage
---@overload fun(...: any): torch.LongStorage
torch.LongStorage = {}

---@class torch.HalfTensor: torch.Tensor
---@overload fun(...: any): torch.HalfTensor
torch.HalfTensor = {}

---@class torch.HalfStorage: torch.Storage
---@overload fun(...: any): torch.HalfStorage
torch.HalfStorage = {}

---@class torch.BFloat16Tensor: torch.Tensor
---@overload fun(...: any): torch.BFloat16Tensor
torch.BFloat16Tensor = {}

---@class torch.BFloat16Storage: torch.Storage
---@overload fun(...: any): torch.BFloat16Storage
torch.BFloat16Storage = {}

---@class torch.FloatTensor: torch.Tensor
---@overload fun(...: any): torch.FloatTensor
torch.FloatTensor = {}

---@class torch.FloatStorage: torch.Storage
---@overload fun(...: any): torch.FloatStorage
torch.FloatStorage = {}

---@class torch.DoubleTensor: torch.Tensor
---@overload fun(...: any): torch.DoubleTensor
torch.DoubleTensor = {}

---@class torch.DoubleStorage: torch.Storage
---@overload fun(...: any): torch.DoubleStorage
torch.DoubleStorage = {}

---@class torch.CudaTensor: torch.Tensor
---@overload fun(...: any): torch.CudaTensor
torch.CudaTensor = {}

---@class torch.CudaStorage: torch.Storage
---@overload fun(...: any): torch.CudaStorage
torch.CudaStorage = {}

---@class torch.CudaByteTensor: torch.Tensor
---@overload fun(...: any): torch.CudaByteTensor
torch.CudaByteTensor = {}

---@class torch.CudaByteStorage: torch.Storage
---@overload fun(...: any): torch.CudaByteStorage
torch.CudaByteStorage = {}

---@class torch.CudaCharTensor: torch.Tensor
---@overload fun(...: any): torch.CudaCharTensor
torch.CudaCharTensor = {}

---@class torch.CudaCharStorage: torch.Storage
---@overload fun(...: any): torch.CudaCharStorage
torch.CudaCharStorage = {}

---@class torch.CudaShortTensor: torch.Tensor
---@overload fun(...: any): torch.CudaShortTensor
torch.CudaShortTensor = {}

---@class torch.CudaShortStorage: torch.Storage
---@overload fun(...: any): torch.CudaShortStorage
torch.CudaShortStorage = {}

---@class torch.CudaIntTensor: torch.Tensor
---@overload fun(...: any): torch.CudaIntTensor
torch.CudaIntTensor = {}

---@class torch.CudaIntStorage: torch.Storage
---@overload fun(...: any): torch.CudaIntStorage
torch.CudaIntStorage = {}

---@class torch.CudaLongTensor: torch.Tensor
---@overload fun(...: any): torch.CudaLongTensor
torch.CudaLongTensor = {}

---@class torch.CudaLongStorage: torch.Storage
---@overload fun(...: any): torch.CudaLongStorage
torch.CudaLongStorage = {}

---@class torch.CudaHalfTensor: torch.Tensor
---@overload fun(...: any): torch.CudaHalfTensor
torch.CudaHalfTensor = {}

---@class torch.CudaHalfStorage: torch.Storage
---@overload fun(...: any): torch.CudaHalfStorage
torch.CudaHalfStorage = {}

---@class torch.CudaBFloat16Tensor: torch.Tensor
---@overload fun(...: any): torch.CudaBFloat16Tensor
torch.CudaBFloat16Tensor = {}

---@class torch.CudaBFloat16Storage: torch.Storage
---@overload fun(...: any): torch.CudaBFloat16Storage
torch.CudaBFloat16Storage = {}

---@class torch.CudaDoubleTensor: torch.Tensor
---@overload fun(...: any): torch.CudaDoubleTensor
torch.CudaDoubleTensor = {}

---@class torch.CudaDoubleStorage: torch.Storage
---@overload fun(...: any): torch.CudaDoubleStorage
torch.CudaDoubleStorage = {}

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:bfloat16(...) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:byte(...) end

---Pointer to the storage as a C struct with Torch7's fields: data, size, refcount.
---It is valid while the storage lives.
---@param ... any
function torch.Storage:cdata(...) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:char(...) end

---Copy a storage of the same length and any type.
---@param ... any
function torch.Storage:copy(...) end

---Pointer to the first element; valid while the storage lives and is not resized.
---@param ... any
function torch.Storage:data(...) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:double(...) end

---Bytes of one element; also of the class.
---@param ... any
function torch.Storage:elementSize(...) end

---Set every element.
---@param value number (number)
---@return self
function torch.Storage:fill(value) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:float(...) end

---Give back a reference taken by retain().
---@param ... any
function torch.Storage:free(...) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:half(...) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:int(...) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:long(...) end

---What torch.load does with a tensor: the geometry is checked against the storage's length.
---@overload fun(self: torch.Storage, file: any)
---@param ... any
---@return any
function torch.Storage:read(...) end

---Change the number of elements; the leading ones stay, new ones are undefined.
---@param ... any
function torch.Storage:resize(...) end

---Take a reference, as C code that keeps the storage's struct does; `free` gives it back.
---@param ... any
function torch.Storage:retain(...) end

---The storage in that element type: itself when it already is, a converted copy otherwise.
---@param ... any
function torch.Storage:short(...) end

---Number of elements, as the `#` operator.
---@param ... any
function torch.Storage:size(...) end

---The storage's bytes as a Lua string; with a string, the storage becomes its bytes.
---@param ... any
function torch.Storage:string(...) end

---The elements as a table.
---@param ... any
function torch.Storage:totable(...) end

---Name of the storage's type; with a name, the storage converted to that type.
---@param ... any
function torch.Storage:type(...) end

---The storage in the type of another storage.
---@param other torch.Storage storage
function torch.Storage:typeAs(other) end

---What torch.save does with a tensor: sizes, strides and offset, then its storage.
---@overload fun(self: torch.Storage, file: any)
---@param ... any
---@return any
function torch.Storage:write(...) end

---|x|
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:abs(...) end

---arc cosine, radians
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:acos(...) end

---In place: t:add(v), t:add(t2), t:add(v, t2); into t: t:add(t1, v), t:add(t1, t2),
---t:add(t1, v, t2). Result t1 + v * t2.
---@overload fun(self: torch.Tensor, t: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:add(...) end

---beta t + alpha times the sum over k of A[k] B[k]: batches b x n x m and b x m x p, t is n x p.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:addbmm(...) end

---x + value * y / z
---@overload fun(self: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:addcdiv(...) end

---x + value * y * z
---@overload fun(self: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:addcmul(...) end

---beta t + alpha A B, for an n x m matrix A and an m x p matrix B.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:addmm(...) end

---beta t + alpha A x, for an n x m matrix A and a vector x of m elements.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:addmv(...) end

---beta t + alpha x y', the outer product of vectors x (n) and y (m).
---@overload fun(self: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:addr(...) end

---Whether all elements (all) or any (any) of a ByteTensor are not 0.
---@overload fun(self: torch.Tensor): boolean
---@param ... any
---@return any
function torch.Tensor:all(...) end

---Whether |a - b| <= atol + rtol |b| for all elements.
---Infinities must be equal. Computed in double on the CPU.
---@param ... any
---@return boolean
function torch.Tensor:allclose(...) end

---Whether all elements (all) or any (any) of a ByteTensor are not 0.
---@param ... any
function torch.Tensor:any(...) end

---Replace each element by f(element) (row-major order); nil and false keep it.
---@overload fun(self: torch.Tensor, function_: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:apply(...) end

---Where the largest element is: its place in row-major order, from 1; along a dimension, the
---positions as a LongTensor without that dimension.
---@overload fun(self: torch.Tensor, dim: integer, keepdim?: any): torch.LongTensor
---@param ... any
---@return any
function torch.Tensor:argmax(...) end

---Where the smallest element is; as `argmax`.
---@overload fun(self: torch.Tensor, dim: integer, keepdim?: any): torch.LongTensor
---@param ... any
---@return any
function torch.Tensor:argmin(...) end

---The positions that put the elements in order: the second result of torch.sort.
---@overload fun(self: torch.Tensor, dim: integer, descending?: any): torch.LongTensor
---@overload fun(self: torch.Tensor, descending?: any): torch.LongTensor
---@param ... any
---@return any
function torch.Tensor:argsort(...) end

---arc sine, radians
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:asin(...) end

---arc tangent, radians
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:atan(...) end

---Angle of the point (y, x) in radians, from -pi to pi: torch.atan2(y, x).
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:atan2(...) end

---Go back from the tensor: every leaf that it was computed from accumulates its gradient in
---`grad`. The record is given back on the way.
---@param gradient? any of the tensor's sizes; a tensor of one element may do without: 1 (optional)
---@param options? any table: retainGraph (keep the record, to go back once more), createGraph (record the way back, so that gradients have gradients; implies retainGraph) (optional)
function torch.Tensor:backward(gradient, options) end

---beta t[k] + alpha A[k] B[k] for every k: batches b x n x m and b x m x p.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, beta: any, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:baddbmm(...) end

---t:bernoulli([gen,] [p = 0.5]), with p a number or a tensor of probabilities.
---@overload fun(self: torch.Tensor, gen: torch.Generator, p?: number): torch.Tensor
---@overload fun(self: torch.Tensor, p?: number): torch.Tensor
---@overload fun(self: torch.Tensor, gen: torch.Generator, FloatTensor: any): torch.Tensor
---@overload fun(self: torch.Tensor, FloatTensor: any): torch.Tensor
---@overload fun(self: torch.Tensor, gen: torch.Generator, t: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:bernoulli(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:bfloat16(...) end

---As histc, for each row of a matrix; the range is that of the whole matrix.
---see histc
---@overload fun(self: torch.Tensor, nbins: any, min: number, max?: number): torch.Tensor
---@overload fun(self: torch.Tensor, nbins: any, max?: number): torch.Tensor
---@overload fun(self: torch.Tensor, min: number, max?: number): torch.Tensor
---@overload fun(self: torch.Tensor, max?: number): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, nbins: any, min: number, max?: number)
---@overload fun(self: torch.Tensor, t: torch.Tensor, nbins: any, max?: number)
---@overload fun(self: torch.Tensor, t: torch.Tensor, min: number, max?: number)
---@overload fun(self: torch.Tensor, t: torch.Tensor, max?: number)
---@param ... any
---@return any
function torch.Tensor:bhistc(...) end

---x AND value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:bitand(...) end

---x OR value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:bitor(...) end

---x XOR value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:bitxor(...) end

---Matrix products of two batches: b x n x m and b x m x p give b x n x p.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:bmm(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:byte(...) end

---Tensors one after the other along dim (default: the last one).
---@overload fun(self: torch.Tensor, t2: torch.Tensor, dim?: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, dim?: integer)
---@param ... any
---@return any
function torch.Tensor:cat(...) end

---Cauchy: p(x) = sigma / (pi ((x - median)^2 + sigma^2)); one number, or a tensor filled.
---@overload fun(self: torch.Tensor, gen: torch.Generator, median: any, sigma?: any): torch.Tensor
---@overload fun(self: torch.Tensor, gen: torch.Generator, sigma?: any): torch.Tensor
---@overload fun(self: torch.Tensor, median: any, sigma?: any): torch.Tensor
---@overload fun(self: torch.Tensor, sigma?: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cauchy(...) end

---x AND y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cbitand(...) end

---x OR y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cbitor(...) end

---x XOR y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cbitxor(...) end

---Pointer to the tensor as a C struct with Torch7's fields: size, stride, nDimension, storage,
---storageOffset, refcount; the sizes and strides are arrays. The tensor lives as long as the
---pointer. `ffi.cast('THFloatTensor *', torch.pointer(t))` gives the same.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:cdata(...) end

---x / y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cdiv(...) end

---smallest integer >= x
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:ceil(...) end

---remainder of x / y with the sign of x
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cfmod(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:char(...) end

---At most n views of equal size along dim (default 1), the last one possibly smaller.
---@overload fun(self: torch.Tensor, n: integer, dim?: integer): table
---@param ... any
---@return any
function torch.Tensor:chunk(...) end

---1 / x
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cinv(...) end

---x limited to [min, max]; nil for one of them leaves that side open.
---@param res? any result; t:clamp(min, max) works in place (optional)
---@param x? torch.Tensor tensor
---@param min? number number or nil
---@param max? number number or nil
---@return torch.Tensor
function torch.Tensor:clamp(res, x, min, max) end

---A compact copy.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:clone(...) end

---x * 2^y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:clshift(...) end

---max(x, y), element by element; y is a tensor or a number.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor)
---@overload fun(self: torch.Tensor, t2: torch.Tensor)
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, value: number)
---@overload fun(self: torch.Tensor, value: number)
---@param ... any
---@return any
function torch.Tensor:cmax(...) end

---min(x, y), element by element; y is a tensor or a number.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor)
---@overload fun(self: torch.Tensor, t2: torch.Tensor)
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, value: number)
---@overload fun(self: torch.Tensor, value: number)
---@param ... any
---@return any
function torch.Tensor:cmin(...) end

---remainder of x / y with the sign of x
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cmod(...) end

---x * y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cmul(...) end

---The tensor itself when its elements lie in row-major order without gaps, a copy otherwise.
---@overload fun(self: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:contiguous(...) end

---Convolution of images: the kernel is mirrored in both directions, then correlated.
---
---r[i][j] = sum over a, b of x[i + a][j + b] k[A - a][B - b] for a kernel of A x B elements.
---Sizes of a result: m - A + 1 by n - B + 1 for 'V' (kernel wholly inside), m + A - 1 by n + B - 1
---for 'F' (every overlap).
---@param ... any
---@return torch.Tensor
function torch.Tensor:conv2(...) end

---Convolution of volumes: as conv2, with three directions. With planes x has 4 dimensions, the
---kernel 4 or 5.
---see conv2
---@param ... any
function torch.Tensor:conv3(...) end

---Elements of a tensor of any type and shape with as many elements.
---@overload fun(self: torch.Tensor, src: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:copy(...) end

---cosine of radians
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cos(...) end

---hyperbolic cosine
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cosh(...) end

---x^y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cpow(...) end

---remainder of x / y with the sign of y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:cremainder(...) end

---Cross product along a dimension of size 3.
---@param ... any
---@return torch.Tensor
function torch.Tensor:cross(...) end

---x / 2^y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:crshift(...) end

---As add, with t1 - v * t2.
---@overload fun(self: torch.Tensor, t: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:csub(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:cuda(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaBFloat16(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaByte(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaChar(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaDouble(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaHalf(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaInt(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaLong(...) end

---The tensor as a CUDA tensor of that element type: itself when it already is one, otherwise a
---converted copy on the current device. Needs the package cutorch.
---@param ... any
function torch.Tensor:cudaShort(...) end

---Running product along dim (default 1): r[i] = x[1] * ... * x[i].
---@overload fun(self: torch.Tensor, dim?: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim?: integer)
---@param ... any
---@return any
function torch.Tensor:cumprod(...) end

---Running sum along dim (default 1): r[i] = x[1] + ... + x[i].
---@overload fun(self: torch.Tensor, dim?: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim?: integer)
---@param ... any
---@return any
function torch.Tensor:cumsum(...) end

---Pointer to the first element; valid while the tensor lives and its storage is not resized.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:data(...) end

---The same elements as a plain tensor: what is computed with it is not recorded.
---It is apart from t: a Variable written into it, as by `d:add(v)`, makes it one, and not t.
---@overload fun(self: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:detach(...) end

---Of a matrix the k-th diagonal as a vector; of a vector a square matrix with it as k-th diagonal.
---k > 0 is above the main diagonal, k < 0 below.
---@overload fun(self: torch.Tensor, k?: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, k?: integer)
---@param ... any
---@return any
function torch.Tensor:diag(...) end

---Number of dimensions; 0 for an empty tensor.
---@overload fun(self: torch.Tensor): integer
---@param ... any
---@return any
function torch.Tensor:dim(...) end

---p-norm of the difference.
---@overload fun(self: torch.Tensor, t2: torch.Tensor, p?: number): number
---@param ... any
---@return any
function torch.Tensor:dist(...) end

---x / value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:div(...) end

---Sum of products, element by element in row-major order.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): number
---@param ... any
---@return any
function torch.Tensor:dot(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:double(...) end

---Eigenvalues and right eigenvectors of any square matrix.
---@param ... any
---@return torch.Tensor
function torch.Tensor:eig(...) end

---Bytes of one element; also of the class: `torch.FloatTensor.elementSize()`.
---@overload fun(self: torch.Tensor): integer
---@param ... any
---@return any
function torch.Tensor:elementSize(...) end

---x > 0 ? x : a * (e^(b * x) - 1)
---@overload fun(self: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:elu(...) end

---x == y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:eq(...) end

---Same sizes and same values.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): boolean
---@param ... any
---@return any
function torch.Tensor:equal(...) end

---e^x
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:exp(...) end

---View in which dimensions of size 1 repeat (stride 0), with new leading ones where sizes say so.
---Elements are shared: writing to one writes to all its repetitions.
---@overload fun(self: torch.Tensor, sizes: any): any
---@overload fun(self: torch.Tensor, t: torch.Tensor, sizes: any)
---@param ... any
---@return any
function torch.Tensor:expand(...) end

---expand to the sizes of another tensor.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): any
---@overload fun(self: torch.Tensor, t: torch.Tensor, t2: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:expandAs(...) end

---e^x - 1, accurate near 0
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:expm1(...) end

---Exponential: p(x) = lambda e^(-lambda x); one number, or a tensor filled.
---@overload fun(self: torch.Tensor, gen: torch.Generator, lambda: any): torch.Tensor
---@overload fun(self: torch.Tensor, lambda: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:exponential(...) end

---The identity matrix of n rows and m (default n) columns.
---@overload fun(self: torch.Tensor, n: integer, m?: integer): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:eye(...) end

---Set every element to the number.
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:fill(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:float(...) end

---largest integer <= x
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:floor(...) end

---remainder of x / value with the sign of x
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:fmod(...) end

---x - trunc(x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:frac(...) end

---Give back a reference taken by retain().
---@overload fun(self: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:free(...) end

---r[i][j] = t[positions[i][j]][j] for dim 1, and so on; r has the shape of the positions.
---@overload fun(self: torch.Tensor, dim: integer, idx: torch.LongTensor): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer, idx: torch.LongTensor)
---@param ... any
---@return any
function torch.Tensor:gather(...) end

---x >= y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:ge(...) end

---Least squares, or the shortest solution, of A x = b for A of full rank.
---@param ... any
---@return torch.Tensor
function torch.Tensor:gels(...) end

---x * Phi(x), Phi the normal distribution
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:gelu(...) end

---x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:gelu_tanh(...) end

---Geometric: P(i) = (1 - p) p^(i - 1) for i = 1, 2, ...; 0 < p < 1.
---@overload fun(self: torch.Tensor, gen: torch.Generator, p: number): torch.Tensor
---@overload fun(self: torch.Tensor, p: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:geometric(...) end

---The parts of a QR factorisation as LAPACK keeps them.
---@param ... any
---@return torch.Tensor
function torch.Tensor:geqrf(...) end

---Outer product: x y', n x m for vectors of n and m elements.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:ger(...) end

---Solve A x = b by LU factorisation with row exchanges.
---@param ... any
---@return torch.Tensor
function torch.Tensor:gesv(...) end

---x > y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:gt(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:half(...) end

---x < a or x > b ? x : 0
---@overload fun(self: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:hardshrink(...) end

---x / 6 + 1 / 2 limited to [0, 1]
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:hardsigmoid(...) end

---x * hardsigmoid(x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:hardswish(...) end

---How many elements lie in each of `bins` equal parts of [min, max]; those outside do not count.
---@param ... any
---@return torch.Tensor
function torch.Tensor:histc(...) end

---Call f with each gradient of the tensor, before it goes on; what f returns, if anything, goes on
---in its place. A hook is kept until it is taken off, the tensor has gone, or backward has passed
---it. So one of a leaf that mentions the leaf itself (as in `g * x:nElement()`) keeps it, and has
---to be taken off.
---@param f function function(gradient) -> tensor or nothing; it may take itself off, but not yield
---@return function
function torch.Tensor:hook(f) end

---Slices of dim in the order of the positions, copied.
---@overload fun(self: torch.Tensor, dim: integer, LongTensor: any): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer, LongTensor: any)
---@param ... any
---@return any
function torch.Tensor:index(...) end

---Add slices: source:select(dim, i) is added to t:select(dim, positions[i]); positions may repeat.
---@overload fun(self: torch.Tensor, dim: integer, LongTensor: any, src: any)
---@param ... any
---@return any
function torch.Tensor:indexAdd(...) end

---Copy slices: t:select(dim, positions[i]) becomes source:select(dim, i).
---@overload fun(self: torch.Tensor, dim: integer, LongTensor: any, src: any)
---@param ... any
---@return any
function torch.Tensor:indexCopy(...) end

---Set the slices at the positions along dim to the number.
---@overload fun(self: torch.Tensor, dim: integer, LongTensor: any, value: number)
---@param ... any
---@return any
function torch.Tensor:indexFill(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:int(...) end

---The inverse of a square matrix.
---@param ... any
---@return torch.Tensor
function torch.Tensor:inverse(...) end

---Whether the elements lie in row-major order without gaps.
---@overload fun(self: torch.Tensor): boolean
---@param ... any
---@return any
function torch.Tensor:isContiguous(...) end

---Whether nothing was recorded for the tensor: a plain one, or one that requiresGrad made.
---@overload fun(self: torch.Tensor): boolean
---@param ... any
---@return any
function torch.Tensor:isLeaf(...) end

---Whether another tensor has the same sizes.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): boolean
---@param ... any
---@return any
function torch.Tensor:isSameSizeAs(...) end

---Whether two tensors are the same view: storage, offset, sizes and strides.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): boolean
---@param ... any
---@return any
function torch.Tensor:isSetTo(...) end

---Whether the sizes are those of a LongStorage.
---@overload fun(self: torch.Tensor, LongStorage: any): boolean
---@param ... any
---@return any
function torch.Tensor:isSize(...) end

---Whether an object is a tensor of any type.
---@param ... any
function torch.Tensor:isTensor(...) end

---Whether the tensor needs a gradient: as a leaf that requiresGrad made, or because it was
---computed from one.
---@overload fun(self: torch.Tensor): boolean
---@param ... any
---@return any
function torch.Tensor:isVariable(...) end

---The one element of a tensor, as a number; a number is itself.
---
---A sum is a number, and of Variables one of them: `torch.item(x:sum())` is a number of both.
---@overload fun(self: torch.Tensor): number
---@param ... any
---@return any
function torch.Tensor:item(...) end

---The k-th smallest along dim.
---@overload fun(self: torch.Tensor, k: integer, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, dim?: integer)
---@overload fun(self: torch.Tensor, t: torch.Tensor, k: integer, dim?: integer)
---@param ... any
---@return any
function torch.Tensor:kthvalue(...) end

---x <= y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:le(...) end

---x > 0 ? b * x : a * x
---@overload fun(self: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:leaky_relu(...) end

---x + weight (y - x): t:lerp(y, weight) in place, t:lerp(x, y, weight) into t.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, weight: any): torch.Tensor
---@overload fun(self: torch.Tensor, t2: torch.Tensor, weight: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:lerp(...) end

---`count` numbers (default 100), evenly spaced from first to last.
---@overload fun(self: torch.Tensor, start: any, end_: any, n?: integer): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:linspace(...) end

---From now on, `print` writes to a file too. The log starts with the date and the parameters.
---@param ... any
function torch.Tensor:log(...) end

---log(1 + x), accurate near 0
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:log1p(...) end

---e^x for a normal x with mean (default 1) and standard deviation (default 2).
---@overload fun(self: torch.Tensor, gen: torch.Generator, mean: any, stdv?: any): torch.Tensor
---@overload fun(self: torch.Tensor, gen: torch.Generator, stdv?: any): torch.Tensor
---@overload fun(self: torch.Tensor, mean: any, stdv?: any): torch.Tensor
---@overload fun(self: torch.Tensor, stdv?: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:logNormal(...) end

----log(1 + e^-x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:logsigmoid(...) end

---10^first to 10^last, exponents evenly spaced.
---@overload fun(self: torch.Tensor, start: any, end_: any, n?: integer): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:logspace(...) end

---log of the sum of e^x, without overflow: m + log(sum(e^(x - m))) with m = max(x).
---@param ... any
---@return torch.Tensor
function torch.Tensor:logsumexp(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:long(...) end

---x * 2^value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:lshift(...) end

---x < y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:lt(...) end

---Replace each element x by f(x, y), y from a tensor with as many elements.
---@overload fun(self: torch.Tensor, t2: torch.Tensor, function_: any, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:map(...) end

---Replace each element x by f(x, y, z).
---@overload fun(self: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor, function_: any, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:map2(...) end

---Consecutive elements of the source go where the mask has 1.
---@overload fun(self: torch.Tensor, ByteTensor: any, src: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:maskedCopy(...) end

---Set the elements where the mask has 1 to the number.
---@overload fun(self: torch.Tensor, ByteTensor: any, value: number)
---@param ... any
---@return any
function torch.Tensor:maskedFill(...) end

---The elements where the mask has 1, as a vector.
---@overload fun(self: torch.Tensor, ByteTensor: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, ByteTensor: any)
---@param ... any
---@return any
function torch.Tensor:maskedSelect(...) end

---t:match(x, y[, gain]) writes into t.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, value?: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:match(...) end

---Product of vectors (a number), of a matrix and a vector either way, of matrices, of batches of
---matrices.
---@param ... any
function torch.Tensor:matmul(...) end

---The largest element as a number; or along dim, which keeps size 1, with its positions. NaN wins.
---@overload fun(self: torch.Tensor): number
---@overload fun(self: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer)
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer)
---@param ... any
---@return any
function torch.Tensor:max(...) end

---Mean of all elements as a number, or along dim, which keeps size 1.
---@overload fun(self: torch.Tensor): number
---@overload fun(self: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer)
---@param ... any
---@return any
function torch.Tensor:mean(...) end

---The middle value along dim (the lower one of two) and its position.
---@overload fun(self: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim?: integer)
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim?: integer)
---@param ... any
---@return any
function torch.Tensor:median(...) end

---The smallest element as a number; or along dim, which keeps size 1, with its positions. NaN
---wins.
---@overload fun(self: torch.Tensor): number
---@overload fun(self: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer)
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer)
---@param ... any
---@return any
function torch.Tensor:min(...) end

---x * tanh(log(1 + e^x))
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:mish(...) end

---Matrix product: n x m and m x p give n x p.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:mm(...) end

---remainder of x / value with the sign of x
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:mod(...) end

---The most frequent value along dim (the smallest of several) and its position.
---@overload fun(self: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim?: integer)
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim?: integer)
---@param ... any
---@return any
function torch.Tensor:mode(...) end

---x * value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:mul(...) end

---n draws from each row of weights: positions counted from 1.
---torch.multinomial([res,] [gen,] p, n[, replacement = false]); also p:multinomial(n).
---@overload fun(self: torch.Tensor, gen: torch.Generator, t: torch.Tensor, n: integer, replacement?: any): torch.LongTensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, n: integer, replacement?: any): torch.LongTensor
---@param ... any
---@return any
function torch.Tensor:multinomial(...) end

---Prepare draws: torch.multinomialAliasSetup_(p[, alias][, q]) returns alias, q.
---A hit of column i is category i with probability q[i], category alias[i] otherwise.
---@param ... any
function torch.Tensor:multinomialAliasSetup_(...) end

---Draw: torch.multinomialAlias_([res,] [gen,] alias, q). res keeps its shape; without one, which
---has no shape to fill, the result is empty.
---@overload fun(self: torch.Tensor, gen: torch.Generator, idx: torch.LongTensor, t: torch.Tensor): torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor): torch.LongTensor
---@param ... any
---@return any
function torch.Tensor:multinomialAlias_(...) end

---Matrix times vector: n x m and m give n.
---@overload fun(self: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:mv(...) end

---Number of dimensions; 0 for an empty tensor.
---@param ... any
function torch.Tensor:nDimension(...) end

---Number of elements.
---@overload fun(self: torch.Tensor): integer
---@param ... any
---@return any
function torch.Tensor:nElement(...) end

---View of the positions first to first + length - 1 of dim.
---@overload fun(self: torch.Tensor, dim: integer, first: integer, size: any): any
---@param ... any
---@return any
function torch.Tensor:narrow(...) end

---x ~= y
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:ne(...) end

----x
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:neg(...) end

---Coordinates of the elements that are not 0: one row each.
---@overload fun(self: torch.Tensor): torch.LongTensor
---@overload fun(self: torch.Tensor, t: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:nonzero(...) end

---t:norm([p = 2]) is a number; t:norm(p, dim), res:norm(t, p, dim) a tensor.
---@overload fun(self: torch.Tensor, p?: number): number
---@overload fun(self: torch.Tensor, p: number, dim: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, p: number, dim: integer)
---@param ... any
---@return any
function torch.Tensor:norm(...) end

---Normal with mean (default 0) and standard deviation (default 1): one number, or a tensor filled.
---@overload fun(self: torch.Tensor, gen: torch.Generator, mean: any, stdv?: any): torch.Tensor
---@overload fun(self: torch.Tensor, gen: torch.Generator, stdv?: any): torch.Tensor
---@overload fun(self: torch.Tensor, mean: any, stdv?: any): torch.Tensor
---@overload fun(self: torch.Tensor, stdv?: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:normal(...) end

---Number of elements.
---@param ... any
function torch.Tensor:numel(...) end

---A tensor of these sizes, all elements 1. As a method it resizes the tensor itself.
---@overload fun(self: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:ones(...) end

---Q from the parts that torch.geqrf returned.
---@param ... any
---@return torch.Tensor
function torch.Tensor:orgqr(...) end

---Q C, Q' C, C Q or C Q' for the m x m matrix Q whose parts torch.geqrf returned.
---@param ... any
---@return torch.Tensor
function torch.Tensor:ormqr(...) end

---The product of each element of one vector with each of the other: torch.ger.
---@param ... any
function torch.Tensor:outer(...) end

---View with the dimensions in another order: dimension d of the result is dims[d] of the tensor.
---@overload fun(self: torch.Tensor, perm: any): any
---@param ... any
---@return any
function torch.Tensor:permute(...) end

---Cholesky factor: A = U' U, or L L'.
---@param ... any
---@return torch.Tensor
function torch.Tensor:potrf(...) end

---The inverse of A by A's Cholesky factor.
---@param ... any
---@return torch.Tensor
function torch.Tensor:potri(...) end

---Solve A x = b by A's Cholesky factor.
---@param ... any
---@return torch.Tensor
function torch.Tensor:potrs(...) end

---t:pow(n) = t^n in place, t:pow(x, n) = x^n into t, t:pow(n, x) = n^x into t.
---@overload fun(self: torch.Tensor, t: torch.Tensor, n: integer): torch.Tensor
---@overload fun(self: torch.Tensor, n: integer): torch.Tensor
---@overload fun(self: torch.Tensor, n: integer, t?: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:pow(...) end

---x > 0 ? x : y * x
---@overload fun(self: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:prelu(...) end

---y > value ? x : z * x
---@overload fun(self: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:prelu_backward(...) end

---Product of all elements as a number, or along dim, which keeps size 1.
---@overload fun(self: torch.Tensor): number
---@overload fun(self: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer)
---@param ... any
---@return any
function torch.Tensor:prod(...) end

---Cholesky factor with the largest pivots first: P' A P = U' U, or L L'.
---@param ... any
---@return torch.Tensor
function torch.Tensor:pstrf(...) end

---A = Q R by Householder reflections.
---@param ... any
---@return torch.Tensor
function torch.Tensor:qr(...) end

---A tensor of these sizes, uniform in [0, 1).
---@overload fun(self: torch.Tensor, gen: torch.Generator, sizes: any): torch.Tensor
---@overload fun(self: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:rand(...) end

---A tensor of these sizes, normal with mean 0 and standard deviation 1.
---@overload fun(self: torch.Tensor, gen: torch.Generator, sizes: any): torch.Tensor
---@overload fun(self: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:randn(...) end

---Integers: of the type's whole range, from 1 to b, or from a to b.
---@overload fun(self: torch.Tensor, gen: torch.Generator, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, gen: torch.Generator, a: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, a: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, gen?: torch.Generator): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:random(...) end

---The numbers 1 to n in random order.
---@overload fun(self: torch.Tensor, gen: torch.Generator, n: integer): torch.Tensor
---@overload fun(self: torch.Tensor, n: integer): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:randperm(...) end

---first, first + step, ... up to last, which is included when it is reached.
---@overload fun(self: torch.Tensor, first: integer, last: any, step?: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:range(...) end

---What torch.load does with a tensor: the geometry is checked against the storage's length.
---@overload fun(self: torch.Tensor, file: any)
---@param ... any
---@return any
function torch.Tensor:read(...) end

---The tensor in the default type.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:real(...) end

---max(x, 0)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:relu(...) end

---remainder of x / value with the sign of value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:remainder(...) end

---t:renorm(p, dim, maxnorm) works in place, r:renorm(t, p, dim, maxnorm) writes into r.
---@overload fun(self: torch.Tensor, t: torch.Tensor, p: number, dim: integer, maxnorm: any): torch.Tensor
---@overload fun(self: torch.Tensor, p: number, dim: integer, maxnorm: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:renorm(...) end

---Copies side by side: sizes say how many along each dimension; more than dim() add leading ones.
---@overload fun(self: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, sizes: any)
---@param ... any
---@return any
function torch.Tensor:repeatTensor(...) end

---Make the tensor a Variable, for which backward finds a gradient; or, with false, a tensor that
---needs none itself, but into which Variables may be written.
---@param on? boolean boolean (default true)
---@return any
function torch.Tensor:requiresGrad(on) end

---A row-major copy with other sizes: t:reshape(sizes), res:reshape(t, sizes).
---@overload fun(self: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, sizes: any)
---@param ... any
---@return any
function torch.Tensor:reshape(...) end

---Change the sizes. Elements stay in storage order; new ones are undefined.
---The storage grows where it must and never moves while something else views it.
---@overload fun(self: torch.Tensor, d1: any, ...: any)
---@overload fun(self: torch.Tensor, LongStorage: any, strides?: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:resize(...) end

---Resize to the sizes of another tensor.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:resizeAs(...) end

---Take a further reference to the storage, for C code that keeps the tensor; see free.
---@overload fun(self: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:retain(...) end

---Keep the gradient of a result, too: it has `grad` after backward.
---@overload fun(self: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:retainGrad(...) end

---nearest integer, halves away from 0
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:round(...) end

---x / 2^value
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:rshift(...) end

---1 / sqrt(x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:rsqrt(...) end

---t[positions[i][j]][j] = source[i][j] (or the number) for dim 1, and so on.
---@overload fun(self: torch.Tensor, dim: integer, idx: torch.LongTensor, t: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, dim: integer, idx: torch.LongTensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:scatter(...) end

---View of one position of dim, which is dropped; of a vector, the element as a number.
---@overload fun(self: torch.Tensor, dim: integer, i: any): any, number
---@param ... any
---@return any
function torch.Tensor:select(...) end

---1.0507 * (x > 0 ? x : 1.67326 * (e^x - 1))
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:selu(...) end

---Become a view of a tensor of the same type, or of a storage with offset, sizes and strides.
---Nothing is copied. Without arguments, become empty.
---@overload fun(self: torch.Tensor)
---@overload fun(self: torch.Tensor, tensor: any)
---@overload fun(self: torch.Tensor, storage: any, offset: integer, sizes?: any, strides?: any, stride1?: any, ...: any): torch.Tensor
---@overload fun(self: torch.Tensor, storage: any, sizes?: any, strides?: any, stride1?: any, ...: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:set(...) end

---The tensor as a CPU tensor of that element type: itself when it already is one, a converted copy
---otherwise.
---Floating numbers are cut towards 0 for integer types; integers wrap as in C.
---@param ... any
function torch.Tensor:short(...) end

---1 / (1 + e^-x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:sigmoid(...) end

----1, 0 or 1
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:sign(...) end

---x / (1 + e^-x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:silu(...) end

---sine of radians
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:sin(...) end

---hyperbolic sine
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:sinh(...) end

---The sizes as a LongStorage, or the size of one dimension as a number. `t.shape` is t:size().
---@overload fun(self: torch.Tensor): torch.LongStorage
---@overload fun(self: torch.Tensor, dim: integer): integer
---@param ... any
---@return any
function torch.Tensor:size(...) end

---log(1 + e^x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:softplus(...) end

---x < a ? x - a : x > b ? x - b : 0
---@overload fun(self: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:softshrink(...) end

---x / (1 + |x|)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:softsign(...) end

---Values in order along dim, and where they were.
---@overload fun(self: torch.Tensor, dim: integer, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer, descending?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, descending?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer, descending?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, descending?: any)
---@param ... any
---@return any
function torch.Tensor:sort(...) end

---Views of `size` along dim (default 1), the last one possibly smaller.
---@overload fun(self: torch.Tensor, size: any, dim?: integer): table
---@param ... any
---@return any
function torch.Tensor:split(...) end

---square root
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:sqrt(...) end

---x * x
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:square(...) end

---Without dimensions of size 1. A result of one element is a plain number.
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor)
---@overload fun(self: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer)
---@param ... any
---@return any
function torch.Tensor:squeeze(...) end

---Tensors of equal sizes joined along a new dimension: r:select(dim, i) equals list[i].
---@param ... any
---@return torch.Tensor
function torch.Tensor:stack(...) end

---Standard deviation: square root of the variance, over n - 1, or over n when biased.
---@overload fun(self: torch.Tensor, biased?: boolean): number
---@overload fun(self: torch.Tensor, dim: integer, biased?: boolean): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer, biased?: boolean)
---@param ... any
---@return any
function torch.Tensor:std(...) end

---The storage that holds the elements; nil for an empty tensor that never had one.
---@overload fun(self: torch.Tensor): torch.Storage
---@param ... any
---@return any
function torch.Tensor:storage(...) end

---Place of the first element in the storage, from 1.
---@overload fun(self: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:storageOffset(...) end

---The strides (elements from one position to the next) as a LongStorage, or one as a number.
---@overload fun(self: torch.Tensor): torch.LongStorage
---@overload fun(self: torch.Tensor, dim: integer): integer
---@param ... any
---@return any
function torch.Tensor:stride(...) end

---Inclusive ranges for up to four leading dimensions; negative positions count from the end.
---@overload fun(self: torch.Tensor, s1: any, e1: any, s2?: any, e2?: any, s3?: any, e3?: any, s4?: any, e4?: any): any
---@param ... any
---@return any
function torch.Tensor:sub(...) end

---Sum of all elements as a number, or along dim, which keeps size 1.
---@overload fun(self: torch.Tensor): number
---@overload fun(self: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer)
---@param ... any
---@return any
function torch.Tensor:sum(...) end

---Singular values: A = U diag(s) V'.
---@param ... any
---@return torch.Tensor
function torch.Tensor:svd(...) end

---Eigenvalues and eigenvectors of a symmetric A = V diag(e) V'.
---@param ... any
---@return torch.Tensor
function torch.Tensor:symeig(...) end

---View of a matrix with rows and columns exchanged. `t.T` is that too, of a vector the vector.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:t(...) end

---tangent of radians
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:tan(...) end

---hyperbolic tangent
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:tanh(...) end

---x - tanh(x)
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:tanhshrink(...) end

---x > a ? x : b
---@overload fun(self: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:threshold(...) end

---The elements as nested tables: totable.
---@overload fun(self: torch.Tensor): table
---@param ... any
---@return any
function torch.Tensor:tolist(...) end

---The k smallest (or largest) along dim, and where they are.
---@overload fun(self: torch.Tensor, k: integer, dim: integer, largest: any, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, k: integer, dim: integer, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, k: integer, largest: any, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, k: integer, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, dim: integer, largest: any, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, dim: integer, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, largest: any, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, sorted?: any): torch.Tensor, torch.LongTensor
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, dim: integer, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, dim: integer, sorted?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, sorted?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer, sorted?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, k: integer, dim: integer, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, k: integer, dim: integer, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, k: integer, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, k: integer, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, largest: any, sorted?: any)
---@overload fun(self: torch.Tensor, t: torch.Tensor, sorted?: any)
---@param ... any
---@return any
function torch.Tensor:topk(...) end

---The elements as nested tables.
---@overload fun(self: torch.Tensor): any
---@param ... any
---@return any
function torch.Tensor:totable(...) end

---value^x
---@overload fun(self: torch.Tensor, value: number): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:tpow(...) end

---Sum of the diagonal of a matrix.
---@overload fun(self: torch.Tensor): number
---@param ... any
---@return any
function torch.Tensor:trace(...) end

---View with two dimensions exchanged.
---@overload fun(self: torch.Tensor, dim1: integer, dim2: integer): any
---@param ... any
---@return any
function torch.Tensor:transpose(...) end

---The lower triangle up to the k-th diagonal; zeros above.
---@overload fun(self: torch.Tensor, k?: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, k?: integer)
---@param ... any
---@return any
function torch.Tensor:tril(...) end

---The upper triangle from the k-th diagonal on; zeros below.
---@overload fun(self: torch.Tensor, k?: integer): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, k?: integer)
---@param ... any
---@return any
function torch.Tensor:triu(...) end

---Solve A x = b for a triangular A. The other triangle is not read.
---@param ... any
---@return torch.Tensor
function torch.Tensor:trtrs(...) end

---integer part, towards 0
---@overload fun(self: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:trunc(...) end

---The type's name; with a name, the tensor in that type: itself when it already is.
---@overload fun(self: torch.Tensor): any
---@overload fun(self: torch.Tensor, typename: any): any
---@param ... any
---@return any
function torch.Tensor:type(...) end

---The tensor in the type of another: itself when it already is of that type.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:typeAs(...) end

---View of all slices of a size along dim, one every `step`; they become a new last dimension.
---@overload fun(self: torch.Tensor, dim: integer, size: any, step: any): any
---@param ... any
---@return any
function torch.Tensor:unfold(...) end

---Uniform in [a, b), by default [0, 1): one number, or a tensor filled.
---@overload fun(self: torch.Tensor, gen: torch.Generator, a: torch.Tensor, b?: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, gen: torch.Generator, b?: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, a: torch.Tensor, b?: torch.Tensor): torch.Tensor
---@overload fun(self: torch.Tensor, b?: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:uniform(...) end

---With a dimension of size 1 inserted before `dim` (1 to dim() + 1).
---@param ... any
function torch.Tensor:unsqueeze(...) end

---Variance of all elements, or along dim: sum of (x - mean)^2 over n - 1, or over n when biased.
---@overload fun(self: torch.Tensor, biased?: boolean): number
---@overload fun(self: torch.Tensor, dim: integer, biased?: boolean): torch.Tensor
---@overload fun(self: torch.Tensor, t: torch.Tensor, dim: integer, biased?: boolean)
---@param ... any
---@return any
function torch.Tensor:var(...) end

---The same elements with other sizes, without a copy; one size may be -1: what is left.
---The tensor must be contiguous.
---@overload fun(self: torch.Tensor, sizes: any): any
---@overload fun(self: torch.Tensor, t: torch.Tensor, sizes: any)
---@param ... any
---@return any
function torch.Tensor:view(...) end

---view with the sizes of another tensor.
---@overload fun(self: torch.Tensor, t2: torch.Tensor): any
---@overload fun(self: torch.Tensor, t: torch.Tensor, t2: torch.Tensor)
---@param ... any
---@return any
function torch.Tensor:viewAs(...) end

---What torch.save does with a tensor: sizes, strides and offset, then its storage.
---@overload fun(self: torch.Tensor, file: any)
---@param ... any
---@return any
function torch.Tensor:write(...) end

---Correlation of images: as conv2 with the kernel as it is.
---see conv2
---@param ... any
function torch.Tensor:xcorr2(...) end

---Correlation of volumes: as conv3 with the kernel as it is.
---see conv2
---@param ... any
function torch.Tensor:xcorr3(...) end

---Set every element to 0.
---@overload fun(self: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:zero(...) end

---Forget the gradient.
---@overload fun(self: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:zeroGrad(...) end

---A tensor of these sizes, all elements 0. As a method it resizes the tensor itself.
---@overload fun(self: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.Tensor:zeros(...) end

---Start every line of the log with the time.
---@param name string string, optional: shown in brackets after the time
---@param format string string, optional: as for os.date ('%F %T')
function torch.CmdLine:addTime(name, format) end

---Declare a required positional argument.
---@param ... any
function torch.CmdLine:argument(...) end

---The values that hold without a command line.
---@param ... any
---@return table
function torch.CmdLine:default(...) end

---Print a message and the help, and end the program with status 1.
---@param ... any
function torch.CmdLine:error(...) end

---Print the help.
---@param arg any optional: table whose element 0 is the script's name
function torch.CmdLine:help(arg) end

---The method CmdLine:log.
---@param ... any
function torch.CmdLine:log(...) end

---Declare an option.
---@param key string string, as it is given: '-lr'; its dashes are left out in the parsed table
---@param default any value without the option. A boolean option is a flag: it takes no value, and stands for `not default`. Any other type that is no number or string, such as a table, is for classes that read options themselves (`__readOption__`): here it cannot be given
---@param help string string
---@param kind any optional: 'number', 'string' or 'boolean'; by default the type of `default`
function torch.CmdLine:option(key, default, help, kind) end

---Parse a command line. -h, -help and --help print the help and end the program; so does an
---error, with status 1. A text that is no declared option counts as a positional argument.
---@param arg any list of strings; by default the global `arg`
---@return table
function torch.CmdLine:parse(arg) end

---Keep what is printed after log() off the standard output.
function torch.CmdLine:silent() end

---A name for a run: the prefix, the arguments and the options that differ from their defaults.
---@param prefix string string
---@param params table table, as from parse
---@param ignore table table, optional: names not to mention, as in { dir = true }: for each a line "-- ignore option dir" is printed. { dir = false } mentions dir even with its default
function torch.CmdLine:string(prefix, params, ignore) end

---Add a line of text to the help; an empty one without argument.
---@param ... any
function torch.CmdLine:text(...) end

---Binary numbers have their highest byte first.
---@param ... any
---@return self
function torch.DiskFile:bigEndianEncoding(...) end

---Whether this machine stores the highest byte of a number first.
function torch.DiskFile:isBigEndianCPU() end

---Whether this machine stores the lowest byte of a number first.
function torch.DiskFile:isLittleEndianCPU() end

---Binary numbers have their lowest byte first.
---@param ... any
---@return self
function torch.DiskFile:littleEndianEncoding(...) end

---Binary numbers have this machine's byte order (the default).
---@param ... any
---@return self
function torch.DiskFile:nativeEndianEncoding(...) end

---Hand each write to the operating system at once.
function torch.DiskFile:noBuffer() end

---A file over a stream of torch.io.stdio that is open already.
---@param stream any the stream
---@param name string for messages (string)
---@param mode string 'r', 'w' or 'rw' (string)
---@param quiet? boolean note errors instead of raising them (boolean, default false)
function torch.DiskFile:on(stream, name, mode, quiet) end

---Numbers are text (the default): what C's printf writes and scanf reads.
---@param ... any
---@return self
function torch.File:ascii(...) end

---In ASCII mode, spaces between numbers and a newline after each call (the default).
---@param ... any
---@return self
function torch.File:autoSpacing(...) end

---Numbers are stored as this machine has them in memory, or as longSize and the encoding say.
---@param ... any
---@return self
function torch.File:binary(...) end

---hasError() is false again.
---@param ... any
---@return self
function torch.File:clearError(...) end

---Close the file; closing twice does no harm.
function torch.File:close() end

---Raise an error, or note it when quiet.
---@param ... any
function torch.File:fail(...) end

---Whether a read, write or seek has failed since the file was opened or clearError() called.
function torch.File:hasError() end

---Whether text numbers are separated by spaces and newlines.
function torch.File:isAutoSpacing() end

---Whether numbers are binary, not text.
function torch.File:isBinary() end

---Whether the file is open.
function torch.File:isOpen() end

---Whether failures set hasError() instead of raising.
function torch.File:isQuiet() end

---Whether the mode is 'r' or 'rw'.
function torch.File:isReadable() end

---Whether `referenced` is on.
function torch.File:isReferenced() end

---Whether the mode is 'w' or 'rw'.
function torch.File:isWritable() end

---Whether an object can be written; of what a table holds nothing is said.
---@param ... any
---@return any
function torch.File:isWritableObject(...) end

---Whether functions read from here can be called (the default), or are placeholders.
---Bytecode from a hostile file can do anything once it is called.
---@param ... any
function torch.File:loadFunctions(...) end

---Width of longs in binary mode.
---@param size number number: 4, 8, or 0 for this machine's own (8)
function torch.File:longSize(size) end

---In ASCII mode, nothing between or after numbers.
---@param ... any
---@return self
function torch.File:noAutoSpacing(...) end

---Failures raise (the default).
function torch.File:pedantic() end

---Position of the next byte, from 1.
function torch.File:position() end

---Failures set hasError() instead of raising.
function torch.File:quiet() end

---A boolean, kept as an int.
function torch.File:readBool() end

---Read numbers of one type: binary ones of that size, or as text in ASCII mode.
---@param what? any number or storage: how many numbers, or a storage of the type to fill; without it, one number (optional)
---@return torch.Tensor
function torch.File:readByte(what) end

---Read numbers of one type: binary ones of that size, or as text in ASCII mode.
---@param what? any number or storage: how many numbers, or a storage of the type to fill; without it, one number (optional)
---@return torch.Tensor
function torch.File:readChar(what) end

---Read numbers of one type: binary ones of that size, or as text in ASCII mode.
---@param what? any number or storage: how many numbers, or a storage of the type to fill; without it, one number (optional)
---@return torch.Tensor
function torch.File:readDouble(what) end

---Read numbers of one type: binary ones of that size, or as text in ASCII mode.
---@param what? any number or storage: how many numbers, or a storage of the type to fill; without it, one number (optional)
---@return torch.Tensor
function torch.File:readFloat(what) end

---Read numbers of one type: binary ones of that size, or as text in ASCII mode.
---@param what? any number or storage: how many numbers, or a storage of the type to fill; without it, one number (optional)
---@return torch.Tensor
function torch.File:readInt(what) end

---Read numbers of one type: binary ones of that size, or as text in ASCII mode.
---@param what? any number or storage: how many numbers, or a storage of the type to fill; without it, one number (optional)
---@return torch.Tensor
function torch.File:readLong(what) end

---The next object.
function torch.File:readObject() end

---Read numbers of one type: binary ones of that size, or as text in ASCII mode.
---@param what? any number or storage: how many numbers, or a storage of the type to fill; without it, one number (optional)
---@return torch.Tensor
function torch.File:readShort(what) end

---Raw characters.
---@param format string string: '*l' one line, returned without its newline; '*a' the rest of the file
---@return string
function torch.File:readString(format) end

---The stream, ready to read. Misuse is an error for quiet files, too.
function torch.File:reading() end

---Whether an object that is met again is stored as a reference to the first one (the default).
---Without it every object is written in full; cycles then never end.
---@param ... any
function torch.File:referenced(...) end

---Go to a position.
---@param position number number, from 1
function torch.File:seek(position) end

---Go past the last byte.
function torch.File:seekEnd() end

---Give a new instance its stream and its initial state. For the constructors of subclasses.
---@param stream any as made by torch.io.stdio or torch.io.memory
---@param label string string: how error messages call the file
---@param mode string string: 'r', 'w' or 'rw'
---@param quiet boolean boolean
function torch.File:setup(stream, label, mode, quiet) end

---'open' or 'closed', and the mode as two characters: the status that tostring shows.
function torch.File:status() end

---Byte order of binary numbers: the other one than this machine's, or the same. For subclasses.
---@param ... any
function torch.File:swapBytes(...) end

---Hand everything written to the operating system.
function torch.File:synchronize() end

---A boolean, kept as an int: 1 or 0.
---@param ... any
function torch.File:writeBool(...) end

---Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
---@param what number number, or a storage of the type
---@return any
function torch.File:writeByte(what) end

---Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
---@param what number number, or a storage of the type
---@return any
function torch.File:writeChar(what) end

---Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
---@param what number number, or a storage of the type
---@return any
function torch.File:writeDouble(what) end

---Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
---@param what number number, or a storage of the type
---@return any
function torch.File:writeFloat(what) end

---Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
---@param what number number, or a storage of the type
---@return any
function torch.File:writeInt(what) end

---Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
---@param what number number, or a storage of the type
---@return any
function torch.File:writeLong(what) end

---Write an object, with what it refers to.
---@param object any nil, number, string, boolean, table, function or torch object, nested at will
---@param debugname? any string: how messages call the object (optional)
---@param hook? any function: hook(x) returns what is written in the place of x (optional)
function torch.File:writeObject(object, debugname, hook) end

---Write numbers of one type, as `readInt` and its kin read them. Integers wrap as in C.
---@param what number number, or a storage of the type
---@return any
function torch.File:writeShort(what) end

---Write characters as they are.
---@param ... any
---@return number
function torch.File:writeString(...) end

---The stream, ready to write.
function torch.File:writing() end

---Called after bytes were written: outside of writeObject they reach C's buffer at once.
---@param ... any
---@return any
function torch.File:wrote(...) end

---A function of tensors with a derivative of its own.
---
---`forward(context, ...)` computes the results from the arguments, without being recorded;
---`backward(context, g1, ...)` gets the gradients of the results and returns one for each tensor
---among the arguments, or nil where that needs none. What backward needs, forward keeps:
---`context:save(x, y)`, `local x, y = context:saved()`; all else may be fields of the context.
---Where backward consists of operations on tensors, gradients have gradients.
---@param definition table table: forward, backward
---@return function
function torch.Function(definition) end

---The arguments' names, in the order of a call.
---@param ... any
---@return any
function torch.Fused:arguments(...) end

---How a call with such arguments is carried out.
---@param ... any as for a call
---@return any
function torch.Fused:how(...) end

---The results' names, in the order in which a call gives them.
---@param ... any
---@return any
function torch.Fused:results(...) end

---Take over another generator's state.
---@param ... any
---@return self
function torch.Generator:copy(...) end

---What torch.load reads.
---@param ... any
function torch.Generator:read(...) end

---The state as bytes, for torch.save.
---@param ... any
function torch.Generator:write(...) end

---A file that reads a string, or a CharStorage without a NUL at its end, without copying it.
---@param content string string or torch.CharStorage
function torch.MemoryFile:over(content) end

---The content and a NUL after it: the storage the file works in, not a copy.
function torch.MemoryFile:storage() end

---The content as a string.
function torch.MemoryFile:string() end

---A flame graph: what called what, from below; widths are times. Lines of the script, ranges,
---layers and operations.
---@param file? string to write it to (string, optional)
---@return string
function torch.Profile:flameGraph(file) end

---The memory that tensors had, over time, by the line that took it.
---@param file? string to write it to (string, optional)
---@param place? string 'cpu' or 'cuda:1'; by default where most was in use (string, optional)
---@return string
function torch.Profile:memoryGraph(file, place) end

---What the profile's events add up to: a list of tables, the most time first.
---
---| by | a row for each | fields beside name |
---| --- | --- | --- |
---| 'operation' | operation of the core | calls, own, total, device, bytes, allocated |
---| 'line' | line of the script, 'train.lua:12' | the same |
---| 'layer' | layer and pass, 'net.3.conv1 forward' | the same, and class |
---| 'range' | range of the script | the same |
---| 'memory' | line, and place ('cpu', 'cuda:1') | place, count, allocated, peak, left |
---
---Times are seconds: `own` without, `total` with what was called; `device` is the time that a CUDA
---device worked. `bytes` are those of the tensors that were read and written. `allocated` is what
---was taken, `peak` what of it was in use when most was, `left` what is in use at the end; CPU
---tensors of no more than 256 bytes are not counted.
---@param by string (string)
---@return any
function torch.Profile:rows(by) end

---End the profile. It waits for the devices that have worked meanwhile; ranges that have not ended
---end now.
---@param ... any
---@return self
function torch.Profile:stop(...) end

---The rows as text.
---@param options? any table: by ('operation'), sort (a field: 'own'), top (number of rows, 10) (optional)
---@return string
function torch.Profile:table(options) end

---The events with their times, in the JSON that chrome://tracing and Perfetto (ui.perfetto.dev)
---read: one track for the script, one for each device, one for the memory.
---@param file? string to write it to (string, optional)
---@return string
function torch.Profile:trace(file) end

---Make an empty suite: assign functions to its fields and give it to Tester:add.
---The tests lie in its field `__tests`, name -> function.
function torch.TestSuite() end

---Add tests.
---@param f any a function, or a table (best a torch.TestSuite) of functions by name
---@param name string string, for a function: '_setUp' and '_tearDown' run before and after each test, and get its name
---@return self
function torch.Tester:add(f, name) end

---Check a condition.
---@param ... any
function torch.Tester:assert(...) end

---Check that f() raises an error.
---@param ... any
function torch.Tester:assertError(...) end

---Check that f() raises exactly this message (with the position Lua puts before it, if any).
---@param ... any
function torch.Tester:assertErrorMsg(...) end

---Check that f() raises an error value for which errcomp(value) is true.
---@param ... any
function torch.Tester:assertErrorObj(...) end

---Check that f() raises an error in which string.find finds the pattern.
---@param ... any
function torch.Tester:assertErrorPattern(...) end

---Check that two values have the same contents: numbers and elements within the tolerance (0),
---tables recursively, other values by `==`.
---@param ... any
function torch.Tester:assertGeneralEq(...) end

---Check that two values do not have the same contents.
---@param ... any
function torch.Tester:assertGeneralNe(...) end

---Check that f() raises none.
---@param ... any
function torch.Tester:assertNoError(...) end

---Check that two tables have the same contents, recursively.
---@param ... any
function torch.Tester:assertTableEq(...) end

---The contrary of assertTableEq.
---@param ... any
function torch.Tester:assertTableNe(...) end

---Check max |ta - tb| <= tolerance (1e-16). Tensors of different types differ, and so do those
---of different element counts; where only the dimensions differ, a warning is given.
---@param ... any
function torch.Tester:assertTensorEq(...) end

---The contrary of assertTensorEq.
---@param ... any
function torch.Tester:assertTensorNe(...) end

---Check |a - b| <= tolerance (1e-16).
---@param ... any
function torch.Tester:assertalmosteq(...) end

---Order of two numbers: a < b, a > b, a <= b, a >= b, a == b (so two tensors are equal only when
---they are the same object).
---@param a number number
---@param b number number
---@param message? string what to say when it does not hold (string, optional)
function torch.Tester:asserteq(a, b, message) end

---Order of two numbers: a < b, a > b, a <= b, a >= b, a == b (so two tensors are equal only when
---they are the same object).
---@param a number number
---@param b number number
---@param message? string what to say when it does not hold (string, optional)
function torch.Tester:assertge(a, b, message) end

---Order of two numbers: a < b, a > b, a <= b, a >= b, a == b (so two tensors are equal only when
---they are the same object).
---@param a number number
---@param b number number
---@param message? string what to say when it does not hold (string, optional)
function torch.Tester:assertgt(a, b, message) end

---Order of two numbers: a < b, a > b, a <= b, a >= b, a == b (so two tensors are equal only when
---they are the same object).
---@param a number number
---@param b number number
---@param message? string what to say when it does not hold (string, optional)
function torch.Tester:assertle(a, b, message) end

---Order of two numbers: a < b, a > b, a <= b, a >= b, a == b (so two tensors are equal only when
---they are the same object).
---@param a number number
---@param b number number
---@param message? string what to say when it does not hold (string, optional)
function torch.Tester:assertlt(a, b, message) end

---Check `a ~= b`.
---@param ... any
function torch.Tester:assertne(...) end

---Have run() skip tests.
---@param testNames any a name or a list of names
---@return self
function torch.Tester:disable(testNames) end

---Short for assertGeneralEq.
---@param ... any
function torch.Tester:eq(...) end

---Short for assertGeneralNe.
---@param ... any
function torch.Tester:ne(...) end

---Run the tests and report.
---@param testNames any optional: a Lua pattern, or a list of them, to match test names with
function torch.Tester:run(testNames) end

---Stop after the first test that fails (off by default).
---@param ... any
function torch.Tester:setEarlyAbort(...) end

---Let errors in tests out of run() instead of reporting them (off by default).
---@param ... any
function torch.Tester:setRethrowErrors(...) end

---Report the verdicts only, no messages (off by default).
---@param ... any
function torch.Tester:setSummaryOnly(...) end

---A timer from a file runs from now.
---@param ... any
function torch.Timer:read(...) end

---Forget the time counted so far; a running timer goes on from now, a stopped one stays stopped.
---@param ... any
---@return self
function torch.Timer:reset(...) end

---Go on counting.
---@param ... any
---@return self
function torch.Timer:resume(...) end

---Stop counting.
---@param ... any
---@return self
function torch.Timer:stop(...) end

---Elapsed seconds while running, since the last reset.
---@param ... any
---@return table
function torch.Timer:time(...) end

---Nothing is written to files, as by Torch7's nn: a clock's times mean nothing to another process.
---@param ... any
function torch.Timer:write(...) end

---The tensor, or a tensor of these numbers, as a Variable: x:requiresGrad(on).
---@param x torch.Tensor tensor, number or table of numbers
---@param on? boolean boolean: false for a tensor that needs no gradient itself, but into which Variables may be written (default true)
---@return any
function torch.Variable(x, on) end

---|x|
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.abs(...) end

---arc cosine, radians
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.acos(...) end

---In place: t:add(v), t:add(t2), t:add(v, t2); into t: t:add(t1, v), t:add(t1, t2),
---t:add(t1, v, t2). Result t1 + v * t2.
---@overload fun(res: torch.Tensor, t: torch.Tensor, value: number): torch.Tensor
---@overload fun(t: torch.Tensor, value: number): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.add(...) end

---beta t + alpha times the sum over k of A[k] B[k]: batches b x n x m and b x m x p, t is n x p.
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.addbmm(...) end

---x + value * y / z
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.addcdiv(...) end

---x + value * y * z
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.addcmul(...) end

---beta t + alpha A B, for an n x m matrix A and an m x p matrix B.
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.addmm(...) end

---beta t + alpha A x, for an n x m matrix A and a vector x of m elements.
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.addmv(...) end

---beta t + alpha x y', the outer product of vectors x (n) and y (m).
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.addr(...) end

---Whether all elements (all) or any (any) of a ByteTensor are not 0.
---@overload fun(t: torch.Tensor): boolean
---@param ... any
---@return any
function torch.all(...) end

---Whether |a - b| <= atol + rtol |b| for all elements.
---Infinities must be equal. Computed in double on the CPU.
---@param a torch.Tensor tensor
---@param b torch.Tensor tensor of the same sizes, of any type
---@param rtol? any number: relative tolerance, default 1e-5 (optional)
---@param atol? any number: absolute tolerance, default 1e-8 (optional)
---@param equal_nan? any boolean: whether NaN is close to NaN, default false (optional)
---@return boolean
function torch.allclose(a, b, rtol, atol, equal_nan) end

---Whether all elements (all) or any (any) of a ByteTensor are not 0.
---@param ... any
function torch.any(...) end

---The numbers from `first` (default 0) in steps up to, and without, `last`; torch.range has it.
---@overload fun(first: integer, last: any, step?: any): torch.Tensor
---@overload fun(last: any, step?: any): torch.Tensor
---@param ... any
---@return any
function torch.arange(...) end

---Where the largest element is: its place in row-major order, from 1; along a dimension, the
---positions as a LongTensor without that dimension.
---@overload fun(x: torch.Tensor): number
---@param ... any
---@return any
function torch.argmax(...) end

---Where the smallest element is; as `argmax`.
---@overload fun(x: torch.Tensor): number
---@param ... any
---@return any
function torch.argmin(...) end

---The positions that put the elements in order: the second result of torch.sort.
---@param ... any
function torch.argsort(...) end

---arc sine, radians
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.asin(...) end

---arc tangent, radians
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.atan(...) end

---Angle of the point (y, x) in radians, from -pi to pi: torch.atan2(y, x).
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): number
---@param ... any
---@return any
function torch.atan2(...) end

---Go back from several tensors at once.
---@param outputs any list of tensors
---@param gradients? any list: one for each, or false (optional)
---@param options? any as those of t:backward (optional)
function torch.backward(outputs, gradients, options) end

---beta t[k] + alpha A[k] B[k] for every k: batches b x n x m and b x m x p.
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(beta: any, t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, alpha: any, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, t3: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.baddbmm(...) end

---t:bernoulli([gen,] [p = 0.5]), with p a number or a tensor of probabilities.
---@overload fun(gen: torch.Generator, p?: number): number
---@overload fun(p?: number): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, p?: number): torch.Tensor
---@overload fun(res: torch.Tensor, p?: number): torch.Tensor
---@overload fun(res: torch.Tensor, gen: torch.Generator, FloatTensor: any): torch.Tensor
---@overload fun(res: torch.Tensor, FloatTensor: any): torch.Tensor
---@overload fun(res: torch.Tensor, gen: torch.Generator, t: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.bernoulli(...) end

---As histc, for each row of a matrix; the range is that of the whole matrix.
---see histc
---@overload fun(res: torch.Tensor, t: torch.Tensor, nbins: any, min: number, max?: number): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, nbins: any, max?: number): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, min: number, max?: number): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, max?: number): torch.Tensor
---@overload fun(t: torch.Tensor, nbins: any, min: number, max?: number): torch.Tensor
---@overload fun(t: torch.Tensor, nbins: any, max?: number): torch.Tensor
---@overload fun(t: torch.Tensor, min: number, max?: number): torch.Tensor
---@overload fun(t: torch.Tensor, max?: number): torch.Tensor
---@param ... any
---@return any
function torch.bhistc(...) end

---x AND value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.bitand(...) end

---x OR value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.bitor(...) end

---x XOR value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.bitxor(...) end

---Matrix products of two batches: b x n x m and b x m x p give b x n x p.
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.bmm(...) end

---Switch NumPy's rules on or off; they are off at first, and scripts see exactly Torch7.
---
---While they are on:
---
---* Operands of different sizes are expanded where the sizes agree: from the last dimension on they
---  must be equal or 1, and missing leading dimensions count as 1. So a 4x1 and a 3 give 4x3. That
---  holds for `+`, `-`, `%`, for the comparisons, for add, csub, cmul, cdiv, cpow, cmax, cmin and
---  the other operations of two or three tensors. Sizes that do not agree follow Torch7's rule:
---  equal numbers of elements, or an error.
---* In place (`x:add(y)`), x keeps its sizes and y is expanded to them.
---* `*` between vectors and matrices stays the product of linear algebra. With more than two
---  dimensions on a side, where Torch7 has no product, it is element by element, as is `/` between
---  tensors.
---* A negative `dim` counts from the end: -1 is the last.
---
---A function kept in a local variable before the switch stays what it was.
---@param on? any boolean; without it, nothing changes (optional)
---@return any
function torch.broadcast(on) end

---Run f(...) and list the calls that this thread makes of the core meanwhile: operations, copies
---and views, each `{ name, seconds, depth, failed, arguments }`. depth is 1 for what an operation
---calls itself. An argument is `{ name, role }`, with role 'in', 'out', 'inout' or 'ins' (several)
---for tensors, 'number', 'integer', 'integers', 'flag', 'generator' or 'result'; a tensor has also
---type, size (a table), storage (an address) and version, which moves with every write to its
---memory; numbers and flags have value. An error of f passes through.
---@overload fun(f: function, ...: any): any, any
---@overload fun(function_: any)
---@param ... any
---@return any
function torch.calls(...) end

---Tensors one after the other along dim (default: the last one).
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, dim?: integer): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, dim?: integer): torch.Tensor
---@param ... any
---@return any
function torch.cat(...) end

---Cauchy: p(x) = sigma / (pi ((x - median)^2 + sigma^2)); one number, or a tensor filled.
---@overload fun(gen: torch.Generator, median: any, sigma?: any): number
---@overload fun(gen: torch.Generator, sigma?: any): number
---@overload fun(median: any, sigma?: any): number
---@overload fun(sigma?: any): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, median: any, sigma?: any): torch.Tensor
---@overload fun(res: torch.Tensor, gen: torch.Generator, sigma?: any): torch.Tensor
---@overload fun(res: torch.Tensor, median: any, sigma?: any): torch.Tensor
---@overload fun(res: torch.Tensor, sigma?: any): torch.Tensor
---@param ... any
---@return any
function torch.cauchy(...) end

---x AND y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cbitand(...) end

---x OR y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cbitor(...) end

---x XOR y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cbitxor(...) end

---Pointer to the tensor as a C struct with Torch7's fields: size, stride, nDimension, storage,
---storageOffset, refcount; the sizes and strides are arrays. The tensor lives as long as the
---pointer. `ffi.cast('THFloatTensor *', torch.pointer(t))` gives the same.
---@overload fun(obj: any, asnumber?: any): any
---@param ... any
---@return any
function torch.cdata(...) end

---x / y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cdiv(...) end

---smallest integer >= x
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.ceil(...) end

---remainder of x / y with the sign of x
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cfmod(...) end

---f(...), of which only the arguments are kept: on the way back it is computed once more. Takes
---less memory and a third more time. Random numbers that f draws are the same again. Variables that
---f mentions without taking them get gradients by backward, but none by torch.grad, which does not
---know of them. A function that gives nothing but numbers gives tensors of one element.
---@param f function function of tensors that gives tensors
---@return any
function torch.checkpoint(f) end

---At most n views of equal size along dim (default 1), the last one possibly smaller.
---@overload fun(restable: any, t: torch.Tensor, n: integer, dim?: integer): table
---@overload fun(t: torch.Tensor, n: integer, dim?: integer): table
---@param ... any
---@return any
function torch.chunk(...) end

---1 / x
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cinv(...) end

---x limited to [min, max]; nil for one of them leaves that side open.
---@param res? any result; t:clamp(min, max) works in place (optional)
---@param x? torch.Tensor tensor
---@param min? number number or nil
---@param max? number number or nil
---@return torch.Tensor
function torch.clamp(res, x, min, max) end

---Register a class whose instances are Lua tables.
---Calling the constructor makes an instance and calls `__init(self, ...)`, own or inherited. So
---does calling what is returned, which scripts often keep under the class's name.
---@param name string string, as in newmetatable
---@param parentName string string, optional
---@param module table table, optional: where to store the constructor (instead of a global table)
---@return any
function torch.class(name, parentName, module) end

---x * 2^y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.clshift(...) end

---max(x, y), element by element; y is a tensor or a number.
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, value: number): torch.Tensor
---@overload fun(t: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.cmax(...) end

---min(x, y), element by element; y is a tensor or a number.
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, value: number): torch.Tensor
---@overload fun(t: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.cmin(...) end

---remainder of x / y with the sign of x
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cmod(...) end

---x * y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cmul(...) end

---Convolution of images: the kernel is mirrored in both directions, then correlated.
---
---r[i][j] = sum over a, b of x[i + a][j + b] k[A - a][B - b] for a kernel of A x B elements.
---Sizes of a result: m - A + 1 by n - B + 1 for 'V' (kernel wholly inside), m + A - 1 by n + B - 1
---for 'F' (every overlap).
---@param res? any result (optional)
---@param x? any m x n; or p x m x n
---@param k? any A x B; with planes: p x A x B (a kernel for each), or q x p x A x B (q sums over all planes)
---@param mode? any 'V' (default) or 'F' (optional)
---@return torch.Tensor
function torch.conv2(res, x, k, mode) end

---Convolution of volumes: as conv2, with three directions. With planes x has 4 dimensions, the
---kernel 4 or 5.
---see conv2
---@param ... any
function torch.conv3(...) end

---cosine of radians
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cos(...) end

---hyperbolic cosine
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cosh(...) end

---x^y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cpow(...) end

---remainder of x / y with the sign of y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.cremainder(...) end

---Cross product along a dimension of size 3.
---@param res? any result (optional)
---@param x? torch.Tensor tensor
---@param y? torch.Tensor tensor of the same sizes
---@param dim? any default, as 0 and -1: the first dimension of size 3 (optional)
---@return torch.Tensor
function torch.cross(res, x, y, dim) end

---x / 2^y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.crshift(...) end

---As add, with t1 - v * t2.
---@overload fun(res: torch.Tensor, t: torch.Tensor, value: number): torch.Tensor
---@overload fun(t: torch.Tensor, value: number): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, value: number, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.csub(...) end

---Running product along dim (default 1): r[i] = x[1] * ... * x[i].
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim?: integer): torch.Tensor
---@overload fun(t: torch.Tensor, dim?: integer): torch.Tensor
---@param ... any
---@return any
function torch.cumprod(...) end

---Running sum along dim (default 1): r[i] = x[1] + ... + x[i].
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim?: integer): torch.Tensor
---@overload fun(t: torch.Tensor, dim?: integer): torch.Tensor
---@param ... any
---@return any
function torch.cumsum(...) end

---Pointer to the first element; valid while the tensor lives and its storage is not resized.
---@overload fun(obj: any, asnumber?: any): any, any
---@param ... any
---@return any
function torch.data(...) end

---An object from the string that `serialize` made.
---@param text string string
---@param mode? string string, as for `load` (default 'binary')
---@param options? any table, as for `load` (optional)
function torch.deserialize(text, mode, options) end

---As `deserialize`, from a torch.CharStorage or the elements of a torch.CharTensor, which are not
---copied if they lie one behind the other.
---@overload fun(CharStorage: any, mode?: any): any
---@param ... any
---@return any
function torch.deserializeFromStorage(...) end

---Look for anomalies: an operation on Variables that makes a NaN is an error, on the way there and
---on the way back, and errors name the lines of the script that recorded a call and that changed
---what it had kept. Everything is interpreted meanwhile, which is slow.
---@param on boolean boolean, or a function during whose run it is on
---@return any
function torch.detectAnomaly(on) end

---Of a matrix the k-th diagonal as a vector; of a vector a square matrix with it as k-th diagonal.
---k > 0 is above the main diagonal, k < 0 below.
---@overload fun(res: torch.Tensor, t: torch.Tensor, k?: integer): torch.Tensor
---@overload fun(t: torch.Tensor, k?: integer): torch.Tensor
---@param ... any
---@return any
function torch.diag(...) end

---p-norm of the difference.
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, p?: number): number
---@param ... any
---@return any
function torch.dist(...) end

---x / value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.div(...) end

---Print what this build and this machine are like, and what is wrong with them, each problem with
---its remedy: what to put into a bug report. `th --doctor` does the same.
---@overload fun(): any
---@param ... any
---@return any
function torch.doctor(...) end

---Sum of products, element by element in row-major order.
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): number
---@param ... any
---@return any
function torch.dot(...) end

---Eigenvalues and right eigenvectors of any square matrix.
---@param e? any result: n x 2, real and imaginary parts (optional)
---@param V? any result: n x n; a real eigenvalue's vector is its column; a conjugate pair's are column j plus and minus i times column j + 1. Left as it was without 'V' (optional)
---@param A? any n x n matrix
---@param vectors? any 'N' (default) or 'V' (optional)
---@return torch.Tensor
function torch.eig(e, V, A, vectors) end

---Einstein's sum: the product of all tensors, element by element where they share an index,
---summed over every index that the result does not name.
---
---The equation names the dimensions of each tensor by letters, then those of the result. Without
---'->' the result has the letters that occur once, in alphabetical order. A letter twice in one
---term means the diagonal. '...' stands for any further dimensions; those are broadcast. Tensors
---are contracted two at a time from the left by matrix products.
---@param equation string string such as 'ij,jk->ik'
---@param ... any tensors of one type, or one table of them
---@return torch.Tensor
function torch.einsum(equation, ...) end

---x > 0 ? x : a * (e^(b * x) - 1)
---@overload fun(res: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.elu(...) end

---A tensor with x's type and sizes whose elements are whatever the memory holds.
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.empty_like(...) end

---x == y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.eq(...) end

---Same sizes and same values.
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): boolean
---@param ... any
---@return any
function torch.equal(...) end

---e^x
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.exp(...) end

---View in which dimensions of size 1 repeat (stride 0), with new leading ones where sizes say so.
---Elements are shared: writing to one writes to all its repetitions.
---@overload fun(res: torch.Tensor, t: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(t: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.expand(...) end

---expand to the sizes of another tensor.
---@overload fun(res: torch.Tensor, t: torch.Tensor, template: any): torch.Tensor
---@overload fun(t: torch.Tensor, template: any): torch.Tensor
---@param ... any
---@return any
function torch.expandAs(...) end

---e^x - 1, accurate near 0
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.expm1(...) end

---Exponential: p(x) = lambda e^(-lambda x); one number, or a tensor filled.
---@overload fun(gen: torch.Generator, lambda: any): number
---@overload fun(lambda: any): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, lambda: any): torch.Tensor
---@overload fun(res: torch.Tensor, lambda: any): torch.Tensor
---@param ... any
---@return any
function torch.exponential(...) end

---The identity matrix of n rows and m (default n) columns.
---@overload fun(res: torch.Tensor, n: integer, m?: integer): torch.Tensor
---@overload fun(n: integer, m?: integer): torch.Tensor
---@param ... any
---@return any
function torch.eye(...) end

---A function that makes a bare instance of the named class; nil for an unknown class.
---@overload fun(name: string): function
---@param ... any
---@return any
function torch.factory(...) end

---Set every element to the number.
---@overload fun(res: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.fill(...) end

---largest integer <= x
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.floor(...) end

---remainder of x / value with the sign of x
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.fmod(...) end

---x - trunc(x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.frac(...) end

---A tensor of the default type, filled with a number.
---@overload fun(sizes: any, value: number): torch.Tensor
---@param ... any
---@return any
function torch.full(...) end

---A tensor filled with a number, with x's type and sizes.
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.full_like(...) end

---A function of tensors from a text: each element of the results is computed from the arguments'
---elements in one pass over memory, whatever number of operations the text has.
---
---The text has statements `NAME = EXPRESSION`, a line or `;` apart; `--` begins a comment. Names
---that are read before they are made are the arguments, in the order in which they come; the name
---made last is the result. An argument is a tensor or a number. Sizes are broadcast: from the last
---dimension on they are equal or 1. Tensors are of one floating type, which the results have, too
---(half and bfloat16 are computed in float); those of integer types, such as masks and labels, may
---stand beside and are read as numbers of that type.
---
---There are `+ - * / % ^`, comparisons, which are 1 or 0, `and or not`, `where(condition, a, b)`,
---`pi`, `inf` and `nan`, and the functions abs, acos, asin, atan, atan2, ceil, cinv, clamp(x,
---least, most), cos, cosh, elu(x, alpha), exp, expm1, floor, fmod, frac, gelu, gelu_tanh,
---hardsigmoid, hardswish, lerp(x, y, weight), log, log1p, logsigmoid, max, min, mish, pow, prelu(x,
---slope), relu, remainder, round, rsqrt, selu, sigmoid, sign, silu, sin, sinh, softplus, softsign,
---sqrt, square, tan, tanh, tanhshrink, threshold(x, a, b), trunc; each is the operation of that
---name.
---
---What comes is called as `f(a, b, c)`; as `f(y, a, b, c)` it writes into y, which may be an
---argument; as `f { a = a, b = b, c = c }` by names. Of Variables it is recorded as one node; its
---gradient, and that one's, are passes over memory as well, which compute the expression anew.
---
---On the CPU the text becomes a loop by the system's compiler (CC, or gcc, cc or clang on the PATH)
---when it is first called with such types: some 0.1 s, once, for the code stays in
---`$XDG_CACHE_HOME/luatorch` (`~/.cache/luatorch`). On CUDA devices NVRTC makes a kernel. Where
---there is neither, or clang would have to call libm element by element, the operations run one
---after the other: the same results to some units in the last place; `f:how(...)` says which it is.
---@param text string string
---@param options? any table: results, a list of names, where it is not the last one alone; arguments, a list of names, where their order is to be another or an unknown name an error; compile, false to have operations always (optional)
---@return any
function torch.fuse(text, options) end

---r[i][j] = t[positions[i][j]][j] for dim 1, and so on; r has the shape of the positions.
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer, idx: torch.LongTensor): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer, idx: torch.LongTensor): torch.Tensor
---@param ... any
---@return any
function torch.gather(...) end

---x >= y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.ge(...) end

---Least squares, or the shortest solution, of A x = b for A of full rank.
---@param x? any result: the solution, n x k (optional)
---@param qr? any result: details of the factorisation (QR, or LQ for m < n) (optional)
---@param b? any m x k matrix or vector of m elements
---@param A? any m x n matrix
---@return torch.Tensor
function torch.gels(x, qr, b, A) end

---x * Phi(x), Phi the normal distribution
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.gelu(...) end

---x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.gelu_tanh(...) end

---Geometric: P(i) = (1 - p) p^(i - 1) for i = 1, 2, ...; 0 < p < 1.
---@overload fun(gen: torch.Generator, p: number): number
---@overload fun(p: number): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, p: number): torch.Tensor
---@overload fun(res: torch.Tensor, p: number): torch.Tensor
---@param ... any
---@return any
function torch.geometric(...) end

---The parts of a QR factorisation as LAPACK keeps them.
---@param res? any result: R in the upper triangle, Householder vectors below it (optional)
---@param tau? any result: min(m, n) factors of the reflections (optional)
---@param A? any m x n matrix
---@return torch.Tensor
function torch.geqrf(res, tau, A) end

---Outer product: x y', n x m for vectors of n and m elements.
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.ger(...) end

---Solve A x = b by LU factorisation with row exchanges.
---@param x? any result: the solution, m x k (optional)
---@param lu? any result: the factors of A: L below the diagonal (its own is 1), U on and above it (optional)
---@param b? any m x k matrix or vector of m elements
---@param A? any m x m matrix
---@return torch.Tensor
function torch.gesv(x, lu, b, A) end

---The generator's state, a ByteTensor of 5048 bytes.
---@overload fun(gen?: torch.Generator): any
---@param ... any
---@return any
function torch.getRNGState(...) end

---Constructor table of a class name, or nil.
---@overload fun(name: string): table
---@param ... any
---@return any
function torch.getconstructortable(...) end

---Name of the type of torch.Tensor, such as 'torch.DoubleTensor'.
---@overload fun(): string
---@param ... any
---@return any
function torch.getdefaulttensortype(...) end

---Environment table of a function, thread, userdata or FFI object.
---@overload fun(obj: any): table
---@param ... any
---@return any
function torch.getenv(...) end

---Class metatable of a name, or nil.
---@overload fun(name: string): any
---@param ... any
---@return any
function torch.getmetatable(...) end

---How many processor cores the machine has.
---@overload fun(): integer
---@param ... any
---@return any
function torch.getnumcores(...) end

---How many threads operations may use.
---@overload fun(): integer
---@param ... any
---@return any
function torch.getnumthreads(...) end

---Whether convolutions of floats on the CPU may take Winograd's way (`torch.setwinograd`).
---@overload fun(): boolean
---@param ... any
---@return any
function torch.getwinograd(...) end

---Gradients of outputs by inputs, which no leaf accumulates. With a function instead: see
---torch.variables.transform.
---@param outputs torch.Tensor tensor, or list of tensors
---@param inputs torch.Tensor tensor, or list of them: Variables, leaves or not
---@param options? any table: createGraph (gradients have gradients), retainGraph, gradOutputs (list of the outputs' gradients), allowUnused (false where the outputs do not depend on an input) (optional)
---@return any
function torch.grad(outputs, inputs, options) end

---Compare the gradients of a function with central differences, element by element.
---@param f function function of tensors that gives tensors
---@param inputs torch.Tensor tensor or list: the function's arguments; those that are Variables (doubles, contiguous) are looked at
---@param options? any table: step (1e-6), atol (1e-5), rtol (1e-3) (optional)
---@return any
function torch.gradcheck(f, inputs, options) end

---The same of the function's gradients: whether gradients of gradients are right.
---@param f function function of tensors that gives tensors
---@param inputs any as for torch.gradcheck
---@param options? any as for torch.gradcheck (optional)
---@return any
function torch.gradgradcheck(f, inputs, options) end

---x > y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.gt(...) end

---x < a or x > b ? x : 0
---@overload fun(res: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.hardshrink(...) end

---x / 6 + 1 / 2 limited to [0, 1]
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.hardsigmoid(...) end

---x * hardsigmoid(x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.hardswish(...) end

---Print what the sources say about a function, a class, an object's class or a package.
---At the prompt of `th` it is the global `help` as well.
---@param x function function, class, object, package table, or one of their names as a string
function torch.help(x) end

---How many elements lie in each of `bins` equal parts of [min, max]; those outside do not count.
---@param res? any result (optional)
---@param x? torch.Tensor tensor of a floating type
---@param bins? any number of parts (default 100) (optional)
---@param min? any default 0 (optional)
---@param max? any default 0; min == max stands for the range of x (optional)
---@return torch.Tensor
function torch.histc(res, x, bins, min, max) end

---Run a file of a package (torch.include).
---@overload fun(package: any, file: any)
---@param ... any
---@return any
function torch.include(...) end

---Slices of dim in the order of the positions, copied.
---@param ... any
function torch.index(...) end

---The last seed that was set.
---@overload fun(gen?: torch.Generator): number
---@param ... any
---@return any
function torch.initialSeed(...) end

---The inverse of a square matrix.
---@param res? any result (optional)
---@param A? any n x n matrix
---@return torch.Tensor
function torch.inverse(res, A) end

---Whether operations on Variables are recorded.
---@overload fun(): boolean
---@param ... any
---@return any
function torch.isGradEnabled(...) end

---Whether an object is a storage of any type.
---@overload fun(obj: any): boolean
---@param ... any
---@return any
function torch.isStorage(...) end

---Whether an object is a tensor of any type.
---@overload fun(obj: any): boolean
---@param ... any
---@return any
function torch.isTensor(...) end

---Whether an object is an instance of a class or of one derived from it.
---@param object any anything
---@param spec any a constructor, a class metatable, a class name, a Lua pattern ('torch.*Tensor'), or an instance, which stands for its class
function torch.isTypeOf(object, spec) end

---Whether the tensor needs a gradient: as a leaf that requiresGrad made, or because it was
---computed from one.
---@overload fun(obj: any): boolean
---@param ... any
---@return any
function torch.isVariable(...) end

---Whether a file shows on a terminal.
---@param file any one of Lua's files (io.stdout), or an open torch.DiskFile or torch.PipeFile
---@return boolean
function torch.isatty(file) end

---Whether two tables are one table, or two torch objects the same underlying object.
---False for anything else.
---@overload fun(a: torch.Tensor, b: torch.Tensor): boolean
---@param ... any
---@return any
function torch.isequal(...) end

---The one element of a tensor, as a number; a number is itself.
---
---A sum is a number, and of Variables one of them: `torch.item(x:sum())` is a number of both.
---@overload fun(x: torch.Tensor): number
---@param ... any
---@return any
function torch.item(...) end

---The k-th smallest along dim.
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, k: integer, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, k: integer, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(t: torch.Tensor, k: integer, dim?: integer): torch.Tensor, torch.LongTensor
---@param ... any
---@return any
function torch.kthvalue(...) end

---x <= y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.le(...) end

---x > 0 ? b * x : a * x
---@overload fun(res: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.leaky_relu(...) end

---x + weight (y - x): t:lerp(y, weight) in place, t:lerp(x, y, weight) into t.
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor, weight: any): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor, weight: any): torch.Tensor
---@overload fun(a: torch.Tensor, b: torch.Tensor, weight: any): number
---@param ... any
---@return any
function torch.lerp(...) end

---A linear layer's function, x W' + b: of each row of x (n x in, or a single vector) and a weight
---of out x in. One operation, where addmm of W:t() and an expanded bias are three.
---@param x torch.Tensor tensor n x in, or in
---@param weight torch.Tensor tensor out x in
---@param bias? any tensor of out elements (optional)
---@return torch.Tensor
function torch.linear(x, weight, bias) end

---`count` numbers (default 100), evenly spaced from first to last.
---@overload fun(res: torch.Tensor, start: any, end_: any, n?: integer): torch.Tensor
---@overload fun(start: any, end_: any, n?: integer): torch.Tensor
---@param ... any
---@return any
function torch.linspace(...) end

---Load the first object of a file.
---@param filename string string
---@param mode? string string: 'binary', 'ascii', or 'b32', 'b64': binary with longs of 4, 8 bytes (default 'binary')
---@param referenced? boolean boolean: what `save` was given (default true)
---@param options? any table: loadFunctions (boolean, true). Loading runs no code of the file, but a function from it can do anything once called, so for files you do not trust pass false: functions become placeholders that raise an error when called, and are saved again unchanged. device: 'cpu' reads CUDA tensors as CPU tensors, for which neither cutorch nor a GPU is needed. (optional)
---@return any
function torch.load(filename, mode, referenced, options) end

---Load the first object of a file.
---@param filename string string
---@param mode? string string: 'binary', 'ascii', or 'b32', 'b64': binary with longs of 4, 8 bytes (default 'binary')
---@param referenced? boolean boolean: what `save` was given (default true)
---@param options? any table: loadFunctions (boolean, true). Loading runs no code of the file, but a function from it can do anything once called, so for files you do not trust pass false: functions become placeholders that raise an error when called, and are saved again unchanged. device: 'cpu' reads CUDA tensors as CPU tensors, for which neither cutorch nor a GPU is needed. (optional)
---@return any
function torch.loadobj(filename, mode, referenced, options) end

---From now on, `print` writes to a file too. The log starts with the date and the parameters.
---@param file any a file name, or an open file
---@param params table table, optional
function torch.log(file, params) end

---log(1 + x), accurate near 0
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.log1p(...) end

---e^x for a normal x with mean (default 1) and standard deviation (default 2).
---@overload fun(gen: torch.Generator, mean: any, stdv?: any): number
---@overload fun(gen: torch.Generator, stdv?: any): number
---@overload fun(mean: any, stdv?: any): number
---@overload fun(stdv?: any): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, mean: any, stdv?: any): torch.Tensor
---@overload fun(res: torch.Tensor, gen: torch.Generator, stdv?: any): torch.Tensor
---@overload fun(res: torch.Tensor, mean: any, stdv?: any): torch.Tensor
---@overload fun(res: torch.Tensor, stdv?: any): torch.Tensor
---@param ... any
---@return any
function torch.logNormal(...) end

----log(1 + e^-x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.logsigmoid(...) end

---10^first to 10^last, exponents evenly spaced.
---@overload fun(res: torch.Tensor, start: any, end_: any, n?: integer): torch.Tensor
---@overload fun(start: any, end_: any, n?: integer): torch.Tensor
---@param ... any
---@return any
function torch.logspace(...) end

---log of the sum of e^x, without overflow: m + log(sum(e^(x - m))) with m = max(x).
---@param res? any result (optional)
---@param x? torch.Tensor tensor of floating type
---@param dim? any number: reduce this dimension, which keeps size 1; without it, everything (optional)
---@return torch.Tensor
function torch.logsumexp(res, x, dim) end

---x * 2^value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.lshift(...) end

---x < y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.lt(...) end

---Seed: torch.manualSeed([gen,] seed).
---@overload fun(gen: torch.Generator, seed: any)
---@overload fun(seed: any)
---@param ... any
---@return any
function torch.manualSeed(...) end

---Squared distances: r[i][j] = gain times the sum of (x[i] - y[j])^2.
---@param res? any result (optional)
---@param x? any n x ... tensor of n vectors
---@param y? any m x ... tensor of m vectors with as many elements
---@param gain? any default 1 (optional)
---@return torch.Tensor
function torch.match(res, x, y, gain) end

---Product of vectors (a number), of a matrix and a vector either way, of matrices, of batches of
---matrices.
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor, number
---@param ... any
---@return any
function torch.matmul(...) end

---The largest element as a number; or along dim, which keeps size 1, with its positions. NaN wins.
---@overload fun(t: torch.Tensor): number
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@param ... any
---@return any
function torch.max(...) end

---Mean of all elements as a number, or along dim, which keeps size 1.
---@overload fun(t: torch.Tensor): number
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer): torch.Tensor
---@param ... any
---@return any
function torch.mean(...) end

---The middle value along dim (the lower one of two) and its position.
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@param ... any
---@return any
function torch.median(...) end

---Make FFI objects of a C type instances of a class: of a registered one, which gives them its
---methods and operators, or of a new one, whose table the script has made their metatable by
---`ffi.metatype` (as the package tds does); without a C type it is a name for reading files, by the
---table's `__factory` and `__read`.
---@param name string string, the class
---@param ctype any a struct or union type, or its declaration as a string, that has no metatable yet; or the table
---@param destruct function function, optional: called with an object that is collected; behind a table the C type, such as 'tds_hash &', optional
---@return any
function torch.metatype(name, ctype, destruct) end

---The smallest element as a number; or along dim, which keeps size 1, with its positions. NaN
---wins.
---@overload fun(t: torch.Tensor): number
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@overload fun(t: torch.Tensor, dim: integer): torch.Tensor, torch.LongTensor
---@param ... any
---@return any
function torch.min(...) end

---x * tanh(log(1 + e^x))
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.mish(...) end

---Matrix product: n x m and m x p give n x p.
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.mm(...) end

---remainder of x / value with the sign of x
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.mod(...) end

---The most frequent value along dim (the smallest of several) and its position.
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@overload fun(t: torch.Tensor, dim?: integer): torch.Tensor, torch.LongTensor
---@param ... any
---@return any
function torch.mode(...) end

---x * value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.mul(...) end

---n draws from each row of weights: positions counted from 1.
---torch.multinomial([res,] [gen,] p, n[, replacement = false]); also p:multinomial(n).
---@overload fun(idx: torch.LongTensor, gen: torch.Generator, t: torch.Tensor, n: integer, replacement?: any): torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, n: integer, replacement?: any): torch.LongTensor
---@overload fun(gen: torch.Generator, t: torch.Tensor, n: integer, replacement?: any): torch.LongTensor
---@overload fun(t: torch.Tensor, n: integer, replacement?: any): torch.LongTensor
---@param ... any
---@return any
function torch.multinomial(...) end

---Fill a LongTensor with draws.
---@param output torch.LongTensor LongTensor: keeps its shape
---@param state any what multinomialAliasSetup returned
---@return any
function torch.multinomialAlias(output, state) end

---Prepare draws.
---@param probabilities any vector of weights
---@param state? any an earlier result, whose memory is used again (optional)
---@return any
function torch.multinomialAliasSetup(probabilities, state) end

---Prepare draws: torch.multinomialAliasSetup_(p[, alias][, q]) returns alias, q.
---A hit of column i is category i with probability q[i], category alias[i] otherwise.
---@param p any vector of weights of a floating type; they are taken as parts of their sum
---@param alias? any LongTensor, result (optional)
---@param q? any tensor of p's type, result (optional)
function torch.multinomialAliasSetup_(p, alias, q) end

---Draw: torch.multinomialAlias_([res,] [gen,] alias, q). res keeps its shape; without one, which
---has no shape to fill, the result is empty.
---@overload fun(idx: torch.LongTensor, gen: torch.Generator, idx_: torch.LongTensor, t: torch.Tensor): torch.LongTensor
---@overload fun(idx: torch.LongTensor, idx_: torch.LongTensor, t: torch.Tensor): torch.LongTensor
---@overload fun(gen: torch.Generator, idx: torch.LongTensor, t: torch.Tensor): torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor): torch.LongTensor
---@param ... any
---@return any
function torch.multinomialAlias_(...) end

---Matrix times vector: n x m and m give n.
---@overload fun(res: torch.Tensor, t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@overload fun(t1: torch.Tensor, t2: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.mv(...) end

---x ~= y
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.ne(...) end

----x
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.neg(...) end

---Register a class, or complete one registered before.
---@param name string string such as 'torch.FloatTensor': the constructor becomes field FloatTensor of the table torch, or a global when there is no dot
---@param parentName string string, optional: a registered class
---@param construct function function, optional: `Constructor(...)`, `class.new(...)` return construct(...)
---@param destruct function function, optional: called with an object that is collected (FFI objects)
---@param factory function function, optional: makes an instance without initialising it
---@param module table table, optional: where to store the constructor
---@return any
function torch.newmetatable(name, parentName, construct, destruct, factory, module) end

---Run f(...) without recording: for steps of optimisers, evaluation, changes of leaves in place.
---Where f yields, recording is for others as it was until f goes on.
---@overload fun(f: function, ...: any): any
---@param ... any
---@return any
function torch.noGrad(...) end

---Coordinates of the elements that are not 0: one row each.
---@overload fun(idx: torch.LongTensor, t: torch.Tensor): torch.LongTensor
---@overload fun(t: torch.Tensor): torch.LongTensor
---@param ... any
---@return any
function torch.nonzero(...) end

---t:norm([p = 2]) is a number; t:norm(p, dim), res:norm(t, p, dim) a tensor.
---@overload fun(t: torch.Tensor, p?: number): number
---@overload fun(res: torch.Tensor, t: torch.Tensor, p: number, dim: integer): torch.Tensor
---@overload fun(t: torch.Tensor, p: number, dim: integer): torch.Tensor
---@param ... any
---@return any
function torch.norm(...) end

---Normal with mean (default 0) and standard deviation (default 1): one number, or a tensor filled.
---@overload fun(gen: torch.Generator, mean: any, stdv?: any): number
---@overload fun(gen: torch.Generator, stdv?: any): number
---@overload fun(mean: any, stdv?: any): number
---@overload fun(stdv?: any): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, mean: any, stdv?: any): torch.Tensor
---@overload fun(res: torch.Tensor, gen: torch.Generator, stdv?: any): torch.Tensor
---@overload fun(res: torch.Tensor, mean: any, stdv?: any): torch.Tensor
---@overload fun(res: torch.Tensor, stdv?: any): torch.Tensor
---@param ... any
---@return any
function torch.normal(...) end

---Number of elements.
---@param ... any
function torch.numel(...) end

---A tensor of these sizes, all elements 1. As a method it resizes the tensor itself.
---@overload fun(res: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.ones(...) end

---A tensor of ones with x's type and sizes.
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.ones_like(...) end

---Q from the parts that torch.geqrf returned.
---@param res? any result: m x k for the k elements of tau (optional)
---@param a? any m x n
---@param tau? any vector of up to min(m, n) elements
---@return torch.Tensor
function torch.orgqr(res, a, tau) end

---Q C, Q' C, C Q or C Q' for the m x m matrix Q whose parts torch.geqrf returned.
---@param res? any result, shaped like C (optional)
---@param a? any m x n
---@param tau? any vector of up to min(m, n) elements
---@param C? any matrix
---@param side? any 'L' (default): Q on the left; 'R': on the right (optional)
---@param trans? any 'N' (default): Q; 'T': its transpose (optional)
---@return torch.Tensor
function torch.ormqr(res, a, tau, C, side, trans) end

---The product of each element of one vector with each of the other: torch.ger.
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.outer(...) end

---Directory of a package's Lua sources, found as `require` finds the package.
---@param name string string, optional; without it, the directory that holds torch's own
function torch.packageLuaPath(name) end

---View with the dimensions in another order: dimension d of the result is dims[d] of the tensor.
---@overload fun(t: torch.Tensor, perm: any): any
---@param ... any
---@return any
function torch.permute(...) end

---A number that identifies an object while it lives: its address.
---For FFI objects that share one C struct it is the struct's, whatever the handle.
---@overload fun(obj: any): number
---@param ... any
---@return any
function torch.pointer(...) end

---Cholesky factor: A = U' U, or L L'.
---@param res? any result: the factor, zero in the other triangle (optional)
---@param A? any symmetric positive definite matrix of which one triangle is read
---@param uplo? any 'U' (default) or 'L' (optional)
---@return torch.Tensor
function torch.potrf(res, A, uplo) end

---The inverse of A by A's Cholesky factor.
---@param res? any result: n x n, symmetric (optional)
---@param factor? any n x n: what torch.potrf returned
---@param uplo? any 'U' (default) or 'L', as for torch.potrf (optional)
---@return torch.Tensor
function torch.potri(res, factor, uplo) end

---Solve A x = b by A's Cholesky factor.
---@param res? any result: the solution, m x k (optional)
---@param b? any m x k matrix or vector of m elements
---@param factor? any m x m: what torch.potrf returned
---@param uplo? any 'U' (default) or 'L', as for torch.potrf (optional)
---@return torch.Tensor
function torch.potrs(res, b, factor, uplo) end

---t:pow(n) = t^n in place, t:pow(x, n) = x^n into t, t:pow(n, x) = n^x into t.
---@overload fun(res: torch.Tensor, t: torch.Tensor, n: integer): torch.Tensor
---@overload fun(t: torch.Tensor, n: integer): torch.Tensor
---@overload fun(res: torch.Tensor, n: integer, t: torch.Tensor): torch.Tensor
---@overload fun(n: integer, t: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, n: integer): number
---@param ... any
---@return any
function torch.pow(...) end

---x > 0 ? x : y * x
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.prelu(...) end

---y > value ? x : z * x
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, value: number, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.prelu_backward(...) end

---Product of all elements as a number, or along dim, which keeps size 1.
---@overload fun(t: torch.Tensor): number
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer): torch.Tensor
---@param ... any
---@return any
function torch.prod(...) end

---f(...), as a range of that name in the profile that runs; without one, just f(...).
---@param name string (string)
---@param f function (function)
---@return any
function torch.profiler.range(name, f) end

---Whether a profile runs.
---@overload fun(): boolean
---@param ... any
---@return any
function torch.profiler.running(...) end

---Begin a profile of what this thread does: every operation of the core, every layer's passes, the
---ranges of the script, and every piece of memory that tensors take. It costs time only while it
---runs; then Lua is interpreted, so that each call's line is known, which loops over elements feel
---most. With `lines = false` LuaJIT's compiler stays on, and no line is known; with
---`layers = false` nn's layers have no ranges. One profile runs at a time, and sees the calls of
---its thread alone.
---@param options? any table: lines (true), layers (true) (optional)
---@return any
function torch.profiler.start(options) end

---End the profile that runs, whoever has it.
---@overload fun()
---@param ... any
---@return any
function torch.profiler.stop(...) end

---Cholesky factor with the largest pivots first: P' A P = U' U, or L L'.
---@param res? any result: the factor, zero in the other triangle (optional)
---@param pivots? any result, IntTensor: P puts row pivots[i] of A in place i (optional)
---@param A? any symmetric positive semidefinite matrix of which one triangle is read
---@param uplo? any 'U' (default) or 'L' (optional)
---@param tol? any the smallest pivot; below 0 (default): n times the machine precision times the largest diagonal element (optional)
---@return torch.Tensor
function torch.pstrf(res, pivots, A, uplo, tol) end

---An object of a class from the address of its C struct.
---A class takes part by a field `__pushudata__(ptr)` or by torch.metatype; the object does not own
---the struct.
---@overload fun(ptr: any, name: string): any
---@param ... any
---@return any
function torch.pushudata(...) end

---A = Q R by Householder reflections.
---@param Q? any result: m x k for k = min(m, n), columns orthonormal (optional)
---@param R? any result: k x n, upper triangular (optional)
---@param A? any m x n matrix
---@return torch.Tensor
function torch.qr(Q, R, A) end

---A tensor of these sizes, uniform in [0, 1).
---@overload fun(res: torch.Tensor, gen: torch.Generator, sizes: any): torch.Tensor
---@overload fun(res: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(gen: torch.Generator, sizes: any): torch.Tensor
---@overload fun(sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.rand(...) end

---Random numbers from 0 to 1, with x's type and sizes.
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.rand_like(...) end

---Integers from `low` (default 0) up to, and without, `high`; x:random(a, b) has both ends.
---@overload fun(low: any, high: any, sizes: any): torch.LongTensor
---@overload fun(high: any, sizes: any): torch.LongTensor
---@param ... any
---@return any
function torch.randint(...) end

---A tensor of these sizes, normal with mean 0 and standard deviation 1.
---@overload fun(res: torch.Tensor, gen: torch.Generator, sizes: any): torch.Tensor
---@overload fun(res: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(gen: torch.Generator, sizes: any): torch.Tensor
---@overload fun(sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.randn(...) end

---Normally distributed random numbers, with x's type and sizes.
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.randn_like(...) end

---Integers: of the type's whole range, from 1 to b, or from a to b.
---@overload fun(gen: torch.Generator, a: torch.Tensor, b: torch.Tensor): number
---@overload fun(a: torch.Tensor, b: torch.Tensor): number
---@overload fun(gen: torch.Generator, a: torch.Tensor): number
---@overload fun(a: torch.Tensor): number
---@overload fun(gen?: torch.Generator): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, gen: torch.Generator, a: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, a: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, gen?: torch.Generator): torch.Tensor
---@param ... any
---@return any
function torch.random(...) end

---The numbers 1 to n in random order.
---@overload fun(res: torch.Tensor, gen: torch.Generator, n: integer): torch.Tensor
---@overload fun(res: torch.Tensor, n: integer): torch.Tensor
---@overload fun(gen: torch.Generator, n: integer): torch.Tensor
---@overload fun(n: integer): torch.Tensor
---@param ... any
---@return any
function torch.randperm(...) end

---first, first + step, ... up to last, which is included when it is reached.
---@overload fun(res: torch.Tensor, first: integer, last: any, step?: any): torch.Tensor
---@overload fun(first: integer, last: any, step?: any): torch.Tensor
---@param ... any
---@return any
function torch.range(...) end

---max(x, 0)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.relu(...) end

---remainder of x / value with the sign of value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.remainder(...) end

---Scale the slices of dim whose p-norm is above maxnorm down to it.
---The factor is maxnorm / (norm + 1e-7), as in Torch7.
---@param res? any result (optional)
---@param t? torch.Tensor tensor of at least 2 dimensions
---@param p? any exponent of the norm, above 0
---@param dim? any slices are t:select(dim, i)
---@param maxnorm? any the largest norm
---@return torch.Tensor
function torch.renorm(res, t, p, dim, maxnorm) end

---Copies side by side: sizes say how many along each dimension; more than dim() add leading ones.
---@overload fun(res: torch.Tensor, t: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(t: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.repeatTensor(...) end

---A row-major copy with other sizes: t:reshape(sizes), res:reshape(t, sizes).
---@overload fun(res: torch.Tensor, t: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(t: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.reshape(...) end

---nearest integer, halves away from 0
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.round(...) end

---x / 2^value
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.rshift(...) end

---1 / sqrt(x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.rsqrt(...) end

---Save an object to a file.
---A file that was there before stays as it was unless everything could be written.
---@param filename string string
---@param object any nil, number, string, boolean, table, function or torch object, nested at will
---@param mode? string string: 'binary' or 'ascii' (default 'binary')
---@param referenced? boolean boolean: write an object that occurs twice only once (default true)
function torch.save(filename, object, mode, referenced) end

---Save an object to a file.
---A file that was there before stays as it was unless everything could be written.
---@param filename string string
---@param object any nil, number, string, boolean, table, function or torch object, nested at will
---@param mode? string string: 'binary' or 'ascii' (default 'binary')
---@param referenced? boolean boolean: write an object that occurs twice only once (default true)
function torch.saveobj(filename, object, mode, referenced) end

---t[positions[i][j]][j] = source[i][j] (or the number) for dim 1, and so on.
---@overload fun(res: torch.Tensor, dim: integer, idx: torch.LongTensor, t: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, dim: integer, idx: torch.LongTensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.scatter(...) end

---Seed from the operating system.
---@overload fun(gen?: torch.Generator): number
---@param ... any
---@return any
function torch.seed(...) end

---1.0507 * (x > 0 ? x : 1.67326 * (e^x - 1))
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.selu(...) end

---An object as a string: the bytes that `save` would write.
---@param object any as for `save`
---@param mode? string string: 'binary' or 'ascii' (default 'binary')
function torch.serialize(object, mode) end

---As `serialize`, into a torch.CharStorage.
---@overload fun(obj: any, mode?: any): any
---@param ... any
---@return any
function torch.serializeToStorage(...) end

---Switch recording on or off.
---@overload fun(on: any): boolean
---@param ... any
---@return any
function torch.setGradEnabled(...) end

---Set the state: torch.setRNGState([gen,] state).
---@overload fun(gen: torch.Generator, ByteTensor: any)
---@overload fun(ByteTensor: any)
---@param ... any
---@return any
function torch.setRNGState(...) end

---Type of torch.Tensor and of what constructors such as torch.zeros make.
---@overload fun(typename: any)
---@param ... any
---@return any
function torch.setdefaulttensortype(...) end

---Set the environment table of a function, thread, userdata or FFI object.
---@overload fun(obj: any, table: any)
---@param ... any
---@return any
function torch.setenv(...) end

---Whether tensor memory makes Lua's collector run; on by default.
---@overload fun(bool: boolean)
---@param ... any
---@return any
function torch.setheaptracking(...) end

---Turn a table (or userdata) into an instance of a class.
---@overload fun(obj: any, name: string): any
---@param ... any
---@return any
function torch.setmetatable(...) end

---Threads that operations may use.
---@overload fun(n: integer)
---@param ... any
---@return any
function torch.setnumthreads(...) end

---Whether convolutions of floats on the CPU may take Winograd's way, which is the case at first:
---3 x 3 kernels of step 1 with many planes take half the time, with errors some five times as large
---(up to 4e-6 of the largest result). Those of bfloat16 go that way where the processor is fast at
---them (AMD's avx512_bf16), some 1% of the results' standard deviation off instead of 0.2%. A NaN
---or an infinity also reaches results up to three places away that do not see it: decline it to
---find where one came from.
---@overload fun(false: any)
---@param ... any
---@return any
function torch.setwinograd(...) end

---1 / (1 + e^-x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.sigmoid(...) end

----1, 0 or 1
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.sign(...) end

---x / (1 + e^-x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.silu(...) end

---sine of radians
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.sin(...) end

---hyperbolic sine
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.sinh(...) end

---log(1 + e^x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.softplus(...) end

---x < a ? x - a : x > b ? x - b : 0
---@overload fun(res: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.softshrink(...) end

---x / (1 + |x|)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.softsign(...) end

---Values in order along dim, and where they were.
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, dim: integer, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(t: torch.Tensor, dim: integer, descending?: any): torch.Tensor, torch.LongTensor
---@overload fun(t: torch.Tensor, descending?: any): torch.Tensor, torch.LongTensor
---@param ... any
---@return any
function torch.sort(...) end

---Views of `size` along dim (default 1), the last one possibly smaller.
---@overload fun(restable: any, t: torch.Tensor, size: any, dim?: integer): table
---@overload fun(t: torch.Tensor, size: any, dim?: integer): table
---@param ... any
---@return any
function torch.split(...) end

---square root
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.sqrt(...) end

---x * x
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.square(...) end

---Without dimensions of size 1. A result of one element is a plain number.
---@overload fun(res: torch.Tensor, t: torch.Tensor): torch.Tensor
---@overload fun(t: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer): torch.Tensor
---@param ... any
---@return any
function torch.squeeze(...) end

---Tensors of equal sizes joined along a new dimension: r:select(dim, i) equals list[i].
---@param res? any result; also r:stack(list, dim) (optional)
---@param list? table table of tensors
---@param dim? any number: place of the new dimension, 1 (default) to dim() + 1; -1 is the last (optional)
---@return torch.Tensor
function torch.stack(res, list, dim) end

---Standard deviation: square root of the variance, over n - 1, or over n when biased.
---@overload fun(t: torch.Tensor, biased?: boolean): number
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer, biased?: boolean): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer, biased?: boolean): torch.Tensor
---@param ... any
---@return any
function torch.std(...) end

---Sum of all elements as a number, or along dim, which keeps size 1.
---@overload fun(t: torch.Tensor): number
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer): torch.Tensor
---@param ... any
---@return any
function torch.sum(...) end

---Singular values: A = U diag(s) V'.
---@param U? any result: m x k for k = min(m, n), or m x m (optional)
---@param s? any result: k singular values, descending (optional)
---@param V? any result: n x k, or n x n (optional)
---@param A? any m x n matrix
---@param size? any 'S' (default): k columns; 'A': all (optional)
---@return torch.Tensor
function torch.svd(U, s, V, A, size) end

---Eigenvalues and eigenvectors of a symmetric A = V diag(e) V'.
---@param e? any result: n eigenvalues, ascending (optional)
---@param V? any result: eigenvectors in its columns; left as it was without 'V' (optional)
---@param A? any n x n matrix of which one triangle is read
---@param vectors? any 'N' (default): eigenvalues only; 'V': vectors too (optional)
---@param uplo? any 'U' (default) or 'L': which triangle (optional)
---@return torch.Tensor
function torch.symeig(e, V, A, vectors, uplo) end

---tangent of radians
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.tan(...) end

---hyperbolic tangent
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.tanh(...) end

---x - tanh(x)
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.tanhshrink(...) end

---A tensor of the default type with the numbers of nested tables, or a number: torch.Tensor(table)
---@overload fun(table: any): torch.Tensor
---@param ... any
---@return any
function torch.tensor(...) end

---x > a ? x : b
---@overload fun(res: torch.Tensor, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor, a: torch.Tensor, b: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.threshold(...) end

---Seconds since the epoch; seconds since such a time.
---@overload fun(): any
---@param ... any
---@return any
function torch.tic(...) end

---Seconds since a time that torch.tic gave.
---@overload fun(t0: any): any
---@param ... any
---@return any
function torch.toc(...) end

---The elements as nested tables: totable.
---@param ... any
function torch.tolist(...) end

---The k smallest (or largest) along dim, and where they are.
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, dim: integer, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, k: integer, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, dim: integer, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, idx: torch.LongTensor, t: torch.Tensor, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, k: integer, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, k: integer, dim: integer, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, k: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, k: integer, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, largest: any, sorted?: any): torch.Tensor
---@overload fun(res: torch.Tensor, t: torch.Tensor, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, k: integer, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, k: integer, dim: integer, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, k: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, k: integer, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, dim: integer, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, largest: any, sorted?: any): torch.Tensor
---@overload fun(idx: torch.LongTensor, t: torch.Tensor, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, k: integer, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, k: integer, dim: integer, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, k: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, k: integer, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer, largest: any, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, largest: any, sorted?: any): torch.Tensor
---@overload fun(t: torch.Tensor, sorted?: any): torch.Tensor
---@param ... any
---@return any
function torch.topk(...) end

---The elements as nested tables.
---@overload fun(tensor: any): table
---@param ... any
---@return any
function torch.totable(...) end

---value^x
---@overload fun(res: torch.Tensor, x: torch.Tensor, value: number): torch.Tensor
---@overload fun(x: torch.Tensor, value: number): torch.Tensor
---@param ... any
---@return any
function torch.tpow(...) end

---Sum of the diagonal of a matrix.
---@overload fun(t: torch.Tensor): number
---@param ... any
---@return any
function torch.trace(...) end

---The lower triangle up to the k-th diagonal; zeros above.
---@overload fun(res: torch.Tensor, t: torch.Tensor, k?: integer): torch.Tensor
---@overload fun(t: torch.Tensor, k?: integer): torch.Tensor
---@param ... any
---@return any
function torch.tril(...) end

---The upper triangle from the k-th diagonal on; zeros below.
---@overload fun(res: torch.Tensor, t: torch.Tensor, k?: integer): torch.Tensor
---@overload fun(t: torch.Tensor, k?: integer): torch.Tensor
---@param ... any
---@return any
function torch.triu(...) end

---Solve A x = b for a triangular A. The other triangle is not read.
---@param x? any result: the solution (optional)
---@param copy? any result: a copy of A (optional)
---@param b? any m x k matrix or vector of m elements
---@param A? any m x m matrix
---@param uplo? any 'U' (default) or 'L': which triangle (optional)
---@param trans? any 'N' (default), or 'T' for A' x = b (optional)
---@param diag? any 'N' (default), or 'U': the diagonal counts as 1 (optional)
---@return torch.Tensor
function torch.trtrs(x, copy, b, A, uplo, trans, diag) end

---integer part, towards 0
---@overload fun(res: torch.Tensor, x: torch.Tensor): torch.Tensor
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.trunc(...) end

---Class name of an instance, Lua's type(object) otherwise.
---@overload fun(obj: any): string
---@param ... any
---@return any
function torch.type(...) end

---Class name of an instance; nil for anything else, constructors included.
---@overload fun(obj: any): string
---@param ... any
---@return any
function torch.typename(...) end

---Uniform in [a, b), by default [0, 1): one number, or a tensor filled.
---@overload fun(gen: torch.Generator, a: torch.Tensor, b?: torch.Tensor): number
---@overload fun(gen: torch.Generator, b?: torch.Tensor): number
---@overload fun(a: torch.Tensor, b?: torch.Tensor): number
---@overload fun(b?: torch.Tensor): number
---@overload fun(res: torch.Tensor, gen: torch.Generator, a: torch.Tensor, b?: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, gen: torch.Generator, b?: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, a: torch.Tensor, b?: torch.Tensor): torch.Tensor
---@overload fun(res: torch.Tensor, b?: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.uniform(...) end

---With a dimension of size 1 inserted before `dim` (1 to dim() + 1).
---@param ... any
function torch.unsqueeze(...) end

---Nothing: Torch7 needed it after a script had changed error handlers.
---@overload fun()
---@param ... any
---@return any
function torch.updateerrorhandlers(...) end

---Nothing: Torch7 needed it after a script had changed threads.
---@overload fun()
---@param ... any
---@return any
function torch.updatethreadlocals(...) end

---Variance of all elements, or along dim: sum of (x - mean)^2 over n - 1, or over n when biased.
---@overload fun(t: torch.Tensor, biased?: boolean): number
---@overload fun(res: torch.Tensor, t: torch.Tensor, dim: integer, biased?: boolean): torch.Tensor
---@overload fun(t: torch.Tensor, dim: integer, biased?: boolean): torch.Tensor
---@param ... any
---@return any
function torch.var(...) end

---The class's `__version`, which the .t7 format stores; nil for what is no instance.
---@overload fun(obj: any): number
---@param ... any
---@return any
function torch.version(...) end

---The same elements with other sizes, without a copy; one size may be -1: what is left.
---The tensor must be contiguous.
---@overload fun(res: torch.Tensor, t: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(t: torch.Tensor, sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.view(...) end

---view with the sizes of another tensor.
---@overload fun(res: torch.Tensor, t: torch.Tensor, template: any): torch.Tensor
---@overload fun(t: torch.Tensor, template: any): torch.Tensor
---@param ... any
---@return any
function torch.viewAs(...) end

---r[i] = mask[i] is 1 ? a[i] : b[i].
---Sizes that differ are broadcast (see torch.broadcast), for this function always.
---@param mask any ByteTensor of 0 and 1, as comparisons give it
---@param a torch.Tensor tensor or number
---@param b torch.Tensor tensor of a's type, or number
---@return torch.Tensor
function torch.where(mask, a, b) end

---Correlation of images: as conv2 with the kernel as it is.
---see conv2
---@param ... any
function torch.xcorr2(...) end

---Correlation of volumes: as conv3 with the kernel as it is.
---see conv2
---@param ... any
function torch.xcorr3(...) end

---Set every element to 0.
---@overload fun(res: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.zero(...) end

---A tensor of these sizes, all elements 0. As a method it resizes the tensor itself.
---@overload fun(res: torch.Tensor, sizes: any): torch.Tensor
---@overload fun(sizes: any): torch.Tensor
---@param ... any
---@return any
function torch.zeros(...) end

---A tensor of zeros with x's type and sizes.
---@overload fun(x: torch.Tensor): torch.Tensor
---@param ... any
---@return any
function torch.zeros_like(...) end

return torch
