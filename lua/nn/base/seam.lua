--- The seam through which every call of a module or criterion goes: `nn.seam`.
--
-- What hangs on it sees each call, may change what goes in and what comes out, and calls on:
--
--    local off = nn.seam.attach(function(call, module, method, ...)
--       print(torch.type(module), method)
--       return call(module, ...)
--    end)
--    net:forward(x)
--    off()
--
-- Hooks, profiles, casts to another type and records for differentiation need no other place. While
-- nothing hangs on it there is no seam: the classes have their own functions. Attaching puts a
-- wrapper in the place of each class's methods, users' classes included.
-- @module nn.base.seam

local registry = require 'torch.class.registry'
local trace = require 'torch.errors.trace'

local M = {}

--- The methods that can be seen.
M.methods = {
   'forward', 'backward', 'backwardUpdate', 'updateOutput', 'updateGradInput', 'accGradParameters',
   'accUpdateGradParameters',
}

local hooks = {} -- outermost first
local generation = 0 -- how often the hooks have changed
local wrapped = {} -- { class, method, original, f }
local originals = setmetatable({}, { __mode = 'k' }) -- wrapper -> what it stands for
local seen = 0 -- number of classes that have been looked at
local running = setmetatable({}, { __mode = 'k' }) -- object -> its method that is running
local depth = 0

local function is_ours(class)
   while class do
      local name = registry.names[class]
      if name == 'nn.Module' or name == 'nn.Criterion' then
         return true
      end
      class = registry.parents[class]
   end
   return false
end

-- original seen by the hooks from the i-th on
local function chain(i, original, method)
   local hook = hooks[i]
   if not hook then
      return original
   end
   local inner = chain(i + 1, original, method)
   return function(object, ...)
      return hook(inner, object, method, ...)
   end
end

--- A method as it is without the seam.
function M.plain(f)
   while originals[f] do
      f = originals[f]
   end
   return f
end

local function finish(object, before, ok, ...)
   running[object] = before
   depth = depth - 1
   if not ok then
      trace.rethrow((...))
   end
   return ...
end

local install

-- It may outlive its place in the class, in a method that somebody put over it, so it goes by the
-- hooks that there are when it is called.
local function wrapper(original, method)
   local outermost, made
   local function f(object, ...)
      local before = running[object]
      if #hooks == 0 or before == method then -- the latter: a class calls its parent's
         return original(object, ...)
      elseif depth == 0 then
         install() -- classes may have come
      end
      if made ~= generation then
         outermost, made = chain(1, original, method), generation
      end
      running[object] = method
      depth = depth + 1
      return finish(object, before, xpcall(outermost, trace.keep, object, ...))
   end
   originals[f] = original
   return f
end

local function wrap(class)
   for _, method in ipairs(M.methods) do
      local original = rawget(class, method)
      if type(original) == 'function' then
         local f = wrapper(original, method)
         wrapped[#wrapped + 1] = { class = class, method = method, original = original, f = f }
         rawset(class, method, f)
      end
   end
end

local function count()
   local n = 0
   for _ in pairs(registry.classes) do
      n = n + 1
   end
   return n
end

local known = {}

function install()
   local n = count()
   if n == seen then
      return
   end
   seen = n
   for _, class in pairs(registry.classes) do
      if not known[class] then
         known[class] = true
         if is_ours(class) then
            wrap(class)
         end
      end
   end
end

local function restore()
   for _, entry in ipairs(wrapped) do
      if rawget(entry.class, entry.method) == entry.f then -- else somebody replaced it
         rawset(entry.class, entry.method, entry.original)
      end
   end
   wrapped, known, seen = {}, {}, 0
end

local function renew()
   generation = generation + 1
   restore()
   if #hooks > 0 then
      install()
   end
end

--- Hang a function on the seam.
-- Methods that an object has of its own, outside of its class, are not seen.
-- @func hook hook(call, object, method, ...): runs in place of each call object:method(...), and
-- returns what that call shall return; `call(object, ...)` goes on
-- @return function that takes it off again
function M.attach(hook)
   hooks[#hooks + 1] = hook
   renew()
   return function()
      for i = #hooks, 1, -1 do
         if hooks[i] == hook then
            table.remove(hooks, i)
            renew()
            return
         end
      end
   end
end

return M
