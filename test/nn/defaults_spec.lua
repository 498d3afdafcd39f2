-- What optional arguments are where they are not given, as Torch7's manuals and PyTorch's have it.
-- Where a second one goes by a first, a call gives the first.
local torch = require 'torch'
local nn = require 'nn'

-- Calls that leave arguments out, and the fields that are to be there then.
local CASES = {
   -- windows
   ['SpatialConvolution(1, 1, 3, 3)'] = { dW = 1, dH = 1, padW = 0, padH = 0 },
   ['SpatialConvolution(1, 1, 3, 3, 2, 3, 4)'] = { dW = 2, dH = 3, padW = 4, padH = 4 },
   ['SpatialConvolutionLocal(1, 1, 9, 9, 3, 3)'] = { dW = 1, dH = 1, padW = 0, padH = 0 },
   ['SpatialConvolutionLocal(1, 1, 9, 9, 3, 3, 1, 1, 2)'] = { padW = 2, padH = 2 },
   ['SpatialConvolutionMap(nn.tables.full(1, 1), 3, 3)'] = { dW = 1, dH = 1 },
   ['SpatialFullConvolutionMap(nn.tables.full(1, 1), 3, 3)'] = { dW = 1, dH = 1 },
   ['SpatialDepthWiseConvolution(1, 1, 3, 3)'] = { dW = 1, dH = 1, padW = 0, padH = 0 },
   ['SpatialDilatedConvolution(1, 1, 3, 3)'] = { dW = 1, padW = 0, dilationW = 1, dilationH = 1 },
   ['SpatialFullConvolution(1, 1, 3, 3)'] = {
      dW = 1, dH = 1, padW = 0, padH = 0, adjW = 0, adjH = 0,
   },
   ['SpatialFullConvolution(1, 1, 3, 3, 4, 4, 2, nil, 3)'] = { padH = 2, adjW = 3, adjH = 3 },
   ['SpatialSubSampling(1, 3, 3)'] = { dW = 1, dH = 1 },
   ['TemporalConvolution(1, 1, 3)'] = { dW = 1 },
   ['TemporalRowConvolution(1, 3)'] = { dW = 1, featFirst = false },
   ['TemporalSubSampling(1, 3)'] = { dW = 1 },
   ['VolumetricConvolution(1, 1, 3, 3, 3)'] = {
      dT = 1, dW = 1, dH = 1, padT = 0, padW = 0, padH = 0,
   },
   ['VolumetricConvolution(1, 1, 3, 3, 3, 1, 1, 1, 2)'] = { padT = 2, padW = 2, padH = 2 },
   ['VolumetricDilatedConvolution(1, 1, 3, 3, 3)'] = {
      dilationT = 1, dilationW = 1, dilationH = 1,
   },
   ['VolumetricFullConvolution(1, 1, 3, 3, 3)'] = {
      dT = 1, dW = 1, dH = 1, padT = 0, padW = 0, padH = 0, adjT = 0, adjW = 0, adjH = 0,
   },
   ['SpatialAveragePooling(2, 3)'] = { dW = 1, dH = 1, padW = 0, padH = 0, ceil_mode = false,
      count_include_pad = true, divide = true },
   ['SpatialMaxPooling(2, 3)'] = { dW = 2, dH = 3, padW = 0, padH = 0, ceil_mode = false },
   ['SpatialDilatedMaxPooling(2, 3)'] = { dW = 2, dH = 3, dilationW = 1, dilationH = 1 },
   ['SpatialLPPooling(1, nil, 2, 3)'] = { pnorm = 2, dW = 2, dH = 3 },
   ['TemporalMaxPooling(3)'] = { dW = 3 },
   ['TemporalDynamicKMaxPooling(3)'] = { factor = 0 },
   ['VolumetricMaxPooling(2, 3, 4)'] = { dT = 2, dW = 3, dH = 4, padT = 0, padW = 0, padH = 0 },
   ['VolumetricAveragePooling(2, 3, 4)'] = { dT = 2, dW = 3, dH = 4, padT = 0, padW = 0 },
   ['VolumetricDilatedMaxPooling(2, 3, 4)'] = { dilationT = 1, dilationW = 1, dilationH = 1 },
   ['FeatureLPPooling(2, 2, 2)'] = { batch_mode = false },
   ['SpatialZeroPadding()'] = { pad_l = 0, pad_r = 0, pad_t = 0, pad_b = 0 },
   ['Copy()'] = { forceCopy = false, dontCast = false },
   ['SpatialZeroPadding(3)'] = { pad_l = 3, pad_r = 3, pad_t = 3, pad_b = 3 },
   ['SpatialReplicationPadding(3)'] = { pad_l = 3, pad_r = 3, pad_t = 3, pad_b = 3 },
   ['SpatialReflectionPadding(3)'] = { pad_l = 3, pad_r = 3, pad_t = 3, pad_b = 3 },
   ['VolumetricReplicationPadding(3)'] = {
      pleft = 3, pright = 3, ptop = 3, pbottom = 3, pfront = 3, pback = 3,
   },
   -- sizes and flags that scripts read
   ['Add(3, true)'] = { scalar = true },
   ['Bottle(nn.Linear(2, 2))'] = { nInputDim = 2, nOutputDim = 2, dimDelta = 0 },
   ['CAddTable(1)'] = { inplace = 1 }, -- Torch7 takes what is true, too
   ['Dropout(0.5, false, 1)'] = { inplace = 1 },
   ['LinearWeightNorm(3, 2)'] = { inputSize = 3, outputSize = 2 },
   ['UpSampling(2)'] = { mode = 'nearest' },
   -- normalisations
   ['BatchNormalization(2)'] = { eps = 1e-5, momentum = 0.1, affine = true },
   ['SpatialBatchNormalization(2)'] = { eps = 1e-5, momentum = 0.1, affine = true },
   ['VolumetricBatchNormalization(2)'] = { eps = 1e-5, momentum = 0.1, affine = true },
   ['LayerNorm(2)'] = { eps = 1e-5, affine = true },
   ['LayerNormalization(2)'] = { eps = 1e-10 },
   ['GroupNorm(1, 2)'] = { eps = 1e-5, affine = true },
   ['InstanceNorm(2)'] = { eps = 1e-5, affine = false },
   ['RMSNorm(2)'] = { eps = 1e-6, affine = true },
   ['SpatialCrossMapLRN(3)'] = { alpha = 1e-4, beta = 0.75, k = 1 },
   ['SpatialSubtractiveNormalization()'] = { nInputPlane = 1 },
   ['SpatialDivisiveNormalization()'] = { nInputPlane = 1, threshold = 1e-4, thresval = 1e-4 },
   ['SpatialContrastiveNormalization()'] = { nInputPlane = 1, threshold = 1e-4, thresval = 1e-4 },
   ['SpatialDivisiveNormalization(1, nil, 3)'] = { threshold = 3, thresval = 3 },
   ['Normalize(2)'] = { eps = 1e-10 },
   ['SpectralNorm(nn.Linear(2, 2))'] = { outputDim = 1, iterations = 1, eps = 1e-12 },
   ['WeightNorm(nn.Linear(2, 2))'] = { outputDim = 1 },
   -- attention and sequences
   ['ScaledDotProductAttention()'] = { causal = false, p = 0 },
   ['MultiHeadAttention(4, 2)'] = { causal = false, p = 0 },
   ['Residual(nn.Tanh())'] = { inFront = false },
   ['RotaryEmbedding(4)'] = { base = 10000 },
   ['TransformerEncoderLayer(3, 1)'] = { hidden = 12, p = 0.1, inFront = false, causal = false },
   ['TransformerDecoderLayer(3, 1)'] = { hidden = 12, p = 0.1, inFront = false },
   ['TransformerEncoder(2, 3, 1)'] = { hidden = 12, p = 0.1, inFront = false, causal = false },
   ['TransformerDecoder(2, 3, 1)'] = { hidden = 12, p = 0.1, inFront = false },
   ['LSTM(2, 3)'] = { numLayers = 1, batchFirst = false, dropout = 0, bidirectional = false },
   ['GRU(2, 3)'] = { numLayers = 1, batchFirst = false, dropout = 0, bidirectional = false },
   ['RNN(2, 3)'] = { numLayers = 1, dropout = 0, bidirectional = false, relu = false },
   -- criterions
   ['ClassNLLCriterion()'] = { sizeAverage = true, ignoreIndex = -100 },
   ['CrossEntropyCriterion()'] = { sizeAverage = true, labelSmoothing = 0 },
   ['FocalCriterion()'] = { gamma = 2, alpha = 0.25, sizeAverage = true },
   ['MarginCriterion()'] = { margin = 1, sizeAverage = true },
   ['MultiMarginCriterion()'] = { p = 1, margin = 1, sizeAverage = true },
   ['CosineEmbeddingCriterion()'] = { margin = 0, sizeAverage = true },
   ['ContrastiveCriterion()'] = { temperature = 0.5, crossOnly = false },
   ['HingeEmbeddingCriterion()'] = { margin = 1, sizeAverage = true },
   ['L1HingeEmbeddingCriterion()'] = { margin = 1 },
   ['MarginRankingCriterion()'] = { margin = 1, sizeAverage = true },
   ['TripletMarginCriterion()'] = { margin = 1, p = 2, sizeAverage = true },
   ['HuberCriterion()'] = { delta = 1, sizeAverage = true },
   ['L1Penalty(1)'] = { sizeAverage = false, provideOutput = true },
   ['MSECriterion()'] = { sizeAverage = true },
   ['AbsCriterion()'] = { sizeAverage = true },
   ['SmoothL1Criterion()'] = { sizeAverage = true },
   ['BCECriterion()'] = { sizeAverage = true },
   ['BCEWithLogitsCriterion()'] = { sizeAverage = true },
   ['DistKLDivCriterion()'] = { sizeAverage = true },
   ['SoftMarginCriterion()'] = { sizeAverage = true },
   ['DistanceRatioCriterion()'] = { sizeAverage = true },
   ['MultiLabelMarginCriterion()'] = { sizeAverage = true },
   ['MultiLabelSoftMarginCriterion()'] = { sizeAverage = true },
   ['SpatialClassNLLCriterion()'] = { sizeAverage = true, ignoreIndex = -100 },
   ['SpatialAutoCropMSECriterion()'] = { sizeAverage = true },
   ['CTCCriterion()'] = { sizeAverage = true, blank = 1 },
   -- linear layers
   ['LookupTable(2, 3)'] = { paddingValue = 0, shouldScaleGradByFreq = false },
   ['LinearWeightNorm(2, 3)'] = { eps = 1e-16 },
   ['IndexLinear(2, 3)'] = { doGradInput = false, offset = -1, normalize = 0 },
   ['SparseLinear(2, 3)'] = { doGradInput = false },
   -- shapes, reductions, tables
   ['Narrow(1, 2)'] = { length = 1 },
   ['Padding(1, 2)'] = { value = 0, index = 1 },
   ['Replicate(2)'] = { dim = 1 },
   ['NarrowTable(2)'] = { length = 1 },
   ['Bottle(nn.Linear(1, 1))'] = { nInputDim = 2 },
   ['Sum()'] = { dimension = 1, sizeAverage = false, squeeze = true },
   ['Mean()'] = { dimension = 1, sizeAverage = true, squeeze = true },
   ['Max()'] = { dimension = 1 },
   ['Min()'] = { dimension = 1 },
   ['MM()'] = { transA = false, transB = false },
   ['MV()'] = { trans = false },
   ['PairwiseDistance()'] = { norm = 2 },
   -- single elements
   ['Dropout()'] = { p = 0.5, v2 = true, inplace = false, stochastic_inference = false },
   ['SpatialDropout()'] = { p = 0.5, stochastic_inference = false },
   ['VolumetricDropout()'] = { p = 0.5, stochastic_inference = false },
   ['WhiteNoise()'] = { mean = 0, std = 0.1 },
   ['GradientReversal()'] = { lambda = 1 },
   ['MulConstant(2)'] = { inplace = false },
   ['AddConstant(2)'] = { inplace = false },
   ['Threshold()'] = { threshold = 1e-6, val = 0, inplace = false },
   ['ReLU()'] = { inplace = false },
   ['ReLU6()'] = { inplace = false },
   ['ELU()'] = { alpha = 1, inplace = false },
   ['CELU()'] = { alpha = 1, inplace = false },
   ['LeakyReLU()'] = { negval = 0.01, inplace = false },
   ['RReLU()'] = { lower = 1 / 8, upper = 1 / 3, inplace = false },
   ['PReLU()'] = { nOutputPlane = 0 },
   ['HardShrink()'] = { lambda = 0.5 },
   ['SoftShrink()'] = { lambda = 0.5 },
   ['HardTanh()'] = { min_val = -1, max_val = 1, inplace = false },
   ['SoftPlus()'] = { beta = 1 },
   ['Sqrt()'] = { eps = 0 },
   ['GELU()'] = { tanh = false },
}

local function make(call)
   return setfenv(assert(loadstring('return nn.' .. call)), { nn = nn })()
end

describe('arguments that are not given:', function()
   it('fields have the values of the manuals', function()
      for call, fields in pairs(CASES) do
         local object = make(call)
         for name, expected in pairs(fields) do
            local value = object[name]
            local same = value == expected or expected == false and value == nil
            assert(same, ('nn.%s.%s is %s, expected %s'):format(call, name, tostring(value),
               tostring(expected)))
         end
      end
   end)

   it('biases are there', function()
      for _, call in ipairs { 'Linear(2, 3)', 'LinearWeightNorm(2, 3)', 'Bilinear(2, 3, 4)',
         'PartialLinear(2, 3)', 'LSTM(2, 3)', 'GRU(2, 3)', 'RNN(2, 3)', 'LayerNorm(2)' } do
         assert(torch.isTensor(make(call).bias), call)
      end
      for _, call in ipairs { 'Linear(2, 3, false)', 'LinearWeightNorm(2, 3, false)',
         'Bilinear(2, 3, 4, false)', 'PartialLinear(2, 3, false)', 'LSTM(2, 3, 1, false)' } do
         assert(make(call).bias == nil, call)
      end
      for _, i in ipairs { 1, 2, 3, 4 } do
         assert(torch.isTensor(nn.MultiHeadAttention(4, 2):get(i).bias))
         assert(nn.MultiHeadAttention(4, 2, false, 0, false):get(i).bias == nil)
      end
      assert(nn.LayerNormalization(2).bias and nn.LayerNormalization(2).bias:max() == 0)
   end)
end)
