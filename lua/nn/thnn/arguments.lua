--- What a kernel is given: tensors, `x:cdata()`, numbers and flags, by the row that declares them.
--
-- A row is a call as Torch7's header has it:
--
--    VolumetricMaxUnpooling_updateOutput(input, output, @indices, oT, oW, oH, pT -> padT) : Class
--
-- Names of tensors and flags are listed below; any other is a number. `*x` is a tensor whatever its
-- name, `@x` one of any element type, `x?` may be nil, `x~` is scratch memory, which nothing here
-- needs: anything is taken. `x!` is handed on as it is. `pT -> padT` is in the field `padT`.
-- @module nn.thnn.arguments

local torch = require 'torch'
local raise = require('torch.errors').raise
local structs = require 'torch.tensor.structs'
local th = require 'torch.ffi'

local M = {}

local function set(names)
   local r = {}
   for name in names:gmatch '%S+' do
      r[name] = true
   end
   return r
end

local TENSORS = set [[
   input output gradOutput gradInput target weight bias gradWeight gradBias weights total_weight
   noise running_mean running_var save_mean save_std grid gradGrid hidden bias1 bias2 hx cx cy cell
   outputCell storage gradInInput gradInHidden gradInGates gradInputHx gradInputCx gradOutputCell
   lastInput values finput randomSamples isTarget
]]

local FLAGS = set [[
   sizeAverage inplace train ceil_mode count_include_pad featFirst batch_mode shouldScaleGradByFreq
]]

local function parse_one(text)
   local mark, name, optional, rest = text:match '^%s*([*@]?)([%w_]+)([?~!]?)%s*(.-)%s*$'
   assert(name, 'nn.thnn: not an argument: ' .. text)
   local field = rest:match '^%->%s*([%w_]+)$' or name
   local kind = optional == '~' and 'scratch' or optional == '!' and 'other'
      or mark == '@' and 'any' or (mark == '*' or TENSORS[name]) and 'tensor'
      or FLAGS[field] and 'flag' or 'number'
   return { name = name, field = field, kind = kind, optional = optional == '?' }
end

--- Read the list of a row's arguments.
-- @string text between the parentheses
-- @return list of { name, field, kind, optional }, with `usage`
function M.parse(text)
   local list, names = {}, {}
   for part in text:gmatch '[^,]+' do
      local argument = parse_one(part)
      list[#list + 1], names[#names + 1] = argument, argument.name
   end
   list.usage = table.concat(names, ', ')
   return list
end

-- --- values -------------------------------------------------------------------------------------

--- Raise for something that a kernel was given.
function M.fail(row, message, ...)
   raise(('THNN.%s: %s; call it as %s(%s)'):format(row.name, message:format(...), row.name,
      row.arguments.usage))
end

local function wrong(row, index, value, wanted)
   local came = type(value) == 'number' and tostring(value)
      or value == nil and 'nil' or 'a ' .. torch.type(value)
   M.fail(row, 'argument %d (%s) is %s, expected %s', index, row.arguments[index].name, came,
      wanted)
end

local function as_tensor(row, index, value, first)
   local argument = row.arguments[index]
   local t = th.isTensor(value) and value or structs.tensor(value)
   if t == nil then
      if not argument.optional or value ~= nil then -- a null pointer is nil
         wrong(row, index, value, 'a tensor or its cdata()')
      end
   elseif argument.kind == 'tensor' and first
      and (t.dtype ~= first.dtype or t.device_type ~= first.device_type) then
      M.fail(row, 'argument %d (%s) is a %s, expected a %s, as the first tensor is', index,
         argument.name, torch.typename(t), torch.typename(first))
   end
   return t
end

local function as_number(row, index, value)
   if type(value) == 'boolean' then
      return value and 1 or 0
   end
   return tonumber(value) or wrong(row, index, value, 'a number')
end

local function as_flag(row, index, value)
   if type(value) == 'boolean' then
      return value
   end
   return (tonumber(value) or wrong(row, index, value, 'true or false')) ~= 0
end

--- The values of a call, by field.
-- @tparam table row { name, arguments }
-- @param ... what the kernel was given
-- @return table
function M.read(row, ...)
   local list, count = row.arguments, select('#', ...)
   if count > #list then
      M.fail(row, 'got %d arguments, expected %d', count, #list)
   end
   local values, first = {}, nil
   for i, argument in ipairs(list) do
      local value, kind = (select(i, ...)), argument.kind
      if kind == 'tensor' or kind == 'any' then
         value = as_tensor(row, i, value, first)
         first = first or kind == 'tensor' and value or nil
      elseif kind == 'flag' then
         value = as_flag(row, i, value)
      elseif kind == 'number' then
         value = as_number(row, i, value)
      end
      if kind ~= 'scratch' then
         values[argument.field] = value
      end
   end
   return values
end

return M
