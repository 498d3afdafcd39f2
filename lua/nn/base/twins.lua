--- Who computes a call of a layer or criterion while an earlier one waits for backward.
--
-- What a layer keeps from `forward` for its `backward` belongs to one call. A recorded call of a
-- layer whose state, or whose container's or part's, is still needed is computed by a twin: a clone
-- that shares parameters and their gradients. A call that is not recorded is computed by the layer
-- itself, since the script may call its `backward`: then the waiting call moves to a clone. So the
-- fields of a layer, `output` among them, are those of the last call that it has computed itself.
-- What a call has left for the next one: nn.base.carry.
-- @module nn.base.twins
local functions = require 'torch.variables.functions'
local carry = require 'nn.base.carry'
local nested = require 'nn.nested'

local type = type -- torch puts its own in the global's place
local newest = carry.newest

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
   local list = twins[object] or { used = 0 }
   twins[object] = list
   local i = 1
   while list[i] do
      local twin = list[i]
      if owners[twin] then
         i = i + 1
      elseif carry.update(twin, object, object, {}) then
         share(twin, object)
         break
      else
         table.remove(list, i)
      end
   end
   if not list[i] then
      list[i] = clone_of(object)
      carry.update(list[i], object, object, {})
   end
   list.used = math.max(list.used, i)
   return list[i]
end

local function newest_of(part)
   return newest[part]
end

-- The layer computes the next call itself: it goes on where the newest one has ended.
local function catch_up(object)
   if next(newest) ~= nil and each(object, newest_of) then
      carry.update(object, object, object, {})
   end
end

-- As many twins stay as have waited at once since the layer was idle last.
local function drop_unused(object)
   local list = twins[object]
   if list then
      nested.truncate(list, list.used)
      list.used = 0
   end
end

-- --- calls --------------------------------------------------------------------------------------

--- The layer, or a twin of it that has nothing to remember.
function M.idle(object)
   functions.sweep()
   if each(object, owner_of) then
      return twin_of(object)
   end
   catch_up(object)
   drop_unused(object)
   return object
end

--- Who has computed the newest call of a layer: itself, or a twin.
function M.newest(object)
   return newest[object] or object
end

--- Let go of the twins that no call needs: what `clearState` does.
function M.clear(object)
   functions.sweep()
   if not each(object, owner_of) then
      catch_up(object)
      twins[object] = nil
   end
end

local function fresh(t)
   return t.new()
end

local function renew_output(part)
   if type(part.output) ~= 'number' then
      part.output = nested.map(fresh, part.output)
   end
end

local function renew(part)
   renew_output(part)
   part.gradInput = nested.map(fresh, part.gradInput)
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
   catch_up(object)
end

--- A call that waits for backward: its worker may change meanwhile.
-- @param worker
-- @param object whose call it is
function M.wait(worker, object)
   local call = { worker = worker, borrowed = worker ~= object }
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

--- Its backward has passed, or nobody wants it. A twin lets go of what it has given.
function M.leave(call)
   each(call.worker, disown, call)
   if call.borrowed and not call.active then
      each(call.worker, renew)
   end
end

return M
