--- The checks that layers make of what they are given, and how their errors describe it.
-- An error names the layer, what came, what was wanted, and what to do.

local torch = require 'torch'
local raise = require('torch.errors').raise

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

local function wrong_tensor(layer, own, x, name)
   if not torch.isTensor(x) then
      check.fail(layer, '%s is %s, expected a tensor', name, check.describe(x))
   end
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
   if type(x) ~= 'cdata' or x.dtype ~= own.dtype or x.device_type ~= own.device_type then
      wrong_tensor(layer, own, x, name)
   end
end

return check
