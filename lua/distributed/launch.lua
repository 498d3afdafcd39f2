--- `th --workers 4 script.lua`: starts the processes, by mpirun, and starts them again.
-- @module distributed.launch
local bit = require 'bit'
local ffi = require 'ffi'
local environment = require 'distributed.environment'
local stopped = require 'distributed.stopped'

local M = {}

ffi.cdef [[
int torch_launch_fork(void) __asm__("fork");
int torch_launch_execvp(const char *file, const char *const *arguments) __asm__("execvp");
int torch_launch_waitpid(int pid, int *status, int options) __asm__("waitpid");
int torch_launch_prctl(int option, unsigned long value) __asm__("prctl");
int torch_launch_setenv(const char *name, const char *value, int overwrite) __asm__("setenv");
typedef struct { unsigned long bits[16]; } torch_launch_set;
int torch_launch_sigprocmask(int how, const torch_launch_set *set, torch_launch_set *before)
   __asm__("sigprocmask");
int torch_launch_sigpending(torch_launch_set *set) __asm__("sigpending");
int torch_launch_sigtimedwait(const torch_launch_set *set, void *info, const long *time)
   __asm__("sigtimedwait");
int torch_launch_kill(int pid, int signal) __asm__("kill");
int torch_launch_affinity(int pid, size_t size, torch_launch_set *set) __asm__("sched_getaffinity");
int torch_launch_geteuid(void) __asm__("geteuid");
int torch_launch_getpid(void) __asm__("getpid");
void torch_launch_exit(int status) __asm__("_exit");
typedef struct { void *base; size_t length; } torch_launch_iovec;
ptrdiff_t torch_launch_read(int pid, const torch_launch_iovec *to, unsigned long count,
   const torch_launch_iovec *from, unsigned long others, unsigned long flags)
   __asm__("process_vm_readv");
]]

local C = ffi.C
local SIGINT, SIGKILL, SIGTERM, SIGCHLD = 2, 9, 15, 17
local PDEATHSIG, SIG_BLOCK, SIG_SETMASK, WNOHANG = 1, 0, 2, 1
local SECOND = ffi.new('long[2]', 1, 0)
local GRACE = 2 -- seconds: ranks that wait for one that is stopped say so first

local function fail(text, ...)
   io.stderr:write('th: ', text:format(...), '\n')
   os.exit(2)
end

local function on_path(program)
   for folder in (os.getenv 'PATH' or ''):gmatch '[^:]+' do
      local file = io.open(folder .. '/' .. program)
      if file then
         file:close()
         return true
      end
   end
   return false
end

-- Whether the system lets a process read its neighbour's memory, by which messages need one copy
-- less. Containers often do not; MPI finds out too late.
local function reads_neighbours()
   local from, to = ffi.new 'char[8]', ffi.new 'char[8]'
   local a, b = ffi.new('torch_launch_iovec', to, 8), ffi.new('torch_launch_iovec', from, 8)
   if C.torch_launch_read(C.torch_launch_getpid(), a, 1, b, 1, 0) ~= 8 then
      return false
   end
   local file = io.open '/proc/sys/kernel/yama/ptrace_scope'
   local scope = file and file:read '*n' or 0
   if file then
      file:close()
   end
   return scope == 0 or scope == 1 and C.torch_launch_geteuid() == 0
end

-- How many cores this process may run on: a container or taskset leaves it some of them.
local function cores()
   local set, count = ffi.new 'torch_launch_set', 0
   C.torch_launch_affinity(0, ffi.sizeof(set), set)
   for i = 0, 15 do
      local word = set.bits[i]
      while word ~= 0 do
         word, count = bit.band(word, word - 1), count + 1
      end
   end
   return math.max(1, count)
end

-- The variables that the processes are started with; those that the user has set stay.
local function variables(options)
   local set = {
      OMP_NUM_THREADS = math.max(1, math.floor(cores() / options.workers)),
      OMPI_MCA_mpi_yield_when_idle = 1, -- who waits for another lets it have the core
      OMPI_MCA_odls_base_sigkill_timeout = 0, -- nobody here does anything at SIGTERM
   }
   if C.torch_launch_geteuid() == 0 then
      set.OMPI_ALLOW_RUN_AS_ROOT, set.OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1, 1
   end
   if not reads_neighbours() then
      set.OMPI_MCA_btl_vader_single_copy_mechanism = 'none'
   end
   if not on_path 'ssh' and not on_path 'rsh' then
      set.OMPI_MCA_plm_rsh_agent = '/bin/false' -- for other machines, of which there are none
   end
   return set
end

--- The command that starts the processes.
-- @tab options workers, prefix (each line of output begins with the rank's number)
-- @tab words what each of them is given
function M.command(options, words)
   local command = { 'mpirun', '-n', tostring(options.workers), '--oversubscribe', '--bind-to',
      'none' }
   if options.prefix then
      command[#command + 1] = '--tag-output'
   end
   command[#command + 1] = os.getenv 'TH_EXECUTABLE' or 'th'
   for _, word in ipairs(words) do
      command[#command + 1] = word
   end
   return command
end

local function execute(command)
   local arguments = ffi.new('const char *[?]', #command + 1)
   for i, word in ipairs(command) do
      arguments[i - 1] = word
   end
   C.torch_launch_execvp(command[1], arguments)
   io.stderr:write('th: mpirun cannot be run\n')
   C.torch_launch_exit(127)
end

local function set_of(...)
   local set = ffi.new 'torch_launch_set'
   for _, signal in ipairs { ... } do
      set.bits[0] = bit.bor(set.bits[0], bit.lshift(1ULL, signal - 1))
   end
   return set
end

local function is_pending(signal)
   local set = ffi.new 'torch_launch_set'
   C.torch_launch_sigpending(set)
   return bit.band(set.bits[0], set_of(signal).bits[0]) ~= 0
end

-- Whoever is stopped for longer than ranks wait for each other is killed, of which mpirun tells.
local function end_stopped(pid, counts)
   local seconds = math.ceil(environment.timeout()) + GRACE -- a look in each
   for _, child in ipairs(stopped.look(pid, counts, seconds)) do
      io.stderr:write(('th: %s (process %d) has been stopped for %d s, and is killed\n'):format(
         stopped.rank(child) or 'a process', child, seconds))
      C.torch_launch_kill(child, SIGKILL)
   end
end

-- Wait for mpirun; its status, and the signal that ended it if there was one: SIGTERM, and a SIGINT
-- that another process sent, are passed on. Ctrl-C comes to both from the terminal.
local function await(pid)
   local status, counts, told = ffi.new 'int[1]', {}, set_of(SIGINT, SIGTERM, SIGCHLD)
   local info = ffi.new 'int32_t[32]' -- a siginfo_t
   local ended
   while C.torch_launch_waitpid(pid, status, WNOHANG) == 0 do
      local signal = C.torch_launch_sigtimedwait(told, info, SECOND)
      if signal == SIGTERM or signal == SIGINT then
         ended = signal
         if signal == SIGTERM or info[2] <= 0 then -- si_code: from a process
            C.torch_launch_kill(pid, signal)
         end
      elseif signal < 0 then
         end_stopped(pid, counts)
      end
   end
   return status[0], ended
end

-- Run it beside this process; its status as the shell has it. Ctrl-C comes to both: here it waits
-- until the run has ended, whose own status does not tell of it.
local function supervise(command)
   io.stdout:flush()
   local before = ffi.new 'torch_launch_set'
   C.torch_launch_sigprocmask(SIG_BLOCK, set_of(SIGINT, SIGTERM, SIGCHLD), before)
   local pid = C.torch_launch_fork()
   if pid == 0 then
      C.torch_launch_sigprocmask(SIG_SETMASK, before, nil)
      C.torch_launch_prctl(PDEATHSIG, SIGTERM) -- who ends th ends the run
      execute(command)
   end
   local status, ended = await(pid)
   ended = ended or is_pending(SIGINT) and SIGINT
   if ended then
      os.exit(128 + ended)
   end
   C.torch_launch_sigprocmask(SIG_SETMASK, before, nil)
   local signal = status % 128
   return signal ~= 0 and 128 + signal or math.floor(status / 256)
end

--- Start the processes, and end as they do.
-- @tab options workers, restarts, timeout (seconds), prefix, script (its name)
-- @tab words what each of them is given: options of th, the script and its arguments
function M.run(options, words)
   if environment.size() > 1 then
      fail('--workers is for processes that nobody else starts; this one was started by %s',
         environment.launcher())
   elseif not on_path 'mpirun' then
      fail 'mpirun is not on the PATH (Debian: apt-get install openmpi-bin)'
   end
   local script = options.script
   local file, reason = io.open(script and script ~= '-' and script or '/dev/null')
   if not file then -- said once, and not by each process and mpirun
      fail('cannot open %s', reason)
   end
   file:close()
   for name, value in pairs(variables(options)) do
      C.torch_launch_setenv(name, tostring(value), 0)
   end
   if options.timeout then
      C.torch_launch_setenv('TH_TIMEOUT', tostring(options.timeout), 1)
   end
   local command = M.command(options, words)
   if options.restarts == 0 then
      os.exit(supervise(command))
   end
   C.torch_launch_setenv('TH_RUN', ('%d-%d'):format(os.time(), C.torch_launch_getpid()), 1)
   for attempt = 0, options.restarts do
      C.torch_launch_setenv('TH_RESTARTED', tostring(attempt), 1)
      local status = supervise(command)
      if status == 0 or attempt == options.restarts then
         os.exit(status)
      end
      io.stderr:write(('th: the run has ended with status %d; restart %d of %d\n'):format(status,
         attempt + 1, options.restarts))
   end
end

return M
