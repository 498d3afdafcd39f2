--- Which class an object is of, and from what it descends.
-- @module torch.class.queries
local errors = require 'torch.errors'
local registry = require 'torch.class.registry'

local M = {}

local names, parents = registry.names, registry.parents
local constructors, classOf = registry.constructors, registry.classOf

--- Class name of an instance; nil for anything else, constructors included.
-- @usage torch.typename(obj) -> string|nil
-- @example torch.typename(torch.zeros(2)), torch.typename 'text' --> 'torch.DoubleTensor', nil
function M.typename(object)
   local class = classOf(object)
   return class and names[class] or nil
end

--- Class name of an instance, Lua's type(object) otherwise.
-- @usage torch.type(obj) -> string
-- @example torch.type(torch.zeros(2)), torch.type 'text' --> 'torch.DoubleTensor', 'string'
function M.type(object)
   local class = classOf(object)
   return class and names[class] or type(object)
end

--- The class's `__version`, which the .t7 format stores; nil for what is no instance.
-- @usage torch.version(obj) -> number
-- @example torch.version(torch.Timer()) --> 1
function M.version(object)
   local class = classOf(object)
   return class and class.__version or nil
end

-- A plain class name must match a whole typename; what matches by pattern may match a part.
local function matches(class, spec)
   while class do
      local match = names[class]:match(spec)
      if match and (match ~= spec or match == names[class]) then
         return true
      end
      class = parents[class]
   end
   return false
end

local matchCache = {} -- spec -> class metatable -> boolean; a class's ancestry never changes

local function matchesCached(class, spec)
   local ofSpec = matchCache[spec]
   if not ofSpec then
      ofSpec = {}
      matchCache[spec] = ofSpec
   end
   local answer = ofSpec[class]
   if answer == nil then
      answer = matches(class, spec)
      ofSpec[class] = answer
   end
   return answer
end

--- Whether an object is an instance of a class or of one derived from it.
-- @param object anything
-- @param spec a constructor, a class metatable, a class name, a Lua pattern ('torch.*Tensor'), or
-- an instance, which stands for its class
-- @example torch.isTypeOf(torch.zeros(2), 'torch.DoubleTensor') --> true
function M.isTypeOf(object, spec)
   local class = classOf(object)
   if type(spec) ~= 'string' then
      local given = spec
      spec = constructors[spec] or names[spec] and spec or classOf(spec)
      if not spec then
         errors.raise('torch.isTypeOf: expected a class name, a pattern, a constructor or an '
            .. 'instance, got ' .. type(given))
      end
      while class and class ~= spec do
         class = parents[class]
      end
      return class ~= nil
   end
   return class ~= nil and matchesCached(class, spec)
end

--- Whether an object is a tensor of any type.
-- @usage torch.isTensor(obj) -> bool
-- @example torch.isTensor(torch.zeros(2)), torch.isTensor { 0, 0 } --> true, false
function M.isTensor(object)
   local class = classOf(object)
   return class ~= nil and matchesCached(class, 'torch.*Tensor')
end

--- Whether an object is a storage of any type.
-- @usage torch.isStorage(obj) -> bool
-- @example torch.isStorage(torch.LongStorage(2)) --> true
function M.isStorage(object)
   local class = classOf(object)
   return class ~= nil and matchesCached(class, 'torch.*Storage')
end

return M
