--- Functions with a derivative of their own.
-- @module torch.variables.custom
local th = require 'torch.ffi'
local class = require 'torch.class'
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'
local resultsOf = require 'torch.variables.results'
local shapes = require 'torch.functions.shapes'

local C, raise, isTensor = th.C, th.raise, th.isTensor

local F = {}

local packed, unrecorded = resultsOf.packed, resultsOf.unrecorded
local fresh, tensorsAmong = resultsOf.fresh, resultsOf.tensorsAmong

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
         for i = #forms + 1, given.n do
            if given[i] ~= nil then
               raise(('Function: backward gave %d gradients for %d tensor%s: one for each tensor '
                  .. 'that forward takes, in order'):format(i, #forms, #forms == 1 and '' or 's'))
            end
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

return F
