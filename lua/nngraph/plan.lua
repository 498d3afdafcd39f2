--- A net's graph as flat lists, made once: what a pass goes through instead of the graph.
--
-- Step i is the i-th of the net's `forwardnodes`. What a user may look at or replace between passes
-- stays where it is, in the nodes' data: `module`, `input` (a list of what the node was given),
-- `gradOutput` (a list of what its consumers gave) and `gradOutputBuffer` (their sum).
-- @module nngraph.plan

local nn = require 'nn'
local check = require 'nn.check'
local device = require 'nn.base.device'
local nested = require 'nn.nested'
local th = require 'torch.ffi'
local types = require 'torch.types'
local describe = require 'nngraph.describe'
local raise = require('torch.errors').raise

local is_tensor = th.isTensor

local M = {}

-- --- making one ---------------------------------------------------------------------------------

-- Where each node's data are in the list of steps.
local function places(net)
   local place = {}
   for i, node in ipairs(net.forwardnodes) do
      place[node.data] = i
   end
   return place
end

-- The nodes that take entry k of the input straight from it: so it is in files of 2014. Later ones
-- have a node that splits it.
local function direct_inputs(net)
   local list = net.innode.children
   return #list > 1 and list or {}
end

-- For each step, which consumers it has, and in what entry of their gradients its own is: 0 for the
-- whole.
local function add_uses(plan)
   for i = 1, plan.count + #plan.entries do
      plan.uses[i], plan.slots[i] = {}, {}
   end
   for i = 1, plan.count do
      for k, source in ipairs(plan.sources[i]) do
         table.insert(plan.uses[source], i)
         table.insert(plan.slots[source], plan.counts[i] > 1 and k or 0)
      end
   end
   for i = 1, plan.count + #plan.entries do
      plan.use_counts[i] = #plan.uses[i]
   end
end

--- The lists of a net.
-- @tparam nn.gModule net
-- @treturn table
function M.make(net)
   local place = places(net)
   local plan = {
      nodes = net.forwardnodes, count = #net.forwardnodes, at = 0,
      innode = assert(place[net.innode.data]), outnode = assert(place[net.outnode.data]),
      datas = {}, counts = {}, firsts = {}, sources = {}, picks = {}, parts = {}, entries = {},
      uses = {}, slots = {}, use_counts = {},
      values = {}, -- what the steps have given
      totals = {}, -- their gradients
      gradients = {}, -- the gradients by their inputs
   }
   for i, node in ipairs(net.forwardnodes) do
      local data, sources = node.data, {}
      for k, source in ipairs(data.mapindex or {}) do
         sources[k] = place[source]
      end
      data.input, data.gradOutput = data.input or {}, data.gradOutput or {}
      plan.datas[i], plan.sources[i], plan.counts[i] = data, sources, #sources
      plan.firsts[i] = sources[1] or 0
      plan.picks[i] = data.selectindex or false
      plan.parts[i] = data.nSplitOutputs or false
   end
   for k, node in ipairs(direct_inputs(net)) do
      local i, entry = place[node.data], plan.count + k
      plan.entries[k] = entry
      plan.sources[i], plan.counts[i], plan.firsts[i] = { entry }, 1, entry
   end
   plan.inputs = net.nInputs or math.max(#plan.entries, net.innode.children[1].data.nSplitOutputs
      or 1)
   plan.outputs = plan.counts[plan.outnode]
   add_uses(plan)
   return plan
end

-- --- forward ------------------------------------------------------------------------------------

local function wrong_parts(data, x)
   local came = nested.is_table(x) and ('a table of %d'):format(#x) or check.describe(x)
   raise(('nngraph: %s is to be split into %d: %s'):format(came, data.nSplitOutputs,
      describe.place(data)))
end

-- What step i is given.
local function collect(plan, i)
   local data, count = plan.datas[i], plan.counts[i]
   local list = data.input
   if count == 1 then
      local x = plan.values[plan.firsts[i]]
      list[1] = x
      local pick = plan.picks[i]
      return pick and x[pick] or x
   elseif count > 1 then
      local values, sources = plan.values, plan.sources[i]
      for k = 1, count do
         list[k] = values[sources[k]]
      end
      return list
   elseif i == plan.innode then
      return plan.values[i]
   end
   return list -- a node that needs no input
end

local function keep(plan, i, x)
   local parts = plan.parts[i]
   if parts and (not nested.is_table(x) or #x ~= parts) then
      wrong_parts(plan.datas[i], x)
   end
   plan.values[i] = x
end

--- Give the net its input.
-- @param input as the net takes it, checked
function M.feed(plan, input)
   local list = plan.datas[plan.innode].input
   plan.values[plan.innode] = input
   if plan.inputs == 1 then
      list[1] = input
   else
      for k = 1, plan.inputs do
         list[k] = input[k]
      end
   end
   for k, entry in ipairs(plan.entries) do
      plan.values[entry] = input[k]
   end
end

--- Run `updateOutput` of every module.
function M.forward(plan)
   local datas = plan.datas
   for i = 1, plan.count do
      plan.at = i
      local x = collect(plan, i)
      local module = datas[i].module
      if module then
         x = module:updateOutput(x)
      end
      keep(plan, i, x)
   end
end

--- Call f(module, input) for every module, in the place of `updateOutput`; what it returns goes on.
function M.run(plan, f)
   for i = 1, plan.count do
      plan.at = i
      local x = collect(plan, i)
      local module = plan.datas[i].module
      if module then
         x = f(module, x)
      end
      keep(plan, i, x)
      if plan.verbose then
         print(' V : ' .. plan.nodes[i]:label())
      end
   end
end

--- The net's output.
function M.output(plan)
   local list = plan.datas[plan.outnode].input
   return plan.outputs == 1 and list[1] or list
end

-- --- backward -----------------------------------------------------------------------------------

local function suits(buffer, x)
   return is_tensor(buffer) and check.suits(buffer, x.dtype, x)
end

-- buffer = a + b, for nests of one structure; what one of them lacks is zero.
local function sum(buffer, a, b)
   if b == nil or a == nil then
      return (nn.utils.recursiveCopy(nested.is_table(buffer) == nested.is_table(a or b) and buffer
         or nil, a or b))
   elseif is_tensor(a) then
      if not suits(buffer, a) then
         buffer = a.new()
      end
      return buffer:add(a, 1, b)
   end
   buffer = nested.is_table(buffer) and buffer or {}
   for key, value in pairs(a) do
      buffer[key] = sum(buffer[key], value, b[key])
   end
   for key, value in pairs(b) do
      if a[key] == nil then
         buffer[key] = sum(buffer[key], nil, value)
      end
   end
   for key in pairs(buffer) do
      if a[key] == nil and b[key] == nil then
         buffer[key] = nil
      end
   end
   return buffer
end

-- buffer = buffer + a
local function add(buffer, a)
   if is_tensor(a) and is_tensor(buffer) then
      return buffer:add(a)
   end
   for key, value in pairs(a) do
      buffer[key] = buffer[key] == nil and sum(nil, nil, value) or add(buffer[key], value)
   end
   return buffer
end

local function contribution(plan, consumer, slot)
   local g = plan.gradients[consumer]
   if slot > 0 and g ~= nil then
      return g[slot]
   end
   return g
end

-- The gradient by the output of a step with several consumers; nil where none of them has one.
local function add_up(plan, i, data, list)
   local uses, slots = plan.uses[i], plan.slots[i]
   local first, buffer
   for k = 1, plan.use_counts[i] do
      local g = contribution(plan, uses[k], slots[k])
      list[k] = g
      if g ~= nil then
         if first == nil then
            first = g
         elseif buffer == nil then
            buffer = sum(data.gradOutputBuffer, first, g)
         else
            buffer = add(buffer, g)
         end
      end
   end
   data.gradOutputBuffer = buffer or data.gradOutputBuffer
   return buffer or first
end

-- A table's gradient, of those of its entries.
local function assemble(plan, i, list)
   local whole = nested.is_table(list[1]) and list[1] or {}
   list[1] = whole
   for _, consumer in ipairs(plan.uses[i]) do
      whole[plan.picks[consumer]] = plan.gradients[consumer]
   end
   return whole
end

local function total(plan, i)
   local data = plan.datas[i]
   local list = data.gradOutput
   if plan.parts[i] then
      return assemble(plan, i, list)
   elseif plan.use_counts[i] == 1 then
      local g = contribution(plan, plan.uses[i][1], plan.slots[i][1])
      list[1] = g
      return g
   end
   return add_up(plan, i, data, list)
end

local function given(plan, i)
   local list = plan.datas[i].input
   return plan.counts[i] == 1 and list[1] or list
end

-- Class -> whether its `backward` is made for its other two passes.
local knows_both = setmetatable({}, { __mode = 'k' })

local function has(methods, name)
   return rawget(methods, name) ~= nil
end

-- A class that changes one of the passes has the `backward` of a parent, which returns the field
-- gradInput.
local function find_out(class)
   local level = class
   while type(level) == 'table' do
      if has(level, 'backward') then
         return true
      elseif has(level, 'updateGradInput') or has(level, 'accGradParameters') then
         return false
      end
      level = getmetatable(level)
   end
   return false
end

local function is_joint(module)
   local class = getmetatable(module)
   if rawget(module, 'backward') ~= nil or class == nil then
      return rawget(module, 'backward') ~= nil
   elseif has(module, 'updateGradInput') or has(module, 'accGradParameters') then
      return false
   end
   local known = knows_both[class]
   if known == nil then
      known = find_out(class)
      knows_both[class] = known
   end
   return known
end

-- A module's passes. Torch7's nets go by what updateGradInput returns, be it the field or not.
local function through(module, x, g, scale)
   if is_joint(module) then
      return module:backward(x, g, scale)
   elseif types.several and device.elsewhere(x) then
      return device.there(through, module, x, g, scale)
   end
   local gx = module:updateGradInput(x, g)
   module:accGradParameters(x, g, scale)
   return gx
end

--- Compute the gradients of all steps, last first.
-- @param gradOutput the net's, checked
-- @bool joint whether `backward` of the modules is called, with a scale, or `updateGradInput`
-- @number[opt] scale
function M.backward(plan, gradOutput, joint, scale)
   local datas, gradients, totals = plan.datas, plan.gradients, plan.totals
   local out = plan.outnode
   gradients[out] = gradOutput
   datas[out].gradOutput[1] = gradOutput
   for i = plan.count, 1, -1 do
      if i ~= out then
         local g = total(plan, i)
         totals[i] = g
         local module = datas[i].module
         if module and g ~= nil then
            plan.at = i
            if joint then
               g = through(module, given(plan, i), g, scale)
            else
               g = module:updateGradInput(given(plan, i), g)
            end
         end
         gradients[i] = g
      end
   end
end

--- Call module[method](module, input, gradOutput, factor) for every module that has a gradient.
function M.accumulate(plan, method, factor)
   for i = plan.count, 1, -1 do
      local module, g = plan.datas[i].module, plan.totals[i]
      if module and g ~= nil then
         plan.at = i
         module[method](module, given(plan, i), g, factor)
      end
   end
end

--- The gradient by the net's input.
function M.gradInput(plan)
   if #plan.entries == 0 then
      return plan.gradients[plan.innode]
   end
   local list = {}
   for k, entry in ipairs(plan.entries) do
      list[k] = contribution(plan, plan.uses[entry][1], plan.slots[entry][1])
   end
   return list
end

--- Whether gradients have come to this plan.
function M.has_gradients(plan)
   return plan.gradients[plan.outnode] ~= nil
end

return M
