--- The passes of layers as ranges of a profile: `net.3.conv1`, forward and backward.
-- @module torch.profiler.layers
local class = require 'torch.class'
local session = require 'torch.profiler.session'

local M = {}

local PASS = { forward = 'forward', updateOutput = 'forward' } -- the other methods are backward

local function named(object)
   local name = type(object) == 'table' and rawget(object, 'name')
   return type(name) == 'string' and name or nil
end

local function short(object)
   return ((class.type(object) or '?'):gsub('^nn%.', ''))
end

-- What the parent calls the child: by its own name, by position among the modules, by field.
local function find(parent, child)
   if named(child) then
      return named(child)
   end
   for _, list in ipairs { 'modules', 'criterions' } do
      for i, module in ipairs(type(parent[list]) == 'table' and parent[list] or {}) do
         if rawequal(module, child) then
            return tostring(i)
         end
      end
   end
   for key, value in pairs(parent) do
      if rawequal(value, child) and type(key) == 'string' then
         return key
      end
   end
   return short(child)
end

local weak = { __mode = 'k' }

--- Hang a profile on nn's seam, if nn is loaded.
-- @return function that takes it off
function M.attach(profile)
   local nn = package.loaded.nn
   if not nn or not nn.seam then
      return function() end
   end
   local trace = require 'nn.base.trace'
   local steps = setmetatable({}, weak) -- parent -> child -> step
   local running = {} -- { object, pass, path }, the innermost last

   local function path_of(object)
      local above = running[#running]
      if not above then
         local criterion = class.isTypeOf(object, 'nn.Criterion')
         return named(object) or criterion and 'criterion' or 'net'
      elseif rawequal(above.object, object) then
         return above.path
      end
      local known = steps[above.object] or setmetatable({}, weak)
      steps[above.object] = known
      known[object] = known[object] or find(above.object, object)
      return above.path .. '.' .. known[object]
   end

   local function left(depth, range, ok, ...)
      for i = #running, depth, -1 do
         running[i] = nil
      end
      session.leave(profile, range)
      if not ok then
         trace.rethrow((...))
      end
      return ...
   end

   return nn.seam.attach(function(call, object, method, ...)
      local pass, above = PASS[method] or 'backward', running[#running]
      if above and rawequal(above.object, object) and above.pass == pass then
         return call(object, ...) -- forward's updateOutput
      end
      local path = path_of(object)
      local depth = #running + 1
      running[depth] = { object = object, pass = pass, path = path }
      local range = session.enter(profile, path, pass, short(object))
      return left(depth, range, xpcall(call, trace.keep, object, ...))
   end)
end

return M
