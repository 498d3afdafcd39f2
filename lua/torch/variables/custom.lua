--- Functions with a derivative of their own, and functions that are computed again on the way back.
-- @module torch.variables.custom
local th = require 'torch.ffi'
local class = require 'torch.class'
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'
local random = require('torch.functions.random').functions
local shapes = require 'torch.functions.shapes'

local C, raise, isTensor = th.C, th.raise, th.isTensor

local F = {}

local function packed(...)
   return { n = select('#', ...), ... }
end

-- What f gives without recording.
local function unrecorded(f, ...)
   return packed(recording.with(false, f, ...))
end

local function tensorsAmong(list, n)
   local tensors, places = {}, {}
   for i = 1, n do
      if isTensor(list[i]) then
         tensors[#tensors + 1] = list[i]
         places[#places + 1] = i
      end
   end
   return tensors, places
end

local function anyVariable(list)
   for i = 1, #list do
      if list[i]:isVariable() then
         return true
      end
   end
   return false
end

-- Results as tensors of their own, which become the node's.
local function fresh(results)
   for i = 1, results.n do
      if isTensor(results[i]) then
         results[i] = results[i]:detach()
      end
   end
   return results
end

-- --- functions with a derivative of their own ---------------------------------------------------

local Context = {}
Context.__index = Context

--- Keep tensors for the way back; changes of them in place are noticed there.
function Context:save(...)
   for i = 1, select('#', ...) do
      local x = select(i, ...)
      if x ~= nil and not isTensor(x) then
         raise(('Function: context:save was given a %s as argument %d, expected tensors or nil; '
            .. 'what else backward needs may be fields of the context'):format(class.type(x), i))
      end
   end
   self.kept = packed(...)
end

--- What was kept.
function Context:saved()
   local kept = self.kept
   if not self.pass then
      return unpack(kept, 1, kept.n)
   end
   local list = {}
   for i, place in ipairs(kept.places) do
      list[place] = pass.saved(self.pass, i)
   end
   return unpack(list, 1, kept.n)
end

-- What the gradient of a tensor must be, without the tensor's memory.
local function formOf(x)
   return { type = class.type(x), sizes = x:size() }
end

local function checkGradient(i, g, form)
   if not isTensor(g) then
      raise(('Function: gradient %d that backward gave is a %s, expected a tensor'):format(i,
         class.type(g)))
   elseif class.type(g) ~= form.type then
      raise(('Function: gradient %d that backward gave is a %s, its tensor a %s; convert it, as in '
         .. 'g:typeAs(x)'):format(i, class.type(g), form.type))
   end
   local sizes, same = g:size(), g:dim() == #form.sizes
   for d = 1, same and #sizes or 0 do
      same = same and sizes[d] == form.sizes[d]
   end
   if not same then
      raise(('Function: gradient %d that backward gave is %s, its tensor %s'):format(i,
         shapes.text(g), table.concat(form.sizes:totable(), 'x')))
   end
end

-- What the docstring of torch.Function says: seldom.lua.
function F.Function(definition)
   if type(definition) ~= 'table' or type(definition.forward) ~= 'function'
      or type(definition.backward) ~= 'function' then
      raise('Function: expected a table with functions forward and backward')
   end
   return function(...)
      local context = setmetatable({ kept = { n = 0 } }, Context)
      local inputs = tensorsAmong({ ... }, select('#', ...))
      local results = fresh(unrecorded(definition.forward, context, ...))
      local outputs = tensorsAmong(results, results.n)
      if #outputs == 0 then
         raise('Function: forward gave no tensor')
      end
      local saved, places = tensorsAmong(context.kept, context.kept.n)
      context.kept = { n = context.kept.n, places = places }
      local forms = {}
      for i, x in ipairs(inputs) do
         forms[i] = formOf(x)
      end
      local function derive(run, turn)
         context.pass = run
         local gradients = {}
         for i = 1, turn.outputs do
            gradients[i] = pass.gradient(run, i - 1, true)
         end
         local given = packed(recording.within(definition.backward, context,
            unpack(gradients, 1, turn.outputs)))
         context.pass = nil
         if given.n < #forms then
            raise(('Function: backward gave %d gradient%s for %d tensors; nil says that one needs '
               .. 'none'):format(given.n, given.n == 1 and '' or 's', #forms))
         end
         for i = 1, turn.inputs do
            if given[i] ~= nil then
               checkGradient(i, given[i], forms[i])
            end
            if C.TH_Backward_needs(run, i - 1) then
               th.check(C.TH_Backward_give(run, i - 1, given[i]))
            end
         end
      end
      functions.record(derive, outputs, inputs, saved)
      return unpack(results, 1, results.n)
   end
end

-- --- functions that are computed again ----------------------------------------------------------

-- The generators from which f may draw: what gives their state, and what takes it.
local function generators(inputs)
   local list = { { random.getRNGState, random.setRNGState } }
   for _, x in ipairs(inputs) do
      if x.device_type ~= C.TH_CPU and not list[2] then
         local cutorch = require 'cutorch'
         list[2] = { cutorch.getRNGState, cutorch.setRNGState }
      end
   end
   return list
end

local function states(list)
   local found = {}
   for i, generator in ipairs(list) do
      found[i] = generator[1]()
   end
   return found
end

local function setStates(list, found)
   for i, generator in ipairs(list) do
      generator[2](found[i])
   end
end

-- f alone gives numbers where its Variables would give tensors of one element.
local function asTensors(results, like)
   for i = 1, results.n do
      if isTensor(results[i]) then
         return results
      end
   end
   for i = 1, results.n do
      if type(results[i]) == 'number' then
         results[i] = like.new(1):fill(results[i])
      end
   end
   return results
end

-- What the docstring of torch.checkpoint says: seldom.lua.
function F.checkpoint(f, ...)
   if type(f) ~= 'function' then
      raise(('checkpoint: expected a function, got %s'):format(class.type(f)))
   end
   local count, arguments = select('#', ...), { ... }
   local inputs, places = tensorsAmong(arguments, count)
   if not C.TH_Gradient_recording() or not anyVariable(inputs) then
      return f(...) -- whatever it mentions is recorded as ever
   end
   local drawn = generators(inputs)
   local before = states(drawn)
   local results = asTensors(fresh(unrecorded(f, ...)), inputs[1])
   local outputs, outputPlaces = tensorsAmong(results, results.n)
   if #outputs == 0 then
      raise('checkpoint: the function gave no tensor')
   end
   for _, place in ipairs(places) do
      arguments[place] = false -- the node keeps it
   end
   local function derive(run, turn)
      if C.TH_Gradient_recording() then
         raise('checkpoint: gradients of gradients do not go through it; call the function itself')
      end
      local again, leaves, needed = { unpack(arguments, 1, count) }, {}, {}
      for i, place in ipairs(places) do
         local x = pass.saved(run, i)
         if C.TH_Backward_needs(run, i - 1) then
            x:requiresGrad()
            leaves[#leaves + 1], needed[#needed + 1] = x, i
         end
         again[place] = x
      end
      local now = states(drawn)
      setStates(drawn, before)
      local repeated = packed(recording.with(true, recording.within, f, unpack(again, 1, count)))
      setStates(drawn, now)
      local roots, gradients = {}, {}
      for i, place in ipairs(outputPlaces) do
         if isTensor(repeated[place]) and repeated[place]:isVariable() then
            roots[#roots + 1] = repeated[place]
            gradients[#gradients + 1] = pass.gradient(run, i - 1)
         end
      end
      -- Leaves that f has besides its arguments accumulate here, if leaves accumulate at all.
      local found = pass.several(roots, gradients, not turn.leaves and leaves or nil, false, false)
      for k, i in ipairs(needed) do
         th.check(C.TH_Backward_give(run, i - 1, turn.leaves and leaves[k].grad or found[k] or nil))
      end
   end
   functions.record(derive, outputs, inputs, inputs, nil, 'torch.checkpoint')
   return unpack(results, 1, results.n)
end

return F
