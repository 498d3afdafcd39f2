--- What names of a text stand for, as far as the text tells: by the last line that gave them a
-- value, or by the global of that name. Nothing is known of a name that comes back as a parameter,
-- from a loop, or with a value that nobody can tell.
-- @module trepl.scripts.names
local class = require 'torch.class'

local M = { TENSOR = 'a tensor', VARIABLE = 'a Variable', LOADER = 'dataset.Loader' }

local makers = {}
for name in ('ones zeros rand randn range linspace eye randperm'):gmatch '%a+' do
   makers[name] = true
end

local function of_value(value)
   if class.typename(value) == M.LOADER then
      return M.LOADER
   end
   return class.isTensor(value) and (value:isVariable() and M.VARIABLE or M.TENSOR) or nil
end

local function made_by(text)
   local maker = text:match '^torch%.(%w+)%s*[%({]'
   if maker and (makers[maker] or maker:match 'Tensor$') then
      return text:find ':requiresGrad%(%s*%)%s*$' and M.VARIABLE or M.TENSOR
   end
   return text:find '^dataset%.Loader%s*[%({]' and M.LOADER or nil
end

-- What a line says of names.
local function read(line, known)
   for list in line:gmatch 'function[%s%w_.:]*(%b())' do
      for name in list:gmatch '[%a_][%w_]*' do
         known[name] = false
      end
   end
   local loop = line:match '%f[%w_]for%s+([%w_%s,]-)%s+in%s'
   for list in ((loop or '') .. '=;' .. line):gmatch '([%a_][%w_%s,]*)=%f[^=]' do
      for name in list:gmatch '[%a_][%w_]*' do
         known[name] = false
      end
   end
   local first, value = line:match '^%s*l?o?c?a?l?%s*([%a_][%w_]*)[%w_%s,]*=%s*([^=].*)$'
   if first then
      known[first] = made_by(value) or false
   end
   for name in line:gmatch '%f[%w_.:]([%a_][%w_]*):requiresGrad%(%s*%)' do
      known[name] = M.VARIABLE -- in place
   end
end

--- Go over a text.
-- @tparam table lines of code, without comments
-- @param f function(number, line, kind), where kind(name) is one of those above, or nil
function M.each_line(lines, f)
   local known = {}
   local function kind(name)
      if known[name] == nil then
         return of_value(rawget(_G, name))
      end
      return known[name] or nil
   end
   for number, line in ipairs(lines) do
      read(line, known)
      f(number, line, kind)
   end
end

return M
