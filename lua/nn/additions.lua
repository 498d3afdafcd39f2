--- Classes that Torch7's nn has not. Scripts and packages (torch-rnn, rnn) define some by these
-- names: theirs take the place of ours then.
-- @module nn.additions

local M = {}

--- Layers and criterions.
M.classes = {
   'RowNormalization', 'LayerNorm', 'RMSNorm', 'GroupNorm', 'InstanceNorm', 'SpectralNorm',
   'Recurrence', 'RNN', 'LSTM', 'GRU',
   'ScaledDotProductAttention', 'MultiHeadAttention', 'PositionalEncoding', 'LearnedPositions',
   'RotaryEmbedding', 'FeedForward', 'Residual', 'Stream', 'TransformerEncoderLayer',
   'TransformerDecoderLayer', 'TransformerEncoder', 'TransformerDecoder',
   'ScalePlanes',
   'GELU', 'SiLU', 'Mish', 'CELU', 'SELU', 'HardSigmoid', 'HardSwish',
   'BCEWithLogitsCriterion', 'HuberCriterion', 'FocalCriterion', 'TripletMarginCriterion',
   'ContrastiveCriterion', 'CTCCriterion', 'DistillationCriterion',
   'QuantizedLinear', 'QuantizedConvolution', 'QuantizedAdd', 'QuantizedResidual',
   'QuantizedMaxPooling', 'PackedLinear', 'PackedLookupTable', 'FakeQuantize',
   'FakeQuantizedWeight', 'Pruner',
}

--- What several classes have in common. Scripts that go from class to class by `getmetatable` do
-- not meet them: in Torch7 there is nothing in between.
M.parts = {
   'Convolution', 'FullConvolution', 'SubSampling',
   'Pooling', 'SpatialPooling', 'VolumetricPooling', 'FractionalMaxPooling', 'SpatialPadding',
   'Weighted', 'Pointwise', 'Classwise', 'Branches', 'CTable', 'Routing', 'PairMeasure', 'Part',
   'Extremum', 'SameElements', 'ElementLoss', 'Reparametrised', 'Quantized',
}

return M
