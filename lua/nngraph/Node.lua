--- A node of a net: `data.module` is called on what the node's children give. These are the nodes
-- that it takes its input from; `data.annotations` say what it is for.
-- @classmod nngraph.Node
-- @usage nngraph.Node([data]) -- modules make them: nn.Tanh()(node)

local torch = require 'torch'
local nngraph = require 'nngraph'
local describe = require 'nngraph.describe'
local nodes = require 'nngraph.nodes'
local where = require('torch.errors').where
local raise = require('torch.errors').raise
local arguments = require 'torch.arguments'

local numeric, cut = arguments.numeric, arguments.cut

local Node, Parent = torch.class('nngraph.Node', 'graph.Node', nngraph)

function Node:__init(data)
   Parent.__init(self, data or {})
   data = self.data
   data.annotations = data.annotations or {}
   data.mapindex = data.mapindex or {}
   local annotations = data.annotations
   annotations._debugLabel = annotations._debugLabel or self:_makeDebugLabel()
end

--- Where a node was made: "[net.lua]:12_".
-- @tparam[opt] table dinfo of debug.getinfo; by default the user's line
-- @treturn string
function Node._makeDebugLabel(_, dinfo)
   if dinfo then
      return ('[%s]:%d_%s'):format(dinfo.short_src, dinfo.currentline, dinfo.name or '')
   end
   local source, line = where():match '^(.*):(%d+): $'
   return ('[%s]:%s_'):format(source or '[C]', line or '-1')
end

--- Make nodes children of this one.
-- @param child a node, or a list of nodes
-- @bool[opt] domap whether they are inputs of this node: `data.mapindex` then tells the place of
-- each in the input
-- @raise "nngraph.Node: the same node twice: give one of them as nn.Identity()(node)"
function Node:add(child, domap)
   if torch.type(child) == 'table' then
      for _, one in ipairs(child) do
         self:add(one, domap)
      end
      return
   end
   Parent.add(self, child)
   if domap then
      local map = self.data.mapindex
      if map[child.data] then
         raise 'nngraph.Node: the same node twice: give one of them as nn.Identity()(node)'
      end
      map[#map + 1] = child.data
      map[child.data] = #map
   end
end

--- The entries of a node whose output is a table, as nodes of their own.
-- All of them must be used. `split(1)` gives the only entry.
-- @int noutput number of entries
-- @return that many nodes
-- @raise "nngraph.Node: expected the number of entries to split into, got nil"
-- @example
-- local x = nn.Identity()()
-- local a, b = x:split(2)
-- local net = nn.gModule({ x }, { nn.CAddTable() { a, nn.Tanh()(b) } })
-- net:forward { torch.Tensor { 2, 3 }, torch.Tensor { 0, 0 } } --> { 2, 3 }
function Node:split(noutput)
   local count = numeric(noutput) or noutput
   if type(count) ~= 'number' or count < 1 then
      raise(('nngraph.Node: expected the number of entries to split into, got %s'):format(
         tostring(noutput)))
   end
   noutput = cut(count)
   if noutput == 1 then
      return nngraph.JustElement()(self)
   end
   local own = self.data.annotations._debugLabel
   local place = self:_makeDebugLabel():gsub('_$', '')
   local whole = nngraph.Node { nSplitOutputs = noutput,
      annotations = { _debugLabel = ('%s split at %s-mnode'):format(own, place) } }
   whole:add(self, true)
   nodes.note_consumer(self, whole)
   local parts = {}
   for i = 1, noutput do
      parts[i] = nngraph.Node { selectindex = i, input = {},
         annotations = { _debugLabel = ('%s-%d'):format(own, i) } }
      parts[i]:add(whole, true)
   end
   return unpack(parts)
end

--- Say what a node is for. `name` is in errors and drawings, `description` in drawings,
-- `graphAttributes` are Graphviz' attributes of the node; others are the user's own.
-- @tparam table annotations
-- @return self
-- @example
-- local node = nn.Linear(3, 2)():annotate { name = 'scores', graphAttributes = { color = 'red' } }
-- node.data.annotations.name --> 'scores'
function Node:annotate(annotations)
   for key, value in pairs(annotations) do
      self.data.annotations[key] = value
   end
   return self
end

-- Files of others may lack them.
local function annotations_of(node)
   return node.data.annotations or {}
end

--- The node's name in a drawing: the annotated one, with the node's number.
-- @treturn string
function Node:graphNodeName()
   local name = annotations_of(self).name
   return name and ('%s (%d)'):format(name, self.id) or 'Node' .. self.id
end

--- Graphviz attributes of the node in a drawing: the annotated ones; a tooltip tells where the node
-- was made.
-- @treturn table
function Node:graphNodeAttributes()
   local annotations = annotations_of(self)
   local attributes = { tooltip = annotations._debugLabel }
   for name, value in pairs(annotations.graphAttributes or {}) do
      attributes[name] = value
   end
   return attributes
end

--- What a drawing shows of the node: its description, its module, and the sizes of what has gone
-- through it.
-- @treturn string
function Node:label()
   return describe.node(self.data)
end
