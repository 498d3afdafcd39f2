--- A residual sum on bytes: what the main branch's last convolution gives is added to the other
-- branch's bytes before it is rounded. nn.quantize makes it of an nn.ConcatTable and its sum.
-- @classmod nn.QuantizedResidual
-- @example
-- local bytes = { scale = 1 / 32, zero = 128 }
-- local main = nn.QuantizedConvolution(nn.SpatialConvolution(4, 4, 3, 3, 1, 1, 1, 1), bytes)
-- main:setOutput(bytes):setAddend(bytes)
-- local sum = nn.QuantizedResidual(main, nn.Identity())
-- #sum:forward(torch.ByteTensor(2, 4, 5, 5):random(0, 255)) --> { 2, 4, 5, 5 }

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local QuantizedResidual = nn.declare('nn.QuantizedResidual', 'nn.Container', {
   arguments = [[
      (main)   module  a convolution with an addend, or a sequence that ends with one
      (short)  module  the other branch, which gives the addend
   ]],
   input = 'any',
})

function QuantizedResidual:__initialize(main, short)
   self:add(main)
   self:add(short)
   self._type = main:type()
   self.output = torch.getmetatable(self._type).new()
end

--- The modules of the main branch, the convolution with the addend last.
-- @treturn table
function QuantizedResidual:mainSteps()
   local main = self.modules[1]
   return torch.typename(main) == 'nn.Sequential' and main.modules or { main }
end

function QuantizedResidual:updateOutput(input)
   local addend = self:rethrowErrors(self.modules[2], 2, 'updateOutput', input)
   local main = self:mainSteps()
   local x = input
   for i = 1, #main - 1 do
      x = self:rethrowErrors(main[i], 1, 'updateOutput', x)
   end
   self.output = self:rethrowErrors(main[#main], 1, 'updateOutput', { x, addend })
   return self.output
end

function QuantizedResidual:updateGradInput()
   check.fail(self, 'whole numbers have no gradient; train the net before nn.quantize, with '
      .. 'nn.fakeQuantize')
end

QuantizedResidual.accGradParameters = QuantizedResidual.updateGradInput
