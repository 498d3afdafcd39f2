--- One loop over an epoch's batches.
-- @module torch.dataset.loader.run
local errors = require 'torch.errors'
local assemble = require 'torch.dataset.loader.assemble'
local plans = require 'torch.dataset.loader.plan'
local share = require 'torch.dataset.loader.share'
local workers = require 'torch.dataset.loader.workers'

local Run = {}
Run.__index = Run

local M = {}

-- The rows that this process takes of a batch's samples, and how many there are in all.
local function own(shared, items)
   local raw = type(items) == 'table'
   local n = raw and #items or items:size(items:dim())
   local first, count = share.rows(n, shared.rank, shared.size)
   if not raw then
      return items:narrow(items:dim(), first, count), n
   end
   local part = { first = items.first + first - 1 }
   for i = 1, count do
      part[i] = items[first + i - 1]
   end
   return part, n
end

-- The plan of a loader that is shared: each batch's own rows; `rows` is how many it has in all.
local function shared_plan(self, plan)
   local shared = self.loader.shared
   return function(k)
      local items = plan(k)
      if items == nil then
         return nil
      end
      items, self.rows[k] = own(shared, items)
      return items
   end
end

--- Begin.
-- @param loader
-- @number epoch
-- @number position batches of it that have been handed out before
function M.new(loader, epoch, position)
   local self = setmetatable({
      loader = loader, epoch = epoch, given = position, sent = position, busy = false, rows = {},
   }, Run)
   if loader:isStream() then
      self.plan = plans.streamed(loader, epoch, position)
   else
      local count, batch = plans.indexed(loader, epoch)
      self.plan = function(k)
         return k <= count and batch(k) or nil
      end
   end
   if loader.shared then
      self.plan = shared_plan(self, self.plan)
   end
   return self
end

-- Jobs that are sent at once: what runs once for a batch finds cold caches, and a job takes five
-- times as long. A stream is not read further ahead than its samples are wanted.
local MANY = 32

-- Keep the workers busy with as many batches behind `given` ones as the loader prefetches.
local function keepBusy(self, crew, given)
   local wanted = given + self.loader.prefetch
   crew:allow(wanted)
   if self.sent < wanted and not self.exhausted then
      wanted = self.loader:isStream() and wanted or wanted + MANY
      repeat
         local items = self.plan(self.sent + 1)
         if items == nil then
            self.exhausted = true
         else
            self.sent = self.sent + 1
            crew:send(self.epoch, self.sent, items)
         end
      until self.exhausted or self.sent == wanted
   end
end

local function fromWorkers(self, k)
   local crew = self.loader:__crew(self)
   if not self.busy then
      self.busy = true
      keepBusy(self, crew, k - 1)
   end
   local result = crew:take(k)
   while not result and self.sent >= k do
      crew:wait()
      result = crew:take(k)
   end
   if not result then
      return nil
   end
   keepBusy(self, crew, k)
   workers.account(result[3])
   return result[1], result[2]
end

local function fromHere(self, k)
   local items = self.plan(k)
   if items == nil then
      return nil
   end
   return assemble.load(self.loader.spec, self.epoch, k, items)
end

--- The next batch; nil at the end.
-- @raise what went wrong with a sample: its index, the message, the stack
function Run:next()
   local loader = self.loader
   if self.ended then
      return nil
   elseif loader.run ~= self then
      errors.raise 'dataset.Loader: another loop over the loader has begun, which ended this one'
   end
   local k = self.given + 1
   self.ended = true -- after an error, Ctrl-C's too, there is nothing to go on with
   local batch, failure
   if loader.workers > 0 then
      batch, failure = fromWorkers(self, k)
   else
      batch, failure = fromHere(self, k)
   end
   if failure then
      errors.raise('dataset.Loader: '
         .. (loader.workers > 0 and workers.explainNil(failure) or failure))
   elseif batch == nil then
      loader:__finish(self)
      return nil
   end
   self.given, self.ended = k, false
   loader.lastRows, self.rows[k] = self.rows[k], nil
   return batch
end

return M
