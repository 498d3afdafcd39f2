--- The input as another tensor type; the gradient comes back as the input's.
--
-- With one type for both, the input is passed on without a copy, unless `forceCopy` is given. With
-- two, an input of any type will do: also after `type` has made one of them, as where a script
-- converts a whole network that begins with a Copy from the CPU.
-- @classmod nn.Copy
-- @usage nn.Copy('torch.DoubleTensor', 'torch.FloatTensor')
-- @example
-- local y = nn.Copy('torch.DoubleTensor', 'torch.FloatTensor'):forward(torch.ones(2)):type()
-- y --> 'torch.FloatTensor'

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local C = require('torch.ffi').C

local Copy = nn.declare('nn.Copy', {
   arguments = [[
      intype     string?          the input's type; default: that of torch.Tensor
      outtype    string?          the output's; default: likewise
      forceCopy  boolean = false  copy in any case
      dontCast   boolean = false  `type` and its kin leave the layer's types alone
   ]],
   input = 'any',
})

function Copy:__initialize(intype, outtype)
   local default = torch.Tensor():type()
   self.intype, self.outtype = intype or default, outtype or default
   self.gradInput = torch.factory(self.intype)()
   self.output = torch.factory(self.outtype)()
end

-- Torch7's files say nothing of the options. One that passes its input on has functions of its own,
-- whose bytecode may be another interpreter's.
function Copy:__upgrade(_)
   if self.intype then
      return
   end
   self.intype, self.outtype = self.gradInput:type(), self.output:type()
   local passes = rawget(self, 'updateOutput') ~= nil
   self.forceCopy = self.intype == self.outtype and not passes
   self.updateOutput, self.updateGradInput = nil, nil
end

-- Whether it copies, whatever comes.
local function copies(self)
   return self.forceCopy or self.intype ~= self.outtype
end

local function pass(self, r, x)
   if not copies(self) and check.suits(r, x.dtype, x) then
      check.status(self, C.TH_alias(r, x))
      return r
   end
   return r:resize(x:size()):copy(x)
end

function Copy:__computeOutput(y, x)
   check.any_tensor(self, x, 'input')
   if self.gradInput and not copies(self) then -- without a gradInput nobody wants it
      check.tensor(self, self.gradInput, x, 'input')
   end
   return pass(self, y, x)
end

function Copy:__computeGradInput(gx, _, g)
   check.any_tensor(self, g, 'gradOutput')
   if not copies(self) then
      check.tensor(self, self.output, g, 'gradOutput')
   end
   return pass(self, gx, g)
end

-- What is passed on is the tensor that came, as in Torch7: who has it keeps it at the next call.
local updateOutput, updateGradInput = Copy.updateOutput, Copy.updateGradInput

function Copy:updateOutput(input)
   local output = updateOutput(self, input)
   return copies(self) and output or input
end

function Copy:updateGradInput(input, gradOutput)
   local gradInput = updateGradInput(self, input, gradOutput)
   return copies(self) and gradInput or gradOutput
end

--- Convert the layer, unless it was made with `dontCast`.
function Copy:type(typename, cache)
   return typename and self.dontCast and self or nn.Module.type(self, typename, cache)
end
