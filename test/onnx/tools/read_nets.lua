-- th test/onnx/tools/read_nets.lua FOLDER: reads each NAME.onnx of a folder and compares with what
-- NAME.safetensors has (test/onnx/tools/pytorch_nets.py writes them). Prints a line for each.
local lfs = require 'lfs'
local onnx = require 'onnx'
local safetensors = require 'safetensors'
local torch = require 'torch'

local folder = arg[1]
local worst = 0
local names = {}
for file in lfs.dir(folder) do
   names[#names + 1] = file:match '^(.*)%.onnx$'
end
table.sort(names)
for _, name in ipairs(names) do
   local data = safetensors.load(('%s/%s.safetensors'):format(folder, (name:gsub('_old$', ''))))
   local ok, net, about = pcall(onnx.import, ('%s/%s.onnx'):format(folder, name))
   if not ok then
      print(name, 'NOT READ', net)
      worst = math.huge
   else
      net:evaluate()
      local y = net:forward(data.x1)
      y = torch.isTensor(y) and { y } or y
      local off = 0
      for i, one in ipairs(y) do
         local wanted = data['y' .. i]
         assert(one:isSameSizeAs(wanted), name .. ': another size')
         off = math.max(off, (one - wanted):abs():max() / math.max(1, wanted:clone():abs():max()))
      end
      worst = math.max(worst, off)
      print(('%-20s opset %2d, %-10s %-14s off by %.1e'):format(name, about.opset, about.producer,
         torch.type(net), off))
   end
end
os.exit(worst <= 1e-5 and 0 or 1)
