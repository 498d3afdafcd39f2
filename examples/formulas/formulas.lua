--- Logical formulas as nested tables: { 'and', { 'yes' }, { 'not', { 'no' } } }.

local torch = require 'torch'

local formulas = {}

--- A random formula.
-- @int depth of its longest branch
function formulas.draw(depth)
   if depth == 0 then
      return { torch.uniform() < 0.5 and 'yes' or 'no' }
   end
   local operator = ({ 'not', 'and', 'or' })[torch.random(3)]
   if operator == 'not' then
      return { operator, formulas.draw(depth - 1) }
   end
   local deep, other = formulas.draw(depth - 1), formulas.draw(torch.random(0, depth - 1))
   if torch.uniform() < 0.5 then
      deep, other = other, deep
   end
   return { operator, deep, other }
end

--- Whether it is true.
function formulas.value(formula)
   local operator, left, right = unpack(formula)
   if operator == 'not' then
      return not formulas.value(left)
   elseif operator == 'and' then
      return formulas.value(left) and formulas.value(right)
   elseif operator == 'or' then
      return formulas.value(left) or formulas.value(right)
   end
   return operator == 'yes'
end

--- As people write it.
function formulas.text(formula)
   local operator, left, right = unpack(formula)
   if right then
      return ('(%s %s %s)'):format(formulas.text(left), operator, formulas.text(right))
   elseif left then
      return operator .. ' ' .. formulas.text(left)
   end
   return operator
end

return formulas
