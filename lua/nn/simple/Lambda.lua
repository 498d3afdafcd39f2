--- A function of Variables as a layer: its gradients are found by going back through what it does.
--
-- The function gets the input and the parameters, tensors or nested tables of them, with names or
-- without, and gives a tensor or a table of such. `parameters` is a list of tensors, whose
-- gradients are accumulated in `gradWeights`. A function that is saved must need no upvalues but
-- libraries.
-- @classmod nn.Lambda
-- @usage nn.Lambda(f [, parameters])
-- @example
-- local scaled = nn.Lambda(function(x, w) return torch.cmul(x, w) end, { torch.Tensor { 2, 3 } })
-- scaled:forward(torch.ones(2)) --> { 2, 3 }
-- scaled:backward(torch.ones(2), torch.ones(2)) --> { 2, 3 }

local torch = require 'torch'
local nn = require 'nn'
local device = require 'nn.base.device'
local nested = require 'nn.nested'
local seam = require 'nn.base.seam'
local types = require 'torch.types'
local raise = require('torch.errors').raise

local Lambda, Parent = torch.class('nn.Lambda', 'nn.Module')

local runs = setmetatable({}, { __mode = 'k' }) -- layer -> what its last forward was

function Lambda:__init(f, parameters)
   nn.Module.__init(self)
   if type(f) ~= 'function' then
      raise(('nn.Lambda: expected a function, got %s'):format(torch.type(f)))
   end
   self.f, self.weights, self.gradWeights = f, parameters or {}, {}
   for i, weight in ipairs(self.weights) do
      self.gradWeights[i] = weight:clone():zero()
   end
end

local function detached(t)
   return t:detach()
end

local function described(t)
   return ('a %s of %s'):format(torch.type(t), table.concat(t:size():totable(), 'x'))
end

local function refuse(wanted, g)
   local got = torch.isTensor(g) and described(g) or g == nil and 'nil' or 'a ' .. torch.type(g)
   raise(('nn.Lambda: gradOutput is %s, expected %s'):format(got, wanted))
end

function Lambda:updateOutput(input)
   if not torch.isTensor(input) and type(input) ~= 'table' then
      raise(('nn.Lambda: input is %s, expected a tensor or a table of tensors'):format(
         input == nil and 'nil' or 'a ' .. torch.type(input)))
   end
   local run = { leaves = {}, source = input }
   local function as_leaves(nest)
      local leaves = nested.tensors(nest)
      for i, t in ipairs(leaves) do
         leaves[i] = t:detach():requiresGrad()
         run.leaves[#run.leaves + 1] = leaves[i]
      end
      return nested.with(nest, leaves)
   end
   local before = torch.setGradEnabled(true)
   local ok, output = pcall(function()
      run.input = as_leaves(input)
      run.inputs = #run.leaves
      return self.f(run.input, unpack(as_leaves(self.weights)))
   end)
   torch.setGradEnabled(before)
   if not ok then
      error(output, 0)
   elseif not torch.isTensor(output) and torch.type(output) ~= 'table' then
      raise(('nn.Lambda: the function gave a %s, expected a tensor'):format(torch.type(output)))
   end
   run.output = output
   runs[self] = run
   self.output = nested.map(detached, output)
   return self.output
end

-- Within a record that is differentiated itself.
function Lambda:__recorded(input)
   return self.f(input, unpack(self.weights))
end

-- The gradients of everything that the function got.
local function gradients(self, input, gradOutput)
   local run = runs[self]
   if not run or run.source ~= input then -- it was read from a file since, say
      self:updateOutput(input)
      run = runs[self]
   end
   local outputs, given = {}, {}
   local function collect(y, g)
      if nested.is_table(y) then
         if type(g) ~= 'table' then
            refuse('a table like the output', g)
         end
         for key in pairs(y) do
            collect(y[key], g[key])
         end
      elseif torch.isTensor(y)
         and (not torch.isTensor(g) or g:type() ~= y:type() or not g:isSameSizeAs(y)) then
         refuse(described(y), g)
      elseif torch.isVariable(y) then
         outputs[#outputs + 1], given[#given + 1] = y, g:detach()
      end
   end
   collect(run.output, gradOutput)
   if #outputs == 0 then
      return run, {}
   end
   return run, torch.grad(outputs, run.leaves,
      { gradOutputs = given, retainGraph = true, allowUnused = true })
end

local function give(self, run, found)
   local list = nested.tensors(run.input)
   for i, x in ipairs(list) do
      list[i] = found[i] or x:detach():clone():zero()
   end
   self.gradInput = nested.with(run.input, list)
   return self.gradInput
end

local function accumulate(self, run, found, scale)
   for i, sum in ipairs(self.gradWeights) do
      if found[run.inputs + i] then
         sum:add(scale or 1, found[run.inputs + i])
      end
   end
end

function Lambda:updateGradInput(input, gradOutput)
   return give(self, gradients(self, input, gradOutput))
end

function Lambda:accGradParameters(input, gradOutput, scale)
   if #self.weights > 0 then
      local run, found = gradients(self, input, gradOutput)
      accumulate(self, run, found, scale)
   end
end

local by_input, by_parameters = Lambda.updateGradInput, Lambda.accGradParameters

-- Both at once: one way back through what f has done. Scripts and classes may have other ways.
function Lambda:backward(input, gradOutput, scale)
   if seam.plain(self.updateGradInput) ~= by_input
      or seam.plain(self.accGradParameters) ~= by_parameters then
      return Parent.backward(self, input, gradOutput, scale)
   elseif types.several and device.elsewhere(input) then
      return device.there(Lambda.backward, self, input, gradOutput, scale)
   end
   local run, found = gradients(self, input, gradOutput)
   accumulate(self, run, found, scale)
   return give(self, run, found)
end

function Lambda:parameters()
   if #self.weights > 0 then
      return self.weights, self.gradWeights
   end
end

function Lambda:accUpdateGradParameters(input, gradOutput, lr)
   local run, found = gradients(self, input, gradOutput)
   for i, weight in ipairs(self.weights) do
      if found[run.inputs + i] then
         weight:add(-lr, found[run.inputs + i])
      end
   end
end

--- A copy with the same function, whose upvalues no file could hold.
-- @param ... as nn.Module's
function Lambda:clone(...)
   local f = self.f
   self.f = nil
   local ok, copy = pcall(nn.Module.clone, self, ...)
   self.f = f
   if not ok then
      error(copy, 0)
   end
   copy.f = f
   return copy
end

local LISTS = {
   weight = 'weights', weights = 'weights', gradWeight = 'gradWeights', gradWeights = 'gradWeights',
}

function Lambda:share(module, ...)
   for _, name in ipairs { ... } do
      local list = LISTS[name]
      if list then
         for i, t in ipairs(self[list]) do
            t:set(module[list][i])
         end
         self.shared, module.shared = true, true
      end
   end
   return self
end
