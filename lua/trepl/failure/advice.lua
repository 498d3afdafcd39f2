--- What to do about common mistakes: a sentence for a message.
-- @module trepl.failure.advice
local M = {}

local broadcasting = 'torch.broadcast(true) lets sizes stretch, as NumPy does'

-- Pattern of a message -> advice.
local sentences = {
   { '^add: inconsistent tensor size',
      'x + y and x - y want equal sizes: y:expandAs(x) stretches y to those of x; '
         .. broadcasting },
   { '^c?%a+: inconsistent tensor size',
      'y:expandAs(x) stretches y to the sizes of x; ' .. broadcasting },
   { '^/: no such operation between number', 'of each element: x:clone():pow(-1):mul(number)' },
   { '^/: no such operation between torch.*Tensor and torch',
      'element by element: torch.cdiv(x, y)' },
   { '^%*: no such operation between torch',
      'element by element: torch.cmul(x, y); matrices: torch.mm(x, y)' },
   { 'have no pow operator', 'of each element: torch.pow(x, 2)' },
   { 'have no l[te] operator',
      'of each element: x:gt(0), x:ge(0), x:lt(0), x:le(0), x:eq(y) give a ByteTensor' },
   { 'no concat operator', 'a value as text: tostring(x); tensors one behind the other: '
      .. 'torch.cat(x, y, dim)' },
   { 'a mask must be a ByteTensor, got torch.LongTensor',
      'rows by their positions: x:index(1, positions)' },
   { 'index: 0 is out of range', 'positions count from 1' },
   { 'dimension %-%d+ out of range',
      'dimensions count from 1; with torch.broadcast(true) -1 is the last' },
   { 'dimension 0 out of range', 'dimensions count from 1' },
   { '^mm: invalid arguments: %a+ %a+$',
      'the product of x and y: torch.mm(x, y); x:mm(y, z) writes that of y and z into x' },
   { '^mv: invalid arguments: %a+ %a+$',
      'the product of x and y: torch.mv(x, y); x:mv(y, z) writes that of y and z into x' },
}

--- Patterns of messages, and advice.
M.sentences = sentences

--- @param message string, without the position in front
-- @return sentence, or nil
function M.for_message(message)
   local first_line = message:match '^[^\n]*'
   for _, row in ipairs(sentences) do
      if first_line:find(row[1]) then
         return row[2]
      end
   end
end

-- PyTorch's and NumPy's names, and ours: only what exists here by no such name.
local elsewhere = {
   argmax = 'values, positions = torch.max(x, dim)',
   argmin = 'values, positions = torch.min(x, dim)',
   argsort = 'values, positions = torch.sort(x, dim)',
   zeros_like = 'x:clone():zero()',
   ones_like = 'x:clone():fill(1)',
   empty_like = 'x.new(x:size())',
   rand_like = 'torch.rand(x:size())',
   randn_like = 'torch.randn(x:size())',
   full = 'torch.Tensor(sizes):fill(value)',
   arange = 'torch.range(first, last)',
   tensor = 'torch.Tensor { 1, 2, 3 }',
   matmul = 'torch.mm(x, y), torch.mv(x, v), torch.bmm(x, y) or x * y',
   outer = 'torch.ger(x, y)',
   randint = 'torch.LongTensor(sizes):random(first, last)',
   masked_fill = 'x:maskedFill(mask, value)',
   index_select = 'x:index(dim, positions)',
   expand_as = 'x:expandAs(y)',
   view_as = 'x:viewAs(y)',
   mul_ = 'x:mul(value)',
   add_ = 'x:add(y)',
   div_ = 'x:div(value)',
   copy_ = 'x:copy(y)',
   zero_ = 'x:zero()',
   fill_ = 'x:fill(value)',
   exp_ = 'x:exp()',
   clamp_ = 'x:clamp(least, most)',
   shape = 'x:size()',
   T = 'x:t()',
   ndim = 'x:dim()',
   dtype = 'x:type()',
   concat = 'torch.cat(list, dim)',
   concatenate = 'torch.cat(list, dim)',
   detach = 'x:clone()',
   numpy = 'x:totable()',
   tolist = 'x:totable()',
   flatten = 'x:view(-1)',
   to = "x:cuda(), x:float(), x:type 'torch.FloatTensor'",
   cpu = 'x:float() or x:double()',
   requires_grad = 'net:backward(x, gradOutput)',
   no_grad = 'nothing: only net:backward computes gradients',
   manual_seed = 'torch.manualSeed(n)',
   set_default_dtype = 'torch.setdefaulttensortype(name)',
   softmax = 'nn.SoftMax():forward(x)',
   log_softmax = 'nn.LogSoftMax():forward(x)',
   eval = 'net:evaluate()',
   train = 'net:training()',
   zero_grad = 'net:zeroGradParameters()',
   state_dict = 'net:parameters()',
   ModuleList = 'nn.Container',
   Conv1d = 'nn.TemporalConvolution(in, out, kW)',
   Conv2d = 'nn.SpatialConvolution(in, out, kW, kH)',
   Conv3d = 'nn.VolumetricConvolution(in, out, kT, kW, kH)',
   ConvTranspose2d = 'nn.SpatialFullConvolution(in, out, kW, kH)',
   MaxPool2d = 'nn.SpatialMaxPooling(kW, kH)',
   AvgPool2d = 'nn.SpatialAveragePooling(kW, kH)',
   AdaptiveAvgPool2d = 'nn.SpatialAdaptiveAveragePooling(W, H)',
   Upsample = 'nn.SpatialUpSamplingNearest(scale)',
   BatchNorm1d = 'nn.BatchNormalization(features)',
   BatchNorm2d = 'nn.SpatialBatchNormalization(planes)',
   Dropout2d = 'nn.SpatialDropout(p)',
   Embedding = 'nn.LookupTable(n, size)',
   Softmax = 'nn.SoftMax()',
   LogSoftmax = 'nn.LogSoftMax()',
   Softplus = 'nn.SoftPlus()',
   Flatten = 'nn.View(-1)',
   Transformer = 'nn.TransformerEncoder, nn.TransformerDecoder',
   CrossEntropyLoss = 'nn.CrossEntropyCriterion()',
   MSELoss = 'nn.MSECriterion()',
   NLLLoss = 'nn.ClassNLLCriterion()',
   BCELoss = 'nn.BCECriterion()',
   L1Loss = 'nn.AbsCriterion()',
   BCEWithLogitsLoss = 'nn.BCEWithLogitsCriterion()',
   KLDivLoss = 'nn.DistKLDivCriterion()',
   SmoothL1Loss = 'nn.SmoothL1Criterion()',
   HuberLoss = 'nn.HuberCriterion()',
   Adam = 'optim.adam(opfunc, x, config)',
   AdamW = 'optim.adamw(opfunc, x, config)',
   SGD = 'optim.sgd(opfunc, x, config)',
   RMSprop = 'optim.rmsprop(opfunc, x, config)',
}

--- Names elsewhere, and ours.
M.elsewhere = elsewhere

--- What is called `name` elsewhere.
function M.for_name(name)
   return elsewhere[name]
end

-- Penlight's modules that its `require 'pl'` makes globals.
local penlight = {}
for name in ([[lapp stringx tablex path dir text pretty utils file data func seq List Map Set
   OrderedMap MultiMap Date class app template sip lexer]]):gmatch '%S+' do
   penlight[name] = true
end

--- About a global that is nil.
function M.for_global(name)
   if package.searchpath(name, package.path) or package.searchpath(name, package.cpath) then
      return ("%s is a package: begin with require '%s'"):format(name, name)
   elseif penlight[name] and not package.searchpath('pl.' .. name, package.path) then
      return ("%s is Penlight's, which is not installed (Debian: apt install lua-penlight)"):format(
         name)
   end
end

return M
