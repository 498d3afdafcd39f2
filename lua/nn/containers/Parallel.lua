--- The i-th module gets the i-th slice of the input along one dimension; their outputs are joined
-- along another. Modules beyond the last slice stay idle. Without dimensions it only holds modules,
-- for their parameters.
-- @classmod nn.Parallel
-- @usage nn.Parallel(2, 1):add(nn.Linear(10, 3)):add(nn.Linear(10, 2)):forward(torch.randn(10, 2))
-- @example
-- local net = nn.Parallel(2, 2):add(nn.Linear(4, 3)):add(nn.Linear(4, 5))
-- #net:forward(torch.randn(6, 2, 4)) --> { 6, 8 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local joined = require 'nn.containers.joined'

local Parallel = nn.declare('nn.Parallel', 'nn.Branches', {
   arguments = [[
      inputDimension   size?  along which the input is cut
      outputDimension  size?  along which outputs are joined
   ]],
})

function Parallel:__count(input)
   local dims, d = torch.isTensor(input) and input:dim() or 0, self.inputDimension
   joined.require_dimension(self, 'inputDimension')
   joined.require_dimension(self, 'outputDimension')
   if dims < 2 or dims < d then
      check.fail(self, 'input is %s, expected %d dimensions or more', check.describe(input),
         math.max(d, 2))
   elseif input:size(d) > #self.modules then
      check.fail(self, 'input is %s, expected a size of at most %d in dimension %d, one for each '
         .. 'module', check.describe(input), #self.modules, d)
   end
   return input:size(d)
end

function Parallel:__inputOf(input, i)
   return input:select(self.inputDimension, i)
end

function Parallel:__join(outputs)
   return torch.cat(self.output, outputs, self.outputDimension)
end

--- The part of the gradient that lies where the output of module i does.
function Parallel:__gradOutputOf(gradOutput, i)
   return joined.part(self, self.outputDimension, i, gradOutput)
end

--- Put module i's gradient where its slice lies; zeros for a module whose gradInput is off.
function Parallel:__takeGradient(gradients, i, input)
   if i == 1 then
      self.gradInput:resizeAs(input)
   end
   local slice = self.gradInput:select(self.inputDimension, i)
   if gradients[i] then
      slice:copy(gradients[i])
   else
      slice:zero()
   end
end

--- The modules' gradients side by side.
function Parallel:__joinGradients()
   return self.gradInput
end
