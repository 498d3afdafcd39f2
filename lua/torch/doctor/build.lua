--- What the libraries were built with, and which versions of others they find.
-- @module torch.doctor.build
local ffi = require 'ffi'
local library = require 'torch.doctor.library'

local M = {}

local function revision()
   local root = debug.getinfo(1, 'S').source:match '^@(.*)/lua/torch/doctor/'
   if not root then
      return nil
   end
   local folder = io.open(root .. '/.git/HEAD') or io.open(root .. '/.git')
   if not folder then
      return nil
   end
   folder:close()
   local line = library.says(("git -C '%s' describe --always --dirty"):format(root))
   return line and line:match '^[%w%-]+$'
end

local function onednn(report, built)
   library.declare [[
typedef struct { int major, minor, patch; const char *hash; unsigned cpu_runtime, gpu_runtime; }
   torch_dnnl_version;
const torch_dnnl_version *torch_dnnl(void) __asm__("dnnl_version");]]
   local lib = library.open { 'libdnnl.so.3', 'libdnnl.so.2', 'libdnnl.so' }
   local path = library.path 'libdnnl.so'
   lib = path and library.open { path } or lib
   local v = lib and library.ask(function() return lib.torch_dnnl() end)
   local version = v and ('%d.%d.%d'):format(v.major, v.minor, v.patch)
   report:line('oneDNN', version and ('%s, %s'):format(version, path or '?') or path or 'not found')
   local major = built and built:match '^%d+'
   if major and version and version:match '^%d+' ~= major then
      report:problem(('oneDNN is %s, the build was made with %s'):format(version, built),
         'Build again: cmake --workflow --preset cpu')
   end
end

local function openblas(report)
   local torch = require 'torch'
   local ok, reason = pcall(torch.inverse, torch.eye(2)) -- which opens it
   local path = library.path 'libopenblas'
   if not ok or not path then
      report:line('OpenBLAS', 'not found')
      report:problem('linear algebra and large products of matrices do not work: '
         .. tostring(reason):match '[^\n]*':gsub('^[^\n]-:%d+: ', ''),
         'Debian: apt install libopenblas0-openmp')
      return
   end
   library.declare 'char *openblas_get_config(void); char *openblas_get_corename(void);'
   local lib = library.open { path }
   local config = lib and library.ask(function() return ffi.string(lib.openblas_get_config()) end)
   local core = lib and library.ask(function() return ffi.string(lib.openblas_get_corename()) end)
   report:line('OpenBLAS', ('%s, %s, kernels for %s'):format(
      config and config:match 'OpenBLAS%s+([%d.]+)' or '?', path, core or '?'))
   if config and not config:find 'USE_OPENMP' then
      report:problem("OpenBLAS has threads of its own, which fight OpenMP's for the cores",
         'Debian: apt install libopenblas0-openmp')
   end
end

function M.examine(report)
   local ok, built = pcall(require, 'torch.gen.build')
   built = ok and built or {}
   report:section 'Build'
   report:line('revision', revision())
   report:line('type', built.type)
   report:line('compiler', built.compiler)
   report:line('flags', built.flags)
   report:line('CMake', built.cmake)
   report:line('oneDNN', built.onednn)
   if built.type == 'Debug' or built.sanitize then
      report:problem(('this is a %s build%s: slow'):format(built.type,
         built.sanitize and ' with sanitizers' or ''), 'For speed: cmake --workflow --preset cpu')
   end
   report:section 'Libraries of the core, as found'
   onednn(report, built.onednn)
   openblas(report)
   report:line('OpenMP', library.path 'libgomp' or library.path 'libomp')
end

return M
