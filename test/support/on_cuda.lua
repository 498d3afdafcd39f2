-- busted's helper for `busted --run=cuda`: the specs of tensors and layers, unchanged, on CUDA
-- types. torch.DoubleTensor and the others stand for the CUDA classes, the default type is
-- torch.CudaDoubleTensor; ByteTensor and LongTensor stay, which specs expect of masks' and
-- positions' own functions.
dofile 'test/support/preload.lua'

local torch = require 'torch'
local cutorch = require 'cutorch'

for _, name in ipairs { 'Double', 'Float', 'Int', 'Short', 'Char', 'Half', 'BFloat16' } do
   local cuda = 'Cuda' .. (name == 'Float' and '' or name)
   for _, kind in ipairs { 'Tensor', 'Storage' } do
      torch[name .. kind] = torch[cuda .. kind]
   end
end
torch.setdefaulttensortype 'torch.CudaDoubleTensor'

-- Random numbers come from the device's generator.
local seedHost = torch.manualSeed
function torch.manualSeed(seed, ...)
   if type(seed) == 'number' then -- else it belongs to the generator before it
      cutorch.manualSeedAll(seed)
   end
   return seedHost(seed, ...)
end
