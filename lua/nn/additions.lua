--- Classes that Torch7's nn has not. Scripts and packages (torch-rnn, rnn) define some by these
-- names: theirs take the place of ours then.
-- @module nn.additions

return {
   'RowNormalization', 'LayerNorm', 'RMSNorm', 'GroupNorm', 'InstanceNorm', 'SpectralNorm',
   'Recurrence', 'RNN', 'LSTM', 'GRU',
   'ScaledDotProductAttention', 'MultiHeadAttention', 'PositionalEncoding', 'LearnedPositions',
   'RotaryEmbedding', 'FeedForward', 'Residual', 'Stream', 'TransformerEncoderLayer',
   'TransformerDecoderLayer', 'TransformerEncoder', 'TransformerDecoder',
   'ScalePlanes',
   'Convolution', 'FullConvolution', 'SubSampling',
   'Pooling', 'SpatialPooling', 'VolumetricPooling', 'FractionalMaxPooling', 'SpatialPadding',
   'Weighted', 'Pointwise', 'Classwise', 'Branches', 'CTable', 'Routing', 'PairMeasure', 'Part',
   'Extremum', 'SameElements', 'ElementLoss',
   'GELU', 'SiLU', 'Mish', 'CELU', 'SELU', 'HardSigmoid', 'HardSwish',
   'BCEWithLogitsCriterion', 'HuberCriterion', 'FocalCriterion', 'TripletMarginCriterion',
   'ContrastiveCriterion', 'CTCCriterion',
}
