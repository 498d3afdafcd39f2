--- NVIDIA's management library (NVML): what devices do, whoever uses them. Opened when asked for;
-- it comes with the driver. Names, types and numbers as its API reference has them.
-- @module torch.monitor.nvml
local ffi = require 'ffi'

local M = {}

pcall(ffi.cdef, [[
typedef struct torch_nvml_device *torch_nvml_device;
typedef struct { unsigned gpu, memory; } torch_nvml_utilization;
typedef struct { unsigned long long total, free, used; } torch_nvml_memory;
typedef struct { unsigned pid; unsigned long long used; unsigned instance, compute_instance; }
   torch_nvml_process;
int nvmlInit_v2(void);
int nvmlShutdown(void);
const char *nvmlErrorString(int);
int nvmlSystemGetDriverVersion(char *, unsigned);
int nvmlSystemGetNVMLVersion(char *, unsigned);
int nvmlDeviceGetCount_v2(unsigned *);
int nvmlDeviceGetHandleByIndex_v2(unsigned, torch_nvml_device *);
int nvmlDeviceGetName(torch_nvml_device, char *, unsigned);
int nvmlDeviceGetTemperature(torch_nvml_device, int, unsigned *);
int nvmlDeviceGetPowerUsage(torch_nvml_device, unsigned *);
int nvmlDeviceGetEnforcedPowerLimit(torch_nvml_device, unsigned *);
int nvmlDeviceGetClockInfo(torch_nvml_device, int, unsigned *);
int nvmlDeviceGetMaxClockInfo(torch_nvml_device, int, unsigned *);
int nvmlDeviceGetUtilizationRates(torch_nvml_device, torch_nvml_utilization *);
int nvmlDeviceGetMemoryInfo(torch_nvml_device, torch_nvml_memory *);
int nvmlDeviceGetComputeRunningProcesses_v3(torch_nvml_device, unsigned *, torch_nvml_process *);
int nvmlDeviceGetComputeRunningProcesses_v2(torch_nvml_device, unsigned *, torch_nvml_process *);
int nvmlDeviceGetCurrentClocksThrottleReasons(torch_nvml_device, unsigned long long *);
]])

local GRAPHICS, MEMORY = 0, 2 -- clocks
local UNKNOWN = 2 ^ 64 - 1 -- of a process's memory: NVML_VALUE_NOT_AVAILABLE
local MOST_PROCESSES = 64

-- Why clocks are lower than they could be, where that is somebody's concern.
local throttles = {
   { 0x4, 'power limit' }, { 0x8, 'hardware slowdown' }, { 0x20, 'temperature' },
   { 0x40, 'temperature (hardware)' }, { 0x80, 'power brake' },
}

local remedies = {
   [9] = 'The driver is not loaded: look at `nvidia-smi`, and whether the container has the device',
   [18] = 'Library and loaded driver differ, as after an update: reboot, or load the module anew',
   [4] = 'This user may not ask: look at the rights of /dev/nvidia*',
}

local lib -- while it is open

local function text(f, ...)
   local buffer = ffi.new 'char[96]'
   local arguments = { ... }
   arguments[#arguments + 1], arguments[#arguments + 2] = buffer, 96
   return f(unpack(arguments)) == 0 and ffi.string(buffer) or nil
end

-- A number of a device; nil where it has none, as many have no power meter.
local function number(name, device, ...)
   local value = ffi.new 'unsigned[1]'
   local arguments = { device, ... }
   arguments[#arguments + 1] = value
   local ok, status = pcall(function()
      return lib[name](unpack(arguments))
   end)
   return ok and status == 0 and value[0] or nil
end

--- Open the library.
-- @return true; or nil, the reason, and what to do
function M.open()
   if lib then
      return true
   end
   for _, name in ipairs { 'libnvidia-ml.so.1', 'libnvidia-ml.so' } do
      local ok, found = pcall(ffi.load, name)
      if ok then
         local status = found.nvmlInit_v2()
         if status ~= 0 then
            return nil, 'NVML: ' .. ffi.string(found.nvmlErrorString(status)), remedies[status]
               or 'Look at what `nvidia-smi` says'
         end
         lib = found
         return true
      end
   end
   return nil, "NVML is not there (libnvidia-ml.so.1, part of NVIDIA's driver)",
      'Debian: apt install nvidia-driver; in a container, start it with its GPUs (--gpus all)'
end

function M.close()
   if lib then
      lib.nvmlShutdown()
      lib = nil
   end
end

--- The versions of driver and library.
function M.versions()
   return text(lib.nvmlSystemGetDriverVersion), text(lib.nvmlSystemGetNVMLVersion)
end

local function processes(device)
   local count = ffi.new('unsigned[1]', MOST_PROCESSES)
   local infos = ffi.new('torch_nvml_process[?]', MOST_PROCESSES)
   local list = {}
   for _, name in ipairs { 'nvmlDeviceGetComputeRunningProcesses_v3',
      'nvmlDeviceGetComputeRunningProcesses_v2' } do
      local ok, status = pcall(function()
         return lib[name](device, count, infos)
      end)
      if ok then
         for i = 0, status == 0 and math.min(count[0], MOST_PROCESSES) - 1 or -1 do
            local used = tonumber(infos[i].used)
            list[#list + 1] = { pid = infos[i].pid, memory = used < UNKNOWN and used or nil }
         end
         break
      end
   end
   table.sort(list, function(a, b)
      return (a.memory or 0) > (b.memory or 0)
   end)
   return list
end

local function throttled(device)
   local reasons = ffi.new 'unsigned long long[1]'
   local ok, status = pcall(function()
      return lib.nvmlDeviceGetCurrentClocksThrottleReasons(device, reasons)
   end)
   local list = {}
   for _, row in ipairs(ok and status == 0 and throttles or {}) do
      if require('bit').band(tonumber(reasons[0] % 0x100000000ULL), row[1]) ~= 0 then
         list[#list + 1] = row[2]
      end
   end
   return #list > 0 and table.concat(list, ', ') or nil
end

local function device_of(index)
   local handle = ffi.new 'torch_nvml_device[1]'
   if lib.nvmlDeviceGetHandleByIndex_v2(index, handle) ~= 0 then
      return { name = '(not to be asked)', processes = {} }
   end
   local device = handle[0]
   local memory, rates = ffi.new 'torch_nvml_memory', ffi.new 'torch_nvml_utilization'
   local has_memory = lib.nvmlDeviceGetMemoryInfo(device, memory) == 0
   local has_rates = lib.nvmlDeviceGetUtilizationRates(device, rates) == 0
   local milliwatts = number('nvmlDeviceGetPowerUsage', device)
   local limit = number('nvmlDeviceGetEnforcedPowerLimit', device)
   return {
      name = text(lib.nvmlDeviceGetName, device) or '?',
      temperature = number('nvmlDeviceGetTemperature', device, 0),
      power = milliwatts and milliwatts / 1000, power_limit = limit and limit / 1000,
      clock = number('nvmlDeviceGetClockInfo', device, GRAPHICS),
      clock_limit = number('nvmlDeviceGetMaxClockInfo', device, GRAPHICS),
      memory_clock = number('nvmlDeviceGetClockInfo', device, MEMORY),
      utilization = has_rates and rates.gpu or nil,
      memory_utilization = has_rates and rates.memory or nil,
      memory_total = has_memory and tonumber(memory.total) or nil,
      memory_used = has_memory and tonumber(memory.used) or nil,
      throttled = throttled(device), processes = processes(device),
   }
end

--- What each device does: a list of tables with name, temperature (degrees Celsius), power and
-- power_limit (watts), clock, clock_limit and memory_clock (MHz), utilization and
-- memory_utilization (percent), memory_total and memory_used (bytes), throttled (why clocks are
-- low), processes (each pid, memory). What a device does not tell is nil.
function M.devices()
   local count = ffi.new 'unsigned[1]'
   local list = {}
   for i = 0, lib.nvmlDeviceGetCount_v2(count) == 0 and count[0] - 1 or -1 do
      list[i + 1] = device_of(i)
   end
   return list
end

return M
