--- A module with a way round it: what flows, plus what the module makes of it.
--
-- Normalisation behind, as in the first Transformer: y = norm(x + dropout(module(x))). In front,
-- which trains deep nets more easily: y = x + dropout(module(norm(x))). Without one: x +
-- dropout(module(x)).
--
-- Input: x, or { x, context } with `mask` and the like: the module gets them all, x alone goes
-- round.
-- @classmod nn.Residual
-- @usage nn.Residual(nn.MultiHeadAttention(64, 4), nn.LayerNorm(64), 0.1, true)

local torch = require 'torch'
local nn = require 'nn'
local th = require 'torch.ffi'

local Residual = nn.declare('nn.Residual', 'nn.Container', {
   arguments = [[
      (module)  module           with an output of x's size
      (norm)    any              a module; nil: no normalisation
      (p)       number = 0       dropout of what the module makes
      inFront   boolean = false  normalise what goes into the module
   ]],
})

function Residual:__initialize(module, norm, p)
   self:add(module)
   if norm then
      self:add(norm)
   end
   if p > 0 then
      self.dropout = nn.Dropout(p)
      self:add(self.dropout)
   end
   self.norm = norm
end

local function index_of(self, module)
   for i, other in ipairs(self.modules) do
      if other == module then
         return i
      end
   end
end

local function call(self, module, method, ...)
   return self:rethrowErrors(module, index_of(self, module), method, ...)
end

local function with_first(input, x)
   if th.isTensor(input) then
      return x
   end
   local given = {}
   for key, value in pairs(input) do
      given[key] = value
   end
   given[1] = x
   return given
end

function Residual:updateOutput(input)
   local x = th.isTensor(input) and input or input[1]
   local inner = x
   if self.norm and self.inFront then
      inner = call(self, self.norm, 'updateOutput', x)
   end
   self.given = with_first(input, inner)
   local y = call(self, self.modules[1], 'updateOutput', self.given)
   if self.dropout then
      y = call(self, self.dropout, 'updateOutput', y)
   end
   self.sum = (self.sum or y.new()):resizeAs(x):add(x, y)
   self.output = self.sum
   if self.norm and not self.inFront then
      self.output = call(self, self.norm, 'updateOutput', self.sum)
   end
   return self.output
end

local function pass_back(self, input, gradOutput, method, scale)
   local x, norm = th.isTensor(input) and input or input[1], self.norm
   local g = gradOutput
   if norm and not self.inFront then
      g = call(self, norm, method, self.sum, g, scale) or norm.gradInput
   end
   local inner = g
   if self.dropout then
      inner = call(self, self.dropout, 'updateGradInput', self.modules[1].output, g)
   end
   local r = call(self, self.modules[1], method, self.given, inner, scale)
      or self.modules[1].gradInput
   local through = th.isTensor(r) and r or r[1]
   if norm and self.inFront then
      through = call(self, norm, method, x, through, scale) or norm.gradInput
   end
   if method == 'accGradParameters' then
      return
   end
   self.back = (self.back or g.new()):resizeAs(x):add(g, through)
   self.gradInput = th.isTensor(input) and self.back or { self.back, not th.isTensor(r) and r[2] }
   return self.gradInput
end

function Residual:updateGradInput(input, gradOutput)
   return pass_back(self, input, gradOutput, 'updateGradInput')
end

function Residual:backward(input, gradOutput, scale)
   return pass_back(self, input, gradOutput, 'backward', scale or 1)
end

function Residual:accGradParameters(input, gradOutput, scale)
   pass_back(self, input, gradOutput, 'accGradParameters', scale or 1)
end

function Residual:clearState()
   self.given, self.sum, self.back = nil, nil, nil
   nn.Container.clearState(self)
   self.output, self.gradInput = torch.Tensor():type(self._type), torch.Tensor():type(self._type)
   return self
end

function Residual:__tostring__()
   local lines = { torch.type(self) .. (self.inFront and ' (normalised in front) {' or ' {') }
   for i, module in ipairs(self.modules) do
      lines[#lines + 1] = ('  (%d): %s'):format(i, (tostring(module):gsub('\n', '\n  ')))
   end
   lines[#lines + 1] = '}'
   return table.concat(lines, '\n')
end
