--- The only entry of a table: { x } -> x.
-- @classmod nngraph.JustElement
-- @usage nngraph.JustElement()

local nngraph = require 'nngraph'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'

local JustElement = nn.declare('nngraph.JustElement', { input = 'any' }, nngraph)

-- By hand, for it needs no buffer.
function JustElement:updateOutput(input)
   if not nested.is_table(input) or #input ~= 1 then
      check.fail(self, 'input is %s, expected a table of one entry', nested.is_table(input)
         and ('a table of %d'):format(#input) or check.describe(input))
   end
   self.output = input[1]
   return self.output
end

function JustElement:updateGradInput(_, gradOutput)
   self.gradInput = nested.is_table(self.gradInput) and self.gradInput or {}
   self.gradInput[1] = gradOutput
   return self.gradInput
end

-- The buffers are the user's tensors: let go of them, do not empty them.
function JustElement:clearState()
   self.output, self.gradInput = nested.released(self.output), nested.released(self.gradInput)
   return self
end
