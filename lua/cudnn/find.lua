--- cudnn.find: what chooses cuDNN's algorithms. Here that is the library's own, by shape.
-- @module cudnn.find
local cuda = require 'cutorch.ffi'

local M = {}

--- Forget which algorithms were chosen and measured for which shapes.
function M.reset()
   cuda.C.THC_forgetPlans()
end

--- The same as cudnn.find.reset.
function M.resetAlgorithmCache()
   cuda.C.THC_forgetPlans()
end

--- The finder of algorithms: cudnn.find.
function M.get()
   return M
end

return M
