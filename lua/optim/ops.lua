--- The steps of lib/TH/ops/optim.def as optimisers call them:
-- `ops.adam_step('adam', state, x, g, state.m, state.v, ...)`.
--
-- A call that runs out of memory is made once more. Any other failure is raised at the user's line
-- with the optimiser's name, and says what is wrong with the state. Each function is written when
-- it is first asked for, from the operation's row.
-- @module optim.ops

local ffi = require 'ffi'
local code = require 'nn.base.code'
local step = require 'optim.step'
local th = require 'torch.ffi'
local signatures = require 'torch.signatures'
local raise = require('torch.errors').raise

local C = th.C

local TEMPLATE = [[
local C, recover, refuse = ...
return function(name, state, $arguments)
   if C.TH_$operation($arguments) ~= 0 then
      recover(name, state, $tensors)
      if C.TH_$operation($arguments) ~= 0 then
         refuse(name, state, $tensors)
      end
   end
end]]

local CHUNK = code.source()

local function refuse(name, state, x, g, ...)
   local text = ffi.string(C.TH_lastError())
   if C.TH_lastStatus() ~= C.TH_OUT_OF_MEMORY then
      step.explain(name, state, x, g, ...)
   end
   raise(('%s: %s'):format(name, (text:gsub('^[%w_]+: ', ''))))
end

local function recover(name, state, x, g, ...)
   if C.TH_lastStatus() == C.TH_OUT_OF_MEMORY then
      th.recover()
   else
      refuse(name, state, x, g, ...)
   end
end

local function write(operation)
   local arguments, tensors = {}, {}
   for i, parameter in ipairs(signatures.of(operation)) do
      arguments[i] = parameter.name
      if parameter.role ~= 'number' then
         tensors[i] = parameter.name
      end
   end
   local text = TEMPLATE:gsub('%$(%w+)', {
      operation = operation,
      arguments = table.concat(arguments, ', '),
      tensors = table.concat(tensors, ', '),
   })
   return code.run(text, CHUNK, C, recover, refuse)
end

return setmetatable({}, {
   __index = function(ops, operation)
      local f = write(operation)
      rawset(ops, operation, f)
      return f
   end,
})
