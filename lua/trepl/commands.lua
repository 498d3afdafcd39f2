--- What may be typed at the prompt that is no Lua: `? name`, `$ command`, `exit`, `break`.
-- @module trepl.commands
local class = require 'torch.class'
local expression = require 'trepl.expression'

local M = {}

-- What is near to a name of which there is no help, or what another framework's is called here.
local function near(what)
   local failure, advice = require 'trepl.failure', require 'trepl.failure.advice'
   local owner, separator, name = what:match '^(.*)([.:])([%w_]+)$'
   if owner then
      return failure.about_name(name, separator, owner, expression.value(owner))
   end
   local ours = advice.for_name(what)
   return failure.about_name(what) or ours and 'here it is ' .. ours or nil
end

local function help(what)
   local text = require 'torch.help'
   if what == '' then
      print [[
? name       what the sources say about a function, a class or a package: ? nn.Linear, ? x:narrow
$ command    the shell's command
x;           computes x and shows nothing
_            the last result (_LAST, too); _RESULTS[i] the i-th
exit         leaves, as Ctrl-D does
Tab          completes names, files within strings and the options of functions
Ctrl-C       drops what is typed, and interrupts what runs
Ctrl-R       searches the history
Alt-Enter    begins a new line]]
      return
   end
   require('trepl.autoload').finish()
   -- An object's method: of its class. Names of classes and methods are found by help itself.
   local owner, method = what:match '^(.*):([%w_]+)$'
   local object = owner and expression.value(owner)
   local typename = object ~= nil and class.typename(object)
   if typename then
      what = (class.isTensor(object) and 'Tensor' or typename) .. ':' .. method
   end
   local value = expression.value(what)
   local kind = type(value)
   local known = kind == 'function' or kind == 'table' or kind == 'userdata'
   local answer = known and text.text(value) or text.text(what)
   print(answer)
   local about = answer:find '^no help on' and near(what)
   if about then
      print(about)
   end
end

local function shell(command)
   io.stdout:flush()
   os.execute(command)
end

local function confirmed(interactive)
   if not interactive then
      return true
   end
   io.write 'Do you really want to exit ([y]/n)? '
   io.flush()
   local answer = io.read()
   return answer == nil or not answer:find '^%s*[nN]'
end

local function word_in(text)
   local word = text:match '^%s*(%a+)%s*;?%s*$'
   local leaves = (word == 'exit' or word == 'quit') and rawget(_G, word) == nil
   return (leaves or word == 'break') and word or nil
end

--- Whether a line is no Lua.
function M.is_command(line)
   return line:find '^%s*[?$]' ~= nil or word_in(line) ~= nil
end

--- @param text string: what was typed
-- @param interactive boolean: whether somebody can be asked
-- @return function to be called in its place, or nil for Lua; and whether the prompt ends with it
function M.find(text, interactive)
   local what = text:match '^%s*%?%s*(.-)%s*$'
   if what then
      return function()
         help(what)
      end
   end
   local command = text:match '^%s*%$%s*(.-)%s*$'
   if command then
      return function()
         shell(command)
      end
   end
   local word = word_in(text)
   if word == 'break' then
      return nil, true
   elseif word then
      return function() end, confirmed(interactive)
   end
end

return M
