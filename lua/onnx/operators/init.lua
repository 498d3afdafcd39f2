--- What the operators of ONNX compute: name -> function(c, inputs...), of tensors and Variables.
--
-- c has the node's attributes by name, `ranks` (the inputs' numbers of dimensions, as far as the
-- graph tells them) and `outputs` (how many are wanted). One with several gives them in a list.
-- Definitions: onnx.ai/onnx/operators.
-- @module onnx.operators
local M = {}

for _, family in ipairs { 'pointwise', 'shape', 'border', 'reduce', 'product', 'quantize',
   'places', 'attention', 'recurrent', 'windows', 'microsoft', 'boxes', 'further' } do
   for name, f in pairs(require('onnx.operators.' .. family)) do
      M[name] = f
   end
end

return M
