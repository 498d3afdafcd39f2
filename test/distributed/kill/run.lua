-- Kill, stop or crash a worker of a training at random moments, some times with restarts, and stop
-- it while it ends: each run ends with the cause within 30 s and leaves no process, or goes on and
-- ends with the bits of the run that nobody disturbed. Not in the suite: takes minutes.
--
--     th test/distributed/kill/run.lua [DEATHS [WORKERS [STEPS]]]      # 50 2 3000
local torch = require 'torch'
local paths = require 'paths'
local clock = require 'torch.clock'

local deaths, workers, steps = tonumber(arg[1] or 50), tonumber(arg[2] or 2),
   tonumber(arg[3] or 3000)
local th = os.getenv 'TH_EXECUTABLE' or 'th'
local root = os.tmpname()
os.remove(root)
paths.mkdir(root)

local function read(path)
   local file = io.open(path)
   local text = file and file:read '*a'
   if file then
      file:close()
   end
   return text
end

local function sleep(seconds)
   os.execute(('sleep %.3f'):format(seconds))
end

-- Begin a run; its status comes into the folder.
local function start(folder, restarts)
   paths.mkdir(folder)
   os.execute(("(OMP_NUM_THREADS=1 '%s' --workers %d --timeout 5 --restarts %d "
      .. "test/distributed/kill/victim.lua '%s' %d > '%s/output' 2>&1; echo $? > '%s/status') &")
      :format(th, workers, restarts, folder, steps, folder, folder))
end

local function alive(pid)
   local state = (read('/proc/' .. pid .. '/stat') or ''):match '%) (%a)'
   return state ~= nil and state ~= 'Z'
end

-- Whether a process goes within a second: mpirun kills those that are left, and does not wait for
-- the kernel.
local function gone(pid)
   for _ = 1, 20 do
      if not alive(pid) then
         return true
      end
      sleep(0.05)
   end
   return false
end

-- How long it took to end from now on; its status.
local function finish(folder, most)
   local begun = clock.now()
   while not read(folder .. '/status') do
      assert(clock.now() - begun < most, 'the run in ' .. folder .. ' does not end')
      sleep(0.05)
   end
   return clock.now() - begun, tonumber(read(folder .. '/status'))
end

local calm = root .. '/calm'
local begun = clock.now()
start(calm, 0)
local _, status = finish(calm, 600)
assert(status == 0, read(calm .. '/output'))
local duration = clock.now() - begun
local wanted = torch.load(calm .. '/done.t7')

local generator, seed = torch.Generator(), tonumber(os.getenv 'KILL_SEED') or os.time()
torch.manualSeed(generator, seed)
print(('%d workers, %d steps in %.2f s, seed %d'):format(workers, steps, duration, seed))
local SIGNALS = { 'KILL', 'STOP', 'SEGV', 'TERM', 'ABRT' }
local AT_THE_END = 0.05 -- seconds that a process takes from its script's end to its own, and more
local longest, counts, i = 0, { ended = 0, resumed = 0, missed = 0 }, 0

while counts.ended + counts.resumed < deaths do -- runs that were over before count for nothing
   i = i + 1
   local folder, restarts = ('%s/%d'):format(root, i), i % 2 == 0 and 3 or 0
   local ending = i % 4 >= 2 -- with restarts and without
   local signal = ending and 'STOP' or SIGNALS[torch.random(generator, #SIGNALS)]
   local victim = torch.random(generator, workers)
   local moment = torch.uniform(generator) * (ending and AT_THE_END or duration)
   local mark = ('%s/%s-%d'):format(folder, ending and 'end' or 'pid', victim)
   start(folder, restarts)
   if not ending then
      sleep(moment)
   end
   local pid = (read(mark) or ''):match '%d+'
   while not pid and not read(folder .. '/status') do -- it has not come so far yet
      sleep(0.005)
      pid = (read(mark) or ''):match '%d+'
   end
   if ending then
      sleep(moment)
   end
   local hit = pid and os.execute(('kill -%s %s 2> /dev/null'):format(signal, pid)) == 0
   local seconds, ended = finish(folder, 30 + (restarts > 0 and 20 * duration or 0))
   local output = read(folder .. '/output')
   local told
   if ended == 0 then
      assert(torch.equal(torch.load(folder .. '/done.t7'), wanted), 'run ' .. i .. ' differs')
      local outcome = hit and restarts > 0 and output:find('restart', 1, true) and 'resumed'
         or 'missed'
      counts[outcome] = counts[outcome] + 1
      told = outcome == 'resumed' and 'goes on, and ends with the same bits' or 'it was over before'
   else
      assert(restarts == 0, output)
      assert(output:find('exited on signal', 1, true) or output:find('has not come', 1, true)
         or output:find('on their way', 1, true) or output:find('has been stopped', 1, true),
         output)
      counts.ended, longest = counts.ended + 1, math.max(longest, seconds)
      told = ('ends %.1f s later, with the cause'):format(seconds)
   end
   for rank = 1, workers do
      local left = (read(('%s/pid-%d'):format(folder, rank)) or ''):match '%d+'
      assert(not left or gone(left), 'run ' .. i .. ' leaves process ' .. tostring(left))
   end
   print(('run %d: rank %d gets SIG%s %.3f s after its %s; %s'):format(i, victim, signal, moment,
      ending and 'last line' or 'start', told))
   io.stdout:flush()
end
paths.rmall(root, 'yes')
print(('%d ended with the cause (%.1f s at most), %d went on and ended equal, %d were over before')
   :format(counts.ended, longest, counts.resumed, counts.missed))
