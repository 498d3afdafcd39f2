-- Where things are in the reference: rooms (folders), their pages, and which docstrings go there.
--
-- What is not named goes to its file's page; a file that is not named goes to its folder's; a
-- package that is not named gets the page packages/NAME. So nothing is lost.
local M = {}

--- Rooms in the order of the contents: folder, title, what it is for, pages.
-- A page is { name, title, a line about it }; `package` is the one that its docstrings are from.
M.rooms = {
   { 'tensors', 'Tensors', 'The type torch.Tensor, and functions of tensors.', package = 'torch',
      { 'making', 'Making tensors', 'Constructors, and tensors filled with something.' },
      { 'types', 'Types', 'The eleven element types, and from one to another.' },
      { 'sizes', 'Sizes', 'How many dimensions and elements there are, and where they lie.' },
      { 'shapes', 'Shapes and views', 'Parts, turns and joins; most share the elements.' },
      { 'indexing', 'Indexing', 'Elements and regions by position or by mask.' },
      { 'maths', 'Maths, element by element', 'Arithmetic and functions of each element.' },
      { 'comparison', 'Comparison', 'Masks of what is greater or equal, and whole tensors.' },
      { 'reductions', 'Reductions', 'Sums, means, extremes: of all, or along a dimension.' },
      { 'sorting', 'Order', 'Sorting, the k largest, medians.' },
      { 'products', 'Products', 'Of vectors, matrices and batches; distances.' },
      { 'linear_algebra', 'Linear algebra', 'Systems, factors, eigenvalues; by LAPACK.' },
      { 'random', 'Random numbers', 'Generators, and draws from distributions.' },
      { 'signal', 'Convolution and histograms', 'Of plain tensors; layers are elsewhere.' },
      { 'variables', 'Variables', 'Gradients of what is computed with tensors.' },
      { 'printing', 'Printing', 'Tensors as text.' },
      { 'storage', 'Storages', 'The flat memory below tensors.' },
   },
   { 'scripts', 'Scripts', 'What torch has for programs: files, options, classes, tests.',
      package = 'torch',
      { 'saving', 'Saving and loading', 'Objects in .t7 files, strings and storages.' },
      { 'files', 'Files', 'On disk, in memory, through a pipe.' },
      { 'options', 'Command line', 'Options of a script.' },
      { 'classes', 'Classes', "Torch7's classes, and what an object is." },
      { 'testing', 'Testing', 'Unit tests.' },
      { 'running', 'Threads and time', 'How many threads work, how long it takes, what is run.' },
      { 'packages', 'Packages and help', 'Where files are, help, the list of operations.' },
   },
   { 'nn', 'Neural networks', 'Layers by kind, criterions, and what all have.', package = 'nn',
      { 'modules', 'What every layer has', 'nn.Module, nn.Criterion and other parents.' },
      { 'containers', 'Containers', 'Nets made of layers.' },
      { 'linear', 'Linear layers', 'Products with learnt weights, and look-up tables.' },
      { 'convolution', 'Convolution', 'In time, space and volume; transposed ones.' },
      { 'pooling', 'Pooling', 'Maxima and averages of windows.' },
      { 'resampling', 'Padding and resizing', 'Of images and volumes.' },
      { 'activations', 'Activations', 'Functions of each element; softmax.' },
      { 'normalization', 'Normalization', 'Of batches, layers, groups, neighbourhoods.' },
      { 'recurrent', 'Recurrent layers', 'Sequences: RNN, LSTM, GRU.' },
      { 'attention', 'Attention', 'Transformers and their parts.' },
      { 'simple', 'Simple layers', 'Dropout, constants, learnt factors.' },
      { 'shape', 'Shape', 'Views, parts and turns of what flows through a net.' },
      { 'reduce', 'Reductions', 'Sums, means and extremes along a dimension.' },
      { 'tables', 'Tables', 'Layers with several inputs or outputs.' },
      { 'classification', 'Losses of classes', 'Criterions for labels.' },
      { 'regression', 'Losses of numbers', 'Criterions for values.' },
      { 'embedding', 'Losses of distances', 'Criterions for pairs and triplets.' },
      { 'combined', 'Losses of losses', 'Several criterions as one.' },
      { 'smaller', 'Smaller nets', 'Whole numbers, packed weights, pruning.' },
      { 'writing', 'Writing and checking layers', 'Declarations, derivatives, training.' },
      { 'utils', 'Helpers', 'Functions of nets and nested tables; THNN.' },
   },
   { 'optim', 'Optimisation', 'Steps that lower a loss.', package = 'optim',
      { 'gradient', 'Steps by gradients', 'sgd, adam and their kin.' },
      { 'search', 'Searching steps', 'Line searches, and populations without gradients.' },
      { 'schedules', 'Schedules', 'Rates that change as training goes on.' },
      { 'tools', 'Around a step', 'Clipping, averages, groups; confusion matrix, log.' },
   },
   { 'training', 'Training', 'A loop that nobody has to write, and its parts: torch.train.',
      package = 'torch.train',
      { 'trainer', 'The Trainer', 'The loop, its hooks, when it ends.' },
      { 'batches', 'Batches', 'Of tensors and of datasets.' },
      { 'checkpoints', 'Checkpoints', 'What survives a power cut.' },
      { 'meters', 'Meters', 'Loss, accuracy, mean average precision.' },
      { 'logs', 'Logs', 'Console, CSV, TensorBoard, curves.' },
      { 'precision', 'Mixed precision', 'bfloat16 and half.' },
      { 'networks', 'Networks by name', 'Summaries, freezing, heads, weights of other programs.' },
   },
   { 'distributed', 'Several processes', 'Training on several cores and machines: distributed.',
      package = 'distributed',
      { 'processes', 'Processes', 'Who takes part: ranks, groups, how they are started.' },
      { 'operations', 'Operations', 'Tensors and values that go between processes.' },
      { 'training', 'Networks', 'Gradients, statistics and optimisers of all processes.' },
      { 'parts', 'Networks in parts', 'Stages on ranks and devices, layers split among ranks.' },
   },
   { 'graphs', 'Graphs', 'Nets that are graphs.',
      { 'nngraph', 'nngraph', 'Nets from expressions.', package = 'nngraph' },
      { 'graph', 'graph', 'Directed graphs.', package = 'graph' },
   },
   { 'cuda', 'CUDA', 'Tensors and nets on devices.',
      { 'cutorch', 'cutorch', 'Devices, streams, memory.', package = 'cutorch' },
      { 'cunn', 'cunn', 'Nets on one device and on several.', package = 'cunn' },
      { 'cudnn', 'cudnn', "cuDNN's layers by Torch7's names.", package = 'cudnn' },
   },
   { 'dataset', 'Batches of data', 'Data sets, augmentation, tokenisers: torch.dataset.',
      package = 'torch.dataset',
      { 'loader', 'The loader', 'Batches, made ahead by worker threads.' },
      { 'sets', 'Data sets', 'Samples in memory, and data sets made of others.' },
      { 'files', 'Files', 'MNIST, CIFAR, folders of pictures, tables, arrays, text, tokens.' },
      { 'samplers', 'Samplers', 'Which samples come, and in what order.' },
      { 'transforms', 'Augmentation', 'Crops, colours, mixtures.' },
      { 'text', 'Tokenisers', 'Characters, words, byte pairs.' },
   },
   { 'data', 'Data', 'Pictures, plots, files of other programs.',
      { 'image', 'image', 'Pictures.', package = 'image' },
      { 'gnuplot', 'gnuplot', 'Plots.', package = 'gnuplot' },
      { 'hdf5', 'hdf5', 'HDF5 files.', package = 'hdf5' },
      { 'npy', 'npy', "NumPy's files.", package = 'npy' },
      { 'safetensors', 'safetensors', 'Safetensors files.', package = 'safetensors' },
      { 'pth', 'pth', "PyTorch's files of tensors.", package = 'pth' },
      { 'onnx', 'onnx', 'Nets for other runtimes, and nets from them.', package = 'onnx' },
      { 'tds', 'tds', 'Large tables outside of the collector.', package = 'tds' },
      { 'threads', 'threads', 'Jobs on threads.', package = 'threads' },
   },
   { 'packages', 'Tools', 'The prompt, files, strings.',
      { 'trepl', 'th', 'The prompt.', package = 'trepl' },
      { 'paths', 'paths', 'Files and folders.', package = 'paths' },
      { 'sys', 'sys', 'The machine and its shell.', package = 'sys' },
      { 'xlua', 'xlua', 'Tables, strings, progress, options.', package = 'xlua' },
   },
}

-- File or folder of a package -> page. A longer name goes first.
M.files = {
   ['torch.Tensor'] = 'tensors/making', ['torch.functions.fill'] = 'tensors/making',
   ['torch.functions.convert'] = 'tensors/types',
   ['torch.functions.view'] = 'tensors/shapes', ['torch.functions.compose'] = 'tensors/maths',
   ['torch.indexing'] = 'tensors/indexing', ['torch.functions.pick'] = 'tensors/indexing',
   ['torch.functions.pointwise'] = 'tensors/maths', ['torch.functions.elements'] = 'tensors/maths',
   ['torch.functions.broadcast'] = 'tensors/maths', ['torch.fuse'] = 'tensors/maths',
   ['torch.functions.reduce'] = 'tensors/reductions',
   ['torch.variables'] = 'tensors/variables', ['torch.variables.seldom'] = 'tensors/variables',
   ['torch.functions.blas'] = 'tensors/products', ['torch.functions.einsum'] = 'tensors/products',
   ['torch.functions.geometry'] = 'tensors/products',
   ['torch.functions.linalg'] = 'tensors/linear_algebra',
   ['torch.functions.random'] = 'tensors/random', ['torch.functions.alias'] = 'tensors/random',
   ['torch.functions.signal'] = 'tensors/signal', ['torch.tensor.print'] = 'tensors/printing',
   ['torch.Storage'] = 'tensors/storage',
   ['torch.serialize'] = 'scripts/saving',
   ['torch.file'] = 'scripts/files', ['torch.io'] = 'scripts/files',
   ['torch.CmdLine'] = 'scripts/options', ['torch.cmdline'] = 'scripts/options',
   ['torch.class'] = 'scripts/classes',
   ['torch.tester'] = 'scripts/testing',
   ['torch.Timer'] = 'scripts/running', ['torch.calls'] = 'scripts/running',
   ['torch.profiler'] = 'scripts/running',
   ['torch'] = 'scripts/packages',

   ['nn.transfer'] = 'nn/activations', ['nn.table'] = 'nn/tables',
   ['nn.Classwise'] = 'nn/activations', ['nn.Pointwise'] = 'nn/activations',
   ['nn.criterion.classification'] = 'nn/classification',
   ['nn.criterion.regression'] = 'nn/regression', ['nn.criterion'] = 'nn/regression',
   ['nn.criterion.embedding'] = 'nn/embedding', ['nn.criterion.combined'] = 'nn/combined',
   ['nn.attention'] = 'nn/attention', ['nn.containers'] = 'nn/containers',
   ['nn.blocks'] = 'nn/normalization', ['nn.convolution'] = 'nn/convolution',
   ['nn.linear'] = 'nn/linear', ['nn.normalization'] = 'nn/normalization',
   ['nn.pooling'] = 'nn/pooling', ['nn.recurrent'] = 'nn/recurrent', ['nn.reduce'] = 'nn/reduce',
   ['nn.resampling'] = 'nn/resampling', ['nn.shape'] = 'nn/shape', ['nn.simple'] = 'nn/simple',
   ['nn.Module'] = 'nn/modules', ['nn.Criterion'] = 'nn/modules', ['nn.Weighted'] = 'nn/modules',
   ['nn.quantization'] = 'nn/smaller', ['nn.pruning'] = 'nn/smaller',
   ['nn.dataflow'] = 'nn/smaller',
   ['nn.base'] = 'nn/writing', ['nn.Jacobian'] = 'nn/writing',
   ['nn.SparseJacobian'] = 'nn/writing', ['nn.StochasticGradient'] = 'nn/writing',
   ['nn.hessian'] = 'nn/writing',
   ['nn.thnn'] = 'nn/utils', ['nn.THNN'] = 'nn/utils', ['nn.utils'] = 'nn/utils',
   ['nn.tables'] = 'nn/utils', ['nn'] = 'nn/modules',

   ['torch.train'] = 'training/trainer', ['torch.train.data'] = 'training/batches',
   ['torch.train.checkpoint'] = 'training/checkpoints', ['torch.train.meter'] = 'training/meters',
   ['torch.train.log'] = 'training/logs', ['torch.train.precision'] = 'training/precision',
   ['torch.train.finetune'] = 'training/networks', ['torch.train.names'] = 'training/networks',
   ['torch.train.summary'] = 'training/networks',

   ['torch.dataset'] = 'dataset/loader', ['torch.dataset.set'] = 'dataset/sets',
   ['torch.dataset.reader'] = 'dataset/files', ['torch.dataset.sampler'] = 'dataset/samplers',
   ['torch.dataset.transform'] = 'dataset/transforms', ['torch.dataset.text'] = 'dataset/text',

   ['distributed.operations'] = 'distributed/operations', ['distributed.Work'] =
      'distributed/operations', ['distributed.objects'] = 'distributed/operations',
   ['distributed.training'] = 'distributed/training', ['distributed.pipeline'] =
      'distributed/parts', ['distributed.split'] = 'distributed/parts', ['distributed.whole'] =
      'distributed/parts', ['distributed'] = 'distributed/processes',

   ['optim.first_order'] = 'optim/gradient',
   ['optim.line_search'] = 'optim/search', ['optim.population'] = 'optim/search',
   ['optim.schedule'] = 'optim/schedules', ['optim'] = 'optim/tools',
}

--- Files of torch whose own text stands at the top of their page.
M.introductions = {
   ['torch.indexing'] = true, ['torch.class'] = true, ['torch.functions.linalg'] = true,
   ['torch.serialize'] = true,
}

--- Classes that no script makes an object of, others derive from them: last on their pages.
M.bases = {}
for name in ([[Branches Classwise Convolution CTable Decorator ElementLoss Extremum
   FractionalMaxPooling FullConvolution PairMeasure Part Pointwise Pooling Quantized Reparametrised
   Routing RowNormalization SameElements SpatialPadding SpatialPooling Stream SubSampling
   VolumetricPooling]]):gmatch '%S+' do
   M.bases['nn.' .. name] = true
end

-- Page -> names of torch that are elsewhere than their file is.
local exceptions = {
   ['tensors/making'] = [[zeros_like ones_like empty_like full_like rand_like randn_like full arange
      randint tensor]],
   ['tensors/types'] = 'elementSize __pushudata__ tolist',
   ['tensors/sizes'] = [[dim nDimension size __len__ stride nElement numel storage storageOffset
      isContiguous isSameSizeAs isSize isSetTo data cdata retain free contiguous item]],
   ['tensors/shapes'] = 'cat reshape repeatTensor stack',
   ['tensors/comparison'] = 'equal all any allclose',
   ['tensors/indexing'] = 'where',
   ['tensors/sorting'] = 'sort topk kthvalue median mode argsort',
   ['tensors/reductions'] = 'logsumexp renorm dist argmax argmin',
   ['tensors/products'] = 'dot matmul outer',
   ['tensors/linear_algebra'] = 'trace',
   ['scripts/running'] = [[setnumthreads getnumthreads getnumcores setwinograd getwinograd
      setheaptracking tic toc updatethreadlocals updateerrorhandlers]],
}
local byName = {}
for page, names in pairs(exceptions) do
   for name in names:gmatch '%S+' do
      byName[name] = page
   end
end

--- The page of a docstring.
-- @param package string
-- @param module string: its file's, such as torch.functions.pick
-- @param names list of strings: what it describes, as written in the source
-- @return 'room/page'
function M.page(package, module, names)
   local ofTensors = package == 'torch' and not module:match '^torch%.file'
      and module ~= 'torch.Storage' and module ~= 'torch.operations'
      and not module:match '^torch%.profiler'
   if ofTensors then
      for _, name in ipairs(names) do
         local page = byName[name:match '[%w_]+$']
         if page then
            return page
         end
      end
   end
   while module ~= '' do
      if M.files[module] then
         return M.files[module]
      end
      module = module:match '^(.*)%.[^.]*$' or ''
   end
   for _, room in ipairs(M.rooms) do
      for _, page in ipairs(room) do
         if type(page) == 'table' and page.package == package then
            return room[1] .. '/' .. page[1]
         end
      end
   end
   return 'packages/' .. package
end

return M
