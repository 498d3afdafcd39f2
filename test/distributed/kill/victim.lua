-- A training of several processes that somebody kills. FOLDER STEPS: tells its pids there, at the
-- beginning and at the end, and leaves what it has ended with.
local torch = require 'torch'
local nn = require 'nn'
local train = require 'torch.train'
local distributed = require 'distributed'

local folder, steps = arg[1], tonumber(arg[2])
local rank = distributed.rank()

-- FOLDER/NAME-RANK: this process's number, once it has come so far.
local function tell(name)
   local file = assert(io.open(('%s/%s-%d'):format(folder, name, rank), 'w'))
   file:write(io.open('/proc/self/stat'):read '*n', '\n')
   file:close()
end

tell 'pid'

torch.manualSeed(1)
local x = torch.randn(64, 20)
local net = nn.Sequential():add(nn.Linear(20, 50)):add(nn.Tanh()):add(nn.Dropout(0.2))
   :add(nn.Linear(50, 1))
local trainer = train.Trainer {
   model = net, criterion = nn.MSECriterion(), optimizer = 'adam', log = false, seed = 3,
   data = { input = x, target = x:sum(2) }, batchSize = 16, steps = steps,
   checkpoint = { folder = folder .. '/checkpoints', every = 20 },
}
trainer:run()
if rank == 1 then
   torch.save(folder .. '/done.t7', trainer.state.parameters)
end
tell 'end'
