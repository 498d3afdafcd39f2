--- The states of recurrent layers: their sizes, and which the last call has ended with.
-- @module nn.recurrent.states
local check = require 'nn.check'
local sequences = require 'nn.recurrent.sequences'

local M = {}

--- In the field `kept`: the states that the call before ended with, where they are.
M.LAST = 'last'

--- Raise unless a state is layers x N x hiddenSize.
function M.check(self, state, index, N)
   check.tensor(self, self.weight, state, 'state', index)
   local layers = self.numLayers * self:__directions()
   if state:dim() ~= 3 or state:size(1) ~= layers or state:size(2) ~= N
      or state:size(3) ~= self.hiddenSize then
      check.fail(self, 'state %d is %s, expected %d x %d x %d', index, check.describe(state),
         layers, N, self.hiddenSize)
   end
end

--- What a call writes changes places with what the one before has written.
function M.exchange(s)
   s.y, s.y_before = s.y_before or s.y.new(), s.y
   s.c, s.c_before = s.c_before or s.c.new(), s.c
end

--- A call that failed has not been: what the one before wrote is in its place again.
function M.begin(self)
   for k = 1, self.saved and self.begun or 0 do
      M.exchange(self.saved[k])
   end
   self.begun = 0
end

-- The last state of each layer and direction: of y or of c.
local function last(self, field)
   M.begin(self)
   local saved, T = self.saved, self.saved[1].y:size(1)
   local r
   for k = 1, #saved do
      local s = saved[k]
      r = r or s.y.new(#saved, s.y:size(2), self.hiddenSize)
      if self.lengths then
         sequences.last(r[k], s[field], self.lengths)
      else
         r[k]:copy(s[field][s.reverse and 1 or T])
      end
   end
   return r
end

--- What the last call that `self` has computed ended with: h, and c of nn.LSTM.
function M.final(self)
   return last(self, 'y'), self.states == 2 and last(self, 'c') or nil
end

return M
