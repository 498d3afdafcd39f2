--- Limits on gradients, before an optimiser sees them.
-- @module optim.clip

local torch = require 'torch'
local sharing = require 'torch.sharing'
local th = require 'torch.ffi'
local raise = require('torch.errors').raise

local M = {}

-- A tensor, or those of a list, each once: layers that share parameters name them again.
local function tensors(name, gradients)
   if torch.isTensor(gradients) then
      return { gradients }
   end
   local list = type(gradients) == 'table' and gradients or {}
   for i = 1, math.max(#list, 1) do
      if not torch.isTensor(list[i]) then
         local came = type(gradients) ~= 'table' and torch.type(gradients)
            or ('a list whose entry %d is a %s'):format(i, torch.type(list[i]))
         raise(('%s: gradients is %s, expected a tensor or a list of tensors, such as the two that '
            .. 'net:getParameters() and net:parameters() return second'):format(name, came))
      end
   end
   local once = {}
   for _, x in ipairs(sharing.once(list)) do
      once[#once + 1] = x:nElement() > 0 and x or nil
   end
   return once
end

local function positive(name, what, value)
   if type(value) ~= 'number' or value <= 0 or value ~= value then
      raise(('%s: %s is %s, expected a positive number'):format(name, what,
         type(value) == 'number' and tostring(value) or 'a ' .. torch.type(value)))
   end
end

-- The p-norm of a tensor as a tensor of one element, so that nobody waits for a device.
local function norm(x, p)
   local row = (x:isContiguous() and x or x:clone()):view(1, -1)
   if p == math.huge then
      return torch.abs(row):max(2):view(1)
   end
   return row:norm(p, 2):view(1)
end

-- A tensor on another one's device.
local function beside(x, other)
   return x.device == other.device and x or th.like(other):resizeAs(x):copy(x)
end

-- The p-norm of the norms of a list.
local function total(list, p)
   if #list == 1 then
      return norm(list[1], p)
   end
   local norms = {}
   for i, x in ipairs(list) do
      norms[i] = beside(norm(x, p), list[1])
   end
   return norm(torch.cat(norms, 1), p)
end

--- Scale gradients down to a norm.
--
-- g <- g min(1, maxNorm / (|g|_p + 1e-6)), |g|_p over the elements of all tensors.
-- Source: Pascanu, Mikolov and Bengio, "On the difficulty of training recurrent neural networks",
-- ICML 2013 (arXiv:1211.5063), Algorithm 1.
-- @param gradients Tensor, or a list of tensors of one type, on one device or several; changed in
-- place
-- @number maxNorm the largest norm that stays as it is
-- @number[opt=2] p which norm; math.huge takes the largest element
-- @return the norm before: a number, on a device a tensor of one element, for which nothing has
-- waited yet
-- @raise "clipGradNorm: maxNorm is 0, expected a positive number"
-- @example
-- local g = torch.Tensor { 3, 4 }
-- optim.clipGradNorm(g, 1) --> 5
-- math.abs(g:norm() - 1) < 1e-6 --> true
function M.clipGradNorm(gradients, maxNorm, p)
   local list = tensors('clipGradNorm', gradients)
   p = p or 2
   positive('clipGradNorm', 'maxNorm', maxNorm)
   positive('clipGradNorm', 'p', p)
   if #list == 0 then
      return 0
   end
   local before = total(list, p)
   if before.device_type == th.C.TH_CPU then
      local length = before[1]
      if length + 1e-6 > maxNorm or length ~= length then -- what is NaN becomes NaN throughout
         for _, g in ipairs(list) do
            g:mul(maxNorm / (length + 1e-6))
         end
      end
      return length
   end
   local factor = (before + 1e-6):pow(-1):mul(maxNorm):cmin(1)
   for _, g in ipairs(list) do
      g:cmul(beside(factor, g):view(torch.LongStorage(g:dim()):fill(1)):expandAs(g))
   end
   return before
end

--- Limit each element of gradients: g <- max(-limit, min(limit, g)).
-- @param gradients Tensor, or a list of tensors; changed in place
-- @number limit the largest size of an element
-- @return gradients
-- @raise "clipGradValue: limit is -1, expected a positive number"
-- @example
-- local g = torch.Tensor { 3, -4, 0.5 }
-- optim.clipGradValue(g, 1):sum() --> 0.5
function M.clipGradValue(gradients, limit)
   positive('clipGradValue', 'limit', limit)
   for _, g in ipairs(tensors('clipGradValue', gradients)) do
      g:clamp(-limit, limit)
   end
   return gradients
end

return M
