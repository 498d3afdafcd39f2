--- What ranks have of a dimension that is split among them, and layers made of others.
-- @module distributed.split.parts

local torch = require 'torch'
local class = require 'torch.class'
local nested = require 'nn.nested'
local options = require 'torch.options'
local shapes = require 'torch.functions.shapes'
local random = require 'torch.generators'
local distributed = require 'distributed.module'

local M = {}

--- A part of n elements: neighbours, as evenly as possible.
-- @int n
-- @int size how many parts there are
-- @int place which one it is
-- @return first, count
function M.share(n, size, place)
   local each, more = math.floor(n / size), n % size
   return each * (place - 1) + math.min(place - 1, more) + 1, each + (place <= more and 1 or 0)
end

--- The part of a rank.
-- @int n elements of the dimension, at least as many as ranks
-- @param group the ranks
-- @int[opt] rank its place in the group; default this one's
-- @return first, count
function M.range(n, group, rank)
   return M.share(n, distributed.size(group), rank or distributed.rank(group))
end

--- The parts of all ranks one below the other.
-- @tparam Tensor part this rank's: count x ...
-- @int n elements of the whole
-- @param group
-- @return new Tensor, n x ...
function M.joined(part, n, group)
   local sizes = part:size():totable()
   sizes[1] = math.ceil(n / distributed.size(group))
   local padded = part.new():resize(torch.LongStorage(sizes)):zero()
   padded:narrow(1, 1, part:size(1)):copy(part)
   local all = distributed.allGather(padded, { group = group })
   sizes[1] = n
   local whole = part.new():resize(torch.LongStorage(sizes))
   for rank = 1, all:size(1) do
      local first, count = M.range(n, group, rank)
      whole:narrow(1, first, count):copy(all[rank]:narrow(1, 1, count))
   end
   return whole
end

--- Layers would have different parts of what they share.
function M.refuse_tie(t)
   options.fail('distributed.split: layers share a parameter of %s, and would cut it differently: '
      .. 'one by rows, another by columns or not at all', shapes.text(t))
end

--- Some rows or columns of a parameter or a gradient, in memory of their own. Layers that share it
-- get parts that share theirs, if both cut it alike.
-- @tab cuts what was cut so far, empty at first: key -> { part, how, count = how often }
-- @tparam Tensor t
-- @int[opt] dimension nil: the whole
-- @int first
-- @int count
-- @return new Tensor
-- @raise "distributed.split: layers share a parameter of 100x8, and would cut it differently: …"
function M.cut(cuts, t, dimension, first, count)
   local how = shapes.text(t) .. ' ' .. table.concat(t:stride():totable(), ' ')
   if dimension then
      how = ('%s: %d %d %d'):format(how, dimension, first, count)
   end
   local key = M.key(t)
   local cut = cuts[key]
   if not cut then
      cut = { how = how, count = 0,
         part = (dimension and t:narrow(dimension, first, count) or t):clone() }
      cuts[key] = cut
   elseif cut.how ~= how then
      M.refuse_tie(t)
   end
   cut.count = cut.count + 1
   return cut.part.new():set(cut.part)
end

--- What make() gives for a tensor, made once for all layers that share it.
-- @tab memo empty at first
-- @tparam ?Tensor t
-- @func make
function M.once(memo, t, make)
   if not t or t:nElement() == 0 then
      return make()
   end
   local key = M.key(t)
   if not memo[key] then
      memo[key] = { source = t, result = make() } -- no other tensor comes to have its address
   end
   return memo[key].result
end

--- A copy, for what each rank has whole.
function M.copy(t)
   return t:clone()
end

--- Where a tensor lies, as a string.
function M.key(t)
   return ('%s %d'):format(torch.pointer(t:storage()), t:storageOffset())
end

--- Call f, which draws numbers for this rank's part: other ones than the others draw, as many as
-- it likes. The generators of all ranks, if they were alike, are alike behind it.
function M.apart(group, f, ...)
   local seed, states = torch.random(2 ^ 31 - 1), random.get()
   random.seed(seed + distributed.rank(group))
   local ok, result = pcall(f, ...)
   random.set(states)
   if not ok then
      error(result, 0)
   end
   return result
end

--- An object of another class with a layer's fields; tensors are its own.
-- @string name the class
-- @param layer
-- @tab fields what differs
function M.remade(name, layer, fields)
   local other = {}
   for key, value in pairs(layer) do
      other[key] = value
   end
   for key, value in pairs(fields) do
      other[key] = value
   end
   other.output = nested.released(layer.output)
   other.gradInput = layer.gradInput and nested.released(layer.gradInput)
   return setmetatable(other, class.getmetatable(name))
end

return M
