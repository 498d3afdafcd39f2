--- A module for inputs of more dimensions than it takes: the first ones become one, and come back
-- in its output.
--
-- Shapes: x is D1 x ... x Dk x (its last nInputDim - 1 sizes); the module gets D1*...*Dk x (those)
-- and gives D1*...*Dk x (nOutputDim - 1 sizes), and y is D1 x ... x Dk x (these).
-- @classmod nn.Bottle
-- @example nn.Bottle(nn.Linear(10, 2)):forward(torch.ones(4, 5, 3, 10)):size() --> { 4, 5, 3, 2 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local passes = require 'nn.containers.passes'

local Bottle, Decorator = nn.declare('nn.Bottle', 'nn.Decorator', {
   arguments = [[
      ...
      nInputDim     size = 2          dimensions of the module's input, the batch's among them
      nOutputDim    size = nInputDim  dimensions of its output
   ]],
})

function Bottle:__initialize(module, nInputDim, nOutputDim)
   Decorator.__initialize(self, module)
   self.dimDelta = nInputDim - nOutputDim
end

-- The first sizes of `whole`, up to its `head`-th, and those of `part` behind its first.
local function sizes(whole, head, part)
   local list = {}
   for d = 1, head do
      list[d] = whole:size(d)
   end
   for d = 2, part:dim() do
      list[#list + 1] = part:size(d)
   end
   return torch.LongStorage(list)
end

-- How many dimensions become one.
local function head_of(self, x)
   check.any_tensor(self, x, 'input')
   local head = x:dim() - self.nInputDim + 1
   if head < 1 then
      check.fail(self, 'input is %s, expected %d dimensions or more', check.describe(x),
         self.nInputDim)
   end
   return head
end

-- x with its first dimensions as one.
local function narrowed(self, name, x, head)
   local list = { -1 }
   for d = head + 1, x:dim() do
      list[#list + 1] = x:size(d)
   end
   return check.contiguous(self, name, x):view(torch.LongStorage(list))
end

function Bottle:updateOutput(input)
   local head = head_of(self, input)
   if head == 1 then
      return Decorator.updateOutput(self, input)
   end
   local y = self:rethrowErrors(self.modules[1], 1, 'updateOutput',
      narrowed(self, '_input', input, head))
   self.output = check.contiguous(self, '_output', y):view(sizes(input, head, y))
   return self.output
end

function Bottle:__pass(method, input, gradOutput, factor)
   local head = head_of(self, input)
   if head == 1 then
      return Decorator.__pass(self, method, input, gradOutput, factor)
   end
   check.any_tensor(self, gradOutput, 'gradOutput')
   local gx = Decorator.__pass(self, method, narrowed(self, '_input', input, head),
      narrowed(self, '_gradOutput', gradOutput, head), factor)
   return passes.gives_gradient[method] and gx
      and check.contiguous(self, '_gradInput', gx):viewAs(input) or nil
end

Bottle.__buffers = { '_input', '_output', '_gradOutput', '_gradInput' }
