--- Options of a script: declared, parsed from the command line, and logged (torch.CmdLine).
--
--     local cmd = torch.CmdLine()
--     cmd:text('Train a network')
--     cmd:option('-lr', 0.1, 'learning rate')
--     local params = cmd:parse(arg)  --> params.lr
--
-- @classmod torch.CmdLine
local class = require 'torch.class'
local errors = require 'torch.errors'
local near = require 'torch.near'
local helpText = require 'torch.cmdline.help'

local CmdLine = class.class('torch.CmdLine')

local HELP = { ['-h'] = true, ['-help'] = true, ['--help'] = true }

local function strip(key)
   return (key:gsub('^%-+', ''))
end

-- Convert the text of an option's value; nil when it does not have the option's type.
local convert = {
   number = tonumber,
   string = tostring,
   boolean = function(text)
      if text == 'true' or text == 'false' then
         return text == 'true'
      end
   end,
}

-- A type that can be read from a command line, for what has to be read.
local function checkType(what, key, kind)
   if not convert[kind] then
      errors.raise(('CmdLine:%s: the type of %s should be number, string or boolean, got %s; give '
         .. 'it as the last argument'):format(what, tostring(key), tostring(kind)))
   end
   return kind
end

--- @param argsep string: between the items that string() joins (',')
-- @param keysep string: between a name and its value there ('=')
function CmdLine:__init(argsep, keysep)
   self.argseparator = argsep or ','
   self.keyseparator = keysep or '='
   self.options = {} -- key with its dashes -> option
   self.arguments = {} -- list of positional arguments
   self.helplines = {} -- options, arguments and texts in the order of their declaration
end

--- Declare an option.
-- @param key string, as it is given: '-lr'; its dashes are left out in the parsed table
-- @param default value without the option. A boolean option is a flag: it takes no value, and
-- stands for `not default`. Any other type that is no number or string, such as a table, is for
-- classes that read options themselves (`__readOption__`): here it cannot be given
-- @param help string
-- @param kind optional: 'number', 'string' or 'boolean'; by default the type of `default`
-- @example
-- local cmd = torch.CmdLine()
-- cmd:option('-rate', 0.1, 'learning rate')
-- cmd:parse({ '-rate', '0.5' }).rate --> 0.5
function CmdLine:option(key, default, help, kind)
   if type(key) ~= 'string' then
      errors.raise(('CmdLine:option: the name should be a string, got %s'):format(tostring(key)))
   end
   local option = {
      key = key, default = default, help = help or '',
      type = (kind ~= nil or default == nil) and checkType('option', key, kind or type(default))
         or type(default),
   }
   if self.options[key] then
      for i, line in ipairs(self.helplines) do
         if line == self.options[key] then
            table.remove(self.helplines, i)
            break
         end
      end
   end
   self.options[key] = option
   table.insert(self.helplines, option)
end

--- Declare a required positional argument.
-- @example
-- local cmd = torch.CmdLine()
-- cmd:argument('-file', 'what to read')
-- cmd:parse({ 'data.t7' }).file --> 'data.t7'
function CmdLine:argument(key, help, kind)
   local argument = {
      key = key, help = help or '', positional = true,
      type = checkType('argument', key, kind or 'string'),
   }
   table.insert(self.arguments, argument)
   table.insert(self.helplines, argument)
end

--- Add a line of text to the help; an empty one without argument.
function CmdLine:text(text)
   table.insert(self.helplines, text or '')
end

--- Print the help.
-- @param arg optional: table whose element 0 is the script's name
function CmdLine:help(arg)
   io.write(helpText(self, arg))
end

--- Print a message and the help, and end the program with status 1.
function CmdLine:error(message)
   io.stdout:flush()
   io.stderr:write('\n', tostring(message), '\n\n', helpText(self))
   os.exit(1)
end

-- Value of an option or argument from its text; ends the program when it is not of the type.
local function valueOf(self, item, text)
   if not convert[item.type] then
      self:error(('%s takes no value: its type is %s'):format(item.shown or item.key, item.type))
   end
   local value = convert[item.type](text)
   if value == nil then
      self:error(('invalid value for %s: expected a %s, got %s'):format(
         item.shown or item.key, item.type, text))
   end
   return value
end

--- Read the positional argument number nArgument at arg[i].
-- @return how many elements of arg it took
function CmdLine:__readArgument__(params, arg, i, nArgument)
   local argument = self.arguments[nArgument]
   if not argument then
      self:error('invalid argument: ' .. tostring(arg[i]) .. near.hint(arg[i], self.options))
   end
   params[strip(argument.key)] = valueOf(self, argument, arg[i])
   return 1
end

--- Read the option at arg[i].
-- @return how many elements of arg it took
function CmdLine:__readOption__(params, arg, i)
   local option = self.options[arg[i]]
   local name = strip(option.key)
   if option.type == 'boolean' then
      params[name] = not option.default
      return 1
   end
   if arg[i + 1] == nil then
      self:error('missing value for option ' .. option.key)
   end
   params[name] = valueOf(self, option, arg[i + 1])
   return 2
end

--- The values that hold without a command line.
-- @return table: name without dashes -> default
function CmdLine:default()
   local params = {}
   for _, option in pairs(self.options) do
      params[strip(option.key)] = option.default
   end
   return params
end

--- Parse a command line. -h, -help and --help print the help and end the program; so does an
-- error, with status 1. A text that is no declared option counts as a positional argument.
-- @param arg list of strings; by default the global `arg`
-- @return table: names without dashes -> values
-- @example
-- local cmd = torch.CmdLine()
-- cmd:option('-rate', 0.1, 'learning rate')
-- cmd:parse({}).rate --> 0.1
function CmdLine:parse(arg)
   arg = arg or rawget(_G, 'arg') or {}
   local params = self:default()
   local i, nArgument = 1, 0
   while i <= #arg do
      if self.options[arg[i]] then
         i = i + self:__readOption__(params, arg, i)
      elseif HELP[arg[i]] then
         self:help(arg)
         os.exit(0)
      else
         nArgument = nArgument + 1
         i = i + self:__readArgument__(params, arg, i, nArgument)
      end
   end
   if nArgument < #self.arguments then
      self:error(('not enough arguments: %d given, %d expected'):format(
         nArgument, #self.arguments))
   end
   return params
end

--- A name for a run: the prefix, the arguments and the options that differ from their defaults.
-- @param prefix string
-- @param params table, as from parse
-- @param ignore table, optional: names not to mention, as in { dir = true }: for each a line
-- "-- ignore option dir" is printed. { dir = false } mentions dir even with its default
-- @usage cmd:string('run', { lr = 0.2, bool = true }) --> 'run,bool=t,lr=0.2'
-- @example
-- local cmd = torch.CmdLine()
-- cmd:option('-rate', 0.1, 'learning rate')
-- cmd:string('run', { rate = 0.5 }, {}) --> 'run,rate=0.5'
function CmdLine:string(prefix, params, ignore)
   ignore = ignore or {}
   local items, ignored = {}, {}
   for name in pairs(params) do
      if ignore[name] then
         table.insert(ignored, tostring(name))
      end
   end
   table.sort(ignored)
   for _, name in ipairs(ignored) do
      print('-- ignore option ' .. name)
   end
   local function add(name)
      local value = params[name]
      if type(value) == 'boolean' then
         value = value and 't' or 'f'
      end
      table.insert(items, name .. self.keyseparator .. tostring(value))
   end
   for _, argument in ipairs(self.arguments) do
      local name = strip(argument.key)
      if not ignore[name] and params[name] ~= nil then
         add(name)
      end
   end
   local names = {}
   for _, option in pairs(self.options) do
      local name = strip(option.key)
      if not ignore[name] and params[name] ~= nil
         and (params[name] ~= option.default or ignore[name] == false) then
         table.insert(names, name)
      end
   end
   table.sort(names)
   for _, name in ipairs(names) do
      add(name)
   end
   table.insert(items, 1, prefix)
   return table.concat(items, self.argseparator)
end

--- Keep what is printed after log() off the standard output.
function CmdLine:silent()
   self.silentio = true
end

--- Start every line of the log with the time.
-- @param name string, optional: shown in brackets after the time
-- @param format string, optional: as for os.date ('%F %T')
function CmdLine:addTime(name, format)
   format = format or '%F %T'
   if type(name) ~= 'nil' and type(name) ~= 'string' or type(format) ~= 'string' then
      errors.raise('CmdLine:addTime: the name and the format should be strings')
   end
   self.timestamp = { name = name, format = format }
end

--- From now on, `print` writes to a file too. The log starts with the date and the parameters.
-- @param file a file name, or an open file
-- @param params table, optional
-- @raise "CmdLine:log: cannot open ..."
CmdLine.log = require 'torch.cmdline.log'

return class.getconstructortable('torch.CmdLine')
