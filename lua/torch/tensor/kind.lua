--- The global `type`, for which tensors, storages and generators are userdata.
--
-- They are FFI objects here, `'cdata'` for Lua; in Torch7 they are userdata, and scripts tell them
-- from tables and numbers so: `if type(x) == 'userdata' then x = x:cuda() end`. Code that was
-- loaded before torch and kept Lua's function in a local hears `'cdata'`. Compiled code loses
-- nothing by it.
-- @module torch.tensor.kind
local ffi = require 'ffi'
local th = require 'torch.ffi'
local random = require 'torch.functions.random'

local type = type -- Lua's own
local istype = ffi.istype
local Tensor, Storage, Generator = th.Tensor, th.Storage, ffi.typeof(random.functions._gen)

return function(...)
   local kind = type(...)
   if kind == 'cdata' then
      local object = ...
      if istype(Tensor, object) or istype(Storage, object) or istype(Generator, object) then
         return 'userdata'
      end
   end
   return kind
end
