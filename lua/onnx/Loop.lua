--- A net run again and again on what it gave: ONNX's Loop and Scan.
--
-- In each round the net takes the states, a slice of each input that is taken apart, and values
-- that stay; it gives the next states, and values that are put together over the rounds. A Loop's
-- net also takes the number of the round, from 0, and the truth by which the round began, and gives
-- first the truth by which the next one begins.
--
-- Input: { rounds, truth, states..., inputs that are taken apart..., values that stay... }, the
-- first two where the options say so. Output: { states..., values put together... }, or the one of
-- them.
--
-- The way back runs each round again, so that a round's memory is needed once.
-- @classmod onnx.Loop
-- @usage onnx.Loop(net, options) -- onnx.import makes them

local torch = require 'torch'
local nn = require 'nn'
local onnx = require 'onnx'
local tools = require 'onnx.operators.tools'
local raise = require('torch.errors').raise

local Loop = torch.class('onnx.Loop', 'nn.Container', onnx)

--- @param net nn.Module of a round
-- @tab options counted: whether it is a Loop. rounds, truth: 'input' where the input has it, or
-- what it is, or nil. states: how many. slices, sums: for each input taken apart, and for each
-- value put together, { axis = from 0, backwards = boolean, number = whether that of a round is a
-- number without dimensions }
function Loop:__init(net, options)
   nn.Container.__init(self)
   self:add(net)
   self.options = options
end

local function as_list(x)
   return torch.isTensor(x) and { x } or x
end

local function number(t)
   return t:contiguous():view(-1)[1]
end

-- The parts of an input.
local function parts_of(self, input)
   local o, at = self.options, 0
   local list = as_list(input)
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

-- The view of round t of `count` in what was put together or is taken apart.
local function slice(x, how, t, count)
   local d = tools.dim(x, how.axis)
   local at = how.backwards and count - t + 1 or t
   return x:dim() == 1 and x:narrow(1, at, 1) or x:select(d, at)
end

-- What the net takes in round t, from 1.
local function arguments(self, p, t, states)
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
      list[#list + 1] = slice(x, o.slices[k], t, p.count):contiguous()
   end
   for _, x in ipairs(p.stay) do
      list[#list + 1] = x
   end
   return #list == 1 and list[1] or list
end

-- Values of all rounds in one tensor.
local function together(list, how)
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

-- All rounds; what each took stays in `taken`.
function Loop:updateOutput(input)
   local o, net = self.options, self.modules[1]
   local p = parts_of(self, input)
   local first = o.counted and 1 or 0 -- a Loop's net gives the truth first
   local states, sums, t, on = p.states, {}, 0, p.truth
   for k = 1, #o.sums do
      sums[k] = {}
   end
   self.taken = {}
   while on and t < p.rounds do
      t = t + 1
      self.taken[t] = arguments(self, p, t, states)
      local given = as_list(net:updateOutput(self.taken[t]))
      on = first == 0 or number(given[1]) ~= 0
      states = {}
      for k = 1, o.states do
         states[k] = given[first + k]:clone()
      end
      for k = 1, #o.sums do
         sums[k][t] = given[first + o.states + k]:clone()
      end
   end
   local list = {}
   for k, x in ipairs(states) do
      list[k] = x
   end
   for k, how in ipairs(o.sums) do
      list[#list + 1] = together(sums[k], how)
   end
   self.output = #list == 1 and list[1] or list
   return self.output
end

local function zeros(x)
   return x:clone():zero()
end

-- The gradients of a round's results.
local function round_gradients(self, given, t, rounds, states, gradOutput)
   local o, list = self.options, {}
   local first = o.counted and 1 or 0
   if o.counted then
      list[1] = zeros(given[1])
   end
   for k = 1, o.states do
      list[first + k] = states[k]
   end
   for k, how in ipairs(o.sums) do
      local g, y = gradOutput[o.states + k], given[first + o.states + k]
      list[first + o.states + k] = slice(g, how, t, rounds):contiguous():viewAs(y)
   end
   return #list == 1 and list[1] or list
end

-- From the last round to the first; with a scale gradients of parameters are added.
local function back(self, input, gradOutput, scale, wants_input)
   local o, net, p = self.options, self.modules[1], parts_of(self, input)
   local first, rounds = o.counted and 2 or 0, #self.taken
   gradOutput = as_list(gradOutput)
   local states, whole, stay = {}, {}, {}
   for k = 1, o.states do
      states[k] = gradOutput[k]
   end
   for k, x in ipairs(p.whole) do
      whole[k] = zeros(x)
   end
   for k, x in ipairs(p.stay) do
      stay[k] = zeros(x)
   end
   for t = rounds, 1, -1 do
      local taken = self.taken[t]
      local given = as_list(net:updateOutput(taken))
      local g = round_gradients(self, given, t, rounds, states, gradOutput)
      local found = as_list(net:updateGradInput(taken, g))
      if scale then
         net:accGradParameters(taken, g, scale)
      end
      for k = 1, o.states do
         states[k] = found[first + k]:clone()
      end
      for k, how in ipairs(o.slices) do
         local into = slice(whole[k], how, t, rounds)
         into:copy(found[first + o.states + k]:viewAs(into))
      end
      for k, x in ipairs(stay) do
         x:add(found[first + o.states + #o.slices + k])
      end
   end
   if wants_input then
      local list = {}
      for i = 1, p.offset do
         list[i] = zeros(input[i])
      end
      for _, part in ipairs { states, whole, stay } do
         for _, x in ipairs(part) do
            list[#list + 1] = x
         end
      end
      self.gradInput = torch.isTensor(input) and list[1] or list
   end
   return self.gradInput
end

function Loop:updateGradInput(input, gradOutput)
   return back(self, input, gradOutput, nil, true)
end

function Loop:accGradParameters(input, gradOutput, scale)
   back(self, input, gradOutput, scale or 1)
end

function Loop:backward(input, gradOutput, scale)
   return back(self, input, gradOutput, scale or 1, true)
end

function Loop:clearState()
   self.modules[1]:clearState()
   self.taken, self.output, self.gradInput = nil, {}, {}
   return self
end

-- Conversions are for the net; what it gave before is dropped.
function Loop:type(typename, cache)
   if typename then
      self.taken, self.output, self.gradInput = nil, {}, {}
   end
   return nn.Container.type(self, typename, cache)
end

return Loop
