--- The checks that layers make of what they are given, and how their errors describe it.
-- An error names the layer, what came, what was wanted, and what to do.

local torch = require 'torch'
local raise = require('torch.errors').raise
local is_tensor = require('torch.ffi').isTensor

local check = {}

--- Describe a value in an error: "32x28x28" for a tensor, the type name for anything else.
-- @param x anything
function check.describe(x)
   if not torch.isTensor(x) then
      return x == nil and 'nil' or 'a ' .. torch.type(x)
   end
   if x:dim() == 0 then
      return 'empty'
   end
   return table.concat(x:size():totable(), 'x')
end

--- Raise "<layer>: <message>" at the user's line.
-- @param layer a module or criterion
-- @string message a format for string.format
-- @param ... its values
function check.fail(layer, message, ...)
   raise(torch.typename(layer) .. ': ' .. message:format(...))
end

--- Check that `x` is a tensor, of any type, with elements.
-- @param layer the module or criterion that is asking
-- @param x what the user gave
-- @string name the argument, for the error
function check.any_tensor(layer, x, name)
   if not is_tensor(x) or x.ndim == 0 then
      check.fail(layer, '%s is %s, expected a tensor', name, check.describe(x))
   end
end

local function wrong_type(layer, own, x, name)
   local came, wanted = torch.typename(x), torch.typename(own)
   check.fail(
      layer,
      "%s is a %s, but the layer is of type %s. Convert one: %s:type('%s') or layer:type('%s')",
      name,
      came,
      wanted,
      name,
      wanted,
      came
   )
end

--- Check that `x` is a tensor of the layer's element type, on its device. Costs some nanoseconds.
-- @param layer the module or criterion that is asking
-- @tparam Tensor own a tensor of the layer (its output buffer, say)
-- @param x what the user gave
-- @string name the argument, for the error
function check.tensor(layer, own, x, name)
   if not is_tensor(x) then
      check.fail(layer, '%s is %s, expected a tensor', name, check.describe(x))
   elseif x.dtype ~= own.dtype or x.device_type ~= own.device_type then
      wrong_type(layer, own, x, name)
   end
end

--- Check what `backward` is given: both are tensors of the layer's type.
function check.backward(layer, own, input, gradOutput)
   check.tensor(layer, own, input, 'input')
   check.tensor(layer, own, gradOutput, 'gradOutput')
end

return check
