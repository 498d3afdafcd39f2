--- One or more samples of every class of nn, for the spec that walks the package: a file of this
-- folder for each chapter of lua/nn.
--
-- A sample has
--
--     new      function that makes the layer or criterion
--     input    function that makes a batch (for a criterion: input and target); double, off kinks
--     single   the same for one sample; nil where there is no other form, `why` says so
--     wrong    function that makes an input of a wrong shape; nil: one of another type is wrong
--     inside   the path in a container, such as '.1', of the module that refuses it: an nn.Linear,
--              or one of the class `refuser`
--     compact  the input must not have gaps
--     inplace  it writes over its input
--     anything any input will do: none is wrong
--     names    the fields of the parameters and their gradients, where these are not `weight`,
--              `bias`, `gradWeight` and `gradBias`
--     variables  function(nest, input): the tensors of `nest`, an input or its gradient, that are
--              differentiated; nil: those of real numbers. Those of integers are positions, classes
--              or masks: their gradient is zero, and conversions leave them alone
--     derivative gradInput is the derivative times this number, on purpose
--     unsupervised  the gradients of its parameters come from the inputs alone
--     noise    it draws numbers that differ between element types: these are compared in evaluation
--     mixes    what a sample of a batch gives is not what it gives alone, or lies elsewhere
--     prints   it writes to the terminal

local M = {
   layers = {},
   criterions = require 'test.support.samples.criterion',
   chapters = {}, -- the layers of each, by the name of its file
}

--- Classes to derive from, and classes with a reason.
M.abstract = {
   CriterionTable = 'its output is a number',
   Module = true, Criterion = true, Container = true, Pointwise = true, Classwise = true,
   Weighted = true, ElementLoss = true, Branches = true, SpatialPooling = true,
   Convolution = true, FullConvolution = true, SubSampling = true, SameElements = true, Part = true,
   Extremum = true, CTable = true, Routing = true, PairMeasure = true, RowNormalization = true,
   Recurrence = true, Stream = true, Pooling = true, VolumetricPooling = true,
   FractionalMaxPooling = true, SpatialPadding = true, Reparametrised = true,
   Quantized = true, Pruner = 'no layer: test/nn/pruning',
   -- What rounds has no derivative, and computes in floats: test/nn/quantization.
   QuantizedLinear = 'rounds', QuantizedConvolution = 'rounds', QuantizedAdd = 'rounds',
   QuantizedResidual = 'rounds', QuantizedMaxPooling = 'rounds',
   FakeQuantize = 'rounds', FakeQuantizedWeight = 'rounds',
   PackedLinear = 'computes in floats', PackedLookupTable = 'computes in floats',
   ModuleFromCriterion = true, -- its target has no gradient: test/nngraph
}

for _, chapter in ipairs {
   'containers', 'table', 'simple', 'shape', 'reduce', 'linear', 'transfer', 'convolution',
   'pooling', 'resampling', 'normalization', 'recurrent', 'attention', 'blocks',
   'nngraph',
} do
   M.chapters[chapter] = require('test.support.samples.' .. chapter)
   for name, list in pairs(M.chapters[chapter]) do
      M.layers[name] = list
   end
end

return M
