--- What an operation with `async = true` gives: it goes on by itself while the script computes.
--
--     local work = distributed.allReduce(x, { async = true })
--     ...                       -- x is left alone meanwhile
--     work:wait()
-- @classmod distributed.Work
local ffi = require 'ffi'
local torch = require 'torch'
local th = require 'torch.ffi'
local errors = require 'torch.errors'
local library = require 'distributed.ffi'
local world = require 'distributed.world'

local Work = torch.class('distributed.Work', require 'distributed.module')

local MOST_TENSORS = 3 -- of one operation

-- What the library keeps until it is done with it, whatever becomes of the tensors here: memory of
-- the host, which is all that it works on.
local function memory_of(tensors)
   local stores = ffi.new('TH_Storage *[?]', MOST_TENSORS)
   local count = 0
   for i = 1, MOST_TENSORS do
      local t = tensors[i]
      if t and t.device_type == th.C.TH_CPU and t.store ~= nil then
         stores[count], count = t.store, count + 1
      end
   end
   return stores, count
end

--- Begin what a request says; for this package's own files.
-- @param request cdata
-- @param tensors what the request points into, and `finish` needs; three at most
-- @param[opt] finish function: called once, when it is done; gives the result
-- @param[opt] mark what a device's current stream has to wait for: { event = a cutorch.Event,
-- device = a number }
function Work:__init(request, tensors, finish, mark)
   self.tensors, self.__finish, self.__mark = tensors, finish, mark
   if request then
      if world.state().check then
         local line = errors.where():gsub(': $', '')
         ffi.copy(request.line, line:sub(-ffi.sizeof(request.line) + 1))
      end
      local made = ffi.new 'distributed_Work *[1]'
      local C = library.library()
      library.check(C.distributed_begin(made, request, memory_of(tensors)))
      self.handle = ffi.gc(made[0], C.distributed_free)
   end
end

--- Whether it has come to its end.
function Work:done()
   if self.__mark then
      return self.__mark.event:query()
   end
   return self.ended or not self.handle or library.library().distributed_wait(self.handle, 0)
end

--- Wait for the end.
-- @return what the operation gives
-- @raise where an operation raises: when ranks disagree, or one does not come
function Work:wait()
   if not self.ended then
      local handle = self.handle
      if handle then
         library.wait(handle)
         local C = library.library()
         self.failed = C.distributed_result(handle) ~= 0 and ffi.string(th.C.TH_lastError()) or nil
      end
      if self.__mark then
         self.__mark.event:waitOn(self.__mark.device)
      end
      self.handle, self.ended, self.__mark = nil, true, nil
      if not self.failed and self.__finish then
         self.result = self.__finish()
      end
      self.tensors, self.__finish = nil, nil
   end
   if self.failed then
      errors.raise(self.failed)
   end
   return self.result
end

return Work
