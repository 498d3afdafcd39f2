--- Writes the floats of a net's Linear layers for mlp: th export.lua model.t7 weights.bin
-- Prints the sizes that mlp wants on its command line.
local torch = require 'torch'
require 'nn'

local model, path = arg[1], arg[2]
if not path then
   io.stderr:write 'usage: th export.lua model.t7 weights.bin\n'
   os.exit(2)
end

local net = torch.load(model):float()
local layers = net:findModules 'nn.Linear'
local file = torch.DiskFile(path, 'w'):binary()
local sizes = { layers[1].weight:size(2) }
for _, layer in ipairs(layers) do
   file:writeFloat(layer.weight:contiguous():storage())
   file:writeFloat(layer.bias:contiguous():storage())
   table.insert(sizes, layer.weight:size(1))
end
file:close()
print(table.concat(sizes, ' '))
