--- How values go through a net: its innermost modules in the order of computation, each with what
-- it reads and what it makes. What changes nets by their structure (nn.quantize, nn.removeChannels)
-- looks at that instead of at containers.
--
-- Looked through are nn.Sequential, nn.ConcatTable, nn.ParallelTable and nn.gModule; every other
-- module is a step. A value is { producer = step or nil, consumers = steps }, or { list = values }
-- where it is a table; `given` marks those that are the net's output, or in it.
-- @module nn.dataflow

local torch = require 'torch'

local M = {}

local visit

local function value_of(step)
   return { producer = step, consumers = {} }
end

local function consume(value, step)
   if value.list then
      for _, one in ipairs(value.list) do
         consume(one, step)
      end
   else
      table.insert(value.consumers, step)
   end
end

local function add_step(flow, module, input, put)
   local step = { module = module, input = input }
   step.output = value_of(step)
   step.shared = flow.seen[module] ~= nil
   if step.shared then
      flow.seen[module].shared = true
   end
   flow.seen[module] = flow.seen[module] or step
   function step.replace(new)
      step.module = new
      put(new)
   end
   consume(input, step)
   table.insert(flow, step)
   return step.output
end

local function putter(modules, i)
   return function(module)
      modules[i] = module
   end
end

-- --- containers ---------------------------------------------------------------------------------

local containers = {}

containers['nn.Sequential'] = function(flow, net, value)
   for i, module in ipairs(net.modules) do
      value = visit(flow, module, value, putter(net.modules, i))
   end
   return value
end

containers['nn.ConcatTable'] = function(flow, net, value)
   local list = {}
   for i, module in ipairs(net.modules) do
      list[i] = visit(flow, module, value, putter(net.modules, i))
   end
   return { list = list }
end

containers['nn.ParallelTable'] = function(flow, net, value)
   if not value.list or #value.list ~= #net.modules then
      return nil
   end
   local list = {}
   for i, module in ipairs(net.modules) do
      list[i] = visit(flow, module, value.list[i], putter(net.modules, i))
   end
   return { list = list }
end

-- Puts a module into its node and into the net's list.
local function node_putter(net, data)
   return function(module)
      for i, old in ipairs(net.modules) do
         if old == data.module then
            net.modules[i] = module
         end
      end
      data.module = module
   end
end

-- Whether all parts that nodes pick are those of values known to be tables.
local function is_plain(plan)
   for i = 1, plan.count do
      if plan.parts[i] and i ~= plan.innode and plan.datas[i].module then
         return false
      end
   end
   return #plan.entries == 0
end

local function node_input(plan, values, i)
   local sources = plan.sources[i]
   if #sources == 1 then
      local value = values[sources[1]]
      local pick = plan.picks[i]
      return pick and value.list and value.list[pick] or value
   end
   local list = {}
   for k, source in ipairs(sources) do
      list[k] = values[source]
   end
   return { list = list }
end

containers['nn.gModule'] = function(flow, net, value)
   local plan = require('nngraph.plan').make(net)
   if not is_plain(plan) or plan.inputs > 1 and not (value.list and #value.list == plan.inputs) then
      return nil
   end
   local values = {}
   for i = 1, plan.count do
      local data = plan.datas[i]
      local input = i == plan.innode and value or node_input(plan, values, i)
      values[i] = data.module and visit(flow, data.module, input, node_putter(net, data)) or input
   end
   return values[plan.outnode]
end

function visit(flow, module, value, put)
   local container = containers[torch.typename(module)]
   local output = container and container(flow, module, value)
   return output or add_step(flow, module, value, put)
end

local function give(value)
   value.given = true
   for _, one in ipairs(value.list or {}) do
      give(one)
   end
end

--- The steps of a net, in order, with `input` and `output`, its values.
-- @tparam nn.Module net
-- @treturn table steps { module, input, output, shared, replace }: `shared` where the module is in
-- several places, `replace(new)` puts another module into its place
-- @return what `replace` has made of the net itself: { net }
function M.of(net)
   local place = { net }
   local flow = { seen = {}, input = value_of(nil) }
   flow.output = visit(flow, net, flow.input, putter(place, 1))
   give(flow.output)
   return flow, place
end

local function resolve(value)
   if not value.list then
      return value.x
   end
   local list = {}
   for i, one in ipairs(value.list) do
      list[i] = resolve(one)
   end
   return list
end

--- Run a net step by step.
-- @tparam table flow
-- @param x the net's input
-- @func[opt] see called with each value that a step has made, before the next step runs
-- @return the net's output
function M.run(flow, x, see)
   flow.input.x = x
   if see then
      see(flow.input)
   end
   for _, step in ipairs(flow) do
      step.output.x = step.module:updateOutput(resolve(step.input))
      if see then
         see(step.output)
      end
   end
   return resolve(flow.output)
end

--- The one step that reads a value; nil where there are several, or the net gives it out.
-- @tparam table value
function M.only_consumer(value)
   return #value.consumers == 1 and not value.given and value.consumers[1] or nil
end

return M
