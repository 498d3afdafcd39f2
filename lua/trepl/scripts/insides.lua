--- Fields of tensors that are numbers of the core's, or a method, where PyTorch has names and a
-- tensor: `print(x.dtype)` prints 8, and no Lua is asked on the way. So th looks at the text before
-- it runs, as for conditions.
-- @module trepl.scripts.insides
local M = {}

-- The names that PyTorch has, too; nobody writes the others by chance.
local FIELDS = { dtype = true, device = true, data = true }

-- x.name, but for what is a field itself: net.x.name; and x:detach().name.
local PATTERNS = {
   '%f[%w_.:]([%a_][%w_]*)%.(%a+)%f[^%w_]()',
   '%f[%w_.:]([%a_][%w_]*):detach%(%)%.(%a+)%f[^%w_]()',
}

--- Where a text reads such a field of what is known for a tensor, the first time of each.
-- @tparam table lines of code, without comments
-- @tparam function isTensor whether a name is one
-- @return list of { line number, sentence }
function M.find(lines, isTensor)
   local list, seen = {}, {}
   local function look(number, line, owner, name, behind)
      local text = owner .. '.' .. name
      local is_all = line:match '^%s*(.-)%s*$' == text -- what the prompt has an answer for
      if FIELDS[name] and not seen[text] and not is_all and not line:find('^%s*%(', behind)
         and isTensor(owner) then
         seen[text] = true
         list[#list + 1] = { number, require('trepl.failure.owners').field(name, owner) }
      end
   end
   for number, line in ipairs(lines) do
      for _, pattern in ipairs(PATTERNS) do
         for owner, name, behind in line:gmatch(pattern) do
            look(number, line, owner, name, behind)
         end
      end
   end
   return list
end

return M
