--- What goes from one rank to another: tensors, or tables of them, of sizes that only the sender
-- knows. Sizes and types are sent where they differ from those of the time before.
-- @module distributed.pipeline.Link

local torch = require 'torch'
local nested = require 'nn.nested'
local distributed = require 'distributed.module'
local options = require 'torch.options'

local Link = {}
Link.__index = Link

--- @int rank the other one
function Link.new(rank)
   return setmetatable({ rank = rank, sent = nil, came = nil, works = {} }, Link)
end

-- A tensor's type and sizes as a string, for the tensors of a nest.
local function describe(nest)
   return nested.onto(function(_, x)
      if not torch.isTensor(x) then
         options.fail('distributed.Pipeline: %s goes from one stage to the next, expected tensors '
            .. 'or tables of tensors', options.describe(x))
      end
      return torch.typename(x) .. ' ' .. table.concat(x:size():totable(), ' ')
   end, nil, nest)
end

local function made(old, text)
   local name, sizes = text:match '^(%S+) ?(.*)$'
   if not torch.isTensor(old) or torch.typename(old) ~= name then
      old = torch.getmetatable(name).new()
   end
   local list = {}
   for size in sizes:gmatch '%d+' do
      list[#list + 1] = tonumber(size)
   end
   return old:resize(torch.LongStorage(list))
end

local function put(self, slot, x)
   local works = self.works[slot] or {}
   self.works[slot] = works
   works[#works + 1] = distributed.send(x, self.rank, { async = true })
end

--- Send; returns at once.
-- @param nest stays as it is until `settle`
-- @int slot for `settle`
function Link:send(nest, slot)
   local text = torch.serialize(describe(nest))
   local known = text == self.sent
   put(self, slot, torch.LongTensor { known and 0 or #text })
   if not known then
      put(self, slot, torch.ByteTensor(torch.ByteStorage():string(text)))
      self.sent = text
   end
   for _, t in ipairs(nested.tensors(nest)) do
      put(self, slot, t)
   end
end

--- Wait until what was sent for a slot is on its way, and may be written over.
function Link:settle(slot)
   for _, work in ipairs(self.works[slot] or {}) do
      work:wait()
   end
   self.works[slot] = nil
end

--- Wait for all slots.
function Link:finish()
   for slot in pairs(self.works) do
      self:settle(slot)
   end
end

--- Receive.
-- @param old what came for that slot before, which is written over; nil at first
-- @return nest
function Link:receive(old)
   local length = distributed.receive(torch.LongTensor(1), self.rank)[1]
   if length > 0 then
      local bytes = distributed.receive(torch.ByteTensor(length), self.rank)
      self.came = torch.deserialize(bytes:storage():string())
   end
   local nest = nested.into(made, old, self.came)
   for _, t in ipairs(nested.tensors(nest)) do
      distributed.receive(t, self.rank)
   end
   return nest
end

return Link
