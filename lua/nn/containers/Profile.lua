--- Passes everything on to a module, and prints from time to time how long that took.
--
-- Of a module on a device the time is that until the device has finished.
-- @classmod nn.Profile
-- @usage nn.Profile(nn.Linear(3, 4), 10) -- prints at every 10th pass
-- @example #nn.Profile(nn.Linear(3, 2), 100):forward(torch.randn(4, 3)) --> { 4, 2 }

local torch = require 'torch'
local nn = require 'nn'
local nested = require 'nn.nested'
local C = require('torch.ffi').C

local Profile, Decorator = nn.declare('nn.Profile', 'nn.Decorator', {
   arguments = [[
      ...
      print_interval  number = 100  passes between two prints
      name            string?       for the text; default the module's class
   ]],
})

function Profile:__initialize(module)
   Decorator.__initialize(self, module)
   self.numFwds, self.numBwds = 0, 0
   self.summedFwdTime, self.summedBwdTime = 0, 0
end

local function now(nest)
   local x = nested.first(nest)
   if torch.isTensor(x) and x.device_type ~= C.TH_CPU then
      require('cutorch').synchronize()
   end
   return torch.tic()
end

local function report(self, seconds, count, direction)
   if count % self.print_interval == 0 then
      print(('%s took %.3f seconds for %d %s passes'):format(
         self.name or torch.type(self.modules[1]), seconds, count, direction))
   end
end

function Profile:updateOutput(input)
   local start = now(input)
   local y = Decorator.updateOutput(self, input)
   self.numFwds, self.summedFwdTime = self.numFwds + 1, self.summedFwdTime + now(y) - start
   report(self, self.summedFwdTime, self.numFwds, 'forward')
   return y
end

function Profile:backward(input, gradOutput, scale)
   local start = now(gradOutput)
   self.gradInput = self:__pass('backward', input, gradOutput, scale)
   self.numBwds = self.numBwds + 1
   self.summedBwdTime = self.summedBwdTime + now(gradOutput) - start
   report(self, self.summedBwdTime, self.numBwds, 'backward')
   return self.gradInput
end
