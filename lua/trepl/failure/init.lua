--- Errors as the prompt and scripts show them: the message, what is near to a name that does not
-- exist, the user's line, and the calls that led there, those within libraries folded.
-- @module trepl.failure
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local errors = require 'torch.errors'
local near = require 'torch.near'
local advice = require 'trepl.failure.advice'
local expression = require 'trepl.expression'
local forms = require 'trepl.failure.forms'
local frames = require 'trepl.failure.frames'
local globals = require 'trepl.failure.globals'
local locals = require 'trepl.failure.locals'
local members = require 'trepl.members'
local methods = require 'trepl.failure.methods'
local nils = require 'trepl.failure.nils'
local owners = require 'trepl.failure.owners'
local source = require 'trepl.failure.source'
local syntax = require 'trepl.failure.syntax'
local values = require 'trepl.failure.values'

local M = {}

local function label(owner, value)
   return registry.names[value] or class.typename(value) or owner -- a class is no object of itself
end

-- Names that begin with one that does not exist: CrossEntropy.
local function longer(name, names)
   local found = {}
   for _, one in ipairs(names) do
      if #name > 3 and #found < 3 and one:sub(1, #name) == name then
         found[#found + 1] = one
      end
   end
   return found
end

--- What to say of a name that does not exist.
-- @param name string
-- @param separator '.' or ':', nil for a global
-- @param owner string: the expression before it; may be nil
-- @param value of the expression; may be nil
-- @tab[opt] use of a global: see trepl.failure.globals; of a field called: whether it is
-- @return sentence, or nil
function M.about_name(name, separator, owner, value, use)
   local parts = {}
   if not separator then
      local about = locals.about(name) or globals.about(name, use)
      if about then
         return about
      end
      local names = #name > 3 and near.names(name, members.names(_G)) or {} -- net: no next
      return #names > 0 and ('near to %s: %s'):format(name, table.concat(names, ', ')) or nil
   end
   local called = separator == ':' or use ~= nil and use.called
   local names
   if value == nil and not called then
      return nil -- a field of something unknown, which may have any
   elseif value ~= nil then
      names = near.names(name, members.names(value))
      names = #names > 0 and names or longer(name, members.names(value))
      parts[1] = ("%s has no '%s'"):format(label(owner, value), name)
   else
      names = near.names(name, expression.usual_names())
   end
   local other = value ~= nil and owners.about(name, owner, value, called)
   local ours
   if not other and (called or not owners.is_plain(value)) then
      ours = advice.for_name(name, value ~= nil and function(without)
         return members.get(value, without) ~= nil
      end)
   end
   if other or ours then
      parts[#parts + 1] = other or 'here it is ' .. ours
   elseif #names > 0 then
      parts[#parts + 1] = 'near: ' .. table.concat(names, ', ')
   elseif value ~= nil and value == package.loaded.nn and name:find '^%u' then
      parts[#parts + 1] = ("there is no such layer (yet); torch.class('nn.%s', 'nn.Module') with "
         .. 'updateOutput and updateGradInput makes it one of yours'):format(name)
   end
   return #parts > 0 and table.concat(parts, '; ') or nil
end

--- What to say of a tensor's field that is the core's: about_inside(name, owner, value).
M.about_inside = owners.inside

-- The expression before a name in a line of source, and its value.
local function owner_of(name, line, lookup)
   local at = 1
   while line do
      local first, last = line:find('[.:]%s*' .. name .. '%f[^%w_]', at)
      if not first then
         return nil
      end
      local owner = expression.chain(line:sub(1, first - 1))
      local value = expression.value(owner, lookup)
      if value ~= nil and members.get(value, name) == nil then
         return owner, value
      end
      at = last + 1
   end
end

-- Which variable of a line is nil, and what may have been meant.
local function about_variable(message, line, lookup, use)
   local chain = nils.variable(message, line, lookup)
   if not chain then
      return nil
   end
   local owner, name = chain:match '^(.*)%.([%w_]+)$'
   local more
   if owner then
      local about = M.about_name(name, '.', owner, expression.value(owner, lookup))
      more = about and about:match "has no '[^']*'; (.*)$"
   elseif not select(2, lookup(chain)) then
      more = M.about_name(chain, nil, nil, nil, use)
   end
   return chain .. ' is nil' .. (more and '; ' .. more or '')
end

-- Whether the failing line is a layer's: its self is one, or a container tells of it.
local function in_layer(message, lookup)
   local self = lookup and lookup 'self'
   if self == nil then
      return message:find '^In %d+ module of ' ~= nil
   end
   return class.isTypeOf(self, 'nn.Module') or class.isTypeOf(self, 'nn.Criterion')
end

local advise

-- An error that was caught elsewhere and is told as a part of another: the line is that one's,
-- whose variables nobody knows.
local function advise_inner(message)
   local path, number, inner = message:match '^[^\n]-:%d+: [^\n]-: ([^%s:]+%.lua):(%d+): (.*)$'
   if not path or errors.isLibrary('@' .. path) then
      return false
   elseif message:find ': threads: thread %d+: ' or message:find '; workers have ' then
      return true, advice.for_message((message:gsub('^[^\n]-:%d+: ', '', 1)))
   end
   return true, advise(('%s:%s: %s'):format(path, number, inner),
      source.of_file(path, tonumber(number)))
end

function advise(message, line, lookup, own)
   local is_inner, about = advise_inner(message)
   if is_inner then
      return about
   end
   local kind, name = message:match "attempt to %a+ (%a+) '([%w_]+)' %(a nil value%)"
   if not kind then
      kind, name = message:match "attempt to perform arithmetic on (%a+) '([%w_]+)' %(a nil value%)"
   end
   local sentence
   local use = { line = line, typed = own and own.source == '=stdin' }
   if (name == 'output' or name == 'gradInput') and (line or ''):find 'self%s*%.'
      and in_layer(message, lookup) then
      return "a layer's __init begins with parent.__init(self), which makes output and gradInput"
   elseif kind == 'global' then
      use.verb = message:match 'attempt to (%a+)'
      sentence = syntax.misread(name, line) or M.about_name(name, nil, nil, nil, use)
   elseif kind == 'field' or kind == 'method' then
      local owner, value = owner_of(name, line, lookup)
      sentence = M.about_name(name, kind == 'field' and '.' or ':', owner, value,
         { called = message:find('attempt to call', 1, true) ~= nil })
   end
   local inside = message:match "attempt to %a+ %a+ '([%w_]+)' %(a %l+ value%)"
   if inside and not kind then
      local owner, value = owner_of(inside, line, lookup)
      if inside == 'data' then -- a method, and so no field that is nil
         owner = (line or ''):match '([%a_][%w_.]*)%.data%f[^%w_]'
         value = owner and expression.value(owner, lookup)
      end
      sentence = owners.inside(inside, owner, value)
   end
   local module = message:match "module '([%w_.]+)' not found"
   if module then
      local names = near.names(module, require('trepl.complete.strings').modules '')
      sentence = #names > 0 and 'near: ' .. table.concat(names, ', ') or nil
   end
   sentence = sentence or advice.for_missing(message)
   return sentence or syntax.named(message, line) or nils.about(message, line, lookup, own)
      or methods.about(message, line, lookup, own)
      or values.about(message, line, lookup)
      or about_variable(message, line, lookup, use)
      or advice.for_message((message:gsub('^[^\n]-:%d+: ', '', 1):gsub('^%a+%.%u%w*: ', '', 1)))
end

-- A library's file as `require` would name it: torch/functions/view.lua.
local function within(file)
   local inside = file:match '.*/lua/(.+)$' or file:match '[^/]+/[^/]+$' or file
   return (inside:gsub('^5%.1/', ''))
end

-- An error that Lua itself found in a library is the user's, whose line comes first.
local function blame(err, own)
   local file, number, message = err:match '^([^\n]-):(%d+): (.*)$'
   if own and file and errors.isLibrary('@' .. file) then
      return ('%s:%d: %s (within %s:%s)'):format(own.short_src, own.currentline, message,
         within(file), number)
   end
   return err
end

-- What containers made of an error of Lua's: "In 1 module of nn.Sequential:", the message, and the
-- stack at that time. The message's own line is the user's then.
local function unfold(err)
   local message, stack = err:match '^(.-)\nstack traceback:(\n.*)$'
   if not message then
      return nil
   end
   local path, number = message:match '([^\n]-):(%d+): [^\n]*$'
   local lines = {}
   for line in stack:gmatch '\n(%s+[^\n]*)' do
      local file = line:match '^%s+(.-):%d+: in '
      if file and file ~= '[C]' and not file:find '^%.%.%.'
         and not errors.isLibrary('@' .. file) then
         lines[#lines + 1] = '\t' .. line:match '%S.*'
      end
   end
   return message, path and source.of_file(path, tonumber(number)), number, lines
end

-- Where a module was looked for, in one line; of './x' the few places are told.
local function without_places(err)
   return (err:gsub("(module '[^'.][^']*' not found):\n(.*)", function(head, places)
      local _, count = places:gsub('no file', '')
      local rest = places:gsub('%s*no field package%.preload[^\n]*', '')
         :gsub('%s*no file [^\n]*', '')
      return ('%s: it is none of the %d files that package.path and package.cpath stand for%s')
         :format(head, count, rest)
   end))
end

-- What the FFI says of our functions and structs.
local function in_our_words(err)
   return (err:gsub("bad argument #%d+ to 'TH_([%w_]+)' %(cannot convert '([^']*)' to "
      .. "'[%w ]*struct TH_Tensor[ *&]*'%)", '%1: expected a tensor, got %2')
      :gsub("bad argument #%d+ to 'TH_([%w_]+)' %(cannot convert '([^']*)' to '([%w_ ]+)'%)",
         function(name, came, wanted)
            return ('%s: expected %s, got %s'):format(name, wanted == 'bool' and 'true or false'
               or 'a number', came)
         end)
      :gsub("'struct TH_Tensor'", 'a tensor'):gsub("'struct TH_StorageRef'", 'a storage'))
end

local function compose(err, last)
   err = in_our_words(without_places(err))
   local list = frames.list(last)
   local own = frames.own(list)
   local message, line, number, calls = unfold(err)
   if not message then
      line, number = own and source.line(own), own and own.currentline
      calls = frames.lines(list)
   end
   local parts = { blame(message or err, own) }
   local lookup = own and frames.lookup(own, own.level + 1)
   local ok, sentence = pcall(advise, message or err, line, lookup, own)
   if ok and not sentence and parts[1] ~= (message or err) then -- Lua's own, within a library
      ok, sentence = pcall(forms.of, list, own)
   end
   if ok and sentence then
      parts[#parts + 1] = '  ' .. sentence
   end
   if line then
      parts[#parts + 1] = ('  %d | %s'):format(number, line:match '^%s*(.-)%s*$')
   end
   -- That a line was typed needs no telling; that a script was run is where the others end.
   if #calls > 1 or (own and own.source ~= '=stdin') then
      parts[#parts + 1] = 'stack traceback:'
      for _, call in ipairs(calls) do
         parts[#parts + 1] = call:find '^\t' and call or '\t' .. call
      end
   end
   return table.concat(parts, '\n')
end

--- A message of the compiler with the line that it names.
-- @param message string
-- @param text string: the source; or nil and the file's path
function M.of_syntax(message, text, path)
   local line_at = source.reader(text, path)
   local number, line = source.named(message, line_at)
   if not number then
      return message
   end
   local at, found, sentence = syntax.else_if(message, source.whole(text, path))
   if not at then
      at, found, sentence = syntax.head(number, line_at)
   end
   if not at then
      sentence = syntax.about(line, message)
      if not sentence then
         at, found, sentence = syntax.above(number, message, line_at)
      end
   end
   number, line = at or number, found or line
   sentence = sentence or syntax.about_message(message)
   return ('%s%s\n  %d | %s'):format(message, sentence and '\n  ' .. sentence or '', number,
      line:match '^%s*(.-)%s*$')
end

--- An error as text; a message handler of xpcall.
-- @param err anything that was raised
-- @param last function: the one below the user's code on the stack
-- @return string; nil for the error nil, which asks for silence, as with lua itself
function M.describe(err, last)
   if type(err) == 'string' then
      local ok, text = pcall(compose, err, last)
      return ok and text or debug.traceback(err, 2)
   elseif err == nil then
      return nil
   end
   local meta = getmetatable(err)
   if type(meta) == 'table' and meta.__tostring then
      return tostring(err)
   end
   return ('(the error is a %s, not a message)'):format(type(err))
end

return M
