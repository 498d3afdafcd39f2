--- Modules one after the other: the output of each is the input of the next.
--
-- With `net.joined = true`, or `nn.Sequential.joined = true` for all, neighbours are computed as
-- one in evaluation (`net:evaluate()`): an nn.SpatialConvolution and the
-- nn.SpatialBatchNormalization after it, by weights in which the normalisation's numbers are (made
-- anew when a parameter or statistic changes, or at the next `evaluate()` where a script writes by
-- a pointer of `data()`; anew at each call where a tensor lies in a mapped file, which other
-- processes may write);
-- these and an nn.ReLU; and where they end a branch of an nn.ConcatTable whose other branch is an
-- nn.Identity or convolutions, the nn.CAddTable and nn.ReLU after it: a residual block. Sequences
-- within sequences may be parts of it if they are `joined`, too.
-- Of modules that are computed as one, all but the last have an empty `output` then, which is why
-- nobody gets it unasked: scripts look at outputs. `backward` computes them when they are needed.
-- While something hangs on `nn.seam`, modules run one by one.
-- @classmod nn.Sequential
-- @usage net = nn.Sequential():add(nn.View(784)):add(nn.Linear(784, 10)):add(nn.LogSoftMax())
-- @example
-- local net = nn.Sequential():add(nn.Linear(4, 3)):add(nn.ReLU()):add(nn.Linear(3, 2))
-- #net:forward(torch.randn(5, 4)) --> { 5, 2 }
-- tostring(net:get(2)) --> 'nn.ReLU'

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local device = require 'nn.base.device'
local runs = require 'nn.containers.runs'
local spent = require 'nn.containers.spent'
local registry = require 'torch.class.registry'
local types = require 'torch.types'
local raise = require('torch.errors').raise

local elsewhere, there = device.elsewhere, device.there
local several, given = runs.several, runs.given

local Sequential, Container = torch.class('nn.Sequential', 'nn.Container', nn)

-- Modules among a constructor's arguments, or in a list that is one. A class is one that lacks its
-- parentheses: `add` says so, where an empty list would go by without a word.
local function addAll(self, ...)
   for i = 1, select('#', ...) do
      local argument = select(i, ...)
      if torch.isTypeOf(argument, 'nn.Module') or registry.constructors[argument or false] then
         self:add(argument)
      elseif torch.type(argument) == 'table' then
         addAll(self, unpack(argument))
      end
   end
end

--- An empty sequence, or one of the modules that it is given, which Torch7 ignores.
-- @param ... modules, as for `add`, or a list of them
-- @example nn.Sequential(nn.Tanh(), nn.ReLU()):size() --> 2
-- nn.Sequential { nn.Tanh(), nn.ReLU(), nn.Square() }:size() --> 3
function Sequential:__init(...)
   Container.__init(self, ...)
   if torch.typename(self) == 'nn.Sequential' then -- other classes' arguments are their own affair
      addAll(self, ...)
   end
end

function Sequential:__len()
   return #self.modules
end

--- Append a module; the sequence then has its output.
-- @return self
-- @example
-- local net = nn.Sequential()
-- net:add(nn.Linear(3, 2)) == net, net:size() --> true, 1
function Sequential:add(module)
   check.module(self, module)
   if #self.modules == 0 then
      self.gradInput = module.gradInput
   end
   table.insert(self.modules, module)
   self.output = module.output
   return self
end

local function refresh_ends(self)
   local n = #self.modules
   if n == 0 then
      self.output, self.gradInput = torch.Tensor(), torch.Tensor()
   else
      self.output, self.gradInput = self.modules[n].output, self.modules[1].gradInput
   end
end

--- Insert a module before position `index` (default: at the end).
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2))
-- net:insert(nn.Tanh(), 1)
-- tostring(net:get(1)) --> 'nn.Tanh'
function Sequential:insert(module, index)
   check.module(self, module)
   index = index or #self.modules + 1
   if index < 1 or index > #self.modules + 1 then
      raise('nn.Sequential: index should be contiguous to existing modules')
   end
   table.insert(self.modules, index, module)
   refresh_ends(self)
end

--- Remove and return the module at `index` (default: the last one).
-- @example
-- local net = nn.Sequential():add(nn.Linear(3, 2)):add(nn.Tanh())
-- net:remove(2)
-- net:size() --> 1
function Sequential:remove(index)
   index = index or #self.modules
   if index < 1 or index > #self.modules then
      raise(('nn.Sequential: no module %d: there are %d'):format(index, #self.modules))
   end
   local module = table.remove(self.modules, index)
   refresh_ends(self)
   return module
end

Sequential.joined = false

-- The output of module `last`.
function Sequential:__run(input, last)
   local modules, current, i = self.modules, input, 1
   while i <= last do
      local output, next
      if i < last then
         output, next = several(self, i, current)
      end
      if not output then
         output, next = self:rethrowErrors(modules[i], i, 'updateOutput', current), i + 1
      end
      current, i = output, next
   end
   return current
end

function Sequential:updateOutput(input)
   self.output = self:__run(input, #self.modules)
   return self.output
end

function Sequential:updateGradInput(input, gradOutput)
   local modules, current = self.modules, gradOutput
   for i = #modules, 2, -1 do
      current = self:rethrowErrors(modules[i], i, 'updateGradInput', given(self, i, input), current)
   end
   if modules[1] then
      current = self:rethrowErrors(modules[1], 1, 'updateGradInput', input, current)
   end
   self.gradInput = current
   return current
end

-- Call `method(input, gradOutput, factor)` on each module, last first; each has its gradInput
-- already.
local function with_gradients(self, method, input, gradOutput, factor)
   local modules, current = self.modules, gradOutput
   for i = #modules, 2, -1 do
      self:rethrowErrors(modules[i], i, method, given(self, i, input), current, factor)
      current = modules[i].gradInput
   end
   if modules[1] then
      self:rethrowErrors(modules[1], 1, method, input, current, factor)
   end
end

function Sequential:accGradParameters(input, gradOutput, scale)
   with_gradients(self, 'accGradParameters', input, gradOutput, scale or 1)
end

function Sequential:accUpdateGradParameters(input, gradOutput, lr)
   with_gradients(self, 'accUpdateGradParameters', input, gradOutput, lr)
end

function Sequential:backward(input, gradOutput, scale)
   if types.several and elsewhere(input) then
      return there(Sequential.backward, self, input, gradOutput, scale)
   end
   local modules, current = self.modules, gradOutput
   local shares = spent.shares(self)
   scale = scale or 1
   for i = #modules, 2, -1 do
      local previous, used = given(self, i, input), current
      current = self:rethrowErrors(modules[i], i, 'backward', previous, used, scale)
      modules[i].gradInput = current
      if shares then
         spent.release(used, gradOutput, current)
      end
   end
   if modules[1] then
      local used = current
      current = self:rethrowErrors(modules[1], 1, 'backward', input, used, scale)
      if shares then
         spent.release(used, gradOutput, current)
      end
   end
   self.gradInput = current
   return current
end

function Sequential:__tostring__()
   local chain = { 'input' }
   local lines = {}
   for i, module in ipairs(self.modules) do
      chain[#chain + 1] = ('(%d)'):format(i)
      lines[i] = ('  (%d): %s'):format(i, (tostring(module):gsub('\n', '\n  ')))
   end
   chain[#chain + 1] = 'output'
   local head = ('%s {\n  [%s]'):format(torch.type(self), table.concat(chain, ' -> '))
   return head .. '\n' .. table.concat(lines, '\n') .. (#lines > 0 and '\n' or '') .. '}'
end
