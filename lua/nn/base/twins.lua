--- Who computes a call of a layer or criterion while an earlier one waits for backward.
--
-- What a layer keeps from `forward` for its `backward` belongs to one call. A recorded call of a
-- layer whose state, or whose container's or part's, is still needed is computed by a twin: a clone
-- that shares parameters and their gradients. A call that is not recorded is computed by the layer
-- itself, since the script may call its `backward`: then the waiting call moves to a clone. So the
-- fields of a layer, `output` among them, are those of the last call that it has computed itself.
-- @module nn.base.twins
local torch = require 'torch'
local functions = require 'torch.variables.functions'
local nested = require 'nn.nested'
local th = require 'torch.ffi'

local type = type -- torch puts its own in the global's place
local is_tensor = th.isTensor

local M = {}

local WEAK = { __mode = 'kv' } -- a call lives as long as its derivative, which holds it
local owners = setmetatable({}, WEAK) -- layer, or part of one -> the call that waits for it
local twins = setmetatable({}, { __mode = 'k' }) -- layer -> list of its twins

local function each(object, f, value)
   local found = f(object, value)
   if found == nil then
      local inside = object.modules or object.criterions
      if type(inside) == 'table' then
         for i = 1, #inside do
            found = each(inside[i], f, value)
            if found ~= nil then
               return found
            end
         end
      end
   end
   return found
end

--- Call f(part, value) for a layer or criterion and all inside it; ends where f gives something.
M.each = each

local function owner_of(part)
   return owners[part]
end

local function own(part, call)
   owners[part] = call
end

local function disown(part, call)
   if owners[part] == call then
      owners[part] = nil
   end
end

-- --- twins --------------------------------------------------------------------------------------

-- Fields that are no state of a call, and no parameters.
local CONSTANT = { weights = true, running_mean = true, running_var = true }

-- Bring the fields of a twin to those of its layer as they are now: numbers, texts, tables of them,
-- functions. False where the two have become too different: another class, other modules, types.
local function update(twin, object, seen)
   if seen[object] then
      return true
   end
   seen[object] = true
   if torch.typename(twin) ~= torch.typename(object) then
      return false
   end
   for key, value in pairs(object) do
      local mine = rawget(twin, key)
      if is_tensor(value) then
         if not is_tensor(mine) or mine:type() ~= value:type() then
            return false
         elseif CONSTANT[key] then
            mine:set(value)
         end
      elseif type(value) == 'table' then
         if type(mine) ~= 'table' or not update(mine, value, seen) then
            return false
         end
      elseif mine ~= value then
         rawset(twin, key, value)
      end
   end
   for key, value in pairs(twin) do
      if rawget(object, key) == nil then
         if type(value) == 'table' or is_tensor(value) then
            return false
         end
         rawset(twin, key, nil)
      end
   end
   return true
end

local function share(twin, object)
   if not object.parameters then
      return
   end
   local mine, my_gradients = twin:parameters()
   local parameters, gradients = object:parameters()
   for i = 1, mine and #mine or 0 do
      mine[i]:set(parameters[i])
      my_gradients[i]:set(gradients[i])
   end
end

local function clone_of(object)
   local twin = object:clone()
   share(twin, object)
   return twin
end

local function twin_of(object)
   local list = twins[object] or {}
   twins[object] = list
   for i = #list, 1, -1 do
      local twin = list[i]
      if not owners[twin] then
         if update(twin, object, {}) then
            share(twin, object)
            return twin
         end
         table.remove(list, i)
      end
   end
   list[#list + 1] = clone_of(object)
   return list[#list]
end

-- --- calls --------------------------------------------------------------------------------------

--- The layer, or a twin of it that has nothing to remember.
function M.idle(object)
   functions.sweep()
   return each(object, owner_of) and twin_of(object) or object
end

local function fresh(t)
   return t.new()
end

local function renew_output(part)
   if type(part.output) ~= 'number' then
      part.output = nested.map(fresh, part.output)
   end
end

-- The call goes on with a copy of all that its worker keeps; its results keep the worker's memory.
local function move_aside(part)
   local call = owners[part]
   if call and not call.active then -- its own backward may call forward of parts
      local worker = call.worker
      call.worker = clone_of(worker)
      each(worker, own, nil)
      each(call.worker, own, call)
      each(worker, renew_output)
   end
end

--- Let an unrecorded call of the layer write over what it keeps.
function M.make_room(object)
   if next(owners) ~= nil then
      functions.sweep()
      each(object, move_aside)
   end
end

--- A call that waits for backward: its worker may change meanwhile.
function M.wait(worker)
   local call = { worker = worker }
   each(worker, own, call)
   return call
end

--- f(worker, ...) of the waiting call.
function M.back(call, f, ...)
   call.active = true
   local result = f(call.worker, ...)
   call.active = false
   return result
end

--- Its backward has passed, or nobody wants it.
function M.leave(call)
   each(call.worker, disown, call)
end

return M
