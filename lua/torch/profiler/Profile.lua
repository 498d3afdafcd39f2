--- What a program has spent its time and memory on (torch.Profile), as torch.profiler finds it.
-- @classmod torch.Profile
local ffi = require 'ffi'
local th = require 'torch.ffi'
local binary = require 'torch.io.binary'
local class = require 'torch.class'
local errors = require 'torch.errors'
local layers = require 'torch.profiler.layers'
local output = require 'torch.io.output'
local script = require 'torch.profiler.script'
local session = require 'torch.profiler.session'

local C, raise = th.C, th.raise

local Profile = class.class('torch.Profile')

local OPTIONS = { lines = true, layers = true }

local function read(options)
   if options ~= nil and type(options) ~= 'table' then
      raise(('profiler: expected a table of options, got %s'):format(class.type(options)))
   end
   for key, value in pairs(options or {}) do
      if not OPTIONS[key] then
         raise(('profiler: no such option: %s; there are lines and layers'):format(tostring(key)))
      elseif type(value) ~= 'boolean' then
         raise(('profiler: %s: expected true or false, got %s'):format(key, class.type(value)))
      end
   end
   options = options or {}
   return options.lines ~= false, options.layers ~= false
end

--- Begin a profile: torch.profiler.start(options).
-- @param[opt] options table: lines (true), layers (true)
-- @raise "profiler: a profile is running since train.lua:12; stop it first: torch.profiler.stop()"
function Profile:__init(options)
   local lines, with_layers = read(options)
   if session.current then
      raise(('profiler: a profile is running since %s; stop it first: torch.profiler.stop()')
         :format(session.current._where))
   end
   local record = C.TH_Profile_start(lines)
   if record == nil then
      raise(ffi.string(C.TH_lastError()))
   end
   self._record = ffi.gc(record, C.TH_Profile_free)
   self._where = errors.where():gsub(': $', '')
   self._numbers, self._names = {}, {} -- of ranges
   self._ends = {}
   session.current = self
   if lines then
      table.insert(self._ends, script.follow(record))
   end
   if with_layers then
      table.insert(self._ends, layers.attach(self))
   end
   self._began = C.TH_Profile_here(record)
end

--- End the profile. It waits for the devices that have worked meanwhile; ranges that have not ended
-- end now.
-- @return self
-- @example torch.profiler.start():stop().seconds > 0 --> true
function Profile:stop()
   if session.current ~= self then
      return self
   end
   session.current = nil
   self.seconds = tonumber(C.TH_Profile_now(self._record)) * 1e-9
   C.TH_Profile_stop(self._record)
   for i = #self._ends, 1, -1 do
      self._ends[i]()
   end
   self._ends = {}
   if C.TH_Profile_incomplete(self._record) then
      io.stderr:write('profiler: memory ran out; the profile ends before the program does\n')
   end
   return self
end

local function stopped(self)
   errors.held(self._record, 'torch.Profile')
   if session.current == self then
      raise 'profiler: the profile still runs; call its stop() first'
   end
   return self
end

--- What the profile's events add up to: a list of tables, the most time first.
--
-- | by | a row for each | fields beside name |
-- | --- | --- | --- |
-- | 'operation' | operation of the core | calls, own, total, device, bytes, allocated |
-- | 'line' | line of the script, 'train.lua:12' | the same |
-- | 'layer' | layer and pass, 'net.3.conv1 forward' | the same, and class |
-- | 'range' | range of the script | the same |
-- | 'memory' | line, and place ('cpu', 'cuda:1') | place, count, allocated, peak, left |
--
-- Times are seconds: `own` without, `total` with what was called; `device` is the time that a CUDA
-- device worked. `bytes` are those of the tensors that were read and written. `allocated` is what
-- was taken, `peak` what of it was in use when most was, `left` what is in use at the end; CPU
-- tensors of no more than 256 bytes are not counted.
-- @string by
-- @return list
-- @usage p:rows(by) -> list
-- @example
-- local p = torch.profiler(function() return torch.ones(10):sum() end)
-- #p:rows('line') --> 1
function Profile:rows(by)
   return require('torch.profiler.rows').of(stopped(self), by)
end

--- The rows as text.
-- @param[opt] options table: by ('operation'), sort (a field: 'own'), top (number of rows, 10)
-- @return string
-- @usage p:table([options]) -> string
-- @example
-- local p = torch.profiler(function() return torch.ones(10):sum() end)
-- p:table { by = 'line', sort = 'calls', top = 3 }:match '^%w+' --> 'line'
function Profile:table(options)
   return require('torch.profiler.text').table(stopped(self), options)
end

--- A summary: the tables by operation, line, layer and range, and of memory.
function Profile:__tostring()
   if session.current == self then
      return 'torch.Profile: running since ' .. self._where
   end
   return require('torch.profiler.text').summary(self)
end

local function written(what, file, text)
   if file ~= nil then
      output.write(what, file, function(stream)
         binary.writeString(stream, text)
      end)
   end
   return text
end

--- The events with their times, in the JSON that chrome://tracing and Perfetto (ui.perfetto.dev)
-- read: one track for the script, one for each device, one for the memory.
-- @string[opt] file to write it to
-- @return string: the JSON
-- @usage p:trace([file]) -> string
-- @example
-- local p = torch.profiler(function() return torch.ones(10):sum() end)
-- p:trace():match '"traceEvents"' --> '"traceEvents"'
function Profile:trace(file)
   return written('trace', file, require('torch.profiler.trace').json(stopped(self)))
end

--- A flame graph: what called what, from below; widths are times. Lines of the script, ranges,
-- layers and operations.
-- @string[opt] file to write it to
-- @return string: SVG
-- @usage p:flameGraph([file]) -> string
-- @example
-- local p = torch.profiler(function() return torch.ones(10):sum() end)
-- p:flameGraph():match '^<svg' --> '<svg'
function Profile:flameGraph(file)
   return written('flameGraph', file, require('torch.profiler.flame').svg(stopped(self)))
end

--- The memory that tensors had, over time, by the line that took it.
-- @string[opt] file to write it to
-- @string[opt] place 'cpu' or 'cuda:1'; by default where most was in use
-- @return string: SVG
-- @usage p:memoryGraph([file] [, place]) -> string
-- @example
-- local p = torch.profiler(function() return torch.ones(1000) end)
-- p:memoryGraph():match '^<svg' --> '<svg'
function Profile:memoryGraph(file, place)
   return written('memoryGraph', file,
      require('torch.profiler.memory_graph').svg(stopped(self), place))
end

return Profile
