--- Conditions that are always true: `if a:eq(b) then`, where a:eq(b) is a tensor. Lua asks nobody
-- whether a value counts as true, so th looks at the text before it runs. Other classes have such
-- methods as well (torch.Tester's eq), so `a` must be known for a tensor: it is a global that is
-- one, or the text gives it what torch makes.
-- @module trepl.scripts.conditions
local M = {}

local comparisons = { eq = '==', ne = '~=', lt = '<', le = '<=', gt = '>', ge = '>=' }

-- What a condition is taken from: `if ... then`, `elseif ... then`, `while ... do`.
local frames = {
   '%f[%w_]if%s(.-)%sthen%f[^%w_]', '%f[%w_]elseif%s(.-)%sthen%f[^%w_]',
   '%f[%w_]while%s(.-)%sdo%f[^%w_]', '%f[%w_]assert%s*(%b())',
}

-- The comparison of tensors that a condition, or a part of it between `and` and `or`, is.
local function comparison(condition)
   condition = condition:gsub('^%((.*)%)$', '%1')
   local text = (' ' .. condition .. ' '):gsub('%sand%s', '\n'):gsub('%sor%s', '\n')
   for part in text:gmatch '[^\n]+' do
      part = part:gsub('^%s*not%s', ''):match '^%s*(.-)%s*$'
      local owner, name, arguments = part:match '^([%a_][%w_.:%[%]%(%)]-):([engl][eqt])%s*(%b())$'
      if owner and comparisons[name] and arguments:find '[^%s%(%)]' then
         return part, owner, name, arguments
      end
   end
end

local function advice(part, owner, name, arguments)
   local of_tensors = name == 'eq' and not arguments:find '^%(%s*%-?[%d.]+%s*%)$'
   local remedy = of_tensors and ('%s:equal%s'):format(owner, arguments)
      or ('%s:min() == 1 for all elements, %s:max() == 1 for any'):format(part, part)
   return ('%s gives a tensor of 0 and 1, which counts as true whatever it holds: %s'):format(
      part, remedy)
end

local makers = {}
for name in ('ones zeros rand randn range linspace eye randperm'):gmatch '%a+' do
   makers[name] = true
end

local LONGEST = 400 -- bytes of a line that is looked at; longer ones are data

-- Which names are tensors, as far as one can tell.
local function tensors(lines)
   local known = {}
   local torch = package.loaded.torch -- th goes on without one that does not load
   for _, line in ipairs(lines) do
      local names, maker = line:match '^%s*l?o?c?a?l?%s*([%a_][%w_, ]*)=%s*torch%.(%w+)%s*[%({]'
      if names and (makers[maker] or maker:match 'Tensor$') then
         for name in names:gmatch '[%w_]+' do
            known[name] = true
         end
      end
   end
   return function(name)
      return known[name] or torch and torch.isTensor(rawget(_G, name))
   end
end

-- A text's lines without its comments; what is in a comment of several lines is left empty.
local function code_of(text)
   text = text:gsub('%-%-%[(=*)%[(.-)%]%1%]', function(_, comment)
      return comment:gsub('[^\n]', '') -- lines keep their numbers
   end)
   local lines = {}
   for line in (text .. '\n'):gmatch '([^\n]*)\n' do
      lines[#lines + 1] = #line <= LONGEST and line:gsub('%-%-.*$', '') .. ' ' or ''
   end
   return lines
end

-- The conditions among lines that are always true.
local function always_true(lines, isTensor)
   local list = {}
   for number, line in ipairs(lines) do
      for _, frame in ipairs(frames) do
         local condition = line:match(frame)
         local part, owner, name, arguments = comparison(condition or '')
         if part and isTensor(owner) then
            list[#list + 1] = { number, advice(part, owner, name, arguments) }
            break
         end
      end
   end
   return list
end

--- The conditions of a text that are always true, and fields that are numbers of the core's
-- (trepl.scripts.insides).
-- @string text of Lua
-- @return list of { line number, sentence }
function M.find(text)
   local compares = text:find ':[engl][eqt]%s*%('
   local asks = text:find '%.dtype%f[^%w_]' or text:find '%.device%f[^%w_]'
      or text:find '%.data%f[^%w_]'
   if not compares and not asks then
      return {}
   end
   local lines = code_of(text)
   local isTensor = tensors(lines)
   local list = compares and always_true(lines, isTensor) or {}
   for _, found in ipairs(asks and require('trepl.scripts.insides').find(lines, isTensor) or {}) do
      list[#list + 1] = found
   end
   return list
end

--- Warn of them on stderr.
-- @string text of Lua
-- @string name of the file, for the message
function M.warn(text, name)
   for _, found in ipairs(M.find(text)) do
      io.stderr:write(('%s:%d: warning: %s\n'):format(name, found[1], found[2]))
   end
end

return M
