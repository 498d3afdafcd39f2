--- A container of one module that passes everything on to it; for containers to derive from that
-- change some of what it does.
-- @classmod nn.Decorator
-- @usage local net = nn.Decorator(nn.Linear(3, 2))

local torch = require 'torch'
local nn = require 'nn'
local passes = require 'nn.containers.passes'

local Decorator = nn.declare('nn.Decorator', 'nn.Container', {
   arguments = '(module)  module  the one inside',
})

function Decorator:__initialize(module)
   self:add(module)
end

function Decorator:updateOutput(input)
   self.output = self:rethrowErrors(self.modules[1], 1, 'updateOutput', input)
   return self.output
end

--- Call a method of the module that takes a gradient; for classes that change what it is given.
-- @return what the method returns
function Decorator:__pass(method, input, gradOutput, factor)
   return self:rethrowErrors(self.modules[1], 1, method, input, gradOutput, factor)
end

-- `backward` is nn.Module's: classes derived from this one change parts of it.
passes.give(Decorator)

function Decorator:__tostring__()
   return ('%s @ %s'):format(torch.type(self), tostring(self.modules[1]))
end

local METHODS = {
   'updateOutput', '__pass', 'updateGradInput', 'accGradParameters', 'accUpdateGradParameters',
   'sharedAccUpdateGradParameters', '__tostring__',
}

--- Give a class that derives from another one a decorator's methods; its objects have the module in
-- `modules[1]`.
-- @tparam table class what torch.class returned
-- @example
-- local Wrap = torch.class('nn.Wrap', 'nn.Container')
-- nn.Decorator.decorate(Wrap)
-- nn.Wrap():add(nn.MulConstant(2)):forward(torch.ones(2)) --> { 2, 2 }
function Decorator.decorate(class)
   for _, name in ipairs(METHODS) do
      class[name] = Decorator[name]
   end
end
