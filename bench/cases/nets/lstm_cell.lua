-- One step of an LSTM with one sequence, where a net acts as it goes: the state stays in the layer.
local torch = require 'torch'
local nn = require 'nn'
local bench = require 'bench.harness'

local net = nn.LSTM(64, 64):float()
net:evaluate()
net:remember()
local x = torch.FloatTensor(1, 1, 64):uniform()

bench.case('LSTM cell 1x64, step', bench.loop(function()
   net:forward(x)
end), 1, 15)
