--- An optimiser whose state stays in the host's memory.
-- @module optim.offload

local torch = require 'torch'
local declared = require 'optim.options'
local options = require 'torch.options'
local parts = require 'optim.parts'
local step = require 'optim.step'
local th = require 'torch.ffi'
local types = require 'torch.types'
local whole = require 'optim.whole'

local KNOWN = { chunk = 'count' }

local CHUNK = 2 ^ 22 -- elements: 16 MiB of floats for each tensor of the state

local Offloaded = {}
Offloaded.__index = Offloaded

-- Page-locked memory for n elements.
local function host_vector(dtype, n)
   return require('cutorch')[('createCudaHost%sTensor'):format(types.names[dtype])](n)
end

-- Of a table, what belongs to elements first to first + count - 1 of x: tensors of n elements as
-- parts of them on x's device, all else as it is.
local function part_of(values, x, n, first, count)
   local part = {}
   for name, value in pairs(values) do
      if torch.isTensor(value) and value:nElement() == n then
         local rows = value:contiguous():view(-1):narrow(1, first, count)
         value = th.likeType(x, value.dtype):resize(count):copy(rows)
      end
      part[name] = value
   end
   return part
end

-- Whether a field of a part belongs to elements of x: it was a tensor of n, or the step has made
-- it.
local function is_part(name, before, n)
   local was = before[name]
   return was == nil or torch.isTensor(was) and was:nElement() == n
end

-- What a step has made of a part of the state goes to the host.
local function put_back(state, before, part, n, first, count)
   for name, value in pairs(part) do
      if torch.isTensor(value) and value:nElement() == count and is_part(name, before, n) then
         local kept = state[name]
         if not torch.isTensor(kept) or kept.device_type ~= th.C.TH_CPU then
            kept = host_vector(value.dtype, n)
            if torch.isTensor(state[name]) then -- of a state that was on the device before
               kept:copy(state[name])
            end
            state[name] = kept
         end
         kept:view(-1):narrow(1, first, count):copy(value)
      end
   end
end

-- Give the memory of a part back at once, and not when Lua collects: the next part needs as much.
local function release(part, before, n)
   for name, value in pairs(part) do
      if torch.isTensor(value) and is_part(name, before, n) then
         value:set()
      end
   end
end

local function run(self, opfunc, x, config, state)
   local n = x:nElement()
   local loss, g = step.evaluate('optim.offload', opfunc, x)
   x, g = parts.flat('optim.offload', 'x', x), parts.flat('optim.offload', 'the gradient', g)
   local before, numbers = {}, {}
   for name, value in pairs(state) do -- what the first chunk makes, the second one has not yet
      before[name] = value
   end
   for first = 1, n, self.chunk do
      local count = math.min(self.chunk, n - first + 1)
      local part = part_of(before, x, n, first, count)
      local own = part
      if state ~= config then
         own = setmetatable(part_of(config, x, n, first, count), { __index = config })
      end
      self.optimizer(function()
         return loss, g:narrow(1, first, count)
      end, x:narrow(1, first, count), own, part)
      put_back(state, before, part, n, first, count)
      release(part, before, n)
      if own ~= part then
         release(own, config, n)
      end
      numbers = part
   end
   for name, value in pairs(numbers) do -- each part's step has counted alike
      if not torch.isTensor(value) then
         state[name] = value
      end
   end
   return loss
end

--- A step: the form of every optimiser.
function Offloaded:__call(opfunc, x, config, state)
   config = step.arguments('optim.offload', opfunc, x, config, state)
   state = state or config
   if x.device_type == th.C.TH_CPU or x:nElement() == 0 then
      return self.optimizer(opfunc, x, config, state)
   end
   if self.name then
      declared.check(self.name, config, state)
   end
   local loss = require('cutorch').withDevice(x:getDevice(), run, self, opfunc, x, config, state)
   return x, { loss }
end

--- An optimiser that keeps its state in page-locked memory of the host, where x is on a device.
--
-- A step goes chunk by chunk: a part of the state comes to the device, x takes its step, the part
-- goes back. The device needs room for the state of one chunk, and each step moves the state twice
-- (Adam: 16 bytes for each parameter of floats). The bits are those of the optimiser alone. With
-- groups, `optim.groups { optim.offload(optim.adam), ... }`; shared out,
-- `distributed.sharded(optim.offload(optim.adam))`.
-- Source of the idea: Ren et al., "ZeRO-Offload", USENIX ATC 2021 (arXiv:2101.06840), which also
-- computes the step on the host.
-- @func optimizer of optim, one that treats each element for itself: adam, adamw, sgd, ...
-- @tab[opt] settings chunk (2^22): elements of x that take their step at once
-- @return what is called as the optimiser is
-- @raise "optim.offload: optim.lbfgs looks at all parameters at once; adam, adamw, sgd and their
-- kin go in chunks"
-- @usage local adam = optim.offload(optim.adam)
-- @example
-- local adam = optim.offload(optim.adam)
-- local x = torch.ones(2)
-- adam(function() return 0, torch.ones(2) end, x, { learningRate = 0.5 })
-- x --> { 0.5, 0.5 }
local function offload(optimizer, settings)
   settings = options.check('optim.offload', settings, KNOWN)
   local name = whole(optimizer)
   if name then
      options.fail('optim.offload: optim.%s looks at all parameters at once; adam, adamw, sgd '
         .. 'and their kin go in chunks', name)
   elseif type(optimizer) ~= 'function' then
      options.fail('optim.offload: expected an optimiser such as optim.adam, got %s; groups and '
         .. 'shares go around it: optim.groups { optim.offload(optim.adam) }',
         options.describe(optimizer))
   end
   local optim = require 'optim'
   for key in pairs(declared.of) do
      name = optim[key] == optimizer and key or name
   end
   return setmetatable({ optimizer = optimizer, chunk = settings.chunk or CHUNK, name = name },
      Offloaded)
end

return offload
