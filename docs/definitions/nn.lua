---@meta nn
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class nn
nn = {}
nn.Jacobian = {}
nn.SparseJacobian = {}
nn.THNN = {}
nn.blocks = {}
nn.hessian = {}
nn.seam = {}
nn.tables = {}
nn.utils = {}

---The contract of a layer: `forward` computes `output`, `backward` computes `gradInput` and adds
---to the gradients of the parameters.
---
---A layer defines `updateOutput(input)`, `updateGradInput(input, gradOutput)` and, if it has
---parameters, `accGradParameters(input, gradOutput, scale)`, `reset(stdv)`; this class has the
---rest. `output` and `gradInput` are buffers: the next call writes over them, so clone what must
---last.
---@class nn.Module
---@field output torch.Tensor|table
---@field gradInput torch.Tensor|table
---@field train boolean
---@field weight torch.Tensor
---@field bias torch.Tensor
---@field gradWeight torch.Tensor
---@field gradBias torch.Tensor
---@overload fun(...: any): nn.Module
nn.Module = {}

---Layers that apply one function to each element: y_i = f(x_i).
---
---`nn.Pointwise:of 'tanh'` makes such a layer of the operation `tanh` and its gradient
---`tanh_backward`; neither needs more code. A function with two numbers has them from fields of the
---layer, or as they are:
---
---   nn.Pointwise:of('clamp', 'HardTanh', 'min_val, max_val', { arguments = [[ … ]] })
---   nn.Pointwise:of('clamp', 'ReLU6', '0, 6', { … })
---@class nn.Pointwise: nn.Module
---@overload fun(...: any): nn.Pointwise
nn.Pointwise = {}

---y = |x|, element by element.
---@class nn.Abs: nn.Pointwise
---@overload fun(...: any): nn.Abs
nn.Abs = {}

---The contract of a criterion: a loss of an input and a target, and its gradient.
---A criterion defines `updateOutput(input, target)`, a number also kept as `output`, and
---`updateGradInput(input, target)`.
---@class nn.Criterion
---@field output number
---@field gradInput torch.Tensor|table
---@field sizeAverage boolean
---@overload fun(...: any): nn.Criterion
nn.Criterion = {}

---Criterions that are the mean, or the sum, of a term for each element of an input and its target.
---
---`nn.ElementLoss:of('mse_loss', 'MSECriterion')` makes such a criterion of a row of
---lib/TH/ops/nn/element_loss.def, without more code. Numbers of the row and weights are told as in
---
---   nn.ElementLoss:of('huber_loss', 'HuberCriterion', 'delta, 0', { arguments = [[ … ]] })
---   nn.ElementLoss:of('bce_loss', 'BCECriterion', nil, { arguments = [[ … ]], weighted = true })
---
---Shapes: input and target of any shape with equal element counts; `weights` as many, or as a
---sample of N x C or N x C x ... has, or one for each of its C planes.
---@class nn.ElementLoss: nn.Criterion
---@overload fun(sizeAverage?: boolean): nn.ElementLoss
nn.ElementLoss = {}

---Mean absolute error: the mean over all elements of |x_i - t_i|.
---Shapes: input and target of any shape with equal element counts.
---@class nn.AbsCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.AbsCriterion
nn.AbsCriterion = {}

---A layer with a weight, a bias, or both: their buffers, how they start, and how they step.
---
---A layer derived from it says how many inputs an output has (`__fanIn()`), calls
---`__addWeights(sizes of weight, sizes of bias)` in `__initialize`, where nil makes none, and
---computes with `self.weight` and `self.bias`.
---@class nn.Weighted: nn.Module
---@overload fun(...: any): nn.Weighted
nn.Weighted = {}

---y = x + b, with a learnt number for each element of a sample, or one for all.
---
---Shapes: x is N x ... or a single sample; b has as many elements as a sample, or one.
---@class nn.Add: nn.Weighted
---@overload fun(inputSize: integer, scalar?: any): nn.Add
nn.Add = {}

---y = x + c, element by element, with a number c, or a tensor of the size of x or of its samples.
---
---In place, `backward` takes c off the input again, which then is as it was before `forward`.
---@class nn.AddConstant: nn.Module
---@overload fun(constant_scalar: any, inplace?: boolean): nn.AddConstant
nn.AddConstant = {}

---Binary cross entropy: the mean over all elements of -t_i log(x_i) - (1 - t_i) log(1 - x_i), for
---probabilities x and t; logarithms stay above log(1e-12).
---Shapes: input and target of any shape with equal element counts.
---see nn.BCEWithLogitsCriterion
---@class nn.BCECriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.BCECriterion
nn.BCECriterion = {}

---Binary cross entropy of scores: nn.Sigmoid and nn.BCECriterion in one, exact for scores of any
---size. The mean over all elements of log(1 + e^x_i) - t_i x_i, for probabilities t.
---Shapes: input and target of any shape with equal element counts.
---@class nn.BCEWithLogitsCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.BCEWithLogitsCriterion
nn.BCEWithLogitsCriterion = {}

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
---@class nn.BatchNormalization: nn.Weighted
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): nn.BatchNormalization
nn.BatchNormalization = {}

---y_k = x1' W_k x2 + b_k, of two inputs.
---
---Shapes: the input is { N x inputSize1, N x inputSize2 }, W is outputSize x inputSize1 x
---inputSize2, b is outputSize, y is N x outputSize. W and b start uniform in ±1/sqrt(inputSize1).
---@class nn.Bilinear: nn.Weighted
---@overload fun(inputSize1: integer, inputSize2: integer, outputSize: integer, bias?: boolean): nn.Bilinear
nn.Bilinear = {}

---A module made of modules, kept in `self.modules`.
---@class nn.Container: nn.Module
---@field modules nn.Module[]
---@overload fun(...: any): nn.Container
nn.Container = {}

---A container of one module that passes everything on to it; for containers to derive from that
---change some of what it does.
---@class nn.Decorator: nn.Container
---@overload fun(module: nn.Module): nn.Decorator
nn.Decorator = {}

---A module for inputs of more dimensions than it takes: the first ones become one, and come back
---in its output.
---
---Shapes: x is D1 x ... x Dk x (its last nInputDim - 1 sizes); the module gets D1*...*Dk x (those)
---and gives D1*...*Dk x (nOutputDim - 1 sizes), and y is D1 x ... x Dk x (these).
---@class nn.Bottle: nn.Decorator
---@overload fun(nInputDim?: integer, nOutputDim?: integer): nn.Bottle
nn.Bottle = {}

---Modules side by side; for containers to derive from.
---
---A container says what goes to its i-th module and how results come together; the passes follow.
---
---   __count(input)                       how many modules take part; default all
---   __inputOf(input, i)                  what module i is given; default the input itself
---   __gradOutputOf(gradOutput, i)        module i's share of the gradient; default gradOutput[i]
---   __join(outputs, input)               the output, of the modules' outputs; default their list
---   __joinGradients(gradients, input)    gradInput, of the modules' gradInputs; likewise
---   __takeGradient(gradients, i, input)  that of module i has come: what must be read before the
---                                        next module may write over it; default nothing
---@class nn.Branches: nn.Container
---@overload fun(...: any): nn.Branches
nn.Branches = {}

---y = x + b, element by element, with learnt terms; b is repeated along its dimensions of size 1.
---
---Shapes: x is as b, or N x (as b); the output likewise.
---@class nn.CAdd: nn.Weighted
---@overload fun(size: torch.Storage): nn.CAdd
nn.CAdd = {}

---Tensors of one size, combined element by element; for table layers to derive from.
---
---A layer says how one more tensor joins the result, and what its gradient is:
---
---   __fold(y, x)            put x into y, in which those before it are
---   __pair(y, a, b)         the first two into y, where one operation does both
---   __partial(r, x, g, i)   the gradient by x[i] into r, which has its size; returns it
---@class nn.CTable: nn.Module
---@overload fun(...: any): nn.CTable
nn.CTable = {}

---The sum of a table of tensors of one size.
---@class nn.CAddTable: nn.CTable
---@overload fun(inplace?: any): nn.CAddTable
nn.CAddTable = {}

---A tensor added to each of a table: { v, { a, b } } becomes { v + a, v + b }.
---@class nn.CAddTensorTable: nn.Module
---@overload fun(...: any): nn.CAddTensorTable
nn.CAddTensorTable = {}

---The quotient of two tensors of one size, element by element: y = x[1] / x[2].
---@class nn.CDivTable: nn.CTable
---@overload fun(...: any): nn.CDivTable
nn.CDivTable = {}

---y = x where x > 0, else alpha (e^(x / alpha) - 1), element by element: an ELU whose derivative
---is continuous whatever alpha.
---Source: Barron, Continuously Differentiable Exponential Linear Units, 2017 (arXiv:1704.07483).
---@class nn.CELU: nn.Pointwise
---@overload fun(...: any): nn.CELU
nn.CELU = {}

---The largest element at each place of a table of tensors of one size; the gradient goes to the
---first that has it.
---@class nn.CMaxTable: nn.CTable
---@overload fun(...: any): nn.CMaxTable
nn.CMaxTable = {}

---The smallest element at each place of a table of tensors of one size; the gradient goes to the
---first that has it.
---@class nn.CMinTable: nn.CTable
---@overload fun(...: any): nn.CMinTable
nn.CMinTable = {}

---y = w x, element by element, with learnt factors; w is repeated along its dimensions of size 1.
---
---Shapes: x is as w, or N x (as w); the output likewise.
---@class nn.CMul: nn.Weighted
---@overload fun(size: torch.Storage): nn.CMul
nn.CMul = {}

---The product of a table of tensors of one size, element by element.
---@class nn.CMulTable: nn.CTable
---@overload fun(...: any): nn.CMulTable
nn.CMulTable = {}

---Modules one after the other: the output of each is the input of the next.
---
---With `net.joined = true`, or `nn.Sequential.joined = true` for all, neighbours are computed as
---one in evaluation (`net:evaluate()`): an nn.SpatialConvolution and the
---nn.SpatialBatchNormalization after it, by weights in which the normalisation's numbers are (made
---anew when a parameter or statistic changes, or at the next `evaluate()` where a script writes by
---a pointer of `data()`; anew at each call where a tensor lies in a mapped file, which other
---processes may write);
---these and an nn.ReLU; and where they end a branch of an nn.ConcatTable whose other branch is an
---nn.Identity or convolutions, the nn.CAddTable and nn.ReLU after it: a residual block. Sequences
---within sequences may be parts of it if they are `joined`, too.
---Of modules that are computed as one, all but the last have an empty `output` then, which is why
---nobody gets it unasked: scripts look at outputs. `backward` computes them when they are needed.
---While something hangs on `nn.seam`, modules run one by one.
---@class nn.Sequential: nn.Container
---@overload fun(...: any): nn.Sequential
nn.Sequential = {}

---y = max(0, x) and max(0, -x), one behind the other along the first dimension of a sample, which
---doubles.
---Source: Shang et al., Understanding and Improving Convolutional Neural Networks via Concatenated
---Rectified Linear Units, 2016 (arXiv:1603.05201).
---@class nn.CReLU: nn.Sequential
---@overload fun(nInputDims: integer, inplace?: boolean): nn.CReLU
nn.CReLU = {}

---The difference of two tensors of one size: y = x[1] - x[2].
---@class nn.CSubTable: nn.CTable
---@overload fun(...: any): nn.CSubTable
nn.CSubTable = {}

---Connectionist temporal classification: labels of a sequence without their places.
---
---The loss of a sample is -log of the probability that the classes of its frames, drawn from the
---softmax of each frame's scores, are its labels when repetitions are taken once and blanks are
---left out; the mean over the samples. Labels are class numbers, any but `blank`. A sample that is
---too short for its labels has the loss math.huge and the gradient 0.
---
---Half and bfloat16 are computed in float. A score of -math.huge makes its class impossible; what
---lies behind a sample's frames has no effect.
---
---Shapes: scores T x N x C (N x T x C with `batchFirst`) and a table of N tables or tensors of
---labels, or a tensor of N x L padded with 0; or T x C and one table or tensor of labels. `forward`
---and `backward` take the samples' numbers of frames as a third argument, a table or tensor of N.
---Source: Graves et al., Connectionist Temporal Classification, 2006.
---@class nn.CTCCriterion: nn.Criterion
---@overload fun(blank?: integer, sizeAverage?: boolean, batchFirst?: boolean): nn.CTCCriterion
nn.CTCCriterion = {}

---y = x limited to [min_val, max_val], element by element. The gradient is 0 at the limits.
---@class nn.HardTanh: nn.Pointwise
---@overload fun(...: any): nn.HardTanh
nn.HardTanh = {}

---y = x limited to [min_value, max_value], element by element: nn.HardTanh, whose limits have to
---be given.
---@class nn.Clamp: nn.HardTanh
---@overload fun(min_value: number, max_value: number): nn.Clamp
nn.Clamp = {}

---Negative log-likelihood of classes: the mean of -weights[t] * x[t], for log-probabilities x.
---
---Shapes: input N x nClasses and N targets, or nClasses and one target (of several, the first);
---targets count from 1. The mean divides by the sum of the weights of the targets, which `forward`
---returns too.
---@class nn.ClassNLLCriterion: nn.Criterion
---@overload fun(weights?: any, sizeAverage?: boolean, ignoreIndex?: integer): nn.ClassNLLCriterion
nn.ClassNLLCriterion = {}

---Mean squared error: the mean over all elements of (x_i - t_i)^2.
---Shapes: input and target of any shape with equal element counts.
---@class nn.MSECriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.MSECriterion
nn.MSECriterion = {}

---Classes as the corners of a regular simplex: the mean squared error between an input and the
---corner of its class. All corners are as far from each other, and 1 from the origin.
---Shapes: input N x nClasses and N targets, or nClasses and one target; targets count from 1.
---Source: Scale-invariant learning and convolutional networks, 2015 (arXiv:1506.08230).
---@class nn.ClassSimplexCriterion: nn.MSECriterion
---@overload fun(nClasses: integer): nn.ClassSimplexCriterion
nn.ClassSimplexCriterion = {}

---Layers that look at the scores of all classes together, in each sample and at each place.
---
---Shapes: C, N x C, C x H x W or N x C x H x W, with C the classes; the output is the same.
---`nn.Classwise:of('softmax', 'SoftMax')` makes such a layer of an operation with a dimension.
---@class nn.Classwise: nn.Module
---@overload fun(...: any): nn.Classwise
nn.Classwise = {}

---Layers whose output has the elements of the input, in the same order: the gradient is gradOutput
---in the input's shape. A layer derived from it gives the output.
---@class nn.SameElements: nn.Module
---@overload fun(...: any): nn.SameElements
nn.SameElements = {}

---The dimensions of a sample as one: `nn.View(-1)` that leaves the batch alone.
---@class nn.Collapse: nn.SameElements
---@overload fun(nInputDim: integer): nn.Collapse
nn.Collapse = {}

---Every module gets the input; the output is the table of their outputs.
---@class nn.ConcatTable: nn.Branches
---@overload fun(...: any): nn.ConcatTable
nn.ConcatTable = {}

---Every module gets the input; their outputs are joined along a dimension.
---@class nn.Concat: nn.ConcatTable
---@overload fun(dimension?: integer): nn.Concat
nn.Concat = {}

---A constant, whatever the input is. It is not learnt, and the gradient by the input is zero.
---@class nn.Constant: nn.Module
---@overload fun(value: any, nInputDim?: integer): nn.Constant
nn.Constant = {}

---The input in memory without gaps: itself, or a copy; likewise the gradient.
---@class nn.Contiguous: nn.SameElements
---@overload fun(...: any): nn.Contiguous
nn.Contiguous = {}

---Of two views {x1, x2} of each of N samples: the two shall be more alike than those of different
---samples. There is no target.
---
---With z the rows scaled to length 1, each row i of all 2N (x1 then x2) has the scores
---z_i . z_j / temperature for the others, and the loss is the mean cross entropy of these where the
---other view of the same sample is the class: NT-Xent. With `crossOnly` the rows of x1 are compared
---with those of x2 alone, and the loss is the mean over these N: InfoNCE.
---Shapes: x1 and x2 N x D.
---Source: Chen et al., A Simple Framework for Contrastive Learning, 2020 (arXiv:2002.05709); van
---den Oord, Li & Vinyals, Representation Learning with Contrastive Predictive Coding, 2018
---(arXiv:1807.03748).
---@class nn.ContrastiveCriterion: nn.Criterion
---@overload fun(temperature?: number, crossOnly?: boolean): nn.ContrastiveCriterion
nn.ContrastiveCriterion = {}

---The input in another order of dimensions, and of the layer's element type.
---
---Shapes are written as letters, one for a dimension, 'b' being the batch: from 'bchw' to 'chwb'
---dimensions move, from 'bchw' to 'bf' all but the batch become one, 'f'. From 'b' to 'bf' or 'bt'
---there is a dimension of size 1 more; from 'bf', with f of size 1, or 'bt' to 'b' there is one
---less, the first of the targets t being taken. A shape without 'b' is that of one sample; single
---samples and batches are taken either way. Without shapes only the type changes.
---@class nn.Convert: nn.Module
---@overload fun(inputShape?: string, outputShape?: string): nn.Convert
nn.Convert = {}

---What convolutions and their transposes have in common, for layers to derive from: how their
---numbers and weights come to the operations `conv`, `conv_backward_input` and
---`conv_backward_weight`.
---
---A layer derived from it defines `__axes`, one of nn.convolution.axes: which fields hold kernel,
---stride, padding and dilation; and those fields. Where its weight has another form than the
---operations want, it defines `__kernel()`, which returns it in that form, `__kernelGradient()`,
---where gradients of that form are added up, and `__takeGradient(gradient)`, which puts them where
---they belong.
---@class nn.Convolution: nn.Weighted
---@overload fun(...: any): nn.Convolution
nn.Convolution = {}

---The input as another tensor type; the gradient comes back as the input's.
---
---With one type for both, the input is passed on without a copy, unless `forceCopy` is given. With
---two, an input of any type will do: also after `type` has made one of them, as where a script
---converts a whole network that begins with a Copy from the CPU.
---@class nn.Copy: nn.Module
---@overload fun(intype?: string, outtype?: string, forceCopy?: boolean, dontCast?: boolean): nn.Copy
nn.Copy = {}

---Cosines of the angles to learnt vectors: y_j = x · w_j / (|x| |w_j|).
---
---Shapes: x is N x inputSize, or inputSize; W is outputSize x inputSize; y is N x outputSize, or
---outputSize. 1e-12 is added to each norm.
---@class nn.Cosine: nn.Weighted
---@overload fun(inputSize: integer, outputSize: integer): nn.Cosine
nn.Cosine = {}

---A number for each pair of vectors; for table layers to derive from.
---
---Shapes: { N x D, N x D } gives N; { D, D } gives 1. A layer computes with batches:
---
---   __measure(y, a, b)             the N numbers into y, whatever its shape
---   __differentiate(ga, gb, a, b, g)   the gradients into ga and gb, of a's size; g, the gradients
---                                  of the numbers, and `self:__column(v, a)` have that size too
---@class nn.PairMeasure: nn.Module
---@overload fun(...: any): nn.PairMeasure
nn.PairMeasure = {}

---The cosine of the angle between two vectors, or between the pairs of two batches:
---y = a'b / (|a| |b|), with 1e-12 added to each square.
---
---Shapes: { N x D, N x D } gives N; { D, D } gives 1.
---@class nn.CosineDistance: nn.PairMeasure
---@overload fun(...: any): nn.CosineDistance
nn.CosineDistance = {}

---Of pairs {x1, x2} of vectors: 1 - cos(x1, x2) where the target is 1, and
---max(0, cos(x1, x2) - margin) where it is -1; the mean over the pairs. A single pair may have a
---number for its target.
---Shapes: x1 and x2 D or N x D, target 1 or N.
---@class nn.CosineEmbeddingCriterion: nn.Criterion
---@overload fun(margin?: number, sizeAverage?: boolean): nn.CosineEmbeddingCriterion
nn.CosineEmbeddingCriterion = {}

---A criterion as a layer: its input is a table of a criterion's input and target, its output the
---loss, a number.
---@class nn.CriterionTable: nn.Module
---@overload fun(criterion: any): nn.CriterionTable
nn.CriterionTable = {}

---Cross entropy of scores and classes: nn.LogSoftMax and nn.ClassNLLCriterion in one.
---
---With labelSmoothing = e, a target stands for a share 1 - e of its class and e / nClasses of every
---class. Targets may be probabilities as well, one for each score, as mixed samples have them
---(dataset.transform.Mixup): -w[c] q[c] log p[c], summed over classes c and averaged over rows.
---Shapes: input N x nClasses and N targets, or nClasses and one target; dimensions of size 1 are
---dropped. Probabilities are real numbers in the input's shape, which may be nClasses x H x W or
---N x nClasses x H x W as well, with a row for each place.
---Source of smoothing: Szegedy et al., Rethinking the Inception Architecture, 2015
---(arXiv:1512.00567).
---@class nn.CrossEntropyCriterion: nn.Criterion
---@overload fun(weights?: any, sizeAverage?: boolean, labelSmoothing?: number): nn.CrossEntropyCriterion
nn.CrossEntropyCriterion = {}

---As nn.Concat, for outputs whose other dimensions differ: the smaller ones lie in the middle of
---zeros, of the size of the largest.
---
---The middle of an odd difference is half an element off, towards the first: sizes in one net had
---better be all odd or all even.
---Source: Szegedy et al., CVPR 2015 (arXiv:1409.4842).
---@class nn.DepthConcat: nn.Concat
---@overload fun(dimension?: integer): nn.DepthConcat
nn.DepthConcat = {}

---Kullback-Leibler divergence of a distribution from the target: the mean over all elements of
---t_i (log t_i - x_i) where t_i > 0, for log-probabilities x.
---Shapes: input and target of any shape with equal element counts.
---@class nn.DistKLDivCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.DistKLDivCriterion
nn.DistKLDivCriterion = {}

---Of triplets: the mean over all of log(1 + e^(Ds - Dd)), for {Ds, Dd}, the distances of a sample
---from one that is similar and from one that is not. There is no target.
---Shapes: Ds and Dd of any shape with equal element counts.
---Source: Hoffer, Hubara & Ailon, Deep Unsupervised Learning through Spatial Contrasting, 2016
---(arXiv:1610.00243).
---@class nn.DistanceRatioCriterion: nn.Criterion
---@overload fun(sizeAverage?: boolean): nn.DistanceRatioCriterion
nn.DistanceRatioCriterion = {}

---What a small net learns from a large one, and from the classes themselves:
---
---   loss = share T^2 KL(softmax(teacher / T) | softmax(input / T)) + (1 - share) cross entropy
---
---A temperature T above 1 shows which wrong classes the teacher finds likely; T^2 keeps the
---gradients as large as those of the classes. Both parts are means over samples.
---
---Shapes: input N x C scores; target { the teacher's scores, N x C; N classes }, or with share = 1
---the teacher's scores alone.
---Source: Hinton, Vinyals and Dean, Distilling the Knowledge in a Neural Network, 2015
---(arXiv:1503.02531).
---@class nn.DistillationCriterion: nn.Criterion
---@overload fun(temperature?: number, share?: number): nn.DistillationCriterion
nn.DistillationCriterion = {}

---A module that keeps its element type when the net around it is converted.
---
---With `castin` inputs and gradients are converted for it, with `castout` its results are converted
---to the type that the net has; without them they must be of the module's type.
---@class nn.DontCast: nn.Decorator
---@overload fun(castin?: boolean, castout?: boolean, moduleType?: string): nn.DontCast
nn.DontCast = {}

---The dot product of two vectors, or of the pairs of two batches: y = sum of a b.
---
---Shapes: { N x D, N x D } gives N; { D, D } gives 1.
---@class nn.DotProduct: nn.PairMeasure
---@overload fun(...: any): nn.DotProduct
nn.DotProduct = {}

---Zeroes each element with probability p while training, and scales the others by 1/(1-p), so that
---the expected output is the input. The identity in evaluation.
---Source: Srivastava et al., JMLR 15 (2014), 1929-1958.
---@class nn.Dropout: nn.Module
---@overload fun(p?: number, v1?: boolean, inplace?: any, stochasticInference?: boolean): nn.Dropout
nn.Dropout = {}

---y = x where x > 0, else alpha (e^x - 1), element by element.
---Source: Clevert, Unterthiner & Hochreiter, Exponential Linear Units, 2015 (arXiv:1511.07289).
---@class nn.ELU: nn.Pointwise
---@overload fun(...: any): nn.ELU
nn.ELU = {}

---Distances to learnt centres: y_j = |x - w_j|.
---
---Shapes: x is N x inputSize, or inputSize; W is inputSize x outputSize, a centre in each column; y
---is N x outputSize, or outputSize.
---@class nn.Euclidean: nn.Weighted
---@overload fun(inputSize: integer, outputSize: integer): nn.Euclidean
nn.Euclidean = {}

---y = e^x, element by element.
---@class nn.Exp: nn.Pointwise
---@overload fun(...: any): nn.Exp
nn.Exp = {}

---The largest or smallest element along a dimension, which the output lacks.
---`nn.Extremum:of('max', 'Max')` makes such a layer.
---@class nn.Extremum: nn.Module
---@overload fun(dimension?: integer, nInputDims?: integer): nn.Extremum
nn.Extremum = {}

---Rounds to what 8 bits can stand for, and lets gradients through: a net that is trained with it
---learns weights that rounding does not hurt.
---
---y = scale (min(max(round(x / scale) + zero, 0), 255) - zero). The range is followed while
---training: a moving average of the batches' extremes. dL/dx = dL/dy where x is within the range,
---else 0 (the straight-through estimator). nn.quantize reads the range off it.
---Source: Jacob et al., Quantization and Training of Neural Networks for Efficient
---Integer-Arithmetic-Only Inference, CVPR 2018.
---@class nn.FakeQuantize: nn.Module
---@overload fun(momentum?: number): nn.FakeQuantize
nn.FakeQuantize = {}

---A layer whose weight is computed from other parameters, which are learnt in its place: for
---containers to derive from.
---
---`weight` and `gradWeight` are those of the layer inside, `bias` and `gradBias` its own parameters
---still. A derived class has fields for what is learnt, names them in `parameters`, computes the
---weight in `updateWeight`, and turns `gradWeight` into its gradients in `accGradParameters`.
---see nn.WeightNorm
---see nn.SpectralNorm
---@class nn.Reparametrised: nn.Decorator
---@overload fun(outputDim?: integer): nn.Reparametrised
nn.Reparametrised = {}

---A layer whose weight is rounded to what 8 bits can stand for, while the numbers before rounding
---are learnt: w = s round(v / s), with s the largest magnitude of an output's v (or of all) / 127.
---
---dL/dv = dL/dw (the straight-through estimator; no v is beyond the range).
---see nn.fakeQuantize
---@class nn.FakeQuantizedWeight: nn.Reparametrised
---@overload fun(module: nn.Module, perChannel?: boolean): nn.FakeQuantizedWeight
nn.FakeQuantizedWeight = {}

---What pooling layers have in common; for layers to derive from.
---@class nn.Pooling: nn.Module
---@overload fun(...: any): nn.Pooling
nn.Pooling = {}

---The p-norm over windows of `width` features: y_k = (sum over i of x_(k stride + i)^p)^(1/p).
---
---Where a y is 0 its gradient is 0.
---
---Shapes: input F, F x A or F x A x B; with batch_mode N x F, N x F x A or N x F x A x B. Output
---likewise with floor((F - width) / stride) + 1 features.
---@class nn.FeatureLPPooling: nn.Pooling
---@overload fun(width: integer, stride: integer, power: number, batch_mode?: boolean): nn.FeatureLPPooling
nn.FeatureLPPooling = {}

---Two linear layers with a GELU between them, at every position alike.
---
---y = V dropout(gelu(W x + b)) + c
---
---Shapes: x is N x T x features, or N x features; y likewise. The gradients by inputs inside share
---memory; `shareGradInput(false)` keeps them.
---@class nn.FeedForward: nn.Container
---@overload fun(features: integer, hidden: integer, p?: number): nn.FeedForward
nn.FeedForward = {}

---Layers that compute nothing: their output is made of the input's tensors, or of parts of them,
---in another arrangement. For table layers to derive from.
---
---What they hold are the user's tensors: they let go of them where other layers empty or convert
---their buffers.
---@class nn.Routing: nn.Module
---@overload fun(...: any): nn.Routing
nn.Routing = {}

---The tensors of a nested table, in order, in one table: { a, { b, { c } } } becomes { a, b, c }.
---
---The output is the same table as long as the input has the same tensors in the same places.
---@class nn.FlattenTable: nn.Routing
---@overload fun(...: any): nn.FlattenTable
nn.FlattenTable = {}

---Binary cross entropy of scores, where what is certain already counts less: the mean over all
---elements of weight (1 - p)^gamma -log(p), where p is the probability that the score x_i gives its
---target, 0 or 1; weight is alpha for targets 1 and 1 - alpha for targets 0.
---Shapes: input and target of any shape with equal element counts.
---Source: Lin et al., Focal Loss for Dense Object Detection, 2017 (arXiv:1708.02002).
---@class nn.FocalCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.FocalCriterion
nn.FocalCriterion = {}

---What fractional max pooling has in common in all dimensions; for layers to derive from.
---
---Windows of one size lie where random numbers put them, drawn anew for each plane and call, one
---for each direction: see `fixPoolingRegions`. Output sizes are given, or ratios of the input's.
---
---Source: Graham, "Fractional max-pooling", 2014 (arXiv:1412.6071).
---@class nn.FractionalMaxPooling: nn.Pooling
---@overload fun(...: any): nn.FractionalMaxPooling
nn.FractionalMaxPooling = {}

---What transposed convolutions have in common, for layers to derive from: each input element is
---spread over a window of the output, so that the output is what the gradient of a convolution's
---input is.
---
---The input may be a table { tensor, like }: then the numbers `adj…` are chosen so that the output
---has the last sizes of `like`. Its gradient is zero, kept in a single element.
---@class nn.FullConvolution: nn.Convolution
---@overload fun(...: any): nn.FullConvolution
nn.FullConvolution = {}

---y = x Phi(x), element by element, where Phi(x) is the probability that a normal variable is at
---most x; or, with `tanh`, its approximation x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
---Source: Hendrycks & Gimpel, Gaussian Error Linear Units, 2016 (arXiv:1606.08415).
---@class nn.GELU: nn.Module
---@overload fun(tanh?: boolean): nn.GELU
nn.GELU = {}

---A module on a device of its own: inputs are copied there, outputs to `outdevice`, gradients to
---where the input came from.
---
---As long as the net is on the CPU everything passes through; the module moves when the net is
---converted to a CUDA type. `getParameters` gives lists then, a vector for each device, on which
---`optim.groups { optim.adam }` steps; `net:zeroGradParameters()` and `optim.clipGradNorm` do what
---one vector's methods would.
---@class nn.GPU: nn.Decorator
---@overload fun(device: integer, outdevice?: integer): nn.GPU
nn.GPU = {}

---What nn.RNN, nn.LSTM and nn.GRU share: whole sequences in one call, in several layers and both
---directions, from given states, of different lengths, with states kept from call to call.
---
---Input: the sequences x, of size T x N x inputSize (steps, sequences, features), with `batchFirst`
---N x T x inputSize, or one sequence T x inputSize. Or a table { x, states to begin with... }, h0
---(of nn.LSTM also c0) of size layers x N x hiddenSize, both directions of a layer one after the
---other; with `lengths`, a LongTensor or table of N, in it where the sequences end before T: their
---outputs are 0 from there on. The gradient is of the same form.
---
---Output: h of the last layer at every step, T x N x hiddenSize, twice as wide with both
---directions. `finalState()` returns the last states, in the form of those to begin with.
---
---Truncated backpropagation through time: with `remember(true)` a call begins with the states that
---the last one ended with, and gradients stop there; `forget()` begins anew.
---
---Parameters have PyTorch's order, so that weights can be exchanged: `weight` is all weights in one
---vector, `bias` all biases; `parts(layer[, reverse])` gives the views weight_ih (gates *
---hiddenSize x inputs), weight_hh (gates * hiddenSize x hiddenSize), bias_ih and bias_hh of a
---layer. All start uniform in ±1/sqrt(hiddenSize).
---@class nn.Recurrence: nn.Weighted
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, bias?: boolean, batchFirst?: boolean, dropout?: number, bidirectional?: boolean): nn.Recurrence
nn.Recurrence = {}

---Gated recurrent units over whole sequences.
---
---r, z = sigmoid(W x + b + U h + b'), n = tanh(W x + b + r (U h + b')), h <- (1 - z) n + z h
---
---Gates lie in the order r, z, n, and r acts behind the product, as in PyTorch and cuDNN. Input,
---output, states and options: nn.Recurrence.
---
---Source: Cho et al., EMNLP 2014 (arXiv:1406.1078).
---@class nn.GRU: nn.Recurrence
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, bias?: boolean, batchFirst?: boolean, dropout?: number, bidirectional?: boolean): nn.GRU
nn.GRU = {}

---y = a / (1 + e^-b), where a and b are the halves of x along a dimension.
---Source: Dauphin et al., Language Modeling with Gated Convolutional Networks, 2016
---(arXiv:1612.08083).
---@class nn.GatedLinearUnit: nn.Module
---@overload fun(dim?: integer): nn.GatedLinearUnit
nn.GatedLinearUnit = {}

---output = input, gradInput = -lambda gradOutput: what is in front of it learns the opposite.
---Source: Ganin et al., JMLR 17 (2016), 1-35 (arXiv:1505.07818).
---@class nn.GradientReversal: nn.Module
---@overload fun(lambda?: number): nn.GradientReversal
nn.GradientReversal = {}

---What layers that normalise each sample by itself share: rows with mean 0 and variance 1, then a
---weight and a bias for each feature.
---
---A class says how its input falls into rows: `__rows(x)` returns the elements of a row, after how
---many rows weight and bias begin again, and how many neighbours have one number of them; it raises
---for an input of a wrong shape.
---@class nn.RowNormalization: nn.Weighted
---@overload fun(...: any): nn.RowNormalization
nn.RowNormalization = {}

---The planes of each sample, in groups with mean 0 and variance 1, then scaled and shifted.
---
---y = (x - mean) / sqrt(var + eps) * weight + bias, mean and (biased) variance over the planes of a
---group and all their elements; weight and bias have a number for each plane. One group is a layer
---normalisation over C x ..., as many groups as planes are nn.InstanceNorm.
---
---Shapes: x is N x planes or N x planes x ...
---
---Source: Wu and He, "Group normalization", ECCV 2018 (arXiv:1803.08494).
---@class nn.GroupNorm: nn.RowNormalization
---@overload fun(groups: integer, planes: integer, eps?: number, affine?: boolean): nn.GroupNorm
nn.GroupNorm = {}

---y = x where |x| > lambda, else 0, element by element.
---@class nn.HardShrink: nn.Pointwise
---@overload fun(...: any): nn.HardShrink
nn.HardShrink = {}

---y = x / 6 + 1 / 2 limited to [0, 1], element by element.
---Source: Howard et al., Searching for MobileNetV3, 2019 (arXiv:1905.02244).
---@class nn.HardSigmoid: nn.Pointwise
---@overload fun(...: any): nn.HardSigmoid
nn.HardSigmoid = {}

---y = x times x / 6 + 1 / 2 limited to [0, 1], element by element.
---Source: Howard et al., Searching for MobileNetV3, 2019 (arXiv:1905.02244).
---@class nn.HardSwish: nn.Pointwise
---@overload fun(...: any): nn.HardSwish
nn.HardSwish = {}

---Of distances: the mean over all elements of x_i where t_i is 1, max(0, margin - x_i) where it
---is -1. A single distance may have a number for its target.
---Shapes: input and target of any shape with equal element counts.
---Source: Hadsell, Chopra & LeCun, Dimensionality Reduction by Learning an Invariant Mapping, 2006.
---@class nn.HingeEmbeddingCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.HingeEmbeddingCriterion
nn.HingeEmbeddingCriterion = {}

---The mean over all elements of (x_i - t_i)^2 / 2 where |x_i - t_i| < delta, else
---delta (|x_i - t_i| - delta / 2).
---Shapes: input and target of any shape with equal element counts.
---Source: Huber, Robust Estimation of a Location Parameter, 1964.
---@class nn.HuberCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.HuberCriterion
nn.HuberCriterion = {}

---output = input, the very same object; gradInput = gradOutput.
---@class nn.Identity: nn.Module
---@overload fun(...: any): nn.Identity
nn.Identity = {}

---The slices of a tensor at given positions: `{ x, positions }` gives
---`x:index(dimension, positions)`.
---
---The gradient by x is a sum over the times that a slice is taken; by the positions it is zero.
---@class nn.Index: nn.Module
---@overload fun(dimension: integer): nn.Index
nn.Index = {}

---nn.Linear for sparse inputs of very many features: z = y W + b, where y are the values of the
---features named by keys.
---
---Inputs: `{ keys, values }` is a sample, n keys in a LongTensor and n values, the output has
---outputSize elements; with tables of such tensors it is a batch, as is `{ keys, values, sizes }`
---with all samples one behind the other and the number of keys of each; the output is N x
---outputSize then. Keys count from 1 + keysOffset to inputSize + keysOffset. With `doGradInput`,
---gradInput is the input's keys and the gradients by all features: inputSize for a sample, a table
---of them for a table, N x inputSize otherwise. The gradient of values that are Variables has their
---own form, without `doGradInput`, too. The gradient by the weight is dense.
---
---With `normalize`, the value x of a feature is taken as y = x / m + c, with x / m cut to ±1, where
---m is the largest magnitude that the feature has had in training, and c is learnt for each
---feature. The first 4 columns of the weight, inputSize x (4 + outputSize), are m, 1/m, 1 for
---features that occurred, and c then.
---@class nn.IndexLinear: nn.Weighted
---@overload fun(inputSize?: integer, outputSize?: integer, doGradInput?: boolean, keysOffset?: integer, weight?: torch.Tensor, bias?: torch.Tensor, normalize?: boolean): nn.IndexLinear
nn.IndexLinear = {}

---Each plane of each sample with mean 0 and variance 1, by itself; the same in training and in
---evaluation.
---
---y = (x - mean) / sqrt(var + eps) [* weight + bias]: nn.GroupNorm with a group for each plane.
---
---Shapes: x is N x planes x ...
---
---Source: Ulyanov, Vedaldi and Lempitsky, 2016 (arXiv:1607.08022).
---@class nn.InstanceNorm: nn.GroupNorm
---@overload fun(planes: integer, eps?: number, affine?: boolean): nn.InstanceNorm
nn.InstanceNorm = {}

---A table of tensors, joined along a dimension.
---@class nn.JoinTable: nn.Module
---@overload fun(dimension: integer, nInputDims?: integer): nn.JoinTable
nn.JoinTable = {}

---k-means: the number of the centroid that is nearest to each sample.
---
---Shapes: N x dim, or dim; the output is a LongTensor of N numbers from 1 to k, or of one. `loss`
---is the sum of the squared distances of the last forward. The gradient of a centroid is its
---difference from the mean of its samples, whatever gradOutput is: a step with learning rate 1 is
---one of Lloyd's algorithm. gradInput is zero.
---Source: Lloyd, IEEE Trans. Information Theory 28 (1982), 129-137.
---@class nn.Kmeans: nn.Weighted
---@overload fun(k: integer, dim: integer, scale?: number): nn.Kmeans
nn.Kmeans = {}

---The sum of the absolute values of an input; there is no target.
---@class nn.L1Cost: nn.Criterion
---@overload fun(...: any): nn.L1Cost
nn.L1Cost = {}

---Of a pair {x1, x2}: the sum d of |x1_i - x2_i| where the target is 1, max(0, margin - d) where
---it is -1.
---Shapes: x1 and x2 of any shape with equal element counts, one target.
---@class nn.L1HingeEmbeddingCriterion: nn.Criterion
---@overload fun(margin?: number): nn.L1HingeEmbeddingCriterion
nn.L1HingeEmbeddingCriterion = {}

---A layer that passes its input on and adds to the gradient that of a penalty,
---l1weight sum |x_i|, which `loss` is after `forward`.
---@class nn.L1Penalty: nn.Module
---@overload fun(l1weight: number, sizeAverage?: boolean, provideOutput?: boolean): nn.L1Penalty
nn.L1Penalty = {}

---Long short-term memory over whole sequences.
---
---i, f, o = sigmoid(W x + b + U h + b'), g = tanh(...), c <- f c + i g, h <- o tanh(c)
---
---Gates lie in the order i, f, g, o, as PyTorch's. Input, output, states and options:
---nn.Recurrence.
---
---Source: Hochreiter and Schmidhuber, Neural Computation 9 (1997); forget gates: Gers, Schmidhuber
---and Cummins, Neural Computation 12 (2000).
---@class nn.LSTM: nn.Recurrence
---@overload fun(inputSize: integer, hiddenSize: integer, numLayers?: integer, bias?: boolean, batchFirst?: boolean, dropout?: number, bidirectional?: boolean): nn.LSTM
nn.LSTM = {}

---A function of Variables as a layer: its gradients are found by going back through what it does.
---
---The function gets the input and the parameters, tensors or nested tables of them, with names or
---without, and gives a tensor or a table of such. `parameters` is a list of tensors, whose
---gradients are accumulated in `gradWeights`. A function that is saved must need no upvalues but
---libraries.
---@class nn.Lambda: nn.Module
---@overload fun(...: any): nn.Lambda
nn.Lambda = {}

---Each sample with mean 0 and variance 1 over its last dimensions, then scaled and shifted.
---
---y = (x - mean) / sqrt(var + eps) * weight + bias, mean and (biased) variance of the features of
---one sample, or one position of it. The same in training and in evaluation.
---
---Shapes: x is ... x size, for a size of one or more dimensions; weight and bias are as size.
---
---Source: Ba, Kiros and Hinton, "Layer normalization", 2016 (arXiv:1607.06450).
---@class nn.LayerNorm: nn.RowNormalization
---@overload fun(size: any, eps?: number, affine?: boolean, bias?: boolean): nn.LayerNorm
nn.LayerNorm = {}

---Torch7's layer normalisation: of the last dimension, with eps added to the sum of squares.
---
---y = (x - mean) / sqrt(var + eps / nOutput) * weight + bias. nn.LayerNorm is today's.
---
---Shapes: x is N x nOutput or nOutput; the output likewise.
---@class nn.LayerNormalization: nn.LayerNorm
---@overload fun(nOutput: integer, bias?: number, eps?: number, affine?: boolean): nn.LayerNormalization
nn.LayerNormalization = {}

---y = x where x > 0, else negval x, element by element.
---Source: Maas, Hannun & Ng, Rectifier Nonlinearities Improve Neural Network Acoustic Models, 2013.
---@class nn.LeakyReLU: nn.Pointwise
---@overload fun(...: any): nn.LeakyReLU
nn.LeakyReLU = {}

---Adds to each position of a sequence a learnt vector: y[t] = x[t] + weight[t].
---
---Shapes: x is N x T x features or T x features, T up to maxLength; weight maxLength x features,
---normal with deviation 0.02 to begin with.
---@class nn.LearnedPositions: nn.Weighted
---@overload fun(maxLength: integer, features: integer): nn.LearnedPositions
nn.LearnedPositions = {}

---Fully connected layer: y = x W' + b.
---
---Shapes: x is N x inputSize (or inputSize for one sample), W is outputSize x inputSize, b is
---outputSize, y is N x outputSize. W and b start uniform in ±1/sqrt(inputSize).
---@class nn.Linear: nn.Weighted
---@overload fun(inputSize: integer, outputSize: integer, bias?: boolean): nn.Linear
nn.Linear = {}

---nn.Linear whose weight is g v / |v|, row by row: length and direction are learnt apart.
---
---Parameters: v, outputSize x inputSize; g, outputSize x 1; the bias. `weight` is made of them by
---each forward in training, and by `evaluate()`.
---Source: Salimans and Kingma, NIPS 2016 (arXiv:1602.07868), equations 2 and 3.
---@class nn.LinearWeightNorm: nn.Linear
---@overload fun(inputSize: integer, outputSize: integer, bias?: boolean, eps?: number): nn.LinearWeightNorm
nn.LinearWeightNorm = {}

---y = the natural logarithm of x, element by element.
---@class nn.Log: nn.Pointwise
---@overload fun(...: any): nn.Log
nn.Log = {}

---y = log(1 / (1 + e^-x)), element by element; exact to the last digits where that is far from 0,
---too.
---@class nn.LogSigmoid: nn.Pointwise
---@overload fun(...: any): nn.LogSigmoid
nn.LogSigmoid = {}

---y_i = x_i - log(sum_j e^x_j) over the classes: the logarithms of probabilities.
---@class nn.LogSoftMax: nn.Classwise
---@overload fun(...: any): nn.LogSoftMax
nn.LogSoftMax = {}

---Learnt vectors, looked up by position: y_i = W[x_i], as for the words of a text.
---
---Shapes: x is positions from 1 to nIndex, of any element type and size (N, or N x T); W is nIndex
---x nOutput, normally distributed at first; y is x's size x nOutput. Positions have no gradient:
---gradInput is zero, in x's type and size.
---
---The row of `paddingValue` is looked up like any other, and never learns. With `maxNorm`, each row
---that is looked up is first scaled down to that norm, in W itself. After `scaleGradByFreq` the
---gradient of a row is divided by how often the batch has it.
---@class nn.LookupTable: nn.Weighted
---@overload fun(nIndex: integer, nOutput: integer, paddingValue?: integer, maxNorm?: number, normType?: number): nn.LookupTable
nn.LookupTable = {}

---The product of two matrices A and B, or of the pairs of two batches, each plain or transposed.
---
---Shapes: { M x K, K x N } gives M x N (of a transposed one the sizes are swapped); in batches each
---tensor has a dimension in front.
---@class nn.MM: nn.Module
---@overload fun(transA?: boolean, transB?: boolean): nn.MM
nn.MM = {}

---The product of a matrix M, as it is or transposed, and a vector; or of the pairs of two batches.
---
---Shapes: { M x N, N } gives M; { N x M, N } transposed; in batches each tensor has a dimension in
---front.
---@class nn.MV: nn.Module
---@overload fun(trans?: boolean): nn.MV
nn.MV = {}

---One module for every entry of a table: entry i goes through the i-th clone of it.
---
---Clones are made as they are needed, and kept; they share weights and gradients unless told
---not to.
---@class nn.MapTable: nn.Branches
---@overload fun(module?: nn.Module, shared?: boolean): nn.MapTable
nn.MapTable = {}

---The mean over all elements of max(0, margin - t_i x_i), for targets 1 and -1.
---Shapes: input and target of any shape with equal element counts.
---@class nn.MarginCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.MarginCriterion
nn.MarginCriterion = {}

---Of pairs that shall be in an order: the mean over all of max(0, margin - t (x1 - x2)), for
---scores {x1, x2} and a target of 1 where x1 shall be the larger, -1 where x2. A single pair may
---have a number for its target.
---Shapes: x1, x2 and target of any shape with equal element counts.
---@class nn.MarginRankingCriterion: nn.Criterion
---@overload fun(margin?: number, sizeAverage?: boolean): nn.MarginRankingCriterion
nn.MarginRankingCriterion = {}

---The elements of a tensor where a mask has 1, as a vector: `{ x, mask }` gives
---`x:maskedSelect(mask)`. The mask is a ByteTensor (CudaByteTensor) of x's size; its gradient is
---zero.
---@class nn.MaskedSelect: nn.Module
---@overload fun(...: any): nn.MaskedSelect
nn.MaskedSelect = {}

---The largest element along a dimension, which the output lacks; the gradient goes to it alone.
---With `nInputDims`, an input with one dimension more is a batch.
---@class nn.Max: nn.Extremum
---@overload fun(dimension?: integer, nInputDims?: integer): nn.Max
nn.Max = {}

---The largest of several linear functions, for each output: y = max over k of (W_k x + b_k).
---
---Shapes: x is N x inputSize, or inputSize for one sample; y is N x outputSize. It is a sequence of
---nn.Linear, nn.View and nn.Max.
---Source: Goodfellow et al., ICML 2013 (arXiv:1302.4389).
---@class nn.Maxout: nn.Sequential
---@overload fun(inputSize: integer, outputSize: integer, maxoutNumber: integer, preprocess?: nn.Module): nn.Maxout
nn.Maxout = {}

---The sum along a dimension, or the mean.
---@class nn.Sum: nn.Module
---@overload fun(dimension?: integer, nInputDims?: integer, sizeAverage?: boolean, squeeze?: boolean): nn.Sum
nn.Sum = {}

---The mean along a dimension.
---@class nn.Mean: nn.Sum
---@overload fun(dimension?: integer, nInputDims?: integer, squeeze?: boolean): nn.Mean
nn.Mean = {}

---The smallest element along a dimension, which the output lacks; the gradient goes to it alone.
---With `nInputDims`, an input with one dimension more is a batch.
---@class nn.Min: nn.Extremum
---@overload fun(dimension?: integer, nInputDims?: integer): nn.Min
nn.Min = {}

---y = x tanh(log(1 + e^x)), element by element.
---Source: Misra, Mish: A Self Regularized Non-Monotonic Activation Function, 2019
---(arXiv:1908.08681).
---@class nn.Mish: nn.Pointwise
---@overload fun(...: any): nn.Mish
nn.Mish = {}

---A mixture of experts: the sum of their outputs, weighted by a gater's.
---
---Shapes: the input is { gater, experts }. The gater is N x E, or E for one sample; the experts are
---a table of E tensors N x ... (without N for one sample), or one tensor in which they are the
---slices along `dim`. The output is as one expert.
---Source: Jacobs et al., Neural Computation 3 (1991), 79-87.
---@class nn.MixtureTable: nn.Module
---@overload fun(dim?: integer): nn.MixtureTable
nn.MixtureTable = {}

---A criterion that sees its input and its target through modules.
---
---The input's module must have no parameters: nobody would update them.
---@class nn.ModuleCriterion: nn.Criterion
---@overload fun(criterion: any, inputModule?: any, targetModule?: any, castTarget?: boolean): nn.ModuleCriterion
nn.ModuleCriterion = {}

---y = w x, with one learnt factor w for all elements.
---@class nn.Mul: nn.Weighted
---@overload fun(...: any): nn.Mul
nn.Mul = {}

---y = c x, element by element.
---
---In place, `backward` divides the input by c, which then is as it was before `forward`.
---@class nn.MulConstant: nn.Module
---@overload fun(constant_scalar: number, inplace?: boolean): nn.MulConstant
nn.MulConstant = {}

---The weighted sum of criterions that see the same input and target.
---@class nn.MultiCriterion: nn.Criterion
---@overload fun(...: any): nn.MultiCriterion
nn.MultiCriterion = {}

---Attention by several heads: each projects queries, keys and values to a part of the features,
---and a last projection joins what they found.
---
---Input: a sequence x, N x T x features (self-attention); { x, context }, where keys and values
---come from the context, N x S x features; or { q, k, v }. `input.mask` as
---nn.ScaledDotProductAttention's: of padding, a ByteTensor of N x S with 1 behind the end of each
---sequence. Output: N x T x features.
---
---The modules are nn.Linear: of queries, keys, values, and of the output. PyTorch's in_proj_weight
---is the first three weights one below the other. `rotary` may be an nn.RotaryEmbedding(features /
---heads), which then turns queries and keys. The gradients by inputs inside share memory;
---`shareGradInput(false)` keeps them.
---
---Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762), 3.2.2.
---@class nn.MultiHeadAttention: nn.Container
---@overload fun(features: integer, heads: integer, causal?: boolean, p?: number, bias?: boolean): nn.MultiHeadAttention
nn.MultiHeadAttention = {}

---Margins of some classes against all others: the mean over the samples of the sum over targets j
---and classes i that are none of max(0, 1 - x[t_j] + x[i]) / C.
---Shapes: input and target C or N x C; a sample's targets end at the first 0, and count from 1.
---@class nn.MultiLabelMarginCriterion: nn.Criterion
---@overload fun(sizeAverage?: boolean): nn.MultiLabelMarginCriterion
nn.MultiLabelMarginCriterion = {}

---Several labels for one sample: the mean over all elements of log(1 + e^x_i) - t_i x_i, for
---scores x and targets 0 or 1.
---Shapes: input and target C or N x C.
---@class nn.MultiLabelSoftMarginCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.MultiLabelSoftMarginCriterion
nn.MultiLabelSoftMarginCriterion = {}

---Margins of a class against all others: the mean over the samples of the sum over i of
---weights[t] max(0, margin - x[t] + x[i])^p / C, without i = t.
---Shapes: input N x C and N targets, or C and one target; targets count from 1.
---Source: Crammer & Singer, On the Algorithmic Implementation of Multiclass Kernel-based Vector
---Machines, 2001.
---@class nn.MultiMarginCriterion: nn.Criterion
---@overload fun(p?: number, weights?: any, margin?: number, sizeAverage?: boolean): nn.MultiMarginCriterion
nn.MultiMarginCriterion = {}

---Passes everything on to a module, and raises where its output or its gradients are no numbers.
---
---`net:replace(function(m) return nn.NaN(m) end)` finds out where in a net that begins.
---@class nn.NaN: nn.Decorator
---@overload fun(id?: number): nn.NaN
nn.NaN = {}

---Layers whose output is a copy of a part of the input; the gradient is zero elsewhere. A layer
---derived from it defines `__part(r, x)`.
---@class nn.Part: nn.Module
---@overload fun(...: any): nn.Part
nn.Part = {}

---Consecutive slices of the input along a dimension; a copy.
---
---A negative length counts from the end: -1 is up to the last slice, -2 up to the one before. A
---negative offset leaves out `length` slices at the end: `nn.Narrow(2, -1, 7)` keeps the first 3 of
---10.
---@class nn.Narrow: nn.Part
---@overload fun(dimension: integer, offset: integer, length?: integer): nn.Narrow
nn.Narrow = {}

---Some entries of a table, in a row: the output is a table of them.
---
---The gradients by the other entries are zeros.
---@class nn.NarrowTable: nn.Routing
---@overload fun(offset: integer, length?: integer): nn.NarrowTable
nn.NarrowTable = {}

---Each sample divided by its p-norm: y = x / n with n = (sum_i |x_i|^p + eps)^(1/p), or
---n = max_i |x_i| + eps for p = math.huge.
---
---Shapes: N x D, or D for one sample; the output is the same.
---@class nn.Normalize: nn.Module
---@overload fun(p: number, eps?: number): nn.Normalize
nn.Normalize = {}

---Classes as vectors that are 1 at the class and 0 elsewhere; the gradient is zero.
---
---Shapes: classes from 1 to outputSize in a tensor of any size and element type give that size x
---outputSize; a number gives outputSize.
---@class nn.OneHot: nn.Module
---@overload fun(outputSize: integer): nn.OneHot
nn.OneHot = {}

---y = x where x > 0, else w x, with a learnt slope w: one, or one for each plane.
---
---Shapes: any for one slope; nOutputPlane x ... or N x nOutputPlane x ... else: the first dimension
---of 1 and of 3, the second of 2 and of 4 and more are the planes.
---Source: He et al., Delving Deep into Rectifiers, 2015 (arXiv:1502.01852).
---@class nn.PReLU: nn.Weighted
---@overload fun(nOutputPlane?: integer): nn.PReLU
nn.PReLU = {}

---A fully connected layer with weights of 4 or 8 bits: y = x W' + b in floats, where each group of
---a row's columns has a scale and a zero, W = scale (code - zero).
---
---What reading weights costs is the time of a large layer with few samples: these are an eighth or
---a quarter of the floats' bytes. The weights do not learn; gradInput is that of the layer. Shapes:
---as for nn.Linear.
---@class nn.PackedLinear: nn.Module
---@overload fun(layer: nn.Module, bits?: integer, group?: integer): nn.PackedLinear
nn.PackedLinear = {}

---Vectors that are looked up by position, kept as numbers of 4 or 8 bits: see nn.PackedLinear.
---
---Shapes: as for nn.LookupTable. The vectors do not learn.
---@class nn.PackedLookupTable: nn.Module
---@overload fun(layer: nn.Module, bits?: integer, group?: integer): nn.PackedLookupTable
nn.PackedLookupTable = {}

---Slices of one value, added to the input along a dimension.
---@class nn.Padding: nn.Module
---@overload fun(dim: integer, pad: integer, nInputDim?: integer, value?: number, index?: integer): nn.Padding
nn.Padding = {}

---The distance of two vectors, or of the pairs of two batches: y = (sum of |a - b|^p)^(1/p).
---
---Shapes: { N x D, N x D } gives N; { D, D } gives 1. Vectors without a distance have no gradient.
---@class nn.PairwiseDistance: nn.PairMeasure
---@overload fun(p?: number): nn.PairwiseDistance
nn.PairwiseDistance = {}

---The i-th module gets the i-th slice of the input along one dimension; their outputs are joined
---along another. Modules beyond the last slice stay idle. Without dimensions it only holds modules,
---for their parameters.
---@class nn.Parallel: nn.Branches
---@overload fun(inputDimension?: integer, outputDimension?: integer): nn.Parallel
nn.Parallel = {}

---The weighted sum of criterions, each of which sees an entry of the input, a table, and the entry
---of the target beside it.
---@class nn.ParallelCriterion: nn.Criterion
---@overload fun(repeatTarget?: boolean): nn.ParallelCriterion
nn.ParallelCriterion = {}

---The i-th module gets the i-th entry of the input; the output is the table of their outputs.
---@class nn.ParallelTable: nn.Branches
---@overload fun(...: any): nn.ParallelTable
nn.ParallelTable = {}

---nn.Linear of which only some outputs are computed: y = x W[p]' + b[p] for chosen outputs p.
---
---Shapes: N x inputSize, or inputSize; the output is N x (number of chosen outputs). At first, and
---after `resetPartition`, all are chosen. The weight is that of the nn.LookupTable inside
---`network`: `layer.network:get(1):get(2).weight`, outputSize x inputSize.
---@class nn.PartialLinear: nn.Weighted
---@overload fun(inputSize: integer, outputSize: integer, bias?: boolean): nn.PartialLinear
nn.PartialLinear = {}

---Makes r x r larger images of r^2 planes each: y(c, r h + i, r w + j) = x(c r^2 + r i + j, h, w).
---
---Shapes: input N x C r^2 x H x W or C r^2 x H x W; output N x C x r H x r W, without N if it came
---so.
---
---Source: Shi et al., "Real-time single image and video super-resolution using an efficient
---sub-pixel convolutional neural network", CVPR 2016 (arXiv:1609.05158), equation 4.
---@class nn.PixelShuffle: nn.Module
---@overload fun(upscaleFactor: integer): nn.PixelShuffle
nn.PixelShuffle = {}

---A sequence whose parts are on several devices, for a net that is too large for one.
---
---The layers stay in their order: the first part of them goes to the first device, and so on, each
---as an nn.GPU; sequences in the sequence count by their layers, other containers as one. Inputs
---and gradients go from device to device; the output comes to the first one, where the loss is. As
---with nn.GPU, everything passes through on the CPU, and layers move when the net is converted:
---`nn.Placed(net, { 1, 2 }):cuda()`, so that no device ever holds all of it.
---
---Without `layers`, devices get parts that need about as much memory: parameters with gradients and
---Adam's moments, and with `input` the outputs, too. Parameters are on several devices, so
---`getParameters` gives lists with a vector for each part; `optim.groups { optim.adam }` steps on
---those. Only one device works at a time; `distributed.Pipeline` has them all work.
---@class nn.Placed: nn.Sequential
---@overload fun(net: nn.Module, devices: table, settings?: table): nn.Placed
nn.Placed = {}

---Adds to each position of a sequence its place, in sines and cosines of lengths up to 2 pi 10000.
---
---y[t][2i-1] = x + sin((t-1) / 10000^((2i-2)/F)), y[t][2i] = x + cos(the same)
---
---Shapes: x is N x T x features, or T x features; y likewise.
---
---Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762), 3.5.
---@class nn.PositionalEncoding: nn.Module
---@overload fun(features: integer): nn.PositionalEncoding
nn.PositionalEncoding = {}

---y = x^pow, element by element.
---@class nn.Power: nn.Module
---@overload fun(power: number): nn.Power
nn.Power = {}

---output = input, gradInput = gradOutput, with their sizes printed on the way.
---@class nn.PrintSize: nn.Identity
---@overload fun(...: any): nn.PrintSize
nn.PrintSize = {}

---Passes everything on to a module, and prints from time to time how long that took.
---
---Of a module on a device the time is that until the device has finished.
---@class nn.Profile: nn.Decorator
---@overload fun(print_interval?: number, name?: string): nn.Profile
nn.Profile = {}

---Weights that stay zero: a net is pruned bit by bit while it is trained.
---
---After each step of the optimiser `pruner:step()` is called: it takes the smallest weights away
---when the schedule wants that, and sets those that are gone to zero again. The share that is gone
---grows from `initial` to `amount` between the steps `from` and `to`:
---
---   amount + (initial - amount) (1 - (t - from) / (to - from))^3
---
---Masks cover the weights of nn.Linear, the convolutions and nn.LookupTable. With `unit =
---'channel'` whole outputs go, by the norm of their weights, with their bias, and nn.removeChannels
---takes them out of the net afterwards.
---Sources: Zhu and Gupta, To Prune, or Not to Prune, 2017 (arXiv:1710.01878); Han et al., Learning
---both Weights and Connections for Efficient Neural Networks, NIPS 2015.
---@class nn.Pruner
---@overload fun(net: any, opts?: table): nn.Pruner
nn.Pruner = {}

---What layers that compute on bytes have in common; for layers to derive from. nn.quantize makes
---them.
---
---Their inputs are bytes as the layer before gives them, which stand for inScale (q - inZero), or
---floating numbers, which are rounded to such first. Their outputs are bytes by `outScale` and
---`outZero`, or, without these, numbers of the net's type. Images of bytes have the usual sizes,
---and lie with their planes side by side. There is no way back through whole numbers: train before,
---with nn.fakeQuantize.
---@class nn.Quantized: nn.Module
---@overload fun(...: any): nn.Quantized
nn.Quantized = {}

---The sum of two tensors of bytes of one size, each with its own scale: nn.CAddTable in a
---quantised net.
---@class nn.QuantizedAdd: nn.Quantized
---@overload fun(first: table, second: table): nn.QuantizedAdd
nn.QuantizedAdd = {}

---A convolution over images of bytes: see nn.QuantizedLinear for the numbers.
---
---Shapes: as for nn.SpatialConvolution. Output planes have scales of their own, unless they are to
---share one. With `addScale` and `addZero` another image of bytes is added before the result is
---rounded: `forward { x, addend }`.
---@class nn.QuantizedConvolution: nn.Quantized
---@overload fun(layer: nn.Module, input: table, perChannel?: boolean): nn.QuantizedConvolution
nn.QuantizedConvolution = {}

---A fully connected layer on bytes: whole numbers are multiplied and added up exactly, then
---scaled.
---
---With x = inScale (q - inZero) and W[k] = weightScale[k] C[k], where C is of -127 to 127,
---y[k] = weightScale[k] inScale (sum of C[k] (q - inZero)) + b[k]; as bytes round(y / outScale) +
---outZero. A rectifier behind it costs nothing: outZero is 0 then, and what is below becomes 0.
---
---Shapes: as for nn.Linear. Built by nn.quantize; by hand from a layer and its input's numbers.
---@class nn.QuantizedLinear: nn.Quantized
---@overload fun(layer: nn.Module, input: table, perChannel?: boolean): nn.QuantizedLinear
nn.QuantizedLinear = {}

---The maxima of windows over images of bytes, which stay what they stood for.
---@class nn.QuantizedMaxPooling: nn.Quantized
---@overload fun(layer: nn.Module, input: table): nn.QuantizedMaxPooling
nn.QuantizedMaxPooling = {}

---A residual sum on bytes: what the main branch's last convolution gives is added to the other
---branch's bytes before it is rounded. nn.quantize makes it of an nn.ConcatTable and its sum.
---@class nn.QuantizedResidual: nn.Container
---@overload fun(main: nn.Module, short: nn.Module): nn.QuantizedResidual
nn.QuantizedResidual = {}

---Each sample divided by the root of its mean square over the last dimensions, then scaled.
---
---y = x / sqrt(mean(x^2) + eps) * weight: nn.LayerNorm without the mean and without a bias.
---
---Shapes: as nn.LayerNorm's.
---
---Source: Zhang and Sennrich, NeurIPS 2019 (arXiv:1910.07467).
---@class nn.RMSNorm: nn.LayerNorm
---@overload fun(size: any, eps?: number, affine?: boolean): nn.RMSNorm
nn.RMSNorm = {}

---The plain recurrent layer over whole sequences: h <- tanh(W x + b + U h + b').
---
---Input, output, states and options: nn.Recurrence; the field `relu` makes it max(0, ...) for tanh.
---
---Source: Elman, Cognitive Science 14 (1990).
---@class nn.RNN: nn.Recurrence
---@overload fun(relu?: boolean): nn.RNN
nn.RNN = {}

---y = x where x > 0, else a x, with a drawn from U(l, u) for each element; in evaluation a is the
---mean of the two.
---Source: Xu et al., Empirical Evaluation of Rectified Activations in Convolutional Network, 2015
---(arXiv:1505.00853).
---@class nn.RReLU: nn.Module
---@overload fun(l?: number, u?: number, inplace?: boolean): nn.RReLU
nn.RReLU = {}

---y = x where x > threshold, else `val`, element by element.
---@class nn.Threshold: nn.Pointwise
---@overload fun(...: any): nn.Threshold
nn.Threshold = {}

---Rectified linear unit: y = max(0, x), element by element.
---@class nn.ReLU: nn.Threshold
---@overload fun(inplace?: boolean): nn.ReLU
nn.ReLU = {}

---y = x limited to [0, 6], element by element.
---@class nn.ReLU6: nn.Pointwise
---@overload fun(...: any): nn.ReLU6
nn.ReLU6 = {}

---The input `nFeatures` times along a new dimension: a view of its memory, without a copy.
---@class nn.Replicate: nn.Module
---@overload fun(nFeatures: integer, dim?: integer, nInputDims?: integer): nn.Replicate
nn.Replicate = {}

---The elements of the input, in row-major order, in another shape; copies an input with gaps.
---@class nn.Reshape: nn.SameElements
---@overload fun(size: torch.Storage, batchMode?: boolean): nn.Reshape
nn.Reshape = {}

---A module with a way round it: what flows, plus what the module makes of it.
---
---Normalisation behind, as in the first Transformer: y = norm(x + dropout(module(x))). In front,
---which trains deep nets more easily: y = x + dropout(module(norm(x))). Without one: x +
---dropout(module(x)).
---
---Input: x, or { x, context } with `mask` and the like: the module gets them all, x alone goes
---round.
---
---The gradients by inputs inside share memory; `shareGradInput(false)` keeps them.
---@class nn.Residual: nn.Container
---@overload fun(module: nn.Module, norm: any, p?: number, inFront?: boolean): nn.Residual
nn.Residual = {}

---Turns pairs of features by angles that grow with the position, so that products of queries and
---keys depend on their distance.
---
---With (a, b) features i and i + F/2 at position t, and w = (t - 1) / base^(2 (i-1) / F):
---(a, b) <- (a cos w - b sin w, b cos w + a sin w)
---
---Shapes: x is ... x T x features, with one or two dimensions or none in front; y likewise.
---
---Source: Su et al., 2021 (arXiv:2104.09864), with the halves as pairs.
---@class nn.RotaryEmbedding: nn.Module
---@overload fun(features: integer, base?: number): nn.RotaryEmbedding
nn.RotaryEmbedding = {}

---y = 1.0507 x where x > 0, else 1.0507 * 1.67326 (e^x - 1), element by element: keeps mean 0
---and variance 1 of its inputs.
---Source: Klambauer et al., Self-Normalizing Neural Networks, 2017 (arXiv:1706.02515).
---@class nn.SELU: nn.Pointwise
---@overload fun(...: any): nn.SELU
nn.SELU = {}

---The planes of images, each times a number of its own: y = x s.
---
---Shapes: input { x, s }: x N x C x H x W and s N x C, or x C x H x W and s C; y as x.
---@class nn.ScalePlanes: nn.Module
---@overload fun(...: any): nn.ScalePlanes
nn.ScalePlanes = {}

---Attention: y = softmax(q k' / sqrt(D) + mask) v, for each query a mean of values.
---
---Memory grows with the length of the sequences, not with its square: weights are computed a block
---of queries at a time, and again in the backward pass. With dropout it grows with the square.
---
---Shapes: input { q, k, v }: q N x T x D, k N x S x D, v N x S x V; or with heads, N x H x T x D
---and so on. y is N (x H) x T x V. `input.mask` may be a ByteTensor, 1 where a key is not to be
---seen, of the size N x S, N x T x S, or that of the scores with any 1 in it. What
---is masked must be finite all the same: a NaN or an infinity in a key or value reaches the output,
---as with PyTorch's masks.
---
---Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762).
---@class nn.ScaledDotProductAttention: nn.Module
---@overload fun(causal?: boolean, p?: number, scale?: number): nn.ScaledDotProductAttention
nn.ScaledDotProductAttention = {}

---One slice of the input along a dimension, which the output lacks; a copy.
---@class nn.Select: nn.Part
---@overload fun(dimension: integer, index: integer): nn.Select
nn.Select = {}

---One entry of a table: a tensor, or a table again.
---
---The gradients by the other entries are zeros.
---@class nn.SelectTable: nn.Routing
---@overload fun(index: any): nn.SelectTable
nn.SelectTable = {}

---y = x / (1 + e^-x), element by element; also called swish.
---Source: Elfwing, Uchibe & Doya, Sigmoid-Weighted Linear Units, 2017 (arXiv:1702.03118).
---@class nn.SiLU: nn.Pointwise
---@overload fun(...: any): nn.SiLU
nn.SiLU = {}

---y = 1 / (1 + e^-x), element by element.
---@class nn.Sigmoid: nn.Pointwise
---@overload fun(...: any): nn.Sigmoid
nn.Sigmoid = {}

---The mean over all elements of (x_i - t_i)^2 / 2 where |x_i - t_i| < 1, else |x_i - t_i| - 1/2.
---Shapes: input and target of any shape with equal element counts.
---Source: Girshick, Fast R-CNN, 2015 (arXiv:1504.08083).
---@class nn.SmoothL1Criterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.SmoothL1Criterion
nn.SmoothL1Criterion = {}

---The mean over all elements of log(1 + e^(-t_i x_i)), for targets 1 and -1.
---Shapes: input and target of any shape with equal element counts.
---@class nn.SoftMarginCriterion: nn.ElementLoss
---@overload fun(sizeAverage?: boolean): nn.SoftMarginCriterion
nn.SoftMarginCriterion = {}

---y_i = e^x_i / sum_j e^x_j over the classes: positive numbers that sum to 1.
---@class nn.SoftMax: nn.Classwise
---@overload fun(...: any): nn.SoftMax
nn.SoftMax = {}

---y_i = e^-x_i / sum_j e^-x_j over the classes: positive numbers that sum to 1.
---Shapes: C, N x C, C x H x W or N x C x H x W, with C the classes.
---@class nn.SoftMin: nn.SoftMax
---@overload fun(...: any): nn.SoftMin
nn.SoftMin = {}

---y = log(1 + e^(beta x)) / beta, element by element: a smooth ReLU.
---@class nn.SoftPlus: nn.Module
---@overload fun(beta?: number): nn.SoftPlus
nn.SoftPlus = {}

---y = x - lambda where x > lambda, x + lambda where x < -lambda, else 0, element by element.
---@class nn.SoftShrink: nn.Pointwise
---@overload fun(...: any): nn.SoftShrink
nn.SoftShrink = {}

---y = x / (1 + |x|), element by element.
---@class nn.SoftSign: nn.Pointwise
---@overload fun(...: any): nn.SoftSign
nn.SoftSign = {}

---nn.Linear for sparse inputs: y = x W' + b, where x is given by its entries.
---
---Shapes: a sample is an n x 2 tensor, a row for each entry that is not zero: its position, from 1
---to inputSize, and its value; the output is outputSize then. A batch is a table of N samples, or N
---x n x 2; the output is N x outputSize. With `doGradInput`, gradInput is a table with an inputSize
---x 2 tensor for each sample: all positions, and the gradients there. A Variable's gradient has the
---input's form, with 0 for the positions.
---
---`weightDecay` times the weight is added to the weight's gradient by each backward.
---@class nn.SparseLinear: nn.Weighted
---@overload fun(inputSize: integer, outputSize: integer, doGradInput?: boolean): nn.SparseLinear
nn.SparseLinear = {}

---The mean over windows that divide an image into W x H parts, whatever its size.
---
---Output row i of H is made of rows floor((i - 1) iH / H) + 1 to ceil(i iH / H) of the input's iH.
---
---Shapes: input N x C x iH x iW or C x iH x iW; output N x C x H x W or C x H x W.
---@class nn.SpatialAdaptiveAveragePooling: nn.Pooling
---@overload fun(W: integer, H: integer): nn.SpatialAdaptiveAveragePooling
nn.SpatialAdaptiveAveragePooling = {}

---The maximum over windows that divide an image into W x H parts, whatever its size.
---
---Output row i of H is made of rows floor((i - 1) iH / H) + 1 to ceil(i iH / H) of the input's iH.
---
---Shapes: input N x C x iH x iW or C x iH x iW; output N x C x H x W or C x H x W.
---`indices` keeps where in its plane each maximum was.
---@class nn.SpatialAdaptiveMaxPooling: nn.Pooling
---@overload fun(W: integer, H: integer): nn.SpatialAdaptiveMaxPooling
nn.SpatialAdaptiveMaxPooling = {}

---Mean squared error of images and the middle of targets, which may be larger.
---Shapes: input C x H x W or N x C x H x W; target of as many channels, its height and width at
---least the input's.
---@class nn.SpatialAutoCropMSECriterion: nn.MSECriterion
---@overload fun(sizeAverage?: boolean): nn.SpatialAutoCropMSECriterion
nn.SpatialAutoCropMSECriterion = {}

---What layers of windows over images have in common; for layers to derive from.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with
---oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
---@class nn.SpatialPooling: nn.Pooling
---@overload fun(...: any): nn.SpatialPooling
nn.SpatialPooling = {}

---The mean over windows of kW x kH.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with
---oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
---@class nn.SpatialAveragePooling: nn.SpatialPooling
---@overload fun(kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): nn.SpatialAveragePooling
nn.SpatialAveragePooling = {}

---nn.BatchNormalization over the planes of images, N x nOutput x H x W.
---@class nn.SpatialBatchNormalization: nn.BatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): nn.SpatialBatchNormalization
nn.SpatialBatchNormalization = {}

---Negative log-likelihood of a class at each place of images: nn.ClassNLLCriterion over the
---channels.
---Shapes: input N x nClasses x H x W, target N x H x W; targets count from 1.
---@class nn.SpatialClassNLLCriterion: nn.ClassNLLCriterion
---@overload fun(weights?: any, sizeAverage?: boolean, ignoreIndex?: integer): nn.SpatialClassNLLCriterion
nn.SpatialClassNLLCriterion = {}

---Subtracts the weighted mean around each place, then divides by the deviation:
---nn.SpatialSubtractiveNormalization and nn.SpatialDivisiveNormalization, kept in `normalizer`.
---
---Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; output likewise.
---
---Source: Jarrett, Kavukcuoglu, Ranzato and LeCun, "What is the best multi-stage architecture for
---object recognition?", ICCV 2009, section 2.
---@class nn.SpatialContrastiveNormalization: nn.Module
---@overload fun(nInputPlane?: integer, kernel?: torch.Tensor, threshold?: number, thresval?: number): nn.SpatialContrastiveNormalization
nn.SpatialContrastiveNormalization = {}

---Convolution over images (a cross-correlation, as is usual): sizes are given width first.
---
---Shapes: input N x nInputPlane x H x W, or nInputPlane x H x W; weight nOutputPlane x
---nInputPlane x kH x kW, or nOutputPlane x nInputPlane*kH*kW as in old code; bias nOutputPlane;
---output N x nOutputPlane x oH x oW with oH = floor((H + 2 padH - kH) / dH) + 1, and oW likewise.
---Weight and bias start uniform in ±1/sqrt(kW kH nInputPlane). Setting `gradInput` to nil in a
---net's first layer saves computing a gradient nobody needs.
---@class nn.SpatialConvolution: nn.Convolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): nn.SpatialConvolution
nn.SpatialConvolution = {}

---Convolution over images of one size in which each place of the output has kernels and biases of
---its own.
---
---Shapes: input N x nInputPlane x iH x iW, or without N; weight oH x oW x nOutputPlane x
---nInputPlane x kH x kW; bias nOutputPlane x oH x oW; output N x nOutputPlane x oH x oW with
---oH = floor((iH + 2 padH - kH) / dH) + 1, and oW likewise. Weight and bias start uniform in
---±1/sqrt(kW kH nInputPlane).
---@class nn.SpatialConvolutionLocal: nn.Weighted
---@overload fun(nInputPlane: integer, nOutputPlane: integer, iW: integer, iH: integer, kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): nn.SpatialConvolutionLocal
nn.SpatialConvolutionLocal = {}

---nn.SpatialConvolution with a weight of two dimensions, nOutputPlane x nInputPlane*kH*kW.
---@class nn.SpatialConvolutionMM: nn.SpatialConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): nn.SpatialConvolutionMM
nn.SpatialConvolutionMM = {}

---Convolution over images in which some pairs of planes are connected: those of the rows (from,
---to) of a table such as `nn.tables` makes.
---
---Shapes: input N x nInputPlane x H x W, or without N, where nInputPlane and nOutputPlane are the
---largest numbers of the table; weight rows x kH x kW; bias nOutputPlane; output N x nOutputPlane x
---oH x oW with oH = floor((H - kH) / dH) + 1, and oW likewise. LeCun et al., Gradient-Based
---Learning Applied to Document Recognition, 1998.
---@class nn.SpatialConvolutionMap: nn.Convolution
---@overload fun(conMatrix: torch.Tensor, kW: integer, kH: integer, dW?: integer, dH?: integer): nn.SpatialConvolutionMap
nn.SpatialConvolutionMap = {}

---Local response normalisation across planes: y = x (k + alpha / size sum x^2)^-beta, with the sum
---over the planes from size / 2 before to size / 2 behind (rounded down, of an even size to one
---less).
---
---Shapes: input N x C x H x W or C x H x W; output likewise.
---
---Source: Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural
---networks", NIPS 2012, section 3.3.
---@class nn.SpatialCrossMapLRN: nn.Module
---@overload fun(size: integer, alpha?: number, beta?: number, k?: number): nn.SpatialCrossMapLRN
nn.SpatialCrossMapLRN = {}

---Convolution of each input plane by itself, with nOutputPlane kernels each.
---
---Shapes: input N x nInputPlane x H x W, or without N; weight nOutputPlane x nInputPlane x kH x kW;
---bias nOutputPlane x nInputPlane; output N x nInputPlane*nOutputPlane x oH x oW, the planes that
---come from one input plane side by side, with oH = floor((H + 2 padH - kH) / dH) + 1, and oW
---likewise. Weight and bias start uniform in ±1/sqrt(kW kH nInputPlane). Sifre, Rigid-Motion
---Scattering for Image Classification, 2014.
---@class nn.SpatialDepthWiseConvolution: nn.SpatialConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): nn.SpatialDepthWiseConvolution
nn.SpatialDepthWiseConvolution = {}

---nn.SpatialConvolution with gaps in its kernel: elements lie dilationW columns and dilationH rows
---apart. Also called à trous.
---
---Shapes: as nn.SpatialConvolution, with
---oH = floor((H + 2 padH - dilationH (kH - 1) - 1) / dH) + 1, and oW likewise. Yu and
---Koltun, Multi-Scale Context Aggregation by Dilated Convolutions, 2016.
---@class nn.SpatialDilatedConvolution: nn.SpatialConvolution
---@overload fun(dilationW?: integer, dilationH?: integer): nn.SpatialDilatedConvolution
nn.SpatialDilatedConvolution = {}

---The maximum over windows of kW x kH.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with
---oH = floor((H + 2 padH - kH) / dH) + 1 (`ceil` after `:ceil()`), and oW likewise.
---`indices` keeps where in its plane each maximum was, `iheight` and `iwidth` the input's size.
---@class nn.SpatialMaxPooling: nn.SpatialPooling
---@overload fun(kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer): nn.SpatialMaxPooling
nn.SpatialMaxPooling = {}

---The maximum over windows of kW x kH elements that lie `dilation` apart.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with
---oH = floor((H + 2 padH - dilationH (kH - 1) - 1) / dH) + 1 (`ceil` after `:ceil()`), and oW
---likewise. `indices` keeps where in its plane each maximum was.
---@class nn.SpatialDilatedMaxPooling: nn.SpatialMaxPooling
---@overload fun(dilationW?: integer, dilationH?: integer): nn.SpatialDilatedMaxPooling
nn.SpatialDilatedMaxPooling = {}

---Divides by the deviation of all planes around each place: the root of the weighted mean of the
---squares, over the weight that lies in the image, or `thresval` where that is not above
---`threshold`.
---
---kernel: a matrix of odd sizes, or a vector for both directions; it is divided by its sum.
---
---Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; output likewise.
---@class nn.SpatialDivisiveNormalization: nn.Module
---@overload fun(nInputPlane?: integer, kernel?: torch.Tensor, threshold?: number, thresval?: number): nn.SpatialDivisiveNormalization
nn.SpatialDivisiveNormalization = {}

---Zeroes each plane with probability p while training, all of it or nothing; in evaluation the
---output is (1-p) x.
---
---Shapes: N x C x H x W, or C x H x W (nn.VolumetricDropout: N x C x T x H x W or C x T x H x W).
---Source: Tompson et al., CVPR 2015 (arXiv:1411.4280), section 3.2.
---@class nn.SpatialDropout: nn.Module
---@overload fun(p?: number, stochasticInference?: boolean): nn.SpatialDropout
nn.SpatialDropout = {}

---The maximum over windows of poolSizeW x poolSizeH that lie where random numbers put them.
---
---Shapes: input N x C x H x W or C x H x W; output N x C x outH x outW, without N if it came so.
---Instead of sizes there may be ratios below 1: outH = floor(ratioH H).
---`indices` keeps where in its plane each maximum was.
---
---Source: Graham, "Fractional max-pooling", 2014 (arXiv:1412.6071).
---@class nn.SpatialFractionalMaxPooling: nn.FractionalMaxPooling
---@overload fun(poolSizeW: integer, poolSizeH: integer, outW: number, outH: number): nn.SpatialFractionalMaxPooling
nn.SpatialFractionalMaxPooling = {}

---The transpose of a convolution over images (deconvolution): each input element is spread over a
---window of the output. Its output is what the gradient of nn.SpatialConvolution's input is.
---
---Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; weight nInputPlane x nOutputPlane
---x kH x kW; bias nOutputPlane; output N x nOutputPlane x oH x oW with
---oH = (H - 1) dH - 2 padH + kH + adjH, and oW likewise. Weight and bias start uniform in
---±1/sqrt(kW kH nInputPlane).
---
---The input may be a table { tensor, like }: then adjW and adjH are chosen so that the output has
---the height and width of `like`.
---@class nn.SpatialFullConvolution: nn.FullConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kW: integer, kH: integer, dW?: integer, dH?: integer, padW?: integer, padH?: integer, adjW?: integer, adjH?: integer): nn.SpatialFullConvolution
nn.SpatialFullConvolution = {}

---The transpose of a convolution over images in which some pairs of planes are connected: those of
---the rows (from, to) of a table such as `nn.tables` makes.
---
---Shapes: input N x nInputPlane x H x W, or without N, where nInputPlane and nOutputPlane are the
---largest numbers of the table; weight rows x kH x kW; bias nOutputPlane; output N x nOutputPlane x
---oH x oW with oH = (H - 1) dH + kH, and oW likewise.
---@class nn.SpatialFullConvolutionMap: nn.FullConvolution
---@overload fun(conMatrix: torch.Tensor, kW: integer, kH: integer, dW?: integer, dH?: integer): nn.SpatialFullConvolutionMap
nn.SpatialFullConvolutionMap = {}

---The p-norm over windows of kW x kH: (sum of x^p)^(1/p), a net of smaller layers.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with oH = floor((H - kH) / dH) + 1, and
---oW likewise.
---@class nn.SpatialLPPooling: nn.Sequential
---@overload fun(nInputPlane: integer, pnorm?: number, kW?: integer, kH?: integer, dW?: integer, dH?: integer): nn.SpatialLPPooling
nn.SpatialLPPooling = {}

---y_i = x_i - log(sum_j e^x_j) over the planes of an image, at each place; as nn.LogSoftMax.
---Shapes: C, N x C, C x H x W or N x C x H x W, with C the planes.
---@class nn.SpatialLogSoftMax: nn.Classwise
---@overload fun(...: any): nn.SpatialLogSoftMax
nn.SpatialLogSoftMax = {}

---Puts each value where the maximum of a pooling layer was, and zeros elsewhere.
---
---The pooling layer, kept in `pooling`, has to have run forward. Where its windows overlap, one of
---the values at a place counts.
---
---Shapes: input of the size of the pooling layer's output; output of the size of its input.
---@class nn.SpatialMaxUnpooling: nn.Module
---@overload fun(poolingModule: nn.Module): nn.SpatialMaxUnpooling
nn.SpatialMaxUnpooling = {}

---What padding of images has in common; for layers to derive from. Negative padding crops.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
---W + pad_l + pad_r.
---@class nn.SpatialPadding: nn.Module
---@overload fun(left?: integer, right?: integer, top?: integer, bottom?: integer): nn.SpatialPadding
nn.SpatialPadding = {}

---Mirrors an image at its border rows and columns, which are not repeated; negative padding crops.
---Less than the image's size can be added.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
---W + pad_l + pad_r.
---@class nn.SpatialReflectionPadding: nn.SpatialPadding
---@overload fun(left?: integer, right?: integer, top?: integer, bottom?: integer): nn.SpatialReflectionPadding
nn.SpatialReflectionPadding = {}

---Adds the border's rows and columns again and again; negative padding crops.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
---W + pad_l + pad_r.
---@class nn.SpatialReplicationPadding: nn.SpatialPadding
---@overload fun(left?: integer, right?: integer, top?: integer, bottom?: integer): nn.SpatialReplicationPadding
nn.SpatialReplicationPadding = {}

---y_i = e^x_i / sum_j e^x_j over the planes of an image, at each place; as nn.SoftMax.
---Shapes: C, N x C, C x H x W or N x C x H x W, with C the planes.
---@class nn.SpatialSoftMax: nn.Classwise
---@overload fun(...: any): nn.SpatialSoftMax
nn.SpatialSoftMax = {}

---What layers have in common that sum up windows of each plane, times a factor of the plane, plus
---a bias of the plane; for layers to derive from.
---
---A layer derived from it defines `__window()`: height, width, steps down and to the right;
---`__images(t)`: a tensor as images, and the dimension, 2 or 4, that counts the factors; and
---`__restore(r, x)`: a result in the shape that belongs to the input x.
---@class nn.SubSampling: nn.Weighted
---@overload fun(...: any): nn.SubSampling
nn.SubSampling = {}

---The sum of each window of each plane, times the plane's weight, plus its bias: the pooling of
---the first convolutional nets.
---
---Shapes: input N x nInputPlane x H x W, or without N; weight and bias nInputPlane; output N x
---nInputPlane x oH x oW with oH = floor((H - kH) / dH) + 1, and oW likewise. Weight and bias start
---uniform in ±1/sqrt(kW kH). LeCun et al., Gradient-Based Learning Applied to Document
---Recognition, 1998.
---@class nn.SpatialSubSampling: nn.SubSampling
---@overload fun(nInputPlane: integer, kW: integer, kH: integer, dW?: integer, dH?: integer): nn.SpatialSubSampling
nn.SpatialSubSampling = {}

---Subtracts the weighted mean of all planes around each place.
---
---kernel: a matrix of odd sizes, or a vector for both directions; it is divided by its sum. At the
---border the mean is that of what lies in the image.
---
---Shapes: input N x nInputPlane x H x W or nInputPlane x H x W; output likewise.
---@class nn.SpatialSubtractiveNormalization: nn.Module
---@overload fun(nInputPlane?: integer, kernel?: torch.Tensor): nn.SpatialSubtractiveNormalization
nn.SpatialSubtractiveNormalization = {}

---An image in another size, linear between its elements; corners lie on corners.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with scale H and scale W, or the
---sizes that were given.
---@class nn.SpatialUpSamplingBilinear: nn.Module
---@overload fun(scale: any): nn.SpatialUpSamplingBilinear
nn.SpatialUpSamplingBilinear = {}

---Repeats each element of an image `scale` times in both directions.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with scale H and scale W.
---@class nn.SpatialUpSamplingNearest: nn.Module
---@overload fun(scale: number): nn.SpatialUpSamplingNearest
nn.SpatialUpSamplingNearest = {}

---Adds zeros around an image; negative padding crops.
---
---Shapes: input N x C x H x W or C x H x W; output likewise with H + pad_t + pad_b and
---W + pad_l + pad_r.
---@class nn.SpatialZeroPadding: nn.SpatialPadding
---@overload fun(left?: integer, right?: integer, top?: integer, bottom?: integer): nn.SpatialZeroPadding
nn.SpatialZeroPadding = {}

---A layer whose weight is divided by its largest singular value: w = W / sigma(W), so that the
---layer stretches nothing by more than 1.
---
---sigma is found by power iteration: u and v go on from where the last training pass left them, by
---`iterations` steps each; in evaluation they stay. The gradient takes u and v as given:
---dL/dW = (dL/dw - <dL/dw, w> u v') / sigma. W, learnt in place of the layer's weight, is `raw`.
---
---Source: Miyato et al., ICLR 2018 (arXiv:1802.05957).
---@class nn.SpectralNorm: nn.Reparametrised
---@overload fun(iterations?: integer, eps?: number): nn.SpectralNorm
nn.SpectralNorm = {}

---A tensor as the table of its slices along a dimension: views, without that dimension.
---@class nn.SplitTable: nn.Routing
---@overload fun(dimension: integer, nInputDims?: integer): nn.SplitTable
nn.SplitTable = {}

---y = sqrt(x + eps), element by element. Where y is 0 the gradient is taken to be 0.
---@class nn.Sqrt: nn.Module
---@overload fun(eps?: number): nn.Sqrt
nn.Sqrt = {}

---y = x^2, element by element.
---@class nn.Square: nn.Pointwise
---@overload fun(...: any): nn.Square
nn.Square = {}

---The input without a dimension of size 1, or without all of them; a view.
---@class nn.Squeeze: nn.SameElements
---@overload fun(dim?: integer, numInputDims?: integer): nn.Squeeze
nn.Squeeze = {}

---Training of a module, example by example.
---
---Fields to set before `train`: learningRate (0.01); learningRateDecay (0), by which the rate is
---learningRate / (1 + iteration * learningRateDecay); maxIteration (25) passes over the data, 0 or
---less for no end; shuffleIndices (true), whether examples come in a random order; verbose (true);
---hookExample(trainer, example), called after each example; hookIteration(trainer, iteration,
---error), called after each pass.
---@class nn.StochasticGradient
---@overload fun(module: any, criterion: any): nn.StochasticGradient
nn.StochasticGradient = {}

---Modules one after the other, of which each may look at what lies beside the stream.
---
---Input: a tensor, or a table of the tensor that flows and what lies beside it. A class says what
---its i-th module is given, `__inputOf(current, input, i)`: the tensor alone, or a table { current,
---context } with `mask` and the like. The gradient of a context is the sum over the modules.
---@class nn.Stream: nn.Container
---@overload fun(...: any): nn.Stream
nn.Stream = {}

---y = tanh(x), element by element.
---@class nn.Tanh: nn.Pointwise
---@overload fun(...: any): nn.Tanh
nn.Tanh = {}

---y = x - tanh(x), element by element.
---@class nn.TanhShrink: nn.Pointwise
---@overload fun(...: any): nn.TanhShrink
nn.TanhShrink = {}

---Convolution over sequences of frames.
---
---Shapes: input N x T x inputFrameSize, or T x inputFrameSize; weight outputFrameSize x
---kW*inputFrameSize, a kernel's frames one after the other; bias outputFrameSize; output N x oT x
---outputFrameSize with oT = floor((T - kW) / dW) + 1. Weight and bias start uniform in
---±1/sqrt(kW inputFrameSize).
---@class nn.TemporalConvolution: nn.Weighted
---@overload fun(inputFrameSize: integer, outputFrameSize: integer, kW: integer, dW?: integer): nn.TemporalConvolution
nn.TemporalConvolution = {}

---The k largest values of each feature over time, in the order in which they came, with
---k = max(minK, ceil(factor T)).
---
---Shapes: input N x T x F or T x F; output likewise with k in T's place. `indices` keeps at which
---time each value was.
---
---Source: Kalchbrenner et al., "A convolutional neural network for modelling sentences", ACL 2014
---(arXiv:1404.2188).
---@class nn.TemporalDynamicKMaxPooling: nn.Pooling
---@overload fun(minK: integer, factor?: number): nn.TemporalDynamicKMaxPooling
nn.TemporalDynamicKMaxPooling = {}

---The maximum of each feature over kW steps of time.
---
---Shapes: input N x T x F or T x F; output likewise with oT = floor((T - kW) / dW) + 1.
---`indices` keeps where in its T x F plane each maximum was.
---@class nn.TemporalMaxPooling: nn.Pooling
---@overload fun(kW: integer, dW?: integer): nn.TemporalMaxPooling
nn.TemporalMaxPooling = {}

---Convolution over sequences in which each feature has a kernel of its own.
---
---Shapes: input N x T x inputFrameSize, or with `featFirst` N x inputFrameSize x T, and both
---without N; weight inputFrameSize x 1 x kW; bias inputFrameSize; output as the input, with
---floor((T - kW) / dW) + 1 frames. Weight and bias start uniform in ±1/sqrt(kW inputFrameSize).
---Amodei et al., Deep Speech 2, 2016.
---@class nn.TemporalRowConvolution: nn.Convolution
---@overload fun(inputFrameSize: integer, kW: integer, dW?: integer, featFirst?: boolean): nn.TemporalRowConvolution
nn.TemporalRowConvolution = {}

---The sum of kW frames of a sequence, times a weight for each feature, plus a bias.
---
---Shapes: input N x T x inputFrameSize, or without N; weight and bias inputFrameSize; output
---N x oT x inputFrameSize with oT = floor((T - kW) / dW) + 1. Weight and bias start uniform in
---±1/sqrt(kW).
---@class nn.TemporalSubSampling: nn.SubSampling
---@overload fun(inputFrameSize: integer, kW: integer, dW?: integer): nn.TemporalSubSampling
nn.TemporalSubSampling = {}

---Layers of a Transformer's decoder, one on top of the other; where they normalise in front, the
---last output is normalised too.
---
---Input: { x, memory }, with `mask` and `memoryMask`, as nn.TransformerDecoderLayer's; output N x T
---x features.
---@class nn.TransformerDecoder: nn.Stream
---@overload fun(numLayers: integer, features: integer, heads: integer, hidden?: integer, p?: number, inFront?: boolean): nn.TransformerDecoder
nn.TransformerDecoder = {}

---A layer of a Transformer's decoder: causal self-attention, attention to the encoder's output,
---then a net for each position, each with a way round it and a layer normalisation.
---
---Input: { x, memory }, N x T x features and N x S x features, with `mask` for x and `memoryMask`
---for memory as nn.MultiHeadAttention's; output N x T x features.
---
---Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762).
---@class nn.TransformerDecoderLayer: nn.Stream
---@overload fun(features: integer, heads: integer, hidden?: integer, p?: number, inFront?: boolean): nn.TransformerDecoderLayer
nn.TransformerDecoderLayer = {}

---Layers of a Transformer's encoder, one on top of the other; where they normalise in front, the
---last output is normalised too.
---
---Input: x, or { x, mask = ... }, as nn.TransformerEncoderLayer's; output N x T x features.
---@class nn.TransformerEncoder: nn.Stream
---@overload fun(numLayers: integer, features: integer, heads: integer, hidden?: integer, p?: number, inFront?: boolean, causal?: boolean): nn.TransformerEncoder
nn.TransformerEncoder = {}

---A layer of a Transformer's encoder: self-attention, then a net for each position, each with a
---way round it and a layer normalisation.
---
---Input: x, N x T x features, or { x, mask = ... } with a mask as nn.MultiHeadAttention's; output
---N x T x features.
---
---Source: Vaswani et al., NeurIPS 2017 (arXiv:1706.03762); normalisation in front: Xiong et al.,
---ICML 2020 (arXiv:2002.04745).
---@class nn.TransformerEncoderLayer: nn.Stream
---@overload fun(features: integer, heads: integer, hidden?: integer, p?: number, inFront?: boolean, causal?: boolean): nn.TransformerEncoderLayer
nn.TransformerEncoderLayer = {}

---The input with dimensions swapped, pair after pair, copied into memory without gaps.
---@class nn.Transpose: nn.Module
---@overload fun(pairs: any): nn.Transpose
nn.Transpose = {}

---Of triplets {anchor, positive, negative} of vectors: the mean over all of
---max(0, d(anchor, positive) - d(anchor, negative) + margin), with d the p-norm of differences.
---There is no target.
---Shapes: each D or N x D.
---Source: Balntas et al., Learning Local Feature Descriptors with Triplets and Shallow
---Convolutional Neural Networks, 2016.
---@class nn.TripletMarginCriterion: nn.Criterion
---@overload fun(margin?: number, p?: number, sizeAverage?: boolean): nn.TripletMarginCriterion
nn.TripletMarginCriterion = {}

---The input with one more dimension, of size 1; a view.
---@class nn.Unsqueeze: nn.SameElements
---@overload fun(pos: integer, numInputDims?: integer): nn.Unsqueeze
nn.Unsqueeze = {}

---An image or a volume in a larger size: by the nearest element, or linear between elements with
---corners on corners.
---
---Shapes: input N x C x H x W or N x C x T x H x W; output likewise with scale H and so on, or the
---sizes that were given (of images oheight and owidth alone).
---@class nn.UpSampling: nn.Module
---@overload fun(scale: any, mode?: string): nn.UpSampling
nn.UpSampling = {}

---The memory of the input seen in another shape; the input must be contiguous.
---
---The sizes are those of one sample: if the input has k times their elements, the output has a
---first dimension of k. One size may be -1, to be worked out from the others.
---@class nn.View: nn.SameElements
---@overload fun(size: torch.Storage): nn.View
nn.View = {}

---What layers of windows over volumes have in common; for layers to derive from.
---
---Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
---oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
---@class nn.VolumetricPooling: nn.Pooling
---@overload fun(kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): nn.VolumetricPooling
nn.VolumetricPooling = {}

---The mean over windows of kT x kW x kH.
---
---Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
---oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
---@class nn.VolumetricAveragePooling: nn.VolumetricPooling
---@overload fun(kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): nn.VolumetricAveragePooling
nn.VolumetricAveragePooling = {}

---nn.BatchNormalization over the planes of volumes, N x nOutput x T x H x W.
---@class nn.VolumetricBatchNormalization: nn.BatchNormalization
---@overload fun(nOutput: integer, eps?: number, momentum?: number, affine?: boolean): nn.VolumetricBatchNormalization
nn.VolumetricBatchNormalization = {}

---Convolution over volumes, such as videos: time (or depth) is given first, then width and height.
---
---Shapes: input N x nInputPlane x T x H x W, or without N; weight nOutputPlane x nInputPlane x kT x
---kH x kW; bias nOutputPlane; output N x nOutputPlane x oT x oH x oW with
---oT = floor((T + 2 padT - kT) / dT) + 1, and oH, oW likewise. Weight and bias start uniform in
---±1/sqrt(kT kW kH nInputPlane).
---@class nn.VolumetricConvolution: nn.Convolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): nn.VolumetricConvolution
nn.VolumetricConvolution = {}

---nn.VolumetricConvolution with gaps in its kernel: elements lie dilationT planes, dilationW
---columns and dilationH rows apart.
---
---Shapes: as nn.VolumetricConvolution, with
---oT = floor((T + 2 padT - dilationT (kT - 1) - 1) / dT) + 1, and oH, oW likewise.
---@class nn.VolumetricDilatedConvolution: nn.VolumetricConvolution
---@overload fun(dilationT?: integer, dilationW?: integer, dilationH?: integer): nn.VolumetricDilatedConvolution
nn.VolumetricDilatedConvolution = {}

---The maximum over windows of kT x kW x kH.
---
---Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
---oT = floor((T + 2 padT - kT) / dT) + 1 (`ceil` after `:ceil()`), oH and oW likewise.
---`indices` keeps where in its volume each maximum was, row-major and counted from 1; `itime`,
---`iheight` and `iwidth` the input's size.
---@class nn.VolumetricMaxPooling: nn.VolumetricPooling
---@overload fun(kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer): nn.VolumetricMaxPooling
nn.VolumetricMaxPooling = {}

---The maximum over windows of kT x kW x kH elements that lie `dilation` apart.
---
---Shapes: input N x C x T x H x W or C x T x H x W; output likewise with
---oT = floor((T + 2 padT - dilationT (kT - 1) - 1) / dT) + 1 (`ceil` after `:ceil()`), oH and oW
---likewise. `indices` keeps where in its volume each maximum was.
---@class nn.VolumetricDilatedMaxPooling: nn.VolumetricMaxPooling
---@overload fun(dilationT?: integer, dilationW?: integer, dilationH?: integer): nn.VolumetricDilatedMaxPooling
nn.VolumetricDilatedMaxPooling = {}

---nn.SpatialDropout for planes of three dimensions: N x C x T x H x W, or C x T x H x W.
---@class nn.VolumetricDropout: nn.SpatialDropout
---@overload fun(p?: number, stochasticInference?: boolean): nn.VolumetricDropout
nn.VolumetricDropout = {}

---The maximum over windows of poolSizeT x poolSizeW x poolSizeH that lie where random numbers put
---them.
---
---Shapes: input N x C x H x W x T or C x H x W x T, time last; output likewise with outH, outW and
---outT. Instead of sizes there may be ratios below 1: outH = floor(ratioH H).
---`indices` keeps where in its volume each maximum was.
---
---Source: Graham, "Fractional max-pooling", 2014 (arXiv:1412.6071).
---@class nn.VolumetricFractionalMaxPooling: nn.FractionalMaxPooling
---@overload fun(poolSizeT: integer, poolSizeW: integer, poolSizeH: integer, outT: number, outW: number, outH: number): nn.VolumetricFractionalMaxPooling
nn.VolumetricFractionalMaxPooling = {}

---The transpose of a convolution over volumes (deconvolution): its output is what the gradient of
---nn.VolumetricConvolution's input is.
---
---Shapes: input N x nInputPlane x T x H x W, or without N; weight nInputPlane x nOutputPlane x kT x
---kH x kW; bias nOutputPlane; output N x nOutputPlane x oT x oH x oW with
---oT = (T - 1) dT - 2 padT + kT + adjT, and oH, oW likewise. Weight and bias start uniform in
---±1/sqrt(kT kW kH nInputPlane).
---
---The input may be a table { tensor, like }: then adjT, adjW and adjH are chosen so that the output
---has the last three sizes of `like`.
---@class nn.VolumetricFullConvolution: nn.FullConvolution
---@overload fun(nInputPlane: integer, nOutputPlane: integer, kT: integer, kW: integer, kH: integer, dT?: integer, dW?: integer, dH?: integer, padT?: integer, padW?: integer, padH?: integer, adjT?: integer, adjW?: integer, adjH?: integer): nn.VolumetricFullConvolution
nn.VolumetricFullConvolution = {}

---Puts each value where the maximum of a pooling layer was, and zeros elsewhere.
---
---The pooling layer, kept in `pooling`, has to have run forward. Where its windows overlap, one of
---the values at a place counts.
---
---Shapes: input of the size of the pooling layer's output; output of the size of its input.
---@class nn.VolumetricMaxUnpooling: nn.Module
---@overload fun(poolingModule: nn.Module): nn.VolumetricMaxUnpooling
nn.VolumetricMaxUnpooling = {}

---Adds the border's planes, rows and columns again and again; negative padding crops.
---
---Shapes: input N x C x T x H x W or C x T x H x W; output likewise with T + pfront + pback,
---H + ptop + pbottom and W + pleft + pright.
---@class nn.VolumetricReplicationPadding: nn.Module
---@overload fun(pleft: integer, pright?: integer, ptop?: integer, pbottom?: integer, pfront?: integer, pback?: integer): nn.VolumetricReplicationPadding
nn.VolumetricReplicationPadding = {}

---A layer whose weight is given by its length and its direction: w = g v / |v|, for each output,
---where |v| is the root of the sum of squares and 1e-4.
---
---g and v are learnt in place of the layer's weight, its bias as before. v starts normal with
---standard deviation sqrt(2 / inputs of an output), g as its length, the bias at 0. In evaluation
---mode the weight is computed once.
---Source: Salimans and Kingma, 2016 (arXiv:1602.07868).
---@class nn.WeightNorm: nn.Reparametrised
---@overload fun(outputDim?: integer): nn.WeightNorm
nn.WeightNorm = {}

---Distances to learnt centres with learnt factors for each coordinate: y_j = |c_j (x - w_j)|.
---
---Shapes: as nn.Euclidean; `diagCov`, the factors, is inputSize x outputSize, and starts with 1.
---@class nn.WeightedEuclidean: nn.Euclidean
---@overload fun(inputSize: integer, outputSize: integer): nn.WeightedEuclidean
nn.WeightedEuclidean = {}

---Mean squared error with a weighted target: the mean over all elements of (x_i - weight_i t_i)^2,
---as Torch7 has it.
---Shapes: input and target as weight, or N of them.
---@class nn.WeightedMSECriterion: nn.MSECriterion
---@overload fun(weight: torch.Tensor): nn.WeightedMSECriterion
nn.WeightedMSECriterion = {}

---y = x + normally distributed noise while training; x + mean in evaluation.
---@class nn.WhiteNoise: nn.Module
---@overload fun(mean?: number, std?: number): nn.WhiteNoise
nn.WhiteNoise = {}

---output = input, the very same object; the gradient is zero: what is in front does not learn.
---@class nn.ZeroGrad: nn.Identity
---@overload fun(...: any): nn.ZeroGrad
nn.ZeroGrad = {}

---Rows as columns: { { a1, a2 }, { b1, b2 } } becomes { { a1, b1 }, { a2, b2 } }.
---@class nn.ZipTable: nn.Routing
---@overload fun(...: any): nn.ZipTable
nn.ZipTable = {}

---One tensor beside each of many: { v, { a, b, c } } becomes { { v, a }, { v, b }, { v, c } }.
---@class nn.ZipTableOneToMany: nn.Routing
---@overload fun(...: any): nn.ZipTableOneToMany
nn.ZipTableOneToMany = {}

---Raise unless the input has the layer's shape: a batch, or in evaluation a single sample.
---@param ... any
function nn.BatchNormalization:checkInputDim(...) end

---Weight uniform in (0, 1), bias 0, and the running statistics of standard normal features.
function nn.BatchNormalization:reset() end

---As `updateGradInput`, by a division of the output: of many factors faster, but none may be 0.
---@param input table the input of the last `forward` (table)
---@param gradOutput torch.Tensor (Tensor)
---@return self
function nn.CMulTable:updateGradInput_efficient(input, gradOutput) end

---dloss/dinput.
---@param input torch.Tensor scores (Tensor)
---@param target any labels
---@param sizes? any numbers of frames (optional)
---@return self
function nn.CTCCriterion:backward(input, target, sizes) end

---The loss.
---@param input torch.Tensor scores (Tensor)
---@param target any labels
---@param sizes? any numbers of frames (optional)
---@return number
function nn.CTCCriterion:forward(input, target, sizes) end

---How near an input is to each corner: the products with them.
---@param input any nClasses or N x nClasses
---@return any
function nn.ClassSimplexCriterion:getPredictions(input) end

---The nearest class of each sample.
---@param input any nClasses or N x nClasses
---@return torch.LongTensor
function nn.ClassSimplexCriterion:getTopPrediction(input) end

---Make the layer class of an operation over one dimension, `op(r, x, dim)`, that has a gradient
---`op_backward(r, g, y, dim)`.
---@param op string the operation's name, as in the list of operations (string)
---@param name string the class (string)
---@return any
function nn.Classwise:of(op, name) end

---Append a module. As in Torch7 nil adds nothing, but to nn.Sequential: classes of scripts call
---this before they have a module, and branches may be there or not.
---@param module any a module
---@return self
function nn.Container:add(module) end

---Call `func` on each module (not on those inside them).
---@param func function gets a module (function)
function nn.Container:applyToModules(func) end

---The module at `index`; nil where there is none.
---@param index integer from 1 (integer)
function nn.Container:get(index) end

---The parameters of all modules and their gradients, in two lists without nesting.
---@param ... any
---@return table
---@return table
function nn.Container:parameters(...) end

---Call `module[funcName](module, …)`; an error is raised again with its place in this container:
---"In 2 module of nn.Sequential:", then the original text behind the module's path, "net.2: ", and
---a traceback where that says more. A module's step of the path is its field `name` or its index.
---@param module any one of the container's modules
---@param moduleIndex? integer its index (integer, optional)
---@param funcName? string the method to call (string)
---@param ... any its arguments
function nn.Container:rethrowErrors(module, moduleIndex, funcName, ...) end

---Share the named tensors of all modules with those of `container`, which has the same structure.
---@param container any a container
---@param ... any names: 'weight', 'bias', 'gradWeight', …
---@return self
function nn.Container:share(container, ...) end

---The number of modules.
function nn.Container:size() end

---The module that converts the input's shape to 'b'.
function nn.Convert:b() end

---The module that converts the input's shape to 'bf'.
function nn.Convert:bf() end

---The module that converts the input's shape to 'bt'.
function nn.Convert:bt() end

---The module that does what this one does.
function nn.Convert:buildConverter() end

---The module that leaves the shape alone.
---@param ... any
function nn.Convert:default(...) end

---Where a shape has a dimension.
---@param axis_char string its letter (string)
---@param shape? string default the input's (string, optional)
---@param silent? boolean nil instead of an error (boolean, default false)
---@return any
function nn.Convert:findAxis(axis_char, shape, silent) end

---The module that converts the input's shape to another of the same dimensions.
---@param newShape string (string)
function nn.Convert:transpose(newShape) end

---Convert the layer, unless it was made with `dontCast`.
---@param ... any
function nn.Copy:type(...) end

---dloss/dinput.
---@param input any the input of the last `forward`
---@param target any its target
---@return self
function nn.Criterion:backward(input, target) end

---A deep copy.
---@param ... any
---@return any
function nn.Criterion:clone(...) end

---`c:type 'torch.CudaTensor'`: float, on the current device; needs cutorch.
---@param ... any
---@return self
function nn.Criterion:cuda(...) end

---`c:type 'torch.CudaDoubleTensor'`.
---@param ... any
---@return self
function nn.Criterion:cudaDouble(...) end

---`c:type 'torch.CudaHalfTensor'`.
---@param ... any
---@return self
function nn.Criterion:cudaHalf(...) end

---`c:type 'torch.DoubleTensor'`.
---@param ... any
---@return self
function nn.Criterion:double(...) end

---`c:type 'torch.FloatTensor'`.
---@param ... any
---@return self
function nn.Criterion:float(...) end

---The loss.
---@param input torch.Tensor tensor or table of tensors
---@param target any what `input` is compared with
---@return number
function nn.Criterion:forward(input, target) end

---Read a criterion's fields; see nn.Module:read.
---@param ... any
function nn.Criterion:read(...) end

---Convert every tensor of the criterion.
---@param typename string for example 'torch.FloatTensor' (string)
---@param cache? table old object -> new, to keep sharing with other objects (table, optional)
---@return self
function nn.Criterion:type(typename, cache) end

---Compute `gradInput`; what every criterion defines.
---@param input any the input of the last `forward`
---@param target any its target
---@return self
function nn.Criterion:updateGradInput(input, target) end

---Compute the loss; what every criterion defines.
---@param input torch.Tensor tensor or table of tensors
---@param target any what `input` is compared with
---@return number
function nn.Criterion:updateOutput(input, target) end

---The gradient with respect to the criterion's input; gradOutput has no say.
---@param input any
---@return any
function nn.CriterionTable:updateGradInput(input) end

---Give a class that derives from another one a decorator's methods; its objects have the module in
---`modules[1]`.
---@param class table what torch.class returned (table)
function nn.Decorator:decorate(class) end

---The part of a tensor of the output's size that belongs to a module's output: a view.
---@param output torch.Tensor (Tensor)
---@param currentOutput torch.Tensor the module's (Tensor)
---@param offset integer where it begins along `dimension` (integer)
---@return torch.Tensor
function nn.DepthConcat:windowNarrow(output, currentOutput, offset) end

---Set the type of this container, not the module's.
---@param ... any
function nn.DontCast:type(...) end

---Change the probability.
---@param ... any
function nn.Dropout:setp(...) end

---Make the criterion class of an element-wise loss that has a gradient.
---@param op string the row's name: 'mse_loss' (string)
---@param name string the class (string)
---@param argument3? string numbers the row's two numbers: fields of the criterion, or constants (string, optional)
---@param declaration? table of the class, for nn.declare; and `weighted = true` where it has a field `weights` (table, default {})
---@return any
function nn.ElementLoss:of(op, name, argument3, declaration) end

---Make the layer class of an operation that gives the extreme elements and where they are.
---@param op string the operation's name: 'max' (string)
---@param name string the class (string)
---@return any
function nn.Extremum:of(op, name) end

---What bytes stand for.
---@param ... any
---@return table
function nn.FakeQuantize:numbers(...) end

---Say what the range is; training goes on from there.
---@param low number (number)
---@param high number (number)
---@return self
function nn.FakeQuantize:setRange(low, high) end

---Round for the last time.
function nn.FakeQuantizedWeight:evaluate() end

---v and the layer's bias.
function nn.FakeQuantizedWeight:parameters() end

---The layer inside with the numbers before rounding, for nn.quantize to round.
---@param ... any
---@return any
function nn.FakeQuantizedWeight:plain(...) end

---Draw weight and bias anew.
---@param ... any
---@return self
function nn.FakeQuantizedWeight:reset(...) end

---weight = v, rounded.
function nn.FakeQuantizedWeight:updateWeight() end

---Keep the regions that were drawn, so that the layer is a function of its input.
---@param val? boolean false: draw new ones again (boolean, default true)
---@return self
function nn.FractionalMaxPooling:fixPoolingRegions(val) end

---The size of the random numbers for an input: N x C x directions.
---@param ... any
---@return torch.LongStorage
function nn.FractionalMaxPooling:getBufferSize_(...) end

---The sizes of the output for an input, in the order of the constructor's arguments.
---@param ... any
function nn.FractionalMaxPooling:getOutputSizes_(...) end

---Make the random numbers for an input; those that there are stay if the regions are fixed.
---see nn.FractionalMaxPooling.fixPoolingRegions
---@param ... any
function nn.FractionalMaxPooling:initSampleBuffer_(...) end

---Nothing: a module of early Torch7 gets what it lacks when it is read.
---@param ... any
function nn.FullConvolution:backCompatibility(...) end

---Convert; a second gradient of an earlier table input is dropped.
---@param ... any
function nn.FullConvolution:type(...) end

---The module's parameters and gradients, each in one tensor on its device.
---@param ... any
---@return torch.Tensor
---@return torch.Tensor
function nn.GPU:getParameters(...) end

---Read what `write` wrote.
---@param file any (torch.File)
---@param version integer (integer)
function nn.GPU:read(file, version) end

---The device of all tensors of a module, or of a table: those inside other nn.GPU are left out.
---@param obj any
---@param device? integer the one they must be on (integer, optional)
---@return integer
function nn.GPU:recursiveModuleDevice(obj, device) end

---Copy a nest of tensors; each goes to the device of its counterpart.
---@param dst? any tensors to copy into (optional)
---@param src? torch.Tensor tensor or nested table of tensors
---@param proto? any a nest of the same structure
---@return any
function nn.GPU:recursiveSetDevice(dst, src, proto) end

---Move the module to a device. Tensors elsewhere that shared its memory do so no longer.
---@param device? integer default: the one it shall be on (integer, optional)
---@return self
function nn.GPU:setDevice(device) end

---Convert; the module's tensors come to be on its device.
---@param ... any
function nn.GPU:type(...) end

---Write the type and the device, then the fields, as Torch7 does.
---@param file any (torch.File)
function nn.GPU:write(file) end

---Change lambda.
---@param ... any
function nn.GradientReversal:setLambda(...) end

---The samples of an input, one behind the other.
---@param input any as above
---@return table
function nn.IndexLinear:flattenInputs(input) end

---A tensor of longs on the layer's device: what `torch.LongTensor(...)` is on the CPU.
---@param ... any
function nn.IndexLinear:longTensor(...) end

---Weight and bias become 0, or are drawn uniformly.
---@param stdv? number standard deviation (number, optional)
---@return self
function nn.IndexLinear:reset(stdv) end

---Whether an input is a batch, and its parts.
---@param input any as above
---@return table
---@return boolean
function nn.IndexLinear:reshapeInput(input) end

---The gradient by all features, with `doGradInput`; else nothing.
---@param ... any
function nn.IndexLinear:updateGradInput(...) end

---The Jacobian by `module:backward`: one column for each element of the output.
---@param module any
---@param input torch.Tensor (Tensor)
---@param param? torch.Tensor the parameter to differentiate by; default the input (Tensor, optional)
---@param dparam? torch.Tensor where its gradient accumulates (Tensor, optional)
---@return torch.Tensor
function nn.Jacobian.backward(module, input, param, dparam) end

---The diagonal second derivatives by `module:backwardDiagHessian`, for second derivatives of 1 by
---each output.
---@param module any after nn.hessian.enable()
---@param input torch.Tensor (Tensor)
---@param diagHessianParamName string the field: 'diagHessianInput', 'diagHessianWeight', … (string)
---@return torch.Tensor
function nn.Jacobian.backwardDiagHessian(module, input, diagHessianParamName) end

---The Jacobian by `module:backwardUpdate`, from the parameter's own step.
---@param ... any
---@return torch.Tensor
function nn.Jacobian.backwardUpdate(...) end

---The Jacobian by central differences.
---@param module any
---@param input torch.Tensor (Tensor)
---@param param? torch.Tensor the tensor to perturb; default the input (Tensor, optional)
---@param perturbation? number half the step (number, default 1e-6)
---@return torch.Tensor
function nn.Jacobian.forward(module, input, param, perturbation) end

---As `forward`, for `backwardUpdate`.
---@param ... any
function nn.Jacobian.forwardUpdate(...) end

---The same for a module that is linear in the tensor: the sum of the squares of its Jacobian.
---@param module any
---@param input torch.Tensor (Tensor)
---@param gradParamName string the gradient's field: 'gradInput', 'gradWeight', … (string)
---@return torch.Tensor
function nn.Jacobian.linearModuleDiagHessian(module, input, gradParamName) end

---Whether the ways to update a parameter agree: accumulate then step, step at once, shared twins.
---@param module any
---@param input torch.Tensor (Tensor)
---@param weight string the parameter's field (string)
---@param gradWeight string its gradient's field (string)
---@return table
function nn.Jacobian.testAllUpdate(module, input, weight, gradWeight) end

---The error of a diagonal of the Hessian.
---@param module any linear in the tensor, after nn.hessian.enable()
---@param input torch.Tensor (Tensor)
---@param gradParamName string as for `linearModuleDiagHessian` (string)
---@param diagHessianParamName string as for `backwardDiagHessian` (string)
---@param minval? number (number, default -2)
---@param maxval? number (number, default 2)
---@return number
function nn.Jacobian.testDiagHessian(module, input, gradParamName, diagHessianParamName, minval, maxval) end

---The error of the diagonal by the bias.
---@param ... any
function nn.Jacobian.testDiagHessianBias(...) end

---The error of the diagonal by the input.
---@param ... any
function nn.Jacobian.testDiagHessianInput(...) end

---The error of the diagonal by the weight.
---@param ... any
function nn.Jacobian.testDiagHessianWeight(...) end

---Whether a module survives saving: the differences of output and gradInput after a round trip.
---@param ... any
---@return number
---@return number
function nn.Jacobian.testIO(...) end

---The error of dL/dinput.
---@param ... any
function nn.Jacobian.testJacobian(...) end

---The error of a parameter's gradient.
---@param ... any
function nn.Jacobian.testJacobianParameters(...) end

---The error of a parameter's direct update.
---@param ... any
function nn.Jacobian.testJacobianUpdateParameters(...) end

---Take samples for centroids that are far from each other: each is drawn from those farthest from
---the centroids so far.
---Source: Arthur and Vassilvitskii, SODA 2007, 1027-1035.
---@param input torch.Tensor N x dim (Tensor)
---@param p? number the part of the samples that are not drawn from, the nearest (number, default 0.95)
function nn.Kmeans:initKmeansPlus(input, p) end

---Take k samples, drawn at random, for centroids.
---@param input torch.Tensor N x dim, N at least k (Tensor)
function nn.Kmeans:initRandom(input) end

---Draw the centroids uniformly between -stdv and stdv.
---@param stdv? number (number, default 1)
---@return self
function nn.Kmeans:reset(stdv) end

---A copy with the same function, whose upvalues no file could hold.
---@param ... any as nn.Module's
function nn.Lambda:clone(...) end

---Make `addBuffer`: a one for each sample, by which a product sums over the batch.
---@param ... any
function nn.Linear:updateAddBuffer(...) end

---parameters <- parameters - lr * gradient, at once.
---@param ... any
function nn.LinearWeightNorm:defaultAccUpdateGradParameters(...) end

---Switch to evaluation mode: `weight` stays as it is now.
function nn.LinearWeightNorm:evaluate() end

---The layer that computes what an nn.Linear does.
---@param linear any an nn.Linear
---@return torch.Tensor
function nn.LinearWeightNorm:fromLinear(linear) end

---Take length and direction of the rows of a weight.
---@param weight? torch.Tensor outputSize x inputSize; default the layer's own (Tensor, optional)
---@return self
function nn.LinearWeightNorm:initFromWeight(weight) end

---The parameters: v, g, the bias.
---@param ... any
---@return table
---@return table
function nn.LinearWeightNorm:parameters(...) end

---Draw weight and bias as nn.Linear does.
---@param stdv? number standard deviation (number, optional)
---@return self
function nn.LinearWeightNorm:reset(stdv) end

---The nn.Linear that computes what this layer does.
---@param ... any
---@return torch.Tensor
function nn.LinearWeightNorm:toLinear(...) end

---Make `weight` of v and g.
function nn.LinearWeightNorm:updateWeightMatrix() end

---Drop the gradient's memory, as large as W: for `backwardUpdate` alone.
---@param ... any
---@return self
function nn.LookupTable:accUpdateOnly(...) end

---Fields that files of Torch7's earlier versions lack.
function nn.LookupTable:backCompatibility() end

---The positions in memory without gaps.
---@param ... any
function nn.LookupTable:makeInputContiguous(...) end

---Scale the rows at these positions down to `maxNorm`.
---@param ... any
function nn.LookupTable:renorm(...) end

---Draw the vectors from a normal distribution.
---@param stdv? number standard deviation (number, default 1)
function nn.LookupTable:reset(stdv) end

---Divide the gradient of each row by how often the batch has it.
---@param ... any
---@return self
function nn.LookupTable:scaleGradByFreq(...) end

---Change the largest norm that a row may have; nil: any.
---@param ... any
---@return self
function nn.LookupTable:setMaxNorm(...) end

---Change the exponent of that norm.
---@param ... any
---@return self
function nn.LookupTable:setNormType(...) end

---Change the position that does not learn; 0: all learn.
---@param ... any
---@return self
function nn.LookupTable:setPadding(...) end

---Set the module.
---@param module any
---@return self
function nn.MapTable:add(module) end

---Replace modules in the one that is cloned; there are no other clones afterwards.
---@param callback function gets a module (function)
---@return any
function nn.MapTable:replace(callback) end

---Make clones or drop some, until there are n modules.
---@param n integer (integer)
function nn.MapTable:resize(n) end

---Share the named tensors with those of another one, which has as many modules afterwards.
---@param container any an nn.MapTable
---@param ... any names: 'weight', 'bias', 'gradWeight', …
---@return self
function nn.MapTable:share(container, ...) end

---Add scale * dL/dparameter to the gradients; for layers with parameters to define.
---@param input any the input of the last `forward`
---@param gradOutput any dL/doutput
---@param scale? number (number, default 1)
function nn.Module:accGradParameters(input, gradOutput, scale) end

---parameters <- parameters - lr * gradient, without touching the gradients where memory allows.
---@param input any the input of the last `forward`
---@param gradOutput any dL/doutput
---@param lr number size of the step (number)
function nn.Module:accUpdateGradParameters(input, gradOutput, lr) end

---Call `callback(module)` for this module and then for each module inside, outermost first.
---@param callback function gets a module (function)
function nn.Module:apply(callback) end

---gradInput = dL/dinput, and gradient of each parameter += scale * dL/dparameter.
---@param input any the input of the last `forward`
---@param gradOutput any dL/doutput
---@param scale? number (number, default 1)
---@return self
function nn.Module:backward(input, gradOutput, scale) end

---As `backward`, but the parameters take the step -lr * gradient at once.
---@param input any the input of the last `forward`
---@param gradOutput any dL/doutput
---@param lr number size of the step (number)
---@return self
function nn.Module:backwardUpdate(input, gradOutput, lr) end

---Free `output`, `gradInput` and buffers, before saving for instance.
---@param ... any
---@return self
function nn.Module:clearState(...) end

---A deep copy. Tensors named in the arguments are shared with the original instead.
---@param ... any names: 'weight', 'bias', 'gradWeight', …
---@return any
function nn.Module:clone(...) end

---`m:type 'torch.CudaTensor'`: float, on the current device; needs cutorch.
---@param cache? table as for `type` (table, optional)
---@return self
function nn.Module:cuda(cache) end

---`accUpdateGradParameters` for parameters of this layer alone: they stand in for their
---gradients, and the scale is -lr.
---@param ... any
function nn.Module:defaultAccUpdateGradParameters(...) end

---`m:type 'torch.DoubleTensor'`.
---@param cache? table as for `type` (table, optional)
---@return self
function nn.Module:double(cache) end

---Switch to evaluation mode.
function nn.Module:evaluate() end

---Find modules by class.
---@param typename string for example 'nn.Linear' (string)
---@param container? any the module that holds this one (optional)
---@return table
---@return table
function nn.Module:findModules(typename, container) end

---Move tensors into one new flat storage, without gaps, and rebind each of them to it.
---Tensors that overlapped still overlap, and are counted once.
---@param parameters table tensors of one type (table)
---@return torch.Tensor
function nn.Module:flatten(parameters) end

---`m:type 'torch.FloatTensor'`.
---@param cache? table as for `type` (table, optional)
---@return self
function nn.Module:float(cache) end

---output = f(input).
---@param input torch.Tensor tensor or table of tensors, as the layer takes
---@return self
function nn.Module:forward(input) end

---Move all parameters into one flat storage and all gradients into another; of a network on
---several devices, those of each device, which gives lists.
---To be called once, after conversion to the final type: an earlier pair of flat tensors goes
---stale.
---@param ... any
---@return any
---@return any
function nn.Module:getParameters(...) end

---This module and all modules inside, outermost first.
---@param ... any
---@return table
function nn.Module:listModules(...) end

---The parameters and their gradients.
---@param ... any
---@return table
---@return table
function nn.Module:parameters(...) end

---Take the fields that `write` wrote: what `torch.load` calls. Those that an old file lacks get
---their defaults; then `__upgrade(version)`, where a class defines it, does once what else a file
---of an earlier version needs.
---@param file any (torch.File)
---@param version integer the class's `__version` when the file was written (integer)
function nn.Module:read(file, version) end

---Replace modules: `callback(module)` returns what shall stand in its place (itself, to keep it).
---@param callback function gets a module, before those inside it (function)
---@return any
function nn.Module:replace(callback) end

---Record what `forward` computes, of plain tensors, too: a loss made of its output goes back to
---the parameters' gradients. (The output for a Variable is recorded anyhow.) It holds for all
---modules inside, for containers of this one, and for clones, but is not saved. With false the
---parameters do not learn from what is recorded, whatever net they are part of: gradients go
---through the module, and nothing is added to gradWeight. `backward` called by the script adds as
---ever.
---@param on? boolean (boolean, default true)
---@return self
function nn.Module:requiresGrad(on) end

---Draw the parameters anew; for layers with parameters to define.
---@param stdv? number standard deviation (number, optional)
function nn.Module:reset(stdv) end

---Make the named tensors views of those of `module`: what one writes, both have.
---@param module any a module of the same class
---@param ... any names: 'weight', 'bias', 'gradWeight', …
---@return self
function nn.Module:share(module, ...) end

---Let the gradients by inputs inside this net share memory: `backward` gives that of each back as
---soon as the module before has used it, and the next one takes it.
---
---A training step then needs memory for its outputs and two or three gradients instead of all: half
---of it for a ResNet. The gradients of the parameters and the net's own `gradInput` are what they
---are without. The `gradInput` of modules inside containers is empty after `backward`, which is why
---nobody gets it unasked but from a train.Trainer, while it trains, and from nn.Residual,
---nn.FeedForward and nn.MultiHeadAttention, which share theirs unless they are told `false`;
---`updateGradInput` keeps all of them, for `accGradParameters` to use.
---
---Said of the containers that are there: what is added later is told by another call. An
---nn.gModule keeps the gradients between its nodes, which go to several; containers in its nodes
---share.
---@param on? boolean (boolean, default true)
---@return self
function nn.Module:shareGradInput(on) end

---`accUpdateGradParameters` for parameters shared with another layer, which must not change before
---that one's gradient is taken: the gradients are overwritten.
---@param ... any
function nn.Module:sharedAccUpdateGradParameters(...) end

---Switch to training mode (matters to layers such as Dropout).
function nn.Module:training() end

---Convert every tensor of the module, sub-modules included; tensors that shared memory still do.
---`m:type()` returns the present type's name.
---@param typename? string for example 'torch.FloatTensor' (string, optional)
---@param cache? table old object -> new; pass the same table to keep sharing between modules (table, optional)
---@return self
function nn.Module:type(typename, cache) end

---Compute `gradInput`; what every layer defines.
---@param ... any
---@return self
function nn.Module:updateGradInput(...) end

---Compute `output` from `input`; what every layer defines.
---A class that does not is told so on stderr, once: its output stays as it is.
---@param ... any
---@return self
function nn.Module:updateOutput(...) end

---parameters <- parameters - learningRate * gradients.
---@param learningRate number size of the step (number)
function nn.Module:updateParameters(learningRate) end

---Write the module's fields to a file, as one table: what `torch.save` calls.
---@param file any (torch.File)
function nn.Module:write(file) end

---Set the gradients of all parameters to zero, as before each batch: `backward` adds to them.
function nn.Module:zeroGradParameters() end

---Add a criterion.
---@param criterion any
---@param weight? number its factor (number, default 1)
---@return self
function nn.MultiCriterion:add(criterion, weight) end

---Weights uniform in ±sqrt(6 / (inputs + outputs)), those of queries, keys and values as of one
---layer, and biases 0: as in PyTorch; or with a deviation, as nn.Linear's.
---@param ... any
function nn.MultiHeadAttention:reset(...) end

---The module's gradients of its parameters, looked at.
---@param ... any
function nn.NaN:accGradParameters(...) end

---The next free id.
---@param ... any
---@return integer
function nn.NaN:newId(...) end

---Whether an element of a tensor, or of a nested table of tensors, is not a number.
---@param tensor any
---@return boolean
function nn.NaN:recursiveIsNaN(tensor) end

---The module's gradInput, looked at; when it has a NaN, gradOutput too.
---@param ... any
function nn.NaN:updateGradInput(...) end

---The module's output, looked at; when it has a NaN, its input and parameters too.
---@param ... any
function nn.NaN:updateOutput(...) end

---Every slope starts at 0.25, as in the paper.
---@param ... any
---@return self
function nn.PReLU:reset(...) end

---Nothing here learns.
function nn.PackedLinear:parameters() end

---The weights as numbers.
---@param ... any
---@return torch.Tensor
function nn.PackedLinear:unpacked(...) end

---Nothing here learns.
function nn.PackedLookupTable:parameters() end

---The vectors as numbers.
---@param ... any
---@return torch.Tensor
function nn.PackedLookupTable:unpacked(...) end

---Add a criterion, for the next entry of the input.
---@param criterion any
---@param weight? number its factor (number, default 1)
---@return self
function nn.ParallelCriterion:add(criterion, weight) end

---parameters <- parameters - lr * gradient, at once.
---@param ... any
function nn.PartialLinear:defaultAccUpdateGradParameters(...) end

---The weight, and the bias.
---@param ... any
---@return table
---@return table
function nn.PartialLinear:parameters(...) end

---Draw the weight as nn.LookupTable does, normally; the bias becomes 0.
---@param stdv? number standard deviation (number, default 1)
---@return self
function nn.PartialLinear:reset(stdv) end

---Choose all outputs.
function nn.PartialLinear:resetPartition() end

---Choose the outputs that are computed.
---@param indices torch.Tensor from 1 to outputSize (Tensor)
function nn.PartialLinear:setPartition(indices) end

---Make the named tensors views of those of `module`.
---@param ... any
---@return self
function nn.PartialLinear:share(...) end

---Move the parameters of each part into one flat storage on its device.
---@param ... any
---@return any
---@return any
function nn.Placed:getParameters(...) end

---Make the layer class of an element-wise operation that has a gradient.
---@param op string the operation's name, as in the list of operations: 'tanh' (string)
---@param name? string the class: default the operation with a capital letter ('Tanh' in `nn`) (string, optional)
---@param numbers? string the operation's two numbers: fields of the layer, or constants (string, optional)
---@param declaration? table of the class, for nn.declare; and `gradient = 'input'` where the gradient does not depend on the output, so that `backward` goes without a `forward` (table, default {})
---@return any
function nn.Pointwise:of(op, name, numbers, declaration) end

---Round output sizes up: a window may reach over the edge. Only for layers with steps.
---@param ... any
---@return self
function nn.Pooling:ceil(...) end

---Free the buffers (`clearState` under its older name).
function nn.Pooling:empty() end

---Round output sizes down (the default).
---@param ... any
---@return self
function nn.Pooling:floor(...) end

---Set the weights that are gone to zero, and their gradients.
---@param ... any
---@return self
function nn.Pruner:apply(...) end

---Let go of the masks: the net has its zeros, and learns as any other.
---@param ... any
---@return any
function nn.Pruner:fold(...) end

---Go on from a state, for a net of the same layers.
---@param state table (table)
---@return self
function nn.Pruner:restore(state) end

---The share of the weights that is zero.
---@param ... any
---@return number
function nn.Pruner:sparsity(...) end

---What `restore` takes: steps made, and the masks as bytes.
---@param ... any
---@return table
function nn.Pruner:state(...) end

---A step of training has been made: prune more if it is time, and hold what is pruned at zero.
---@param ... any
---@return self
function nn.Pruner:step(...) end

---The share that the schedule wants gone.
---@param step integer (integer)
---@return number
function nn.Pruner:wanted(step) end

---Nothing here learns.
function nn.Quantized:parameters() end

---Say what the outputs are.
---@param output? table { scale, zero } of bytes; nil: numbers of the net's type (table, optional)
---@return self
function nn.Quantized:setOutput(output) end

---Move the layer to another device, and change the type of floating outputs: weights stay the
---whole numbers that they are.
---@param typename? string (string, optional)
---@return self
function nn.Quantized:type(typename) end

---Have another image added to what the convolution gives.
---@param addend? table { scale, zero } of its bytes; nil: none (table, optional)
---@return self
function nn.QuantizedConvolution:setAddend(addend) end

---The modules of the main branch, the convolution with the addend last.
---@param ... any
---@return table
function nn.QuantizedResidual:mainSteps(...) end

---Free the buffers; the states that are remembered stay.
function nn.Recurrence:clearState() end

---The states that the last call of forward ended with.
---@param ... any
---@return any
---@return torch.Tensor
function nn.Recurrence:finalState(...) end

---Begin the next call with states of 0.
---@param ... any
---@return self
function nn.Recurrence:forget(...) end

---The parameters of a layer, as PyTorch has them.
---@param layer integer from 1 (integer)
---@param reverse? boolean of its second direction (boolean, optional)
---@return table
---@return table
function nn.Recurrence:parts(layer, reverse) end

---Begin the next call with states that `remembered` gave; those after it as `remember` says. A
---call of another number of sequences begins with 0.
---@param states table { h, c }, as of `finalState`; copies are taken; or nil (table)
---@return self
function nn.Recurrence:recall(states) end

---Begin each call with the states that the one before ended with, or no longer.
---@param on? boolean (boolean, default true)
---@return self
function nn.Recurrence:remember(on) end

---The states that the next call begins with, in copies; nil for 0.
---@param ... any
---@return any
function nn.Recurrence:remembered(...) end

---The step takes the gradients' place.
---@param ... any
function nn.Reparametrised:accUpdateGradParameters(...) end

---The tensor with the dimension of outputs in front: a view.
---@param inpt torch.Tensor of the weight's size (Tensor)
function nn.Reparametrised:permuteIn(inpt) end

---Undo `permuteIn`: a view.
---@param inpt torch.Tensor (Tensor)
function nn.Reparametrised:permuteOut(inpt) end

---Replace modules: a new one inside has the weight that is computed, and its own bias.
---@param callback function gets a module (function)
---@return any
function nn.Reparametrised:replace(callback) end

---Share fields of this module, such as 'bias', and of what is learnt here, and their gradients.
---@param module any a module of this class
---@param ... any names
---@return self
function nn.Reparametrised:share(module, ...) end

---Weight 1 and bias 0.
function nn.RowNormalization:reset() end

---Append a module; the sequence then has its output.
---@param ... any
---@return self
function nn.Sequential:add(...) end

---Insert a module before position `index` (default: at the end).
---@param ... any
function nn.Sequential:insert(...) end

---Remove and return the module at `index` (default: the last one).
---@param ... any
function nn.Sequential:remove(...) end

---The Jacobian by `module:backward`; see nn.Jacobian.backward.
---@param module any
---@param input torch.Tensor n x 2 or more (Tensor)
---@param param? torch.Tensor the parameter to differentiate by; default the input's second column (Tensor, optional)
---@param dparam? torch.Tensor where its gradient accumulates (Tensor, optional)
---@return torch.Tensor
function nn.SparseJacobian.backward(module, input, param, dparam) end

---The Jacobian by `module:backwardUpdate`, from the parameter's own step.
---@param ... any
---@return torch.Tensor
function nn.SparseJacobian.backwardUpdate(...) end

---The Jacobian by central differences; see nn.Jacobian.forward.
---@param module any
---@param input torch.Tensor n x 2 or more (Tensor)
---@param param? torch.Tensor the tensor to perturb; default the input's second column (Tensor, optional)
---@param perturbation? number half the step (number, default 1e-6)
---@return torch.Tensor
function nn.SparseJacobian.forward(module, input, param, perturbation) end

---As `forward`, for `backwardUpdate`.
---@param ... any
function nn.SparseJacobian.forwardUpdate(...) end

---Whether the ways to update a parameter agree: accumulate then step, step at once, shared twins.
---@param module any
---@param input torch.Tensor (Tensor)
---@param weight string the parameter's field (string)
---@param gradWeight string its gradient's field (string)
---@return table
function nn.SparseJacobian.testAllUpdate(module, input, weight, gradWeight) end

---Whether a module survives saving: the differences of output and gradInput after a round trip.
---@param ... any
---@return number
---@return number
function nn.SparseJacobian.testIO(...) end

---The error of dL/dinput, of the second column.
---@param ... any
function nn.SparseJacobian.testJacobian(...) end

---The error of a parameter's gradient.
---@param ... any
function nn.SparseJacobian.testJacobianParameters(...) end

---The error of a parameter's direct update.
---@param ... any
function nn.SparseJacobian.testJacobianUpdateParameters(...) end

---Draw the weight as nn.Linear does; the bias starts a million times smaller.
---@param stdv? number standard deviation (number, optional)
---@return self
function nn.SparseLinear:reset(stdv) end

---The samples of an input.
---@param input any a table of n x 2 tensors, one of them, or N x n x 2
---@return table
function nn.SparseLinear:reshapeInput(input) end

---The gradient by the input, with `doGradInput`; else nothing.
---@param ... any
function nn.SparseLinear:updateGradInput(...) end

---Divide by the elements of a window that lie in the image.
---@param ... any
---@return self
function nn.SpatialAveragePooling:setCountExcludePad(...) end

---Divide by all elements of a window, those of the padding too (the default).
---@param ... any
---@return self
function nn.SpatialAveragePooling:setCountIncludePad(...) end

---Let weights and biases shrink by a part of themselves.
---@param decay number the part (number)
function nn.SpatialConvolutionMap:decayParameters(decay) end

---Draw each kernel uniformly in ±1/sqrt(kW kH n), where n kernels have its output plane; the
---biases likewise.
---@param stdv? number standard deviation for all of them instead (number, optional)
---@return self
function nn.SpatialConvolutionMap:reset(stdv) end

---Free what was computed.
---@param ... any
function nn.SpatialDivisiveNormalization:clearState(...) end

---Change the probability.
---@param ... any
function nn.SpatialDropout:setp(...) end

---Let weights and biases shrink by a part of themselves.
---@param decay number the part (number)
function nn.SpatialFullConvolutionMap:decayParameters(decay) end

---Draw each kernel uniformly in ±1/sqrt(kW kH n), where n kernels have its output plane; the
---biases likewise.
---@param stdv? number standard deviation for all of them instead (number, optional)
---@return self
function nn.SpatialFullConvolutionMap:reset(stdv) end

---Free the buffers (`clearState` under its older name).
function nn.SpatialMaxUnpooling:empty() end

---Note what the pooling layer's last input was: its positions, and its sizes in the fields
---`otime`, `oheight` and `owidth`. For scripts that read them; forward asks the pooling layer.
function nn.SpatialMaxUnpooling:setParams() end

---Free what was computed.
---@param ... any
function nn.SpatialSubtractiveNormalization:clearState(...) end

---Note the sizes of an input and of the output for it.
---@param ... any
function nn.SpatialUpSamplingBilinear:setSize(...) end

---W and the layer's bias.
function nn.SpectralNorm:parameters() end

---Draw the weight and the bias anew, as the module does.
---@param ... any
---@return self
function nn.SpectralNorm:reset(...) end

---weight = W / sigma, with sigma = u'Wv.
function nn.SpectralNorm:updateWeight() end

---Say how many dimensions one sample has: an input with one more is a batch.
---@param numInputDims? integer (integer, optional)
---@return self
function nn.Squeeze:setNumInputDims(numInputDims) end

---Train on a dataset.
---@param dataset any `dataset[i]` is { input, target }, `dataset:size()` the number of them
function nn.StochasticGradient:train(dataset) end

---The functions of a C library that is built as Torch7's: they are called THNN_<type><name>, and
---take a state first.
---@param lib any an FFI namespace (or table)
---@param names table 'Abs_updateOutput', ...; those that the library lacks are left out (table)
---@param typename string the part of the functions' names: 'Float' (string)
---@param stateGetter function gives the state (function)
---@return string
function nn.THNN.bind(lib, names, typename, stateGetter) end

---The state that Torch7's C library is given: a null pointer. The kernels here take none.
function nn.THNN.getState() end

---What stands for a tensor that may be nil in a kernel's arguments.
---@param t torch.Tensor tensor or nil
---@return any
function nn.THNN.optionalTensor(t) end

---Run a kernel by its name.
---@param name string such as 'Abs_updateOutput' (string)
---@param typename string such as 'torch.FloatTensor' (string)
---@param ... any its arguments
function nn.THNN.runKernel(name, typename, ...) end

---In place, the output stands for the input when gradients are taken: val > threshold would be
---lost.
function nn.Threshold:validateParameters() end

---Say how many dimensions one sample has: inputs with one more are batches.
---@param numInputDims? integer (integer, optional)
---@return self
function nn.Transpose:setNumInputDims(numInputDims) end

---Say how many dimensions one sample has.
---@param numInputDims? integer (integer, optional)
---@return self
function nn.Unsqueeze:setNumInputDims(numInputDims) end

---Note the sizes of an input and of the output for it.
---@param ... any
function nn.UpSampling:setSize(...) end

---Change the sizes.
---@param ... any numbers, or one LongStorage
---@return self
function nn.View:resetSize(...) end

---Say how many dimensions one sample has: those before them are the batch, even if it holds one.
---@param numInputDims? integer (integer, optional)
---@return self
function nn.View:setNumInputDims(numInputDims) end

---Divide by the elements of a window that lie in the volume.
---@param ... any
---@return self
function nn.VolumetricAveragePooling:setCountExcludePad(...) end

---Divide by all elements of a window, those of the padding too (the default).
---@param ... any
---@return self
function nn.VolumetricAveragePooling:setCountIncludePad(...) end

---Free the buffers (`clearState` under its older name).
function nn.VolumetricMaxUnpooling:empty() end

---Note what the pooling layer's last input was: its positions, and its sizes in the fields
---`otime`, `oheight` and `owidth`. For scripts that read them; forward asks the pooling layer.
function nn.VolumetricMaxUnpooling:setParams() end

---Compute the weight for the last time.
function nn.WeightNorm:evaluate() end

---v, g and the layer's bias.
function nn.WeightNorm:parameters() end

---Draw v, g and the bias anew.
---@param ... any
---@return self
function nn.WeightNorm:reset(...) end

---Draw v, g and the bias anew.
---@param inputSize? integer inputs of an output (integer, optional)
---@param _outputSize? integer number of outputs (integer, optional)
function nn.WeightNorm:resetInit(inputSize, _outputSize) end

---weight = g v / |v|.
function nn.WeightNorm:updateWeight() end

---Drop the bias.
---@param ... any
---@return self
function nn.Weighted:noBias(...) end

---Draw weight and bias uniformly, weight first.
---@param stdv? number standard deviation; default 1/sqrt(3 * inputs of an output) (number, optional)
---@return self
function nn.Weighted:reset(stdv) end

---parameters <- parameters - lr * gradient, at once.
---@param ... any
function nn.WeightedEuclidean:defaultAccUpdateGradParameters(...) end

---The centres and the factors.
---@param ... any
---@return table
---@return table
function nn.WeightedEuclidean:parameters(...) end

---Draw the centres; the factors become 1.
---@param stdv? number standard deviation (number, optional)
---@return self
function nn.WeightedEuclidean:reset(stdv) end

---A convolution of each plane by itself.
---@param planes integer in and out (integer)
---@param size? integer of the kernel, an odd number (integer, default 3)
---@param step? integer (integer, default 1)
---@return any
function nn.blocks.depthwise(planes, size, step) end

---A depthwise separable convolution: each plane by itself, then all planes at each point, each
---with a batch normalisation and a ReLU behind it. About 1 / size^2 of the work of a whole
---convolution. Source: Howard et al., "MobileNets", 2017 (arXiv:1704.04861).
---@param inputs integer planes in (integer)
---@param outputs integer planes out (integer)
---@param size? integer of the kernel, an odd number (integer, default 3)
---@param step? integer (integer, default 1)
---@return any
function nn.blocks.separable(inputs, outputs, size, step) end

---Squeeze and excite: each plane times a number in (0, 1) that a small net makes of the means of
---all planes. Source: Hu, Shen and Sun, CVPR 2018 (arXiv:1709.01507).
---@param planes integer in and out (integer)
---@param reduction? integer the small net has planes / reduction features inside (integer, default 16)
---@return any
function nn.blocks.squeezeExcite(planes, reduction) end

---Make a class of layers or criterions.
---
---The parts of a declaration, all optional; what a class leaves out it has from its parent:
---
---   arguments  of the constructor, a line each: see nn.base.arguments
---   input      the input's shape: see nn.base.shape; 'table' for a table of tensors, 'any' for a
---              layer that checks it itself
---   tensors    of an input that is a table: how many there must be
---   output     the output's shape, and gradOutput's
---   own        the field whose element type the layer has ('output', of a criterion 'gradInput')
---   batch      true: a single sample is computed as a batch of one
---   joint      true: there is `__computeBackward(gradInput, input, gradOutput, scale)` for both
---              gradients at once
---   validate   the name of a method that checks more of an input
---   target     of a criterion: 'tensor' (the default), 'classes', 'signs' (1 and -1) or 'any'
---   text       what is printed behind the class's name: see nn.base.text
---   version    of the class's files
---
---What the class then defines, each where it is needed, behind the methods that scripts call:
---
---   __initialize(...)          when the arguments are checked and in their fields; gets them, with
---                              their defaults
---   __computeOutput(output, input)                          output into the buffer; returns it
---   __computeGradInput(gradInput, input, gradOutput)        likewise
---   __computeGradParameters(input, gradOutput, scale)       adds scale * gradient
---   __computeBackward(gradInput, input, gradOutput, scale)  with `joint`; gradInput is nil where
---                              it is not wanted
---   __advise(input)            what to do about an input of a wrong shape: the end of the error
---   __upgrade(version)         once, on an object read from a file
---
---A criterion has `__computeOutput(loss, input, target)`, which returns a number or a tensor that
---begins with it, and `__computeGradInput(gradInput, input, target)`; `__refuseNaN(input, target)`
---raises where the input explains a loss that is not a number. A layer with a weight or a bias is
---an nn.Weighted: `__initialize` calls `self:__addWeights(sizes of weight, sizes of bias)`,
---`__fanIn()` is the number of inputs of an output. Inputs of layers are of the layer's type and of
---a declared shape; `self:__checkInput(input)` and `self:__checkBackward(input, gradOutput)` raise
---where they are not.
---@param name string such as 'nn.Linear' (string)
---@param parent? string a class's name (string, default 'nn.Module')
---@param declaration? table (table)
---@param module? any the table that gets the constructor; default by the name (optional)
---@return any
function nn.declare(name, parent, declaration, module) end

---A net that learns to be rounded: what nn.quantize would compute on bytes is rounded as that
---would, forward; gradients go through.
---
---Weights of nn.Linear and nn.SpatialConvolution are wrapped in nn.FakeQuantizedWeight, and an
---nn.FakeQuantize follows the input, each such layer and each sum, behind its nn.ReLU where there
---is one. Batch normalisation is folded first. Train the result some epochs at a small learning
---rate, then `nn.quantize(net)`, without data.
---
---Options: `perChannel` (true), `momentum` of the ranges (0.99), `skip`, a function that gets a
---layer and says whether it stays as it is.
---@param net any (nn.Module)
---@param options? table (table, optional)
---@return any
function nn.fakeQuantize(net, options) end

---Fold each batch normalisation that follows a linear layer or a convolution, in a sequence, into
---that layer's weight and bias, by its running statistics. The net gives what it gave in
---evaluation, with less work; it is put in evaluation mode, and is no longer one to train: those
---layers have parameters and gradients of their own. A layer that is in several places stays as it
---is in the others.
---@param net any a module; changed in place: clone it first to keep the original
---@return any
function nn.fuse(net) end

---For layers of one's own: add the second derivatives by the parameters, from `accGradParameters`
---with the squared input.
---@param layer any with the parameters
---@param input any of the last `forward`
---@param diagHessianOutput any second derivatives by the output
---@param gradients table the fields that `accGradParameters` adds to: `{ 'gradWeight' }` (table)
---@param sums table the fields to add to: `{ 'diagHessianWeight' }` (table)
function nn.hessian.accDiagHessianParameters(layer, input, diagHessianOutput, gradients, sums) end

---Give modules `backwardDiagHessian(input, diagHessianOutput)`, which computes
---`diagHessianInput`, `diagHessianWeight` and `diagHessianBias`, and criterions
---`backwardDiagHessian(input, target)`, where it begins. `getParameters` returns the sums as its
---third.
function nn.hessian.enable() end

---For layers of one's own: sums of second derivatives as large as the gradients, zero.
---@param ... any
function nn.hessian.initDiagHessianParameters(...) end

---For layers of one's own: the second derivatives by the input of a layer that is linear in it,
---from `updateGradInput` with squared parameters.
---@param layer any with the parameters
---@param input any of the last `forward`
---@param diagHessianOutput any second derivatives by the output
---@param parameters table their fields' names: `{ 'weight' }` (table)
---@return any
function nn.hessian.updateDiagHessianInput(layer, input, diagHessianOutput, parameters) end

---For element-wise layers of one's own: the square of the derivative, which is the gradient for
---ones.
---@param ... any
---@return any
function nn.hessian.updateDiagHessianInputPointWise(...) end

---Replace each nn.Linear and nn.LookupTable by an nn.PackedLinear or nn.PackedLookupTable: its
---weights take 4 or 8 bits each, everything else stays floats.
---
---Options: `bits` (4), `group`, how many columns share a scale and a zero (64: 32 is more exact and
---takes more memory), `skip`, a function that gets a layer and says whether it stays as it is. Rows
---that are no whole number of bytes, and tables with a maxNorm, stay, too.
---@param net any (nn.Module)
---@param options? table (table, optional)
---@return any
function nn.packWeights(net, options) end

---A net that computes on 8-bit numbers, from one that is trained, which stays as it is.
---
---Samples run through the net tell which ranges its values have; layers become nn.QuantizedLinear,
---nn.QuantizedConvolution, nn.QuantizedAdd (of nn.CAddTable with two inputs), nn.QuantizedResidual
---and nn.QuantizedMaxPooling, in nn.Sequential, nn.ConcatTable, nn.ParallelTable and nngraph's
---nets. Batch normalisation is folded into the layer before it; max(0, .) comes with the rounding.
---Values between such layers are bytes; all others, and what goes in and comes out, are as they
---were. A net that was trained with nn.fakeQuantize needs no samples: it knows its ranges.
---
---Options: `calibration`, how ranges are found: 'range' (the default: from the least to the largest
---value), 'average', 'percentile' or 'entropy' (see nn.quantization.observers); `percentile`, the
---share of the values inside (0.9999); `perChannel`, whether the weights of each output have a
---scale of their own (true); `skip`, a function that gets a layer and says whether it stays in
---floats.
---@param net any (nn.Module)
---@param data? any a batch, a list of batches, or a function that returns an iterator over them (optional)
---@param options? table (table, optional)
---@return any
function nn.quantize(net, data, options) end

---A net with a share of its channels taken out, so that it is smaller and faster; train it on for
---a while afterwards.
---
---Channels of nn.Linear and nn.SpatialConvolution go, with what normalises and reads them, through
---nn.Sequential, nn.ConcatTable, nn.ParallelTable, nngraph's nets, residual sums (all that is added
---up loses the same channels), nn.JoinTable along channels, and from planes to features (nn.View).
---The net's input and output stay, and so does what a layer of another kind, or one that shares its
---parameters with another, reads or makes.
---
---Options: `amount`, the share that goes (0.5); `by`, what a channel counts: 'l1' or 'l2', the norm
---of its weights (the default is 'l1'), or 'scale', the weight of its batch normalisation;
---`multiple`, of how many channels each layer keeps a multiple (1; kernels like 8 or 16); `skip`, a
---function that gets a layer and says whether its channels stay.
---Sources: Li et al., Pruning Filters for Efficient ConvNets, ICLR 2017; Liu et al., Learning
---Efficient Convolutional Networks through Network Slimming, ICCV 2017.
---@param net any (nn.Module)
---@param input any a sample or a batch, for the sizes
---@param options? table (table, optional)
---@return any
function nn.removeChannels(net, input, options) end

---Hang a function on the seam.
---Methods that an object has of its own, outside of its class, are not seen.
---@param hook function hook(call, object, method, ...): runs in place of each call object:method(...), and returns what that call shall return; `call(object, ...)` goes on (function)
---@return function
function nn.seam.attach(hook) end

---A method as it is without the seam.
---@param ... any
function nn.seam.plain(...) end

---Every output sees every input.
---@param nin integer number of inputs (integer)
---@param nout integer number of outputs (integer)
---@return torch.Tensor
function nn.tables.full(nin, nout) end

---Output i sees input i.
---@param nfeat integer number of planes (integer)
---@return torch.Tensor
function nn.tables.oneToOne(nfeat) end

---Every output sees `nto` different inputs, drawn at random: in the order of a permutation, of
---another one when less than `nto` of it are left.
---@param nin integer number of inputs (integer)
---@param nout integer number of outputs (integer)
---@param nto integer inputs of an output (integer)
---@return torch.Tensor
function nn.tables.random(nin, nout, nto) end

---A view of `tensor` with a dimension of size 1 inserted.
---`addSingletonDimension([view,] tensor [, dim = 1])`
---@param ... any
function nn.utils.addSingletonDimension(...) end

---Empty the named fields of `self`: tensors lose their memory, tables their entries, others
---become nil. `clear(self, 'output', 'gradInput')` or `clear(self, { 'output', 'gradInput' })`
---@param ... any
---@return self
function nn.utils.clear(...) end

---`input` seen with other sizes; copied into `output` where its memory does not allow a view.
---@param output? torch.Tensor (Tensor, optional)
---@param input? torch.Tensor (Tensor)
---@param ... torch.Storage sizes, or one LongStorage
function nn.utils.contiguousView(output, input, ...) end

---t1 <- t1 + val * t2, tensor by tensor, in tables of one structure.
---`recursiveAdd(t1, t2)` adds with val = 1.
---@param ... any
---@return torch.Tensor
function nn.utils.recursiveAdd(...) end

---Copy `t2` into `t1`, which gets its structure and sizes.
---@param t1 torch.Tensor tensor or nested table of tensors, or nil
---@param t2 torch.Tensor tensor or nested table of tensors
---@param async? boolean copy with `copyAsync` (between host and device) (boolean, default false)
---@return torch.Tensor
function nn.utils.recursiveCopy(t1, t2, async) end

---Fill all tensors of `t2` with `val`.
---@param ... any
function nn.utils.recursiveFill(...) end

---Give `t1` the structure and sizes of `t2`, both tensors or nested tables of tensors.
---@param ... any
---@return torch.Tensor
function nn.utils.recursiveResizeAs(...) end

---Convert every tensor in `param` to `typename`: a tensor, a module, a criterion, or a table of
---these. Tensors that share a storage share one afterwards, as far as `cache` reaches.
---@param param torch.Tensor tensor, module, criterion or table (changed in place), or anything else, objects of other classes too (returned as they are)
---@param typename string for example 'torch.FloatTensor' (string)
---@param cache? table what was converted so far, to be passed on between calls (table, optional)
---@return any
function nn.utils.recursiveType(param, typename, cache) end

return nn
