--- Fields of tensors that are numbers of the core's, where PyTorch has names: `print(x.dtype)`
-- prints 8, and no Lua is asked on the way. So th looks at the text before it runs, as for
-- conditions.
-- @module trepl.scripts.insides
local M = {}

-- The names that PyTorch has, too; nobody writes the others by chance.
local FIELDS = { dtype = true, device = true }

-- x.name, but for what is a field itself: net.x.name.
local FIELD = '%f[%w_.:]([%a_][%w_]*)%.(%a+)%f[^%w_]()'

--- Where a text reads such a field of what is known for a tensor, the first time of each.
-- @tparam table lines of code, without comments
-- @tparam function isTensor whether a name is one
-- @return list of { line number, sentence }
function M.find(lines, isTensor)
   local list, seen = {}, {}
   for number, line in ipairs(lines) do
      for owner, name, behind in line:gmatch(FIELD) do
         local text = owner .. '.' .. name
         local is_all = line:match '^%s*(.-)%s*$' == text -- what the prompt has an answer for
         if FIELDS[name] and not seen[text] and not is_all and not line:find('^%s*%(', behind)
            and isTensor(owner) then
            seen[text] = true
            local about = require('trepl.failure.owners').field(name, owner)
            list[#list + 1] = { number, about .. ', which gives the name' }
         end
      end
   end
   return list
end

return M
