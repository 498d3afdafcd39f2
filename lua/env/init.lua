--- What Torch's `th` gives to scripts, for those that plain LuaJIT runs: `require 'env'`.
--
-- Tables are printed with what they hold, `require './file'` is relative to the asking file,
-- Penlight's modules are globals when they are named; `who`, `import` and the like; torch, dok,
-- paths, sys and xlua are there. Under `th` all that is so already.
-- @module env
require 'torch'
require 'sys'
require 'xlua'
require 'dok'

local globals = require 'trepl.scripts.globals'
if rawget(_G, 'print') ~= require('trepl.print').print then
   globals.install()
end

return true
