--- Reading XML as far as our pictures need it: elements, attributes, text, the five entities. What
-- is not well formed is an error.
local M = {}

local ENTITIES = { lt = '<', gt = '>', amp = '&', quot = '"', apos = "'" }

local function plain(text)
   assert(not text:find '[<%z\1-\8\11\12\14-\31]', 'a character that XML has no place for')
   return (text:gsub('&([^;&]*);?', function(name)
      return assert(ENTITIES[name], 'no such entity: &' .. name)
   end))
end

local function attributes(text)
   local found = {}
   local rest = text:gsub('%s+([%w:-]+)="([^"]*)"', function(name, value)
      assert(found[name] == nil, 'twice: ' .. name)
      found[name] = plain(value)
      return ''
   end)
   assert(rest:match '^%s*$', 'no attributes: ' .. rest)
   return found
end

--- The element that a text consists of: { name, attributes, text, elements within it ... }.
function M.parse(text)
   local root = { text = '' }
   local open = { root }
   local at = 1
   while true do
      local from, to, close, name, rest, alone = text:find('<(/?)([%w:]+)([^<>]-)(/?)>', at)
      local top = open[#open]
      top.text = top.text .. plain(text:sub(at, (from or #text + 1) - 1))
      if not from then
         break
      elseif close == '/' then
         assert(top.name == name, ('</%s> ends <%s>'):format(name, tostring(top.name)))
         open[#open] = nil
      else
         local element = { name = name, attributes = attributes(rest), text = '' }
         table.insert(top, element)
         if alone == '' then
            open[#open + 1] = element
         end
      end
      at = to + 1
   end
   assert(#open == 1, 'not ended: ' .. tostring(open[#open].name))
   assert(#root == 1 and root.text:match '^%s*$', 'one element, and nothing around it')
   return root[1]
end

--- All elements of a name, in order.
function M.all(element, name, list)
   list = list or {}
   for _, inner in ipairs(element) do
      if inner.name == name then
         list[#list + 1] = inner
      end
      M.all(inner, name, list)
   end
   return list
end

return M
