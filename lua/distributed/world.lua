--- The processes that work together: joining them, ranks, groups.
--
-- Ranks count from 1, as everything does in Lua; those of MPI's own tools are one less.
-- @module distributed.world
local ffi = require 'ffi'
local distributed = require 'distributed.module'
local environment = require 'distributed.environment'
local library = require 'distributed.ffi'
local options = require 'torch.options'
local torch = require 'torch'

local M = {}

local GROUP = 9 -- DISTRIBUTED_GROUP
local KNOWN = { timeout = 'positive', check = 'boolean', devices = { 'host', 'nccl' } }

local state -- { rank, size, place, timeout, check, devices }

local function join(settings)
   local timeout = settings.timeout or environment.timeout()
   local check = settings.check
   if check == nil then
      check = os.getenv 'TH_CHECK' ~= '0'
   end
   local launcher = environment.launcher()
   state = { rank = 1, size = 1, place = 1, timeout = timeout, check = check,
      devices = settings.devices or 'host' }
   if not launcher or environment.size() == 1 then
      return
   end
   local C = library.library()
   library.check(C.distributed_init(timeout, check))
   state.rank, state.size = C.distributed_rank() + 1, C.distributed_size()
   state.place = C.distributed_place() + 1
   if state.size == 1 and environment.size() > 1 then
      options.fail('distributed.init: this is one of %d tasks of Slurm, and MPI knows of one: '
         .. 'start them with srun --mpi=pmix (or mpirun)', environment.size())
   end
end

--- Join the other processes. The first call of anything else here does so, too; this one is for the
-- options. A process that nobody has started with others is rank 1 of 1, and needs no MPI.
--
-- `timeout`: seconds that a rank waits for another one before it raises an error (30; TH_TIMEOUT in
-- the environment). `check`: whether ranks compare what they are about to do before each operation
-- (true; TH_CHECK=0); without, a disagreement is undefined, and an operation is some 3 us faster.
--
-- `devices`: how tensors of devices travel. 'host' (the default): through page-locked memory, by
-- MPI. 'nccl': broadcast, allReduce, reduceScatter and allGather by NCCL, which is opened then; one
-- device for each process. Simulated devices exchange files. It has not run on GPUs yet.
-- @tab[opt] settings timeout, check, devices
-- @raise "distributed: this build of LuaTorch has no MPI. On Debian: apt-get install ..."
-- @usage distributed.init{timeout = 120}
-- @example
-- local distributed = require 'distributed'
-- distributed.init { timeout = 60 }
-- distributed.rank(), distributed.size() --> 1, 1
function distributed.init(settings)
   settings = options.check('distributed.init', settings, KNOWN)
   if not state then
      join(settings)
      return
   end
   state.timeout = settings.timeout or state.timeout
   state.devices = settings.devices or state.devices
   if settings.check ~= nil then
      state.check = settings.check
   end
   if state.size > 1 then
      library.library().distributed_set(state.timeout, state.check)
   end
end

--- The state of this process: rank, size, place, timeout, check, devices.
function M.state()
   if not state then
      join {}
   end
   return state
end

-- A list of ranks may pass where a group is wanted, and lacks what makes it one.
local function check_group(group)
   if type(group) ~= 'table' or not group.places then
      options.fail('distributed: group is %s, expected what distributed.group{1, 2} gives',
         type(group) == 'table' and 'a list' or options.describe(group))
   end
   return group
end

--- This process's number, from 1.
-- @param[opt] group of `distributed.group`: its place there, or nil
-- @return number
function distributed.rank(group)
   local rank = M.state().rank
   if group then
      return check_group(group).places[rank]
   end
   return rank
end

--- How many processes work together.
-- @param[opt] group of `distributed.group`
-- @return number
-- @raise "distributed: group is a list, expected what distributed.group{1, 2} gives"
function distributed.size(group)
   return group and #check_group(group).ranks or M.state().size
end

--- What has started this process: 'mpirun', 'slurm', or nil.
function distributed.launcher()
   return environment.launcher()
end

--- This process's place among those on its machine, from 1: the device that is its own.
-- @example
-- local distributed = require 'distributed'
-- distributed.place() --> 1
function distributed.place()
   return M.state().place
end

-- The library's number of a new group.
local function made(ranks)
   local own, number = torch.IntTensor(ranks):add(-1), torch.IntTensor(1)
   local request = ffi.new 'distributed_Request'
   request.kind, request.count, request.ndim = GROUP, #ranks, #ranks
   for i = 1, math.min(#ranks, 8) do
      request.sizes[i - 1] = ranks[i]
   end
   request['in'], request.out = own:data(), number:data()
   distributed.Work(request, { own, number }):wait()
   return number[1]
end

--- Some of the ranks, which work together apart from the others. Each of them calls this, with the
-- same ranks; the group is the option `group` of the operations. Like them it waits for the others,
-- and raises what they raise.
-- @tab ranks numbers, ascending
-- @return table: ranks
-- @raise "distributed.group: rank 5 of a world of 4", "distributed.group: this is rank 1, which is
-- none of the group's"
-- @usage distributed.group{1, 2}
-- @example
-- local distributed = require 'distributed'
-- distributed.group({ 1 }).ranks --> { 1 }
function distributed.group(ranks)
   local own = M.state()
   if type(ranks) ~= 'table' or #ranks == 0 then
      options.fail('distributed.group: expected a list of ranks, got %s', options.describe(ranks))
   end
   local group = { ranks = {}, places = {}, number = 0 }
   for i, rank in ipairs(ranks) do
      if type(rank) ~= 'number' or rank < 1 or rank > own.size or rank % 1 ~= 0 then
         options.fail('distributed.group: rank %s of a world of %d', tostring(rank), own.size)
      elseif i > 1 and rank <= ranks[i - 1] then
         options.fail('distributed.group: the ranks have to ascend, and %d comes after %d', rank,
            ranks[i - 1])
      end
      group.ranks[i], group.places[rank] = rank, i
   end
   if not group.places[own.rank] then
      options.fail("distributed.group: this is rank %d, which is none of the group's", own.rank)
   end
   if own.size > 1 then
      group.number = made(group.ranks)
   end
   return group
end

return M
