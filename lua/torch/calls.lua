--- What a piece of code asks of the core: every operation and view, in order, with its tensors.
-- @module torch.calls
local ffi = require 'ffi'
local th = require 'torch.ffi'
local signatures = require 'torch.signatures'
local types = require 'torch.types'
local class = require 'torch.class'

local C, raise = th.C, th.raise

local function argument(a, value)
   local role = a.role
   if role == 'in' or role == 'out' or role == 'inout' then
      if value.ndim >= 0 then
         a.type = types.tensors[value.device_type * 16 + value.dtype].__typename
         a.version = value.version
         a.storage = tonumber(ffi.cast('intptr_t', value.storage))
         a.size = {}
         for d = 1, value.ndim do
            a.size[d] = tonumber(value.sizes[d - 1])
         end
      end
   elseif role == 'number' or role == 'integer' then
      a.value = value.number
   elseif role == 'flag' then
      a.value = value.number ~= 0
   end
   return a
end

local function entries(log)
   local list = {}
   for i = 0, tonumber(C.TH_CallLog_size(log)) - 1 do
      local call, values = C.TH_CallLog_call(log, i), C.TH_CallLog_values(log, i)
      local signature = C.TH_signature(call.operation)
      local entry = {
         name = ffi.string(signature.name), depth = call.depth, seconds = call.seconds,
         failed = call.status ~= 0, arguments = signatures.parameters(signature),
      }
      for p, parameter in ipairs(entry.arguments) do
         argument(parameter, values[p - 1])
      end
      list[#list + 1] = entry
   end
   return list
end

local function finish(log, ok, ...)
   C.TH_CallLog_stop(log)
   if not ok then
      C.TH_CallLog_free(ffi.gc(log, nil))
      error((...), 0)
   end
   local list = entries(log)
   C.TH_CallLog_free(ffi.gc(log, nil))
   return list, ...
end

local F = {}

--- Run f(...) and list the calls that this thread makes of the core meanwhile: operations, copies
-- and views, each `{ name, seconds, depth, failed, arguments }`. depth is 1 for what an operation
-- calls itself. An argument is `{ name, role }`, with role 'in', 'out', 'inout' or 'ins' (several)
-- for tensors, 'number', 'integer', 'integers', 'flag', 'generator' or 'result'; a tensor has also
-- type, size (a table), storage (an address) and version, which moves with every write to its
-- memory; numbers and flags have value. An error of f passes through.
-- @usage torch.calls(f, ...) -> list, results of f
-- for _, call in ipairs(torch.calls(function() x:add(1) end)) do print(call.name) end --> add_value
function F.calls(f, ...)
   if type(f) ~= 'function' then
      raise(('calls: expected a function, got %s'):format(class.type(f)))
   end
   local log = C.TH_CallLog_start()
   if log == nil then
      raise(ffi.string(C.TH_lastError()))
   end
   ffi.gc(log, C.TH_CallLog_free)
   return finish(log, pcall(f, ...))
end

return { methods = {}, functions = F }
