--- One of two nets, by a truth that is computed: ONNX's If.
--
-- The input is a tensor of one element, the truth, or a list that begins with it; both nets take
-- all of it, and the one that is chosen gives the output.
-- @classmod onnx.If
-- @usage onnx.If(yes, no) -- onnx.import makes them

local torch = require 'torch'
local onnx = require 'onnx'
local raise = require('torch.errors').raise

local If = torch.class('onnx.If', 'nn.Container', onnx)

--- @param yes nn.Module for a truth other than 0
-- @param no nn.Module for 0
function If:__init(yes, no)
   require('nn').Container.__init(self)
   self:add(yes):add(no)
end

local function truth(input)
   local t = input
   if type(input) == 'table' then
      t = input[1]
   end
   local count = torch.isTensor(t) and t:nElement()
   if count ~= 1 then
      raise(('onnx.If: the truth is a %s, expected a tensor of one element: the input, or the '
         .. 'first of a list'):format(count and ('tensor of %d'):format(count) or torch.type(t)))
   end
   return t:contiguous():view(-1)[1] ~= 0
end

local function chosen(self, input)
   return self.modules[truth(input) and 1 or 2]
end

function If:updateOutput(input)
   self.output = chosen(self, input):updateOutput(input)
   return self.output
end

function If:updateGradInput(input, gradOutput)
   self.gradInput = chosen(self, input):updateGradInput(input, gradOutput)
   return self.gradInput
end

function If:accGradParameters(input, gradOutput, scale)
   chosen(self, input):accGradParameters(input, gradOutput, scale)
end

function If:backward(input, gradOutput, scale)
   self.gradInput = chosen(self, input):backward(input, gradOutput, scale)
   return self.gradInput
end

return If
