--- A function of Variables as a layer: its gradients are found by going back through what it does.
--
-- The function gets the input and the parameters, tensors or nested tables of them, and gives a
-- tensor or a table of such. `parameters` is a list of tensors, whose gradients are accumulated in
-- `gradWeights`. A function that is saved must need no upvalues but libraries.
-- @classmod nn.Lambda
-- @usage nn.Lambda(f [, parameters])
-- @example
-- local scaled = nn.Lambda(function(x, w) return torch.cmul(x, w) end, { torch.Tensor { 2, 3 } })
-- scaled:forward(torch.ones(2)) --> { 2, 3 }
-- scaled:backward(torch.ones(2), torch.ones(2)) --> { 2, 3 }

local torch = require 'torch'
local nn = require 'nn'
local raise = require('torch.errors').raise

local Lambda = torch.class('nn.Lambda', 'nn.Module')

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

local function each(x, f)
   if torch.isTensor(x) then
      return f(x)
   elseif torch.type(x) == 'table' then
      local copy = {}
      for i = 1, #x do
         copy[i] = each(x[i], f)
      end
      return copy
   end
   return x
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
   local function leaf(t)
      local x = t:detach():requiresGrad()
      run.leaves[#run.leaves + 1] = x
      return x
   end
   local before = torch.setGradEnabled(true)
   local ok, output = pcall(function()
      run.input = each(input, leaf)
      run.inputs = #run.leaves
      return self.f(run.input, unpack(each(self.weights, leaf)))
   end)
   torch.setGradEnabled(before)
   if not ok then
      error(output, 0)
   elseif not torch.isTensor(output) and torch.type(output) ~= 'table' then
      raise(('nn.Lambda: the function gave a %s, expected a tensor'):format(torch.type(output)))
   end
   run.output = output
   runs[self] = run
   self.output = each(output, detached)
   return self.output
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
      if not torch.isTensor(y) then
         if type(g) ~= 'table' then
            refuse('a table of ' .. #y, g)
         end
         for i = 1, #y do
            collect(y[i], g[i])
         end
      elseif not torch.isTensor(g) or g:type() ~= y:type() or not g:isSameSizeAs(y) then
         refuse(described(y), g)
      elseif y:isVariable() then
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

function Lambda:updateGradInput(input, gradOutput)
   local run, found = gradients(self, input, gradOutput)
   local place = 0
   self.gradInput = each(run.input, function(x)
      place = place + 1
      return found[place] or x:detach():clone():zero()
   end)
   return self.gradInput
end

function Lambda:accGradParameters(input, gradOutput, scale)
   if #self.weights == 0 then
      return
   end
   local run, found = gradients(self, input, gradOutput)
   for i, sum in ipairs(self.gradWeights) do
      if found[run.inputs + i] then
         sum:add(scale or 1, found[run.inputs + i])
      end
   end
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
