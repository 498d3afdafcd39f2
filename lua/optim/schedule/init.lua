--- Schedules of learning rates: functions of the step or epoch that return a factor.
--
-- A schedule is called with how many steps or epochs, n, lie behind: `schedule(0)` is the first
-- one's factor. Either the script asks, `config.learningRate = 0.1 * schedule(epoch - 1)`, or a
-- schedule is attached to the options, and the optimiser asks at each step. Schedules are objects:
-- they are saved with the options, and print with theirs.
-- @module optim.schedule

local M = {}

for _, file in ipairs { 'decays', 'cosines', 'combined', 'plateau' } do
   for name, f in pairs(require('optim.schedule.' .. file)) do
      M[name] = f
   end
end

return M
