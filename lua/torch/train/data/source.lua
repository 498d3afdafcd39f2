--- What the option `data` may be, as one kind of object: a loader.
--
-- A loader is called for an iteration function; `size`, `setEpoch`, `state`, `restore` and `stop`
-- are there where it has them.
-- @module torch.train.data.source

local torch = require 'torch'
local train = require 'torch.train.module'
local options = require 'torch.options'

local M = {}

local function has(object, name)
   return type(object) == 'table' and type(object[name]) == 'function'
end

-- A plain table may say how it is cut: { input =, target =, batchSize =, shuffle = }.
local CUTS = { 'batchSize', 'shuffle', 'seed', 'dropLast' }

local function of_table(data, settings)
   local tensors, cut = {}, {}
   for name, value in pairs(settings) do
      cut[name] = value
   end
   for name, value in pairs(data) do
      tensors[name] = value
   end
   for _, name in ipairs(CUTS) do
      if data[name] ~= nil and not torch.isTensor(data[name]) then
         cut[name], tensors[name] = data[name], nil
      end
   end
   return train.Batches(tensors, cut)
end

--- A loader of what was given.
-- @string title for messages
-- @param data a loader or iterator; a function that returns an iteration function; a dataset (an
-- object with size and get); a table of tensors such as { input =, target =, batchSize = }
-- @tab settings batchSize, shuffle and seed of what is cut here
-- @raise "train.Trainer: data is a number, expected ..."
function M.loader(title, data, settings)
   if options.callable(data) then
      return data
   elseif has(data, 'get') and has(data, 'size') then
      return train.Batches(data, settings)
   elseif type(data) == 'table' and not torch.typename(data) then
      return of_table(data, settings)
   end
   options.fail('%s: data is %s, expected a loader, a dataset (size, get), a function that returns '
      .. 'an iteration function, or tensors: { input = x, target = y, batchSize = 32 }', title,
      options.describe(data))
end

--- The number of batches, where it is known.
function M.size(loader)
   local n = has(loader, 'size') and loader:size()
   return type(n) == 'number' and n or nil
end

--- Tell a loader which epoch comes.
function M.setEpoch(loader, n)
   if has(loader, 'setEpoch') then
      loader:setEpoch(n)
   end
end

--- Where it stands; nil for one that cannot tell.
function M.state(loader)
   return has(loader, 'state') and has(loader, 'restore') and loader:state() or nil
end

--- The iteration function of the rest of an epoch.
-- @param loader
-- @param[opt] state what `state` gave
-- @int batches how many lie behind; without a state they are fetched, and dropped
function M.rest(loader, state, batches)
   if state then
      loader:restore(state)
      return loader()
   end
   local following = loader()
   for _ = 1, batches do
      following()
   end
   return following
end

--- Let a loader go.
function M.stop(loader)
   if has(loader, 'stop') then
      loader:stop()
   end
end

return M
