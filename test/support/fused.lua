--- What specs of torch.fuse share.
local torch = require 'torch'
local environment = require 'test.support.environment'
local functions = require 'torch.fuse.functions'

local M = {}

--- Compiled code in a folder of the spec's own, and the same numbers for each test.
function M.prepare(setup, teardown, before_each)
   setup(environment.ownCache)
   teardown(environment.withoutOwnCache)
   before_each(function()
      torch.manualSeed(3)
      math.randomseed(3)
   end)
end

--- The largest difference, in units of the larger of 1 and the value.
function M.difference(x, y)
   local scale = torch.abs(y):cmax(1)
   return (x - y):abs():cdiv(scale):max()
end

--- Where there is a compiler, its code is what is tested.
function M.isCompiled(f, ...)
   local language = select(1, ...).device_type == 0 and 'c' or 'c++'
   local how, reason = f:how(...)
   return how == 'compiled' or not require('torch.native.compiler').find(language)
      or reason:find('clang has no vectors', 1, true), reason
end

function M.randn(...)
   return torch.randn(...):double()
end

--- The names of all functions of one argument.
M.unary = {}
for _, list in ipairs { functions.rows, functions.formulas } do
   for name, entry in pairs(list) do
      local operands = entry.operands or #functions.parameters(entry)
      if operands == 1 and not entry.hidden and name ~= 'not' then
         M.unary[#M.unary + 1] = name
      end
   end
end
table.sort(M.unary)

--- A text that calls those of them, and its options: r1 = abs(a) and so on.
function M.each(first, last)
   local lines, names = {}, {}
   for i = first, math.min(last, #M.unary) do
      names[#names + 1] = 'r' .. i
      lines[#lines + 1] = ('r%d = %s(a)'):format(i, M.unary[i])
   end
   return table.concat(lines, '\n'), { results = names }
end

return M
