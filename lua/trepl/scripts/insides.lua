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

--- Where a line reads such a field of what is known for a tensor.
-- @string line of code
-- @param is_tensor function: whether a name stands for a tensor
-- @param tell function(sentence)
function M.look(line, is_tensor, tell)
   for _, pattern in ipairs(PATTERNS) do
      for owner, name, behind in line:gmatch(pattern) do
         local is_all = line:match '^%s*(.-)%s*$' == owner .. '.' .. name -- the prompt answers it
         local is_call = line:find('^%s*%(', behind)
         if FIELDS[name] and not is_all and not is_call and is_tensor(owner) then
            tell(require('trepl.failure.owners').field(name, owner))
         end
      end
   end
end

return M
