-- models.lua FOLDER: writes the models that are served, a sample, and what each answers to it.
local ffi = require 'ffi'
local torch = require 'torch'
local nn = require 'nn'

local folder = assert(arg[1], 'models.lua FOLDER')
torch.manualSeed(1)
local models = {}
models.mlp = nn.Sequential():add(nn.View(784):setNumInputDims(3))
   :add(nn.Linear(784, 256)):add(nn.ReLU()):add(nn.Linear(256, 10)):float()
models.lenet = nn.Sequential()
   :add(nn.SpatialConvolution(1, 20, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
   :add(nn.SpatialConvolution(20, 50, 5, 5)):add(nn.ReLU()):add(nn.SpatialMaxPooling(2, 2))
   :add(nn.View(800):setNumInputDims(3))
   :add(nn.Linear(800, 500)):add(nn.ReLU()):add(nn.Linear(500, 10)):float()

local function write(name, text)
   local file = assert(io.open(folder .. '/' .. name, 'wb'))
   file:write(text)
   file:close()
end
local image = torch.FloatTensor(784):uniform()
write('sample', ffi.string(image:data(), 4 * 784))
for name, model in pairs(models) do
   torch.save(folder .. '/' .. name .. '.t7', model)
   write(name .. '.answer', ffi.string(model:forward(image:view(1, 1, 28, 28)):data(), 40))
end
local texts = {}
for i, value in ipairs(image:totable()) do
   texts[i] = ('%.6g'):format(value)
end
write('sample.json', '{"input": [' .. table.concat(texts, ', ') .. ']}')
