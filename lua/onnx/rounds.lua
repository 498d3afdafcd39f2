--- The rounds of an onnx.Loop: what each takes of the input and of the round before, and what all
-- give together. `self` is the module.
-- @module onnx.rounds
local torch = require 'torch'
local tools = require 'onnx.operators.tools'
local raise = require('torch.errors').raise

local M = {}

--- One tensor as a list, too.
function M.as_list(x)
   return torch.isTensor(x) and { x } or x
end

local function number(t)
   return t:contiguous():view(-1)[1]
end

--- The parts of an input: `states`, `whole` (taken apart), `stay`; how many `rounds` at most, the
-- `truth` by which the first begins, the `count` of slices, the `offset` of the states, `like`, one
-- of the device.
function M.parts_of(self, input)
   local o, at = self.options, 0
   local list = M.as_list(input)
   local least = (o.rounds == 'input' and 1 or 0) + (o.truth == 'input' and 1 or 0) + o.states
      + #o.slices
   if #list < least then
      raise(('onnx.Loop: the input is %d tensors, expected at least %d: the rounds and the truth '
         .. 'where they are not known, %d states, %d that are taken apart'):format(#list, least,
         o.states, #o.slices))
   end
   local function take(count)
      local part = { unpack(list, at + 1, at + count) }
      at = at + count
      return part
   end
   local p = { like = list[1] }
   p.rounds = o.rounds == 'input' and number(take(1)[1]) or o.rounds or math.huge
   p.truth = true
   if o.truth == 'input' then
      p.truth = number(take(1)[1]) ~= 0
   elseif o.truth ~= nil then
      p.truth = o.truth
   end
   p.offset = at
   p.states, p.whole = take(o.states), take(#o.slices)
   p.stay = take(#list - at)
   for k, x in ipairs(p.whole) do
      local n = x:size(tools.dim(x, o.slices[k].axis))
      if p.count and p.count ~= n then
         raise(('onnx.Loop: inputs of %d and %d slices'):format(p.count, n))
      end
      p.count = n
   end
   p.rounds = p.count or p.rounds
   return p
end

--- The view of round t of `count` in what was put together or is taken apart.
function M.slice(x, how, t, count)
   local d = tools.dim(x, how.axis)
   local at = how.backwards and count - t + 1 or t
   return x:dim() == 1 and x:narrow(1, at, 1) or x:select(d, at)
end

--- What the net takes in round t, from 1.
function M.arguments(self, p, t, states)
   local o, list = self.options, {}
   if o.counted then
      local like = p.like
      list[1] = torch.LongTensor { t - 1 }:type(tools.beside('torch.LongTensor', like))
      list[2] = torch.ByteTensor { 1 }:type(tools.beside('torch.ByteTensor', like))
   end
   for _, x in ipairs(states) do
      list[#list + 1] = x
   end
   for k, x in ipairs(p.whole) do
      list[#list + 1] = M.slice(x, o.slices[k], t, p.count):contiguous()
   end
   for _, x in ipairs(p.stay) do
      list[#list + 1] = x
   end
   return #list == 1 and list[1] or list
end

--- Values of all rounds in one tensor.
function M.together(list, how)
   if #list == 0 then
      raise 'onnx.Loop: it was not run once, and what it puts together has no elements'
   end
   local d, all = nil, {}
   for t, x in ipairs(list) do
      local sizes = how.number and {} or x:size():totable()
      d = d or tools.dim(#sizes + 1, how.axis)
      table.insert(sizes, d, 1)
      all[how.backwards and #list - t + 1 or t] = tools.view(x, sizes)
   end
   return #all > 1 and torch.cat(all, d) or all[1]:clone()
end

--- The net of round t.
function M.net(self, t)
   return t == 1 and self.modules[2] or self.modules[1]
end

--- Run all rounds.
-- @return the last states; for each of what is put together a list of its values; where it is kept,
-- what each round took
function M.run(self, p, keep)
   local o = self.options
   local first = o.counted and 1 or 0 -- a Loop's net gives the truth first
   local states, sums, t, on, taken = p.states, {}, 0, p.truth, {}
   for k = 1, #o.sums do
      sums[k] = {}
   end
   while on and t < p.rounds do
      t = t + 1
      local list = M.arguments(self, p, t, states)
      taken[t] = keep and list or nil
      local given = M.as_list(M.net(self, t):updateOutput(list))
      on = first == 0 or number(given[1]) ~= 0
      states = {}
      for k = 1, o.states do
         states[k] = given[first + k]:clone()
      end
      for k = 1, #o.sums do
         sums[k][t] = given[first + o.states + k]:clone()
      end
   end
   return states, sums, taken
end

return M
