--- Sizes of values, as far as a graph tells them: name -> function(n) that gives the output's.
--
-- A size is a number or, where an input decides it, a text: equal texts are equal sizes. They
-- decide which sums are of equal sizes and so may be made of bytes.
-- @module onnx.import.sizes
local M = {}

local of = {}

-- What files of strangers may make us keep for each value: dimensions, and the text of a size.
local DIMENSIONS, LENGTH = 16, 256

--- The sizes that a file says a value has; nil where it does not tell how many there are. One
-- without a name is unlike all others, and so is one of -1 or 0, by which exporters say the same.
-- @tab info of the file's inputs, outputs or value_info
function M.declared(info)
   local tensor = info.type and info.type.tensor_type
   local dims, sizes = tensor and tensor.shape and (tensor.shape.dim or {}), {}
   if not dims or #dims > DIMENSIONS then
      return nil
   end
   for d, dim in ipairs(dims) do
      local name = dim.dim_param or ''
      local known = dim.dim_value and dim.dim_value > 0
      sizes[d] = known and dim.dim_value or name ~= '' and name
         or ('%s[%d]'):format(info.name or '', d)
   end
   return sizes
end

--- The sizes of a node's operand; nil where they are not known.
function M.operand(n, i)
   local found = n.operands[i]
   if not found or not found.constant then
      return found and found.sizes
   end
   return found.tensor and (found.rank == 0 and {} or found.tensor:size():totable())
end

local operand = M.operand

--- The sizes of a node's first output; nil where they are not known.
function M.output(n)
   local f = of[n.kind]
   return f and f(n) or nil
end

--- Whether all operands of a node are of one size, as far as is known.
function M.equal(n)
   local first = operand(n, 1)
   for i = 2, n.count do
      local other = operand(n, i)
      if not first or not other or #first ~= #other then
         return false
      end
      for d, size in ipairs(first) do
         if size ~= other[d] then
            return false
         end
      end
   end
   return first ~= nil
end

-- --- element by element --------------------------------------------------------------------------

for _, name in ipairs {
   'QuantizeLinear', 'DequantizeLinear', 'Relu', 'LeakyRelu', 'Clip', 'Sigmoid', 'Tanh',
   'HardSigmoid', 'HardSwish', 'Gelu', 'Erf', 'Identity', 'Dropout', 'Cast', 'BatchNormalization',
   'LayerNormalization', 'Softmax', 'Sqrt', 'Exp', 'Neg', 'PRelu',
} do
   of[name] = function(n)
      return operand(n, 1)
   end
end

-- Sizes that two stretch to.
local function common(a, b)
   local sizes, dims = {}, math.max(#a, #b)
   for d = 1, dims do
      local m, n = a[d - dims + #a] or 1, b[d - dims + #b] or 1
      if m ~= n and m ~= 1 and n ~= 1 then
         return nil
      end
      sizes[d] = m == 1 and n or m
   end
   return sizes
end

for _, name in ipairs { 'Add', 'Sub', 'Mul', 'Div', 'Pow' } do
   of[name] = function(n)
      local a, b = operand(n, 1), operand(n, 2)
      return a and b and common(a, b)
   end
end

-- --- windows -------------------------------------------------------------------------------------

-- floor((n + more) / step); nil where that is too long a text.
local function places(n, more, step)
   if type(n) == 'number' then
      return math.floor((n + more) / step)
   elseif more == 0 and step == 1 then
      return n
   end
   return #n < LENGTH and ('(%s%+g)/%g'):format(n, more, step) or nil
end

-- How many windows fit: floor((n + borders - window) / step) + 1.
local function windows(n, x, planes, kernel)
   local sizes, dims, a = { x[1], planes }, #kernel, n.a
   local pads, auto = a.pads or {}, a.auto_pad or 'NOTSET'
   if a.ceil_mode == 1 or #x ~= dims + 2 then
      return nil
   end
   for d = 1, dims do
      local step, gap = (a.strides or {})[d] or 1, (a.dilations or {})[d] or 1
      local borders = auto == 'NOTSET' and (pads[d] or 0) + (pads[dims + d] or 0) or 0
      local more = auto:find '^SAME' and step - 1 or borders - gap * (kernel[d] - 1) - 1 + step
      local size = places(x[d + 2], more, step)
      if not size then
         return nil
      end
      sizes[d + 2] = size
   end
   return sizes
end

function of.Conv(n)
   local x, weight = operand(n, 1), operand(n, 2)
   return x and weight and windows(n, x, weight[1], { unpack(weight, 3) })
end

local function pool(n)
   local x = operand(n, 1)
   return x and n.a.kernel_shape and windows(n, x, x[2], n.a.kernel_shape)
end

of.MaxPool, of.AveragePool = pool, pool

function of.GlobalAveragePool(n)
   local x, sizes = operand(n, 1), {}
   for d = 1, x and #x or 0 do
      sizes[d] = d < 3 and x[d] or 1
   end
   return x and sizes
end

-- --- products, joined values and moved ones ------------------------------------------------------

function of.Gemm(n)
   local x, weight = operand(n, 1), operand(n, 2)
   if x and weight and #x == 2 and #weight == 2 then
      return { x[n.a.transA == 1 and 2 or 1], weight[n.a.transB == 1 and 1 or 2] }
   end
end

function of.MatMul(n)
   local x, weight = operand(n, 1), operand(n, 2)
   if x and weight and #x > 1 and #weight == 2 then
      local sizes = { unpack(x) }
      sizes[#x] = weight[2]
      return sizes
   end
end

-- A size that only this node knows.
local function own(n, d)
   return ('%s[%d]'):format(n.node.output[1], d)
end

function of.Flatten(n)
   local x = operand(n, 1)
   return x and #x > 1 and (n.a.axis or 1) == 1 and { x[1], #x == 2 and x[2] or own(n, 2) }
end

function of.Reshape(n)
   local x, shape, sizes = operand(n, 1), n:constant(2), {}
   if not x or not shape or shape:dim() ~= 1 or n.a.allowzero == 1 then
      return nil
   end
   for d, size in ipairs(shape:totable()) do
      sizes[d] = size > 0 and size or size == 0 and x[d] or own(n, d)
   end
   return #sizes <= DIMENSIONS and sizes
end

function of.Transpose(n)
   local x, sizes = operand(n, 1), {}
   for d = 1, x and #x or 0 do
      sizes[d] = x[n.a.perm and (n.a.perm[d] or -1) + 1 or #x - d + 1]
   end
   return x and sizes
end

function of.Concat(n)
   local sizes = { unpack(operand(n, 1) or {}) }
   local axis = n.a.axis or 0
   local d = axis < 0 and #sizes + axis + 1 or axis + 1
   local all = sizes[d]
   for i = 2, n.count do
      local part = operand(n, i)
      if type(all) ~= 'number' or not part or type(part[d]) ~= 'number' then
         return nil
      end
      all = all + part[d]
   end
   sizes[d] = all
   return all and sizes
end

return M
