--- What the machine does: processors, memory, devices. `th --monitor` shows it every second.
-- @module torch.monitor
local clock = require 'torch.clock'
local host = require 'torch.monitor.host'
local nvml = require 'torch.monitor.nvml'

local M = {}

local BAR = 20 -- characters

local function bar(share)
   local full = math.floor(math.max(0, math.min(1, share)) * BAR + 0.5)
   return '[' .. ('#'):rep(full) .. ('.'):rep(BAR - full) .. ']'
end

local function gib(bytes)
   return ('%.1f'):format(bytes / 2 ^ 30)
end

-- 'processor   [####....]  31% of 16; load 4.9 3.2 2.0'
local function of_processor(lines, usage, now)
   local load = { host.load() }
   lines[#lines + 1] = ('processor  %s %3.0f%% of %d%s'):format(bar(usage[0] or 0),
      (usage[0] or 0) * 100, math.max(#usage, 1), load[1]
      and ('; load %.1f %.1f %.1f'):format(load[1], load[2], load[3]) or '')
   local busiest = {}
   for i, share in ipairs(usage) do
      busiest[i] = ('%4.0f'):format(share * 100)
   end
   for i = 1, #busiest, 16 do
      lines[#lines + 1] = '          ' .. table.concat(busiest, '', i, math.min(i + 15, #busiest))
   end
   if now then
      lines[#lines + 1] = ('memory     %s %s of %s GiB%s'):format(
         bar(1 - now.available / now.total), gib(now.total - now.available), gib(now.total),
         now.swap > 0 and ('; swap %s'):format(gib(now.swap)) or '')
   end
end

local function optional(format, value)
   return value and format:format(value) or nil
end

local function joined(...)
   local parts = {}
   for i = 1, select('#', ...) do
      parts[#parts + 1] = select(i, ...) or nil
   end
   return table.concat(parts, ', ')
end

local function of_device(lines, i, device)
   lines[#lines + 1] = ('device %d   %s'):format(i, device.name)
   if device.utilization then
      lines[#lines + 1] = ('           %s %3d%%'):format(bar(device.utilization / 100),
         device.utilization)
   end
   if device.memory_total then
      lines[#lines + 1] = ('  memory   %s %s of %s GiB'):format(
         bar(device.memory_used / device.memory_total), gib(device.memory_used),
         gib(device.memory_total))
   end
   local state = joined(optional('%d C', device.temperature),
      device.power and ('%.0f%s W'):format(device.power,
         device.power_limit and (' of %.0f'):format(device.power_limit) or '') or nil,
      device.clock and ('%d%s MHz'):format(device.clock,
         device.clock_limit and (' of %d'):format(device.clock_limit) or '') or nil,
      optional('memory %d MHz', device.memory_clock), optional('slowed: %s', device.throttled))
   if state ~= '' then
      lines[#lines + 1] = '           ' .. state
   end
   for _, process in ipairs(device.processes) do
      lines[#lines + 1] = ('  %8d %8s MiB  %s'):format(process.pid,
         process.memory and ('%.0f'):format(process.memory / 2 ^ 20) or '?',
         host.name(process.pid):sub(1, 60))
   end
end

--- The state of the machine as text.
-- @tab before what host.ticks() was some time ago
-- @return text, host.ticks() of now
function M.text(before)
   local ticks = host.ticks()
   local lines = {}
   of_processor(lines, host.usage(before, ticks), host.memory())
   local ok, reason = nvml.open()
   if ok then
      for i, device in ipairs(nvml.devices()) do
         of_device(lines, i, device)
      end
   else
      lines[#lines + 1] = 'devices    ' .. reason
   end
   return table.concat(lines, '\n') .. '\n', ticks
end

--- Show the state of the machine, every second.
-- @int[opt] count how often; by default until Ctrl-C
-- @number[opt=1] seconds between two looks
-- @param[opt] terminal whether each look takes the place of the one before
function M.run(count, seconds, terminal)
   seconds = seconds or 1
   local before = host.ticks()
   local shown = 0
   while not count or shown < count do
      clock.sleep(shown == 0 and math.min(seconds, 0.2) or seconds)
      local text, ticks = M.text(before)
      io.stdout:write(terminal and '\27[H\27[J' or shown > 0 and '\n' or '', text)
      io.stdout:flush()
      before, shown = ticks, shown + 1
   end
   nvml.close()
end

return M
