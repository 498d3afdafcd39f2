---@meta torch.train
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

local train = {}

---The share of samples whose class is the highest score, or among the k highest. Samples whose
---class is below 0, such as the -100 that criterions pass over, do not count.
---@class train.Accuracy
---@overload fun(...: any): train.Accuracy
train.Accuracy = {}

---Meters: running values over the batches of an epoch.
---
---All have torchnet's methods: `add(...)`, `value()`, `reset()`.
---@class train.Average
---@overload fun(...: any): train.Average
train.Average = {}

---Averages of weights while a network trains: optim.EMA or optim.SWA, at the steps that are asked
---for.
---@class train.Averaging
---@overload fun(...: any): train.Averaging
train.Averaging = {}

---Batches of tensors in memory, or of a dataset's samples: the simplest loader.
---
---Called, it gives an iteration function: `for batch in batches() do`. Each call begins the epoch
---anew. A batch is a table of tensors with the samples along the first dimension, such as { input =
---N x ..., target = N }; its tensors are buffers that the next batch overwrites. The order of an
---epoch depends on seed and epoch alone. Samples of a dataset are put together by
---`dataset.collate.stack`: numbers become tensors of the default type, or of the one that the
---dataset's `types` names.
---@class train.Batches
---@overload fun(...: any): train.Batches
train.Batches = {}

---Values of epochs in a file of comma-separated columns.
---@class train.CSV
---@overload fun(...: any): train.CSV
train.CSV = {}

---A folder of checkpoints: `step-00000120.t7` and so on, and `best.t7`.
---
---Each file is there whole or not at all, however a run ends: it is written aside, synced to the
---disk, renamed, and its folder synced. Old ones are removed when a new one is in place. Those of
---later steps are of a run that went another way from here: they become `former-00000120.t7`.
---
---Where a training has averages, the network of a file has the weights that go on, and `averaged`
---those that were evaluated, by name; `model` gives the network with these.
---@class train.Checkpoints
---@overload fun(...: any): train.Checkpoints
train.Checkpoints = {}

---Progress on a terminal, with the time left; elsewhere, a line for each epoch.
---@class train.Console
---@overload fun(...: any): train.Console
train.Console = {}

---Whether a value still gets better.
---@class train.EarlyStop
---@overload fun(...: any): train.EarlyStop
train.EarlyStop = {}

---Hooks: functions that a training calls at its stations, in the order in which they were added.
---
---The stations have torchnet's names: `onStart`; `onStartEpoch`; for each batch `onSample`,
---`onForward` (the network's output is there), `onForwardCriterion` (the loss),
---`onBackwardCriterion`, `onBackward`; `onGradients` (the gradient of a step is whole), `onUpdate`
---(the step is taken); `onEndEpoch`; `onEnd`. A part is a table with functions of those names,
---called `part:onUpdate(state)`; plain functions are called `f(state)`. While a network is
---evaluated, `onSample`, `onForward` and `onForwardCriterion` are called with `state.training ==
---false`.
---
---`state` has `network`, `criterion`, `sample` (the batch), `loss`, `epoch` (epochs that are
---complete), `batch` (batches of this epoch), `t` (steps), `training`, `parameters`, `gradients`,
---`row` (values of the last epoch, from `onEndEpoch` on) and `trainer`.
---Source of the names: Collobert, van der Maaten and Joulin, "Torchnet", 2016.
---@class train.Engine
---@overload fun(...: any): train.Engine
train.Engine = {}

---A meter of a script's own function: the mean of f(output, target) over the samples.
---@class train.FunctionMeter: train.Average
---@overload fun(...: any): train.FunctionMeter
train.FunctionMeter = {}

---A factor of the loss by which the gradients of half precision neither vanish nor overflow.
---
---scale <- scale / 2 after a step whose gradients are not finite (that step is left out);
---scale <- 2 scale after `interval` steps in a row that were.
---Source: Micikevicius et al., "Mixed precision training", ICLR 2018 (arXiv:1710.03740), section
---3.2.
---@class train.LossScaler
---@overload fun(...: any): train.LossScaler
train.LossScaler = {}

---Mean average precision of scores for several labels.
---@class train.MeanAveragePrecision
---@overload fun(...: any): train.MeanAveragePrecision
train.MeanAveragePrecision = {}

---Curves of a training in a picture, drawn anew after each epoch; needs the program gnuplot.
---@class train.Plot
---@overload fun(...: any): train.Plot
train.Plot = {}

---Mixed precision: a network of floats whose products are computed in bfloat16 or half.
---
---The weights, their gradients, the statistics and the optimiser's state stay float, and so does
---what `precision/types` names; the other layers compute in the type that comes to them. While it
---is attached, calls of the network's layers go by way of `nn.seam`: a layer that computes in the
---lower type does it by a twin whose weights are those of the layer, rounded once after each step,
---and whose gradients are added to the layer's. Containers with branches get and give float. The
---network's output is float. Source: Micikevicius et al., "Mixed precision training", ICLR 2018
---(arXiv:1710.03740).
---@class train.Precision
---@overload fun(...: any): train.Precision
train.Precision = {}

---What `train.summary` gives: `rows`, sums, and a text.
---@class train.Summary
---@overload fun(...: any): train.Summary
train.Summary = {}

---Event files that TensorBoard shows: scalars, histograms, pictures.
---
---A file is a row of records: length, checksum, an Event of Protocol Buffers, checksum. Each object
---writes a file of its own into the folder, so runs that are resumed, or side by side, lose
---nothing. Source: tensorflow/core/util/event.proto, framework/summary.proto and the format of
---TFRecord.
---@class train.TensorBoard
---@overload fun(...: any): train.TensorBoard
train.TensorBoard = {}

---Seconds, in all or for each of what is counted.
---@class train.TimeMeter
---@overload fun(...: any): train.TimeMeter
train.TimeMeter = {}

---Training: a network, a loss, an optimiser and data, and what one wants around them.
---
---Every part is an object of its own that a loop written by hand can use as well: `train.Batches`,
---`train.Checkpoints`, `train.EarlyStop`, the meters, the logs, `train.Precision`,
---`train.LossScaler`, `optim.EMA`. A run that is killed and resumed ends with the very bits of one
---that was not, on the same machine with the same number of threads.
---@class train.Trainer
---@overload fun(...: any): train.Trainer
train.Trainer = {}

---Keep parameters as they are: a Trainer that is made afterwards leaves them out of its steps.
---The layer says so in its field `frozen`, which is saved with it. Running statistics of
---normalisations still follow the data in training.
---@param model any nn.Module
---@param pattern string as for `train.select` (string)
---@return any
function train.freeze(model, pattern) end

---Whether a parameter is frozen.
---@param entry table of `train.tensors` (table)
function train.isFrozen(entry) end

---Read weights by name: a PyTorch model's state_dict saved as safetensors, say.
---
---A linear layer's and a convolution's weights have the same order in PyTorch and here, so that
---names are all that differs: `map` makes the file's names of ours. PyTorch counts the layers of a
---Sequential from 0, and we from 1: the second example reads such a file.
---@param model any nn.Module; its tensors are written to, all or (where something does not fit) none
---@param weights any path of a .safetensors file or of a .pth file of a state_dict, or table of tensors by name
---@param settings? table map: our name -> the file's: a table, a list of { Lua pattern, replacement } of which the first that matches counts, or a function; strict (true): whether every tensor of the network has to be in the file (table, optional)
---@return any
function train.loadWeights(model, weights, settings) end

---Measure the running means and variances of a network anew, as weights that are an average want
---it: they are those of no weights that training has gone through.
---
---Each becomes the mean of what the batches have, m <- m + (m_t - m) / t for the t-th of them.
---Source: Izmailov et al., UAI 2018 (arXiv:1803.05407), section 3.2.
---@param model any nn.Module; it is in evaluation afterwards
---@param data any as the option `data` of train.Trainer; `input` of each batch is what counts
---@return any
function train.refreshStatistics(model, data) end

---Put another module in the place of one: the last layer of a classifier, say.
---@param model any nn.Module
---@param path string places in containers, or names: '7', 'features.3' (string)
---@param module any what comes there, of the same type of tensors
---@return any
function train.replace(model, path, module) end

---The parameters whose name, or whose layer's path, matches.
---@param model any nn.Module
---@param pattern string a name ('1.weight'), a path ('1', with all below), or either with * for any text (string)
---@return any
function train.select(model, pattern) end

---Layers with what they give, hold and compute, for one batch.
---
---Multiply-adds are those of products with weights (linear layers, convolutions, recurrent ones);
---those of other operations are few beside them, but for the scores of attention, which are left
---out. Memory is that of the outputs; that of the parameters is in the sums. The network is run
---once, in evaluation.
---@param model any nn.Module
---@param input any a batch
---@return any
function train.summary(model, input) end

---The tensors of a network that training changes and a file of weights holds.
---
---A name is the way there: places in containers, or the `name` of a module that has one, then the
---field, such as '3.1.weight'. A tensor that is in several modules is named once.
---@param model any nn.Module
---@return any
function train.tensors(model) end

---The parameters that learn.
---@param model any nn.Module
---@return any
function train.trainable(model) end

---Let parameters that were frozen learn again.
---@param model any nn.Module
---@param pattern string as for `train.select` (string)
function train.unfreeze(model, pattern) end

---The tensors of a network by their names, as `train.loadWeights` and safetensors.save take them.
---@param model any nn.Module
---@param settings? table map: our name -> the one wanted, as train.loadWeights has it (table, optional)
---@return table
function train.weights(model, settings) end

---Count a batch.
---@param output torch.Tensor N x classes scores (Tensor)
---@param target torch.Tensor N classes, from 1 (Tensor)
function train.Accuracy:add(output, target) end

---Count what another one has counted.
---@param other any an Accuracy, or its fields
function train.Accuracy:merge(other) end

---Begin anew.
function train.Accuracy:reset() end

---Right ones / all; NaN before the first.
function train.Accuracy:value() end

---Count some samples.
---@param value number their mean (number)
---@param count? number how many (number, default 1)
function train.Average:add(value, count) end

---Count what another one has counted.
---@param other any an Average, or its fields
function train.Average:merge(other) end

---Begin anew.
function train.Average:reset() end

---sum of value count / sum of count; NaN before the first.
function train.Average:value() end

---Leave the average in the network.
function train.Averaging:finish() end

---After an epoch.
---@param ... any
function train.Averaging:onEndEpoch(...) end

---After a step.
---@param ... any
function train.Averaging:onUpdate(...) end

---Go on from a state.
---@param ... any
function train.Averaging:restore(...) end

---What `restore` takes.
function train.Averaging:state() end

---Exchange weights and average, where there is one yet; once more to go on.
function train.Averaging:swap() end

---Go on from a state: the next call gives the rest of that epoch. A state from the beginning of
---one goes with other samples and sizes of batches, too.
---@param state table (table)
function train.Batches:restore(state) end

---How many rows the batch that came last has in all processes, where it is shared out.
function train.Batches:rows() end

---Which epoch comes next: its order is drawn by it.
---@param ... any
function train.Batches:setEpoch(...) end

---Make one process's rows of each batch only; see `dataset.Loader:share`.
---@param rank integer from 1 (integer)
---@param size integer how many processes there are (integer)
---@return any
function train.Batches:share(rank, size) end

---Number of batches of an epoch.
function train.Batches:size() end

---Where the loop that was begun last stands: a table for `restore`.
function train.Batches:state() end

---Add a row. One with a value that none before it had writes the file anew, with a column more.
---@param row table numbers by name (table)
function train.CSV:add(row) end

---Go on with a run that was killed: the file gets the rows that its checkpoint knows of, for
---those of later steps come again.
---@param _ integer step of the checkpoint (integer)
---@param rows table (table)
function train.CSV:goOn(_, rows) end

---Read one. Of the latest ones, one that is damaged is passed over, which is said on stderr.
---@param which? any 'best', or a step; by default the latest (optional)
---@return any
function train.Checkpoints:load(which) end

---The network of a Trainer's checkpoint, with the averaged weights where it has some: what the
---values of its last row were measured with.
---@param which? any as for `load` (optional)
---@return any
function train.Checkpoints:model(which) end

---Make the folder, where it is missing, and see whether files can be written there: before hours
---of work, and not after them. The Trainer does so when it runs.
---@param ... any
---@return self
function train.Checkpoints:prepare(...) end

---Write one.
---@param object any what torch.save takes
---@param step integer by which it is named (integer)
---@param best? boolean also call it the best so far (boolean, default false)
---@return any
function train.Checkpoints:save(object, step, best) end

---Write one as the best, and not among the latest ones.
---@param object any what torch.save takes
---@return any
function train.Checkpoints:saveBest(object) end

---The steps that there are checkpoints of, the latest last.
function train.Checkpoints:steps() end

---The values of an epoch.
---@param row table numbers by name; texts are shown as they are (table)
function train.Console:add(row) end

---A batch is done.
---@param ... any
function train.Console:batch(...) end

---The names of a row's values in the order in which logs show them.
---@param row table (table)
---@return any
function train.Console:columns(row) end

---A run goes on from a checkpoint.
---@param path string of the checkpoint (string)
---@param step integer that it was made after (integer)
---@param complete boolean whether nothing is left to do (boolean)
function train.Console:resume(path, step, complete) end

---An epoch begins, or goes on.
---@param ... any
function train.Console:startEpoch(...) end

---'min' for what is named a loss or an error, 'max' for others.
---@param ... any
function train.EarlyStop:modeOf(...) end

---Tell it a value; NaN is no better.
---@param value number (number)
---@return any
function train.EarlyStop:observe(value) end

---Go on from a state.
---@param ... any
function train.EarlyStop:restore(...) end

---What `restore` takes.
function train.EarlyStop:state() end

---Add a part: an object with functions of the stations' names.
---@param part table table
---@return any
function train.Engine:add(part) end

---Call what was added for a station.
---@param name string (string)
---@param state table (table)
function train.Engine:call(name, state) end

---Add functions f(state), by the stations' names; entries without a name are parts.
---@param hooks table (table)
---@return self
function train.Engine:hook(hooks) end

---Count a batch.
---@param ... any
function train.FunctionMeter:add(...) end

---Go on from a state.
---@param ... any
function train.LossScaler:restore(...) end

---What `restore` takes.
function train.LossScaler:state() end

---Divide gradients by the scale.
---@param gradients any a flat Tensor, or a list of them; in place
---@return any
function train.LossScaler:unscale(gradients) end

---Adapt the scale after a step.
---@param fine boolean what `unscale` gave (boolean)
function train.LossScaler:update(fine) end

---Keep a batch.
---@param output torch.Tensor N x labels scores (Tensor)
---@param target torch.Tensor N x labels, 1 where a sample has the label, else 0 (Tensor)
function train.MeanAveragePrecision:add(output, target) end

---Keep what another one has kept.
---@param other any a MeanAveragePrecision, or its fields
function train.MeanAveragePrecision:merge(other) end

---Begin anew.
function train.MeanAveragePrecision:reset() end

---From 0 to 1; NaN where no sample has a label.
function train.MeanAveragePrecision:value() end

---The values of an epoch, with which the picture is drawn anew.
---Without the package or the program, says so once and does nothing: a picture must not end a run.
---@param row table numbers by name (table)
function train.Plot:add(row) end

---Draw the curves of all rows so far.
function train.Plot:draw() end

---Go on with a run that was killed.
---@param _ integer step of the checkpoint (integer)
---@param rows table that it knows of (table)
function train.Plot:goOn(_, rows) end

---From now on the network computes in the lower type.
---@param ... any
---@return any
function train.Precision:attach(...) end

---The network computes in float again.
function train.Precision:detach() end

---Let go of what belongs to the last batch, so that the network can be saved.
function train.Precision:release() end

---The values of an epoch, each under its name; 'validation.loss' as 'validation/loss'.
---@param row table numbers by name, with step; texts are left out (table)
function train.TensorBoard:add(row) end

---Close the file.
function train.TensorBoard:close() end

---A run goes on from a checkpoint: later steps of its earlier files do not count.
---@param step integer of the checkpoint (integer)
function train.TensorBoard:goOn(step) end

---How a tensor's elements are spread.
---@param tag string (string)
---@param x torch.Tensor any type and shape (Tensor)
---@param step integer (integer)
---@param bins? integer of equal width (integer, default 30)
function train.TensorBoard:histogram(tag, x, step, bins) end

---A picture; needs the package image.
---@param tag string (string)
---@param picture torch.Tensor 1 or 3 x height x width, from 0 to 1 (Tensor)
---@param step integer (integer)
function train.TensorBoard:image(tag, picture, step) end

---A number.
---@param tag string a name; what stands before a slash groups them (string)
---@param x number (number)
---@param step integer (integer)
function train.TensorBoard:scalar(tag, x, step) end

---Count one, or as many as are said.
---@param count? any a number; what meters of a Trainer are given counts as one (default 1)
function train.TimeMeter:add(count) end

---Count what another one has counted, in the same time.
---@param other any a TimeMeter, or its fields
function train.TimeMeter:merge(other) end

---Begin anew, from now.
function train.TimeMeter:reset() end

---Seconds since the last `reset`; with `unit` for each that was counted (NaN of none).
function train.TimeMeter:value() end

---Loss and metrics on other data, in evaluation and with averaged weights where there are some.
---@param data any as the options `data` and `validation`
---@return table
function train.Trainer:evaluate(data) end

---Tell a figure of one's own, from a hook: the mean of an epoch's values is in its row, and so in
---every log, in `history` and in what `run` returns; from `onEndEpoch`, the value itself. What is
---told while other data are measured (`state.training` is false) is among the values of that, in
---rows as 'validation.NAME'.
---@param name string (string)
---@param value any a number, or a tensor of one element
function train.Trainer:log(name, value) end

---Go on from the latest checkpoint in the folder, if there is one: then `run` continues with the
---next step, as if it had never been interrupted.
---@param which? any 'best', or a step, in place of the latest (optional)
---@return any
function train.Trainer:resume(which) end

---Train until `epochs` or `steps` are reached, or somebody stops it. Called again, it goes on;
---after an error or Ctrl-C with the next batch (of a step of several, by `accumulate`, those that
---were gathered by then are left out).
---@overload fun(self: train.Trainer): table
---@param ... any
---@return any
function train.Trainer:run(...) end

---Write a checkpoint. From a hook within a step it is written after the step, from onEndEpoch
---after all hooks of that.
---@param best? boolean also call it the best (boolean, default false)
---@return any
function train.Trainer:save(best) end

---End `run` after this step, from a hook.
function train.Trainer:stop() end

---The network, layer by layer: see `train.summary`.
---@param input? any a batch; by default the first of the data (optional)
---@return any
function train.Trainer:summary(input) end

return train
