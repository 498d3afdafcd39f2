--- Help on the operations that are generated from lib/TH/ops: formula, types, call forms.
-- @module torch.help.rows
local gen = require 'torch.operations'

local M = {}

local forms = { -- family of lib/TH/ops -> call forms, %s standing for the name
   unary = { 'torch.%s([res,] x) -> res', 'x:%s() -> x, in place', 'res:%s(x) -> res' },
   scalar = {
      'torch.%s([res,] x, value) -> res', 'x:%s(value) -> x, in place', 'res:%s(x, value) -> res',
   },
   scalar2 = { 'torch.%s([res,] x, a, b) -> res', 'x:%s(a, b) -> x, in place', 'res:%s(x, a, b)' },
   binary = { 'torch.%s([res,] x, y) -> res', 'x:%s(y) -> x, in place', 'res:%s(x, y) -> res' },
   ternary_scalar = {
      'torch.%s([res,] x, [value = 1,] y, z) -> res', 'x:%s([value = 1,] y, z) -> x, in place',
      'res:%s(x, [value = 1,] y, z) -> res',
   },
   compare = {
      'torch.%s([res,] x, y) -> res', 'x:%s(y) -> res', 'res:%s(x, y) -> res',
   },
}
local remarks = {
   compare = 'y is a tensor or a number. res is a ByteTensor of 0 and 1, or of the type of x.',
   binary = 'x and y have equal numbers of elements; res takes the sizes of x.',
   ternary_scalar = 'x, y and z have equal numbers of elements; res takes the sizes of x.',
}
local dtypes = {
   Numeric = 'all types', Floating = 'half, bfloat16, float, double', Integral = 'integer types',
}

local rows
--- The row of lib/TH/ops for an operation, or nil.
function M.row(name)
   if not rows then
      rows = {}
      for _, row in ipairs(gen.rows()) do
         rows[row.name] = row
      end
      rows.mod, rows.cmod = rows.fmod, rows.cfmod
      for _, family in ipairs { 'bitand', 'bitor', 'bitxor' } do
         rows[family] = rows[family .. '_value']
      end
   end
   return rows[name]
end

--- An operation's row as lines of text: formula, types, call forms.
function M.lines(name, row)
   local lines = { ('%s   (%s)'):format(row.formula, dtypes[row.dtypes] or row.dtypes) }
   lines[#lines + 1] = remarks[row.family]
   lines[#lines + 1] = ''
   for _, form in ipairs(forms[row.family] or {}) do
      lines[#lines + 1] = '    ' .. form:format(name)
   end
   return lines
end

return M
