--- The exporters of layers, by families: each file adds its classes to the tables of
-- `onnx.export.walk`. A class of one's own is added in the same way:
--
--     require('onnx.layers')['my.Swish'] = function(g, layer, x, y)
--        return g:op('Mul', { x, g:op('Sigmoid', { x }) })
--     end
-- @module onnx.layers
for _, family in ipairs {
   'transfer', 'simple', 'linear', 'shape', 'table', 'convolution', 'pooling', 'normalization',
   'reduce', 'resampling', 'recurrent', 'attention', 'containers', 'quantization', 'operator',
} do
   require('onnx.layers.' .. family)
end

return require('onnx.export.walk').layers
