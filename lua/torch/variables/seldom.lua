--- Functions of Variables that few programs need: what they do is loaded when one is called.
-- @module torch.variables.seldom
local F = {}

--- A function of tensors with a derivative of its own.
--
-- `forward(context, ...)` computes the results from the arguments, without being recorded;
-- `backward(context, g1, ...)` gets the gradients of the results and returns one for each tensor
-- among the arguments, or nil where that needs none. What backward needs, forward keeps:
-- `context:save(x, y)`, `local x, y = context:saved()`; all else may be fields of the context.
-- Where backward consists of operations on tensors, gradients have gradients.
-- @param definition table: forward, backward
-- @return function
-- @raise "Function: backward gave 1 gradient for 2 tensors"
-- @example
-- local cube = torch.Function {
--    forward = function(context, x)
--       context:save(x)
--       return torch.pow(x, 3)
--    end,
--    backward = function(context, g)
--       local x = context:saved()
--       return torch.cmul(g, torch.pow(x, 2)) * 3
--    end,
-- }
-- local x = torch.Tensor { 2 }:requiresGrad()
-- cube(x):backward()
-- x.grad --> { 12 }
function F.Function(definition)
   return require('torch.variables.custom').Function(definition)
end

--- f(...), of which only the arguments are kept: on the way back it is computed once more. Takes
-- less memory and a third more time. Random numbers that f draws are the same again. Variables that
-- f mentions without taking them get gradients by backward, but none by torch.grad, which does not
-- know of them. A function that gives nothing but numbers gives tensors of one element.
-- @param f function of tensors that gives tensors
-- @return what f returns
-- @example
-- local w = torch.ones(2):requiresGrad()
-- local y = torch.checkpoint(function(x) return torch.tanh(x * 2) end, w)
-- y:sum():backward()
-- w.grad --> { 0.1413, 0.1413 }
function F.checkpoint(f, ...)
   return require('torch.variables.checkpoint').checkpoint(f, ...)
end

--- Compare the gradients of a function with central differences, element by element.
-- @param f function of tensors that gives tensors
-- @param inputs tensor or list: the function's arguments; those that are Variables (doubles,
-- contiguous) are looked at
-- @param[opt] options table: step (1e-6), atol (1e-5), rtol (1e-3)
-- @return true
-- @raise "gradcheck: d output 1[2] / d input 1[2] is 3, by differences 2"
-- @example torch.gradcheck(torch.tanh, torch.randn(3):requiresGrad()) --> true
function F.gradcheck(f, inputs, options)
   return require('torch.variables.check').gradcheck(f, inputs, options)
end

--- The same of the function's gradients: whether gradients of gradients are right.
-- @param f function of tensors that gives tensors
-- @param inputs as for torch.gradcheck
-- @param[opt] options as for torch.gradcheck
-- @return true
-- @example torch.gradgradcheck(torch.tanh, torch.randn(3):requiresGrad()) --> true
function F.gradgradcheck(f, inputs, options)
   return require('torch.variables.check').gradgradcheck(f, inputs, options)
end

--- Look for anomalies: an operation on Variables that makes a NaN is an error, on the way there and
-- on the way back, and errors name the lines of the script that recorded a call and that changed
-- what it had kept. Everything is interpreted meanwhile, which is slow.
-- @param on boolean, or a function during whose run it is on
-- @return whether it was on before; of a function, its results
-- @raise "log: made the first NaN, in r (train.lua:12)"
-- @usage torch.detectAnomaly(on) -> boolean
-- torch.detectAnomaly(f, ...) -> results of f
-- @example
-- local x = torch.Tensor { -1 }:requiresGrad()
-- torch.detectAnomaly(function() return torch.log(x) end) --> error: 'made the first NaN'
function F.detectAnomaly(on, ...)
   return require('torch.variables.anomaly').detectAnomaly(on, ...)
end

return F
