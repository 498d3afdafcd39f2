--- Layers that apply one function to each element: y_i = f(x_i).
--
-- `nn.Pointwise:of 'tanh'` makes such a layer of the operation `tanh` and its gradient
-- `tanh_backward`; neither needs more code. A function with two numbers has them from fields of the
-- layer, or as they are:
--
--    nn.Pointwise:of('clamp', 'HardTanh', 'min_val, max_val', { arguments = [[ … ]] })
--    nn.Pointwise:of('clamp', 'ReLU6', '0, 6', { … })
--
-- @classmod nn.Pointwise

local nn = require 'nn'
local ops = require 'nn.base.ops'
local code = require 'nn.base.code'

nn.declare('nn.Pointwise', {})

local TEXT = [[
local forward, backward = ...
local M = {}

function M:__computeOutput(y, x)
   return forward(self, y, x$numbers)
end

function M:__computeGradInput(gx, x, g)
   return backward(self, gx, g, x, $output$numbers)
end

return M]]

local CHUNK = code.source()

-- 'min_val, 6' -> ', self.min_val, 6'
local function values(numbers)
   return numbers and ', ' .. numbers:gsub('%a[%w_]*', 'self.%0') or ''
end

--- Make the layer class of an element-wise operation that has a gradient.
-- @string op the operation's name, as in the list of operations: 'tanh'
-- @string[opt] name the class: default the operation with a capital letter ('Tanh' in `nn`)
-- @string[opt] numbers the operation's two numbers: fields of the layer, or constants
-- @tparam[opt={}] table declaration of the class, for nn.declare; and `gradient = 'input'` where
-- the gradient does not depend on the output, so that `backward` goes without a `forward`
-- @return the class `nn.<name>`
-- @usage nn.Pointwise:of('softplus', 'SoftPlus')
function nn.Pointwise.of(_, op, name, numbers, declaration)
   -- An unknown operation fails here, before there is a class.
   local forward, backward = ops[op], ops[op .. '_backward']
   declaration = declaration or {}
   local text = TEXT:gsub('%$(%a+)', {
      numbers = values(numbers), output = declaration.gradient == 'input' and 'x' or 'self.output',
   })
   declaration.gradient = nil
   local Layer = nn.declare('nn.' .. (name or op:gsub('^%l', string.upper)), 'nn.Pointwise',
      declaration)
   for method, f in pairs(code.run(text, CHUNK, forward, backward)) do
      Layer[method] = f
   end
   return Layer
end
