--- Penlight's modules as globals that are loaded when they are first named (lapp, stringx, tablex,
-- path, ...), as `require 'pl'` gives them; and `'%d of %d' % { 1, 2 }`. Without Penlight they are
-- nil.
-- @module trepl.scripts.penlight
local M = {}

local lazy = {}
for name in ([[utils path dir tablex stringio sip input seq lexer stringx config pretty data func
   text operator lapp array2d comprehension xml types test app file class luabalanced permute
   template url compat List Map Set OrderedMap MultiMap Date]]):gmatch '%S+' do
   lazy[name] = true
end

-- A format and its values, as Penlight's text.format_operator has it; without Penlight, no
-- templates.
local function format(text, values)
   if package.searchpath('pl.stringx', package.path) then
      require('pl.stringx').format_operator() -- takes this one's place
      return text % values
   elseif type(values) == 'table' and getmetatable(values) == nil then
      return text:format(unpack(values))
   end
   return text:format(values)
end

--- Let undefined globals of these names be loaded.
function M.install()
   local meta = getmetatable(_G) or {}
   local other = meta.__index
   meta.__index = function(t, name)
      if lazy[name] and package.searchpath('pl.' .. name, package.path) then
         local module = require('pl.' .. name)
         rawset(t, name, module)
         return module
      elseif type(other) == 'function' then
         return other(t, name)
      end
      return other and other[name]
   end
   setmetatable(_G, meta)
   local strings = getmetatable ''
   strings.__mod = strings.__mod or format
end

return M
