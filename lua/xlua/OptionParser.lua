--- Options of a script, declared as Python's optparse does (xlua.OptionParser).
--
--     local op = xlua.OptionParser('%prog [options] files')
--     op:option { '-n', '--count', dest = 'count', default = 10, help = 'how many' }
--     op:option { '-v', '--verbose', action = 'store_true', dest = 'verbose', default = false }
--     local options, files = op:parse()
--
-- @classmod xlua.OptionParser
local class = require 'torch.class'
local errors = require 'torch.errors'
local sortedKeys = require 'xlua.sorted_keys'

local OptionParser = class.class('xlua.OptionParser')

local ACTIONS = { store = true, store_true = true, store_false = true }

--- @param usage string, or a table with it in the field `usage`: '%prog' in it stands for the
-- script's name
function OptionParser:__init(usage)
   self.usage = type(usage) == 'table' and usage.usage or usage or '%prog [options]'
   self.option_descriptions = {}
   self.option_of = {} -- flag -> description
   self:option { '-h', '--help', action = 'store_true', dest = 'help',
      help = 'show this help message and exit' }
end

--- Declare an option.
-- @param optdesc table: a list of flags, such as '-n' and '--count', with the fields
-- dest (key of the value; by default the last flag's name), action ('store' a value, 'store_true',
-- 'store_false'), default, req (whether it must be given), help
function OptionParser:option(optdesc)
   if type(optdesc) ~= 'table' or type(optdesc[1]) ~= 'string' then
      errors.raise("OptionParser:option: expected a table with flags, such as { '-n', dest = 'n' }")
   end
   optdesc.action = optdesc.action or 'store'
   optdesc.dest = optdesc.dest or optdesc[#optdesc]:gsub('^%-+', '')
   if not ACTIONS[optdesc.action] then
      errors.raise(('OptionParser:option: unknown action %s of %s'):format(
         tostring(optdesc.action), optdesc[1]))
   end
   table.insert(self.option_descriptions, optdesc)
   for _, flag in ipairs(optdesc) do
      self.option_of[flag] = optdesc
   end
end

--- Print a message and the help, and end the program with status 1.
function OptionParser:fail(message)
   io.stdout:flush()
   io.stderr:write(tostring(message), '\n')
   self:help()
   os.exit(1)
end

-- A number where the text is one, unless the default shows that text is meant.
local function convert(option, text)
   if type(option.default) == 'string' then
      return text
   end
   return tonumber(text) or text
end

-- Take the option at arg[i]; gives the index after it.
local function take(self, options, arg, i)
   local flag, attached = arg[i]:match('^(%-%-[^=]+)=(.*)$')
   flag = flag or arg[i]
   local option = self.option_of[flag]
   if not option then
      self:fail('unknown option ' .. flag)
   elseif option.action ~= 'store' then
      if attached then
         self:fail(('option %s takes no value'):format(flag))
      end
      options[option.dest] = option.action == 'store_true'
      return i + 1
   elseif attached then
      options[option.dest] = convert(option, attached)
      return i + 1
   elseif arg[i + 1] == nil then
      self:fail(('option %s needs a value'):format(flag))
   end
   options[option.dest] = convert(option, arg[i + 1])
   return i + 2
end

--- Parse the global `arg`. '--' ends the options; an error ends the program, and so does --help.
-- @param options table, optional: values by key that hold before the command line does
-- @return table of values by key, and the list of what is no option
function OptionParser:parse(options)
   local arg = rawget(_G, 'arg') or {}
   options = options or {}
   local rest, i = {}, 1
   while i <= #arg do
      if arg[i] == '--' then
         for j = i + 1, #arg do
            rest[#rest + 1] = arg[j]
         end
         break
      elseif arg[i]:match('^%-.') and not tonumber(arg[i]) then
         i = take(self, options, arg, i)
      else
         rest[#rest + 1] = arg[i]
         i = i + 1
      end
   end
   if options.help then
      self:help()
      os.exit(0)
   end
   for _, option in ipairs(self.option_descriptions) do
      if options[option.dest] == nil then
         if option.req then
            self:fail('missing option ' .. self:flags(option))
         end
         options[option.dest] = option.default
      end
   end
   self.options = options
   return options, rest
end

--- The flags of an option as text: '-n, --count'; of all options, one a line, without argument.
function OptionParser:flags(optdesc)
   if optdesc then
      return table.concat(optdesc, ', ')
   end
   local lines = {}
   for i, option in ipairs(self.option_descriptions) do
      lines[i] = self:flags(option)
   end
   return table.concat(lines, '\n')
end

--- Print the usage and the options.
function OptionParser:help()
   local script = (rawget(_G, 'arg') or {})[0] or 'script'
   local lines = { 'Usage: ' .. self.usage:gsub('%%prog', (script:gsub('%%', '%%%%'))), '',
      'Options:' }
   local width = 0
   for _, option in ipairs(self.option_descriptions) do
      width = math.max(width, #self:flags(option))
   end
   for _, option in ipairs(self.option_descriptions) do
      local flags = self:flags(option)
      local line = ('  %s%s  %s'):format(flags, (' '):rep(width - #flags), option.help or '')
      if option.default ~= nil then
         line = ('%s [default = %s]'):format(line, tostring(option.default))
      elseif option.req then
         line = line .. ' [required]'
      end
      lines[#lines + 1] = line
   end
   io.write(table.concat(lines, '\n') .. '\n')
end

--- The values parsed last, as text: 'count=3,verbose=true'.
-- @param generatefilename boolean, optional: put '_' for what no file name should have
-- @param params list of flags, optional: the options to name, in this order; by default those that
-- differ from their defaults
function OptionParser:tostring(generatefilename, params)
   local options = self.options or {}
   local items = {}
   local function add(name, option)
      items[#items + 1] = name:gsub('^%-+', '') .. '=' .. tostring(options[option.dest])
   end
   if params then
      for _, flag in ipairs(params) do
         if not self.option_of[flag] then
            errors.raise(('OptionParser:tostring: there is no option %s'):format(tostring(flag)))
         end
         add(flag, self.option_of[flag])
      end
   else
      for _, option in ipairs(self.option_descriptions) do
         if options[option.dest] ~= option.default then
            add(option.dest, option)
         end
      end
   end
   local text = table.concat(items, ',')
   return generatefilename and (text:gsub('[^%w=,._+-]', '_')) or text
end

--- Print the values parsed last.
-- @param compact boolean, optional: on one line
function OptionParser:summarize(compact)
   local options = self.options or {}
   local items = {}
   for i, key in ipairs(sortedKeys(options)) do
      items[i] = ('%s = %s'):format(key, tostring(options[key]))
   end
   io.write(compact and table.concat(items, ', ') .. '\n'
      or '  ' .. table.concat(items, '\n  ') .. '\n')
end

return class.getconstructortable('xlua.OptionParser')
