--- The elements of the input, in row-major order, in another shape; copies an input with gaps.
-- @classmod nn.Reshape

local torch = require 'torch'
local nn = require 'nn'
local check = require 'nn.check'

local Reshape = torch.class('nn.Reshape', 'nn.Module', nn)

--- @param ... the sizes of one sample, as numbers or as one LongStorage
-- @bool[opt] batchMode true: the first dimension is the batch; false: there is no batch; nil: there
-- is one unless the element count is that of one sample and the first size is not 1
function Reshape:__init(...)
   nn.Module.__init(self)
   local sizes = { ... }
   if type(sizes[#sizes]) == 'boolean' then
      self.batchMode = table.remove(sizes)
   end
   self.size = check.shape(self, 'nn.Reshape(size1, size2, ...[, batchMode])', unpack(sizes))
   sizes = self.size:totable()
   self.batchsize = torch.LongStorage(#sizes + 1)
   self.nelement = 1
   for i, n in ipairs(sizes) do
      self.nelement = self.nelement * n
      self.batchsize[i + 1] = n
   end
end

local function contiguous(self, name, tensor)
   if tensor:isContiguous() then
      return tensor
   end
   local buffer = self[name] or tensor.new()
   self[name] = buffer
   return buffer:resizeAs(tensor):copy(tensor)
end

local function wanted(self, input)
   local single = input:nElement() == self.nelement
   if self.batchMode == false or (self.batchMode == nil and single and input:size(1) ~= 1) then
      return self.size, self.nelement
   end
   self.batchsize[1] = input:size(1)
   return self.batchsize, self.nelement * input:size(1)
end

function Reshape:updateOutput(input)
   check.any_tensor(self, input, 'input')
   local size, elements = wanted(self, input)
   if elements ~= input:nElement() then
      check.fail(
         self,
         'input is %s (%d elements), expected %s (%d elements)',
         check.describe(input),
         input:nElement(),
         table.concat(size:totable(), 'x'),
         elements
      )
   end
   self.output:view(contiguous(self, '_input', input), size)
   return self.output
end

function Reshape:updateGradInput(input, gradOutput)
   check.any_tensor(self, input, 'input')
   check.any_tensor(self, gradOutput, 'gradOutput')
   self.gradInput:viewAs(contiguous(self, '_gradOutput', gradOutput), input)
   return self.gradInput
end

function Reshape:clearState()
   nn.utils.clear(self, '_input', '_gradOutput')
   return nn.Module.clearState(self)
end

function Reshape:__tostring__()
   return ('%s(%s)'):format(torch.type(self), table.concat(self.size:totable(), 'x'))
end
