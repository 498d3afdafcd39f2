--- Who has started this process, and with how many others; read off the environment.
-- @module distributed.environment

local M = {}

local BATCH = '4294967291' -- the number of a batch script's own step
local DEFAULT_TIMEOUT = 30

local function number(name)
   return tonumber(os.getenv(name) or '')
end

--- Who has started it: 'mpirun', 'slurm' (srun), or nil for a process of its own.
-- Slurm sets its variables in batch scripts too, whose own step is no job of several.
function M.launcher()
   if number 'OMPI_COMM_WORLD_SIZE' then
      return 'mpirun'
   elseif number 'SLURM_PROCID' and (os.getenv 'SLURM_STEP_ID' or BATCH) ~= BATCH then
      return 'slurm'
   elseif number 'PMIX_RANK' or number 'PMI_RANK' then
      return 'mpirun' -- of another MPI library than Debian's
   end
   return nil
end

--- How many processes were started, as far as can be told without MPI; 1 for a process of its own.
function M.size()
   local launcher = M.launcher()
   if launcher == 'slurm' then
      return number 'SLURM_STEP_NUM_TASKS' or number 'SLURM_NTASKS' or 1
   end
   return launcher and (number 'OMPI_COMM_WORLD_SIZE' or number 'PMI_SIZE' or 2) or 1
end

--- Seconds that a rank waits for another one; they may be parts of a second.
function M.timeout()
   return number 'TH_TIMEOUT' or DEFAULT_TIMEOUT
end

--- What names this run, whichever of its starts it is; nil without `th --restarts`.
function M.run()
   return os.getenv 'TH_RUN'
end

--- How often `th --restarts` has started this run again.
function M.restarts()
   return number 'TH_RESTARTED' or 0
end

return M
