--- Streams and events: the order of work on devices.
--
-- Every device has the default stream 0, and streams 1 to n after reserveStreams(n). Operations go
-- to the current stream of their tensors' device, which each device has its own of.
-- @module cutorch.stream
local ffi = require 'ffi'
local th = require 'torch.ffi'
local class = require 'torch.class'
local cuda = require 'cutorch.ffi'
local device = require 'cutorch.device'

local C, check, checkNumber, checkTable = cuda.C, th.check, cuda.checkNumber, cuda.checkTable

local M = {}

local int = ffi.new 'int[1]'

--- Have streams 1 to n on every device.
-- @param n number
-- @param[opt=false] nonBlocking boolean: they do not wait for the default stream, nor it for them
function M.reserveStreams(n, nonBlocking)
   check(C.THC_reserveStreams(checkNumber('reserveStreams', 'the count', n), nonBlocking or false))
end

--- How many there are besides the default stream.
function M.getNumStreams()
   check(C.THC_streamCount(int))
   return int[0]
end

--- Make a stream the current one of the current device.
function M.setStream(stream)
   check(C.THC_setStream(device.index(), checkNumber('setStream', 'the stream', stream)))
end

--- The current stream of the current device; 0 is the default stream.
function M.getStream()
   check(C.THC_currentStream(device.index(), int))
   return int[0]
end

--- Make the default stream the current one of the current device: setStream(0).
function M.setDefaultStream()
   M.setStream(0)
end

--- Wait until the work of a stream of the current device is done.
function M.streamSynchronize(stream)
   check(C.THC_synchronizeStream(
      device.index(), checkNumber('streamSynchronize', 'the stream', stream)))
end

local function waitFor(operation, id, stream, lists)
   stream = checkNumber(operation, 'the stream', stream)
   for otherId, streams in pairs(checkTable(operation, 'the streams by device', lists)) do
      for _, other in ipairs(checkTable(operation, 'the list of streams', streams)) do
         other = checkNumber(operation, 'a stream', other)
         if otherId ~= id or other ~= stream then
            check(C.THC_streamWaitFor(id - 1, stream, otherId - 1, other))
         end
      end
   end
end

--- What comes next on a stream of the current device waits for what is on the others now.
-- @param stream number
-- @param others table of numbers, streams of the current device
function M.streamWaitFor(stream, others)
   local id = device.getDevice()
   waitFor('streamWaitFor', id, stream, { [id] = others })
end

--- As streamWaitFor, between devices.
-- @param id device of the stream that waits
-- @param stream number
-- @param others table: device -> list of streams
function M.streamWaitForMultiDevice(id, stream, others)
   waitFor('streamWaitForMultiDevice', checkNumber('streamWaitForMultiDevice', 'the device', id),
      stream, others)
end

-- One stream waits for all, then all for that one.
local function barrier(operation, lists)
   local firstId, first
   local members = {}
   for id, streams in pairs(checkTable(operation, 'the streams by device', lists)) do
      for _, stream in ipairs(checkTable(operation, 'the list of streams', streams)) do
         firstId, first = firstId or id, first or stream
         members[#members + 1] = { id, stream }
      end
   end
   if not first then
      return
   end
   waitFor(operation, firstId, first, lists)
   for _, member in ipairs(members) do
      waitFor(operation, member[1], member[2], { [firstId] = { first } })
   end
end

--- None of these streams of the current device goes on before all of them have come here.
function M.streamBarrier(streams)
   barrier('streamBarrier', { [device.getDevice()] = streams })
end

--- As streamBarrier, for device -> list of streams.
function M.streamBarrierMultiDevice(lists)
   barrier('streamBarrierMultiDevice', lists)
end

-- --- handles ------------------------------------------------------------------------------------
-- Torch7 had scripts give each stream a cuBLAS handle. Here each device and stream has its own
-- without being asked; the numbers are kept for scripts that set and read them.

local handles, handle = 1, 1

--- Have at least n numbers of cuBLAS handles. Each device and stream has a handle of its own
-- without being asked; this and the next three are for scripts written for Torch7.
function M.reserveBlasHandles(n)
   handles = math.max(handles, checkNumber('reserveBlasHandles', 'the count', n))
end

--- How many numbers of handles there are: 1 at first.
function M.getNumBlasHandles()
   return handles
end

--- Remember a handle's number.
-- @raise "setBlasHandle: handle 3 does not exist: there are 1 to 1; ..."
function M.setBlasHandle(i)
   i = checkNumber('setBlasHandle', 'the handle', i)
   if not (i >= 1 and i <= handles) then
      th.raise(('setBlasHandle: handle %s does not exist: there are 1 to %d; reserve more with '
         .. 'cutorch.reserveBlasHandles'):format(tostring(i), handles))
   end
   handle = i
end

--- The number given to setBlasHandle last, 1 at first.
function M.getBlasHandle()
   return handle
end

-- --- events -------------------------------------------------------------------------------------

local Event = ffi.typeof 'struct { THC_Event *event; }'

--- A mark in the work of a stream: other streams, and the host, can wait for what came before it.
-- It is recorded when it is made, on the current stream of the current device.
-- @type cutorch.Event
-- @usage cutorch.Event([timed = false])   -- elapsed() needs timed ones: cutorch.Event(true)
local function newEvent(timed)
   local e = Event()
   e.event = C.THC_Event_new(device.index(), timed and true or false)
   if e.event == nil then
      th.raise(ffi.string(th.C.TH_lastError()))
   end
   return e
end

-- The cutorch.Event of a mark that the library has made (THC_Event *), and which goes with it; for
-- packages.
function M.eventOf(mark)
   local e = Event()
   e.event = mark
   return e
end

local methods = {}

--- A device's current stream waits for the event; the host does not.
-- @int[opt] which device; default: the current one
function methods.waitOn(self, which)
   check(C.THC_Event_waitOn(self.event, which and which - 1 or device.index()))
end

--- Record the event anew, on the current stream.
function methods.record(self)
   check(C.THC_Event_record(self.event, device.index()))
   return self
end

--- Wait for the event.
function methods.synchronize(self)
   check(C.THC_Event_synchronize(self.event))
end

--- Whether the work before the event is done.
function methods.query(self)
   local passed = ffi.new 'bool[1]'
   check(C.THC_Event_query(self.event, passed))
   return passed[0]
end

--- Milliseconds between two events, both made with cutorch.Event(true).
-- @param later another event; the work before it must be done: later:synchronize() first
-- @raise "... not ready ..." while the work before one of the two goes on; "both events must be
-- timed ones" for events made without `true`
function methods.elapsed(self, later)
   local milliseconds = ffi.new 'double[1]'
   check(C.THC_Event_elapsed(self.event, later.event, milliseconds))
   return milliseconds[0]
end

-- Define the class cutorch.Event in the package's table.
function M.install(cutorch)
   local own = class.newmetatable('cutorch.Event', nil, newEvent, nil, nil, cutorch)
   for name, method in pairs(methods) do
      own[name] = method
   end
   class.metatype('cutorch.Event', Event, function(self)
      C.THC_Event_free(self.event)
   end)
end

return M
