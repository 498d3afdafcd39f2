--- Variables: tensors that need a gradient.
--
-- A Variable is a tensor of the same class, with the same methods and functions. What is computed
-- with it is recorded by the core (lib/TH/core/gradient); `backward` goes back through the record.
-- @module torch.variables
local th = require 'torch.ffi'
local class = require 'torch.class'
local types = require 'torch.types'
local Tensors = require 'torch.Tensor'
local functions = require 'torch.variables.functions'
local pass = require 'torch.variables.pass'
local recording = require 'torch.variables.recording'

local C, Tensor, check, raise = th.C, th.Tensor, th.check, th.raise
local isTensor, badArguments, need = th.isTensor, th.badArguments, th.need
local needsGradient = C.TH_Variable_needsGradient

local T, F = {}, {}

-- --- what is a Variable -------------------------------------------------------------------------

--- Make the tensor a Variable, for which backward finds a gradient; or, with false, a tensor that
-- needs none itself, but into which Variables may be written.
-- @param[opt=true] on boolean
-- @return the tensor itself
-- @raise "requiresGrad: a LongTensor has no gradient; convert it first, as in x:double()"
-- @usage t:requiresGrad() -> self
-- t:requiresGrad(false) -> self
-- @example
-- local x = torch.Tensor { 1, 2, 3 }:requiresGrad()
-- torch.cmul(x, x):sum():backward()
-- x.grad --> { 2, 4, 6 }
function T.requiresGrad(t, on)
   if on ~= nil and type(on) ~= 'boolean' then
      badArguments('requiresGrad', 'T [boolean = true]', 2, t, on)
   end
   need('requiresGrad', t)
   check(C.TH_Variable_make(t, on ~= false))
   if not types.variables then
      types.startVariables()
   end
   return t
end

--- The tensor, or a tensor of these numbers, as a Variable: x:requiresGrad(on).
-- @param x tensor, number or table of numbers
-- @param[opt=true] on boolean: false for a tensor that needs no gradient itself, but into which
-- Variables may be written
-- @return the tensor
-- @usage torch.Variable(x [, on=true]) -> tensor
-- @example torch.Variable({ 1, 2 }):isVariable() --> true
function F.Variable(x, on)
   if type(x) == 'number' then
      x = { x }
   end
   if type(x) == 'table' then
      x = rawget(_G, 'torch').Tensor(x)
   elseif not isTensor(x) then
      badArguments('Variable', 'T | number | table [boolean = true]', 2, x, on)
   end
   return T.requiresGrad(x, on)
end

--- Whether the tensor needs a gradient: as a leaf that requiresGrad made, or because it was
-- computed from one.
-- @usage t:isVariable() -> boolean
-- torch.isVariable(obj) -> boolean
-- @example
-- local x = torch.ones(2):requiresGrad()
-- x:isVariable(), (x + 1):isVariable(), x:gt(0):isVariable() --> true, true, false
function T.isVariable(t)
   need('isVariable', t)
   return needsGradient(t)
end

function F.isVariable(x)
   return isTensor(x) and needsGradient(x)
end

--- Whether nothing was recorded for the tensor: a plain one, or one that requiresGrad made.
-- @usage t:isLeaf() -> boolean
-- @example
-- local x = torch.ones(2):requiresGrad()
-- x:isLeaf(), (x + 1):isLeaf() --> true, false
function T.isLeaf(t)
   need('isLeaf', t)
   return C.TH_Variable_isLeaf(t)
end

--- The same elements as a plain tensor: what is computed with it is not recorded.
-- It is apart from t: a Variable written into it, as by `d:add(v)`, makes it one, and not t.
-- @usage t:detach() -> tensor
-- @example torch.ones(2):requiresGrad():detach():isVariable() --> false
function T.detach(t)
   local r = Tensor()
   check(C.TH_alias(r, t))
   C.TH_Variable_drop(r)
   return r
end

-- --- gradients ----------------------------------------------------------------------------------

--- The accumulated gradient; nil while there is none.
-- @usage t.grad -> tensor|nil
-- t.grad = tensor|nil
Tensors.properties.grad = function(t)
   local r = Tensor()
   return C.TH_Variable_gradient(r, t) and r or nil
end

Tensors.assignable.grad = function(t, g)
   if g ~= nil and not isTensor(g) then
      badArguments('grad', 'T = T | nil', 2, t, g)
   end
   check(C.TH_Variable_setGradient(t, g))
end

-- PyTorch's fields: without them a condition would take nil for no.
Tensors.properties.requires_grad = T.isVariable
Tensors.properties.is_leaf = T.isLeaf
Tensors.assignable.requires_grad = function(t, on)
   if type(on) ~= 'boolean' then
      badArguments('requires_grad', 'T = boolean', 2, t, on)
   end
   T.requiresGrad(t, on)
end

--- Forget the gradient.
-- @usage t:zeroGrad() -> self
-- @example
-- local x = torch.ones(2):requiresGrad()
-- x:sum():backward()
-- x.grad, x:zeroGrad().grad --> { 1, 1 }, nil
function T.zeroGrad(t)
   need('zeroGrad', t)
   if needsGradient(t) then
      check(C.TH_Variable_setGradient(t, nil))
   end
   return t
end

--- Keep the gradient of a result, too: it has `grad` after backward.
-- @usage t:retainGrad() -> self
-- @example
-- local x = torch.ones(2):requiresGrad()
-- local y = (x * 3):retainGrad()
-- torch.sum(y * 2):backward()
-- y.grad, x.grad --> { 2, 2 }, { 6, 6 }
function T.retainGrad(t)
   need('retainGrad', t)
   check(C.TH_Variable_retain(t))
   return t
end

--- Call f with each gradient of the tensor, before it goes on; what f returns, if anything, goes on
-- in its place. A hook is kept until it is taken off, the tensor has gone, or backward has passed
-- it. So one of a leaf that mentions the leaf itself (as in `g * x:nElement()`) keeps it, and has
-- to be taken off.
-- @param f function(gradient) -> tensor or nothing; it may take itself off, but not yield
-- @return function that takes the hook off again
-- @usage t:hook(f) -> function
-- @example
-- local x = torch.ones(2):requiresGrad()
-- x:hook(function(g) return g * 10 end)
-- x:sum():backward()
-- x.grad --> { 10, 10 }
function T.hook(t, f)
   if type(f) ~= 'function' then
      badArguments('hook', 'T function', 2, t, f)
   end
   local number = functions.hold(f)
   local status = C.TH_Variable_hook(t, number)
   if status ~= 0 then
      functions.drop(number)
      check(status)
   end
   return function()
      check(C.TH_Variable_unhook(t, number))
      functions.sweep()
   end
end

-- Options of each function, in the order in which errors name them.
local OPTIONS = {
   backward = { 'retainGraph', 'createGraph' },
   grad = { 'retainGraph', 'createGraph', 'gradOutputs', 'allowUnused' },
}

local function readOptions(name, options)
   if options == nil then
      return false, false
   elseif type(options) ~= 'table' then
      raise(('%s: expected a table of options, got %s'):format(name, class.type(options)))
   end
   for key in pairs(options) do
      local known = false
      for _, option in ipairs(OPTIONS[name]) do
         known = known or option == key
      end
      if not known then
         raise(('%s: no such option: %s; there are %s'):format(name, tostring(key),
            table.concat(OPTIONS[name], ', ')))
      end
   end
   local create = options.createGraph and true or false
   local retain = options.retainGraph
   return retain == nil and create or retain and true or false, create
end

--- Go back from the tensor: every leaf that it was computed from accumulates its gradient in
-- `grad`. The record is given back on the way.
-- @param[opt] gradient of the tensor's sizes; a tensor of one element may do without: 1
-- @param[opt] options table: retainGraph (keep the record, to go back once more), createGraph
-- (record the way back, so that gradients have gradients; implies retainGraph)
-- @raise "backward: only a tensor of one element can begin without a gradient, this one is 2x3"
-- @raise "backward: the graph was given back by an earlier backward()"
-- @usage t:backward([gradient] [, options])
-- @example
-- local w = torch.Tensor { 2, 3 }:requiresGrad()
-- local y = w * 2
-- y:backward(torch.Tensor { 1, 10 })
-- w.grad --> { 2, 20 }
function T.backward(t, gradient, options)
   if type(gradient) == 'table' and options == nil then
      gradient, options = nil, gradient
   end
   if not t or gradient ~= nil and not isTensor(gradient)
      or options ~= nil and type(options) ~= 'table' then
      badArguments('backward', 'T [T] [options]', 3, t, gradient, options)
   end
   pass.one(t, gradient, readOptions('backward', options))
end

local function eachTensor(name, list)
   if isTensor(list) then
      return { list }
   elseif type(list) ~= 'table' or #list == 0 then
      raise(('%s: expected a tensor or a list of tensors, got %s'):format(name,
         type(list) == 'table' and 'an empty table' or class.type(list)))
   end
   for i = 1, #list do
      if not isTensor(list[i]) then
         raise(('%s: item %d of a list of tensors is a %s'):format(name, i, class.type(list[i])))
      end
   end
   return list
end

-- One gradient, or false, for each output; nil where there is none at all.
local function eachGradient(name, outputs, list)
   if list == nil then
      return nil
   elseif isTensor(list) then
      list = { list }
   elseif type(list) ~= 'table' then
      raise(('%s: expected a list of gradients, got %s'):format(name, class.type(list)))
   end
   local given = {}
   for key, g in pairs(list) do
      if type(key) ~= 'number' or not outputs[key] then
         raise(('%s: %d outputs have no gradient %s'):format(name, #outputs, tostring(key)))
      elseif g and not isTensor(g) then
         raise(('%s: gradient %d is a %s, expected a tensor or false'):format(name, key,
            class.type(g)))
      end
      given[key] = g
   end
   return given
end

--- Go back from several tensors at once.
-- @param outputs list of tensors
-- @param[opt] gradients list: one for each, or false
-- @param[opt] options as those of t:backward
-- @raise "backward: gradient 1 is a number, expected a tensor or false"
-- @usage torch.backward(outputs [, gradients] [, options])
-- @example
-- local x = torch.ones(2):requiresGrad()
-- torch.backward { (x * 2):sum(), (x * 3):sum() }
-- x.grad --> { 5, 5 }
function F.backward(outputs, gradients, options)
   if options == nil and type(gradients) == 'table' and type(next(gradients)) == 'string' then
      gradients, options = nil, gradients
   end
   local retain, create = readOptions('backward', options)
   outputs = eachTensor('backward', outputs)
   pass.several(outputs, eachGradient('backward', outputs, gradients), nil, retain, create)
end

local function gradients(outputs, inputs, options)
   local single = isTensor(inputs)
   outputs, inputs = eachTensor('grad', outputs), eachTensor('grad', inputs)
   local retain, create = readOptions('grad', options)
   options = options or {}
   local given, unused = eachGradient('grad', outputs, options.gradOutputs), options.allowUnused
   local results = pass.several(outputs, given, inputs, retain, create)
   for i = 1, #results do
      if not results[i] and not unused then
         raise(('grad: the outputs do not depend on input %d; with { allowUnused = true } its '
            .. 'gradient is false'):format(i))
      end
   end
   if single then
      return results[1]
   end
   return results
end

--- Gradients of outputs by inputs, which no leaf accumulates. With a function instead: see
-- torch.variables.transform.
-- @param outputs tensor, or list of tensors
-- @param inputs tensor, or list of them: Variables, leaves or not
-- @param[opt] options table: createGraph (gradients have gradients), retainGraph, gradOutputs (list
-- of the outputs' gradients), allowUnused (false where the outputs do not depend on an input)
-- @return gradient, or list of gradients
-- @usage torch.grad(outputs, inputs [, options]) -> gradient | list
-- torch.grad(f [, options]) -> function
-- @example
-- local x = torch.Tensor { 2 }:requiresGrad()
-- local slope = torch.grad(torch.pow(x, 3), x, { createGraph = true })
-- slope, torch.grad(slope, x) --> { 12 }, { 12 }
function F.grad(outputs, inputs, options)
   if type(outputs) == 'function' then
      return require('torch.variables.transform').gradient(outputs, inputs)
   end
   return gradients(outputs, inputs, options)
end

-- --- the record ---------------------------------------------------------------------------------

--- Run f(...) without recording: for steps of optimisers, evaluation, changes of leaves in place.
-- Where f yields, recording is for others as it was until f goes on.
-- @return what f returns
-- @usage torch.noGrad(f, ...) -> results of f
-- @example
-- local w = torch.ones(2):requiresGrad()
-- torch.noGrad(function() w:add(1) end)
-- w --> { 2, 2 }
function F.noGrad(f, ...)
   if type(f) ~= 'function' then
      raise(('noGrad: expected a function, got %s'):format(class.type(f)))
   end
   return recording.call(false, f, ...)
end

--- Switch recording on or off.
-- @return whether it was on
-- @usage torch.setGradEnabled(on) -> boolean
-- @example
-- local before = torch.setGradEnabled(false)
-- torch.isGradEnabled(), torch.setGradEnabled(before), torch.isGradEnabled() --> false, false, true
function F.setGradEnabled(on)
   if type(on) ~= 'boolean' then
      raise(('setGradEnabled: expected true or false, got %s'):format(class.type(on)))
   end
   return C.TH_Gradient_record(on)
end

--- Whether operations on Variables are recorded.
-- @usage torch.isGradEnabled() -> boolean
-- @example torch.isGradEnabled(), torch.noGrad(torch.isGradEnabled) --> true, false
function F.isGradEnabled()
   return C.TH_Gradient_recording()
end

for name, f in pairs(require 'torch.variables.seldom') do
   F[name] = f
end

--- PyTorch's place of these: torch.autograd.Variable(x); torch.autograd(f) is torch.grad(f). The
-- module autograd is Twitter's, which runs from its own sources.
-- @example torch.autograd.Variable({ 1, 2 }):isVariable() --> true
F.autograd = setmetatable({}, {
   __index = {
      Variable = F.Variable, grad = F.grad, Function = F.Function, noGrad = F.noGrad,
   },
   __call = function(_, f, options)
      return F.grad(f, options)
   end,
})

return { methods = T, functions = F }
