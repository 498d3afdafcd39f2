--- Operations between processes: `distributed.allReduce` and its kin.
--
-- All ranks (of the group) make the same calls in the same order. Tensors are of any type, on the
-- CPU or a device, contiguous or not. With `async = true` a call returns a `distributed.Work` at
-- once, whose `wait` gives what the call would have given; the tensors are left alone until then.
-- @module distributed.operations
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local types = require 'torch.types'
local Tensors = require 'torch.Tensor'
local distributed = require 'distributed.module'
local library = require 'distributed.ffi'
local options = require 'torch.options'
local ring = require 'distributed.ring'
require 'distributed.Work'

local C = th.C
local fail = options.fail

local KINDS = {
   barrier = 0, broadcast = 1, allReduce = 2, reduceScatter = 3, allGather = 4, gather = 5,
   scatter = 6, send = 7, receive = 8,
}
local REDUCTIONS = { sum = 0, mean = 0, product = 1, min = 2, max = 3 }
local OPS = { 'sum', 'mean', 'product', 'min', 'max' }

local BASE = { async = 'boolean', group = 'list' }
local function known(more)
   local all = {}
   for name, kind in pairs(BASE) do
      all[name] = kind
   end
   for name, kind in pairs(more) do
      all[name] = kind
   end
   return all
end
local OF_REDUCTION = known { op = OPS, ordered = 'boolean' }
local OF_ROOT = known { root = 'count' }
local OF_ALL = known {}

-- --- tensors and memory -------------------------------------------------------------------------

local function check_tensor(name, x, what)
   if not torch.isTensor(x) then
      fail('distributed.%s: %s is %s, expected a tensor', name, what or 'x', options.describe(x))
   elseif x:isVariable() and not x:isLeaf() then
      fail('distributed.%s: x was computed from Variables, and there is no way back through other '
         .. 'processes: give x:detach()', name)
   end
   return x:isVariable() and x:detach() or x
end

local function on_host(x)
   return x.device_type == C.TH_CPU
end

-- A compact tensor of the host for the elements of x: x itself where it is one.
local function host_of(x, filled)
   if on_host(x) then
      if x:isContiguous() then
         return x
      end
      return filled and x:contiguous() or x.new():resizeAs(x)
   end
   local host = Tensors.empty(x.dtype)
   if x:nElement() > 0 then -- page-locked
      host = require('cutorch')[('createCudaHost%sTensor'):format(types.names[x.dtype])](x:size())
   end
   return filled and host:copy(x) or host
end

local function pointer(x)
   return x:nElement() > 0 and x:data() or nil
end

local function request_of(name, x, count, settings)
   local request = ffi.new 'distributed_Request'
   request.kind, request.count = KINDS[name], count or 0
   request.group = settings.group and settings.group.number or 0
   if x then
      request.dtype, request.ndim = x.dtype, x:dim()
      for d = 1, math.min(x:dim(), 8) do
         request.sizes[d - 1] = x:size(d)
      end
   end
   return request
end

-- The ranks of an operation, this one's place among them, and the root's rank.
local function place_of(name, settings)
   local group = settings.group
   local size = distributed.size(group)
   local root = settings.root or (group and group.ranks[1]) or 1
   if group and not group.places[root] or root > distributed.size() then
      fail('distributed.%s: root is rank %d of %s', name, root,
         group and ("a group of %s"):format(table.concat(group.ranks, ', '))
            or ('a world of %d'):format(size))
   end
   return size, root
end

local function run(settings, request, tensors, finish, mark)
   local work = distributed.Work(request, tensors or {}, finish, mark)
   if settings.async then
      return work
   end
   return work:wait()
end

-- In place on a device: the call is on the ring's stream, whatever becomes of it here.
local function on_ring(name, settings, request, x, finish)
   local compact = x:contiguous()
   local mark = ring.run(name, settings, request, compact, compact)
   return run(settings, nil, nil, function()
      if compact ~= x and not x:isContiguous() then
         x:copy(compact)
      end
      return finish()
   end, mark)
end

-- --- in place -----------------------------------------------------------------------------------

-- What a rank alone, or MPI, leaves in `host` goes to x.
local function written(x, host)
   if host ~= x then
      x:copy(host)
   elseif x:nElement() > 0 then
      th.written(x:storage())
   end
   return x
end

--- Give all ranks the elements that one has.
-- @tparam Tensor x of the same sizes and type on all ranks; overwritten on all but the root
-- @tab[opt] settings root (1; a group's first), async, group
-- @return x
-- @usage distributed.broadcast(x [, {root = 1, async = false, group = g}])
-- @example
-- local distributed = require 'distributed'
-- distributed.broadcast(torch.ones(2)) --> { 1, 1 }
function distributed.broadcast(x, settings)
   settings = options.check('distributed.broadcast', settings, OF_ROOT)
   local plain = check_tensor('broadcast', x)
   local size, root = place_of('broadcast', settings)
   if size == 1 then
      return run(settings, nil, nil, function() return x end)
   end
   local request = request_of('broadcast', plain, plain:nElement(), settings)
   request.root = root - 1
   if ring.carries('broadcast', plain, settings) then
      return on_ring('broadcast', settings, request, plain, function() return x end)
   end
   local host = host_of(plain, distributed.rank() == root)
   request.out = pointer(host)
   return run(settings, request, { host, plain }, function()
      if distributed.rank() ~= root then
         written(plain, host)
      end
      return x
   end)
end

local function read_reduction(name, x, settings)
   if type(settings) == 'string' then
      settings = { op = settings }
   end
   settings = options.check('distributed.' .. name, settings, OF_REDUCTION)
   local op = settings.op or 'sum'
   if op == 'mean' and x.dtype < C.TH_HALF then
      fail("distributed.%s: x is a %s, and a mean of whole numbers is none: op = 'sum'", name,
         torch.typename(x))
   end
   return settings, op
end

--- Combine the tensors of all ranks, element by element; all get the result, the same bits.
-- @tparam Tensor x of the same sizes and type on all ranks; becomes the result. 16-bit numbers are
-- rounded after each step, sums of integers come round.
-- @tab[opt] settings op ('sum', 'mean', 'product', 'min', 'max'; also in place of the table);
-- ordered (false): in the order of ranks, ((x1 + x2) + x3) + x4, so that the bits are those of one
-- process that adds the parts up; async, group
-- @return x
-- @raise "distributed.allReduce: the ranks disagree: rank 1 is at allReduce (sum) of a 3
-- FloatTensor at train.lua:7, rank 2 at allReduce (sum) of a 4 FloatTensor at train.lua:7, in
-- operation 12; ..."
-- @raise "distributed.allReduce: rank 2 has not come within 30 s: dead, hanging, or slower than
-- that (the option timeout); ..."
-- @usage distributed.allReduce(x [, 'mean'])
-- distributed.allReduce(x, {op = 'mean', async = true}) -> distributed.Work
-- @example
-- local distributed = require 'distributed'
-- distributed.allReduce(torch.ones(2), 'mean') --> { 1, 1 }
function distributed.allReduce(x, settings)
   local plain = check_tensor('allReduce', x)
   local op
   settings, op = read_reduction('allReduce', plain, settings)
   local size = place_of('allReduce', settings)
   if size == 1 then
      return run(settings, nil, nil, function() return x end)
   end
   local request = request_of('allReduce', plain, plain:nElement(), settings)
   request.reduction, request.ordered = REDUCTIONS[op], settings.ordered or false
   if ring.carries('allReduce', plain, settings) then
      return on_ring('allReduce', settings, request, plain, function()
         if op == 'mean' then
            plain:div(size)
         end
         return x
      end)
   end
   local host = host_of(plain, true)
   request['in'], request.out = pointer(host), pointer(host)
   return run(settings, request, { host, plain }, function()
      written(plain, host)
      if op == 'mean' then
         plain:div(size)
      end
      return x
   end)
end

-- --- parts --------------------------------------------------------------------------------------

local function sizes_of(x, first)
   local sizes = x:size():totable()
   if first then
      table.insert(sizes, 1, first)
   end
   return torch.LongStorage(sizes)
end

-- A tensor for a result, and one of the host that becomes it.
local function result_of(x, sizes, size)
   local result = x.new():resize(sizes)
   return result, size > 1 and host_of(result, false) or nil
end

local function on_device(result, host)
   return host == result and result or result:copy(host)
end

--- The tensors of all ranks, one after the other, on all ranks.
-- @tparam Tensor x of the same sizes and type on all ranks
-- @tab[opt] settings async, group
-- @return new Tensor: size x the sizes of x
-- @usage distributed.allGather(x) -> tensor
-- @example
-- local distributed = require 'distributed'
-- distributed.allGather(torch.ones(3)):size() --> { 1, 3 }
function distributed.allGather(x, settings)
   settings = options.check('distributed.allGather', settings, OF_ALL)
   x = check_tensor('allGather', x)
   local size = place_of('allGather', settings)
   local by_ring = size > 1 and ring.carries('allGather', x, settings)
   local result, host = result_of(x, sizes_of(x, size), by_ring and 1 or size)
   if size == 1 then
      return run(settings, nil, nil, function() return result:copy(x) end)
   end
   local request = request_of('allGather', x, x:nElement(), settings)
   if by_ring then
      local mark = ring.run('allGather', settings, request, result, x:contiguous())
      return run(settings, nil, nil, function() return result end, mark)
   end
   local own = host_of(x, true)
   request['in'], request.out = pointer(own), pointer(host)
   return run(settings, request, { own, host, result }, function()
      return on_device(result, host)
   end)
end

--- The tensors of all ranks, one after the other, on one of them.
-- @tparam Tensor x of the same sizes and type on all ranks
-- @tab[opt] settings root (1; a group's first), async, group
-- @return new Tensor, size x the sizes of x, on the root; nil on the others
-- @usage distributed.gather(x [, {root = 1}]) -> tensor|nil
-- @example
-- local distributed = require 'distributed'
-- distributed.gather(torch.ones(3)):size() --> { 1, 3 }
function distributed.gather(x, settings)
   settings = options.check('distributed.gather', settings, OF_ROOT)
   x = check_tensor('gather', x)
   local size, root = place_of('gather', settings)
   local is_root, result, host = distributed.rank() == root, nil, nil
   if is_root then
      result, host = result_of(x, sizes_of(x, size), size)
   end
   if size == 1 then
      return run(settings, nil, nil, function() return result:copy(x) end)
   end
   local own = host_of(x, true)
   local request = request_of('gather', x, x:nElement(), settings)
   request.root, request['in'], request.out = root - 1, pointer(own), host and pointer(host)
   return run(settings, request, { own, host, result }, function()
      return is_root and on_device(result, host) or nil
   end)
end

--- Share one rank's tensor out: rank r gets x[r].
-- @tparam Tensor y what a rank gets is written here; of the same sizes and type on all ranks
-- @tparam Tensor x on the root: size x the sizes of y; ignored on the others
-- @tab[opt] settings root (1; a group's first), async, group
-- @return y
-- @raise "distributed.scatter: x is 3x2, expected 4x2: a part like y for each rank"
-- @usage distributed.scatter(y, x [, {root = 1}])
-- @example
-- local distributed = require 'distributed'
-- distributed.scatter(torch.Tensor(2), torch.ones(1, 2)) --> { 1, 1 }
function distributed.scatter(y, x, settings)
   settings = options.check('distributed.scatter', settings, OF_ROOT)
   local plain = check_tensor('scatter', y, 'y')
   local size, root = place_of('scatter', settings)
   local whole
   if distributed.rank() == root then
      x = check_tensor('scatter', x)
      local wanted = sizes_of(plain, size):totable()
      local came = x:size():totable()
      if table.concat(came, 'x') ~= table.concat(wanted, 'x') or x.dtype ~= plain.dtype then
         fail('distributed.scatter: x is a %s of %s, expected a %s of %s: a part like y for each '
            .. 'rank', torch.typename(x), table.concat(came, 'x'), torch.typename(plain),
            table.concat(wanted, 'x'))
      end
      whole = x
   end
   if size == 1 then
      return run(settings, nil, nil, function()
         plain:copy(whole:select(1, 1))
         return y
      end)
   end
   whole = whole and host_of(whole, true)
   local host = host_of(plain, false)
   local request = request_of('scatter', plain, plain:nElement(), settings)
   request.root, request['in'], request.out = root - 1, whole and pointer(whole), pointer(host)
   return run(settings, request, { whole, host, plain }, function()
      written(plain, host)
      return y
   end)
end

--- Combine the tensors of all ranks, and give each one its part of the result: rank r the r-th.
-- @tparam Tensor x of the same sizes and type on all ranks; its first dimension divides by their
-- number
-- @tab[opt] settings op, ordered: as of `distributed.allReduce`; async, group
-- @return new Tensor: (size(x, 1) / size) x ...
-- @raise "distributed.reduceScatter: x is 5x2, and 5 rows are no equal parts for 4 ranks"
-- @usage distributed.reduceScatter(x [, 'mean']) -> tensor
-- @example
-- local distributed = require 'distributed'
-- distributed.reduceScatter(torch.ones(4)) --> { 1, 1, 1, 1 }
function distributed.reduceScatter(x, settings)
   local plain = check_tensor('reduceScatter', x)
   local op
   settings, op = read_reduction('reduceScatter', plain, settings)
   local size = place_of('reduceScatter', settings)
   if plain:dim() == 0 or plain:size(1) % size ~= 0 then
      fail('distributed.reduceScatter: x is %s, and %d rows are no equal parts for %d ranks',
         table.concat(plain:size():totable(), 'x'), plain:dim() > 0 and plain:size(1) or 0, size)
   end
   local sizes = sizes_of(plain)
   sizes[1] = sizes[1] / size
   local by_ring = size > 1 and ring.carries('reduceScatter', plain, settings)
   local result, host = result_of(plain, sizes, by_ring and 1 or size)
   if size == 1 then
      return run(settings, nil, nil, function() return result:copy(plain) end)
   end
   local request = request_of('reduceScatter', plain, result:nElement(), settings)
   request.reduction, request.ordered = REDUCTIONS[op], settings.ordered or false
   if by_ring then
      local mark = ring.run('reduceScatter', settings, request, result, plain:contiguous())
      return run(settings, nil, nil, function()
         return op == 'mean' and result:div(size) or result
      end, mark)
   end
   local own = host_of(plain, true)
   request['in'], request.out = pointer(own), pointer(host)
   return run(settings, request, { own, host, result }, function()
      on_device(result, host)
      return op == 'mean' and result:div(size) or result
   end)
end

-- --- between two, and without tensors -----------------------------------------------------------

local function check_other(name, other, size)
   if type(other) ~= 'number' or other < 1 or other > size or other % 1 ~= 0 then
      fail('distributed.%s: rank %s of a world of %d', name, tostring(other), size)
   elseif other == distributed.rank() then
      fail('distributed.%s: rank %d is this one', name, other)
   end
end

--- Send a tensor to another rank, which calls `distributed.receive`.
-- @tparam Tensor x
-- @int to rank
-- @tab[opt] settings async
-- @raise "distributed.send: rank 3 of a world of 2"
-- @usage distributed.send(x, to)
function distributed.send(x, to, settings)
   settings = options.check('distributed.send', settings, { async = 'boolean' })
   x = check_tensor('send', x)
   check_other('send', to, distributed.size())
   local host = host_of(x, true)
   local request = request_of('send', x, x:nElement(), settings)
   request.root, request['in'] = to - 1, pointer(host)
   return run(settings, request, { host, x })
end

--- Receive a tensor that another rank sends. Tensors of one sender come in the order of its calls.
-- @tparam Tensor x of the sizes and the type that are sent; overwritten
-- @int from rank
-- @tab[opt] settings async
-- @return x
-- @raise "distributed.receive: the ranks disagree: this is rank 2 at receive of a 3 FloatTensor,
-- and rank 1 has sent, by send of a 4 FloatTensor"
-- @usage distributed.receive(x, from) -> x
function distributed.receive(x, from, settings)
   settings = options.check('distributed.receive', settings, { async = 'boolean' })
   local plain = check_tensor('receive', x)
   check_other('receive', from, distributed.size())
   local host = host_of(plain, false)
   local request = request_of('receive', plain, plain:nElement(), settings)
   request.root, request.out = from - 1, pointer(host)
   return run(settings, request, { host, plain }, function()
      written(plain, host)
      return x
   end)
end

--- Wait until all ranks have come here.
-- @tab[opt] settings async, group
-- @usage distributed.barrier()
-- @example require('distributed').barrier()
function distributed.barrier(settings)
   settings = options.check('distributed.barrier', settings, OF_ALL)
   if place_of('barrier', settings) == 1 then
      return run(settings)
   end
   return run(settings, request_of('barrier', nil, 0, settings))
end

--- The MPI library's name and version; nil where there is one process.
function distributed.library()
   return distributed.size() > 1 and ffi.string(library.library().distributed_library()) or nil
end
