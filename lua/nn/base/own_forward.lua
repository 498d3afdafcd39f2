--- Classes that define `forward` themselves, on Variables.
--
-- nn.Module.forward and nn.Criterion.forward record a call that Variables are part of. Where a
-- class has written `forward`, and the way back beside it, that is put before it as soon as a
-- program has Variables. One that writes `forward` alone goes on to what is recorded: its parent's,
-- modules inside, operations.
-- @module nn.base.own_forward

local registry = require 'torch.class.registry'
local seam = require 'nn.base.seam'

local M = {}

local WAY_BACK = { 'updateGradInput', 'backward', 'accGradParameters' }

local ours = setmetatable({}, { __mode = 'k' }) -- the functions that have been put there

local function recorded(method, plain)
   local function forward(self, input, ...)
      local variables = require 'nn.base.variables'
      if variables.concerns(self, input) then
         return variables[method](self, input, ...)
      end
      return plain(self, input, ...)
   end
   ours[forward] = true
   return forward
end

local function has_way_back(class)
   for _, name in ipairs(WAY_BACK) do
      if rawget(class, name) then
         return true
      end
   end
   return false
end

-- The classes from one up to nn.Module or nn.Criterion, and what is recorded there; nil: another
-- class altogether.
local function line_of(class)
   local line = {}
   while class do
      local name = registry.names[class]
      if name == 'nn.Module' or name == 'nn.Criterion' then
         return line, name == 'nn.Module' and 'forward' or 'loss'
      end
      line[#line + 1] = class
      class = registry.parents[class]
   end
end

local function see_class(class)
   local line, method = line_of(class)
   for _, part in ipairs(line or {}) do
      local forward = rawget(part, 'forward')
      if type(forward) == 'function' and not ours[seam.plain(forward)] and has_way_back(part) then
         rawset(part, 'forward', recorded(method, forward))
      end
   end
end

--- Look at the class of an object that is made.
function M.see(object)
   see_class(registry.classOf(object))
end

--- Look at all classes there are.
function M.install()
   for _, class in pairs(registry.classes) do
      see_class(class)
   end
end

--- Whether a class between an object and nn.Module or nn.Criterion has written a method.
function M.writes(object, name)
   for _, class in ipairs(line_of(registry.classOf(object)) or {}) do
      if rawget(class, name) then
         return true
      end
   end
   return rawget(object, name) ~= nil
end

return M
