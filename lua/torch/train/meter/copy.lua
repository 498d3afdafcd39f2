--- Copies of meters, which count for themselves.
--
-- A meter may be an object, whose tables and tensors are copied, or a table of closures, which
-- count in the locals around them: these closures are copied with their locals, and what they
-- shared they share again. Locals that hold packages, objects of classes (but for meters), or
-- functions of other files are shared with the original.
-- @module torch.train.meter.copy

local torch = require 'torch'

local M = {}

local copied

-- Tables that are packages, and the table of all globals.
local function packages()
   local set = { [_G] = true }
   for _, package in pairs(package.loaded) do
      if type(package) == 'table' then
         set[package] = true
      end
   end
   return set
end

local function is_meter(x)
   return type(x.add) == 'function' and type(x.value) == 'function' and type(x.reset) == 'function'
end

-- @bool around whether it is from the locals around a closure
local function of_table(x, seen, around)
   local copy = setmetatable({}, getmetatable(x))
   seen[x] = copy
   for key, value in next, x do
      copy[key] = copied(value, seen, around)
   end
   return copy
end

-- A closure of the same file as the meter's, with its own locals.
local function of_function(f, seen)
   local source = debug.getinfo(f, 'S').source
   seen.source = seen.source or source
   if debug.getinfo(f, 'S').what ~= 'Lua' or source ~= seen.source then
      return f
   end
   local copy = setfenv(assert(loadstring(string.dump(f))), getfenv(f))
   seen[f] = copy
   for i = 1, debug.getinfo(f, 'u').nups do
      local id = debug.upvalueid(f, i)
      local known = seen.upvalues[id]
      if known then
         debug.upvaluejoin(copy, i, known[1], known[2])
      else
         seen.upvalues[id] = { copy, i }
         local _, value = debug.getupvalue(f, i)
         debug.setupvalue(copy, i, copied(value, seen, true))
      end
   end
   return copy
end

function copied(x, seen, around)
   if seen[x] ~= nil then
      return seen[x]
   elseif torch.isTensor(x) then
      seen[x] = x:clone()
      return seen[x]
   elseif type(x) == 'function' then
      return of_function(x, seen)
   elseif type(x) ~= 'table' or seen.packages[x]
      or around and torch.typename(x) and not is_meter(x) then
      return x
   end
   return of_table(x, seen, around)
end

--- A copy of a meter.
-- @param meter object or table with add, value and reset
function M.copy(meter)
   return of_table(meter, { upvalues = {}, packages = packages() })
end

return M
