--- A table of one entry: x -> { x }.
-- @classmod nngraph.JustTable
-- @usage nngraph.JustTable()

local nngraph = require 'nngraph'
local nn = require 'nn'
local nested = require 'nn.nested'

local JustTable = nn.declare('nngraph.JustTable', { input = 'any' }, nngraph)

-- By hand, for it needs no buffer.
function JustTable:updateOutput(input)
   self.output = nested.is_table(self.output) and self.output or {}
   self.output[1] = input
   return self.output
end

function JustTable:updateGradInput(_, gradOutput)
   self.gradInput = gradOutput[1]
   return self.gradInput
end

-- The buffers are the user's tensors: let go of them, do not empty them.
function JustTable:clearState()
   self.output, self.gradInput = nested.released(self.output), nested.released(self.gradInput)
   return self
end
