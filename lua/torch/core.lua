--- The operations of lib/TH/ops as the library calls them: `core.masked_fill(r, mask, value)`.
--
-- A call that runs out of memory collects unreachable tensors and is made once more; any other
-- failure is raised at the user's line. Nothing in `lua/torch` calls an operation past this table,
-- except generated code that holds the same two lines (`torch.operations`, `nn.base.ops`,
-- `optim.ops`) and views, which allocate nothing. Each function is written when it is first asked
-- for, from the operation's row; compiled code calls C as if the lines stood at its caller.
-- @module torch.core
local th = require 'torch.ffi'
local signatures = require 'torch.signatures'

local TEMPLATE = [[
local C, recover, check = ...
return function($arguments)
   if C.TH_$name($arguments) ~= 0 then
      recover()
      check(C.TH_$name($arguments))
   end
end]]

-- Named as a file of this library: errors are not blamed on its lines.
local CHUNK = debug.getinfo(1, 'S').source:gsub('%.lua$', '/generated.lua')

local function write(name)
   local parameters = signatures.of(name)
      or error('torch.core: there is no operation ' .. tostring(name) .. ' in lib/TH/ops', 3)
   local arguments = {}
   for i, parameter in ipairs(parameters) do
      arguments[i] = parameter.name
   end
   local text = TEMPLATE:gsub('%$(%w+)', {
      name = name, arguments = table.concat(arguments, ', '),
   })
   return assert(loadstring(text, CHUNK))(th.C, th.recover, th.check)
end

return setmetatable({}, {
   __index = function(core, name)
      local f = write(name)
      rawset(core, name, f)
      return f
   end,
})
