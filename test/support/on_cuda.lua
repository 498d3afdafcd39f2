-- busted's helper for `busted --run=cuda`: the specs of tensors and layers, unchanged, on CUDA
-- types. torch.DoubleTensor and the others stand for the CUDA classes, the default type is
-- torch.CudaDoubleTensor; ByteTensor and LongTensor stay, which specs expect of masks' and
-- positions' own functions. A test that needs an operation without a CUDA function is pending.
dofile 'test/support/preload.lua'

local torch = require 'torch'
local errors = require 'torch.errors'
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

-- busted gives each test a function of its own that ends it as pending.
local function pendingOfTest()
   local level = 3
   while true do
      local frame = debug.getinfo(level, 'f')
      if not frame then
         return function() end
      end
      local own = getfenv(frame.func).pending
      if own then
         return own
      end
      level = level + 1
   end
end

errors.library 'test/support' -- so that this file is not the user's

function errors.raise(message)
   local operation = type(message) == 'string' and message:match '([%w_]+): there is no CUDA'
   if operation then
      pendingOfTest()('no CUDA function: ' .. operation)
   end
   if type(message) == 'string' then
      message = errors.where() .. message
   end
   error(message, 0)
end
