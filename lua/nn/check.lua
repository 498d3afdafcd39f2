--- The checks that layers make of what they are given, and how their errors describe it.
-- An error names the layer, what came, what was wanted, and what to do.

local ffi = require 'ffi'
local torch = require 'torch'
local raise = require('torch.errors').raise
local registry = require 'torch.class.registry'
local th = require 'torch.ffi'
local types = require 'torch.types'
local is_tensor, C = th.isTensor, th.C

local check = {}

--- Describe a value in an error: "32x28x28" for a tensor, the type name for anything else.
-- @param x anything
function check.describe(x)
   if not torch.isTensor(x) then
      return x == nil and 'nil' or 'a ' .. torch.type(x)
   end
   if x:dim() == 0 then
      return 'empty'
   end
   return table.concat(x:size():totable(), 'x')
end

--- As `describe`, with the number of entries of a table.
function check.list(x)
   return torch.type(x) == 'table' and #x > 0 and 'a table of ' .. #x or check.describe(x)
end

--- Check that `x` is a plain table with entries 1 to `count`.
-- @param layer the module that is asking
-- @param x what the user gave
-- @string name the argument, for the error
-- @int count
-- @string[opt] what of each entry, for the error
function check.entries(layer, x, name, count, what)
   if torch.type(x) ~= 'table' or (count > 0 and x[count] == nil) or #x < count then
      check.fail(layer, '%s is %s, expected a table of %d%s', name, check.list(x), count,
         what and ' ' .. what or '')
   end
end

--- Raise "<layer>: <message>" at the user's line.
-- @param layer a module or criterion
-- @string message a format for string.format
-- @param ... its values
function check.fail(layer, message, ...)
   raise(torch.typename(layer) .. ': ' .. message:format(...))
end

--- Check that `x` is a tensor, of any type, with elements.
-- @param layer the module or criterion that is asking
-- @param x what the user gave
-- @string name the argument, for the error
function check.any_tensor(layer, x, name)
   if not is_tensor(x) or x.ndim == 0 then
      check.fail(layer, '%s is %s, expected a tensor', name, check.describe(x))
   end
end

--- What `backward` says of an empty input, which may be a layer's output before its first forward;
-- '' for another one.
function check.advice(x)
   return is_tensor(x) and x.ndim == 0 and '; before backward, run forward on this input' or ''
end

--- Check what `backward` is given: tensors, of any type, with elements.
-- @param layer the module that is asking
-- @param x the input
-- @param g the gradient by the output
function check.any_backward(layer, x, g)
   if not is_tensor(x) or x.ndim == 0 then
      check.fail(layer, 'input is %s, expected a tensor%s', check.describe(x), check.advice(x))
   end
   check.any_tensor(layer, g, 'gradOutput')
end

--- The tensor that flows through a layer whose input is one, or a table that begins with it.
-- @param layer the module that is asking
-- @param input what the user gave
-- @return it; raises where there is none
function check.first(layer, input)
   if is_tensor(input) then
      check.any_tensor(layer, input, 'input')
      return input
   elseif torch.type(input) ~= 'table' then
      check.fail(layer, 'input is %s, expected a tensor or a table that begins with one',
         check.describe(input))
   end
   check.any_tensor(layer, input[1], 'input 1')
   return input[1]
end

--- Raise unless there is what `forward` keeps for `backward`.
-- @param layer the module that is asking
-- @param kept
function check.kept(layer, kept)
   if kept == nil then
      check.fail(layer, 'backward needs what forward keeps; run forward on this input first')
   end
end

--- Raise for a field that a layer cannot do without.
-- @param layer the module or criterion that is asking
-- @string field its name
function check.missing(layer, field)
   check.fail(layer, 'its field %s is nil, expected a tensor', field)
end

local function wrong_type(layer, own, x, name)
   local came, wanted = torch.typename(x), torch.typename(own)
   local kind = torch.isTypeOf(layer, 'nn.Criterion') and 'criterion' or 'layer'
   local ours = ("%s:type('%s')"):format(name, wanted)
   local theirs = types.isFloating(x.dtype) and (" or %s:type('%s')"):format(kind, came) or ''
   check.fail(layer, '%s is a %s, but the %s is of type %s. Convert %s%s%s', name, came, kind,
      wanted, theirs ~= '' and 'one: ' or 'it: ', ours, theirs)
end

-- Whether x is a tensor of another's element type, on a device of its kind.
local function is_like(x, other)
   return is_tensor(x) and x.dtype == other.dtype and x.device_type == other.device_type
end

-- The name of an argument for an error; raises that error where it is no tensor.
local function name_of_tensor(layer, x, name, index)
   name = index and ('%s %d'):format(name, index) or name
   if not is_tensor(x) then
      check.fail(layer, '%s is %s, expected a tensor', name, check.describe(x))
   end
   return name
end

--- Check that `x` is a tensor of the layer's element type, on its device. Costs some nanoseconds.
-- @param layer the module or criterion that is asking
-- @tparam Tensor own a tensor of the layer (its output buffer, say)
-- @param x what the user gave
-- @string name the argument, for the error
-- @int[opt] index its place in a table
function check.tensor(layer, own, x, name, index)
   if not is_like(x, own) then
      wrong_type(layer, own, x, name_of_tensor(layer, x, name, index))
   end
end

--- Check that `x` is a tensor of another's element type, on its device: where neither is the
-- layer's own, and converting the layer would not help.
-- @param layer the module or criterion that is asking
-- @tparam Tensor first the other
-- @string first_name what the user calls that, for the error
-- @param x what the user gave
-- @string name the argument, for the error
-- @int[opt] index its place in a table
function check.same_type(layer, first, first_name, x, name, index)
   if is_like(x, first) then
      return
   end
   name = name_of_tensor(layer, x, name, index)
   local wanted = torch.typename(first)
   check.fail(layer, "%s is a %s, but the %s is a %s. Convert one, as in x:type('%s')", name,
      torch.typename(x), first_name, wanted, wanted)
end

--- Check that predictions have a fraction: those of integers are most often the targets.
-- @param layer the criterion that is asking
-- @tparam Tensor input
function check.predictions(layer, input)
   if not types.isFloating(input.dtype) then
      check.fail(layer, 'input is a %s, expected predictions with a fraction, such as a '
         .. 'torch.FloatTensor: forward(input, target) takes them first', torch.typename(input))
   end
end

--- Check that `x` is a tensor with as many elements as another.
-- @int[opt] index its place in a table
function check.count(layer, x, like, name, index)
   if not is_tensor(x) or not is_tensor(like) or C.TH_nElement(x) ~= C.TH_nElement(like) then
      check.fail(layer, '%s is %s, expected %s', index and ('%s %d'):format(name, index) or name,
         check.describe(x), check.describe(like))
   end
end

--- Check class numbers: how many there are, and that each is a class. Waits for a device.
-- @param layer the criterion that is asking
-- @tparam LongTensor target
-- @int[opt] count how many there must be
-- @int classes how many classes there are
function check.classes(layer, target, count, classes)
   if count and target:nElement() ~= count then
      check.fail(layer, 'target is %s, expected %d, a class for each sample',
         check.describe(target), count)
   end
   local low, high = target:min(), target:max()
   if low < 1 or high > classes then
      check.fail(layer, 'a target is %d, classes must be from 1 to %d', low < 1 and low or high,
         classes)
   end
end

--- Whether a buffer is a tensor of an element type, on the device of another tensor.
function check.suits(x, dtype, other)
   return is_tensor(x) and x.dtype == dtype and x.device_type == other.device_type
      and x.device == other.device
end

--- A buffer of the element type and on the device of `x`: the one given, if it is.
function check.buffer(buffer, x)
   return check.suits(buffer, x.dtype, x) and buffer or th.like(x)
end

--- A tensor without gaps: `x` itself, or a copy in the layer's field `name`.
function check.contiguous(layer, name, x)
   if x:isContiguous() then
      return x
   end
   local buffer = layer[name] or th.like(x)
   layer[name] = buffer
   return buffer:resizeAs(x):copy(x)
end

--- What a layer in place may write over: the tensor, or a copy where it is expanded, so that
-- several of its elements are one in memory.
-- @tparam Tensor x
-- @treturn Tensor
function check.writable(x)
   for d = 0, x.ndim - 1 do
      if x.strides[d] == 0 and x.sizes[d] > 1 then
         return x:clone()
      end
   end
   return x
end

-- --- arguments of constructors and methods ------------------------------------------------------

--- Describe an argument: numbers by their value.
function check.given(value)
   return type(value) == 'number' and tostring(value) or check.describe(value)
end

--- The sizes a constructor is given, as a LongStorage.
-- @param layer the module that is being made
-- @string usage its call, which the error shows
-- @param ... numbers, or one storage (which is copied: it is the caller's)
function check.shape(layer, usage, ...)
   if torch.isStorage((...)) then
      return torch.LongStorage(#(...)):copy((...))
   end
   local count = select('#', ...)
   for i = 1, math.max(count, 1) do
      local size = select(i, ...)
      if not tonumber(size) then
         check.fail(layer, 'size %d is %s, expected a number: %s', i, check.given(size), usage)
      end
   end
   return torch.LongStorage { ... }
end

--- Check that a method is given a number.
function check.number(layer, value, name)
   if not tonumber(value) then
      check.fail(layer, '%s is %s, expected a number', name, check.describe(value))
   end
end

--- Check what a container is to hold: a module, or what can stand for one.
-- @param container the container that is asking
-- @param module what the user gave
function check.module(container, module)
   if torch.isTypeOf(module, 'nn.Module') then
      return
   end
   local class = registry.constructors[module]
   if class then
      local name = registry.names[class]
      check.fail(container, 'got the class %s, expected a module: add(%s(...))', name, name)
   elseif type(module) ~= 'table' or not module.updateOutput then
      local came = module == nil and 'nil' or 'a ' .. torch.type(module)
      check.fail(container, 'got %s, expected a module such as nn.Tanh()', came)
   end
end

-- --- failures of operations ---------------------------------------------------------------------

--- After an operation failed: make room and return where memory was short, so that it can be tried
-- again; otherwise raise its error, with the layer's name.
function check.recover(layer)
   if C.TH_lastStatus() ~= C.TH_OUT_OF_MEMORY then
      local message = ffi.string(C.TH_lastError())
      local output = rawget(layer, 'output')
      if is_tensor(output) and output.ndim == 0 and message:find('empty', 1, true) then
         message = message .. '; the output is empty: run forward on this input first'
      end
      check.fail(layer, '%s', message)
   end
   th.recover()
end

--- Raise when the second attempt failed too.
function check.status(layer, status)
   if status ~= 0 then
      check.fail(layer, '%s', ffi.string(C.TH_lastError()))
   end
end

return check
