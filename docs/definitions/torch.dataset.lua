---@meta torch.dataset
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local dataset = {}
dataset.loader = {}
dataset.text = {}
dataset.transform = {}
dataset.collate = {}

---Tokenisers: text as numbers and back.
dataset.text = {}

---Augmentation of pictures and batches: classes whose objects are called.
dataset.transform = {}

---A dataset whose samples are batches of another one's: sample k has the samples
---(k - 1) batchSize + 1 to k batchSize.
---@class dataset.Batches
---@overload fun(source: any, options: table): dataset.Batches
dataset.Batches = {}

---Several datasets, one after the other.
---@class dataset.Concat
---@overload fun(list: any): dataset.Concat
dataset.Concat = {}

---One process's share of the samples, when several train together: rank r of `world` takes every
---world-th one of the epoch's order. All get equally many: the order goes on from its beginning
---where it does not divide, or its end is left out with dropLast.
---@class dataset.DistributedSampler
---@overload fun(source: any, options: table): dataset.DistributedSampler
dataset.DistributedSampler = {}

---Pictures in folders, a folder for each class: `folder/cat/1.jpg`, `folder/dog/x/2.png`. Classes
---are the folders' names in alphabetical order, from 1; files, too, are in alphabetical order, so
---that an index means the same picture everywhere. A folder without folders is one class; names
---that begin with a dot do not count. With `classes`, as another set has them, numbers mean the
---same in both, and one without a folder has no samples: dataset.Folder{folder = 'test', classes =
---train.classes}.
---
---The fields are `classes` (list of names), `files` (list) and `targets` (LongTensor). A sample is
---{input = tensor C x H x W, target = number}; pictures differ in size, so a transform makes them
---one, as dataset.transform.RandomResizedCrop does.
---@class dataset.Folder
---@overload fun(options: table): dataset.Folder
dataset.Folder = {}

---Samples in an HDF5 file: a field for each data set, a sample for each row. Rows are read as they
---are asked for; each worker opens the file itself.
---@class dataset.Hdf5
---@overload fun(options: table): dataset.Hdf5
dataset.Hdf5 = {}

---Batches of samples of similar length, so that little is padded. In each epoch the samples are
---shuffled, cut into pools of some batches, sorted by length within a pool and cut into batches,
---which come in random order.
---
---With `tokens`, a batch takes as many samples as fit: its number of samples times its longest
---length is at most that.
---@class dataset.LengthSampler
---@overload fun(lengths: any, options: table): dataset.LengthSampler
dataset.LengthSampler = {}

---The lines of a text file, as strings without their ends (LF or CRLF). The file is mapped into
---memory: only where lines begin is kept, and workers share that.
---@class dataset.Lines
---@overload fun(path: string, load?: any): dataset.Lines
dataset.Lines = {}

---Samples made of a list: sample i is load(list[i]), or list[i] itself. The list may be a table, a
---tds.Vec (which workers share instead of copying), or a tensor.
---@class dataset.List
---@overload fun(list: any, load?: any): dataset.List
dataset.List = {}

---Batches of a dataset.
---
---`loader()` begins a loop: `for batch in loader() do`; `loader:size()` is how many batches it has.
---(`#loader` and `ipairs(loader)` see an empty table: Lua asks no object; `th` warns of them.)
---Options that are numbers may be texts of numbers, such as '32', which the Trainer does not take.
---Each loop is the next epoch, with another order if it is shuffled. A batch is made of samples
---`dataset:get(i)`: fields that are tensors of C x H x W become n x C x H x W, numbers a tensor
---of n.
---
---With `workers = n`, n threads make batches ahead of the loop; tensors are shared with them, and
---come back without a copy. Random numbers are seeded for each sample by the loader's seed, the
---epoch and the sample's index (and how often it has come before in the epoch), so order and
---augmentation are the same for any number of workers. What a stream or a function draws for the
---order follows from the seed and the epoch. Where nothing is done with single samples and the
---dataset has a method `getBatch(indices)`, that makes a batch at once.
---
---| option | |
---| --- | --- |
---| dataset | object with size() and get(i), or a stream |
---| batchSize | samples of a batch (1) |
---| dropLast | leave out a last batch that is smaller (false) |
---| shuffle | another order in each epoch (false) |
---| sampler | what chooses the samples instead: dataset.RandomSampler or the like, or a function |
---| workers | threads (0: batches are made in the loop) |
---| prefetch | batches ahead (2 for each worker) |
---| transform | function(sample, i) -> sample |
---| collate | function(samples, indices) -> batch (dataset.collate.stack) |
---| transformBatch | function(batch) -> batch, seeded for each batch |
---| types | field -> type of tensors that numbers become: the dataset's `types`, or the default |
---| pin | batches in page-locked memory, for copies to a device that go on by themselves |
---| seed | of the order and of the samples (drawn) |
---| init | function(worker) that every worker runs first: it loads packages, defines classes |
---
---A stream is an object with stream(epoch, seed), or a function(epoch), that gives a function which
---returns the next sample, nil at the end; the loop reads it, workers transform and collate. A
---sampler that is a function takes (epoch, seed) and gives the indices, a LongTensor.
---
---An error in a worker is raised in the loop at its batch, with the sample's index and its stack
---there; a worker that dies is an error as well.
---@class dataset.Loader
---@overload fun(options: table): dataset.Loader
dataset.Loader = {}

---A dataset whose samples pass a function, or some of their fields do. What is drawn by torch's
---default generator in it is seeded for each sample by the loader.
---@class dataset.Map
---@overload fun(source: any, f: function): dataset.Map
dataset.Map = {}

---The samples in another order each epoch: a permutation, or draws with replacement.
---@class dataset.RandomSampler
---@overload fun(source: any, options?: table): dataset.RandomSampler
dataset.RandomSampler = {}

---The samples in the dataset's order.
---@class dataset.SequentialSampler
---@overload fun(source: any): dataset.SequentialSampler
dataset.SequentialSampler = {}

---A stream whose samples come mixed: a buffer is filled, and each sample that is given is drawn
---from it and replaced by the next one.
---@class dataset.ShuffledStream
---@overload fun(source: any, size: number): dataset.ShuffledStream
dataset.ShuffledStream = {}

---All samples once, shuffled so that each stretch has the classes in the proportions of the whole:
---every batch is a small picture of the data set. Of a class of m samples, the k-th one lies at
---random within the k-th of m equal parts of the epoch.
---@class dataset.StratifiedSampler
---@overload fun(targets: any): dataset.StratifiedSampler
dataset.StratifiedSampler = {}

---Some samples of a dataset, in an order of their own.
---@class dataset.Subset
---@overload fun(source: any, indices: any): dataset.Subset
dataset.Subset = {}

---Samples of tensors in memory: field f of sample i is `fields[f][i]`, a number where the tensor
---has one dimension. A whole batch is taken at once.
---@class dataset.Tensors
---@overload fun(fields: table): dataset.Tensors
dataset.Tensors = {}

---Windows of a long row of tokens, for language models: sample i is
---{input = x[s .. s + length - 1], target = x[s + 1 .. s + length]} with s = (i - 1) stride + 1.
---
---The tokens are a LongTensor, or a file of numbers without a header (of 2 or 4 bytes, lowest byte
---first), mapped into memory: of a file of any size, only what is used is read. Numbers of a file
---count from 0, and become 1 and more: `offset` is added to each.
---@class dataset.Tokens
---@overload fun(options: table): dataset.Tokens
dataset.Tokens = {}

---Samples drawn with given odds: sample i comes with probability w[i] / sum w at each draw.
---
---`dataset.WeightedSampler.balanced(targets)` gives the weights 1 / (number of samples of the
---class), with which all classes come equally often.
---@class dataset.WeightedSampler
---@overload fun(weights: torch.Tensor, options?: table): dataset.WeightedSampler
dataset.WeightedSampler = {}

---A batch that a worker is to make: the loader's own. An object that is called takes half the time
---of a function on its way there.
---@class dataset.loader.Job
---@overload fun(...: any): dataset.loader.Job
dataset.loader.Job = {}

---Text as byte pairs, in GPT-2's form: any bytes become tokens and back, exactly.
---
---The vocabulary is that of two files as GPT-2 has them: `vocab.json` (token -> number) and
---`merges.txt` (pairs, the first ones first), in which a byte that is no visible character of
---Latin-1 stands as the character 256 + k. Numbers are those of the file plus 1, so that they are
---rows of a look-up table. Special tokens are found in texts when `encode` is told so.
---@class dataset.text.Bpe
---@overload fun(options: table): dataset.text.Bpe
dataset.text.Bpe = {}

---Text as characters: a number for each that occurs in a text, in order of their code. A byte that
---is not UTF-8 counts as a character.
---@class dataset.text.Characters
---@overload fun(options: table): dataset.text.Characters
dataset.text.Characters = {}

---Text as words: the most frequent ones of a text have numbers, the first the most frequent; all
---others are one number, that of `unknown`. Words are cut as GPT-2 cuts them, without spaces: a row
---of letters, of digits, or of other signs.
---@class dataset.text.Words
---@overload fun(options: table): dataset.text.Words
dataset.text.Words = {}

---The parent of transforms of pictures: `apply(picture)` is a child's own. An object is called
---with a picture, C x H x W of bytes (0..255) or floats (0..1), or with a sample whose field
---`input` is one.
---@class dataset.transform.Transform
---@overload fun(...: any): dataset.transform.Transform
dataset.transform.Transform = {}

---Two operations after each other, each with a probability and a strength of its own: a pair drawn
---from the 25 that were found best for a dataset (Cubuk et al., "AutoAugment", 2019).
---Magnitudes 0 to 9 are from nothing to the most that RandAugment's operations do, those of
---solarize and of the enhancements too (the paper counts these along the factor, from 0.1 to 1.9).
---Directions are drawn.
---@class dataset.transform.AutoAugment: dataset.transform.Transform
---@overload fun(options?: table): dataset.transform.AutoAugment
dataset.transform.AutoAugment = {}

---The part in the middle.
---@class dataset.transform.CenterCrop: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.CenterCrop
dataset.transform.CenterCrop = {}

---Brightness, contrast, saturation and hue changed at random, in random order. The first three are
---multiplied by factors from max(0, 1 - v)..1 + v, hues are turned by -v..v of the circle.
---@class dataset.transform.ColorJitter: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.ColorJitter
dataset.transform.ColorJitter = {}

---Transforms, or other functions, one after the other.
---@class dataset.transform.Compose
---@overload fun(...: any): dataset.transform.Compose
dataset.transform.Compose = {}

---A rectangle of each picture replaced by that of another one of the batch (Yun et al., "CutMix",
---2019): its area is 1 - l of the picture's, with l from Beta(alpha, alpha), its centre anywhere;
---targets are mixed by the area that is really replaced.
---@class dataset.transform.CutMix: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.CutMix
dataset.transform.CutMix = {}

---Squares left out (DeVries and Taylor, "Improved regularization of convolutional neural networks
---with Cutout", 2017): their centres are anywhere, so that a square may reach over the border.
---@class dataset.transform.Cutout: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.Cutout
dataset.transform.Cutout = {}

---Each sample mixed with another one of the batch (Zhang et al., "mixup: beyond empirical risk
---minimization", 2017): x' = l x + (1 - l) x[p], with l from Beta(alpha, alpha), one for a batch.
---Targets become rows of probabilities, N x classes, mixed likewise, which
---nn.CrossEntropyCriterion takes.
---@class dataset.transform.Mixup: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.Mixup
dataset.transform.Mixup = {}

---Each channel c as (x - mean[c]) / std[c], in floats; bytes count as 0..1.
---@class dataset.transform.Normalize: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.Normalize
dataset.transform.Normalize = {}

---Some operations drawn from a list, all of one strength (Cubuk et al., "RandAugment", 2019):
---identity, autocontrast, equalize, rotate (to 30 degrees), shearX and shearY (to 0.3), translateX
---and translateY (to 150 / 331 of the side), brightness, contrast, color and sharpness (factors
---1 +- 0.9), posterize (to 4 bits), solarize. Directions are drawn.
---@class dataset.transform.RandAugment: dataset.transform.Transform
---@overload fun(options?: table): dataset.transform.RandAugment
dataset.transform.RandAugment = {}

---A part of a given size from anywhere, all places equally likely. With `padding`, the picture is
---first framed by so many pixels.
---@class dataset.transform.RandomCrop: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.RandomCrop
dataset.transform.RandomCrop = {}

---With some probability, a rectangle within the picture is replaced by a value or by noise (Zhong
---et al., "Random erasing data augmentation", 2017). Its share of the area and its height / width
---are drawn; where ten draws do not fit, nothing is erased.
---@class dataset.transform.RandomErasing: dataset.transform.Transform
---@overload fun(options?: table): dataset.transform.RandomErasing
dataset.transform.RandomErasing = {}

---Left and right exchanged, or top and bottom, with some probability.
---@class dataset.transform.RandomFlip: dataset.transform.Transform
---@overload fun(options?: table): dataset.transform.RandomFlip
dataset.transform.RandomFlip = {}

---A part of random area and form, in one size (Szegedy et al., "Going deeper with convolutions",
---2014): its area is a share of the picture's drawn from `scale`, its width / height is drawn from
---`ratio`, evenly in its logarithm. Where ten draws do not fit, the largest part in the middle is
---taken whose form is within `ratio`.
---@class dataset.transform.RandomResizedCrop: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.RandomResizedCrop
dataset.transform.RandomResizedCrop = {}

---The picture turned about its centre by an angle drawn from -degrees..degrees, against the clock.
---@class dataset.transform.RandomRotation: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.RandomRotation
dataset.transform.RandomRotation = {}

---Another size: of the shorter side (`size`; the picture keeps its form), or width and height.
---@class dataset.transform.Resize: dataset.transform.Transform
---@overload fun(options: table): dataset.transform.Resize
dataset.transform.Resize = {}

---Bytes 0..255 as floats 0..1; floats stay what they are.
---@class dataset.transform.ToFloat: dataset.transform.Transform
---@overload fun(...: any): dataset.transform.ToFloat
dataset.transform.ToFloat = {}

---One operation of a strength that is drawn as well (Müller and Hutter, "TrivialAugment", 2021),
---of RandAugment's, in that paper's wide ranges: rotate to 135 degrees, shears to 0.99,
---translations to 32 pixels, factors 1 +- 0.99, posterize to 2 bits. There is nothing to choose.
---@class dataset.transform.TrivialAugment: dataset.transform.Transform
---@overload fun(options?: table): dataset.transform.TrivialAugment
dataset.transform.TrivialAugment = {}

---A batch.
---@param ... any
function dataset.Batches:get(...) end

---Number of batches.
function dataset.Batches:size() end

---A sample.
---@param ... any
function dataset.Concat:get(...) end

---The part that has a sample, by bisection, and where it is in it.
---@param ... any
---@return number
function dataset.Concat:locate(...) end

---Number of samples.
function dataset.Concat:size() end

---This rank's indices of an epoch, a LongTensor.
---@param ... any
function dataset.DistributedSampler:order(...) end

---Number of samples of this rank in an epoch.
function dataset.DistributedSampler:size() end

---A sample.
---@param ... any
function dataset.Folder:get(...) end

---Number of pictures.
function dataset.Folder:size() end

---A sample.
---@param ... any
function dataset.Hdf5:get(...) end

---The samples of a LongTensor of indices as one batch; neighbours are read together.
---@param ... any
function dataset.Hdf5:getBatch(...) end

---Number of samples.
function dataset.Hdf5:size() end

---The batches of an epoch: a list of LongTensors of indices.
---@param ... any
function dataset.LengthSampler:batches(...) end

---Number of samples in an epoch.
function dataset.LengthSampler:size() end

---A line, or what `load` makes of it.
---@param ... any
function dataset.Lines:get(...) end

---Number of lines.
function dataset.Lines:size() end

---A sample.
---@param ... any
function dataset.List:get(...) end

---Number of samples.
function dataset.List:size() end

---The epoch of the loop that runs, or of the one that begins next.
function dataset.Loader:epoch() end

---Whether the samples come from a stream.
function dataset.Loader:isStream() end

---Go on where a state was taken: the next loop gives the rest of its epoch, the same batches as
---without the interruption. A state from the beginning of an epoch goes with other samples, and
---other sizes of batches, too.
---@param state table what `state` gave (table)
function dataset.Loader:restore(state) end

---How many rows the batch that came last has in all processes, where it is shared out.
---@overload fun(self: dataset.Loader): number
---@param ... any
---@return any
function dataset.Loader:rows(...) end

---Choose the epoch of the next loop; its order follows from the seed and the epoch. After
---`restore`, the epoch that was restored goes on where it was.
---@param epoch number a whole number from 1 on (number)
function dataset.Loader:setEpoch(epoch) end

---Make one process's rows of each batch only, from the next loop on: of several that read the same
---batches, which have the same seed. Where there are fewer rows than processes, some get a row that
---others have, too. share(1, 1) takes it back; a loop that has begun stays as it is.
---@param rank integer from 1 (integer)
---@param size integer how many processes there are (integer)
---@return any
function dataset.Loader:share(rank, size) end

---Number of batches in an epoch; nil for a stream.
---@overload fun(self: dataset.Loader): number
---@param ... any
---@return any
function dataset.Loader:size(...) end

---Where the loop is: what `restore` wants, in this process or another.
---@overload fun(self: dataset.Loader): table
---@param ... any
---@return any
function dataset.Loader:state(...) end

---End the workers; a loop that runs is over. The next loop starts them again. A loader that is
---collected ends them by itself.
---@overload fun(self: dataset.Loader)
---@param ... any
---@return any
function dataset.Loader:stop(...) end

---A sample.
---@param ... any
function dataset.Map:get(...) end

---Number of samples.
function dataset.Map:size() end

---The indices of an epoch, a LongTensor.
---@param ... any
function dataset.RandomSampler:order(...) end

---Number of samples in an epoch.
function dataset.RandomSampler:size() end

---The indices of an epoch, a LongTensor.
function dataset.SequentialSampler:order() end

---Number of samples in an epoch.
function dataset.SequentialSampler:size() end

---Begin an epoch.
---@param ... any
---@return function
function dataset.ShuffledStream:stream(...) end

---The indices of an epoch, a LongTensor.
---@param ... any
function dataset.StratifiedSampler:order(...) end

---Number of samples in an epoch.
function dataset.StratifiedSampler:size() end

---A sample.
---@param ... any
function dataset.Subset:get(...) end

---The samples of a LongTensor of indices as one batch; nil where the dataset behind cannot.
---@param ... any
function dataset.Subset:getBatch(...) end

---Number of samples.
function dataset.Subset:size() end

---A sample: tensors that share the dataset's memory, and numbers.
---@param ... any
function dataset.Tensors:get(...) end

---The samples of a LongTensor of indices, as one batch.
---@overload fun(self: dataset.Tensors, indices: any): table
---@param ... any
---@return any
function dataset.Tensors:getBatch(...) end

---Number of samples.
function dataset.Tensors:size() end

---A sample.
---@param ... any
function dataset.Tokens:get(...) end

---Some tokens, a LongTensor.
---@param first number from 1 (number)
---@param count number (number)
function dataset.Tokens:read(first, count) end

---Number of windows.
function dataset.Tokens:size() end

---Write tokens to a file that dataset.Tokens maps.
---@param path string (string)
---@param tokens torch.LongTensor LongTensor
---@param options? table bytes: 2 (default) or 4 for each; offset (1): taken off each (table, optional)
function dataset.Tokens:write(path, tokens, options) end

---Weights by which every class comes equally often.
---@param targets any list or tensor of classes, one for each sample
---@return any
function dataset.WeightedSampler:balanced(targets) end

---The indices of an epoch, a LongTensor.
---@param ... any
function dataset.WeightedSampler:order(...) end

---Number of samples in an epoch.
function dataset.WeightedSampler:size() end

---The text of tokens.
---@overload fun(self: dataset.text.Bpe, tokens: any): string
---@param ... any
---@return any
function dataset.text.Bpe:decode(...) end

---A text's tokens by number, a LongTensor.
---@param text string any bytes (string)
---@param special? boolean whether special tokens in the text stand for themselves (boolean, default false)
function dataset.text.Bpe:encode(text, special) end

---Write the vocabulary in GPT-2's two files.
---@param vocab string path, such as 'vocab.json' (string)
---@param merges string path, such as 'merges.txt' (string)
function dataset.text.Bpe:save(vocab, merges) end

---How many tokens there are.
function dataset.text.Bpe:size() end

---Learn a vocabulary: the 256 bytes, then the most frequent pair of neighbours within words, again
---and again. For texts of some megabytes.
---@param text string (string)
---@param options table size: how many tokens, special ones included; least: how often a pair must occur (2); special: list of tokens ({}) (table)
function dataset.text.Bpe:train(text, options) end

---The text of numbers.
---@param ... any
function dataset.text.Characters:decode(...) end

---A text's characters by number, a LongTensor.
---@param ... any
function dataset.text.Characters:encode(...) end

---How many numbers there are.
function dataset.text.Characters:size() end

---The words of numbers, with spaces between them.
---@param ... any
function dataset.text.Words:decode(...) end

---A text's words by number, a LongTensor.
---@param ... any
function dataset.text.Words:encode(...) end

---How many numbers there are, that of unknown words included.
function dataset.text.Words:size() end

---Cut a text into words without spaces.
---@param ... any
---@return any
function dataset.text.Words:split(...) end

---The picture, changed.
---@param ... any
function dataset.transform.AutoAugment:apply(...) end

---The part of a picture.
---@param ... any
function dataset.transform.CenterCrop:apply(...) end

---The picture, changed.
---@param ... any
function dataset.transform.ColorJitter:apply(...) end

---The picture, without the squares.
---@param ... any
function dataset.transform.Cutout:apply(...) end

---The picture, normalised.
---@param ... any
function dataset.transform.Normalize:apply(...) end

---The picture, changed.
---@param ... any
function dataset.transform.RandAugment:apply(...) end

---The part of a picture.
---@param ... any
function dataset.transform.RandomCrop:apply(...) end

---The picture, or one with a rectangle replaced.
---@param ... any
function dataset.transform.RandomErasing:apply(...) end

---The picture or its mirror image.
---@param ... any
function dataset.transform.RandomFlip:apply(...) end

---The part of a picture in its new size.
---@param ... any
function dataset.transform.RandomResizedCrop:apply(...) end

---Where the part of a picture lies.
---@param ... any
---@return any
function dataset.transform.RandomResizedCrop:region(...) end

---The picture, turned.
---@param ... any
function dataset.transform.RandomRotation:apply(...) end

---The picture in its new size.
---@param ... any
function dataset.transform.Resize:apply(...) end

---The picture in floats.
---@param ... any
function dataset.transform.ToFloat:apply(...) end

---The picture, changed.
---@param ... any
function dataset.transform.TrivialAugment:apply(...) end

---The CIFAR-10 or CIFAR-100 of a folder (binary version). Classes count from 1.
---@param options table folder; classes: 10 (default) or 100; part: 'train' (default) or 'test'; files: a list of names instead of the usual ones (table)
---@return any
function dataset.Cifar(options) end

---A table in text as samples: input has some columns, target is another one.
---@param options table path; target: a column's name; inputs: list of names (default: all others); tensor: the type of input ('torch.FloatTensor'); and those of dataset.readCsv (table)
---@return any
function dataset.Csv(options) end

---The MNIST of a folder, or what has its form (Fashion-MNIST, KMNIST): the files
---`train-images-idx3-ubyte`, `train-labels-idx1-ubyte`, `t10k-images-...`, packed by gzip or not.
---Classes count from 1: the file's label 0 is class 1.
---@param options table folder; part: 'train' (default) or 'test'; count: only the first so many (table)
---@return any
function dataset.Mnist(options) end

---NumPy's files as samples: a field for each array, a sample for each row. With `map` the elements
---stay in the files and are read as they are used, so that the arrays may be larger than memory.
---@param options table field -> path of an .npy file, such as input = 'x.npy', target = 'y.npy'; or path = an .npz file, whose arrays are the fields; map (true) (table)
---@return any
function dataset.Npy(options) end

---The samples as they are: field -> list of n values, for sizes that cannot be batched.
---@param samples any list
---@return table
function dataset.collate.list(samples) end

---A collate function that pads tensors along their first dimension to the longest of the batch:
---fields of T_j x D become n x max T x D, and `batch.lengths[field]` is the LongTensor of the T_j.
---Fields whose samples all have one size are stacked like the others, with their lengths as well.
---@param options? table value: what to pad with (0); values = {target = -100}: by field (table, optional)
---@return any
function dataset.collate.pad(options) end

---Tensors of one size on top of each other: a field of n samples C x H x W becomes n x C x H x W,
---numbers a tensor of n elements (of the type that `types` names for the field, else of the default
---type), tables tables of batches; strings and other things stay a list.
---@param samples any list
---@param indices? any of the samples, for messages: a list or a LongTensor (optional)
---@param types? table field -> name of a type of tensors, for numbers (table, optional)
---@return any
function dataset.collate.stack(samples, indices, types) end

---Read a table in text.
---
---A column whose fields are all numbers becomes a DoubleTensor, in which missing ones are NaN; any
---other a LongTensor of classes from 1, whose names are in `levels`, in which missing ones are 0.
---Asked for as 'text' it becomes a list of strings, in which missing ones are false.
---@param path string (string)
---@param options? table separator (','); header: the first line has the names (true; otherwise they are '1', '2', ...); types: name -> 'number', 'class' or 'text'; missing: the fields that stand for nothing ({'', 'NA', 'NaN', 'nan', 'null'}); levels: name -> list of the classes, so that the numbers of one file mean in another one the same, as in {levels = first.levels} (table, optional)
---@return table
function dataset.readCsv(path, options) end

---Read an IDX file, gzipped (`.gz`) or not.
---@param path string (string)
---@param dims? number the number of dimensions that it must have (number, optional)
---@return torch.Tensor
function dataset.readIdx(path, dims) end

---Cut a dataset into parts without a common sample.
---@param source any dataset
---@param parts table numbers of samples, or shares of the whole (all at most 1) (table)
---@param options? table shuffle: chosen at random (true); seed (1) (table, optional)
---@return torch.Tensor
function dataset.split(source, parts, options) end

return dataset
