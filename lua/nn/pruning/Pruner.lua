--- Weights that stay zero: a net is pruned bit by bit while it is trained.
--
-- After each step of the optimiser `pruner:step()` is called: it takes the smallest weights away
-- when the schedule wants that, and sets those that are gone to zero again. The share that is gone
-- grows from `initial` to `amount` between the steps `from` and `to`:
--
--    amount + (initial - amount) (1 - (t - from) / (to - from))^3
--
-- Masks cover the weights of nn.Linear, the convolutions and nn.LookupTable. With `unit =
-- 'channel'` whole outputs go, by the norm of their weights, with their bias, and nn.removeChannels
-- takes them out of the net afterwards.
-- Sources: Zhu and Gupta, To Prune, or Not to Prune, 2017 (arXiv:1710.01878); Han et al., Learning
-- both Weights and Connections for Efficient Neural Networks, NIPS 2015.
-- @classmod nn.Pruner
-- @usage pruner = nn.Pruner(net, { amount = 0.8, from = 500, to = 5000, every = 100 })
-- @example
-- local net = nn.Sequential():add(nn.Linear(10, 10)):add(nn.Tanh()):add(nn.Linear(10, 2))
-- local pruner = nn.Pruner(net, { amount = 0.5 })
-- pruner:step()
-- pruner:sparsity() --> 0.5

local torch = require 'torch'
local nn = require 'nn'
local options = require 'torch.options'
local shapes = require 'torch.functions.shapes'
local raise = require('torch.errors').raise

local Pruner = torch.class('nn.Pruner', nn)

local KINDS = {
   amount = 'share', initial = 'share', from = 'natural', to = 'natural', every = 'count',
   scope = { 'global', 'layer' }, unit = { 'weight', 'channel' }, norm = { 1, 2 }, skip = 'call',
}

local PRUNED = { 'nn.Linear', 'nn.Convolution', 'nn.LookupTable' }

local function has_weights(module)
   for _, class in ipairs(PRUNED) do
      if torch.isTypeOf(module, class) then
         return torch.isTensor(module.weight)
      end
   end
   return false
end

--- Watch over a net.
--
-- Options: `amount`, the share of the weights that goes in the end (0.5); `initial` (0), `from`
-- (0), `to` (as `from`: all at once), `every`, steps between two changes of the masks (1); `scope`:
-- 'global', the smallest weights of all layers, or 'layer', as many of each (the default for
-- channels, whose norms do not compare); `unit`: 'weight' (the default) or 'channel'; `norm` of a
-- channel's weights, 1 or 2 (1); `skip`, a function that gets a layer and says whether it stays
-- whole.
-- @tparam nn.Module net
-- @tparam[opt] table opts
-- @raise "nn.Pruner: nn.Tanh has no weights to prune", "nn.Pruner: to is 3, expected 5 (from) or
-- more"
function Pruner:__init(net, opts)
   if not torch.isTypeOf(net, 'nn.Module') then
      raise(('nn.Pruner: net is %s, expected a module'):format(options.describe(net)))
   end
   opts = options.check('nn.Pruner', opts, KINDS)
   self.net = net
   self.amount, self.initial = opts.amount or 0.5, opts.initial or 0
   self.from, self.every = opts.from or 0, opts.every or 1
   self.to = opts.to or self.from
   self.unit, self.norm = opts.unit or 'weight', opts.norm or 1
   self.scope = opts.scope or (self.unit == 'channel' and 'layer' or 'global')
   if self.to < self.from then
      raise(('nn.Pruner: to is %d, expected %d (from) or more'):format(self.to, self.from))
   end
   self.count, self.layers, self.masks = 0, {}, {}
   local seen = {}
   net:apply(function(module)
      if not seen[module] and has_weights(module) and not (opts.skip and opts.skip(module)) then
         seen[module] = true
         table.insert(self.layers, module)
         table.insert(self.masks, module.weight:clone():fill(1)) -- on its device
      end
   end)
   if #self.layers == 0 then
      raise(('nn.Pruner: %s has no weights to prune'):format(torch.typename(net)))
   end
end

--- The share that the schedule wants gone.
-- @int step
-- @treturn number
-- @example
-- local pruner = nn.Pruner(nn.Linear(2, 2), { amount = 0.8, to = 10 })
-- pruner:wanted(0), pruner:wanted(5), pruner:wanted(20) --> 0, 0.7, 0.8
function Pruner:wanted(step)
   if step < self.from then
      return 0
   elseif step >= self.to then
      return self.amount
   end
   local rest = 1 - (step - self.from) / (self.to - self.from)
   return self.amount + (self.initial - self.amount) * rest^3
end

-- A layer's weights, or their mask, as outputs x inputs x the rest; full convolutions have their
-- inputs first.
local function by_outputs(layer, t)
   if torch.isTypeOf(layer, 'nn.FullConvolution') and t:dim() > 3 then
      return t:view(t:size(1), t:size(2), -1):transpose(1, 2)
   end
   return t:view(t:size(1), 1, -1)
end

-- Numbers by which units go: magnitudes of weights, or mean magnitudes of outputs.
local function scores(self, layer)
   local weight = layer.weight:double():contiguous()
   if self.unit == 'weight' then
      return torch.abs(weight):view(-1)
   end
   local outputs = by_outputs(layer, weight)
   local rows = outputs:contiguous():view(outputs:size(1), -1)
   return rows:norm(self.norm, 2):div(rows:size(2)^(1 / self.norm)):view(-1)
end

-- The k smallest of some scores get 0, the others 1.
local function keep_largest(all, k)
   local mask = all.new():resizeAs(all):fill(1)
   if k > 0 then
      local _, order = all:sort(1)
      mask:indexFill(1, order:narrow(1, 1, k), 0)
   end
   return mask
end

local function set_mask(self, i, units)
   local mask = self.masks[i]
   if self.unit == 'weight' then
      mask:copy(units:viewAs(mask))
   else
      local outputs = by_outputs(self.layers[i], mask)
      outputs:copy(units:view(-1, 1, 1):expandAs(outputs))
   end
end

-- Masks for a share of the units; what is gone already has the smallest scores, 0.
local function choose(self, share)
   if self.scope == 'layer' then
      for i, layer in ipairs(self.layers) do
         local own = scores(self, layer)
         set_mask(self, i, keep_largest(own, math.floor(share * own:nElement() + 0.5)))
      end
      return
   end
   local each = {}
   for i, layer in ipairs(self.layers) do
      each[i] = scores(self, layer)
   end
   local all = torch.cat(each, 1)
   local mask, first = keep_largest(all, math.floor(share * all:nElement() + 0.5)), 1
   for i, own in ipairs(each) do
      set_mask(self, i, mask:narrow(1, first, own:nElement()))
      first = first + own:nElement()
   end
end

--- Set the weights that are gone to zero, and their gradients.
-- @return self
function Pruner:apply()
   for i, layer in ipairs(self.layers) do
      local mask = self.masks[i]
      if torch.typename(mask) ~= torch.typename(layer.weight)
         or mask.device ~= layer.weight.device then
         mask = layer.weight:clone():copy(mask)
         self.masks[i] = mask
      end
      layer.weight:cmul(mask)
      if layer.gradWeight and layer.gradWeight:nElement() == mask:nElement() then
         layer.gradWeight:cmul(mask)
      end
      local outputs = by_outputs(layer, mask)
      if self.unit == 'channel' and layer.bias and layer.bias:nElement() == outputs:size(1) then
         layer.bias:cmul(outputs:select(3, 1):select(2, 1))
      end
   end
   return self
end

--- A step of training has been made: prune more if it is time, and hold what is pruned at zero.
-- @return self
function Pruner:step()
   local t = self.count
   if t >= self.from and (t == self.to or t < self.to and (t - self.from) % self.every == 0) then
      choose(self, self:wanted(t))
   end
   self.count = t + 1
   return self:apply()
end

--- What `restore` takes: steps made, and the masks as bytes.
-- @treturn table
function Pruner:state()
   local masks = {}
   for i, mask in ipairs(self.masks) do
      masks[i] = mask:byte()
   end
   return { count = self.count, masks = masks }
end

--- Go on from a state, for a net of the same layers.
-- @tab state
-- @return self
-- @raise "nn.Pruner: the state is of 2 layers, expected 3"
-- @raise "nn.Pruner: layer 2 of the state is 4x3, expected 4x4"
-- @example
-- local net = nn.Linear(4, 4)
-- local pruner = nn.Pruner(net, { amount = 0.5 }):step()
-- net.weight:fill(1)
-- nn.Pruner(net, { amount = 0.5 }):restore(pruner:state()):apply():sparsity() --> 0.5
function Pruner:restore(state)
   if #state.masks ~= #self.masks then
      raise(('nn.Pruner: the state is of %d layers, expected %d'):format(#state.masks,
         #self.masks))
   end
   for i, mask in ipairs(self.masks) do
      if not mask:isSameSizeAs(state.masks[i]) then
         raise(('nn.Pruner: layer %d of the state is %s, expected %s'):format(i,
            shapes.text(state.masks[i]), shapes.text(mask)))
      end
   end
   self.count = state.count
   for i, mask in ipairs(self.masks) do
      mask:copy(state.masks[i])
   end
   return self
end

--- The share of the weights that is zero.
-- @treturn number
function Pruner:sparsity()
   local zeros, all = 0, 0
   for _, layer in ipairs(self.layers) do
      zeros = zeros + layer.weight:eq(0):sum()
      all = all + layer.weight:nElement()
   end
   return zeros / all
end

--- Let go of the masks: the net has its zeros, and learns as any other.
-- @treturn nn.Module the net
function Pruner:fold()
   self:apply()
   self.layers, self.masks = {}, {}
   return self.net
end
