--- cudnn: nn's layers under the names of Torch7's cuDNN binding.
--
-- On CUDA tensors nn's own layers use cuDNN where it is installed; the classes here are theirs,
-- with what that binding added: `groups` and algorithm modes of convolutions, its recurrent layers,
-- `cudnn.functional`, the flags below, and `cudnn.convert`.
--
--    cudnn.benchmark  measure the algorithms for each new shape, keep the fastest (false)
--    cudnn.fastest    let an algorithm take as much memory as it likes (false)
--    cudnn.verbose    tell what convert does (false)
--    cudnn.useFindEx  kept: algorithms are measured with a layer's own tensors in any case (false)
--    cudnn.version    90000 for cuDNN 9.0.0 (no flag); nil where cuDNN cannot be used
-- @module cudnn
require 'torch'
require('torch.errors').library()

require 'cunn'
local options = require 'cudnn.options'
local cuda = require 'cutorch.ffi'

local cudnn = setmetatable({}, options.metatable)
package.loaded.cudnn = cudnn
require('torch.class').setModule('cudnn', cudnn)

for _, part in ipairs {
   'layers', 'convolutions', 'by_mode', 'ClippedReLU', 'softmax', 'recurrent.RNN', 'library',
   'workspace',
} do
   require('cudnn.' .. part).install(cudnn)
end
cudnn.functional = require 'cudnn.functional'

--- Tell what cudnn.convert does; false at first.
cudnn.verbose = false

--- Torch7's way of measuring with a layer's own tensors; kept, `benchmark` always does.
cudnn.useFindEx = false

cudnn.convert = require 'cudnn.convert'

--- Forget which algorithms were chosen and measured for which shapes; the flags are false again.
function cudnn.reset()
   cuda.C.THC_forgetPlans()
   cudnn.benchmark, cudnn.fastest, cudnn.verbose = false, false, false
end

rawset(_G, 'cudnn', cudnn)
return cudnn
