--- What the operations of lib/TH/ops take: the names of their parameters, and what each is to the
-- operation. The core is asked when somebody wants to know: a list of some 300 operations that lay
-- in Lua's heap would be walked by every cycle of its collector (a fifth of a new tensor's time).
-- @module torch.signatures
local ffi = require 'ffi'
local C = require('torch.ffi').C

local M = {}

local ROLES = {
   [C.TH_ROLE_IN] = 'in', [C.TH_ROLE_OUT] = 'out', [C.TH_ROLE_INOUT] = 'inout',
   [C.TH_ROLE_INS] = 'ins', [C.TH_ROLE_NUMBER] = 'number', [C.TH_ROLE_INTEGER] = 'integer',
   [C.TH_ROLE_FLAG] = 'flag', [C.TH_ROLE_INTEGERS] = 'integers',
   [C.TH_ROLE_GENERATOR] = 'generator', [C.TH_ROLE_RESULT] = 'result',
}

--- The names of all operations and views, in the core's order.
function M.names()
   local names = {}
   local signature = C.TH_signature(0)
   while signature ~= nil do
      names[#names + 1] = ffi.string(signature.name)
      signature = C.TH_signature(#names)
   end
   return names
end

--- A signature of the core as a list of `{ name, role }`.
function M.parameters(signature)
   local parameters = {}
   for p = 0, signature.count - 1 do
      local parameter = signature.parameters[p]
      parameters[p + 1] = { name = ffi.string(parameter.name), role = ROLES[parameter.role] }
   end
   return parameters
end

local numbers -- name -> number in the core's order

--- The parameters of an operation by its name, or nil where there is no such operation.
function M.of(name)
   if not numbers then
      numbers = {}
      for i, known in ipairs(M.names()) do
         numbers[known] = i - 1
      end
   end
   return numbers[name] and M.parameters(C.TH_signature(numbers[name]))
end

return M
