-- busted's helper for `busted --run=cuda`: the specs of tensors and layers, unchanged, on CUDA
-- types. The names change places: torch.FloatTensor, 'torch.FloatTensor', x:type(), x:float() and
-- what files call so mean the class otherwise called torch.CudaTensor, and the other way round.
-- Storages of long, byte and char keep their names: they hold sizes and the bytes of files.
dofile 'test/support/preload.lua'

local torch = require 'torch'
local cutorch = require 'cutorch'
local convert = require 'torch.functions.convert'
local registry = require 'torch.class.registry'
local storages = require 'torch.Storage'
local types = require 'torch.types'
require('test.support.touched').watch(require 'busted')

local CUDA = 16 -- class number of a CUDA type minus that of the CPU's

-- Transfers to the host are by number before names change their meaning.
local toHost = {}
for dtype, name in pairs(types.names) do
   toHost[dtype] = convert.methods[dtype == 6 and 'bfloat16' or name:lower()]
end
for dtype in pairs(types.names) do
   local hostTensor, hostStorage = types.tensors[dtype].totable, types.storages[dtype].totable
   types.tensors[dtype + CUDA].totable = function(t)
      return hostTensor(toHost[dtype](t))
   end
   types.storages[dtype + CUDA].totable = function(s)
      return hostStorage(storages.allocate(dtype, #s):copy(s))
   end
end

local onHost = { Long = true, Byte = true, Char = true } -- storages

local function exchange(a, b)
   local classes, numbers = registry.classes, types.numbers
   local A, B = 'torch.' .. a, 'torch.' .. b
   classes[A], classes[B] = classes[B], classes[A]
   numbers[A], numbers[B] = numbers[B], numbers[A]
   torch[a], torch[b] = torch[b], torch[a]
   for _, name in ipairs { A, B } do
      registry.names[classes[name]] = name
      rawset(classes[name], '__typename', name)
   end
end

for dtype, name in pairs(types.names) do
   local cuda = 'Cuda' .. (name == 'Float' and '' or name)
   exchange(name .. 'Tensor', cuda .. 'Tensor')
   if not onHost[name] then
      exchange(name .. 'Storage', cuda .. 'Storage')
   end
   local method = dtype == 6 and 'bfloat16' or name:lower()
   for number in pairs(types.names) do
      for _, kind in ipairs { 'Tensor', 'Storage' } do
         local target = ('torch.%s%s'):format(name, kind)
         local list = kind == 'Tensor' and types.tensors or types.storages
         for _, class in ipairs { list[number], list[number + CUDA] } do
            class[method] = function(x)
               return x:type(target)
            end
         end
      end
   end
end
torch.setdefaulttensortype 'torch.DoubleTensor'

-- Random numbers come from the device's generator.
local seedHost = torch.manualSeed
function torch.manualSeed(seed, ...)
   if type(seed) == 'number' then -- else it belongs to the generator before it
      cutorch.manualSeedAll(seed)
   end
   return seedHost(seed, ...)
end
