--- Names that lines typed before have made local: at the prompt each line is a chunk of its own,
-- and its locals are over with it.
-- @module trepl.failure.locals
local util = require 'jit.util'
local block = require 'trepl.block'

local M = {}

local over = {} -- name -> true

local MOST = 50 -- names that a function can have from outside, and some

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
   return then true until while]]):gmatch '%S+' do
   KEYWORDS[word] = true
end

-- Whatever stands behind a `local`, be it in a comment.
local function candidates(text)
   local names, seen = {}, {}
   for list in text:gsub('%f[%w_]local%s+function%f[^%w_]', 'local')
      :gmatch '%f[%w_]local%s+([%a_][%w_%s,]*)' do
      for name in list:gmatch '[%a_][%w_]*' do
         if not (seen[name] or KEYWORDS[name]) and #names < MOST then
            seen[name], names[#names + 1] = true, name
         end
      end
   end
   return names
end

-- The function within a chunk that begins in a line.
local function function_at(chunk, number)
   local i = -1
   while true do
      local constant = util.funck(chunk, i)
      if constant == nil then
         return nil
      elseif type(constant) == 'proto' and util.funcinfo(constant).linedefined == number then
         return constant
      end
      i = i - 1
   end
end

--- Note the locals that what was typed has at its end: those that a function there has from
-- outside. Names that have become globals are forgotten.
function M.note(text)
   for name in pairs(over) do
      over[name] = rawget(_G, name) == nil or nil
   end
   local names = candidates(text)
   if #names == 0 then
      return
   end
   local asking = ('%s\nreturn function() return %s end'):format(text, table.concat(names, ', '))
   local chunk = loadstring(asking) or block.compile(asking)
   local last = chunk and function_at(chunk, select(2, text:gsub('\n', '')) + 2)
   for i = 0, last and util.funcinfo(last).upvalues - 1 or -1 do
      over[util.funcuvname(last, i)] = true
   end
end

--- What to say of a global that is nil.
-- @string name
-- @return sentence, or nil
function M.about(name)
   return over[name] and ('%s was local to the line that it was typed in: without local it stays')
      :format(name) or nil
end

return M
