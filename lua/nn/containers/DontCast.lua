--- A module that keeps its element type when the net around it is converted.
--
-- With `castin` inputs and gradients are converted for it, with `castout` its results are converted
-- to the type that the net has; without them they must be of the module's type.
-- @classmod nn.DontCast
-- @usage nn.Sequential():add(nn.DontCast(nn.Linear(3, 4):float(), true)):double()
-- @example
-- nn.DontCast(nn.Linear(3, 2):float()):double():get(1).weight:type() --> 'torch.FloatTensor'

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local passes = require 'nn.containers.passes'

local DontCast, Decorator = nn.declare('nn.DontCast', 'nn.Decorator', {
   arguments = [[
      ...
      castin      boolean = false   convert inputs to the module's type
      castout     boolean = castin  convert outputs to this container's type
      moduleType  string?           the module's type; default the one it has
   ]],
})

function DontCast:__initialize(module)
   Decorator.__initialize(self, module)
   self.moduleType = self.moduleType or module:type()
end

local function convert(old, x, typename)
   if not torch.isTensor(x) then
      return x
   elseif torch.typename(old) ~= typename then
      old = torch.getmetatable(typename).new()
   end
   return old:resize(x:size()):copy(x)
end

-- A nest in another type, in the field `name`; itself where nothing is to be converted.
local function cast(self, wanted, name, nest, typename)
   if not wanted or nest == nil or self._type == self.moduleType then
      return nest
   end
   self[name] = nested.into(convert, self[name], nest, typename)
   return self[name]
end

local function inside(self, name, nest)
   return cast(self, self.castin, name, nest, self.moduleType)
end

local function outside(self, name, nest)
   return cast(self, self.castout, name, nest, self._type)
end

function DontCast:updateOutput(input)
   local y = Decorator.updateOutput(self, inside(self, '_input', input))
   self.output = outside(self, '_output', y)
   return self.output
end

function DontCast:__pass(method, input, gradOutput, factor)
   local gx = Decorator.__pass(self, method, inside(self, '_input', input),
      inside(self, '_gradOutput', gradOutput), factor)
   return passes.gives_gradient[method] and outside(self, '_gradInput', gx) or nil
end

DontCast.__buffers = { '_input', '_output', '_gradOutput', '_gradInput' }

--- Set the type of this container, not the module's.
function DontCast:type(typename)
   if not typename then
      return self._type
   end
   self._input, self._output, self._gradOutput, self._gradInput = nil, nil, nil, nil
   self.output, self.gradInput = nested.released(self.output), nested.released(self.gradInput)
   self._type = typename
   return self
end
