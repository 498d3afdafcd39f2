--- Putting what a checkpoint holds into the objects that are there: tensors stay where they are, so
-- that whoever holds them (optimisers, flat vectors, the script) sees the new elements.
-- @module torch.train.checkpoint.restore

local torch = require 'torch'
local nested = require 'nn.nested'
local shapes = require 'torch.functions.shapes'
local options = require 'torch.options'
local train = require 'torch.train.module'

local M = {}

local function index(list)
   local by_name = {}
   for _, entry in ipairs(list) do
      by_name[entry.name] = entry.tensor
   end
   return by_name
end

--- Raise unless a network has the tensors of another one: names, sizes, element types.
-- @string path the file, for messages
-- @param model the network that is there
-- @param saved the one of the file
-- @raise "train.Trainer: 'run/step-00000120.t7': 3.weight is 10x100 in the checkpoint, 20x100 in
-- the model"
function M.check(path, model, saved)
   local function refuse(text, ...)
      options.fail("train.Trainer: '%s': " .. text, path, ...)
   end
   local function fail(text, ...)
      options.fail("train.Trainer: '%s': " .. text .. '; a checkpoint belongs to the architecture '
         .. 'that it was made with; another folder begins anew', path, ...)
   end
   if not torch.isTypeOf(saved, 'nn.Module') then
      options.fail("train.Trainer: '%s' is no checkpoint of a Trainer", path)
   end
   local mine, theirs = train.tensors(model), train.tensors(saved)
   local have, come = index(mine), index(theirs)
   for _, entry in ipairs(theirs) do
      local name, got, own = entry.name, entry.tensor, have[entry.name]
      if not own then
         fail('%s (%s) is in the checkpoint, and not in the model', name, shapes.text(got))
      elseif not own:isSameSizeAs(got) then
         fail('%s is %s in the checkpoint, %s in the model', name, shapes.text(got),
            shapes.text(own))
      elseif own.dtype ~= got.dtype then
         fail('%s is a %s in the checkpoint, a %s in the model', name, torch.typename(got),
            torch.typename(own))
      end
   end
   local still = {} -- a frozen one has no place in the optimiser's state
   for _, entry in ipairs(theirs) do
      still[entry.name] = train.isFrozen(entry)
   end
   for _, entry in ipairs(mine) do
      if come[entry.name] and still[entry.name] ~= train.isFrozen(entry) then
         refuse('%s is %s in the checkpoint, and not in the model: train.freeze and train.unfreeze '
            .. 'come before the Trainer, and are the same for a run that goes on', entry.name,
            still[entry.name] and 'frozen' or 'learnt')
      end
      if not come[entry.name] then
         fail('%s (%s) is in the model, and not in the checkpoint', entry.name,
            shapes.text(entry.tensor))
      end
   end
end

local function restore_tensor(own, key, value)
   local mine = own[key]
   if torch.isTensor(mine) and mine.dtype == value.dtype and mine:isSameSizeAs(value) then
      if mine:nElement() > 0 then
         mine:copy(value)
      end
   elseif torch.isTensor(mine) and mine.device_type ~= value.device_type then
      own[key] = value:nElement() > 0 and value:type(torch.typename(mine)) or mine
   else
      own[key] = value
   end
end

--- Put the fields of a saved object into one that is there, at every depth.
-- Functions stay as they are; so do fields that the saved object lacks.
-- @return own
function M.into(own, saved, seen)
   seen = seen or {}
   if seen[saved] then
      return own
   end
   seen[saved] = true
   for key, value in pairs(saved) do
      local mine = rawget(own, key)
      if torch.isTensor(value) then
         restore_tensor(own, key, value)
      elseif type(value) == 'table' and type(mine) == 'table' then
         M.into(mine, value, seen)
      elseif type(value) ~= 'function' then
         own[key] = value
      end
   end
   return own
end

--- Tensors of a nest where those of a type are: the optimiser's state, moved to the parameters.
-- @param nest
-- @param like a tensor on the right device
function M.beside(nest, like)
   return nested.change(function(x)
      if torch.isTensor(x) and x.device_type ~= like.device_type then
         return x:type(torch.typename(like))
      end
      return x
   end, nest)
end

return M
