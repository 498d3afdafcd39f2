--- Replay memory: the last steps of the agent, from which it learns in random order.

local torch = require 'torch'

local Memory = {}
Memory.__index = Memory

local PARTS = { 'before', 'action', 'reward', 'after', 'goes_on' }

--- @int capacity steps; the oldest one makes room for the newest
-- @int states numbers in a state
-- @int batch steps in a sample
function Memory.new(capacity, states, batch)
   return setmetatable({
      capacity = capacity,
      size = 0,
      at = 0,
      before = torch.FloatTensor(capacity, states),
      action = torch.LongTensor(capacity, 1),
      reward = torch.FloatTensor(capacity, 1),
      after = torch.FloatTensor(capacity, states),
      goes_on = torch.FloatTensor(capacity, 1), -- 0 where there is no future, else 1
      chosen = torch.LongTensor(batch),
      sampled = {
         before = torch.FloatTensor(),
         action = torch.LongTensor(),
         reward = torch.FloatTensor(),
         after = torch.FloatTensor(),
         goes_on = torch.FloatTensor(),
      },
   }, Memory)
end

function Memory:add(before, action, reward, after, failed)
   local at = self.at % self.capacity + 1
   self.before:select(1, at):copy(before)
   self.action:select(1, at)[1] = action
   self.reward:select(1, at)[1] = reward
   self.after:select(1, at):copy(after)
   self.goes_on:select(1, at)[1] = failed and 0 or 1
   self.at, self.size = at, math.max(self.size, at)
end

--- @treturn table before, action, reward, after, goes_on: a row for each of `batch` random steps,
-- in buffers that the next sample overwrites
function Memory:sample()
   self.chosen:random(1, self.size)
   for _, name in ipairs(PARTS) do
      self.sampled[name]:index(self[name], 1, self.chosen)
   end
   return self.sampled
end

return Memory
