--- Which layers compute in which type where a network computes in half precision or bfloat16.
--
-- `low`: products, where most of the time goes and sums are kept in float by the kernels. `float`:
-- what sums many elements or takes exponentials. All others work in the type that comes to them. To
-- change it, write to these tables.
-- @module torch.train.precision.types

local M = { low = {}, float = {} }

local function mark(set, names)
   for name in names:gmatch '%S+' do
      set['nn.' .. name] = true
      set['cudnn.' .. name] = true
   end
end

mark(M.low, [[
   Linear LinearNoBias Bilinear TemporalConvolution SpatialConvolution SpatialConvolutionMM
   SpatialConvolutionLocal SpatialDilatedConvolution SpatialFullConvolution VolumetricConvolution
   VolumetricFullConvolution VolumetricDilatedConvolution SpatialDepthWiseConvolution MM MV
   LSTM GRU RNN MultiHeadAttention
]])

mark(M.float, [[
   SoftMax LogSoftMax SpatialSoftMax SpatialLogSoftMax SoftMin LogSigmoid SoftPlus Exp Log Power
   Square Sqrt
   BatchNormalization SpatialBatchNormalization VolumetricBatchNormalization LayerNormalization
   SyncBatchNormalization SyncSpatialBatchNormalization SyncVolumetricBatchNormalization
   GroupNorm InstanceNorm LayerNorm RMSNorm SpatialCrossMapLRN SpatialContrastiveNormalization
   SpatialDivisiveNormalization SpatialSubtractiveNormalization Normalize
   Sum Mean Euclidean CosineDistance PairwiseDistance WeightedEuclidean DotProduct LookupTable
]])

return M
