--- The operations of lib/TH/ops as layers call them: `ops.linear(layer, output, x, weight, bias)`.
--
-- A call returns its first operand, the result. When memory has run out it collects and tries once
-- more; any other failure is raised at the user's line with the layer's name. Each function is
-- written when it is first asked for, from the operation's prototype.
-- @module nn.base.ops

local check = require 'nn.check'
local th = require 'torch.ffi'
local raise = require('torch.errors').raise

local prototypes = require 'torch.gen.cdef'

local TEMPLATE = [[
local C, recover, check = ...
return function(layer, $arguments)
   if C.TH_$name($arguments) ~= 0 then
      recover(layer)
      check(layer, C.TH_$name($arguments))
   end
   return $result
end]]

-- Errors must not blame what is written here.
local CHUNK = debug.getinfo(1, 'S').source

local function write(name)
   local list = prototypes:match('%f[%w_]TH_' .. name .. '%s*(%b())')
   if not list then
      raise(('nn: there is no operation %s in lib/TH/ops'):format(tostring(name)))
   end
   local arguments = {}
   for argument in list:sub(2, -2):gmatch '[^,]+' do
      arguments[#arguments + 1] = argument:match '([%w_]+)%s*$'
   end
   local text = TEMPLATE:gsub('%$(%w+)', {
      name = name, arguments = table.concat(arguments, ', '), result = arguments[1],
   })
   return assert(loadstring(text, CHUNK))(th.C, check.recover, check.status)
end

return setmetatable({}, {
   __index = function(ops, name)
      local f = write(name)
      rawset(ops, name, f)
      return f
   end,
})
