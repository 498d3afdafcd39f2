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

-- Memory stays while the library works on it, whether or not somebody still has the object.
local pending = {}

local function sweep()
   for work in pairs(pending) do
      if library.library().distributed_wait(work.handle, 0) then
         pending[work] = nil
      end
   end
end

--- Begin what a request says; for this package's own files.
-- @param request cdata
-- @param tensors what has to stay
-- @param[opt] finish function: called once, when it is done; gives the result
function Work:__init(request, tensors, finish)
   self.tensors, self.__finish = tensors, finish
   if request then
      sweep()
      if world.state().check then
         local line = errors.where():gsub(': $', '')
         ffi.copy(request.line, line:sub(-ffi.sizeof(request.line) + 1))
      end
      local made = ffi.new 'distributed_Work *[1]'
      local C = library.library()
      library.check(C.distributed_begin(made, request))
      self.handle = ffi.gc(made[0], C.distributed_free)
      pending[self] = true
   end
end

--- Whether it has come to its end.
function Work:done()
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
      self.handle, self.ended, pending[self] = nil, true, nil
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
