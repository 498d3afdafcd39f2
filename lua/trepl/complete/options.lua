--- The options that a function takes in a table, as its docstring names them:
-- 'learningRate (1e-3), beta1 (0.9)' in the parameter `config`.
-- @module trepl.complete.options
local expression = require 'trepl.expression'

local M = {}

-- The call and the position of the argument whose table is open at the end of a text.
local function open_table(text)
   local depth, at = 0, #text
   local brace
   local position = 1
   while at > 0 do
      local c = text:sub(at, at)
      if c:find '[%)%]}]' then
         depth = depth + 1
      elseif c:find '[%(%[{]' then
         if depth > 0 then
            depth = depth - 1
         elseif not brace then
            if c ~= '{' then
               return nil
            end
            brace = at
         else
            return c == '(' and expression.chain(text:sub(1, at - 1)) or nil, position
         end
      elseif brace and depth == 0 and c == ',' then
         position = position + 1
      elseif brace and depth == 0 and c:find '[%w_]' and position == 1
         and text:sub(at + 1, brace - 1):find '^%s*$' then
         return expression.chain(text:sub(1, at)), position -- f { ... }
      end
      at = at - 1
   end
end

--- @param before string: the text up to the name
-- @param typed string: what there is of the name
-- @return list of texts, each with ' = '
function M.candidates(before, typed)
   if not before:find '[{,]%s*$' then
      return {}
   end
   local call, position = open_table(before)
   local f = call and expression.value(call)
   if type(f) ~= 'function' then
      return {}
   end
   local find = require 'torch.help.find' -- docstrings are read when somebody asks for them
   local entry = find.atDefinition(f)
   for _, name in ipairs(not entry and find.names(f) or {}) do
      entry = entry or (find.entry(name[2], name[3], f, name[5]))
   end
   local parameter = entry and entry.params[position]
   local list = {}
   for name in (parameter and parameter.text:gsub('^table:%s*', '') or ''):gmatch
      '%f[%w]([%a][%w]*)%s%(' do
      if name:sub(1, #typed) == typed then
         list[#list + 1] = name .. ' = '
      end
   end
   return list
end

return M
