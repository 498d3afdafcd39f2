--- How a layer prints: its class and what its declaration's `text` says of its fields.
--
-- `{kW}` is a field, `{weight[2]}` a size of a tensor, `{size/x}` the sizes in a storage with `x`
-- between them, `{p%f}` a number in a format. What stands in `<…>` is shown when one of its fields
-- is not the default, or when such a part right behind it is shown. `{no bias}` is ` without bias`
-- where there is none.
-- @module nn.base.text

local torch = require 'torch'
local arguments = require 'nn.base.arguments'

local M = {}

local function number(value)
   return type(value) == 'number' and ('%.14g'):format(value) or tostring(value)
end

local function item(object, what)
   if what == 'no bias' then
      return object.bias and '' or ' without bias'
   end
   local field, index = what:match '^([%w_]+)%[(%d+)%]$'
   if field then
      local t = object[field]
      index = tonumber(index)
      return index <= t:dim() and number(t:size(index)) or '?' -- a broken layer is looked at, too
   end
   local name, format = what:match '^([%w_]+)(%%.*)$'
   if name then
      return format:format(object[name])
   end
   local sizes, separator = what:match '^([%w_]+)/(.*)$'
   if sizes then
      return table.concat(object[sizes]:totable(), separator)
   end
   return number(object[what])
end

local function expand(object, text)
   return (text:gsub('{(.-)}', function(what)
      return item(object, what)
   end))
end

local function is_default(object, list, part)
   for field in part:gmatch '{([%w_]+)' do
      local value = object[field]
      if value ~= nil and value ~= arguments.default(list, field, object) then
         return false
      end
   end
   return true
end

--- What tostring gives.
-- @param object a layer or criterion
-- @string text as above
-- @tparam table list the constructor's arguments, for the defaults
function M.show(object, text, list)
   local starts, next_start, next_shown = {}, nil, false
   for start, part in text:gmatch '()(%b<>)' do
      starts[#starts + 1] = { start, part:sub(2, -2), start + #part }
   end
   local shown = text
   for i = #starts, 1, -1 do -- from the last on, so that places stay
      local start, part, behind = unpack(starts[i])
      local show = not is_default(object, list, part) or (next_start == behind and next_shown)
      shown = shown:sub(1, start - 1) .. (show and part or '') .. shown:sub(behind)
      next_start, next_shown = start, show
   end
   return torch.typename(object) .. expand(object, shown)
end

return M
