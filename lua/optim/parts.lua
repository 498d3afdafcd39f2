--- The layers' tensors within a flat vector of parameters, for optimisers that look at each alone.
-- @module optim.parts

local torch = require 'torch'
local sharing = require 'torch.sharing'
local raise = require('torch.errors').raise

local M = {}

-- What `config` says of the shapes: a list of tensors, or of sizes.
local function listed(name, config)
   local list = config.parameters or config.shapes
   if torch.isTypeOf(list, 'nn.Module') then
      list = require('nn.nested').append({}, (list:parameters()))
   end
   if list == nil then
      return nil
   elseif type(list) ~= 'table' then
      raise(('%s: parameters is a %s, expected the list of net:parameters()'):format(name,
         torch.type(list)))
   end
   return torch.isTensor(list[1]) and sharing.once(list) or list -- x has once what layers share
end

local function sizes_of(name, i, entry)
   if torch.isTensor(entry) then
      return entry:size()
   elseif torch.isStorage(entry) then
      return entry
   elseif type(entry) == 'table' then
      return torch.LongStorage(entry)
   end
   raise(('%s: shape %d is a %s, expected sizes such as { 64, 32 }'):format(name, i,
      torch.type(entry)))
end

-- Where tensors lie in x, if all do: net:getParameters() follows storages, not the list.
local function found_in(x, list)
   local parts = {}
   for i, t in ipairs(list) do
      local place, sizes = nil, nil
      if torch.isTensor(t) then
         place, sizes = sharing.place(x, t)
      end
      if not place then
         return nil
      end
      parts[i] = { first = place, count = t:nElement(), sizes = sizes }
   end
   table.sort(parts, function(a, b)
      return a.first < b.first
   end)
   local first = 1
   for _, part in ipairs(parts) do
      if part.first ~= first then
         return nil
      end
      first = first + part.count
   end
   return parts
end

-- One behind the other.
local function in_order(name, x, list)
   local parts, first = {}, 1
   for i, entry in ipairs(list) do
      local sizes = sizes_of(name, i, entry)
      local count = 1
      for d = 1, #sizes do
         count = count * sizes[d]
      end
      parts[i] = { first = first, count = count, sizes = sizes }
      first = first + count
   end
   if first - 1 ~= x:nElement() then
      raise(('%s: the %d shapes have %d elements, x has %d: give the list of net:parameters() of '
         .. 'the network whose net:getParameters() x is'):format(name, #list, first - 1,
         x:nElement()))
   end
   return parts
end

--- The places and sizes of the layers' tensors in `x`, from its first element to its last: where
-- they lie in it; those that do not, and sizes, in the order in which they are given.
--
-- `config.parameters` is that list or the network itself, `config.shapes` a list of sizes. Without
-- either x is one part, of its own shape. Kept in `state.parts`.
-- @string name the optimiser, for errors
-- @return list of { first = position of the first element, count = elements, sizes = LongStorage }
-- @raise where they have not as many elements as x
function M.of(name, x, config, state)
   local known = state.parts
   if known then
      local last = known[#known]
      if last.first + last.count - 1 ~= x:nElement() then
         raise(('%s: its state is of %d parameters, x has %d: a state belongs to the parameters '
            .. 'that it was made for. Load the one of this network, or give it an empty table to '
            .. 'start anew'):format(name, last.first + last.count - 1, x:nElement()))
      end
      return known
   end
   local list = listed(name, config) or { x }
   local parts = found_in(x, list) or in_order(name, x, list)
   state.parts = parts
   return parts
end

--- A part of a tensor that has as many elements as x, in the part's shape.
function M.view(flat, part)
   return flat:narrow(1, part.first, part.count):view(part.sizes)
end

--- A tensor with its elements in one row; of `x` itself, not a copy.
-- @string name the optimiser, for errors
-- @string what the tensor
function M.flat(name, what, x)
   if not x:isContiguous() then
      raise(('%s: %s has gaps between its elements, expected one such as net:getParameters() gives')
         :format(name, what))
   end
   return x:view(-1)
end

return M
