-- nn.Recurrence: what it remembers from call to call.

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'
local nested = require 'nn.nested'
local states_of = require 'nn.recurrent.states'
local types = require 'torch.types'

local Recurrence, LAST = nn.Recurrence, states_of.LAST

-- Who has computed the newest call: with Variables it may be a twin.
local function newest(self)
   return types.variables and require('nn.base.twins').newest(self) or self
end

local function copy(t)
   return t:detach():clone()
end

local function copies(states)
   return nested.map(copy, states)
end

--- The states that the last call of forward ended with.
-- @return h, layers (twice as many with both directions) x N x hiddenSize
-- @return c, of nn.LSTM
-- @example
-- local net = nn.LSTM(4, 6)
-- net:forward(torch.randn(10, 2, 4))
-- net:finalState():size() --> { 1, 2, 6 }
function Recurrence:finalState()
   local worker = newest(self)
   if not worker.saved then
      check.fail(self, 'there is no final state before forward')
   end
   return states_of.final(worker)
end

-- The script says what the next call begins with: more than what the newest call has left.
local function begin_next(self, states)
   self.kept, self.told = states, (self.told or 0) + 1
   return self
end

--- Begin each call with the states that the one before ended with, or no longer.
-- @bool[opt=true] on
-- @return self
function Recurrence:remember(on)
   self.remembering = on ~= false
   return self:forget()
end

--- Begin the next call with states of 0.
-- @return self
function Recurrence:forget()
   return begin_next(self, nil)
end

local function remembered_by(self)
   if self.kept == LAST then
      return { states_of.final(self) }
   end
   return copies(self.kept)
end

--- The states that the next call begins with, in copies; nil for 0.
-- @return { h, c }, as of `finalState`
function Recurrence:remembered()
   local worker = newest(self)
   return remembered_by(worker.told == self.told and worker or self)
end

local function check_recalled(self, states)
   if torch.type(states) ~= 'table' then
      check.fail(self, 'recall wants what remembered() gave, a table of %d states, or nil; got %s',
         self.states, check.describe(states))
   elseif #states ~= self.states then
      check.fail(self, 'recall got %d states, expected %d', #states, self.states)
   end
   check.tensor(self, self.weight, states[1], 'state', 1)
   for i = 1, self.states do
      states_of.check(self, states[i], i, states[1].ndim == 3 and states[1]:size(2) or 1)
   end
end

--- Begin the next call with states that `remembered` gave; those after it as `remember` says. A
-- call of another number of sequences begins with 0.
-- @tparam table states { h, c }, as of `finalState`; copies are taken; or nil
-- @return self
-- @raise "nn.GRU: recall got 2 states, expected 1"
-- @example
-- local net = nn.GRU(2, 3):remember()
-- net:forward(torch.randn(4, 1, 2))
-- local states = net:remembered()
-- local y = net:forward(torch.ones(1, 1, 2)):clone()
-- torch.equal(net:recall(states):forward(torch.ones(1, 1, 2)), y) --> true
function Recurrence:recall(states)
   if states ~= nil then
      check_recalled(self, states)
   end
   return begin_next(self, copies(states))
end

-- For nn.base.carry: what goes from call to call where twins compute some of them.
Recurrence.__state = { kept = true }

function Recurrence:__carry(layer, from)
   if layer.told ~= from.told then
      self.kept = copies(layer.kept)
   elseif self ~= from then
      self.kept = remembered_by(from)
   end
end
