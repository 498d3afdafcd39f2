--- A net made of nodes: the modules of a graph as one module.
--
-- The input is a tensor or table for a single input node, a table with an entry for each of
-- several; the output likewise. `fg` is the forward graph, from `innode` to `outnode`, and `bg` the
-- backward graph; `forwardnodes` and `backwardnodes` list their nodes in the order of computation,
-- and `modules` lists the modules. A module belongs into one node only: `clone` it with its
-- parameters shared where it is to be used twice.
-- @classmod nn.gModule
-- @usage nn.gModule({ inputNodes }, { outputNodes })

local torch = require 'torch'
local nn = require 'nn'
local build = require 'nngraph.build'
local debugging = require 'nngraph.debug'
local describe = require 'nngraph.describe'
local make_plan = require 'nngraph.plan'
local check = require 'nn.check'
local device = require 'nn.base.device'
local nested = require 'nn.nested'
local trace = require 'torch.errors.trace'
local types = require 'torch.types'
local raise = require('torch.errors').raise

local elsewhere, there = device.elsewhere, device.there

local gModule, Container = torch.class('nn.gModule', 'nn.Container', nn)

function gModule:__init(inputs, outputs)
   Container.__init(self)
   build.net(self, inputs, outputs)
   self.output, self.gradInput = nil, nil
   self.verbose = false
end

-- --- passes -------------------------------------------------------------------------------------

-- Beside the nets, not in them: they are saved, converted and copied field by field.
local plans = setmetatable({}, { __mode = 'k' })

local function plan_of(self)
   local plan = plans[self]
   if not plan or plan.nodes ~= self.forwardnodes then
      plan = make_plan.make(self)
      plans[self] = plan
   end
   return plan
end

-- Raise what a step of a pass has raised, with the node's place.
local function fail(self, plan, err)
   local data = plan.datas[plan.at]
   local module = data.module
   debugging.failed(self, data)
   local name = data.annotations and data.annotations.name
      or type(module) == 'table' and rawget(module, 'name')
   if type(name) ~= 'string' then
      name = '?'
      for i, one in ipairs(self.modules) do
         if one == module then
            name = tostring(i)
         end
      end
   end
   self:__rethrow(module, describe.place(data), name, err)
end

local function pass(self, plan, f, ...)
   local ok, err = xpcall(f, trace.keep, plan, ...)
   if not ok then
      fail(self, plan, err)
   end
end

local function check_list(self, name, value, count)
   if not nested.is_table(value) or #value ~= count then
      check.fail(self, '%s is %s, expected a table of %d', name,
         nested.is_table(value) and ('a table of %d'):format(#value) or check.describe(value),
         count)
   end
end

local function feed(self, plan, input)
   if plan.inputs > 1 then
      check_list(self, 'input', input, plan.inputs)
   elseif input == nil then
      check.fail(self, 'input is nil')
   end
   make_plan.feed(plan, input)
end

function gModule:updateOutput(input)
   if self.verbose then
      return self:runForwardFunction('updateOutput', input)
   end
   local plan = plan_of(self)
   feed(self, plan, input)
   pass(self, plan, make_plan.forward)
   self.output = make_plan.output(plan)
   return self.output
end

--- Go through the net as `forward` does, with another function in the place of `updateOutput`.
-- @param func a method's name, or a function that gets a module and its input; what it returns is
-- the input of the next nodes
-- @param[opt] input
-- @return what comes out
-- @example
-- local x = nn.Identity()()
-- local net, seen = nn.gModule({ x }, { nn.Tanh()(nn.Linear(3, 2)(x)) }), {}
-- net:runForwardFunction(function(module, input)
--    table.insert(seen, torch.type(module))
--    return module:updateOutput(input)
-- end, torch.randn(3))
-- table.concat(seen, ' ') --> 'nn.Identity nn.Linear nn.Tanh'
function gModule:runForwardFunction(func, input)
   local plan, f = plan_of(self), func
   if type(func) == 'string' then
      f = function(module, x)
         return module[func](module, x)
      end
   end
   feed(self, plan, input)
   plan.verbose = self.verbose
   pass(self, plan, make_plan.run, f)
   self.output = make_plan.output(plan)
   return self.output
end

local function check_gradient(self, plan, gradOutput)
   if plan.outputs > 1 then
      check_list(self, 'gradOutput', gradOutput, plan.outputs)
   elseif gradOutput == nil then
      check.fail(self, 'gradOutput is nil')
   end
end

function gModule:updateGradInput(_, gradOutput)
   local plan = plan_of(self)
   check_gradient(self, plan, gradOutput)
   pass(self, plan, make_plan.backward, gradOutput, false)
   self.gradInput = make_plan.gradInput(plan)
   return self.gradInput
end

function gModule:backward(input, gradOutput, scale)
   if types.several and elsewhere(input) then
      return there(gModule.backward, self, input, gradOutput, scale)
   end
   local plan = plan_of(self)
   check_gradient(self, plan, gradOutput)
   pass(self, plan, make_plan.backward, gradOutput, true, scale or 1)
   self.gradInput = make_plan.gradInput(plan)
   return self.gradInput
end

local function accumulate(self, method, input, gradOutput, factor)
   if not make_plan.has_gradients(plan_of(self)) then
      self:updateGradInput(input, gradOutput)
   end
   pass(self, plan_of(self), make_plan.accumulate, method, factor)
end

function gModule:accGradParameters(input, gradOutput, scale)
   accumulate(self, 'accGradParameters', input, gradOutput, scale or 1)
end

function gModule:accUpdateGradParameters(input, gradOutput, lr)
   accumulate(self, 'accUpdateGradParameters', input, gradOutput, lr)
end

-- --- the whole net ------------------------------------------------------------------------------

local BUFFERS = { 'input', 'gradOutput', 'gradOutputBuffer' }

function gModule:type(typename, cache)
   if not typename then
      return self._type
   end
   cache = cache or {}
   for _, node in ipairs(self.forwardnodes) do
      for _, name in ipairs(BUFFERS) do
         node.data[name] = nn.utils.recursiveType(node.data[name], typename, cache)
      end
   end
   plans[self] = nil
   return Container.type(self, typename, cache)
end

function gModule:clearState()
   for _, node in ipairs(self.forwardnodes) do
      node.data.input, node.data.gradOutput, node.data.gradOutputBuffer = {}, {}, nil
   end
   plans[self] = nil
   return Container.clearState(self)
end

function gModule:replace(callback)
   local out = callback(self)
   self.modules = {}
   for _, node in ipairs(self.forwardnodes) do
      local module = node.data.module
      if module then
         node.data.module = module:replace(callback)
         self:add(node.data.module)
      end
   end
   return out
end

--- Call `func(module, other)` for each module of this net and the one in its place in another net
-- of the same structure.
-- @param gm a gModule
-- @func func gets the two modules
-- @raise "nn.gModule: the other net has another structure: it lacks node nn.Linear, …"
function gModule:map(gm, func)
   for i, node in ipairs(self.forwardnodes) do
      local other = gm.forwardnodes[i]
      local module = node.data.module
      if not other or module and not other.data.module then
         raise('nn.gModule: the other net has another structure: it lacks '
            .. describe.place(node.data))
      elseif module then
         func(module, other.data.module)
      end
   end
end

function gModule:share(gm, ...)
   local names = { ... }
   self:map(gm, function(module, other)
      module:share(other, unpack(names))
   end)
   return self
end

