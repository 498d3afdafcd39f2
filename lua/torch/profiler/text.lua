--- Profiles as tables for the terminal.
-- @module torch.profiler.text
local events = require 'torch.profiler.events'
local memory = require 'torch.profiler.memory'
local class = require 'torch.class'
local rows_of = require 'torch.profiler.rows'
local raise = require('torch.errors').raise
local byte_text = require 'xlua.byte_text'

local M = {}

local function ms(seconds)
   return ('%.3f'):format(seconds * 1e3)
end

local function us(seconds)
   return ('%.1f'):format(seconds * 1e6)
end

local function field(name, format)
   return function(row)
      return format(row[name])
   end
end

-- { heading, row, its list -> text }
local COLUMNS = {
   calls = { 'calls', field('calls', tostring) },
   own = { 'own ms', field('own', ms) },
   percent = { '%', function(row, sums)
      return sums.own > 0 and ('%.1f'):format(100 * row.own / sums.own) or '-'
   end },
   total = { 'total ms', field('total', ms) },
   each = { 'us a call', function(row)
      return row.calls > 0 and us(row.total / row.calls) or '-'
   end },
   device = { 'device ms', field('device', ms) },
   bytes = { 'moved', field('bytes', byte_text) },
   allocated = { 'allocated', field('allocated', byte_text) },
   place = { 'where', field('place', tostring) },
   count = { 'times', field('count', tostring) },
   peak = { 'at peak', field('peak', byte_text) },
   left = { 'left', field('left', byte_text) },
}
local TIMES = { 'calls', 'own', 'percent', 'total', 'each', 'device', 'bytes', 'allocated' }
local MEMORY = { 'place', 'count', 'allocated', 'peak', 'left' }

local SUMMED = { 'calls', 'own', 'device', 'bytes', 'allocated', 'count', 'peak', 'left' }
-- Totals of rows that lie in one another add up to nothing.
local NO_SUM = { total = true, each = true, percent = true, place = true }

local function sums_of(rows)
   local sums = {}
   for _, name in ipairs(SUMMED) do
      sums[name] = 0
      for _, row in ipairs(rows) do
         sums[name] = sums[name] + (row[name] or 0)
      end
   end
   return sums
end

local function right(text, width)
   return (' '):rep(width - #text) .. text
end

local MOST = 44 -- characters of a name; of a longer one the end tells more

local function shortened(name)
   return #name > MOST and '...' .. name:sub(-MOST + 3) or name
end

local function lay_out(cells)
   local widths = {}
   for _, line in ipairs(cells) do
      for c, text in ipairs(line) do
         widths[c] = math.max(widths[c] or 0, #text)
      end
   end
   local out = {}
   for l, line in ipairs(cells) do
      local parts = { line[1] .. (' '):rep(widths[1] - #line[1]) }
      for c = 2, #line do
         parts[c] = right(line[c], widths[c])
      end
      out[l] = table.concat(parts, '  '):gsub('%s+$', '')
   end
   return table.concat(out, '\n')
end

local OPTIONS = { by = 'string', sort = 'string', top = 'number' }

local function check(options)
   if type(options) ~= 'table' then
      raise(("table: expected a table of options, such as { by = 'line' }, got %s"):format(
         class.type(options)))
   end
   for key, value in pairs(options) do
      if not OPTIONS[key] then
         raise(('table: no such option: %s; there are by, sort and top'):format(tostring(key)))
      elseif type(value) ~= OPTIONS[key] then
         raise(('table: %s: expected a %s, got %s'):format(key, OPTIONS[key], class.type(value)))
      end
   end
   if options.top and options.top < 0 then
      raise(('table: top is %s, expected a number of rows'):format(options.top))
   end
end

--- What the docstring of Profile:table says.
function M.table(profile, options)
   options = options == nil and {} or options
   check(options)
   local by, top = options.by or 'operation', options.top or 10
   local rows = rows_of.of(profile, by)
   if options.sort then
      if rows[1] and type(rows[1][options.sort]) ~= 'number' then
         raise(('table: rows by %s have no number %s to sort by'):format(by,
            tostring(options.sort)))
      end
      rows_of.sort(rows, options.sort)
   end
   local sums = sums_of(rows)
   local columns = {}
   for _, name in ipairs(by == 'memory' and MEMORY or TIMES) do
      if name ~= 'device' or sums.device > 0 then
         columns[#columns + 1] = name
      end
   end
   local cells = { { by } }
   for c, name in ipairs(columns) do
      cells[1][c + 1] = COLUMNS[name][1]
   end
   for i = 1, math.min(top, #rows) do
      local line = { shortened(rows[i].name) }
      for c, name in ipairs(columns) do
         line[c + 1] = COLUMNS[name][2](rows[i], sums)
      end
      cells[#cells + 1] = line
   end
   local all = { #rows > top and ('all %d'):format(#rows) or 'all' }
   for c, name in ipairs(columns) do
      all[c + 1] = NO_SUM[name] and '' or COLUMNS[name][2](sums, sums)
   end
   cells[#cells + 1] = all
   return lay_out(cells)
end

local function heading(profile)
   local list, n = events.of(profile)
   local operations, busy = 0, 0
   for i = 0, n - 1 do
      local event = list[i]
      if event.kind == events.OPERATION then
         operations = operations + 1
         if event.parent < 0 or list[event.parent].kind ~= events.OPERATION then
            busy = busy + events.seconds(event['end'] - event.begin)
         end
      end
   end
   local parts = {
      ('%s ms, of which %s in %d operations'):format(ms(profile.seconds), ms(busy), operations),
   }
   for _, place in ipairs(memory.places(profile)) do
      local most = memory.peak(profile, place)
      parts[#parts + 1] = ('%s more of %s at most'):format(byte_text(most), place)
   end
   return table.concat(parts, '; ')
end

--- Everything there is to tell.
function M.summary(profile)
   local parts = { heading(profile) }
   for _, by in ipairs(rows_of.order) do
      if #rows_of.of(profile, by) > 0 then
         parts[#parts + 1] = M.table(profile, { by = by })
      end
   end
   return table.concat(parts, '\n\n') .. '\n'
end

return M
