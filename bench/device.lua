--- Cases on a CUDA device: to the end of its work. Simulated devices run them with little of it, to
-- try the scripts.
local cutorch = require 'cutorch'
local bench = require 'bench.harness'

local M = {}

--- A size: `full`, or `few` on simulated devices.
function M.size(full, few)
   return cutorch.isSimulated() and few or full
end

--- Measure f, called again and again.
-- @string name without 'CUDA', which all have in front
-- @func f
-- @number[opt] scale as of `bench.case`
function M.case(name, f, scale)
   local loop = bench.loop(f)
   bench.case('CUDA ' .. name, function(n)
      loop(n)
      cutorch.synchronize()
   end, scale)
end

--- Measure what the host does until 500 calls are issued, which surely fit into the device's queue.
function M.issued(name, f)
   bench.issued('CUDA ' .. name, 500, f, cutorch.synchronize)
end

--- Measure a module's passes.
-- @string name with %s where the pass is named
-- @string[opt='backward'] backward the method that is its way back
function M.both(name, module, x, backward)
   backward = backward or 'backward'
   local g = module:forward(x):clone()
   M.case(name:format 'forward', function()
      module:forward(x)
   end)
   M.case(name:format 'backward', function()
      module[backward](module, x, g)
   end)
end

return M
