--- A sequence whose parts are on several devices, for a net that is too large for one.
--
-- The layers stay in their order: the first part of them goes to the first device, and so on, each
-- as an nn.GPU; sequences in the sequence count by their layers, other containers as one. Inputs
-- and gradients go from device to device; the output comes to the first one, where the loss is. As
-- with nn.GPU, everything passes through on the CPU, and layers move when the net is converted:
-- `nn.Placed(net, { 1, 2 }):cuda()`, so that no device ever holds all of it.
--
-- Without `layers`, devices get parts that need about as much memory: parameters with gradients and
-- Adam's moments, and with `input` the outputs, too. Parameters are on several devices, so
-- `getParameters` gives lists with a vector for each part; `optim.groups { optim.adam }` steps on
-- those. Only one device works at a time; `distributed.Pipeline` has them all work.
-- @classmod nn.Placed
-- @usage net = nn.Placed(net, { 1, 2, 3, 4 }):cuda()
-- net = nn.Placed(net, { 1, 2 }, { layers = { 3, 5 } }):cuda()
-- net = nn.Placed(net, { 1, 2 }, { input = torch.randn(32, 784) }):cuda()
-- @example
-- local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.Tanh()):add(nn.Linear(8, 2))
-- local placed = nn.Placed(net, { 1, 2 }, { layers = { 2, 1 } })
-- #placed:forward(torch.randn(5, 4)), tostring(placed:get(2).device) --> { 5, 2 }, '2'

local nn = require 'nn'
local balance = require 'nn.containers.balance'
local options = require 'torch.options'

local Placed = nn.declare('nn.Placed', 'nn.Sequential', {
   arguments = [[
      (net)       module  an nn.Sequential
      (devices)   table   a device for each part, from 1 on
      (settings)  table?  layers: how many each part has; input: a batch, for its memory
   ]],
})

local KNOWN = { layers = 'list', input = 'any' }

--- @raise "nn.Placed: the net has 3 layers, and there are 4 devices"
function Placed:__initialize(net, devices, settings)
   settings = options.check('nn.Placed', settings, KNOWN)
   if #devices == 0 then
      options.fail 'nn.Placed: expected a list of devices such as { 1, 2 }'
   end
   for i, device in ipairs(devices) do
      options.value('nn.Placed', ('device %d of the list'):format(i), device, 'count')
   end
   for i, part in ipairs(balance.parts('nn.Placed', net, #devices, settings, 'devices')) do
      self:add(nn.GPU(part, devices[i], i == #devices and devices[1] or nil))
   end
   self._type = self.modules[1]:type()
end

--- Move the parameters of each part into one flat storage on its device.
-- @return list of vectors, one for each part that has parameters
-- @return list of their gradients
-- @example
-- local net = nn.Sequential():add(nn.Linear(4, 8)):add(nn.Tanh()):add(nn.Linear(8, 2))
-- local parameters, gradients = nn.Placed(net, { 1, 2 }):getParameters()
-- #parameters, #gradients --> 2, 2
function Placed:getParameters()
   local parameters, gradients = {}, {}
   for _, part in ipairs(self.modules) do
      local p, g = part:getParameters()
      if p:nElement() > 0 then
         parameters[#parameters + 1], gradients[#gradients + 1] = p, g
      end
   end
   return parameters, gradients
end
