--- Functions that are computed again on the way back.
-- @module torch.variables.checkpoint
local th = require 'torch.ffi'
local class = require 'torch.class'
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'
local resultsOf = require 'torch.variables.results'
local random = require('torch.functions.random').functions

local C, raise, isTensor = th.C, th.raise, th.isTensor

local F = {}

local packed, unrecorded = resultsOf.packed, resultsOf.unrecorded
local fresh, tensorsAmong = resultsOf.fresh, resultsOf.tensorsAmong

local function anyVariable(list)
   for i = 1, #list do
      if list[i]:isVariable() then
         return true
      end
   end
   return false
end

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
