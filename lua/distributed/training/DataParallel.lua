--- A network whose gradients are the means over all ranks: each computes a part of the batch.
--
-- The network's parameters and statistics become those of rank 1. `backward` reduces gradients in
-- buckets while it still runs (`distributed.Reducer`); everything else is the network's own. A
-- step is that of one process on the batch of all, where the criterion gives means and the parts
-- are equally large.
-- Source: Li et al., "PyTorch Distributed", VLDB 2020 (arXiv:2006.15704).
-- @classmod distributed.DataParallel
-- @usage distributed.DataParallel(net [, {bucket = 1, overlap = true, ordered = false}])
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- local net = distributed.DataParallel(nn.Linear(2, 1))
-- net:zeroGradParameters()
-- net:forward(torch.ones(3, 2))
-- net:backward(torch.ones(3, 2), torch.ones(3, 1))
-- net:get(1).gradBias --> { 3 }

local torch = require 'torch'
local nn = require 'nn'
local distributed = require 'distributed.module'
local options = require 'torch.options'
local trace = require 'torch.errors.trace'

local DataParallel, parent = torch.class('distributed.DataParallel', 'nn.Container', distributed)
nn.Decorator.decorate(DataParallel)

-- Reducers hold what belongs to this process, and no file.
local reducers = setmetatable({}, { __mode = 'k' })

local function reducer_of(self)
   reducers[self] = reducers[self] or distributed.Reducer(self.modules[1], self.settings)
   return reducers[self]
end

--- @tparam nn.Module module
-- @tab[opt] settings those of `distributed.Reducer`
function DataParallel:__init(module, settings)
   parent.__init(self)
   if not torch.isTypeOf(module, 'nn.Module') then
      options.fail('distributed.DataParallel: expected a network (nn.Module), got %s',
         options.describe(module))
   end
   self.settings = settings or {}
   self:add(module)
   reducer_of(self)
   distributed.synchronize(module, { group = self.settings.group })
end

-- Gradients that come of f, reduced unless they are kept to this rank.
local function reduced(self, f, ...)
   if self.quiet then
      return f(self, ...)
   end
   return reducer_of(self):__during(f, self, ...)
end

local function back(self, input, gradOutput, scale)
   self.gradInput = self:__pass('backward', input, gradOutput, scale or 1)
   return self.gradInput
end

local function accumulate(self, input, gradOutput, scale)
   self:__pass('accGradParameters', input, gradOutput, scale or 1)
end

--- Gradients by input and parameters, those of the parameters as means over all ranks.
function DataParallel:backward(input, gradOutput, scale)
   return reduced(self, back, input, gradOutput, scale)
end

function DataParallel:accGradParameters(input, gradOutput, scale)
   reduced(self, accumulate, input, gradOutput, scale)
end

--- Call f with gradients kept to this rank: several batches make a step when the last one's
-- `backward` comes outside, which reduces their sum.
-- @func f
-- @return what f returns
-- @example
-- local nn, distributed = require 'nn', require 'distributed'
-- local net = distributed.DataParallel(nn.Linear(2, 1))
-- net:noSync(function() return 'alone' end) --> 'alone'
function DataParallel:noSync(f)
   local before = self.quiet
   self.quiet = true
   return trace.finally(function() self.quiet = before end, f)
end

return DataParallel
