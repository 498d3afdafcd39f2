--- The help text of a command line.
-- @module torch.cmdline.help

--- @param self torch.CmdLine
-- @param arg table, optional: element 0 is the script's name (the global `arg`)
local function helpText(self, arg)
   arg = arg or rawget(_G, 'arg') or {}
   local usage = { 'Usage: ' .. tostring(arg[0] or 'script') }
   if next(self.options) then
      table.insert(usage, '[options]')
   end
   local width = 0
   for _, item in ipairs(self.helplines) do
      if type(item) == 'table' then
         item.shown = item.positional and '<' .. item.key:gsub('^%-+', '') .. '>' or item.key
         width = math.max(width, #item.shown)
      end
   end
   for _, argument in ipairs(self.arguments) do
      table.insert(usage, argument.shown)
   end
   local lines = { table.concat(usage, ' '), '' }
   for _, item in ipairs(self.helplines) do
      if type(item) ~= 'table' then
         table.insert(lines, tostring(item))
      else
         local line = ('  %s%s %s'):format(item.shown, (' '):rep(width - #item.shown), item.help)
         if not item.positional then
            line = line .. (' [%s]'):format(tostring(item.default))
         end
         table.insert(lines, line)
      end
   end
   return table.concat(lines, '\n') .. '\n'
end

return helpText
