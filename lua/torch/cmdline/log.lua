--- What is printed, copied to a file.
-- @module torch.cmdline.log
local errors = require 'torch.errors'

local function stamp(self)
   local timestamp = self.timestamp
   if not timestamp then
      return ''
   end
   local name = timestamp.name and '[' .. timestamp.name .. ']' or ''
   return os.date(timestamp.format) .. name .. ': '
end

--- The method CmdLine:log.
local function log(self, file, params)
   local handle = file
   if io.type(file) ~= 'file' then
      local message
      handle, message = io.open(file, 'w')
      if not handle then
         errors.raise('CmdLine:log: cannot open the log: ' .. message)
      end
   end
   local screen = print
   rawset(_G, 'print', function(...)
      local texts = {}
      for i = 1, select('#', ...) do
         texts[i] = tostring((select(i, ...)))
      end
      handle:write(stamp(self), table.concat(texts, ' '), '\n')
      handle:flush()
      if not self.silentio then
         screen(...)
      end
   end)
   print('[program started on ' .. os.date() .. ']')
   print('[command line arguments]')
   local names = {}
   for name in pairs(params or {}) do
      table.insert(names, name)
   end
   table.sort(names, function(a, b)
      return tostring(a) < tostring(b)
   end)
   for _, name in ipairs(names) do
      print(name, params[name])
   end
   print('[----------------------]')
end

return log
