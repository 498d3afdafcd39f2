--- What Linux says of processors and memory.
-- @module torch.monitor.host
local M = {}

-- What is read below; a test puts others in its place.
M.root = ''

local function read(path)
   local file = io.open(M.root .. path)
   local text = file and file:read '*a'
   if file then
      file:close()
   end
   return text
end

--- Model and flags of the processor.
function M.processor()
   local text = read '/proc/cpuinfo' or ''
   return text:match '\nmodel name%s*:%s*([^\n]*)' or text:match '\nModel%s*:%s*([^\n]*)',
      text:match '\nflags%s*:%s*([^\n]*)' or text:match '\nFeatures%s*:%s*([^\n]*)'
end

--- Bytes of memory: total, available, swap in use; nil where the system does not say.
function M.memory()
   local text = read '/proc/meminfo'
   if not text then
      return nil
   end
   local function bytes(name)
      return (tonumber(text:match(name .. ':%s*(%d+) kB')) or 0) * 1024
   end
   return { total = bytes 'MemTotal', available = bytes 'MemAvailable',
      swap = bytes 'SwapTotal' - bytes 'SwapFree' }
end

--- How many processors' time a container may use; nil without a limit.
function M.quota()
   local text = read '/sys/fs/cgroup/cpu.max'
   local quota, period = (text or ''):match '^(%d+) (%d+)'
   if not quota then
      quota = (read '/sys/fs/cgroup/cpu/cpu.cfs_quota_us' or ''):match '^%d+'
      period = (read '/sys/fs/cgroup/cpu/cpu.cfs_period_us' or ''):match '^%d+'
   end
   return quota and period and tonumber(quota) / tonumber(period) or nil
end

--- The system's load over one, five and fifteen minutes.
function M.load()
   local a, b, c = (read '/proc/loadavg' or ''):match '^(%S+) (%S+) (%S+)'
   return tonumber(a), tonumber(b), tonumber(c)
end

--- Ticks of each processor since the start: list of { busy, all }, that of all of them at 0.
function M.ticks()
   local list = {}
   for name, numbers in (read '/proc/stat' or ''):gmatch 'cpu(%d*)%s+([%d ]+)' do
      local all, idle, i = 0, 0, 0
      for number in numbers:gmatch '%d+' do
         i = i + 1
         if i <= 8 then -- the others are counted in these already
            all = all + number
         end
         if i == 4 or i == 5 then
            idle = idle + number
         end
      end
      list[tonumber(name) and tonumber(name) + 1 or 0] = { busy = all - idle, all = all }
   end
   return list
end

--- How busy processors were between two readings of `ticks`: shares from 0 to 1, all of them at 0.
function M.usage(before, after)
   local shares = {}
   for i = 0, #after do
      local a, b = before[i], after[i]
      local all = a and b and b.all - a.all or 0
      shares[i] = all > 0 and (b.busy - a.busy) / all or 0
   end
   return shares
end

--- A process's name.
function M.name(pid)
   local text = read(('/proc/%d/cmdline'):format(pid))
   text = text and text:gsub('%z', ' '):gsub('%s+$', '')
   if text and text ~= '' then
      return text
   end
   return ((read(('/proc/%d/comm'):format(pid)) or '?'):gsub('%s+$', ''))
end

return M
