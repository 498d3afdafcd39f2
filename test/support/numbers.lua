--- Assertions about tensors.

local numbers = {}

--- Raise unless the tensor has these sizes and (to within `tolerance`) these elements.
-- @tparam table expected nested table of numbers
-- @tparam Tensor tensor
-- @number[opt=0] tolerance
function numbers.equal(expected, tensor, tolerance)
   local function compare(e, t, place)
      if type(e) ~= type(t) then
         error(('at %s: expected a %s, got a %s'):format(place, type(e), type(t)), 4)
      elseif type(e) == 'table' then
         if #e ~= #t then
            error(('at %s: expected %d entries, got %d'):format(place, #e, #t), 4)
         end
         for i = 1, #e do
            compare(e[i], t[i], place .. '[' .. i .. ']')
         end
      else
         local close = math.abs(e - t) <= (tolerance or 0) -- false for a nan
         if not close then
            error(('at %s: expected %.17g, got %.17g'):format(place, e, t), 4)
         end
      end
   end
   compare(expected, tensor:totable(), 'tensor')
end

--- Raise unless two tensors have the same sizes and (to within `tolerance`) the same elements.
function numbers.same(expected, tensor, tolerance)
   numbers.equal(expected:totable(), tensor, tolerance)
end

return numbers
