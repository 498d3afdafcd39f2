-- Kill a training with SIGKILL at random moments, let it go on each time, and compare what it ends
-- with with the run that nobody disturbed.
--
--     th test/torch/train/kill/run.lua [KILLS [DEVICE [STEPS]]]   # 100 cpu 40; DEVICE cuda
local torch = require 'torch'
local lfs = require 'lfs'
local paths = require 'paths'

local kills, device, steps = tonumber(arg[1] or 100), arg[2] or 'cpu', tonumber(arg[3] or 40)
local th = os.getenv 'TH_EXECUTABLE' or 'th'
local root = os.tmpname()
os.remove(root)
paths.mkdir(root)

-- Whether it came to its end.
local function train(folder, seconds)
   local limit = seconds and ('timeout -s KILL %.3f '):format(seconds) or ''
   local status = os.execute(("%s'%s' test/torch/train/kill/victim.lua '%s' %s %d "
      .. "2>'%s/errors'"):format(
      limit, th, folder, device, steps, root))
   if status ~= 0 and (not seconds or status ~= 137 * 256) then
      for line in io.lines(root .. '/errors') do
         io.stderr:write(line, '\n')
      end
      error(('the training ended with status %d'):format(status / 256), 0)
   end
   return status == 0
end

local function result(folder)
   local read = torch.load(folder .. '/done.t7')
   return read.tensors, read.log
end

local function same(a, b)
   for name, t in pairs(a) do
      if not torch.equal(t, b[name]) then
         return false, name
      end
   end
   return true
end

local began = torch.Timer()
paths.mkdir(root .. '/calm')
train(root .. '/calm')
local duration = began:time().real
local wanted, wanted_log = result(root .. '/calm')

local generator, done, runs = torch.Generator(), 0, 0
local seed = tonumber(os.getenv 'KILL_SEED') or os.time()
torch.manualSeed(generator, seed)
print(('%s, %d steps in %.2f s, seed %d'):format(device, steps, duration, seed))
while done < kills do
   runs = runs + 1
   local folder, moments = ('%s/%d'):format(root, runs), {}
   paths.mkdir(folder)
   while true do
      local seconds = done < kills and 0.15 + torch.uniform(generator) * duration
      if train(folder, seconds or nil) then
         break
      end
      done = done + 1
      moments[#moments + 1] = ('%.2f'):format(seconds)
   end
   local got, log = result(folder)
   local equal, name = same(wanted, got)
   if not equal then
      error(('run %d, killed after %s s: %s differs'):format(runs, table.concat(moments, ', '),
         name), 0)
   elseif log ~= wanted_log then
      error(('run %d, killed after %s s: the log is\n%s\nnot\n%s'):format(runs,
         table.concat(moments, ', '), log, wanted_log), 0)
   end
   for file in lfs.dir(folder) do
      if file:match 'partial' or file:match 'torch%-save' then
         error(('run %d left %s'):format(runs, file), 0)
      end
   end
   print(('run %d: killed %d times, after %s s; equal'):format(runs, #moments,
      table.concat(moments, ', ')))
end
paths.rmall(root, 'yes')
print(('%d kills in %d runs: each ends with the bits of the undisturbed run'):format(done, runs))
