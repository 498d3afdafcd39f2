--- Where a nil came from: a layer that is not there, or one whose updateOutput returned nothing.
-- @module trepl.failure.nils
local class = require 'torch.class'
local expression = require 'trepl.expression'
local source = require 'trepl.failure.source'

local M = {}

-- net:get(7) of a net that has fewer.
local function from_get(text, lookup)
   for before, index in text:gmatch '():get%s*%(%s*([%w_]+)%s*%)' do
      local owner = expression.chain(text:sub(1, before - 1))
      local net = expression.value(owner, lookup)
      local number = tonumber(index) or lookup and lookup(index)
      local modules = type(net) == 'table' and rawget(net, 'modules')
      if type(modules) == 'table' and type(number) == 'number' and not modules[number] then
         return ('%s:get(%s) is nil: the %s has %d module%s'):format(owner, number,
            class.typename(net) or 'container', #modules, #modules == 1 and '' or 's')
      end
   end
end

-- t[0] or t[i] of a table that has nothing there.
local function from_index(text, lookup)
   for before, index in text:gmatch '()%[%s*([%w_]+)%s*%]' do
      local owner = expression.chain(text:sub(1, before - 1))
      local list = expression.value(owner, lookup)
      local number = tonumber(index) or lookup and lookup(index)
      if class.isTypeOf(list, 'nn.Container') and type(number) == 'number' then
         return ('its layers are %s:get(%s)'):format(owner, number)
      elseif type(list) == 'table' and not class.typename(list) and type(number) == 'number'
         and rawget(list, number) == nil then
         return ('%s[%s] is nil: %s'):format(owner, number, number == 0 and 'positions count from 1'
            or ('%s has %d element%s'):format(owner, #list, #list == 1 and '' or 's'))
      elseif index == '0' and list == nil and owner:find '%)$' then
         return ('positions count from 1: %s[1]'):format(owner)
      end
   end
end

-- What functions of Lua give that cannot do what they were asked for: nil, and why.
local function from_lua(text, ending)
   local name = text:match('%f[%w_.](io%.p?open)%s*%b()' .. ending)
      or text:match('%f[%w_.](load)%s*%b()' .. ending)
      or text:match('%f[%w_.](loadstring)%s*%b()' .. ending)
      or text:match('%f[%w_.](loadfile)%s*%b()' .. ending)
   return name and ('%s gave nil: assert(%s(...)) says why'):format(name, name) or nil
end

-- The layer whose output a net's is, and the way to it.
local function last_layer(net, path)
   local modules = rawget(net, 'modules')
   while type(modules) == 'table' and class.isTypeOf(net, 'nn.Sequential') and #modules > 0 do
      path, net = ('%s:get(%d)'):format(path, #modules), modules[#modules]
      modules = rawget(net, 'modules')
   end
   return net, path
end

-- net:forward(x) as the whole of an expression, or what is indexed.
local function from_forward(text, lookup, ending)
   local before = text:match('():forward%s*%b()' .. ending)
   local owner = before and expression.chain(text:sub(1, before - 1))
   local net = owner and expression.value(owner, lookup)
   if type(net) == 'table' and class.isTypeOf(net, 'nn.Module') then
      local layer, path = last_layer(net, owner)
      return ('%s:forward gave nothing: updateOutput of %s (%s) must end with return self.output')
         :format(owner, class.typename(layer), path)
   end
end

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
   return then true until while _]]):gmatch '%S+' do
   KEYWORDS[word] = true
end

-- Messages of functions that were given a nil: Lua's own, and ours.
local REFUSED = {
   'got nil', 'got no value', 'got none', 'got nothing', ' is nil', 'invalid arguments',
   'sizes are missing', 'Wrong size', 'cannot become', 'with nil', 'a nil value',
   'with a nil', 'index is nil', "'for' ",
}

--- Which variable among the arguments and operands of a line is nil: often one that is misspelt.
-- @string message
-- @string line of source that it blames; may be nil
-- @param lookup function(name): the value of a variable there
-- @return its name, or a field's with its owner: opt.hidden; or nil
function M.variable(message, line, lookup)
   local refused = false
   for _, words in ipairs(REFUSED) do
      refused = refused or message:find(words, 1, true) ~= nil
   end
   if not refused or not line or not lookup then
      return nil
   end
   local code = line:gsub('"[^"]*"', '""'):gsub("'[^']*'", "''"):gsub('%-%-.*$', '')
      :gsub('%.%.%.', '""'):gsub('%.%.', ' .. ')
   local of_texts = message:find('attempt to concatenate', 1, true) ~= nil
   for before, chain, after in code:gmatch '()%f[%w_.:]([%a_][%w_.]*)%s*()' do
      local name = chain:match '^[%w_]+'
      local ahead = code:sub(1, before - 1)
      local joins, joined = ahead:find '%.%.%s*$', code:find('^%.%.', after)
      local leads = joins or ahead:find '[%(,%+%*/%^%[]%s*$' -- an argument, or an operand
         or joined and (ahead:find '=%s*$' or ahead:find '%f[%w_]return%s*$')
      local ends = joined or code:find('^[%),%+%*/%^%-%]]', after)
         or code:find('^do%f[^%w_]', after) or after > #code
      if leads and ends and (joins or joined or not of_texts) and not KEYWORDS[name]
         and expression.value(chain, lookup) == nil then
         local owner = chain:match '^(.*)%.[%w_]+$' -- a.b of an a that nobody knows: say nothing
         if not owner or expression.value(owner, lookup) ~= nil then
            return chain
         end
      end
   end
end

--- What to say of a message such as "attempt to index local 'y' (a nil value)".
-- @string message
-- @string line of source that it blames; may be nil
-- @param lookup function(name): the value of a variable there
-- @param own the frame, for the lines above; may be nil
-- @return sentence, or nil
function M.about(message, line, lookup, own)
   local name = message:match "attempt to %a+ %a+ '([%w_]+)' %(a nil value%)"
   local nameless = message:find('attempt to index a nil value', 1, true)
      or message:find('arithmetic on a nil value', 1, true)
      or message:find('concatenate a nil value', 1, true)
      or message:find('attempt to call a nil value', 1, true)
   if not (name or nameless) or not line then
      return nil
   end
   local sentence = from_get(line, lookup) or from_index(line, lookup)
      or nameless and (from_forward(line, lookup, '%s*[.:%[]') or from_lua(line, '%s*[.:(]')) or nil
   local number, value
   if not sentence and name and own then
      number, value = source.assignment(own, name)
      sentence = value and (from_get(value, lookup) or from_forward(value, lookup, '%s*;?%s*$')
         or from_lua(value, '%s*;?%s*$'))
      local given = value and value:match '^([%a_][%w_]*)%s*;?%s*$'
      if not sentence and given and given ~= 'nil' and lookup and lookup(given) == nil then
         sentence = given .. ' is nil'
      end
   end
   return sentence and number and ('if %s comes from line %d: %s'):format(name, number, sentence)
      or sentence
end

return M
