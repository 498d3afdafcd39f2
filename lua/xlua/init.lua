--- Small extensions of Lua: printing, progress bars, options, named arguments, timing.
-- Requiring it defines the globals `xlua`, `xprint`, `xerror` and `xrequire`, and the functions
-- table.splice, table.prune, string.split and string.tosymbol.
-- @module xlua
require('torch.errors').library()

local M = {}

for _, part in ipairs { 'print', 'globals', 'progress', 'arguments', 'failures' } do
   for name, value in pairs(require('xlua.' .. part)) do
      M[name] = value
   end
end

require('torch.later').fields(M, {
   OptionParser = function()
      return require 'xlua.OptionParser'
   end,
   Profiler = function()
      return require 'xlua.Profiler'
   end,
})

local lists, strings = require 'xlua.lists', require 'xlua.strings'
rawset(table, 'splice', lists.splice)
rawset(table, 'prune', lists.prune)
rawset(string, 'split', strings.split)
rawset(string, 'tosymbol', strings.tosymbol)

rawset(_G, 'xlua', M)
rawset(_G, 'xprint', M.print)
rawset(_G, 'xerror', M.error)
rawset(_G, 'xrequire', M.require)

return M
