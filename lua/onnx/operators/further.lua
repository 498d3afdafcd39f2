-- Operators that are rarer: bits, windows of signals, crops, sequences turned round.
local torch = require 'torch'
local border = require 'onnx.operators.border'
local reduce = require 'onnx.operators.reduce'
local tools = require 'onnx.operators.tools'
local types = require 'onnx.types'

local sizes_of = tools.sizes
local M = {}

-- --- bits ----------------------------------------------------------------------------------------

for operator, name in pairs {
   BitwiseAnd = 'cbitand', BitwiseOr = 'cbitor', BitwiseXor = 'cbitxor',
} do
   M[operator] = function(_, x, y)
      local a, b = tools.stretched(x, y)
      return torch[name](a, b)
   end
end

function M.BitwiseNot(_, x)
   return torch.bitxor(x, x:type():find 'Byte' and 255 or -1)
end

function M.BitShift(c, x, y)
   local a, b = tools.stretched(x, y)
   return (c.direction == 'LEFT' and torch.clshift or torch.crshift)(a, b)
end

-- --- matrices and windows that are given by their size -------------------------------------------

local function class_of(number)
   return types.class(number)
      or error(('elements of %s, which there is no tensor for'):format(types.name(number)), 0)
end

function M.EyeLike(c, x)
   local rows, columns, k = x:size(1), x:size(2), c.k or 0
   local y = torch.ByteTensor(rows, columns):zero()
   for i = math.max(1, 1 - k), math.min(rows, columns - k) do
      y[i][i + k] = 1
   end
   local class = c.dtype and tools.beside(class_of(c.dtype), x)
   return y:type(class or x:type())
end

-- a - b cos(2 pi i / N) + c cos(4 pi i / N)
local function window(a, b, more)
   return function(c, size)
      local n = tools.number(size)
      local N = c.periodic == 0 and n - 1 or n
      if n < 1 then
         error(('a window of %g elements'):format(n), 0)
      end
      tools.spend(n)
      local turn = torch.range(0, n - 1) * (2 * math.pi / math.max(N, 1))
      local y = torch.cos(turn) * -b + torch.cos(turn * 2) * more + a
      local class = class_of(c.output_datatype or types.FLOAT)
      return y:type(torch.isTensor(size) and tools.beside(class, size) or class)
   end
end

M.HannWindow, M.HammingWindow = window(0.5, 0.5, 0), window(25 / 46, 21 / 46, 0)
M.BlackmanWindow = window(0.42, 0.5, 0.08)

-- --- parts ---------------------------------------------------------------------------------------

--- The middle of x, or x in the middle of zeros.
function M.CenterCropPad(c, x, shape)
   local dims, before, after = x:dim(), {}, {}
   for d = 1, dims do
      before[d], after[d] = 0, 0
   end
   for i, wanted in ipairs(tools.list(shape)) do
      local d = tools.dim(x, c.axes and c.axes[i] or i - 1)
      local more = wanted - x:size(d)
      local half = math.floor(math.abs(more) / 2)
      before[d] = more < 0 and -half or half
      after[d] = more - before[d]
   end
   for d = 1, dims do
      before[dims + d] = after[d]
   end
   return border.Pad({}, x, before)
end

--- The first elements of each sequence in the other order, the rest as they are.
function M.ReverseSequence(c, x, lengths)
   local batch, time = tools.dim(x, c.batch_axis or 1), tools.dim(x, c.time_axis or 0)
   local list, parts, n = tools.list(lengths), {}, x:size(time)
   if #list ~= x:size(batch) then
      error(('%d lengths for %d sequences'):format(#list, x:size(batch)), 0)
   end
   for k, length in ipairs(list) do
      local places = {}
      for t = 0, n - 1 do
         places[t + 1] = t < length and length - 1 - t or t
      end
      parts[k] = tools.at(x:narrow(batch, k, 1):contiguous(), time, places)
   end
   return #parts > 1 and torch.cat(parts, batch) or parts[1]
end

-- --- along axes ----------------------------------------------------------------------------------

function M.MeanVarianceNormalization(c, x)
   local how = { axes = c.axes or { 0, 2, 3 }, keepdims = 1 }
   local sizes = sizes_of(x)
   local centred = x - tools.expand(reduce.ReduceMean(how, x), sizes)
   local deviation = torch.sqrt(reduce.ReduceMean(how, torch.cmul(centred, centred)))
   return torch.cdiv(centred, tools.expand(deviation + 1e-9, sizes))
end

return M
