--- Loop and Scan, as an onnx.Loop.
-- @module onnx.import.loops
local onnx = require 'onnx'
local bodies = require 'onnx.import.bodies'
local kinds = require 'onnx.import.kinds'
local models = require 'onnx.import.model'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'

local M = {}

-- What a node that is read again counts of the elements that a file of this size may make: of
-- bodies within bodies each may double how often those within it are read.
local AGAIN = 64

-- The name of an operand; a constant gets a step that gives it.
local function value(n, outside, i)
   if not n:has(i) then
      n:fail('its operand %d is missing', i)
   elseif not n:isConstant(i) then
      return outside.known[n.names[i]].as or n.names[i]
   elseif not n:constant(i) then
      n:fail('its operand %d has no elements', i)
   end
   local name = ('%s, operand %d of %s'):format(n.names[i], i, n.node.output[1])
   outside.steps[#outside.steps + 1] = { module = outside.constant(outside.context,
      n:constant(i)), inputs = { outside.inputs[1] }, outputs = { name } }
   return name
end

-- A round's number, or the truth at the beginning: 'input', what it is, or nil.
local function bound(n, i)
   if not n:has(i) then
      return nil
   elseif not n:isConstant(i) then
      return 'input'
   end
   local t = n:constant(i)
   return t and tools.number(t) or n:fail('its operand %d has no elements', i)
end

local function check_names(n, names)
   local seen = {}
   for _, name in ipairs(names) do
      if seen[name] then
         n:fail("the graph within has two inputs '%s'", name)
      end
      seen[name] = true
   end
end

local function axis_of(list, k)
   return list and list[k] or 0
end

-- How many states and values put together a node has whose operands from `first` on are the states
-- and the inputs taken apart, `scans` of them.
local function counts(n, body, first, scans)
   local counted = n.kind == 'Loop'
   local inputs, outputs = #(body.input or {}), #body.output
   local states = inputs - (counted and 2 or 0) - scans
   local sums = outputs - (counted and 1 or 0) - states
   if states < 0 or sums < 0 or math.max(n.count - first + 1, 0) ~= states + scans then
      n:fail('it has %d operands, and the graph within %d inputs and %d outputs; with n states '
         .. 'there are to be n + %d, as many, and n + %d or more', n.count, inputs, outputs,
         counted and 2 or scans, counted and 1 or 0)
   end
   bodies.check_outputs(n, states + sums, #n.node.output)
   return states, sums
end

-- What is known of a body's inputs. A state whose rank the body does not declare has that of its
-- operand where this is assumed.
local function formal(n, outside, body, first, states, assumed)
   local known, leading = bodies.child(outside.known), n.kind == 'Loop' and 2 or 0
   for k, info in ipairs(body.input or {}) do
      local i = k - leading
      local from = i > 0 and n.operands[first + i - 1]
      local rank = models.rank(info) or i < 1 and 0 or nil
      if not rank and i > states then
         rank = from.rank and from.rank - 1
      elseif not rank and assumed then
         rank = from.rank
      end
      known[info.name or ''] = { rank = rank, type = i > 0 and from.type or kinds.declared(info)
         or i == 0 and types.BOOL or i < 0 and types.INT64 or nil }
   end
   return known
end

-- The net of a body, its outputs' ranks and types. Only a body that was read tells whether it gives
-- its states back with as many dimensions as the operands have: one that does not is read again.
-- Where a state begins as a number, which its tensor does not tell, the first net is given as well,
-- for the first round.
local function body_of(n, outside, body, first, states, within)
   local net, ranks, kinds_of = bodies.net_of(outside, body,
      formal(n, outside, body, first, states, true), within)
   local shift, again, number = n.kind == 'Loop' and 1 or 0, false, false
   for k = 1, states do
      local info = body.input[k + 2 * shift]
      local from = n.operands[first + k - 1]
      if not models.rank(info) and from.rank and ranks[k + shift] ~= from.rank then
         again, number = true, number or from.rank == 0
      end
   end
   if not again then
      return net, ranks, kinds_of
   end
   tools.spend(AGAIN * #(body.node or {}))
   local later
   later, ranks, kinds_of = bodies.net_of(outside, body, formal(n, outside, body, first, states),
      within)
   return later, ranks, kinds_of, number and net or nil
end

local function repeated(n, outside, first, scans)
   local body, counted = bodies.graph_of(n, 'body'), n.kind == 'Loop'
   local a, leading = n.a, counted and 2 or 0
   local states, sums = counts(n, body, first, scans)
   local options = { counted = counted, states = states, slices = {}, sums = {} }
   local inputs, within = {}, {}
   if counted then
      options.rounds, options.truth = bound(n, 1), bound(n, 2)
      if options.truth ~= nil and options.truth ~= 'input' then
         options.truth = options.truth ~= 0
      end
      for i = 1, 2 do
         inputs[#inputs + 1] = bound(n, i) == 'input' and value(n, outside, i) or nil
      end
   end
   for k, info in ipairs(body.input or {}) do
      local i = k - leading
      within[k] = info.name or ''
      if i > 0 then
         inputs[#inputs + 1] = value(n, outside, first + i - 1)
      end
      if i > states then
         options.slices[i - states] = { axis = axis_of(a.scan_input_axes, i - states),
            backwards = axis_of(a.scan_input_directions, i - states) == 1 }
      end
   end
   for _, name in ipairs(bodies.captured(n, outside, { body })) do
      inputs[#inputs + 1], within[#within + 1] = name, name
   end
   check_names(n, within)
   if #inputs == 0 then
      inputs[1], within[#within + 1] = outside.inputs[1], outside.inputs[1]
   end
   local net, ranks, kinds_of, begins = body_of(n, outside, body, first, states, within)
   local shift = counted and 1 or 0
   local given, given_types = {}, {}
   for i = 1, states + sums do
      local rank = ranks[i + shift]
      local k = i - states
      given[i] = k < 1 and rank or rank and rank + 1
      given_types[i] = kinds_of[i + shift]
      if k > 0 then
         options.sums[k] = { axis = axis_of(a.scan_output_axes, k), number = rank == 0,
            backwards = axis_of(a.scan_output_directions, k) == 1 }
      end
   end
   bodies.add_step(n, outside, onnx.Loop(net, options, begins), inputs)
   bodies.give(n, outside, given, given_types)
end

function M.Loop(n, outside)
   repeated(n, outside, 3, 0)
end

function M.Scan(n, outside)
   local scans = n.a.num_scan_inputs or 0
   if n.opset < 9 then
      n:fail('that of opset %d takes batches apart, and those from 9 on are read: convert the file',
         n.opset)
   elseif scans < 1 then
      n:fail('its num_scan_inputs is %g, and there is no end without an input to take apart', scans)
   end
   repeated(n, outside, 1, scans)
end

return M
