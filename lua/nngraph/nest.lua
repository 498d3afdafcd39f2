--- Tables of nodes as one node.
-- @module nngraph.nest

local nn = require 'nn'
local nngraph = require 'nngraph'
local torch = require 'torch'
local raise = require('torch.errors').raise

local function nest(what)
   if torch.type(what) ~= 'table' then
      return what -- a node, or something that the call below refuses
   end
   local nodes = {}
   for i = 1, #what do
      nodes[i] = nest(what[i])
   end
   return #nodes == 1 and nngraph.JustTable()(nodes[1]) or nn.Identity()(nodes)
end

--- One node for nodes nested in tables: its output is nested likewise.
-- @param ... nodes or tables of them; several are as one table of them
-- @return node
-- @raise "nngraph.nest: expected nodes, or tables of them"
-- @example
-- local a, b = nn.Identity()(), nn.Identity()()
-- local net = nn.gModule({ a, b }, { nngraph.nest { a, { b } } })
-- local y = net:forward { torch.Tensor { 1 }, torch.Tensor { 2 } }
-- y[2][1] --> { 2 }
local function nest_all(...)
   local count, first = select('#', ...), ...
   if count == 0 or first == nil then
      raise 'nngraph.nest: expected nodes, or tables of them'
   end
   return nn.Identity()(nest(count > 1 and { ... } or first))
end

return nest_all
