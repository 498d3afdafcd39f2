--- How the CPU carries out a call of a fused function: a compiled loop, run by the core.
-- @module torch.fuse.cpu
local ffi = require 'ffi'
local loop = require 'torch.fuse.loop'
local th = require 'torch.ffi'

local C = th.C

local M = {}

local Call = ffi.typeof 'TH_LoopCall'
local tensors, operands = ffi.typeof 'TH_Tensor *[?]', ffi.typeof 'const TH_Tensor *[?]'
local numbers = ffi.typeof 'double[?]'

--- A function(results, arguments) that says whether the core has done it; nil and the reason where
-- there is no code. And the plan for quick calls.
function M.way(program, isNumber, _, float)
   local isDouble = float.dtype == C.TH_DOUBLE
   local f, past, cost, library = loop.make(program, isNumber, isDouble)
   if not f then
      return nil, past
   end
   local results, count = #program.outputs, #program.arguments
   local r, x, s = tensors(results), operands(count), numbers(count)
   local operandCount = 0
   for i = 1, count do
      operandCount = operandCount + (isNumber[i] and 0 or 1)
   end
   local call = Call {
      loop = f, past_caches = past, cost = cost, dtype = isDouble and C.TH_DOUBLE or C.TH_FLOAT,
      result_count = results, operand_count = operandCount,
      results = r, operands = x, numbers = s,
   }
   local plan = {
      call = call, results = r, operands = x, numbers = s,
      outputs = ffi.cast('const TH_Tensor *const *', r), library = library, -- lives as long
      busy = false,
   }
   local function run(given, arguments)
      th.relieve() -- finalizers may call the function, too
      plan.busy = true
      local tensor, number = 0, 0
      for i = 1, count do
         if isNumber[i] then
            s[number], number = arguments[i], number + 1
         else
            x[tensor], tensor = arguments[i], tensor + 1
         end
      end
      for i = 1, results do
         r[i - 1] = given[i]
      end
      local status = C.TH_runLoop(call)
      plan.busy = false
      return status == C.TH_OK
   end
   return run, nil, plan
end

return M
