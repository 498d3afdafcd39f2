---@meta optim
-- Written by `th docs/make_definitions.lua` from the docstrings; not to be edited.

---@class optim
optim = {}
optim.schedule = {}

---Counts of predicted classes for each true class.
---
---Rows of `mat` are true classes, columns predicted ones. Read the rates after `updateValids`:
---`totalValid` (share of all samples that is right), `valids` (recall of each class),
---`averageValid` (its mean), `unionvalids` (hits / (row + column - hits), the PASCAL VOC measure),
---`averageUnionValid` (its mean).
---@class optim.ConfusionMatrix
---@overload fun(nclasses: number, classes?: table): optim.ConfusionMatrix
optim.ConfusionMatrix = {}

---Averages of weights over the steps of a training.
---@class optim.EMA
---@overload fun(parameters: torch.Tensor, decay?: number, warmup?: boolean): optim.EMA
optim.EMA = {}

---A table of numbers that grows by a row at a time, kept in memory and in a text file, and
---plotted.
---
---Columns are separated by tabs; the first line has their names. A file that is already there is
---kept, and new rows follow the old ones: a training run that goes on loses nothing.
---@class optim.Logger
---@overload fun(filename?: string, timestamp?: boolean): optim.Logger
optim.Logger = {}

---Averages of weights over the steps of a training.
---@class optim.SWA: optim.EMA
---@overload fun(parameters: torch.Tensor, decay?: number, warmup?: boolean): optim.SWA
optim.SWA = {}

---A schedule of learning rates: what the functions of `optim.schedule` return, and is called with
---the number of steps or epochs so far. Its fields are its kind and its options.
---@class optim.Schedule
---@overload fun(kind: string, options: table): optim.Schedule
optim.Schedule = {}

---Count one sample.
---@param prediction any class number, or a score for each class
---@param target any class number, or a score for each class (one-hot)
function optim.ConfusionMatrix:add(prediction, target) end

---Count a batch.
---@param predictions torch.Tensor N classes, or N x nclasses scores (Tensor)
---@param targets torch.Tensor N classes, or N x nclasses scores (one-hot) (Tensor)
function optim.ConfusionMatrix:batchAdd(predictions, targets) end

---Error rates of each class: false rejection (its samples taken for others) and false acceptance
---(mean share of the other classes' samples taken for it).
---@param ... any
---@return any
function optim.ConfusionMatrix:farFrr(...) end

---A picture: a block for each count, as a share of its row; hits green, errors red, by class.
---@param sortmode? string 'score' (best class first), 'occurrence' (most frequent first), or anything else for the order of classes (string, default 'score')
---@param display? boolean show it with image.display (boolean, default false)
---@param block? integer pixels along the side of a block (integer, default 25)
---@param legendwidth? integer grey pixels left free beside it for a legend (integer, default 200)
---@return torch.Tensor
function optim.ConfusionMatrix:render(sortmode, display, block, legendwidth) end

---Work out the rates from the counts.
function optim.ConfusionMatrix:updateValids() end

---Start counting anew.
function optim.ConfusionMatrix:zero() end

---Write the average into tensors of the same sizes.
---@param to torch.Tensor Tensor, list, or module; by default the parameters themselves
function optim.EMA:copyTo(to) end

---How much of x - a is added at the t-th update.
---@param ... any
function optim.EMA:factor(...) end

---Exchange the parameters and their average: to evaluate with it, and once more to go on.
---@overload fun(self: optim.EMA)
---@param ... any
---@return any
function optim.EMA:swap(...) end

---Take the parameters as they are now into the average; after each step.
---@param ... any
---@return self
function optim.EMA:update(...) end

---@param f function function: (x, mode) -> f(x), df/dx; the gradient is only used when mode is 'dx'
---@param g any function: x -> g(x)
---@param pl function function: (x, L), replaces x by argmin over z of g(z) + L/2 |z - x|^2
---@param xinit torch.Tensor Tensor, the start; updated in place
---@param params? any table: maxiter (50), maxline (20), errthres (1e-4: stop when the relative change of the loss is below), doFistaUpdate (true; false is ISTA), L (0.1: first estimate of the Lipschitz constant; the last one is written there), Lstep (1.5), verbose (optional)
---@return any
function optim.FistaLS(f, g, pl, xinit, params) end

---Add a row.
---@param symbols table values in the order of the names, or by name (table)
---@return self
function optim.Logger:add(symbols) end

---Whether `plot` shows a window (true) or only writes the .eps file.
---@param ... any
function optim.Logger:display(...) end

---Draw the columns over the rows, in a window and in `<filename>.eps`; does nothing before row 2.
---Needs the package gnuplot; without it, says so once and does nothing.
---@param ... any
function optim.Logger:plot(...) end

---Name the columns.
---@param names table strings, in the order of values in `add` (table)
---@return self
function optim.Logger:setNames(names) end

---Whether to draw the y axis logarithmically.
---@param ... any
function optim.Logger:setlogscale(...) end

---How to draw the columns: gnuplot styles such as '-', '+', '~'.
---@param symbols any one style for all, or a table of styles by column or by name
---@return self
function optim.Logger:style(symbols) end

---How much of x - a is added at the t-th update.
---@param ... any
function optim.SWA:factor(...) end

---Tell a plateau the loss of an epoch.
---@param loss number (number)
---@return any
function optim.Schedule:observe(loss) end

---An opfunc that calls another one several times, and returns the means of loss and gradient.
---
---(f, g) = sum over i = 1 ... count of opfunc(x, i), / count. opfunc takes the next batch each time
---and zeroes its gradient, as ever; what it returns may be one tensor every time.
---@param opfunc function function: x, i -> loss, gradient
---@param count number how many batches make a step (number)
---@return function
function optim.accumulate(opfunc, count) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: rho (0.9), eps (1e-6), weightDecay (0), learningRate (1: a factor), learningRateDecay (0)
---@param state? any table: evalCounter (steps), paramVariance (s), accDelta (a); defaults to config (optional)
---@return torch.Tensor
function optim.adadelta(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (0.01), learningRateDecay (0), beta2Decay (-0.8), eps1 (the last bit of 1 in the type of x), eps2 (1e-3), d (1), weightDecay (0); parameters (the list of `net:parameters()`, or the network) or shapes (a list of sizes): the layers' tensors in x, which is one tensor of its own shape without
---@param state? any table: t (steps), parts, kept (for each part rows and columns, or variance); defaults to config (optional)
---@return torch.Tensor
function optim.adafactor(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (1e-3), learningRateDecay (0), weightDecay (0)
---@param state? any table: evalCounter (steps), paramVariance (s); defaults to config (optional)
---@return torch.Tensor
function optim.adagrad(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config any table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999), epsilon (1e-8), weightDecay (0), amsgrad (false)
---@param state? any table: t (steps), m, v, with amsgrad also largest; defaults to config (optional)
---@return torch.Tensor
function optim.adam(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (2e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999), epsilon (1e-38), weightDecay (0)
---@param state? any table: t (steps), m, u; defaults to config (optional)
---@return torch.Tensor
function optim.adamax(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config any table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999), epsilon (1e-8), weightDecay (0.01), amsgrad (false)
---@param state? any table: t (steps), m, v, with amsgrad also largest; defaults to config (optional)
---@return torch.Tensor
function optim.adamw(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: eta0 (1e-4), lambda (1e-4), alpha (0.75), t0 (1e6)
---@param state? any table: t (steps), eta_t, mu_t, ax; defaults to config (optional)
---@return torch.Tensor
function optim.asgd(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: maxIter (20: evaluations in a line search), maxEval (1.25 maxIter: no line search begins after so many), rho (0.01) and sig (0.5) of the Wolfe-Powell conditions, int (0.1: least share of an interval), ext (3: most growth of a step), ratio (100: most growth of the slope), red (1: size of the first step)
---@param state? any table: buffers; defaults to config (optional)
---@return torch.Tensor
function optim.cg(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, restored after each difference
---@param eps? number half the step (number, default 1e-7)
---@return number
---@return torch.Tensor
---@return torch.Tensor
function optim.checkgrad(opfunc, x, eps) end

---Scale gradients down to a norm.
---
---g <- g min(1, maxNorm / (|g|_p + 1e-6)), |g|_p over the elements of all tensors.
---Source: Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks",
---ICML 2013 (arXiv:1211.5063), Algorithm 1.
---@param gradients torch.Tensor Tensor, or a list of tensors of one type, on one device or several; changed in place
---@param maxNorm number the largest norm that stays as it is (number)
---@param p? number which norm; math.huge takes the largest element (number, default 2)
---@return any
function optim.clipGradNorm(gradients, maxNorm, p) end

---Limit each element of gradients: g <- max(-limit, min(limit, g)).
---@param gradients torch.Tensor Tensor, or a list of tensors; changed in place
---@param limit number the largest size of an element (number)
---@return any
function optim.clipGradValue(gradients, limit) end

---@param opfunc function function: x -> loss (a gradient is ignored)
---@param x torch.Tensor Tensor, the start; receives the best point seen
---@param config table table: sigma (0.5: first step size), maxEval (1000 n^2), ftarget (stop below), popsize (4 + 3 ln n), verb_disp (none: Torch7 prints as often)
---@param state? any table: mean, sigma, C, paths; defaults to a fresh one (optional)
---@return torch.Tensor
function optim.cmaes(opfunc, x, config, state) end

---@param opfunc function function: x -> loss (a gradient is ignored)
---@param x torch.Tensor Tensor, the start; receives the best member
---@param config table table: popsize (10 for each coordinate, at least 4), scaleFactor (F, 0.8), crossoverRate (CR, 0.9), maxFEs (1000: evaluations per call)
---@param state? any table: population and losses, carried on by the next call; defaults to config (optional)
---@return torch.Tensor
function optim.de(opfunc, x, config, state) end

---An optimiser with other options for some of the parameters.
---
---What it returns is called as the optimiser itself: `adamw(opfunc, x, config, state)`. Options
---that a group does not name, and parameters that are in no group, take what `config` says. The
---state is `state.groups`, a state for each run of neighbours in one group; runs are steps of their
---own, so many small ones cost more than one large one.
---@param groups table table: the optimiser first, then groups: tables with `parameters` (a list of tensors, a tensor or a module) and options
---@return any
function optim.groups(groups) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999), epsilon (1e-6), weightDecay (0.01); parameters (the list of `net:parameters()`, or the network) or shapes (a list of sizes): the layers' tensors in x, which is one layer without
---@param state? any table: t (steps), m, v, parts; defaults to config (optional)
---@return torch.Tensor
function optim.lamb(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: maxIter (20: steps per call), maxEval (1.25 maxIter), tolFun (1e-5: stop when sum |g| is below), tolX (1e-9: stop when the step or the change of loss is below), nCorrection (100: pairs kept), learningRate (1), lineSearch (function such as optim.lswolfe), lineSearchOptions, verbose
---@param state? any table: carries the memory between calls; defaults to config (optional)
---@return torch.Tensor
function optim.lbfgs(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (1e-4), learningRateDecay (0), beta1 (0.9), beta2 (0.99), weightDecay (0)
---@param state? any table: t (steps), m; defaults to config (optional)
---@return torch.Tensor
function optim.lion(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, moved to x + t d
---@param t number first step to try (number)
---@param d torch.Tensor direction (Tensor)
---@param f number loss at x (number)
---@param g torch.Tensor gradient at x (Tensor)
---@param gtd? number slope g'd at x (number, optional)
---@param options? table c1 (1e-4), c2 (0.9), tolX (1e-9), maxIter (20) (table, optional)
---@return any
function optim.lswolfe(opfunc, x, t, d, f, g, gtd, options) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (2e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999), epsilon (1e-8), momentumDecay (4e-3), weightDecay (0)
---@param state? any table: t (steps), m, v, product (p_t); defaults to config (optional)
---@return torch.Tensor
function optim.nadam(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (1e-3), learningRateDecay (0), momentum (0.9), weightDecay (0) or weightDecays (Tensor), learningRates (Tensor of factors)
---@param state? any table: evalCounter (steps), dfdx (v); defaults to config (optional)
---@return torch.Tensor
function optim.nag(opfunc, x, config, state) end

---An optimiser that keeps its state in page-locked memory of the host, where x is on a device.
---
---A step goes chunk by chunk: a part of the state comes to the device, x takes its step, the part
---goes back. The device needs room for the state of one chunk, and each step moves the state twice
---(Adam: 16 bytes for each parameter of floats). The bits are those of the optimiser alone. With
---groups, `optim.groups { optim.offload(optim.adam), ... }`; shared out,
---`distributed.sharded(optim.offload(optim.adam))`.
---Source of the idea: Ren et al., "ZeRO-Offload", USENIX ATC 2021 (arXiv:2101.06840), which also
---computes the step on the host.
---@param optimizer function of optim, one that treats each element for itself: adam, adamw, sgd, ... (function)
---@param settings? table chunk (2^22): elements of x that take their step at once (table, optional)
---@return any
function optim.offload(optimizer, settings) end

---@param points table table or Tensor of at least two rows: x, value, slope
---@param low? number smallest x allowed; default the smallest of the points (number, optional)
---@param high? number largest x allowed; default the largest of the points (number, optional)
---@return number
function optim.polyinterp(points, low, high) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (1e-3), learningRateDecay (0), beta1 (0.9), beta2 (0.999), epsilon (1e-8), weightDecay (0)
---@param state? any table: t (steps), m, v; defaults to config (optional)
---@return torch.Tensor
function optim.radam(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (1e-2), learningRateDecay (0), alpha (0.99), epsilon (1e-8), weightDecay (0), initialMean (0)
---@param state? any table: m; defaults to config (optional)
---@return torch.Tensor
function optim.rmsprop(opfunc, x, config, state) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: stepsize (0.1), etaplus (1.2), etaminus (0.5), stepsizemin (1e-6), stepsizemax (50), niter (1: steps per call)
---@param state? any table: delta (last gradient), stepsizes (Tensor); defaults to config (optional)
---@return torch.Tensor
function optim.rprop(opfunc, x, config, state) end

---Let a schedule set an optimiser's rate: each step multiplies `config.learningRate` (or the
---optimiser's default) by `schedule(n / every)`, n being the steps that the optimiser's state has
---counted.
---@param config table the optimiser's options; gets the fields `schedule` and `scheduleEvery` (table)
---@param schedule any of this module; nil detaches
---@param every? number steps for one unit of the schedule: the batches of an epoch, where it counts epochs (number, default 1)
---@return any
function optim.schedule.attach(config, schedule, every) end

---f(n) = factor.
---@param factor? number (number, default 1)
function optim.schedule.constant(factor) end

---f(n) = last + (1 - last) (1 + cos(pi min(n / length, 1))) / 2.
---Source: Loshchilov and Hutter, "SGDR", ICLR 2017 (arXiv:1608.03983), equation 5.
---@param length number (number)
---@param last? number the factor from `length` on (number, default 0)
function optim.schedule.cosine(length, last) end

---A cosine that begins again after `length`, and each time lasts `grow` times as long.
---Source: Loshchilov and Hutter, "SGDR", ICLR 2017 (arXiv:1608.03983), section 3.
---@param length number of the first run (number)
---@param grow? number at least 1 (number, default 1)
---@param last? number the factor before each start (number, default 0)
function optim.schedule.cosineRestarts(length, grow, last) end

---f(n) = gamma^n.
---@param gamma number (number)
function optim.schedule.exponential(gamma) end

---f(n) = first + (last - first) min(n / length, 1).
---@param length number (number)
---@param first? number (number, default 1)
---@param last? number (number, default 0)
function optim.schedule.linear(length, first, last) end

---f(n) = gamma^k, k being how many of the milestones n has reached.
---@param milestones table list of numbers (table)
---@param gamma? number (number, default 0.1)
function optim.schedule.multistep(milestones, gamma) end

---One cycle: half a cosine from `first` up to 1, another down to `last`.
---
---With p = peak length - 1, f rises from n = 0 to n = p, and falls from there to n = length - 1.
---Source: Smith and Topin, "Super-convergence", 2018 (arXiv:1708.07120).
---@param length number steps altogether (number)
---@param peak? number the share of them that rises (number, default 0.3)
---@param first? number (number, default 0.04)
---@param last? number (number, default 4e-6)
function optim.schedule.oneCycle(length, peak, first, last) end

---Less whenever a loss has stopped falling: the factor is what `observe` has made of it.
---
---A loss counts as lower below (1 - threshold) of the lowest so far. After more than `patience`
---that are not, the factor becomes max(least, factor gamma), and `cooldown` losses are not counted.
---@param options? table gamma (0.1), patience (10), threshold (1e-4), cooldown (0), least (0), mode ('min', or 'max' for what should rise) (table, optional)
function optim.schedule.plateau(options) end

---f(n) = last + (1 - last) (1 - min(n / length, 1))^power.
---@param length number (number)
---@param power? number (number, default 1)
---@param last? number (number, default 0)
function optim.schedule.polynomial(length, power, last) end

---Schedules one after the other; each counts from its own start.
---@param list table `{ length, schedule }` for each; the last one's length may be left out (table)
function optim.schedule.sequence(list) end

---f(n) = gamma^floor(n / every).
---@param every number how many steps or epochs a rate lasts (number)
---@param gamma? number (number, default 0.1)
function optim.schedule.step(every, gamma) end

---f(n) = first + (1 - first) n / length below `length`, then after(n - length).
---Source: Goyal et al., 2017 (arXiv:1706.02677), section 2.2.
---@param length number (number)
---@param after? any the schedule that follows; 1 without (optional)
---@param first? number (number, default 0)
function optim.schedule.warmup(length, after, first) end

---@param opfunc function function: x -> loss, gradient
---@param x torch.Tensor Tensor, updated in place
---@param config table table: learningRate (1e-3), learningRateDecay (0), weightDecay (0) or weightDecays (Tensor), momentum (0), dampening (momentum), nesterov (false), learningRates (Tensor of factors)
---@param state? any table: evalCounter (steps), dfdx (v); defaults to config (optional)
---@return torch.Tensor
function optim.sgd(opfunc, x, config, state) end

---The parameters with one dimension: biases, and the factors and shifts of normalisations, which
---weight decay is usually kept away from.
---@param net nn.Module module, or a list of tensors
---@return any
function optim.vectors(net) end

return optim
