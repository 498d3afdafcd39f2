--- Where a training runs, and what moves there.
-- @module torch.train.data.devices

local torch = require 'torch'
local nested = require 'nn.nested'
local options = require 'torch.options'
local packages = require 'torch.packages'

local M = {}

local function shown(device)
   return type(device) == 'table' and '{ ' .. table.concat(device, ', ') .. ' }' or tostring(device)
end

-- 'cuda:2' -> 2
function M.number(device)
   return type(device) == 'string' and tonumber(device:match '^cuda:(%d+)$') or nil
end

local function numbers(device)
   if type(device) == 'table' then
      return device
   elseif device == 'cuda' then
      return { require('cutorch').getDevice() }
   end
   return { M.number(device) }
end

local function check_there(title, ids, device)
   local cutorch = require 'cutorch'
   local count = cutorch.getDeviceCount()
   for _, id in ipairs(ids) do
      if type(id) ~= 'number' or id < 1 or id > count or id % 1 ~= 0 then
         options.fail('%s: device is %s, this machine has %d devices', title, shown(device), count)
      end
   end
end

--- The place of a training.
-- @string title for messages
-- @param device nil (everything stays where it is), 'cpu', 'cuda', 'cuda:2', or a list of devices,
-- each of which takes a part of every batch
-- @return table: cuda (bool), ids, type (that of floating-point tensors)
function M.of(title, device)
   if device == nil then
      return {}
   elseif device == 'cpu' then
      return { type = 'torch.FloatTensor', cuda = false }
   end
   if type(device) ~= 'table' and device ~= 'cuda' and not M.number(device) then
      options.fail("%s: device is %s, expected 'cpu', 'cuda', 'cuda:2' or a list such as { 1, 2 }",
         title, options.describe(device))
   end
   local loaded, reason = packages.try 'cunn'
   if not loaded then
      options.fail('%s: device is %s, and the package cunn cannot be loaded: %s', title,
         shown(device), tostring(reason))
   end
   local ids = numbers(device)
   check_there(title, ids, device)
   return { type = 'torch.CudaTensor', cuda = true, ids = ids }
end

--- The network where it trains: itself, or spread over devices.
function M.network(place, model)
   if not place.type then
      return model
   elseif place.cuda then
      require('cutorch').setDevice(place.ids[1])
   end
   model:type(place.type)
   if place.ids and #place.ids > 1 then
      local nn = require 'nn'
      return nn.DataParallelTable(1):add(model, place.ids)
   end
   return model
end

local floating = {
   ['torch.FloatTensor'] = true, ['torch.DoubleTensor'] = true, ['torch.CudaTensor'] = true,
   ['torch.CudaDoubleTensor'] = true,
}

local function cuda_name(name)
   return name == 'torch.FloatTensor' and 'torch.CudaTensor'
      or (name:gsub('^torch%.(%u)', 'torch.Cuda%1'))
end

local function host_name(name)
   return name == 'torch.CudaTensor' and 'torch.FloatTensor' or (name:gsub('^torch%.Cuda',
      'torch.'))
end

--- A batch where the network is: float and double become its type, others keep their elements'.
-- @tab place
-- @param nest tensors in tables
function M.move(place, nest)
   if not place.type then
      return nest
   end
   return nested.map(function(t)
      local name = torch.typename(t)
      if name == place.type then
         return t
      elseif floating[name] then
         return t:type(place.type)
      end
      local on_device = name:find('Cuda', 1, true)
      if place.cuda and not on_device then
         return t:type(cuda_name(name))
      elseif not place.cuda and on_device then
         return t:type(host_name(name))
      end
      return t
   end, nest)
end

return M
