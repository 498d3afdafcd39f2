--- Which modules can be computed as one: see nn.containers.runs.
--
-- A module counts as what it is by its methods, so that those with methods of their own, and all
-- while something hangs on nn.seam, count as nothing.
-- @module nn.containers.endings

local torch = require 'torch'
local nn = require 'nn'
local folding = require 'nn.normalization.folding'
local th = require 'torch.ffi'

local M = {}

local FOLDED = { [th.C.TH_FLOAT] = true, [th.C.TH_DOUBLE] = true }

-- Filled when the classes are there.
local methods = {}

--- What a module is: `convolution`, `norm`, `rectifier`, `sequence`, `branches`, `sum`, `identity`.
local is = {}
M.is = is

local function kind(name)
   is[name] = function(module)
      return module ~= nil and module.updateOutput == methods[name]
   end
end
kind 'norm'
kind 'sequence'
kind 'sum'
kind 'identity'

function is.convolution(module)
   return module ~= nil and module.updateOutput == methods.convolution
      and module.__computeOutput == methods.compute
end

function is.rectifier(module)
   return module ~= nil and module.updateOutput == methods.rectifier and module.threshold == 0
      and module.val == 0
end

function is.branches(module)
   return module ~= nil and module.updateOutput == methods.branches
      and torch.typename(module) == 'nn.ConcatTable'
end

--- Whether a module may have an empty output because others were computed with it.
function M.leaves_out(module)
   return is.convolution(module) or is.norm(module) or is.sequence(module) or is.branches(module)
      or is.sum(module)
end

local function of_size(t, size)
   return t == nil or th.isTensor(t) and t.ndim == 1 and t.sizes[0] == size
end

local function same_place(a, b)
   return a.dtype == b.dtype and a.device_type == b.device_type and a.device == b.device
end

--- Whether a module is a convolution in evaluation.
function M.convolves(layer)
   if not is.convolution(layer) or layer.train ~= false then
      return false
   end
   local weight = layer.weight
   return th.isTensor(weight) and weight.ndim == 4 and th.isTensor(layer.output)
end

-- Whether a convolution and a normalisation fit.
local function fold(layer, norm)
   local weight, mean = layer.weight, norm.running_mean
   if not M.convolves(layer) or norm.train ~= false or not FOLDED[weight.dtype] then
      return false
   end
   local size = weight.sizes[0]
   return mean and norm.running_var and of_size(mean, size) and of_size(norm.running_var, size)
      and of_size(norm.weight, size) and of_size(norm.bias, size) and of_size(layer.bias, size)
      and same_place(mean, weight) and th.isTensor(norm.output)
      and not rawequal(norm.output, layer.output)
end

--- Whether two neighbours are a convolution and its normalisation, to be computed as one. What is
-- kept for them goes if they are not.
function M.folds(sequence, layer, norm)
   if not is.norm(norm) or not is.convolution(layer) then
      return false
   elseif sequence.joined and fold(layer, norm) then
      return true
   end
   folding.forget(norm)
   return false
end

--- Where the last run of a sequence begins: its last module, or a convolution before its
-- normalisation.
function M.last_run(sequence)
   local modules = sequence.modules
   local n = #modules
   return n > 1 and M.folds(sequence, modules[n - 1], modules[n]) and n - 1 or n
end

--- Whether a module is a sequence whose last run is a convolution's.
function M.ends_so(module)
   if not is.sequence(module) or not module.joined or #module.modules == 0 then
      return false
   end
   local last = M.last_run(module)
   return last < #module.modules or M.convolves(module.modules[last])
      or M.ends_so(module.modules[last])
end

-- Whether a short cut leaves alone what it is given.
local function is_short(module)
   if is.sequence(module) then
      for _, inner in ipairs(module.modules) do
         if not is.convolution(inner) and not is.norm(inner) then
            return false
         end
      end
      return #module.modules > 0
   end
   return is.identity(module)
end

--- Which of two branches ends with a convolution, while the other is a short cut; nil if none.
function M.main_branch(branches)
   local modules = branches.modules
   if #modules ~= 2 then
      return nil
   end
   for i = 1, 2 do
      if M.ends_so(modules[i]) and is_short(modules[3 - i]) then
         return i
      end
   end
   return nil
end

local function out(layer, size, padding, kernel, gap, step)
   return math.floor((tonumber(size) + 2 * layer[padding] - (layer[kernel] - 1) * layer[gap] - 1)
      / layer[step]) + 1
end

--- Whether what is to be added has the size and type of a convolution's result.
function M.fits(layer, input, addend)
   if addend == nil then
      return true
   elseif not is.convolution(layer) or not th.isTensor(addend) or not th.isTensor(input)
      or addend.ndim ~= input.ndim or input.ndim < 3 or not same_place(addend, layer.weight) then
      return false
   end
   local d = input.ndim
   return (d == 3 or addend.sizes[0] == input.sizes[0])
      and addend.sizes[d - 3] == layer.weight.sizes[0]
      and addend.sizes[d - 2] == out(layer, input.sizes[d - 2], 'padH', 'kH', 'dilationH', 'dH')
      and addend.sizes[d - 1] == out(layer, input.sizes[d - 1], 'padW', 'kW', 'dilationW', 'dW')
end

--- Called when the layers are defined.
function M.define()
   methods.convolution = nn.SpatialConvolution.updateOutput
   methods.compute = nn.SpatialConvolution.__computeOutput
   methods.norm = nn.SpatialBatchNormalization.updateOutput
   methods.rectifier = nn.ReLU.updateOutput
   methods.sequence = nn.Sequential.updateOutput
   methods.branches = nn.ConcatTable.updateOutput
   methods.sum = nn.CAddTable.updateOutput
   methods.identity = nn.Identity.updateOutput
end

return M
