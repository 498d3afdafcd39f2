--- A module with a way round it: what flows, plus what the module makes of it.
--
-- Normalisation behind, as in the first Transformer: y = norm(x + dropout(module(x))). In front,
-- which trains deep nets more easily: y = x + dropout(module(norm(x))). Without one: x +
-- dropout(module(x)).
--
-- Input: x, or { x, context } with `mask` and the like: the module gets them all, x alone goes
-- round.
--
-- The gradients by inputs inside share memory; `shareGradInput(false)` keeps them.
-- @classmod nn.Residual
-- @usage nn.Residual(nn.MultiHeadAttention(64, 4), nn.LayerNorm(64), 0.1, true)
-- @example #nn.Residual(nn.Linear(8, 8), nn.LayerNorm(8)):forward(torch.randn(2, 8)) --> { 2, 8 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local passes = require 'nn.containers.passes'
local spent = require 'nn.containers.spent'
local th = require 'torch.ffi'

local Residual = nn.declare('nn.Residual', 'nn.Container', {
   arguments = [[
      (module)  module           with an output of x's size
      (norm)    any              a module; nil: no normalisation
      (p)       number = 0       dropout of what the module makes
      inFront   boolean = false  normalise what goes into the module
   ]],
})

Residual.sharesGradInput = true

function Residual:__initialize(module, norm, p)
   self:add(module)
   if norm then
      self:add(norm)
      self.normAt = self:size()
   end
   if p > 0 then
      self:add(nn.Dropout(p))
      self.dropoutAt = self:size()
   end
end

-- Of a gradient: nil where the module's gradInput is switched off.
local function first(nest)
   return th.isTensor(nest) and nest or nest and nest[1]
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

local function forward(self, index, input)
   return self:rethrowErrors(self.modules[index], index, 'updateOutput', input)
end

function Residual:updateOutput(input)
   local x, norm = check.first(self, input), self.normAt
   local inner = x
   if norm and self.inFront then
      inner = forward(self, norm, x)
   end
   self.given = with_first(input, inner)
   local y = forward(self, 1, self.given)
   if self.dropoutAt then
      y = forward(self, self.dropoutAt, y)
   end
   self.sum = (self.sum or y.new()):resizeAs(x):add(x, y)
   self.output = self.sum
   if norm and not self.inFront then
      self.output = forward(self, norm, self.sum)
   end
   return self.output
end

function Residual:__pass(method, input, gradOutput, factor)
   local x, norm = check.first(self, input), self.normAt
   check.kept(self, self.given)
   local g = gradOutput
   if norm and not self.inFront then
      g = self:__back(norm, method, self.sum, g, factor)
   end
   local inner = g
   if self.dropoutAt then
      inner = self:__back(self.dropoutAt, method, self.modules[1].output, g, factor)
   end
   local r = self:__back(1, method, self.given, inner, factor)
   local through = first(r)
   local shares = spent.shares(self, method)
   if shares then
      spent.release(inner, gradOutput, { g, r })
   end
   if norm and self.inFront and through then
      local used = through
      through = self:__back(norm, method, x, used, factor)
      if shares then
         spent.release(used, gradOutput, { g, through })
      end
   end
   if not passes.gives_gradient[method] then
      return nil
   end
   self.back = (self.back or g.new()):resizeAs(x)
   if through then
      self.back:add(g, through)
   else
      self.back:copy(g)
   end
   if shares then
      spent.release({ g, through }, gradOutput, self.back)
   end
   return th.isTensor(input) and self.back or { self.back, type(r) == 'table' and r[2] or nil }
end

passes.give_all(Residual)
Residual.__buffers = { 'given', 'sum', 'back' }

function Residual:__tostring__()
   local lines = { torch.type(self) .. (self.inFront and ' (normalised in front) {' or ' {') }
   for i, module in ipairs(self.modules) do
      lines[#lines + 1] = ('  (%d): %s'):format(i, (tostring(module):gsub('\n', '\n  ')))
   end
   lines[#lines + 1] = '}'
   return table.concat(lines, '\n')
end
