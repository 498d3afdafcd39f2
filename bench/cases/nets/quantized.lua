-- Nets on bytes, forward, for one sample and for 32; a large layer with weights of 4 bits; nets
-- with half of their channels. The peers: PyTorch's quantised nets, and the same layers in floats.
local torch = require 'torch'
local nn = require 'nn'
local bench = require 'bench.harness'
local nets = require 'bench.nets'

local WANTED = { 'MLP 784-1024', 'ResNet-20' }

local function is_wanted(name)
   for _, word in ipairs(WANTED) do
      if name:find(word, 1, true) then
         return true
      end
   end
   return false
end

local function forward(name, net, input, goal)
   bench.case(name, bench.loop(function()
      net:forward(input)
   end), 1, goal)
end

for _, batch in ipairs { 1, 32 } do
   for case in nets.each(batch) do
      if is_wanted(case.name) and bench.wanted(case.name .. ', ') then
         local net, _, input = case.make()
         net:forward(input)
         net:evaluate()
         forward(case.name .. ', floats', net, input)
         forward(case.name .. ', int8', nn.quantize(net, input), input)
         local half = nn.removeChannels(net, input, { amount = 0.5 })
         half:evaluate()
         forward(case.name .. ', half the channels', half, input)
      end
   end
end

if bench.wanted '4096x4096' then
   local layer = nn.Linear(4096, 4096):float()
   local x = torch.FloatTensor(1, 4096):uniform(-1, 1)
   forward('Linear 4096x4096 b1, floats', layer, x)
   for _, bits in ipairs { 4, 8 } do
      forward(('Linear 4096x4096 b1, %d bits'):format(bits), nn.PackedLinear(layer, bits, 64), x)
   end
end
