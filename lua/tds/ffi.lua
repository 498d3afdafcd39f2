--- The library of containers: declarations and loading.
-- @module tds.ffi
local ffi = require 'ffi'
require 'torch.ffi' -- declares what the containers hold
local errors = require 'torch.errors'

local path, tried = package.searchpath('libtds', package.cpath)
if not path then
   errors.raise('tds: libtds.so is not on package.cpath; start scripts with `th`, or run '
      .. '`eval "$(th --env)"` first.' .. tried)
end
ffi.cdef(require 'tds.gen.cdef')
errors.library('@' .. package.searchpath('tds.gen.cdef', package.path))

ffi.cdef [[
typedef struct { tds_hash *__tds_handle; } tds_HashRef;
typedef struct { tds_vec *__tds_handle; } tds_VecRef;
typedef struct { tds_atomic_counter *__tds_handle; } tds_AtomicCounterRef;
]]

return ffi.load(path)
