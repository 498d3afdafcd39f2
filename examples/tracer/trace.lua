--- Prints every operation of a training step of a small net: what it reads and writes, its time.
local torch, nn = require 'torch', require 'nn'
local paths = require 'paths'
local options = paths.dofile '../common/options.lua'

options.parse('Print every operation of a training step.', { options.seed })

local model = nn.Sequential()
   :add(nn.Linear(8, 16)):add(nn.Tanh()):add(nn.Linear(16, 3)):add(nn.LogSoftMax())
local criterion = nn.ClassNLLCriterion()
local x, target = torch.randn(4, 8), torch.LongTensor { 1, 3, 2, 1 }

local function step()
   model:zeroGradParameters()
   criterion:forward(model:forward(x), target)
   model:backward(x, criterion:backward(model.output, target))
   model:updateParameters(0.1)
end

local marks = { ['in'] = '', out = '>', inout = '<>' }

local function describe(a)
   if marks[a.role] and a.size then
      local size = #a.size == 0 and 'empty' or table.concat(a.size, 'x')
      return ('%s%s %s'):format(marks[a.role], a.name, size)
   end
   return a.value ~= nil and ('%s=%s'):format(a.name, tostring(a.value)) or nil
end

step() -- buffers get their sizes
for _, call in ipairs(torch.calls(step)) do
   local parts = {}
   for _, a in ipairs(call.arguments) do
      parts[#parts + 1] = describe(a)
   end
   print(('%6.1f us %s%s(%s)'):format(
      call.seconds * 1e6, ('  '):rep(call.depth), call.name, table.concat(parts, ', ')))
end
