--- Names that lines typed before have made local: at the prompt each line is a chunk of its own,
-- and its locals are over with it.
-- @module trepl.failure.locals
local M = {}

local over = {} -- name -> true

--- Note the locals of what was typed; of its outermost block, as far as lines tell that.
function M.note(text)
   if not text:find('local', 1, true) then
      return
   end
   for part in text:gsub('^%s+', ''):gsub(';%s*', '\n'):gmatch '[^\n]+' do
      local names = part:match '^local%s+function%s+([%a_][%w_]*)'
         or part:match '^local%s+([%a_][%w_%s,]*)'
      for name in (names or ''):gmatch '[%a_][%w_]*' do
         over[name] = true
      end
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
