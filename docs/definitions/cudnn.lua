---@meta cudnn
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class cudnn
cudnn = {}
cudnn.find = {}
cudnn.functional = {}

---The same for each device, from 0: older scripts give `cudnn.handle[cutorch.getDevice() - 1]`
---to cudnn.functional.
---table cudnn.handle
cudnn.handle = {}

---What setSharedWorkspaceSize takes without a number: the size at first.
cudnn.initialWorkspaceBytes = 0

---How much of what is free cudnn.find.calculateMaxWorkspaceSize takes, in percent: 95.
cudnn.maxWorkspaceGPUMemPercent = 0

---Bytes that cudnn.find.calculateMaxWorkspaceSize leaves free: 1 MiB.
cudnn.reservedGPUBytes = 0

---The library's names of the element types.
---table cudnn.typemap
cudnn.typemap = {}

---Torch7's way of measuring with a layer's own tensors; kept, `benchmark` always does.
cudnn.useFindEx = true

---Tell what cudnn.convert does; false at first.
cudnn.verbose = true

---Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
---
---Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
---of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
---or for a packed input a tensor of its steps.
---
---States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
---hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
---`cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
---`gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
---the last one ended with.
---
---`weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
---be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
---@class cudnn.RNN: nn.Module
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, batchFirst?: boolean, dropout?: any, rememberStates?: boolean): cudnn.RNN
cudnn.RNN = {}

---Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
---
---Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
---of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
---or for a packed input a tensor of its steps.
---
---States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
---hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
---`cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
---`gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
---the last one ended with.
---
---`weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
---be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
---@class cudnn.BGRU: cudnn.RNN
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, batchFirst?: boolean, dropout?: any, rememberStates?: boolean): cudnn.BGRU
cudnn.BGRU = {}

---Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
---
---Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
---of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
---or for a packed input a tensor of its steps.
---
---States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
---hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
---`cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
---`gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
---the last one ended with.
---
---`weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
---be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
---@class cudnn.BLSTM: cudnn.RNN
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, batchFirst?: boolean, dropout?: any, rememberStates?: boolean): cudnn.BLSTM
cudnn.BLSTM = {}

---Each feature with mean 0 and variance 1 over the batch, then scaled and shifted.
---
---y = (x - mean) / sqrt(var + eps) * weight + bias, with mean and (biased) variance of the batch in
---training; evaluation takes `running_mean` and `running_var`, which training moves towards the
---batch's mean and unbiased variance by `momentum`.
---
---Shapes: input N x nOutput (nn.SpatialBatchNormalization: N x nOutput x H x W,
---nn.VolumetricBatchNormalization: N x nOutput x T x H x W), in evaluation also a single sample;
---output likewise; weight, bias, running_mean, running_var nOutput.
---
---Source: Ioffe and Szegedy, ICML 2015 (arXiv:1502.03167), algorithms 1 and 2.
---@class cudnn.BatchNormalization: nn.BatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): cudnn.BatchNormalization
cudnn.BatchNormalization = {}

---y = min(max(x, 0), ceiling), element by element.
---@class cudnn.ClippedReLU: nn.Module
---@overload fun(ceiling: number, inplace?: boolean): cudnn.ClippedReLU
cudnn.ClippedReLU = {}

---Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
---
---Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
---of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
---or for a packed input a tensor of its steps.
---
---States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
---hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
---`cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
---`gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
---the last one ended with.
---
---`weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
---be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
---@class cudnn.GRU: cudnn.RNN
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, batchFirst?: boolean, dropout?: any, rememberStates?: boolean): cudnn.GRU
cudnn.GRU = {}

---Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
---
---Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
---of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
---or for a packed input a tensor of its steps.
---
---States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
---hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
---`cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
---`gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
---the last one ended with.
---
---`weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
---be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
---@class cudnn.LSTM: cudnn.RNN
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, batchFirst?: boolean, dropout?: any, rememberStates?: boolean): cudnn.LSTM
cudnn.LSTM = {}

---y_i = x_i - log(sum_j e^x_j) over the classes: the logarithms of probabilities.
---@class cudnn.LogSoftMax: nn.LogSoftMax
---@overload fun(...: any): cudnn.LogSoftMax
cudnn.LogSoftMax = {}

---Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
---
---Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
---of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
---or for a packed input a tensor of its steps.
---
---States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
---hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
---`cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
---`gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
---the last one ended with.
---
---`weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
---be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
---@class cudnn.RNNReLU: cudnn.RNN
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, batchFirst?: boolean, dropout?: any, rememberStates?: boolean): cudnn.RNNReLU
cudnn.RNNReLU = {}

---Recurrent layers with the interface of Torch7's cuDNN binding, over nn.RNN, nn.LSTM and nn.GRU.
---
---Input: T x N x inputSize, with `batchFirst` N x T x inputSize, or what `packPaddedSequence` makes
---of sequences of different lengths. Output: T x N x hiddenSize (twice as wide in both directions),
---or for a packed input a tensor of its steps.
---
---States are fields. Before forward: `hiddenInput` and `cellInput` (nil: zeros), layers x N x
---hiddenSize, both directions of a layer one after the other. After it: `hiddenOutput` and
---`cellOutput`. Before backward: `gradHiddenOutput` and `gradCellOutput` (nil: zeros); after it:
---`gradHiddenInput` and `gradCellInput`. With `rememberStates` a call begins with the states that
---the last one ended with.
---
---`weight` is one vector: all matrices, then all biases. `mode`, `numDirections` and the sizes may
---be changed before `reset()`, which makes a new one. A new layer is one of torch.CudaTensor.
---@class cudnn.RNNTanh: cudnn.RNN
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, batchFirst?: boolean, dropout?: any, rememberStates?: boolean): cudnn.RNNTanh
cudnn.RNNTanh = {}

---Rectified linear unit: y = max(0, x), element by element.
---@class cudnn.ReLU: nn.ReLU
---@overload fun(inplace?: boolean): cudnn.ReLU
cudnn.ReLU = {}

---nn.Sigmoid with Torch7's argument for cuDNN.
---@class cudnn.Sigmoid: nn.Sigmoid
---@overload fun(inplace?: boolean): cudnn.Sigmoid
cudnn.Sigmoid = {}

---y_i = e^x_i / sum_j e^x_j over the classes: positive numbers that sum to 1.
---@class cudnn.SoftMax: nn.SoftMax
---@overload fun(...: any): cudnn.SoftMax
cudnn.SoftMax = {}

---nn.SpatialAveragePooling with windows side by side by default, where nn's are one element apart.
---@class cudnn.SpatialAveragePooling: nn.SpatialAveragePooling
---@overload fun(kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): cudnn.SpatialAveragePooling
cudnn.SpatialAveragePooling = {}

---nn.BatchNormalization over the planes of images, N x nOutput x H x W.
---@class cudnn.SpatialBatchNormalization: nn.SpatialBatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): cudnn.SpatialBatchNormalization
cudnn.SpatialBatchNormalization = {}

---nn.SpatialConvolution with groups: input and output planes in `groups` sets of equal size, each
---output plane computed from the input planes of its set.
---
---The weight is nOutputPlane x nInputPlane/groups x kH x kW.
---@class cudnn.SpatialConvolution: nn.SpatialConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): cudnn.SpatialConvolution
cudnn.SpatialConvolution = {}

---Cross entropy of scores and classes at each place of an image: the mean over all places.
---
---Shapes: input N x nClasses x H x W, targets N x H x W, counted from 1.
---@class cudnn.SpatialCrossEntropyCriterion: nn.Criterion
---@overload fun(weights?: any): cudnn.SpatialCrossEntropyCriterion
cudnn.SpatialCrossEntropyCriterion = {}

---Local response normalisation across planes: y = x (k + alpha / size sum x^2)^-beta, with the sum
---over the planes from size / 2 before to size / 2 behind (rounded down, of an even size to one
---less).
---
---Shapes: input N x C x H x W or C x H x W; output likewise.
---
---Source: Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural
---networks", NIPS 2012, section 3.3.
---@class cudnn.SpatialCrossMapLRN: nn.SpatialCrossMapLRN
---@overload fun(size: integer, alpha?: number, beta?: number, k?: number): cudnn.SpatialCrossMapLRN
cudnn.SpatialCrossMapLRN = {}

---Divides by the deviation of all planes around each place: the root of the weighted mean of the
---squares, over the weight that lies in the image, or `thresval` where that is not above
---`threshold`.
---
---kernel: a matrix of odd sizes, or a vector for both directions; it is divided by its sum.
---
---Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; output likewise.
---@class cudnn.SpatialDivisiveNormalization: nn.SpatialDivisiveNormalization
---@overload fun(nInputPlane?: integer, kernel?: torch.Tensor, threshold?: number, thresval?: number): cudnn.SpatialDivisiveNormalization
cudnn.SpatialDivisiveNormalization = {}

---nn.SpatialFullConvolution with the modes of Torch7's cuDNN binding, which are kept and not used.
---@class cudnn.SpatialFullConvolution: nn.SpatialFullConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer, adjW?: integer, adjH?: integer): cudnn.SpatialFullConvolution
cudnn.SpatialFullConvolution = {}

---nn.LogSoftMax, which looks at the classes of each place of an image anyway.
---@class cudnn.SpatialLogSoftMax: nn.LogSoftMax
---@overload fun(...: any): cudnn.SpatialLogSoftMax
cudnn.SpatialLogSoftMax = {}

---The maximum over windows of kW x kH.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with
---oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
---`indices` keeps where in its plane each maximum was, `iheight` and `iwidth` the input's size.
---@class cudnn.SpatialMaxPooling: nn.SpatialMaxPooling
---@overload fun(kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): cudnn.SpatialMaxPooling
cudnn.SpatialMaxPooling = {}

---nn.SoftMax, which looks at the classes of each place of an image anyway.
---@class cudnn.SpatialSoftMax: nn.SoftMax
---@overload fun(...: any): cudnn.SpatialSoftMax
cudnn.SpatialSoftMax = {}

---nn.Tanh with Torch7's argument for cuDNN.
---@class cudnn.Tanh: nn.Tanh
---@overload fun(inplace?: boolean): cudnn.Tanh
cudnn.Tanh = {}

---nn.TemporalConvolution with frames of zeros before and behind each sequence.
---@class cudnn.TemporalConvolution: nn.TemporalConvolution
---@overload fun(inputFrameSize: integer, outputFrameSize: integer, kW: integer, dW?: integer): cudnn.TemporalConvolution
cudnn.TemporalConvolution = {}

---The mean over windows of kT x kW x kH.
---
---Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
---oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
---@class cudnn.VolumetricAveragePooling: nn.VolumetricAveragePooling
---@overload fun(kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): cudnn.VolumetricAveragePooling
cudnn.VolumetricAveragePooling = {}

---nn.BatchNormalization over the planes of volumes, N x nOutput x T x H x W.
---@class cudnn.VolumetricBatchNormalization: nn.VolumetricBatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): cudnn.VolumetricBatchNormalization
cudnn.VolumetricBatchNormalization = {}

---nn.VolumetricConvolution with groups, as cudnn.SpatialConvolution has them.
---@class cudnn.VolumetricConvolution: nn.VolumetricConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): cudnn.VolumetricConvolution
cudnn.VolumetricConvolution = {}

---Cross entropy of scores and classes at each place of a volume: the mean over all places.
---
---Shapes: input N x nClasses x T x H x W, targets N x T x H x W, counted from 1.
---@class cudnn.VolumetricCrossEntropyCriterion: nn.Criterion
---@overload fun(weights?: any): cudnn.VolumetricCrossEntropyCriterion
cudnn.VolumetricCrossEntropyCriterion = {}

---nn.VolumetricFullConvolution with the modes of Torch7's cuDNN binding, which are kept and not
---used.
---@class cudnn.VolumetricFullConvolution: nn.VolumetricFullConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer, adjT?: integer, adjW?: integer, adjH?: integer): cudnn.VolumetricFullConvolution
cudnn.VolumetricFullConvolution = {}

---nn.LogSoftMax of the classes at each place of a volume. Shapes: N x C x T x H x W or
---C x T x H x W.
---@class cudnn.VolumetricLogSoftMax: nn.Module
---@overload fun(...: any): cudnn.VolumetricLogSoftMax
cudnn.VolumetricLogSoftMax = {}

---The maximum over windows of kT x kW x kH.
---
---Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
---oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
---`indices` keeps where in its volume each maximum was, row-major and counted from 1; `itime`,
---`iheight` and `iwidth` the input's size.
---@class cudnn.VolumetricMaxPooling: nn.VolumetricMaxPooling
---@overload fun(kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): cudnn.VolumetricMaxPooling
cudnn.VolumetricMaxPooling = {}

---nn.SoftMax of the classes at each place of a volume. Shapes: N x C x T x H x W or C x T x H x W.
---@class cudnn.VolumetricSoftMax: nn.Module
---@overload fun(...: any): cudnn.VolumetricSoftMax
cudnn.VolumetricSoftMax = {}

---A function of each element by the field `mode`: 'CUDNN_ACTIVATION_RELU', 'CUDNN_ACTIVATION_TANH'
---or 'CUDNN_ACTIVATION_SIGMOID'.
---@class cudnn._Pointwise: nn.Module
---@overload fun(inplace?: boolean): cudnn._Pointwise
cudnn._Pointwise = {}

---Pooling of images by the field `mode`: 'CUDNN_POOLING_MAX',
---'CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING' or 'CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING'.
---@class cudnn._Pooling: nn.SpatialPooling
---@overload fun(...: any): cudnn._Pooling
cudnn._Pooling = {}

---Pooling of volumes by the field `mode`, as cudnn._Pooling.
---@class cudnn._Pooling3D: nn.VolumetricPooling
---@overload fun(kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): cudnn._Pooling3D
cudnn._Pooling3D = {}

---The biases, in the same form.
---@param ... any
---@return table
function cudnn.RNN:biases(...) end

---The size of the output for an input.
---@param ... any
---@return torch.LongStorage
function cudnn.RNN:deriveOutputSize(...) end

---Both tensors without gaps.
---@param ... any
function cudnn.RNN:makeContiguous(...) end

---Sequences of different lengths as forward takes them; also `cudnn.RNN:packPaddedSequence`.
---@param input torch.Tensor T x N x F, with batchFirst N x T x F (Tensor)
---@param lengths any a number for each sequence, the longest first
---@param batchFirst? boolean (boolean, default false)
---@return table
function cudnn.RNN:packPaddedSequence(input, lengths, batchFirst) end

---A packed output with zeros behind the ends.
---@param seq table { tensor of all steps, number of sequences at each step } (table)
---@param batchFirst? boolean (boolean, default false)
---@return torch.Tensor
---@return table
function cudnn.RNN:padPackedSequence(seq, batchFirst) end

---Make the weights anew, uniform in ±stdv.
---@param stdv? number default 1 / sqrt(hiddenSize) (number, optional)
function cudnn.RNN:reset(stdv) end

---Make it anew at the next call.
---@param ... any
function cudnn.RNN:resetCellDescriptors(...) end

---Make it anew at the next call.
---@param ... any
function cudnn.RNN:resetDropoutDescriptor(...) end

---Make it anew at the next call.
---@param ... any
function cudnn.RNN:resetHiddenDescriptors(...) end

---Make it anew at the next call.
---@param ... any
function cudnn.RNN:resetInputDescriptor(...) end

---Make it anew at the next call.
---@param ... any
function cudnn.RNN:resetOutputDescriptor(...) end

---Make it anew at the next call.
---@param ... any
function cudnn.RNN:resetRNNDescriptor(...) end

---Begin the next call with states of 0.
function cudnn.RNN:resetStates() end

---Make it anew at the next call.
---@param ... any
function cudnn.RNN:resetWeightDescriptor(...) end

---Give a tensor the size of the states of the last input.
---@param ... any
---@return torch.Tensor
function cudnn.RNN:resizeHidden(...) end

---Kept in the field `sync`; work on a device is in order anyway.
---@param ... any
function cudnn.RNN:setSync(...) end

---The matrices: for each layer (with both directions: two for each) the vectors of the gates'
---matrices, those of the input first. Views of `weight`.
---@param ... any
---@return table
function cudnn.RNN:weights(...) end

---Torch7's per-layer form of cudnn.fastest. Algorithms are the library's choice by shape here,
---so the wish is kept with the layer and passed on to the whole library.
---@param on? boolean (boolean, default true)
---@return self
function cudnn.SpatialConvolution:fastest(on) end

---Forget what setMode was given.
---@param ... any
---@return self
function cudnn.SpatialConvolution:resetMode(...) end

---Torch7's call after a change of the weight's size. Nothing to do: each call looks at the
---weight.
---@param ... any
---@return self
function cudnn.SpatialConvolution:resetWeightDescriptors(...) end

---Ask for algorithms by cuDNN's numbers; kept for files and scripts, the library chooses.
---@param ... any
---@return self
function cudnn.SpatialConvolution:setMode(...) end

---Torch7's call after a change of the fields. Nothing to do: each call looks at them.
function cudnn.SpatialCrossMapLRN:resetDescriptors() end

---Torch7's call after a change of the fields. Nothing to do: each call looks at them.
function cudnn.SpatialDivisiveNormalization:resetDescriptors() end

---Torch7's per-layer form of cudnn.fastest. Algorithms are the library's choice by shape here,
---so the wish is kept with the layer and passed on to the whole library.
---@param on? boolean (boolean, default true)
---@return self
function cudnn.SpatialFullConvolution:fastest(on) end

---Forget what setMode was given.
---@param ... any
---@return self
function cudnn.SpatialFullConvolution:resetMode(...) end

---Torch7's call after a change of the weight's size. Nothing to do: each call looks at the
---weight.
---@param ... any
---@return self
function cudnn.SpatialFullConvolution:resetWeightDescriptors(...) end

---Ask for algorithms by cuDNN's numbers; kept for files and scripts, the library chooses.
---@param ... any
---@return self
function cudnn.SpatialFullConvolution:setMode(...) end

---Torch7's per-layer form of cudnn.fastest. Algorithms are the library's choice by shape here,
---so the wish is kept with the layer and passed on to the whole library.
---@param on? boolean (boolean, default true)
---@return self
function cudnn.TemporalConvolution:fastest(on) end

---Forget what setMode was given.
---@param ... any
---@return self
function cudnn.TemporalConvolution:resetMode(...) end

---Torch7's call after a change of the weight's size. Nothing to do: each call looks at the
---weight.
---@param ... any
---@return self
function cudnn.TemporalConvolution:resetWeightDescriptors(...) end

---Ask for algorithms by cuDNN's numbers; kept for files and scripts, the library chooses.
---@param ... any
---@return self
function cudnn.TemporalConvolution:setMode(...) end

---Torch7's per-layer form of cudnn.fastest. Algorithms are the library's choice by shape here,
---so the wish is kept with the layer and passed on to the whole library.
---@param on? boolean (boolean, default true)
---@return self
function cudnn.VolumetricConvolution:fastest(on) end

---Forget what setMode was given.
---@param ... any
---@return self
function cudnn.VolumetricConvolution:resetMode(...) end

---Torch7's call after a change of the weight's size. Nothing to do: each call looks at the
---weight.
---@param ... any
---@return self
function cudnn.VolumetricConvolution:resetWeightDescriptors(...) end

---Ask for algorithms by cuDNN's numbers; kept for files and scripts, the library chooses.
---@param ... any
---@return self
function cudnn.VolumetricConvolution:setMode(...) end

---Torch7's per-layer form of cudnn.fastest. Algorithms are the library's choice by shape here,
---so the wish is kept with the layer and passed on to the whole library.
---@param on? boolean (boolean, default true)
---@return self
function cudnn.VolumetricFullConvolution:fastest(on) end

---Forget what setMode was given.
---@param ... any
---@return self
function cudnn.VolumetricFullConvolution:resetMode(...) end

---Torch7's call after a change of the weight's size. Nothing to do: each call looks at the
---weight.
---@param ... any
---@return self
function cudnn.VolumetricFullConvolution:resetWeightDescriptors(...) end

---Ask for algorithms by cuDNN's numbers; kept for files and scripts, the library chooses.
---@param ... any
---@return self
function cudnn.VolumetricFullConvolution:setMode(...) end

---Torch7's call after a change of the window. Nothing to do: each call looks at the fields.
---@param ... any
function cudnn._Pooling3D:resetPoolDescriptors(...) end

---Torch7's call after a change of the window. Nothing to do: each call looks at the fields.
---@param ... any
function cudnn._Pooling:resetPoolDescriptors(...) end

---Let an algorithm take more, or with a number below 0 fewer bytes.
---@param ... any
function cudnn.adjustSharedWorkspaceSize(...) end

---The type that layers compute in: floats for half tensors, otherwise the tensors' own.
---@param tensortype string a tensor's type (string)
---@return any
function cudnn.configmap(tensortype) end

---Torch7's choice of what is computed in, by type of tensor. Nothing is chosen here: half
---tensors have sums in floats, as nearly every script asks for, and what asks for less is given
---more digits than it wants.
---@param overrides? table (table, optional)
function cudnn.configureMath(overrides) end

---Give each layer of a net the class of that name in the other package, in place: parameters,
---buffers, groups and modes stay. A conversion that fails leaves the net as it was.
---@param net any a module
---@param dst any cudnn or nn
---@param exclude? function exclude(module) returns true for a module to be left as it is (function, optional)
---@return any
function cudnn.convert(net, dst, exclude) end

---A string as C has it.
---@param ... any
---@return any
function cudnn.externalizeString(...) end

---Bytes that an algorithm might take of what the current device has free, what the pool keeps
---included: of that less `reserve`, `fraction` percent.
---@param reserve? number (number, default cudnn.reservedGPUBytes)
---@param fraction? number from 0 to 100 (number, default cudnn.maxWorkspaceGPUMemPercent)
function cudnn.find.calculateMaxWorkspaceSize(reserve, fraction) end

---The finder of algorithms: cudnn.find.
function cudnn.find.get() end

---Forget which algorithms were chosen and measured for which shapes.
function cudnn.find.reset() end

---The same as cudnn.find.reset.
function cudnn.find.resetAlgorithmCache() end

---Let an algorithm take so much.
---@param greater? boolean not where it is as large or larger already (boolean, default false)
function cudnn.find.setCalculatedWorkspaceSize(greater) end

---Means of windows, the padding included; the arguments are those of Pooling_updateOutput and
---Pooling_updateGradInput, without mode.
---@param ... any
function cudnn.functional.AveragePooling2D_updateGradInput(...) end

---Means of windows, the padding included; the arguments are those of Pooling_updateOutput and
---Pooling_updateGradInput, without mode.
---@param ... any
function cudnn.functional.AveragePooling2D_updateOutput(...) end

---gradWeight += scale * the gradient by the weight.
---@param handle any not used
---@param input torch.Tensor (Tensor)
---@param gradWeight torch.Tensor outputs x C x kH x kW (Tensor)
---@param gradOutput torch.Tensor (Tensor)
---@param strideH integer (integer)
---@param strideW integer (integer)
---@param padH integer (integer)
---@param padW integer (integer)
---@param scale? number (number, default 1)
function cudnn.functional.Convolution2D_accGradParameters(handle, input, gradWeight, gradOutput, strideH, strideW, padH, padW, scale) end

---The gradient by the input; the arguments are those of updateOutput, with gradOutput and
---gradInput behind output.
---@param ... any
function cudnn.functional.Convolution2D_updateGradInput(...) end

---output = the convolution of input with weight, without bias.
---@param handle any not used
---@param input torch.Tensor N x C x H x W or C x H x W (Tensor)
---@param weight torch.Tensor outputs x C x kH x kW (Tensor)
---@param output torch.Tensor (Tensor)
---@param strideH integer (integer)
---@param strideW integer (integer)
---@param padH integer (integer)
---@param padW integer (integer)
function cudnn.functional.Convolution2D_updateOutput(handle, input, weight, output, strideH, strideW, padH, padW) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.LogSoftMax_updateGradInput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.LogSoftMax_updateOutput(...) end

---Maxima of windows; the arguments are those of Pooling_updateOutput and Pooling_updateGradInput,
---without mode.
---@param ... any
function cudnn.functional.MaxPooling2D_updateGradInput(...) end

---Maxima of windows; the arguments are those of Pooling_updateOutput and Pooling_updateGradInput,
---without mode.
---@param ... any
function cudnn.functional.MaxPooling2D_updateOutput(...) end

---The gradient by the input; the arguments are those of Pooling_updateOutput, with gradOutput and
---gradInput behind output.
---@param ... any
function cudnn.functional.Pooling_updateGradInput(...) end

---Pooling of images by cuDNN's modes, whose names are strings: 'CUDNN_POOLING_MAX', ...
---@param handle any not used
---@param mode string (string)
---@param input torch.Tensor (Tensor)
---@param output torch.Tensor (Tensor)
---@param kH integer (integer)
---@param kW integer (integer)
---@param dH integer (integer)
---@param dW integer (integer)
---@param padH? integer (integer, default 0)
---@param padW? integer (integer, default 0)
---@param ceil_mode? boolean (boolean, default false)
function cudnn.functional.Pooling_updateOutput(handle, mode, input, output, kH, kW, dH, dW, padH, padW, ceil_mode) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.ReLU_updateGradInput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.ReLU_updateOutput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.Sigmoid_updateGradInput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.Sigmoid_updateOutput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.SoftMax_updateGradInput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.SoftMax_updateOutput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.Tanh_updateGradInput(...) end

---max(0, x). X_updateOutput(handle, input, output), and X_updateGradInput(handle, input, output,
---gradOutput, gradInput); likewise for Tanh, Sigmoid, SoftMax and LogSoftMax.
---@param ... any
function cudnn.functional.Tanh_updateOutput(...) end

---gradBias = alpha gradBias + scale * the sum of each plane of gradOutput.
---@param handle any not used
---@param gradOutput torch.Tensor (Tensor)
---@param gradBias torch.Tensor (Tensor)
---@param scale? number (number, default 1)
---@param alpha? number (number, default 1)
function cudnn.functional.bias2D_accGradParameters(handle, gradOutput, gradBias, scale, alpha) end

---output += bias, plane by plane.
---@param handle any not used
---@param bias torch.Tensor (Tensor)
---@param output torch.Tensor N x C x H x W or C x H x W (Tensor)
function cudnn.functional.bias2D_updateOutput(handle, bias, output) end

---What stands for the library's handle in calls of cudnn.functional: a null pointer.
function cudnn.getHandle() end

---What stands for the binding's buffer: a null pointer, and the bytes an algorithm may take.
---@param ... any
---@return any
---@return number
function cudnn.getSharedWorkspace(...) end

---Forget which algorithms were chosen and measured for which shapes; the flags are false again.
function cudnn.reset() end

---A number as the library reads it beside tensors of a type: one double, or one float.
---@param t torch.Tensor tensor, or a type's name
---@param val number (number)
---@return any
function cudnn.scalar(t, val) end

---The same as cudnn.setSharedWorkspaceSize(bytes): there is no buffer to grow at the next use.
---@param ... any
function cudnn.setNextWorkspaceSize(...) end

---Set how many bytes an algorithm may take; kept for later while `cudnn.fastest` is set.
---@param bytes? number (number, default cudnn.initialWorkspaceBytes)
---@param ifGreater? boolean not where it is as large or larger already (boolean, default false)
---@param device? any accepted; the number is one for all devices (optional)
---@param stream? any accepted, likewise (optional)
function cudnn.setSharedWorkspaceSize(bytes, ifGreater, device, stream) end

---Bytes of an element of a tensor.
---@param ... any
function cudnn.sizeof(...) end

return cudnn
