--- What a function of the script takes and gives, for nodes that stand for its call.
-- @module torch.variables.results
local th = require 'torch.ffi'
local recording = require 'torch.variables.recording'

local isTensor = th.isTensor

local M = {}

function M.packed(...)
   return { n = select('#', ...), ... }
end
local packed = M.packed

--- What f gives without recording.
function M.unrecorded(f, ...)
   return packed(recording.with(false, f, ...))
end

--- The tensors among n values, and their places.
function M.tensorsAmong(list, n)
   local tensors, places = {}, {}
   for i = 1, n do
      if isTensor(list[i]) then
         tensors[#tensors + 1] = list[i]
         places[#places + 1] = i
      end
   end
   return tensors, places
end

--- Results as tensors of their own, which become the node's.
function M.fresh(results)
   for i = 1, results.n do
      if isTensor(results[i]) then
         results[i] = results[i]:detach()
      end
   end
   return results
end

return M
