--- output = input, gradInput = gradOutput, with their sizes printed on the way.
-- @classmod nn.PrintSize

local torch = require 'torch'
local nn = require 'nn'

local PrintSize = nn.declare('nn.PrintSize', 'nn.Identity', {
   arguments = "prefix  string?  what the lines begin with; default: 'PrintSize'",
})

function PrintSize:__initialize(prefix)
   self.prefix = prefix or 'PrintSize'
end

local function show(self, name, value)
   local size = torch.isTensor(value) and value:size() or value == nil and 'missing size' or value
   print(self.prefix .. ':' .. name .. '\n', size)
end

function PrintSize:updateOutput(input)
   show(self, 'input', input)
   self.output = input
   return input
end

function PrintSize:updateGradInput(_, gradOutput)
   show(self, 'gradOutput', gradOutput)
   self.gradInput = gradOutput
   return gradOutput
end
