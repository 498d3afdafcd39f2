--- Functions with a derivative of their own, and functions that are computed again on the way back.
-- @module torch.variables.custom
local th = require 'torch.ffi'
local class = require 'torch.class'
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'

local C, raise, isTensor = th.C, th.raise, th.isTensor

local F = {}

local noGrad = require('torch.variables').functions.noGrad

local function packed(...)
   return { n = select('#', ...), ... }
end

-- What f gives without recording.
local function unrecorded(f, ...)
   return packed(noGrad(f, ...))
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

local Context = {}
Context.__index = Context

--- Keep tensors for the way back; changes of them in place are noticed there.
function Context:save(...)
   self.kept = { ... }
end

--- What was kept.
function Context:saved()
   local list = {}
   for i = 1, #self.kept do
      list[i] = self.pass and pass.saved(self.pass, i) or self.kept[i]
   end
   return unpack(list)
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

-- What the docstring of torch.Function says: seldom.lua.
function F.Function(definition)
   if type(definition) ~= 'table' or type(definition.forward) ~= 'function'
      or type(definition.backward) ~= 'function' then
      raise('Function: expected a table with functions forward and backward')
   end
   return function(...)
      local context = setmetatable({ kept = {} }, Context)
      local inputs = tensorsAmong({ ... }, select('#', ...))
      local results = fresh(unrecorded(definition.forward, context, ...))
      local outputs = tensorsAmong(results, results.n)
      if #outputs == 0 then
         raise('Function: forward gave no tensor')
      end
      local function derive(run, turn)
         context.pass = run
         local gradients = {}
         for i = 1, turn.outputs do
            gradients[i] = pass.gradient(run, i - 1)
         end
         local given = { n = 0 }
         local function take(...)
            given = { n = select('#', ...), ... }
         end
         take(definition.backward(context, unpack(gradients, 1, turn.outputs)))
         context.pass = nil
         if given.n < #inputs then
            raise(('Function: backward gave %d gradient%s for %d tensors; nil says that one needs '
               .. 'none'):format(given.n, given.n == 1 and '' or 's', #inputs))
         end
         for i = 1, turn.inputs do
            local g = given[i]
            if g ~= nil and not isTensor(g) then
               raise(('Function: gradient %d that backward gave is a %s, expected a tensor')
                  :format(i, class.type(g)))
            elseif g ~= nil and not g:isSameSizeAs(inputs[i]) then
               raise(('Function: gradient %d that backward gave has %d elements, its tensor %d')
                  :format(i, g:nElement(), inputs[i]:nElement()))
            end
            if C.TH_Backward_needs(run, i - 1) then
               th.check(C.TH_Backward_give(run, i - 1, g))
            end
         end
      end
      functions.record(derive, outputs, inputs, context.kept)
      return unpack(results, 1, results.n)
   end
end

-- What the docstring of torch.checkpoint says: seldom.lua.
function F.checkpoint(f, ...)
   if type(f) ~= 'function' then
      raise(('checkpoint: expected a function, got %s'):format(class.type(f)))
   end
   local count, arguments = select('#', ...), { ... }
   local inputs, places = tensorsAmong(arguments, count)
   local results = fresh(unrecorded(f, ...))
   local outputs, outputPlaces = tensorsAmong(results, results.n)
   for _, place in ipairs(places) do
      arguments[place] = false -- the node keeps it
   end
   local function derive(run, turn)
      if C.TH_Gradient_recording() then
         raise('checkpoint: gradients of gradients do not go through it; call the function itself')
      end
      local again, leaves = { unpack(arguments, 1, count) }, {}
      for i, place in ipairs(places) do
         local x = pass.saved(run, i)
         if C.TH_Backward_needs(run, i - 1) then
            x:requiresGrad()
            leaves[i] = x
         end
         again[place] = x
      end
      C.TH_Gradient_record(true)
      local repeated = { f(unpack(again, 1, count)) }
      local roots, gradients = {}, {}
      for i, place in ipairs(outputPlaces) do
         if repeated[place]:isVariable() then
            roots[#roots + 1] = repeated[place]
            gradients[#gradients + 1] = pass.gradient(run, i - 1)
         end
      end
      -- Leaves that f has besides its arguments accumulate here.
      pass.several(roots, gradients, nil, false, false)
      C.TH_Gradient_record(false)
      for i = 1, turn.inputs do
         if leaves[i] then
            th.check(C.TH_Backward_give(run, i - 1, leaves[i].grad))
         end
      end
   end
   functions.record(derive, outputs, inputs, inputs)
   return unpack(results, 1, results.n)
end

return F
