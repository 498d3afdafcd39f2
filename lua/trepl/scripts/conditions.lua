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

-- The condition of a line that is always true.
local function look(line, is_tensor, tell)
   for _, frame in ipairs(frames) do
      local condition = line:match(frame)
      local part, owner, name, arguments = comparison(condition or '')
      if part and is_tensor(owner) then
         tell(advice(part, owner, name, arguments))
         return
      end
   end
end

-- What a text has if there may be something to find.
local SIGNS = {
   ':[engl][eqt]%s*%(', '%.dtype%f[^%w_]', '%.device%f[^%w_]', '%.data%f[^%w_]', '#%s*[%a_]',
   'pairs%s*%(', '%]%s*[=~]=%s*%-?%d',
}

local function has_signs(text)
   for _, sign in ipairs(SIGNS) do
      if text:find(sign) then
         return true
      end
   end
   return false
end

--- The conditions of a text that are always true, fields that are numbers of the core's
-- (trepl.scripts.insides), and loops and comparisons that do not ask (trepl.scripts.unasked): the
-- first time of each.
-- @string text of Lua
-- @return list of { line number, sentence }
function M.find(text)
   local list, told = {}, {}
   if not package.loaded.torch or not has_signs(text) then -- one that does not load ends nothing
      return list
   end
   local code, names = require 'trepl.scripts.code', require 'trepl.scripts.names'
   local insides, unasked = require 'trepl.scripts.insides', require 'trepl.scripts.unasked'
   names.each_line(code.lines(text), function(number, line, kind)
      local function is_tensor(name)
         return kind(name) == names.TENSOR or kind(name) == names.VARIABLE
      end
      local function tell(sentence)
         if not told[sentence] then
            told[sentence] = true
            list[#list + 1] = { number, sentence }
         end
      end
      look(line, is_tensor, tell)
      insides.look(line, is_tensor, tell)
      unasked.look(line, kind, tell)
   end)
   return list
end

--- Warn of them on stderr, and of Python's constants as they are read (trepl.scripts.constants).
-- @string text of Lua
-- @string name of the file, for the message
function M.warn(text, name)
   if package.loaded.torch then
      require('trepl.scripts.constants').watch(text)
   end
   for _, found in ipairs(M.find(text)) do
      local message = ('%s:%d: warning: %s\n'):format(name, found[1], found[2])
      require('trepl.failure.screen').write(message)
   end
end

return M
