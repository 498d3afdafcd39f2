--- The graphs of a net, of the nodes that a user made; what is wrong with these is said here.
-- @module nngraph.build

local torch = require 'torch'
local nngraph = require 'nngraph'
local describe = require 'nngraph.describe'
local nodes = require 'nngraph.nodes'
local raise = require('torch.errors').raise

local M = {}

local place = describe.place

local function read_list(list, name)
   if torch.type(list) == 'nngraph.Node' then
      list = { list }
   elseif type(list) ~= 'table' then
      raise(('nn.gModule: %s is a %s, expected a table of nodes: nn.gModule({ input nodes }, '
         .. '{ output nodes })'):format(name, torch.type(list)))
   end
   local count = table.maxn(list)
   if count == 0 then
      raise(('nn.gModule: there are no %s'):format(name))
   end
   nodes.check(list, count, name)
   return list
end

-- Nodes that give something although nothing feeds them.
local SOURCES = { ['nnop.Parameters'] = true }

local function check_inputs(inputs, all)
   local is_input = {}
   for i, node in ipairs(inputs) do
      local what = ('nn.gModule: inputs[%d] (%s)'):format(i, place(node.data))
      if #node.children > 0 then
         raise(what .. ' is fed by another node: an input node is made by a call without '
            .. 'arguments, such as nn.Identity()(), and belongs to one net')
      elseif is_input[node] then
         raise(what .. ' is in the list twice')
      end
      is_input[node] = true
   end
   for _, node in ipairs(all.nodes) do
      local needs_none = is_input[node] or SOURCES[torch.type(node.data.module)]
      if #node.children == 0 and not needs_none then
         raise(('nn.gModule: %s is fed by nothing and is not in the list of inputs'):format(
            place(node.data)))
      end
   end
end

-- The entries that split() gave must all be used, for their gradients make a table.
local function check_splits(all)
   local used = {}
   for _, node in ipairs(all.nodes) do
      if node.data.selectindex then
         local whole = node.data.mapindex[1]
         used[whole] = (used[whole] or 0) + 1
      end
   end
   for whole, count in pairs(used) do
      local unused = whole.nSplitOutputs - count
      if unused > 0 then
         raise(('%d of split(%d) outputs from the node declared at %s are unused'):format(unused,
            whole.nSplitOutputs, whole.annotations._debugLabel))
      end
   end
end

local function check_consumers(inputs, all)
   for _, node in ipairs(all.nodes) do
      for _, consumer in ipairs(node.data.reverseMap or {}) do
         if not all.nodes[consumer] then
            raise(('node declared on %s does not connect to gmodule output'):format(
               consumer.data.annotations._debugLabel))
         end
      end
   end
   for i, node in ipairs(inputs) do
      if not all.nodes[node] then
         raise(('nn.gModule: inputs[%d] (%s) does not lead to an output'):format(i,
            place(node.data)))
      end
   end
end

local function feed(inputs)
   local innode = nngraph.Node { input = {} }
   if #inputs == 1 then
      inputs[1]:add(innode, true)
   else
      for i, part in ipairs { innode:split(#inputs) } do
         inputs[i]:add(part, true)
      end
   end
   return innode
end

--- Give a net its graphs, its lists of nodes and its modules.
-- @tparam nn.gModule net
-- @tparam table inputs nodes
-- @tparam table outputs nodes
function M.net(net, inputs, outputs)
   inputs, outputs = read_list(inputs, 'inputs'), read_list(outputs, 'outputs')
   local outnode = nngraph.Node { input = {} }
   outnode:add(outputs, true)
   local all = outnode:graph()
   check_inputs(inputs, all)
   check_splits(all)
   check_consumers(inputs, all)

   local innode = feed(inputs)
   net.nInputs = #inputs
   net.outnode = outnode
   net.bg = outnode:graph()
   net.fg = net.bg:reverse()
   net.forwardnodes, net.backwardnodes = net.fg:topsort(), net.bg:topsort()
   for _, node in ipairs(net.forwardnodes) do
      local data = node.data
      data.forwardNodeId, data.reverseMap = node.id, nil
      if data == innode.data then
         net.innode = node
      end
      if data.module then
         net:add(data.module)
      end
   end
end

return M
