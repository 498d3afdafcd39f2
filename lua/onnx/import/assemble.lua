--- From a list of steps to a net: an nn.Sequential where each step feeds the next, else an nngraph
-- gModule.
-- @module onnx.import.assemble
local nn = require 'nn'

local M = {}

local function is_chain(steps, inputs, outputs)
   local last = inputs[1]
   if #inputs ~= 1 or #outputs ~= 1 then
      return false
   end
   for _, step in ipairs(steps) do
      if #step.inputs ~= 1 or step.inputs[1] ~= last or #step.outputs ~= 1 then
         return false
      end
      last = step.outputs[1]
   end
   return last == outputs[1] and #steps > 0
end

-- The steps that lead to outputs, and the names that these and they read: what only a branch of an
-- If reads that was not taken leads to none, and nngraph wants no such nodes.
local function living(steps, outputs)
   local list, wanted = {}, {}
   for _, name in ipairs(outputs) do
      wanted[name] = true
   end
   for i = #steps, 1, -1 do
      local read = false
      for _, name in ipairs(steps[i].outputs) do
         read = read or wanted[name] or false
      end
      if read then
         list[#list + 1] = steps[i]
         for _, name in ipairs(steps[i].inputs) do
            wanted[name] = true
         end
      end
   end
   for i = 1, math.floor(#list / 2) do -- the first ones first
      list[i], list[#list + 1 - i] = list[#list + 1 - i], list[i]
   end
   return list, wanted
end

-- A node for each use of a value, for nngraph takes no node twice.
local function take(nodes, names)
   local list, seen = {}, {}
   for i, name in ipairs(names) do
      local node = nodes[name]
      list[i] = seen[node] and nn.Identity()(node) or node
      seen[node] = true
   end
   return list
end

local function graph(steps, inputs, outputs, wanted)
   local nodes, first, used = {}, {}, {}
   for i, name in ipairs(inputs) do
      first[i] = nn.Identity()()
      nodes[name] = first[i]
   end
   for _, step in ipairs(steps) do
      local node = step.module(take(nodes, step.inputs))
      node:annotate { name = step.name }
      for _, name in ipairs(step.inputs) do
         used[name] = true
      end
      if #step.outputs == 1 then
         nodes[step.outputs[1]] = node
      else
         for i, name in ipairs(step.outputs) do
            if name ~= '' then
               nodes[name] = wanted[name] and nn.SelectTable(i)(node) or nil
            end
         end
      end
   end
   local last = {}
   for i, name in ipairs(outputs) do
      last[i] = nn.Identity()(nodes[name])
      used[name] = true
   end
   local unused = { last[1] } -- nngraph wants each input to lead to an output
   for i, name in ipairs(inputs) do
      unused[#unused + 1] = not used[name] and first[i] or nil
   end
   last[1] = #unused > 1 and nn.SelectTable(1)(unused) or last[1]
   return nn.gModule(first, last)
end

--- @tparam table steps { module, name, inputs, outputs }, names of values; a step stands behind
-- what it reads
-- @tparam table inputs names
-- @tparam table outputs names
function M.net(steps, inputs, outputs)
   local wanted
   steps, wanted = living(steps, outputs)
   if not is_chain(steps, inputs, outputs) then
      return graph(steps, inputs, outputs, wanted)
   end
   local net = nn.Sequential()
   for _, step in ipairs(steps) do
      net:add(step.module)
   end
   return net
end

return M
