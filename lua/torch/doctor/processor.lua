--- Processor, threads and memory.
-- @module torch.doctor.processor
local host = require 'torch.monitor.host'

local M = {}

-- What kernels there are, and the flag of /proc/cpuinfo that each needs.
local LEVELS = { { 'v4', 'avx512f' }, { 'v3', 'avx2' }, { 'v2', 'sse4_2' } }

local function instruction_set(report, th, flags)
   local ffi = require 'ffi'
   local used = ffi.string(th.C.TH_instructionSet())
   local asked = os.getenv 'TH_INSTRUCTION_SET'
   report:line('instructions', used .. (asked and (' (TH_INSTRUCTION_SET=%s)'):format(asked) or ''))
   for _, level in ipairs(LEVELS) do
      if flags and flags:find('%f[%w_]' .. level[2] .. '%f[^%w_]') then
         if used:find 'v%d' and used:match 'v%d' < level[1] then
            report:problem(('the processor has %s, kernels for %s run'):format(level[2], used),
               asked and 'Take TH_INSTRUCTION_SET out of the environment'
                  or 'The operating system may not save its registers: look at the kernel')
         end
         break
      end
   end
end

local function threads(report, torch)
   local n, cores, allowed = torch.getnumthreads(), torch.getnumcores(), host.quota()
   local wanted = os.getenv 'OMP_NUM_THREADS'
   report:line('threads', ('%d of %d cores%s'):format(n, cores,
      wanted and (' (OMP_NUM_THREADS=%s)'):format(wanted) or ''))
   if allowed and allowed < n then
      report:line('quota', ('%.1f processors'):format(allowed))
      report:problem(("%d threads share the time of %.1f processors (a container's limit)")
         :format(n, allowed), ('OMP_NUM_THREADS=%d in the environment, or torch.setnumthreads')
         :format(math.max(1, math.floor(allowed))))
   elseif n > cores then
      report:problem(('%d threads on %d cores'):format(n, cores),
         ('torch.setnumthreads(%d), or OMP_NUM_THREADS'):format(cores))
   elseif wanted and tonumber(wanted) == 1 and cores > 1 then
      report:note('OMP_NUM_THREADS=1: large operations use one core', 'Unset it, or '
         .. 'torch.setnumthreads(n)')
   end
end

function M.examine(report)
   local torch, th = require 'torch', require 'torch.ffi'
   local model, flags = host.processor()
   report:section 'Processor'
   report:line('model', model)
   instruction_set(report, th, flags)
   threads(report, torch)
   local memory = host.memory()
   if memory then
      report:line('memory', ('%.1f GiB, %.1f available'):format(memory.total / 2 ^ 30,
         memory.available / 2 ^ 30))
      if memory.available < 2 ^ 29 then
         report:problem(('%.0f MiB of memory are left'):format(memory.available / 2 ^ 20),
            'End other programs; smaller batches')
      end
   end
end

return M
