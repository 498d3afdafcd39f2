--- What the option `data` may be, as one kind of object: a loader.
--
-- A loader is called for an iteration function; `size`, `setEpoch`, `state`, `restore` and `stop`
-- are there where it has them.
-- @module torch.train.data.source

local torch = require 'torch'
local near = require 'torch.near'
local train = require 'torch.train.module'
local options = require 'torch.options'

local M = {}

local function has(object, name)
   return type(object) == 'table' and type(object[name]) == 'function'
end

-- A plain table may say how it is cut: { input =, target =, batchSize =, shuffle = }.
local CUTS = { batchSize = true, shuffle = true, seed = true, dropLast = true }

-- A number beside the tensors is one of these, or was meant to be.
local function check_cuts(title, what, tensors)
   for name, value in pairs(tensors) do
      if type(value) == 'number' or type(value) == 'boolean' then
         options.fail('%s: %s has %s = %s, expected a tensor, or one of batchSize, shuffle, seed, '
            .. 'dropLast%s', title, what, tostring(name), tostring(value), near.hint(name, CUTS))
      end
   end
end

local function of_table(title, what, data, settings)
   local tensors, cut = {}, {}
   for name, value in pairs(settings) do
      cut[name] = value
   end
   for name, value in pairs(data) do
      tensors[name] = value
   end
   for name in pairs(CUTS) do
      if data[name] ~= nil and not torch.isTensor(data[name]) then
         cut[name], tensors[name] = data[name], nil
      end
   end
   check_cuts(title, what, tensors)
   return train.Batches(tensors, cut)
end

--- A loader of what was given.
-- @string title for messages
-- @param data a loader or iterator; a function that returns an iteration function; a dataset (an
-- object with size and get); a table of tensors such as { input =, target =, batchSize = }
-- @tab settings batchSize, shuffle and seed of what is cut here
-- @string[opt='data'] what it is called, for messages
-- @raise "train.Trainer: data is a number, expected ..."
function M.loader(title, data, settings, what)
   what = what or 'data'
   if options.callable(data) then
      return data
   elseif has(data, 'get') and has(data, 'size') then
      return train.Batches(data, settings)
   elseif type(data) == 'table' and not torch.typename(data) then
      return of_table(title, what, data, settings)
   end
   options.fail('%s: %s is %s, expected a loader, a dataset (size, get), a function that returns '
      .. 'an iteration function, or tensors: { input = x, target = y, batchSize = 32 }', title,
      what, options.describe(data))
end

--- Begin an epoch.
-- @return the function that gives batch after batch
-- @raise where there is none: what was given for a loader is such a function itself, say
function M.begin(loader)
   local following = loader()
   if not options.callable(following) then
      options.fail('train.Trainer: the data gave %s where an epoch begins, expected a function '
         .. 'that gives batch after batch; data = loader, where loader() would be such a function',
         options.describe(following))
   end
   return following
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

--- Whether a loader is told which epoch comes.
function M.counts(loader)
   return has(loader, 'setEpoch')
end

-- Whether the loader is where another one stood.
local function restore(loader, state)
   if state == nil or not has(loader, 'restore') then
      return false
   end
   loader:restore(state)
   return true
end

--- Between two epochs, what a loader goes on with, such as a seed that it has drawn. Of one that
-- counts: others may stand at the end of the epoch that is over, which is no place to begin at.
function M.restoreBetween(loader, state)
   if M.counts(loader) then
      restore(loader, state)
   end
end

--- The iteration function of the rest of an epoch.
-- @param loader
-- @param[opt] state what `state` gave
-- @int batches how many lie behind; without a state they are fetched, and dropped
function M.rest(loader, state, batches)
   local there = restore(loader, state)
   local following = M.begin(loader)
   if there then
      return following
   end
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
