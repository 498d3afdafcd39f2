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
-- there is no code.
function M.way(program, isNumber, _, float)
   local isDouble = float.dtype == C.TH_DOUBLE
   local f, cost, library = loop.make(program, isNumber, isDouble)
   if not f then
      return nil, cost
   end
   local results, count = #program.outputs, #program.arguments
   local r, x, s = tensors(results), operands(count), numbers(count)
   local call = Call {
      loop = f, dtype = isDouble and C.TH_DOUBLE or C.TH_FLOAT, cost = cost,
      result_count = results, results = r, operands = x, numbers = s,
   }
   return function(given, arguments)
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
      call.operand_count = tensor
      th.relieve()
      return C.TH_runLoop(call) == C.TH_OK, library -- which lives as long as this function
   end
end

return M
