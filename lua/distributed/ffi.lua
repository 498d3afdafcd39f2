--- libdistributed by FFI, which is loaded when there are other processes to talk to.
-- @module distributed.ffi
local ffi = require 'ffi'
local th = require 'torch.ffi'
local errors = require 'torch.errors'

local M = {}

local MISSING = {
   build = 'distributed: this build of LuaTorch has no MPI. On Debian: apt-get install '
      .. 'libopenmpi-dev openmpi-bin, then build again',
   run = "distributed: MPI's library cannot be loaded. On Debian: apt-get install openmpi-bin (%s)",
}

-- Between two looks at whether somebody has pressed Ctrl-C.
local SLICE = 20 -- milliseconds

local loaded

--- The library; an error that says what to install where it is not there.
function M.library()
   if loaded then
      return loaded
   end
   local path = package.searchpath('libdistributed', package.cpath)
   local ok, declarations = pcall(require, 'distributed.gen.cdef')
   if not path or not ok then
      errors.raise(MISSING.build)
   end
   if not M.declared then
      ffi.cdef(declarations)
      M.declared = true
   end
   errors.library('@' .. package.searchpath('distributed.gen.cdef', package.path))
   local found, library = pcall(ffi.load, path)
   if not found then
      errors.raise(MISSING.run:format((tostring(library):gsub('\n.*', ''))))
   end
   loaded = library
   return loaded
end

--- Wait for a piece of work. Ctrl-C ends that as it ends any Lua code: LuaJIT looks for it in
-- interpreted code only, and so this is never compiled.
function M.wait(work)
   while not loaded.distributed_wait(work, SLICE) do
   end
end
jit.off(M.wait)

--- Raise the library's message at the user's line when a call failed.
function M.check(status)
   th.check(status)
end

return M
