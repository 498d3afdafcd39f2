--- Gradients in buckets, each of which is reduced as soon as it is complete.
--
-- Buckets go in one order, the same on all ranks, whatever order gradients come in: one that is
-- complete waits for those before it.
-- @module distributed.training.buckets

local distributed = require 'distributed.module'

local M = {}
M.__index = M

--- Bytes of a bucket, from the setting in MiB.
function M.limit(settings)
   return (settings.bucket or 1) * 2 ^ 20
end

--- @tab list buckets: { parts = set of what has to be complete, tensor = function() -> Tensor,
-- done = function(tensor) or nil }
-- @tab settings op, ordered, group: as of distributed.allReduce
function M.new(list, settings)
   local of = {} -- part -> numbers of its buckets, ascending
   for i, bucket in ipairs(list) do
      for part in pairs(bucket.parts) do
         of[part] = of[part] or {}
         table.insert(of[part], i)
      end
   end
   return setmetatable({ list = list, of = of, settings = { op = 'mean', ordered = settings.ordered,
      group = settings.group, async = true } }, M)
end

--- Begin a pass.
function M:begin()
   self.next, self.works = 1, {}
   for _, bucket in ipairs(self.list) do
      bucket.left = {}
      for part in pairs(bucket.parts) do
         bucket.left[part] = true
      end
   end
end

local function launch(self, bucket)
   local tensor = bucket.tensor()
   local work = distributed.allReduce(tensor, self.settings)
   self.works[#self.works + 1] = { work, bucket, tensor }
   self.next = self.next + 1
end

--- A part is complete.
function M:ready(part)
   for _, i in ipairs(self.of[part] or {}) do
      self.list[i].left[part] = nil
   end
   while self.list[self.next] and next(self.list[self.next].left) == nil do
      launch(self, self.list[self.next])
   end
end

--- Whether what a part belongs to is on its way already.
function M:launched(part)
   local numbers = self.of[part]
   return numbers ~= nil and numbers[1] < self.next
end

--- The pass is over: reduce what is left, wait for all.
function M:finish()
   while self.list[self.next] do
      launch(self, self.list[self.next])
   end
   for _, entry in ipairs(self.works) do
      entry[1]:wait()
      if entry[2].done then
         entry[2].done(entry[3])
      end
   end
   self.works = {}
end

--- After an error: nothing more is reduced. What is on its way comes to its end.
function M:drop()
   for _, entry in ipairs(self.works) do
      pcall(entry[1].wait, entry[1])
   end
   self.works = {}
end

return M
