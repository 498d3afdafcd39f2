-- th --monitor: the system's numbers against files of the test's own, devices against a stand-in
-- for NVIDIA's library, compiled here.
local support = require 'test.support.shell'
local host = require 'torch.monitor.host'

local th = os.getenv 'TH_EXECUTABLE'

-- Run th with the stand-in library, which answers nvmlInit with a status.
local function with_devices(status, arguments)
   local output
   support.with_folder(function(folder)
      assert.same({ '', 0 }, { support.run(('cc -shared -fPIC -DFAKE_STATUS=%d -o '
         .. '%s/libnvidia-ml.so.1 test/torch/monitor/fake_nvml.c'):format(status, folder)) })
      output = { support.run(('LD_LIBRARY_PATH=%s %s %s'):format(folder, th, arguments)) }
   end)
   return unpack(output)
end

describe('the monitor', function()
   after_each(function()
      host.root = ''
   end)

   local function with_files(files, f)
      support.with_folder(function(folder)
         host.root = folder
         f()
      end, files)
   end

   it('reads memory in bytes', function()
      with_files({ ['proc/meminfo'] = [[
MemTotal:       16000 kB
MemFree:         1000 kB
MemAvailable:    4000 kB
SwapTotal:       3000 kB
SwapFree:        1000 kB
]] }, function()
         assert.same({ total = 16000 * 1024, available = 4000 * 1024, swap = 2000 * 1024 },
            host.memory())
      end)
      with_files({}, function() assert.is_nil(host.memory()) end)
   end)

   it('reads how busy processors are', function()
      with_files({ ['proc/stat'] = 'cpu  10 0 10 70 10 0 0 0 5 0\ncpu0 10 0 10 70 10 0 0 0 5 0\n'
         .. 'cpu1 0 0 0 0 0 0 0 0 0 0\nintr 3\n' }, function()
         local ticks = host.ticks()
         assert.same({ busy = 20, all = 100 }, ticks[0])
         assert.same({ busy = 20, all = 100 }, ticks[1])
         assert.equal(2, #ticks)
         local later = { [0] = { busy = 50, all = 200 }, { busy = 20, all = 200 },
            { busy = 0, all = 0 } }
         assert.same({ [0] = 0.3, 0, 0 }, host.usage(ticks, later))
      end)
   end)

   it("reads a container's limit", function()
      with_files({ ['sys/fs/cgroup/cpu.max'] = '150000 100000\n' }, function()
         assert.equal(1.5, host.quota())
      end)
      with_files({ ['sys/fs/cgroup/cpu.max'] = 'max 100000\n' }, function()
         assert.is_nil(host.quota())
      end)
   end)

   it('shows processors and memory once, without a terminal', function()
      local output, status = support.run(th .. ' --monitor=1')
      assert.equal(0, status)
      assert.matches('^processor  %[[#.]+%]%s+%d+%% of %d+', output)
      assert.matches('\nmemory     %[[#.]+%] [%d.]+ of [%d.]+ GiB', output)
      assert.matches('\ndevice', output)
      assert.is_nil(output:find '\27')
   end)

   it('shows as often as it is told', function()
      local output = support.run(th .. ' --monitor=2')
      assert.equal(2, select(2, output:gsub('processor  ', '')))
      local status
      output, status = support.run(th .. ' --monitor=x')
      assert.equal("th: option '--monitor=x': how often is a whole number, as in --monitor=1\n",
         output)
      assert.equal(2, status)
   end)

   it('shows devices, and of each what it tells', function()
      local output, status = with_devices(0, '--monitor=1')
      assert.equal(0, status)
      local devices = output:match 'device 1.*'
      assert.matches('device 1   Large One\n%s+%[###############%.%.%.%.%.%]  75%%\n'
         .. '%s+memory   %[#####%.+%] 20%.0 of 80%.0 GiB\n'
         .. '%s+61 C, 312 of 700 W, 1980 of 1995 MHz, memory 2619 MHz, slowed: power limit, '
         .. 'temperature\n%s+1        5 MiB  %S[^\n]*\n%s+4000000        %? MiB  %?\n'
         .. 'device 2   Plain One\n%s+memory   %[#####%.+%] 20%.0 of 80%.0 GiB\n%s+61 C\n$',
         devices)
   end)

   it('says why there are no devices', function()
      assert.matches('\ndevices    NVML: Driver/library version mismatch\n$',
         (with_devices(18, '--monitor=1')))
   end)
end)

describe('the doctor', function()
   it('names what a device lacks, with its remedy', function()
      local output = with_devices(0, '--doctor')
      assert.matches('\n  driver           555%.42\n', output)
      assert.matches('\n  NVML             12%.555%.42\n', output)
      assert.matches('\n  device 1         Large One, 20%.0 of 80%.0 GiB used\n', output)
      assert.matches('device 1 is slowed: power limit, temperature%.\n    Look at its cooling',
         output)
   end)
end)
