--- The passes of layers as ranges of a profile: `net.3.conv1`, forward and backward.
-- @module torch.profiler.layers
local class = require 'torch.class'
local session = require 'torch.profiler.session'
local trace = require 'torch.errors.trace'

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

-- Hang it on when nn has been loaded.
local function await(profile)
   local off
   session.nn_loaded = function()
      session.nn_loaded, off = nil, M.attach(profile)
   end
   return function()
      session.nn_loaded = nil
      if off then
         off()
      end
   end
end

-- The names of those within nothing, by object: net, criterion, net#2.
local function roots()
   local names, counts = setmetatable({}, weak), {}
   return function(object)
      if named(object) then
         return named(object)
      elseif not names[object] then
         local name = class.isTypeOf(object, 'nn.Criterion') and 'criterion' or 'net'
         counts[name] = (counts[name] or 0) + 1
         names[object] = counts[name] == 1 and name or ('%s#%d'):format(name, counts[name])
      end
      return names[object]
   end
end

-- Of each coroutine, what runs in it: { object, pass, path }, the innermost last.
local function stacks()
   local main, others = {}, setmetatable({}, weak)
   return function()
      local co = coroutine.running()
      if not co then
         return main
      end
      local mine = others[co] or {}
      others[co] = mine
      return mine
   end
end

--- Hang a profile on nn's seam, now or when nn is loaded.
-- @return function that takes it off
function M.attach(profile)
   local nn = package.loaded.nn
   if type(nn) ~= 'table' or not nn.StochasticGradient then -- not yet, or not all of it
      return await(profile)
   end
   local steps = setmetatable({}, weak) -- parent -> child -> step
   local root, stack = roots(), stacks()

   local function path_of(object, above)
      if not above then
         return root(object)
      elseif rawequal(above.object, object) then
         return above.path
      end
      local known = steps[above.object] or setmetatable({}, weak)
      steps[above.object] = known
      known[object] = known[object] or find(above.object, object)
      return above.path .. '.' .. known[object]
   end

   local function left(running, depth, range, ok, ...)
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
      local running = stack()
      local pass, above = PASS[method] or 'backward', running[#running]
      if above and rawequal(above.object, object) and above.pass == pass then
         return call(object, ...) -- forward's updateOutput
      end
      local path = path_of(object, above)
      local depth = #running + 1
      running[depth] = { object = object, pass = pass, path = path }
      local range = session.enter(profile, path, pass, short(object))
      return left(running, depth, range, xpcall(call, trace.keep, object, ...))
   end)
end

return M
