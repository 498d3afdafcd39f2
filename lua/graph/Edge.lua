--- An edge: the nodes `from` and `to`, and a `weight` where one is given.
-- @classmod graph.Edge
-- @usage graph.Edge(from, to [, weight])

local torch = require 'torch'
local graph = require 'graph'
local raise = require('torch.errors').raise

local Edge = torch.class('graph.Edge', graph)

local function check(node, name)
   if not torch.isTypeOf(node, 'graph.Node') then
      raise(('graph.Edge: %s is a %s, expected a node: graph.Edge(from, to)'):format(name,
         torch.type(node)))
   end
end

function Edge:__init(from, to, weight)
   check(from, 'from')
   check(to, 'to')
   self.from, self.to, self.weight = from, to, weight
end
