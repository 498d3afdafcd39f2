--- One or more samples of every class of nn, for the spec that walks the package: a file of this
-- folder for each chapter of lua/nn.
--
-- A sample has
--
--     new      function that makes the layer or criterion
--     input    function that makes a batch (for a criterion: input and target); double, off kinks
--     single   the same for one sample; nil where there is no other form, `why` says so
--     wrong    function that makes an input of a wrong shape; nil: one of another type is wrong
--     compact  the input must not have gaps
--     inplace  it writes over its input
--     anything any input will do: none is wrong

local M = {
   layers = {},
   criterions = require 'test.support.samples.criterion',
}

--- Classes to derive from.
M.abstract = {
   Module = true, Criterion = true, Container = true, Pointwise = true, Classwise = true,
   Weighted = true, Branches = true, SpatialPooling = true,
   ModuleFromCriterion = true, -- its target has no gradient: test/nngraph
}

for _, chapter in ipairs {
   'containers', 'table', 'simple', 'transfer', 'convolution', 'pooling', 'normalization',
   'nngraph',
} do
   for name, list in pairs(require('test.support.samples.' .. chapter)) do
      M.layers[name] = list
   end
end

return M
