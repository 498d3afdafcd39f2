--- CUDA: the backend's build, the driver, libraries and devices.
-- @module torch.doctor.cuda
local ffi = require 'ffi'
local library = require 'torch.doctor.library'
local nvml = require 'torch.monitor.nvml'

local M = {}

local function cuda_version(number)
   return ('%d.%d'):format(math.floor(number / 1000), math.floor(number % 1000 / 10))
end

-- What the driver says of itself; nil without one.
local function driver(report)
   library.declare 'int cuInit(unsigned); int cuDriverGetVersion(int *);'
   local ok, reason, remedy = nvml.open()
   if ok then
      local version, management = nvml.versions()
      report:line('driver', version)
      report:line('NVML', management)
   end
   local lib = library.open { 'libcuda.so.1', 'libcuda.so' }
   local version = ffi.new 'int[1]'
   if lib and library.ask(function() return lib.cuDriverGetVersion(version) == 0 end) then
      report:line('driver for CUDA', cuda_version(version[0]))
      if not ok then
         report:problem(reason, remedy)
      end
      return version[0]
   end
   report:line('driver', not ok and 'none' or nil)
end

local function devices(report)
   local ok = nvml.open()
   for i, device in ipairs(ok and nvml.devices() or {}) do
      report:line(('device %d'):format(i), ('%s%s'):format(device.name, device.memory_total
         and (', %.1f of %.1f GiB used'):format(device.memory_used / 2 ^ 30,
            device.memory_total / 2 ^ 30) or ''))
      if device.throttled then
         report:problem(('device %d is slowed: %s'):format(i, device.throttled),
            'Look at its cooling and power; th --monitor shows both')
      end
   end
   return ok and #nvml.devices() or 0
end

local vendors = {
   { name = 'cuBLAS', files = { 'libcublas.so.13', 'libcublas.so.12', 'libcublas.so' },
      purpose = 'products of matrices on CUDA devices' },
   { name = 'cuDNN', files = { 'libcudnn.so.9', 'libcudnn.so' },
      purpose = 'convolutions on CUDA devices; kernels of ours are slower',
      version = function(lib)
         library.declare 'size_t cudnnGetVersion(void);'
         local v = tonumber(lib.cudnnGetVersion())
         return ('%d.%d.%d'):format(v / 10000, v % 10000 / 100, v % 100), v
      end, least = 90000, wanted = '9.0' },
   { name = 'NCCL', files = { 'libnccl.so.2', 'libnccl.so' },
      purpose = 'sums over several devices; ours go by way of one',
      version = function(lib)
         library.declare 'int ncclGetVersion(int *);'
         local v = ffi.new 'int[1]'
         lib.ncclGetVersion(v)
         return ('%d.%d.%d'):format(v[0] / 10000, v[0] % 10000 / 100, v[0] % 100)
      end },
}

local function libraries(report)
   for _, vendor in ipairs(vendors) do
      local lib, name = library.open(vendor.files)
      local version, number
      if lib and vendor.version then
         local ok, v, n = pcall(vendor.version, lib)
         version, number = ok and v or '?', ok and n or nil
      end
      report:line(vendor.name, lib and (version and version .. ', ' or '')
         .. (library.path(name:match '^[^.]*%.so') or name) or 'none')
      if not lib then
         report:note(('%s is not there, for %s'):format(vendor.name, vendor.purpose),
            ("Install it, from NVIDIA's packages, or name its folder in LD_LIBRARY_PATH"))
      elseif number and vendor.least and number < vendor.least then
         report:problem(('%s is %s, %s or newer is wanted'):format(vendor.name, version,
            vendor.wanted), 'Install a newer one')
      end
   end
end

local WITH_CUDA = 'Install the Debian package luatorch-cuda, or the rock cutorch again, or build: '
   .. 'cmake --workflow --preset cuda'

-- The backend itself, with a device asked for.
local function backend(report)
   local ok, cutorch = pcall(require, 'cutorch')
   if not ok then
      report:problem('cutorch does not load: ' .. tostring(cutorch):match '[^\n]*',
         WITH_CUDA)
      return
   end
   local counted, count = pcall(cutorch.getDeviceCount)
   if not counted then
      report:problem('cutorch finds no device: ' .. tostring(count):match '[^\n]*',
         'Look at `nvidia-smi`; in a container, start it with its GPUs (--gpus all)')
      return
   end
   report:line('cutorch', ('%d device%s'):format(count, count == 1 and '' or 's'))
   for i = 1, count do
      local p = cutorch.getDeviceProperties(i)
      report:line(('  device %d'):format(i), ('%s, compute capability %d.%d'):format(p.name,
         p.major, p.minor))
      if p.major < 8 and not os.getenv 'THC_SIM_DEVICES' then
         report:problem(('device %d has compute capability %d.%d, 8.0 and above are built for')
            :format(i, p.major, p.minor), 'Build for it: -DCMAKE_CUDA_ARCHITECTURES='
            .. p.major .. p.minor)
      end
      local worked, sum = pcall(function()
         return cutorch.withDevice(i, function()
            return require('torch').CudaTensor(3):fill(2):sum()
         end)
      end)
      if not worked or sum ~= 6 then
         report:problem(('device %d does not compute: %s'):format(i, tostring(sum):match '[^\n]*'),
            'Look at what `nvidia-smi` says; build for its architecture')
      end
   end
end

function M.examine(report)
   local real = package.searchpath('libTHC', package.cpath)
   local simulated = package.searchpath('libTHC_sim', package.cpath)
   local ok, built = pcall(require, 'cutorch.gen.build')
   built = ok and built or {}
   report:section 'CUDA'
   report:line('backend', real or simulated and 'simulated devices only' or 'not built')
   if real then
      report:line('toolkit', built.toolkit)
      report:line('architectures', built.architectures)
   end
   local version = driver(report)
   local count = devices(report)
   if real then
      libraries(report)
      local major = tonumber((built.toolkit or ''):match '^%d+')
      if version and major and math.floor(version / 1000) < major then
         report:problem(('the driver knows CUDA %s, the backend was built with %s'):format(
            cuda_version(version), built.toolkit),
            'Install a newer driver, or build with its toolkit')
      end
   elseif count > 0 then
      report:note(('%d device%s, but LuaTorch was built without CUDA'):format(count,
         count == 1 and ' is there' or 's are there'), WITH_CUDA)
   end
   if os.getenv 'THC_SIM_DEVICES' then
      report:note('THC_SIM_DEVICES asks for simulated devices', 'Unset it to use real ones')
   end
   if (real and count > 0) or (simulated and os.getenv 'THC_SIM_DEVICES') then
      backend(report)
   end
end

return M
