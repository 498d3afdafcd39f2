--- Devices of several processes as a ring of NCCL's: `distributed.init { devices = 'nccl' }`.
--
-- A ring is opened when a device's tensor is first combined, and closed with the process. Calls go
-- to a stream that all rings of a device share: Lua does not wait for them. What follows on the
-- device's current stream does, from the call on or, with `async`, from `work:wait()` on.
-- @module distributed.ring
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local distributed = require 'distributed.module'
local world = require 'distributed.world'

local M = {}

local KINDS = { broadcast = 0, allReduce = 1, reduceScatter = 2, allGather = 3 }
local rings = {} -- by group and device

--- Whether an operation on x goes through a ring: whole numbers of 16 bits are none of NCCL's, and
-- it has no order of ranks.
function M.carries(name, x, settings)
   return world.state().devices == 'nccl' and x.device_type ~= th.C.TH_CPU and KINDS[name] ~= nil
      and not settings.ordered and x.dtype ~= th.C.TH_SHORT
end

local function open(device, group)
   local C = require('cutorch.ffi').C
   local rank, size = distributed.rank(group), distributed.size(group)
   local id = torch.ByteTensor(C.THC_RING_ID_BYTES):zero()
   local bytes = ffi.new('char[?]', C.THC_RING_ID_BYTES)
   if rank == 1 then
      th.check(C.THC_Ring_id(bytes))
      ffi.copy(id:data(), bytes, C.THC_RING_ID_BYTES)
   end
   distributed.broadcast(id, { group = group }) -- from the first of them
   local ring = ffi.new 'THC_Ring *[1]'
   ffi.copy(bytes, id:data(), C.THC_RING_ID_BYTES)
   th.check(C.THC_Ring_open(ring, bytes, device, rank - 1, size))
   return ffi.gc(ring[0], C.THC_Ring_close)
end

local function ring_of(device, group)
   local key = ('%d %d'):format(group and group.number or 0, device)
   rings[key] = rings[key] or open(device, group)
   return rings[key]
end

--- Enqueue an operation on compact tensors, when all ranks have come to it.
-- @string name allReduce, ...
-- @tab settings group
-- @param request what the ranks tell each other
-- @param r the result
-- @param x this rank's
-- @return with settings.async, what distributed.Work takes for a mark: behind that of the ring's
-- stream the result is there
function M.run(name, settings, request, r, x)
   if world.state().check then -- before a ring is opened, so that a mistake is told of this call
      request.meet = true
      distributed.Work(request, {}):wait()
   end
   local ring = ring_of(x.device, settings.group)
   local group = settings.group
   local root = group and group.places[request.root + 1] - 1 or request.root
   local C = require('cutorch.ffi').C
   local done = settings.async and ffi.new 'THC_Event *[1]' or nil
   th.check(C.THC_Ring_run(ring, KINDS[name], request.reduction, root, r, x, done))
   if r:nElement() > 0 then
      th.written(r:storage())
   end
   return done and { event = require('cutorch.stream').eventOf(done[0]), device = x:getDevice() }
end

return M
