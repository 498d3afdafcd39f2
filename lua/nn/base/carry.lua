--- From call to call of a layer, where twins compute some of them (nn.base.twins): the fields of a
-- twin become those of its layer as the script has set them, and as the newest call has left them.
--
-- A call begins with what the newest one has left, whoever has computed that: numbers, flags and
-- texts go from worker to worker (a counter counts on), unless the script has changed the layer's
-- own since. Tensors and tables do not: most are what backward reads. A class whose tensors are a
-- state names their fields in `__state`, and takes them over in `__carry(layer, from)`.
-- @module nn.base.carry
local torch = require 'torch'
local th = require 'torch.ffi'

local type = type -- torch puts its own in the global's place
local is_tensor = th.isTensor

local M = {}

--- Layer or part of one -> the twin that has computed its newest call; nil: itself.
M.newest = setmetatable({}, { __mode = 'k' })
local newest = M.newest

-- Fields that are no state of a call, and no parameters.
local CONSTANT = { weights = true, running_mean = true, running_var = true }

local NONE = {}
local before = setmetatable({}, { __mode = 'k' }) -- layer, part or table in it -> its numbers then

local function is_value(x)
   return type(x) ~= 'table' and not is_tensor(x)
end

-- Numbers, flags, texts, functions: the script's, where it has changed them, else of the last call.
local function carry_values(twin, object, last, state)
   local known, now = before[object] or {}, {}
   for key, value in pairs(object) do
      if is_value(value) and not state[key] then
         now[key] = value
         local left = rawget(last, key)
         if value == known[key] and is_value(left) then
            value = left
         end
         rawset(twin, key, value)
      end
   end
   for key, value in pairs(last) do
      if is_value(value) and not state[key] and rawget(object, key) == nil
         and known[key] == nil then
         rawset(twin, key, value) -- first set by a call of a twin
      end
   end
   for key, value in pairs(twin) do
      if is_value(value) and not state[key] and now[key] == nil
         and (known[key] ~= nil or rawget(last, key) == nil) then
         rawset(twin, key, nil)
      end
   end
   before[object] = now
end

local function update_nests(twin, object, last, seen, state)
   for key, value in pairs(object) do
      if not is_value(value) and not state[key] then
         local mine = rawget(twin, key)
         if type(mine) ~= type(value) then
            return false
         elseif is_tensor(value) then
            if not is_tensor(mine) or mine:type() ~= value:type() then
               return false
            elseif CONSTANT[key] then
               mine:set(value)
            end
         else
            local left = rawget(last, key)
            if not M.update(mine, value, type(left) == 'table' and left or value, seen) then
               return false
            end
         end
      end
   end
   for key, value in pairs(twin) do
      if not is_value(value) and rawget(object, key) == nil and not state[key] then
         return false
      end
   end
   return true
end

--- Bring the fields of a twin to those of its layer as they are now, and to what the newest call
-- has left. False where the two have become too different: another class, other modules, types.
-- The layer may be its own twin.
function M.update(twin, object, last, seen)
   if seen[object] then
      return true
   end
   seen[object] = true
   if torch.typename(twin) ~= torch.typename(object) then
      return false
   end
   last = newest[object] or last
   if torch.typename(object) and object.__carry then
      twin:__carry(object, last)
   end
   local state = torch.typename(object) and object.__state or NONE
   if not update_nests(twin, object, last, seen, state) then
      return false
   end
   carry_values(twin, object, last, state)
   newest[object] = twin ~= object and torch.typename(object) and twin or nil
   return true
end

return M
