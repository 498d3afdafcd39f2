-- Modules and criterions called on nodes: `module(node)`, `node - module`, `-module`.

local torch = require 'torch'
local nn = require 'nn'
local nngraph = require 'nngraph'
local nodes = require 'nngraph.nodes'
local nested = require 'nn.nested'
local raise = require('torch.errors').raise

local Module, Criterion, Node = nn.Module, nn.Criterion, nngraph.Node

local run_module, run_criterion = Module.__call__, Criterion.__call__

-- Whether a call is meant for values: a tensor, or a table with a tensor in it.
local function is_data(x)
   while nested.is_table(x) and x[1] ~= nil do
      x = x[1]
   end
   return torch.isTensor(x)
end

-- The nodes that a call was given: one by one, or in a table.
local function arguments(...)
   local count, first = select('#', ...), ...
   if count == 1 and nested.is_table(first) then
      if next(first) == nil then
         raise('cannot pass an empty table of inputs. To indicate no incoming connections, leave '
            .. 'the second set of parens blank.')
      end
      return first, table.maxn(first)
   end
   return { ... }, count
end

local function connect(module, ...)
   local list, count = arguments(...)
   nodes.check(list, count, 'inputs')
   local node = nngraph.Node { module = module }
   for i = 1, count do
      node:add(list[i], true)
      nodes.note_consumer(list[i], node)
   end
   return node
end

--- A module called on nodes is a node that they feed; without arguments it is a node to be fed
-- from outside, an input of a gModule. On a tensor, `m(input)` is `m:forward(input)`.
-- @param ... nodes, or a table of them, in the order of the module's input
-- @return node
-- @raise "inputs[2] is nil", "cannot pass an empty table of inputs"
-- @usage module(node), module { node1, node2 }, module()
-- @example
-- local a, b = nn.Identity()(), nn.Identity()()
-- local sum = nn.CAddTable() { a, nn.MulConstant(10)(b) }
-- nn.gModule({ a, b }, { sum }):forward { torch.ones(2), torch.ones(2) } --> { 11, 11 }
function Module:__call__(...)
   if is_data((...)) then
      return run_module(self, ...)
   end
   return connect(self, ...)
end

--- A criterion called on the nodes of its input and its target is a node whose output is the loss,
-- a tensor of one element. On tensors, `c(input, target)` is the loss and its gradient.
-- @param ... two nodes, or a table of them
-- @return node
-- @usage criterion { node, target }
function Criterion:__call__(...)
   if is_data((...)) then
      return run_criterion(self, ...)
   end
   return connect(nn.ModuleFromCriterion(self), ...)
end

--- `-module` is `module()`: a node to be fed from outside.
-- @return node
-- @example
-- local x = -nn.Identity()
-- local net = nn.gModule({ x }, { x - nn.MulConstant(2) - nn.Tanh() })
-- #net.modules --> 3
function Module:__unm__()
   return self()
end

local function check_next(what, next)
   if not torch.isTypeOf(next, 'nn.Module') and not torch.isTypeOf(next, 'nn.Criterion') then
      raise(('nngraph: %s - %s: expected a module such as nn.Tanh()'):format(what,
         torch.type(next)))
   end
end

--- `node - module` is `module(node)`; `{ a, b } - module` is `module { a, b }`.
-- @param next the module
-- @return node
function Module:__sub__(next)
   check_next(torch.type(self), next)
   return next(self)
end

--- `node - module` is `module(node)`.
-- @param next the module
-- @return node
function Node:__sub__(next)
   check_next('node', next)
   return next(self)
end
