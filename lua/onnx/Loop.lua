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
local rounds = require 'onnx.rounds'
local trace = require 'torch.errors.trace'

local as_list = rounds.as_list

local Loop = torch.class('onnx.Loop', 'nn.Container', onnx)

--- @param net nn.Module of a round
-- @tab options counted: whether it is a Loop. rounds, truth: 'input' where the input has it, or
-- what it is, or nil. states: how many. slices, sums: for each input taken apart, and for each
-- value put together, { axis = from 0, backwards = boolean, number = whether that of a round is a
-- number without dimensions }
-- @param[opt] first nn.Module of the first round, where a state begins as a number without
-- dimensions and does not stay one
function Loop:__init(net, options, first)
   nn.Container.__init(self)
   self:add(net)
   self.modules[2] = first
   self.options = options
end

-- In training what each round took stays in `taken`.
function Loop:updateOutput(input)
   local keep = self.train ~= false
   local states, sums, taken = rounds.run(self, rounds.parts_of(self, input), keep)
   self.taken = keep and taken or nil
   local list = {}
   for k, x in ipairs(states) do
      list[k] = x
   end
   for k, how in ipairs(self.options.sums) do
      list[#list + 1] = rounds.together(sums[k], how)
   end
   self.output = #list == 1 and list[1] or list
   return self.output
end

local function zeros(x)
   return x:clone():zero()
end

-- The gradients of a round's results.
local function round_gradients(self, given, t, count, states, gradOutput)
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
      list[first + o.states + k] = rounds.slice(g, how, t, count):contiguous():viewAs(y)
   end
   return #list == 1 and list[1] or list
end

-- From the last round to the first; with a scale gradients of parameters are added. In evaluation,
-- and where it was dropped, what the rounds took is computed anew.
local function back(self, input, gradOutput, scale, wants_input)
   local o, p = self.options, rounds.parts_of(self, input)
   local all = self.taken or select(3, rounds.run(self, p, true))
   local first, count = o.counted and 2 or 0, #all
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
   for t = count, 1, -1 do
      local net, taken = rounds.net(self, t), all[t]
      local given = as_list(net:updateOutput(taken))
      local g = round_gradients(self, given, t, count, states, gradOutput)
      local found = as_list(net:updateGradInput(taken, g))
      if scale then
         net:accGradParameters(taken, g, scale)
      end
      for k = 1, o.states do
         states[k] = found[first + k]:clone()
      end
      for k, how in ipairs(o.slices) do
         local into = rounds.slice(whole[k], how, t, count)
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

-- The way back while no layer of a round moves its running statistics: what it runs again has moved
-- them before.
local function back_only(self, ...)
   local moving = {}
   self:apply(function(part)
      if part.running_mean and not moving[part] then
         moving[part], part.momentum = part.momentum, 0
      end
   end)
   return trace.finally(function()
      for part, momentum in pairs(moving) do
         part.momentum = momentum
      end
   end, back, self, ...)
end

function Loop:updateGradInput(input, gradOutput)
   return back_only(self, input, gradOutput, nil, true)
end

function Loop:accGradParameters(input, gradOutput, scale)
   back_only(self, input, gradOutput, scale or 1)
end

function Loop:backward(input, gradOutput, scale)
   return back_only(self, input, gradOutput, scale or 1, true)
end

function Loop:clearState()
   for _, net in ipairs(self.modules) do
      net:clearState()
   end
   self.taken, self.output, self.gradInput = nil, {}, {}
   return self
end

-- What rounds took can be computed anew, and is in no file.
function Loop:write(file)
   local taken = self.taken
   self.taken = nil
   nn.Container.write(self, file)
   self.taken = taken
end

-- Conversions are for the net; what it gave before is dropped.
function Loop:type(typename, cache)
   if typename then
      self.taken, self.output, self.gradInput = nil, {}, {}
   end
   return nn.Container.type(self, typename, cache)
end

return Loop
