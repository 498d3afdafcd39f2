--- The value of a chain of names, as torch.Tensor or net.modules[1].weight, found without running
-- any code: no function is called.
-- @module trepl.expression
local class = require 'torch.class'
local registry = require 'torch.class.registry'
local members = require 'trepl.members'
local sorted_keys = require 'xlua.sorted_keys'

local M = {}

-- What a call of the value gives, where that is plain: a constructor's class.
local function called(value)
   local made = registry.constructors[value]
   return made
end

local suffixes = {
   { '^%s*[.:]%s*([%a_][%w_]*)', function(value, name)
      return members.get(value, name)
   end },
   { '^%s*%[%s*(%-?%d+)%s*%]', function(value, key)
      return type(value) == 'table' and rawget(value, tonumber(key)) or nil
   end },
   { '^%s*%[%s*(["\'])([^"\']*)%1%s*%]', function(value, _, key)
      return members.get(value, key)
   end },
   { '^%s*%b()', called }, { '^%s*%b{}', called },
}

--- @param text string: a chain of names, of indexes that are constants, and of constructors' calls
-- @param lookup function(name): the value of the first name; by default the global
-- @return the value, for a constructor's call the class (members has the names of both); nil when
-- that cannot be said
function M.value(text, lookup)
   local name, at = text:match '^%s*([%a_][%w_]*)()'
   if not name then
      return nil
   end
   local value
   if lookup then
      value = lookup(name)
   else
      value = rawget(_G, name)
   end
   while value ~= nil and text:find('%S', at) do
      local found = false
      for _, suffix in ipairs(suffixes) do
         local first, last, a, b = text:find(suffix[1], at)
         if first then
            value, at, found = suffix[2](value, a, b), last + 1, true
            break
         end
      end
      if not found then
         return nil
      end
   end
   return value
end

--- The chain that ends a text, before which something else stands: 'x = a + net:get' -> 'net:get'.
function M.chain(text)
   local at = #text
   local function back(pattern)
      local first = text:sub(1, at):find(pattern)
      if first then
         at = first - 1
         return true
      end
   end
   repeat
      local again = false
      if back '[%a_][%w_]*%s*$' then
         again = back '[.:]%s*$'
      elseif back '%b()%s*$' or back '%b[]%s*$' or back '%b{}%s*$' then
         again = true
      end
   until not again
   return (text:sub(at + 1):gsub('^%s+', ''))
end

--- Methods that any tensor or layer has: what may follow a call whose value nobody knows.
function M.usual_names(name_filter)
   local names = {}
   for _, typename in ipairs { 'torch.DoubleTensor', 'nn.Module', 'nn.Container' } do
      local methods = class.getmetatable(typename)
      for _, name in ipairs(methods and members.names(methods, true) or {}) do
         if not name_filter or name_filter(name) then
            names[name] = true
         end
      end
   end
   return sorted_keys(names)
end

return M
