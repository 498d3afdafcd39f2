--- Where training runs: on the CPU, on a CUDA device, or on several.

local torch = require 'torch'
local nn = require 'nn'
local paths = require 'paths'
local options = paths.dofile 'options.lua'

local M = {}

local function same(x)
   return x
end

local cpu = { place = same, unplace = same, move = same, positions = same }

local function cuda(count, parts)
   require 'cunn'
   local cutorch = require 'cutorch'
   if count < 1 or count > cutorch.getDeviceCount() then
      options.refuse('--devices is %d, this machine has %d', count, cutorch.getDeviceCount())
   end
   cutorch.manualSeedAll(torch.initialSeed())
   cutorch.setOptions { deterministic = parts > 0 }
   local several = count > 1 or parts > 0

   local device = {}
   function device.place(net)
      net:cuda()
      if not several then
         return net
      end
      local ids = torch.range(1, count):totable()
      return nn.DataParallelTable(1):add(net, ids, parts > 0 and parts or nil)
   end
   function device.unplace(net)
      net:clearState()
      return (several and net:get(1) or net):clone():float()
   end
   function device.move(x)
      return nn.utils.recursiveType(x, 'torch.CudaTensor')
   end
   function device.positions(t)
      return t:cudaLong()
   end
   return device
end

--- @tparam table opt device ('cpu' or 'cuda'), devices (how many, default 1), parts (of a batch, or
-- 0, the default)
-- @return table of functions: `place(net)`, the net to train; `unplace(net)`, the net to save, on
-- the CPU; `move(x)`, a tensor, criterion or table of tensors where the net is; `positions(t)`, a
-- LongTensor there
function M.new(opt)
   local count, parts = opt.devices or 1, opt.parts or 0
   if opt.device == 'cuda' then
      return cuda(count, parts)
   elseif count ~= 1 or parts ~= 0 then
      options.refuse '--devices and --parts are for --device cuda'
   end
   return cpu
end

return M
