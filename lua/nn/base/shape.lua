--- Shapes as patterns: `N? C H W` is a batch of N images, or one image.
--
-- A pattern is a list of dimensions. `N?` in front may be missing: the input is a single sample
-- then. A capital letter (also `oH`, `oW`) stands for any size; a number for itself; a field of
-- the layer for its value (`nInputPlane`); `weight[2]` for the second size of a tensor. `...` at
-- the end is any further dimensions; `A | B` one shape or another, with different numbers of
-- dimensions.
--
-- From the patterns of a layer's input and output, `compile` writes its checks, so that they cost
-- the comparisons only.
-- @module nn.base.shape

local torch = require 'torch'
local th = require 'torch.ffi'
local check = require 'nn.check'
local code = require 'nn.base.code'

local M = {}

local CHUNK = code.source()

-- --- patterns -----------------------------------------------------------------------------------

-- 'weight[2]' -> the Lua that reads it from the layer `self`; nil for a free size.
local function expression(item)
   local tensor, index = item:match '^([%w_]+)%[(%d+)%]$'
   if tensor then
      return ('self.%s.sizes[%d]'):format(tensor, index - 1)
   elseif item:match '^%d+$' then
      return item
   elseif not item:match '^o?%u%d*$' then
      assert(item:match '^[%a_][%w_]*$', 'nn: not a dimension in a pattern: ' .. item)
      return 'self.' .. item
   end
end

local function parse_one(text)
   local shape = { open = false }
   for item in text:gmatch '%S+' do
      if item == '...' then
         shape.open = true
      else
         shape[#shape + 1] = { name = item, value = expression(item) }
      end
   end
   return shape
end

local parsed = {} -- pattern -> shapes: classes share patterns

--- The shapes of a pattern: lists of { name, value }, single samples after batches. They are
-- shared, not to be changed.
function M.parse(pattern)
   local shapes = parsed[pattern]
   if shapes then
      return shapes
   end
   shapes = {}
   for alternative in pattern:gmatch '[^|]+' do
      local batch, rest = alternative:match '^%s*(%u)%?(.*)$'
      shapes[#shapes + 1] = parse_one(batch and batch .. rest or alternative)
      if batch then
         shapes[#shapes + 1] = parse_one(rest)
         shapes[#shapes].single = true
      end
   end
   parsed[pattern] = shapes
   return shapes
end

-- --- errors -------------------------------------------------------------------------------------

local function value_of(layer, dimension, known)
   if not dimension.value then
      return known[dimension.name]
   end
   local name, index = dimension.name:match '^([%w_]+)%[(%d+)%]$'
   if name then
      return layer[name]:size(tonumber(index))
   end
   return tonumber(dimension.name) or layer[dimension.name]
end

-- '2x3', or 'N x 3' when there are sizes that may be anything.
local function describe(layer, shape, known)
   local parts, all = {}, not shape.open
   for i, dimension in ipairs(shape) do
      local value = value_of(layer, dimension, known)
      parts[i] = tostring(value or dimension.name)
      all = all and value ~= nil
   end
   if shape.open then
      parts[#parts + 1] = '...'
   end
   return table.concat(parts, all and 'x' or ' x ')
end

local function wrong(layer, name, x, shapes, known, suffix)
   local wanted = {}
   for i, shape in ipairs(shapes) do
      wanted[i] = describe(layer, shape, known or {})
   end
   check.fail(layer, '%s is %s, expected %s%s', name, check.describe(x),
      table.concat(wanted, ' or '), suffix)
end

local function sizes_of(x, shape)
   local known = {}
   for d, dimension in ipairs(shape) do
      if not dimension.value and d <= x:dim() then
         known[dimension.name] = x:size(d)
      end
   end
   return known
end

-- @bool[opt] before whether forward should have been called before
local function wrong_input(layer, x, shapes, before)
   local advice = layer.__advise and layer:__advise(x) or '' -- criterions have none
   wrong(layer, 'input', x, shapes, nil, advice .. (before and check.advice(x) or ''))
end

-- Raise for a gradOutput that does not belong to the input.
local function wrong_gradient(layer, g, shape, x, input_shape)
   wrong(layer, 'gradOutput', g, { shape }, sizes_of(x, input_shape), ', the size of the output')
end

-- --- checks -------------------------------------------------------------------------------------

-- Where in a shape a free size is.
local function place(shape, name)
   for i, dimension in ipairs(shape) do
      if dimension.name == name and not dimension.value then
         return i
      end
   end
end

-- The condition under which tensor `t` is not of a shape; free sizes that `other`, the shape of the
-- tensor x, has too must be the same.
local function mismatch(t, shape, other)
   local parts = {}
   for d, dimension in ipairs(shape) do
      local wanted = dimension.value
      if not wanted and other then
         local at = place(other, dimension.name)
         wanted = at and ('x.sizes[%d]'):format(at - 1)
      end
      if wanted then
         parts[#parts + 1] = ('%s.sizes[%d] ~= %s'):format(t, d - 1, wanted)
      end
   end
   return #parts > 0 and table.concat(parts, ' or ') or 'false'
end

local function counts(shape)
   return ('n %s %d'):format(shape.open and '>=' or '==', #shape)
end

local function input_text(shapes)
   local lines = {}
   for i, shape in ipairs(shapes) do
      lines[#lines + 1] = ('%s %s then'):format(i == 1 and 'if' or 'elseif', counts(shape))
      lines[#lines + 1] = ('   if %s then wrong_input(self, x, inputs, before) end'):format(
         mismatch('x', shape))
   end
   lines[#lines + 1] = 'else wrong_input(self, x, inputs, before) end'
   return table.concat(lines, '\n')
end

local function gradient_text(inputs, outputs)
   local lines = {}
   for i, shape in ipairs(inputs) do
      local output = outputs[i]
      lines[#lines + 1] = ('%s %s then'):format(i == 1 and 'if' or 'elseif', counts(shape))
      lines[#lines + 1] = ('   if g.ndim %s %d or %s then\n'
         .. '      wrong_gradient(self, g, outputs[%d], x, inputs[%d])\n   end'):format(
         output.open and '<' or '~=', #output, mismatch('g', output, shape), i, i)
   end
   lines[#lines + 1] = 'end'
   return table.concat(lines, '\n')
end

local TEMPLATE = [[
local is_tensor, check_tensor, missing, wrong_input, wrong_gradient, inputs, outputs = ...
local function type_of(self, x, name)
   local own = self.$own
   if own == nil then missing(self, '$own') end
   if not is_tensor(x) or x.dtype ~= own.dtype or x.device_type ~= own.device_type then
      check_tensor(self, own, x, name)
   end
end
local function shape_of(self, x, before)
   local n = x.ndim
   $input
end
local function input(self, x)
   type_of(self, x, 'input')
   shape_of(self, x)
end
local function backward(self, x, g)
   type_of(self, x, 'input')
   type_of(self, g, 'gradOutput')
   shape_of(self, x, true)
   local n = x.ndim
   $gradient
end
local function any_type(self, x)
   if not is_tensor(x) then
      check_tensor(self, nil, x, 'input')
   end
   shape_of(self, x)
end
return input, backward, any_type]]

local texts = {} -- what they are written for -> checks: half of the classes are like another

local function checks_text(own, inputs, outputs)
   return (TEMPLATE:gsub('%$(%w+)', {
      own = own,
      input = inputs and input_text(inputs) or '',
      gradient = outputs and gradient_text(inputs, outputs) or '',
   }))
end

--- Write a layer's checks.
-- @string own the field whose element type the layer has
-- @string[opt] input pattern; nil: any shape
-- @string[opt] output pattern, with as many alternatives; nil: any shape
-- @return function(layer, input), function(layer, input, gradOutput), function(layer, input) for an
-- input of any element type: they raise
function M.compile(own, input, output)
   local inputs = input and M.parse(input)
   local outputs = inputs and output and M.parse(output)
   local key = table.concat({ own, input or '', outputs and output or '' }, '\n')
   texts[key] = texts[key] or checks_text(own, inputs, outputs)
   return code.run(texts[key], CHUNK, th.isTensor, check.tensor, check.missing, wrong_input,
      wrong_gradient, inputs, outputs)
end

-- --- batches ------------------------------------------------------------------------------------

--- The number of dimensions of a batch, by a pattern that begins with `N?`.
function M.batch_dims(pattern)
   return #M.parse(pattern)[1]
end

--- A single sample as a batch of one: a view.
function M.add_batch(x)
   local sizes = x:size():totable()
   table.insert(sizes, 1, 1)
   return (x:isContiguous() and x or x:contiguous()):view(torch.LongStorage(sizes))
end

--- Take the first dimension, of size 1, off a result, in place.
function M.drop_batch(y)
   local sizes = y:size():totable()
   table.remove(sizes, 1)
   return y:resize(torch.LongStorage(sizes))
end

return M
