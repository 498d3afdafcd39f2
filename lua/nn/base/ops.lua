--- The operations of lib/TH/ops as layers call them: `ops.linear(layer, output, x, weight, bias)`.
--
-- A call returns its first operand, the result. When memory has run out it collects and tries once
-- more; any other failure is raised at the user's line with the layer's name. Each function is
-- written when it is first asked for, from the operation's row.
-- @module nn.base.ops

local check = require 'nn.check'
local code = require 'nn.base.code'
local th = require 'torch.ffi'
local raise = require('torch.errors').raise

local signatures = require 'torch.signatures'

local TEMPLATE = [[
local C, recover, check = ...
return function(layer, $arguments)
   if C.TH_$name($arguments) ~= 0 then
      recover(layer)
      check(layer, C.TH_$name($arguments))
   end
   return $result
end]]

local CHUNK = code.source()

local function write(name)
   local parameters = type(name) == 'string' and signatures.of(name)
   if not parameters then
      raise(('nn: there is no operation %s in lib/TH/ops'):format(tostring(name)))
   end
   local arguments = {}
   for i, parameter in ipairs(parameters) do
      arguments[i] = parameter.name
   end
   local text = TEMPLATE:gsub('%$(%w+)', {
      name = name, arguments = table.concat(arguments, ', '), result = arguments[1],
   })
   return code.run(text, CHUNK, th.C, check.recover, check.status)
end

return setmetatable({}, {
   __index = function(ops, name)
      local f = write(name)
      rawset(ops, name, f)
      return f
   end,
})
