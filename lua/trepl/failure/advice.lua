--- What to do about common mistakes: a sentence for a message.
-- @module trepl.failure.advice
local M = {}

local broadcasting = 'torch.broadcast(true) lets sizes stretch, as NumPy does'

-- Pattern of a message -> advice. What tensors' operators and indexes refuse says it by itself.
local sentences = {
   { '^c?%a+: inconsistent tensor size:',
      'y:expandAs(x) stretches y to the sizes of x; ' .. broadcasting },
   { 'dimension %-%d+ out of range', 'with torch.broadcast(true) -1 is the last' },
   { '^mm: invalid arguments: %a+ %a+$',
      'the product of x and y: torch.mm(x, y); x:mm(y, z) writes that of y and z into x' },
   { '^mv: invalid arguments: %a+ %a+$',
      'the product of x and y: torch.mv(x, y); x:mv(y, z) writes that of y and z into x' },
   { '^bmm: invalid arguments: %a+ %a+$',
      'the products of x and y: torch.bmm(x, y); x:bmm(y, z) writes those of y and z into x' },
   { '^the class torch%.%a+Tensor cannot be indexed',
      'a tensor has elements and methods, no fields of its own: keep both in a table, '
         .. 't = { data = x, name = "x" }' },
   { "'for' limit must be a number",
      '#x of a tensor is the list of its sizes: for i = 1, x:size(1)' },
   { 'number expected, got cdata', 'a tensor is no number: x[1] or x:sum() is one; '
      .. 'tostring(x) is its text' },
   { 'attempt to compare number with nil', 'one of the two is nil: print both before this line' },
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
   concat = 'torch.cat(list, dim)',
   sub_ = 'x:csub(y)', -- x:sub(first, last) is a view
   pow_ = 'x:pow(n)',
   nll_loss = 'nn.ClassNLLCriterion():forward(logProbabilities, classes)',
   cross_entropy = 'nn.CrossEntropyCriterion():forward(scores, classes)',
   mse_loss = 'nn.MSECriterion():forward(x, y)',
   load_state_dict = 'net:getParameters() and copy, or torch.load of the net',
   concatenate = 'torch.cat(list, dim)',
   flatten = 'x:view(-1), of strides that it does not take x:reshape(x:nElement())',
   numpy = 'x:totable()',
   to = "x:cuda(), x:float(), x:type 'torch.FloatTensor'",
   cpu = 'x:float() or x:double()',
   requires_grad = 'x:requiresGrad()',
   no_grad = 'torch.noGrad(f)',
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
-- @param has optional: function(name) that says whether the owner has a field
function M.for_name(name, has)
   if elsewhere[name] or not has then
      return elsewhere[name]
   end
   local stem = name:match '^(.*%w)_$' -- PyTorch's mark of what works in place
   if stem and has(stem) then
      return ('x:%s(...), which works in place'):format(stem)
   end
end

--- Packages that are no part of ours, by the globals that stand for them.
local foreign = { tnt = 'torchnet', moses = 'moses', argcheck = 'argcheck', dp = 'dp',
   rnn = 'rnn', dpnn = 'dpnn', autograd = 'autograd', hdf5 = 'hdf5', image = 'image',
   threads = 'threads', tds = 'tds', gnuplot = 'gnuplot', cjson = 'cjson' }

-- What languages write that scripts here do not: pattern of a line, advice.
local foreign_syntax = {
   { '!=', "'not equal' is ~= here" },
   { '[%w_%])]%s*[+%-*/]=', 'x = x + 1: there is no += here' },
   { '%+%+', 'i = i + 1: there is no ++ here' },
   { '&&', "'and' instead of &&" },
   { '||', "'or' instead of ||" },
   { '^%s*else%s+if%f[%W]', "'elseif' is one word; 'else if' begins an if with its own end" },
   { '^%s*elif%f[%W]', "'elseif' instead of elif" },
   { '^%s*def%s', 'function name(arguments) ... end' },
   { '^%s*import%s+[%w_.]+', "require 'name'" },
   { '^%s*#', 'comments begin with --' },
   { '^%s*//', 'comments begin with --' },
   { '%[%s*%-?%d*%s*:%s*%-?%d*%s*[%],]',
      'rows first to last are x[{ { first, last } }], column 2 is x[{ {}, 2 }]' },
   { '%(%s*%(', 'sizes are plain arguments: torch.randn(3, 4)' },
   { '^%s*:[%a_][%w_]*%s*[%({\'"]', 'it goes on with the line before, which is over: '
      .. 'end that one by Alt-Enter, or paste both at once' },
   { '%f[%w]None%f[%W]', 'nil instead of None' },
   { '%f[%w]lambda%f[%W]', 'function(x) return x + 1 end' },
}

--- About a line that does not compile.
function M.for_syntax(line)
   local code = line:gsub('"[^"]*"', '""'):gsub("'[^']*'", "''")
   for _, row in ipairs(foreign_syntax) do
      if code:find(row[1]) then
         return row[2]
      end
   end
end

-- Penlight's modules that its `require 'pl'` makes globals.
local penlight = {}
for name in ([[lapp stringx tablex path dir text pretty utils file data func seq List Map Set
   OrderedMap MultiMap Date class app template sip lexer]]):gmatch '%S+' do
   penlight[name] = true
end

--- About a module or a shared library that is not installed.
function M.for_missing(message)
   local module = message:match "module '([%w_.]+)' not found"
   for _, name in ipairs(module and require('torch.doctor.packages').ours or {}) do
      if module == name or module:sub(1, #name + 1) == name .. '.' and name ~= 'torch' then
         return ('%s is not installed; its rock, %s'):format(name,
            require('torch.doctor.packages').source { name })
      end
   end
   return require('torch.doctor.debian').remedy(message)
end

--- About a global that is nil.
function M.for_global(name)
   if package.searchpath(name, package.path) or package.searchpath(name, package.cpath) then
      return ("%s is a package: begin with require '%s'"):format(name, name)
   elseif penlight[name] and not package.searchpath('pl.' .. name, package.path) then
      return ("%s is Penlight's, which is not installed (Debian: apt install lua-penlight)"):format(
         name)
   elseif foreign[name] then
      return ("%s is a package that is not installed; with it, begin with local %s = require '%s'")
         :format(foreign[name], name, foreign[name])
   end
end

return M
