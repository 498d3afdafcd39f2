--- Fuzz target: index expressions and views.
--
-- The bytes of an input choose a tensor (type, sizes, strides, offset) and then operations on it,
-- each on the result of the one before, with arguments that are sensible or hostile. Every result
-- is compared with test.fuzz.model; where the model has none, the library must raise an error at
-- the caller's line. The tensor that was indexed stays as it was.
local ffi = require 'ffi'
local torch = require 'torch'
local model = require 'test.fuzz.model'
local operations = require 'test.fuzz.operations'
local types = require 'torch.io.types'

local M = {}

local MOST = 4096 -- elements that are compared one by one

local names = {
   'Double', 'Float', 'Long', 'Byte', 'Int', 'Short', 'Char', 'Half', 'BFloat16',
}

-- Decisions from the input's bytes; zeros after its end.
local function decisions(input)
   local at = 0
   local take = {}
   function take.byte()
      at = at + 1
      return input:byte(at) or 0
   end
   function take.upTo(n) -- 0 .. n - 1
      return take.byte() % n
   end
   function take.more()
      return at < #input
   end
   return take
end

local function source(take)
   local name = names[take.upTo(#names) + 1]
   local sizes, count = {}, 1
   for d = 1, take.upTo(5) do
      sizes[d] = take.upTo(4) + 1
      count = count * sizes[d]
   end
   local values = {}
   for i = 1, math.min(count, 100) + 4 do -- every type holds 1 .. 104 exactly
      values[i] = i
   end
   local offset = take.upTo(4)
   local storage = torch[name .. 'Storage'](values)
   -- Row-major, or with the dimensions stored in the other order.
   local m = model.fresh(values, sizes)
   m.offset = offset
   if take.upTo(2) == 1 then
      local backwards = {}
      for d = 1, #sizes do
         backwards[d] = sizes[#sizes + 1 - d]
      end
      for d, stride in ipairs(model.fresh({}, backwards).strides) do
         m.strides[#sizes + 1 - d] = stride
      end
   end
   if count > 100 then
      return nil
   elseif #sizes == 0 then
      m.offset = 0
      return torch[name .. 'Tensor'](), m
   end
   return torch[name .. 'Tensor'](storage, offset + 1, torch.LongStorage(sizes),
      torch.LongStorage(m.strides)), m
end

-- The elements by their addresses, without any of the library's own ways to read them.
local function elements(t)
   local T = types[torch.typename(t):match '^torch%.(%w+)Tensor$']
   local base = t:storage() and ffi.cast(T.pointer, t:storage():data())
   local sizes, strides = {}, {}
   for d = 1, t:dim() do
      sizes[d], strides[d] = t:size(d), t:stride(d)
      assert(sizes[d] > 0, 'a dimension of size 0')
   end
   local values = {}
   local m = model.new(nil, t:storageOffset() - 1, sizes, strides)
   if model.count(m) > MOST then
      return nil, m
   end
   local length = t:storage() and #t:storage() or 0
   model.each(m, function(place)
      assert(place >= 0 and place < length, 'a view leaves its storage')
      values[#values + 1] = T.opaque and t:storage()[place + 1] or tonumber(base[place])
   end)
   return values, m
end

local function show(list)
   return table.concat(list, ' ')
end

local function checkTensor(t, m, what)
   local values, geometry = elements(t)
   assert(show(geometry.sizes) == show(m.sizes),
      ('%s: sizes %s, expected %s'):format(what, show(geometry.sizes), show(m.sizes)))
   if values then
      local expected = show(model.values(m))
      assert(show(values) == expected,
         ('%s: elements %s, expected %s'):format(what, show(values), expected))
      local copied = elements(t:clone())
      assert(show(copied) == expected,
         ('%s: its clone has %s, expected %s'):format(what, show(copied), expected))
   end
end

local function checkMessage(message, what)
   assert(type(message) == 'string' and message:match '^[^\n]-test/fuzz/%w+%.lua:%d+: ',
      ('%s: an error that is not at the caller\'s line: %s'):format(what, tostring(message)))
   local reason = message:match ':%d+: (.*)$'
   for _, pattern in ipairs {
      '%.lua:%d+:', 'attempt to ', 'bad argument', 'cannot convert', 'stack overflow',
      'not enough memory',
   } do
      assert(not reason:match(pattern), ('%s: an unhelpful error: %s'):format(what, message))
   end
end

local function checkResult(result, expected, what)
   if expected.scalar then
      local value = expected.store[expected.offset + 1]
      assert(result == value, ('%s: %s, expected %s'):format(what, tostring(result), value))
   else
      assert(torch.isTensor(result), ('%s: %s, expected a tensor'):format(what, torch.type(result)))
      checkTensor(result, expected, what)
   end
end

--- One input. Raises what went wrong.
function M.one(input)
   local take = decisions(input)
   local t, m = source(take)
   if not t then
      return
   end
   for _ = 1, 8 do
      if not take.more() then
         break
      end
      -- `expected` is nil for an error; `open` says that either is right.
      local call, expected, what, open = operations.choose(take, t, m)
      local ok, result = pcall(call)
      if not ok then
         checkMessage(result, what)
         assert(expected == nil or open, ('%s: refused: %s'):format(what, result))
      elseif open then
         local _ = torch.isTensor(result) and elements(result)
      else
         assert(expected ~= nil, ('%s: taken, though it makes no sense'):format(what))
         checkResult(result, expected, what)
      end
      checkTensor(t, m, what .. ', the source afterwards')
      if ok and not open and not expected.scalar and model.count(expected) <= MOST then
         t, m = result, expected
      end
   end
end

return M
