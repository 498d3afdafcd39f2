--- Functions to minimise, as opfuncs: x -> loss, gradient.

local torch = require 'torch'

local objectives = {}

--- Rosenbrock's valley: 100 (x2 - x1^2)^2 + (1 - x1)^2, 0 at (1, 1).
function objectives.rosenbrock(x)
   local a, b = x[1], x[2]
   local valley = b - a * a
   local gradient = torch.Tensor { -400 * a * valley - 2 * (1 - a), 200 * valley }
   return 100 * valley ^ 2 + (1 - a) ^ 2, gradient
end

--- A bowl: sum of i (x_i - 1)^2 / 2, 0 at (1, …, 1).
function objectives.quadratic(x)
   local loss, gradient = 0, torch.Tensor():resizeAs(x)
   for i = 1, x:nElement() do
      loss = loss + i * (x[i] - 1) ^ 2 / 2
      gradient[i] = i * (x[i] - 1)
   end
   return loss, gradient
end

return objectives
