--- nn: layers, containers and criterions.
--
-- `require 'nn'` returns the namespace and sets the global `nn`, as scripts expect. Each class is
-- one file named as the class, in the folder of its chapter; a new layer is a file and a line
-- below.
-- @module nn

require 'torch'
require('torch.errors').library()

local nn = {}
-- The class files say `require 'nn'` too: give them the namespace while it is being filled.
package.loaded.nn = nn
rawset(_G, 'nn', nn)

nn.utils = require 'nn.utils'
nn.seam = require 'nn.base.seam'

require 'nn.Module'
require 'nn.Criterion'

local declare = require 'nn.base.declare'
nn.declare = declare.declare

require 'nn.Weighted'
require 'nn.Pointwise'
require 'nn.Classwise'

-- Within a chapter, a class follows the classes it is derived from.
local chapters = {
   {
      'containers',
      'Container',
      'Sequential',
      'Branches',
      'ConcatTable',
      'ParallelTable',
      'Concat',
   },
   { 'table', 'CAddTable', 'JoinTable' },
   {
      'simple',
      'Identity',
      'Linear',
      'Reshape',
      'View',
      'Dropout',
      'Mul',
      'Add',
      'CMul',
      'MulConstant',
      'AddConstant',
   },
   {
      'transfer',
      'Abs',
      'Exp',
      'Log',
      'Square',
      'Sigmoid',
      'Tanh',
      'Threshold',
      'ReLU',
      'SoftPlus',
      'SoftMax',
      'LogSoftMax',
   },
   { 'convolution', 'SpatialConvolution', 'SpatialFullConvolution' },
   { 'pooling', 'SpatialPooling', 'SpatialMaxPooling', 'SpatialAveragePooling' },
   {
      'normalization',
      'BatchNormalization',
      'SpatialBatchNormalization',
      'VolumetricBatchNormalization',
   },
   { 'criterion', 'ClassNLLCriterion', 'MSECriterion', 'CrossEntropyCriterion', 'AbsCriterion' },
}
for _, chapter in ipairs(chapters) do
   for i = 2, #chapter do
      require('nn.' .. chapter[1] .. '.' .. chapter[i])
   end
end

nn.Jacobian = require 'nn.Jacobian'

return nn
