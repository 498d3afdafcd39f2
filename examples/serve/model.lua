--- A saved model as a server holds it: the module, the shape of a sample, and inputs for a batch.

local torch = require 'torch'
local ffi = require 'ffi'
require 'nn' -- so that its classes can be read

local Model = {}
Model.__index = Model

-- How many of them a batch has is up to the requests: rows are set aside for the most.
local function rows(n, sizes)
   return torch.FloatTensor(torch.LongStorage { n, unpack(sizes) })
end

--- Read a model.
-- @string path a file with a module that takes batches
-- @tparam table sizes of a sample, `{1, 28, 28}`
-- @int most samples in a batch
-- @raise where the file holds something else, or the module refuses the shape
function Model.load(path, sizes, most)
   local net = torch.load(path)
   if not torch.isTypeOf(net, 'nn.Module') then
      error(('%s holds a %s, a module (nn.Module) is wanted'):format(path, torch.type(net)), 0)
   end
   net = net:float()
   net:evaluate()
   net:clearState()
   local self = setmetatable({ net = net, sizes = sizes, most = most, elements = 1 }, Model)
   for _, size in ipairs(sizes) do
      self.elements = self.elements * size
   end
   local output = self:run(rows(2, sizes):zero(), 2)
   if not torch.isTensor(output) or output:size(1) ~= 2 then
      error(('%s gives %s for two samples, expected a tensor of two rows'):format(path,
         torch.isTensor(output) and output:dim() .. ' dimensions' or torch.type(output)), 0)
   end
   self.results = output:nElement() / 2
   return self
end

--- Outputs of the first n rows of an input.
function Model:run(input, n)
   return self.net:forward(input:narrow(1, 1, n))
end

--- Inputs and results of one batch, used again and again.
function Model:batch()
   local input = rows(self.most, self.sizes)
   return { input = input, pointer = input:data(), model = self, n = 0 }
end

--- The shape of a sample as a text, `1x28x28`.
function Model:shape()
   return table.concat(self.sizes, 'x')
end

-- Numbers of nested lists, one after the other; returns how many there were.
local function flatten(list, pointer, at, limit)
   for i = 1, #list do
      local value = list[i]
      local kind = type(value)
      if kind == 'number' then
         if at < limit then
            pointer[at] = value
         end
         at = at + 1
      elseif kind == 'table' then
         at = flatten(value, pointer, at, limit)
      else
         error(('"input" holds a %s, numbers and lists of them are wanted'):format(kind), 0)
      end
   end
   return at
end

--- Write a sample into a row.
-- @param sample nested lists of numbers, a string of little-endian floats, or a pointer to floats
-- @int row from 1
-- @int[opt] count how many the pointer's are; no more than `elements` of them are read
-- @raise a text for whoever sent it
function Model:put(batch, sample, row, count)
   local elements = self.elements
   local start = batch.pointer + (row - 1) * elements
   if type(sample) == 'string' then
      if #sample ~= 4 * elements then
         error(('the body holds %d bytes, %d floats of 4 bytes (%s) are %d'):format(#sample,
            elements, self:shape(), 4 * elements), 0)
      end
      ffi.copy(start, sample, #sample)
      return
   end
   count = count or flatten(sample, start, 0, elements)
   if count ~= elements then
      error(('"input" holds %d numbers, %d (%s) are wanted'):format(count, elements,
         self:shape()), 0)
   end
   if type(sample) == 'cdata' then
      ffi.copy(start, sample, 4 * elements)
   end
end

return Model
